//! PostgreSQL on several hosts, of which one takes writes while the others follow it: which one that is, now and after
//! another took over.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::{self, Connection, Executor, PgConnection, Row};
use sea_orm::{DbErr, RuntimeErr};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::time_limit::answer_in_time;
use crate::ticks::next_tick;

/// A host that takes longer is passed over.
const HOST_TIMEOUT: Duration = Duration::from_secs(3);

/// From one look at the host that takes writes to the next.
const WATCH_INTERVAL: Duration = Duration::from_millis(500);

/// A host that takes longer may have been left for another one.
const WATCH_TIMEOUT: Duration = Duration::from_secs(2);

/// From one look for a host that was promoted while the one in use goes on to the next: whoever cannot reach that one
/// promoted another, and what it takes from then on nobody follows.
const PROMOTED_INTERVAL: Duration = Duration::from_secs(5);

/// For how long the others may still answer once a host is found: of two that take writes the later one counts.
const OTHERS_TIMEOUT: Duration = Duration::from_millis(300);

/// Left of a limit for `dispatch backup` and other commands, which connect as the same role.
const CONNECTIONS_OF_COMMANDS: u32 = 2;

/// Cheap to clone: all clones agree on the host.
#[derive(Clone)]
pub(super) struct PostgresHosts(Arc<Inner>);

struct Inner {
    /// One for each host, in the order of the URL.
    urls: Vec<String>,
    pool_size: u32,
    current: watch::Sender<Primary>,
}

/// A host that takes writes. One that was promoted later is greater.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Primary {
    /// Eight hexadecimal digits; empty where there is one host, which is not asked.
    timeline: String,
    pub(super) url: String,
}

impl PostgresHosts {
    /// The host that takes writes. Of one host alone that is not asked: whatever it refuses, it says itself.
    /// `connections`: of this server, at most.
    pub(super) async fn find(url: &str, connections: u32) -> Result<Self, DbErr> {
        let urls = each_host(url);
        // One listens to other servers, and one watches a host that may be left for another.
        let own = if urls.len() > 1 { 2 } else { 1 };
        let primary = find_primary(&urls).await?;
        // Whatever it cannot answer now, it is asked again when the pool is opened, and says it then.
        let allowed = answer_in_time(HOST_TIMEOUT, allowed_connections(&primary.url)).await;
        let connections = match allowed.ok().flatten() {
            Some(allowed) => within_limit(connections, allowed),
            None => connections,
        };
        let pool_size = connections.saturating_sub(own).max(1);
        let current = watch::Sender::new(primary);
        Ok(Self(Arc::new(Inner {
            urls,
            pool_size,
            current,
        })))
    }

    pub(super) fn are_several(&self) -> bool {
        self.0.urls.len() > 1
    }

    /// Connections at most in a pool.
    pub(super) fn pool_size(&self) -> u32 {
        self.0.pool_size
    }

    /// The host that takes writes.
    pub(super) fn current(&self) -> Primary {
        self.0.current.borrow().clone()
    }

    /// Until another host takes the writes: what was asked before is not answered any more, or by one that nobody
    /// follows.
    pub(super) async fn until_moved(&self) {
        // It cannot fail while we hold the sender.
        let _ = self.0.current.subscribe().changed().await;
    }

    /// Until another host than this one takes the writes; at once where one does already.
    pub(super) async fn until_left(&self, primary: &Primary) {
        let mut current = self.0.current.subscribe();
        // It cannot fail while we hold the sender.
        let _ = current.wait_for(|current| current != primary).await;
    }

    /// Until the host does not answer, takes no writes any more, or another one was promoted.
    pub(super) async fn until_lost(&self) {
        tokio::select! {
            () = self.until_silent() => {}
            () = self.until_another_is_promoted() => {}
        }
    }

    async fn until_silent(&self) {
        let url = self.current().url;
        let watched = async {
            let mut connection = answer_in_time(WATCH_TIMEOUT, PgConnection::connect(&url)).await?;
            loop {
                answer_in_time(WATCH_TIMEOUT, require_primary(&mut connection)).await?;
                next_tick(WATCH_INTERVAL).await;
            }
        };
        let Err(error): Result<Infallible, sqlx::Error> = watched.await;
        tracing::debug!(%error, "the database's host does not answer");
    }

    async fn until_another_is_promoted(&self) {
        let timeline = self.current().timeline;
        loop {
            next_tick(PROMOTED_INTERVAL).await;
            // On one timeline are two names of one host.
            if let Some(other) = self.find_other().await
                && other.timeline > timeline
            {
                return;
            }
        }
    }

    /// The host that takes the writes now, where that is another one. Never one of an earlier timeline: where the one that
    /// was promoted does not answer for a moment, a former primary that is back would take what nobody follows.
    pub(super) async fn find_other(&self) -> Option<Primary> {
        let found = find_primary(&self.0.urls).await.ok()?;
        let current = self.0.current.borrow();
        let may_follow = found.url != current.url && found.timeline >= current.timeline;
        may_follow.then_some(found)
    }

    pub(super) fn set_current(&self, primary: Primary) {
        if let Ok(options) = primary.url.parse::<PgConnectOptions>() {
            tracing::warn!(
                host = options.get_host(),
                port = options.get_port(),
                "another host of the database takes the writes now"
            );
        }
        self.0.current.send_replace(primary);
    }
}

/// Connections at once that role and database allow this server's role; none where neither has a limit, or the role is a
/// superuser, who is held to none.
async fn allowed_connections(url: &str) -> Result<Option<u32>, sqlx::Error> {
    let mut connection = PgConnection::connect(url).await?;
    let sql = "SELECT LEAST(NULLIF(rolconnlimit, -1), NULLIF(datconnlimit, -1)) FROM pg_roles, pg_database \
               WHERE rolname = current_user AND datname = current_database() AND NOT rolsuper";
    // Not prepared: a pooler may confuse that with another's.
    let row = connection.fetch_optional(sqlx::raw_sql(sql)).await?;
    connection.close().await.ok();
    let limit: Option<i32> = row.map_or(Ok(None), |row| row.try_get(0))?;
    Ok(limit.and_then(|limit| u32::try_from(limit).ok()))
}

/// A connection that PostgreSQL refuses is waited for in vain, so none is asked for beyond the limit.
fn within_limit(connections: u32, allowed: u32) -> u32 {
    let usable = allowed.saturating_sub(CONNECTIONS_OF_COMMANDS).max(1);
    if usable < connections {
        tracing::warn!(
            allowed,
            used = usable,
            "the database's role or the database has a CONNECTION LIMIT; raise it, or lower --database-connections where \
             several servers share it"
        );
    }
    connections.min(usable)
}

/// The URL of the host that takes writes.
pub(super) async fn primary_url(url: &str) -> Result<String, DbErr> {
    Ok(find_primary(&each_host(url)).await?.url)
}

/// Refuses a connection to a host that only follows another one.
pub(super) async fn require_primary(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    timeline(connection).await.map(drop)
}

/// The timeline that a host writes, which is a later one with each promotion; an error of a host that only follows.
async fn timeline(connection: &mut PgConnection) -> Result<String, sqlx::Error> {
    // PostgreSQL evaluates no more of a CASE than it needs, and a standby cannot answer the rest.
    let timeline: Option<String> = sqlx::query_scalar(
        "SELECT CASE WHEN pg_is_in_recovery() THEN NULL \
         ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END",
    )
    .fetch_one(connection)
    .await?;
    timeline.ok_or_else(|| {
        sqlx::Error::Configuration("it is a standby, to which nothing can be written".into())
    })
}

/// The host that can be written to; else why the one that answered last cannot. All are asked at once: one that is
/// silent keeps nobody waiting. A primary that was given up and is back believes that it takes the writes, on a timeline
/// that nobody follows.
async fn find_primary(urls: &[String]) -> Result<Primary, DbErr> {
    let [url] = urls else {
        let ask = async |url: String| {
            let timeline = answer_in_time(HOST_TIMEOUT, ask_timeline(&url)).await?;
            Ok(Primary { timeline, url })
        };
        let mut asked: FuturesUnordered<_> = urls.iter().cloned().map(ask).collect();
        let mut failure = sqlx::Error::PoolTimedOut;
        let mut found: Option<Primary> = None;
        let mut deadline = Instant::now() + HOST_TIMEOUT;
        while let Ok(Some(answer)) = timeout_at(deadline, asked.next()).await {
            match answer {
                Ok(answered) => {
                    deadline = deadline.min(Instant::now() + OTHERS_TIMEOUT);
                    found = found.max(Some(answered));
                }
                Err(error) => failure = error,
            }
        }
        return match found {
            Some(primary) => Ok(primary),
            None => Err(DbErr::Conn(RuntimeErr::SqlxError(failure.into()))),
        };
    };
    // A pool keeps trying and then only says that it timed out; one connection says why at once.
    let connected = PgConnection::connect(url).await;
    let connection = connected.map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(error.into())))?;
    connection.close().await.ok();
    Ok(Primary {
        timeline: String::new(),
        url: url.clone(),
    })
}

async fn ask_timeline(url: &str) -> Result<String, sqlx::Error> {
    let mut connection = PgConnection::connect(url).await?;
    let timeline = timeline(&mut connection).await?;
    connection.close().await.ok();
    Ok(timeline)
}

/// The same URL for each host of one such as `postgres://dispatch@db1,db2:5433/shop?target_session_attrs=read-write`.
/// That option is what is done anyway.
fn each_host(url: &str) -> Vec<String> {
    let Some((scheme, rest)) = url.split_once("://") else {
        return vec![url.to_owned()];
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let (user, hosts) = match authority.rsplit_once('@') {
        Some((user, hosts)) => (format!("{user}@"), hosts),
        None => (String::new(), authority),
    };
    let path = without_option(path, "target_session_attrs");
    let hosts = hosts.split(',');
    hosts
        .map(|host| format!("{scheme}://{user}{host}{path}"))
        .collect()
}

fn without_option(path: &str, name: &str) -> String {
    let Some((path, options)) = path.split_once('?') else {
        return path.to_owned();
    };
    let is_kept = |option: &&str| option.split('=').next() != Some(name);
    let kept: Vec<&str> = options.split('&').filter(is_kept).collect();
    match kept.is_empty() {
        true => path.to_owned(),
        false => format!("{path}?{}", kept.join("&")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_of_several_hosts_is_one_for_each() {
        for (url, expected) in [
            ("postgres://db/shop", &["postgres://db/shop"][..]),
            (
                "postgres://me:p@ss@db1:5433,db2/shop?sslmode=require&target_session_attrs=read-write",
                &[
                    "postgres://me:p@ss@db1:5433/shop?sslmode=require",
                    "postgres://me:p@ss@db2/shop?sslmode=require",
                ],
            ),
            (
                "postgresql://[::1]:1,[::1]:2?target_session_attrs=read-write",
                &["postgresql://[::1]:1", "postgresql://[::1]:2"],
            ),
        ] {
            assert_eq!(each_host(url), expected, "{url}");
        }
    }
}
