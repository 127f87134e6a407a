//! PostgreSQL on several hosts, of which one takes writes while the others follow it: which one that is, now and after
//! another took over.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::{self, Connection, PgConnection, PgPool};
use sea_orm::{DbErr, RuntimeErr};
use tokio::sync::watch;
use tokio::time::timeout;

/// A host that takes longer is passed over.
const HOST_TIMEOUT: Duration = Duration::from_secs(3);

/// Cheap to clone: all clones agree on the host.
#[derive(Clone)]
pub(super) struct PostgresHosts(Arc<Inner>);

struct Inner {
    /// One for each host, in the order of the URL.
    urls: Vec<String>,
    current: watch::Sender<Host>,
}

/// The one that takes writes.
struct Host {
    url: String,
    /// Connections that are older are to another one.
    since: Instant,
}

impl PostgresHosts {
    /// The host that takes writes. Of one host alone that is not asked: whatever it refuses, it says itself.
    pub(super) async fn find(url: &str) -> Result<Self, DbErr> {
        let (urls, since) = (each_host(url), Instant::now());
        let url = find_primary(&urls).await?;
        Ok(Self(Arc::new(Inner {
            urls,
            current: watch::Sender::new(Host { url, since }),
        })))
    }

    pub(super) fn are_several(&self) -> bool {
        self.0.urls.len() > 1
    }

    /// The URL of the host that takes writes.
    pub(super) fn current(&self) -> String {
        self.0.current.borrow().url.clone()
    }

    /// Whether a connection of that age is to it.
    pub(super) fn is_current(&self, age: Duration) -> bool {
        age <= self.0.current.borrow().since.elapsed()
    }

    /// Until another host takes the writes: what was asked before is not answered any more, or by one that nobody
    /// follows.
    pub(super) async fn until_moved(&self) {
        // It cannot fail while we hold the sender.
        let _ = self.0.current.subscribe().changed().await;
    }

    /// After a failure: another host may take the writes now, and new connections go there.
    pub(super) async fn find_again(&self, pool: &PgPool) {
        if !self.are_several() {
            return;
        }
        let Ok(found) = find_primary(&self.0.urls).await else {
            return;
        };
        if found == self.current() {
            return;
        }
        let Ok(options) = found.parse::<PgConnectOptions>() else {
            return;
        };
        tracing::warn!(
            host = options.get_host(),
            port = options.get_port(),
            "another host of the database takes the writes now"
        );
        pool.set_connect_options(options);
        self.0.current.send_replace(Host {
            url: found,
            since: Instant::now(),
        });
    }
}

/// Refuses a connection to a host that only follows another one.
pub(super) async fn require_primary(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let is_standby: bool = sqlx::query_scalar("SELECT pg_is_in_recovery()")
        .fetch_one(connection)
        .await?;
    match is_standby {
        true => Err(sqlx::Error::Configuration(
            "it is a standby, to which nothing can be written".into(),
        )),
        false => Ok(()),
    }
}

/// The first host that can be written to; else why the last one cannot.
async fn find_primary(urls: &[String]) -> Result<String, DbErr> {
    let [url] = urls else {
        let mut failure = sqlx::Error::PoolTimedOut;
        for url in urls {
            match timeout(HOST_TIMEOUT, connect(url, true)).await {
                Ok(Ok(())) => return Ok(url.clone()),
                Ok(Err(error)) => failure = error,
                Err(_late) => {}
            }
        }
        return Err(DbErr::Conn(RuntimeErr::SqlxError(failure.into())));
    };
    // A pool keeps trying and then only says that it timed out; one connection says why at once.
    let connected = connect(url, false).await;
    connected.map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(error.into())))?;
    Ok(url.clone())
}

async fn connect(url: &str, as_primary: bool) -> Result<(), sqlx::Error> {
    let mut connection = PgConnection::connect(url).await?;
    if as_primary {
        require_primary(&mut connection).await?;
    }
    connection.close().await.ok();
    Ok(())
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
