//! For how long a database on another machine is waited for. One that falls silent keeps nobody waiting: a host that lost its
//! power says nothing, and of a connection to it the system learns only after hours.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{DbErr, sqlx};
use tokio::time::timeout;

use super::postgres_hosts::{PostgresHosts, Primary};

/// Until a statement or a commit must have been answered, the wait for a connection included. PostgreSQL ends a
/// statement by itself after ten seconds, but not a commit that waits for a standby.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(25);

/// For how long the answers of one pool are waited for; cheap to clone. A file on this machine is waited for as long as it takes.
#[derive(Clone, Default)]
pub(super) struct AnswerLimit(Option<Arc<AskedHost>>);

struct AskedHost {
    hosts: PostgresHosts,
    /// Of which the answers are.
    primary: Primary,
}

impl AnswerLimit {
    pub(super) fn of(hosts: PostgresHosts, primary: Primary) -> Self {
        Self(Some(Arc::new(AskedHost { hosts, primary })))
    }

    /// The answer; an error where it takes too long, or where another host takes the writes meanwhile: nobody follows what
    /// the former one says then.
    pub(super) async fn keep<T>(
        &self,
        answer: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        let Some(host) = &self.0 else {
            return answer.await;
        };
        tokio::select! {
            biased;
            answered = timeout(ANSWER_TIMEOUT, answer) => answered.unwrap_or_else(|_late| {
                let seconds = ANSWER_TIMEOUT.as_secs();
                Err(DbErr::Custom(format!("it has said nothing for {seconds} s")))
            }),
            () = host.hosts.until_left(&host.primary) => {
                Err(DbErr::Custom("another host takes the writes now".to_owned()))
            }
        }
    }
}

/// The answer on a connection that is no pool's, or that there is none yet.
pub(super) async fn answer_in_time<T>(
    limit: Duration,
    answer: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    match timeout(limit, answer).await {
        Ok(answer) => answer,
        Err(_late) => Err(sqlx::Error::PoolTimedOut),
    }
}
