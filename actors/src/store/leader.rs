//! Work that one server of all on a database does: whoever holds the work's advisory lock, which PostgreSQL gives to
//! another one when that server's connection ends. On SQLite there is only one server.

use std::convert::Infallible;
use std::time::Duration;

use super::Store;
use super::postgres_hosts::require_primary;
use super::time_limit::answer_in_time;
use crate::ticks::next_tick;
use sea_orm::sqlx::{self, Connection, Executor, PgConnection};

/// Until a server that is not the leader asks again.
const TRY_INTERVAL: Duration = Duration::from_secs(2);

/// From one look at the connection to the next: a leader that cannot see its connection is none.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// A database that takes longer is treated as gone.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

/// PostgreSQL notices within ten seconds that a machine is gone, and gives its locks away; by itself it may take hours.
const NOTICE_LOST_CLIENTS: &str = "SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; \
     SET tcp_keepalives_count = 3; SET tcp_user_timeout = 10000; SET statement_timeout = '10s'";

impl Store {
    /// Does the work for as long as no other server does it, and for as long as this future is polled. The work is
    /// dropped where it stands when the lock may be lost, and begun anew when this server has it again. `work`: the same
    /// name on each server.
    pub async fn lead(&self, work: &str, mut begin: impl AsyncFnMut()) {
        let Some(hosts) = self.others.hosts() else {
            return begin().await;
        };
        loop {
            let url = hosts.current().url;
            match wait_for_lock(&url, work).await {
                Ok(mut connection) => {
                    tracing::debug!(work, "this server does what one of all does");
                    tokio::select! {
                        () = begin() => return,
                        error = until_lost(&mut connection) => {
                            tracing::warn!(%error, work, "another server may do now what this one did");
                        }
                    }
                }
                Err(error) => tracing::debug!(%error, work, "who leads could not be asked"),
            }
            next_tick(TRY_INTERVAL).await;
        }
    }
}

/// Resolves with the connection that holds the lock.
async fn wait_for_lock(url: &str, work: &str) -> Result<PgConnection, sqlx::Error> {
    let mut connection = answer_in_time(ANSWER_TIMEOUT, PgConnection::connect(url)).await?;
    answer_in_time(ANSWER_TIMEOUT, require_primary(&mut connection)).await?;
    answer_in_time(ANSWER_TIMEOUT, connection.execute(NOTICE_LOST_CLIENTS)).await?;
    loop {
        let lock = "SELECT pg_try_advisory_lock(hashtextextended($1, 0))";
        let lock = sqlx::query_scalar(lock).bind(format!("dispatch:{work}"));
        if answer_in_time(ANSWER_TIMEOUT, lock.fetch_one(&mut connection)).await? {
            return Ok(connection);
        }
        next_tick(TRY_INTERVAL).await;
    }
}

async fn until_lost(connection: &mut PgConnection) -> sqlx::Error {
    let lost = async {
        loop {
            next_tick(CHECK_INTERVAL).await;
            answer_in_time(ANSWER_TIMEOUT, connection.ping()).await?;
        }
    };
    let Err(error): Result<Infallible, _> = lost.await;
    error
}
