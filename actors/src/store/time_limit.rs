//! For how long a database is waited for on a connection that is no pool's.

use std::time::Duration;

use sea_orm::sqlx;
use tokio::time::timeout;

/// The answer, or that there is none yet: a database that falls silent keeps nobody waiting.
pub(super) async fn answer_in_time<T>(
    limit: Duration,
    answer: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    match timeout(limit, answer).await {
        Ok(answer) => answer,
        Err(_late) => Err(sqlx::Error::PoolTimedOut),
    }
}
