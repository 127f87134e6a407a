//! A connection pooler such as PgBouncer between this server and PostgreSQL.

use std::time::Duration;

use sea_orm::sqlx::{self, Connection, Executor, PgConnection, Row};
use sea_orm::{DbErr, RuntimeErr};
use tokio::time::timeout;

/// A pooler that has one connection to PostgreSQL lets us wait for it in vain.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

const SENTENCE: &str = "a connection pooler is between, which gives each transaction another connection (PgBouncer in \
     transaction or statement mode): name PostgreSQL itself, or set pool_mode = session";

/// Refuses a pooler that keeps no sessions: statements that are prepared, settings, locks and notifications are a
/// session's.
pub(super) async fn require_sessions(url: &str) -> Result<(), DbErr> {
    let has_sessions = timeout(ANSWER_TIMEOUT, has_sessions(url)).await;
    match has_sessions.unwrap_or(Ok(false)) {
        Ok(true) => Ok(()),
        Ok(false) => {
            let error = sqlx::Error::Configuration(SENTENCE.into());
            Err(DbErr::Conn(RuntimeErr::SqlxError(error.into())))
        }
        Err(error) => Err(DbErr::Conn(RuntimeErr::SqlxError(error.into()))),
    }
}

/// Whether a connection stays with its process of PostgreSQL while another one has a transaction: a pooler gives that
/// transaction the process that was used last.
async fn has_sessions(url: &str) -> Result<bool, sqlx::Error> {
    let mut connection = PgConnection::connect(url).await?;
    let mut other = PgConnection::connect(url).await?;
    let before = process_of(&mut connection).await?;
    match other.execute(sqlx::raw_sql("BEGIN")).await {
        // PgBouncer in statement mode allows no transaction.
        Err(sqlx::Error::Database(_)) => return Ok(false),
        begun => begun?,
    };
    process_of(&mut other).await?;
    let after = process_of(&mut connection).await?;
    other.execute(sqlx::raw_sql("ROLLBACK")).await?;
    for used in [connection, other] {
        used.close().await.ok();
    }
    Ok(before == after)
}

/// By a query that is not prepared, which a pooler may confuse with another's.
async fn process_of(connection: &mut PgConnection) -> Result<i32, sqlx::Error> {
    let row = connection.fetch_one(sqlx::raw_sql("SELECT pg_backend_pid()"));
    row.await?.try_get(0)
}
