//! Opening the database.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
use sea_orm::sqlx::{Connection, Executor};
use sea_orm::{ConnectOptions, Database, DbErr, RuntimeErr};
use tokio::time::timeout;

use super::pooler::require_sessions;
use super::pools::{Pair, Pool};
use super::postgres_hosts::{PostgresHosts, Primary, require_primary};
use super::sqlite_file::{self, OpenedFile};
use super::time_limit::{AnswerLimit, answer_in_time};
use super::{OtherServers, Store, Suspect};

/// Where the repair orders are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseUrl {
    Sqlite(PathBuf),
    Postgres(String),
}

#[derive(Debug, thiserror::Error)]
pub enum Unreachable {
    #[error(
        "'{0}' is not a database URL (--database-url, DISPATCH_DATABASE_URL): use sqlite:PATH or \
         postgres://USER:PASSWORD@HOST/NAME, with commas between several hosts"
    )]
    Url(String),
    #[error("cannot open the database {url}: {why}")]
    Open { url: DatabaseUrl, why: String },
    #[error("cannot bring the database {url} up to date: {why}")]
    Migrate { url: DatabaseUrl, why: String },
    #[error(
        "cannot bring the database {url} up to date: another process has held it for {seconds} s; \
         start again when that one is done"
    )]
    MigrationTimeout { url: DatabaseUrl, seconds: u64 },
    #[error(
        "the database {url} was brought up to date by a newer dispatch (it has {steps}): start that \
         version, or restore a backup from before"
    )]
    NewerSchema { url: DatabaseUrl, steps: String },
    #[error(
        "the database {url} is another program's (it has the table {table}): name another file"
    )]
    ForeignDatabase { url: DatabaseUrl, table: String },
    #[error(
        "the database {} is an empty file: restore it from a backup, or delete it to begin a new shop",
        .0.display()
    )]
    EmptyFile(PathBuf),
    /// A young shop's changes are all in the log.
    #[error(
        "the database {path} has nothing in it: where it was copied from a data folder, its changes are in {path}-wal there, \
         which belongs beside it; copy both while no server runs, restore a backup, or delete it to begin a new shop",
        path = .0.display()
    )]
    WithoutLog(PathBuf),
    #[error(
        "cannot open the database {}: this file is not a database of SQLite's; restore it from a \
         backup, or name another file",
        .0.display()
    )]
    NotSqlite(PathBuf),
    #[error(
        "cannot open the database {}: the file is damaged or was cut off (SQLite says it is \
         malformed); stop the server, keep a copy of the data folder, and restore a backup with dispatch restore",
        .0.display()
    )]
    Damaged(PathBuf),
}

impl FromStr for DatabaseUrl {
    type Err = Unreachable;

    fn from_str(text: &str) -> Result<Self, Unreachable> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        let path = text
            .strip_prefix("sqlite:")
            .map(|rest| rest.strip_prefix("//").unwrap_or(rest));
        match path {
            Some(path) if !path.is_empty() => Ok(Self::Sqlite(PathBuf::from(path))),
            // What is before an @ may be a password.
            _ => Err(Unreachable::Url(
                text.rsplit('@').next().unwrap_or_default().to_owned(),
            )),
        }
    }
}

impl DatabaseUrl {
    /// What is wrong with the SQLite file, where an error is the file's.
    pub(super) fn file_fault(&self, error: &DbErr) -> Option<Unreachable> {
        match self {
            Self::Sqlite(path) => sqlite_file::fault(path, error),
            Self::Postgres(_) => None,
        }
    }
}

impl fmt::Display for DatabaseUrl {
    /// Without the password: this is for logs and messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "{}", path.display()),
            Self::Postgres(url) => match url.split('?').next().unwrap_or_default().rsplit_once('@')
            {
                Some((_, host)) => write!(f, "postgres://{host}"),
                None => f.write_str(url.split('?').next().unwrap_or_default()),
            },
        }
    }
}

impl Store {
    /// Opens the database, creating a SQLite file that is not there.
    pub async fn open(url: &DatabaseUrl) -> Result<Self, Unreachable> {
        Self::open_with(url, POSTGRES_CONNECTIONS).await
    }

    /// As `open`, with so many connections to PostgreSQL at most. A SQLite file needs no such number.
    pub async fn open_with(url: &DatabaseUrl, connections: u32) -> Result<Self, Unreachable> {
        if let DatabaseUrl::Sqlite(path) = url {
            sqlite_file::refuse_empty(path).await?;
        }
        let opened = match url {
            DatabaseUrl::Sqlite(path) => open_sqlite_when_free(path).await,
            DatabaseUrl::Postgres(url) => open_postgres(url, connections).await,
        };
        opened.map_err(|error| {
            url.file_fault(&error).unwrap_or_else(|| Unreachable::Open {
                url: url.clone(),
                why: reason(&error),
            })
        })
    }

    /// Moves to the host that takes the writes whenever that is another one, for as long as this future is polled. Where
    /// there is one host, that is never.
    pub(crate) async fn follow_primary(&self) {
        let Some(hosts) = self.others.hosts().filter(|hosts| hosts.are_several()) else {
            return std::future::pending().await;
        };
        loop {
            hosts.until_lost().await;
            let Some(primary) = hosts.find_other().await else {
                tokio::time::sleep(FIND_INTERVAL).await;
                continue;
            };
            match postgres_pool(&primary, hosts).await {
                Ok(pool) => {
                    self.pools.replace(Pair {
                        writer: pool.clone(),
                        reader: pool,
                    });
                    hosts.set_current(primary);
                }
                Err(error) => tracing::warn!(%error, "the host cannot be used"),
            }
        }
    }

    /// The answer; none where it takes longer, or where it was asked of a host that takes no writes any more.
    pub(crate) async fn in_time<T>(
        &self,
        limit: Duration,
        answer: impl Future<Output = T>,
    ) -> Option<T> {
        tokio::select! {
            biased;
            answered = timeout(limit, answer) => answered.ok(),
            () = self.until_host_moved() => None,
        }
    }

    /// Until another host takes the writes, which never happens where there is one.
    pub async fn until_host_moved(&self) {
        match self.others.hosts() {
            Some(hosts) => hosts.until_moved().await,
            None => std::future::pending().await,
        }
    }

    /// Closes every connection, so that a SQLite database is one file again. A host of PostgreSQL that says nothing any
    /// more is not waited for.
    pub async fn close(&self) {
        self.status.close();
        let close_both = async {
            for pool in [self.reader(), self.writer()] {
                if let Err(error) = pool.close().await {
                    tracing::warn!(%error, "a database connection did not close cleanly");
                }
            }
        };
        if !self.others.may_exist() {
            close_both.await;
        } else if timeout(CLOSE_TIMEOUT, close_both).await.is_err() {
            tracing::warn!("the database did not let its connections be closed");
        }
    }
}

/// Until a request for a connection is given up.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// Until connections to PostgreSQL are left open when the server stops.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Until SQLite gives up on another process that holds the write lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// From one look for the host that takes the writes to the next.
const FIND_INTERVAL: Duration = Duration::from_millis(500);

/// What PostgreSQL may spend on one statement, on waiting for one lock, and on a transaction in which
/// nothing happens: a program that holds a row delays one request, and not the whole shop.
const POSTGRES_TIMEOUTS: &str = "SET statement_timeout = '10s'; SET lock_timeout = '2s'; \
     SET idle_in_transaction_session_timeout = '60s'";

/// Until PostgreSQL must have answered on a connection that was idle; after that the connection is left.
const PING_TIMEOUT: Duration = Duration::from_secs(2);

/// Until a connection that is given back must have ended what it was asked last.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(5);

/// Ends a transaction that the driver does not know: it counts one only once BEGIN is answered, and the
/// caller may have given up before. What is written in such a transaction, each statement by itself as it
/// seems, nobody commits. BEGIN comes first because ROLLBACK alone, where nothing is open, puts a warning
/// into the database's log each time; with a transaction open it is BEGIN that warns.
const END_TRANSACTION: &str = "BEGIN; ROLLBACK";

/// Pages of 4 KB in the write-ahead log before they are copied into the database. The pages of busy
/// orders are changed over and over; the longer they wait, the fewer are copied.
const WAL_PAGES: &str = "8000";

/// SQLite does not wait for another process that makes the same file at this moment: turning to WAL
/// needs the file alone.
async fn open_sqlite_when_free(path: &Path) -> Result<Store, DbErr> {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        match open_sqlite(path).await {
            Err(error) if sqlite_file::is_busy(&error) && Instant::now() < deadline => {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            opened => return opened,
        }
    }
}

async fn open_sqlite(path: &Path) -> Result<Store, DbErr> {
    let suspect = Suspect::default();
    // In 16 MB are the open orders and the ends of the log's indexes; readers take SQLite's own 2 MB.
    let writer = sqlite_pool(path, WRITERS, 16_000, suspect.clone()).await?;
    let file = OpenedFile::at(path);
    // WAL readers never wait for the writer; eight are more than two cores can keep busy.
    let reader = sqlite_pool(path, 8, 2_000, Suspect::default()).await?;
    let others = OtherServers::default();
    Ok(Store::new(writer, reader, suspect, file, others))
}

/// SQLite has one writer at a time.
const WRITERS: u32 = 1;

/// `cache`: KiB for each connection.
async fn sqlite_pool(
    path: &Path,
    connections: u32,
    cache: u32,
    suspect: Suspect,
) -> Result<Pool, DbErr> {
    let file = path.to_owned();
    let mut options = ConnectOptions::new("sqlite:");
    options
        .max_connections(connections)
        .min_connections(1)
        .idle_timeout(None::<Duration>)
        .max_lifetime(None::<Duration>)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        // A file does not go away between two uses.
        .test_before_acquire(false)
        .sqlx_logging(false)
        .map_sqlx_sqlite_pool_opts(move |pool| {
            let suspect = suspect.clone();
            pool.before_acquire(move |connection, _| {
                // A rollback that was begun when the connection was given back is over by now.
                let is_sound = !suspect.take() && !connection.is_in_transaction();
                Box::pin(std::future::ready(Ok(is_sound)))
            })
        })
        .map_sqlx_sqlite_opts(move |sqlite| {
            sqlite
                .filename(&file)
                // A reader that finds it gone makes no other in its place.
                .create_if_missing(connections == WRITERS)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .foreign_keys(true)
                .busy_timeout(BUSY_TIMEOUT)
                .pragma("wal_autocheckpoint", WAL_PAGES)
                // Below zero SQLite counts KiB, above it pages.
                .pragma("cache_size", format!("-{cache}"))
                .pragma("temp_store", "MEMORY")
                // What was erased is not in the file's free places, either.
                .pragma("secure_delete", "ON")
        });
    let connections = Database::connect(options).await?;
    Ok(Pool::new(connections, AnswerLimit::default()))
}

/// Connections of a server to PostgreSQL at most, where nobody says otherwise.
pub const POSTGRES_CONNECTIONS: u32 = 16;

async fn open_postgres(url: &str, connections: u32) -> Result<Store, DbErr> {
    let hosts = PostgresHosts::find(url, connections).await?;
    let primary = hosts.current();
    require_sessions(&primary.url).await?;
    let pool = postgres_pool(&primary, &hosts).await?;
    // It says now whether it can be opened.
    pool.ping().await?;
    let others = OtherServers::on_postgres(hosts);
    let suspect = Suspect::default();
    Ok(Store::new(pool.clone(), pool, suspect, None, others))
}

/// Connections are opened as they are needed.
async fn postgres_pool(primary: &Primary, hosts: &PostgresHosts) -> Result<Pool, DbErr> {
    let are_several = hosts.are_several();
    let mut options = ConnectOptions::new(&primary.url);
    options
        .max_connections(hosts.pool_size())
        .min_connections(1)
        .connect_lazy(true)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        // Below, within a time.
        .test_before_acquire(false)
        .sqlx_logging(false)
        .map_sqlx_postgres_pool_opts(move |pool| {
            pool.after_connect(move |connection, _| {
                Box::pin(async move {
                    connection.execute(POSTGRES_TIMEOUTS).await?;
                    match are_several {
                        true => require_primary(connection).await,
                        false => Ok(()),
                    }
                })
            })
            .before_acquire(|connection, _| {
                Box::pin(async move {
                    if connection.is_in_transaction() {
                        return Ok(false);
                    }
                    let answered = timeout(PING_TIMEOUT, connection.ping()).await;
                    Ok(answered.is_ok_and(|answered| answered.is_ok()))
                })
            })
            // A server that fell silent would keep the connection, and its place in the pool, for ever.
            .after_release(|connection, _| {
                Box::pin(async move {
                    let ended = connection.execute(END_TRANSACTION);
                    answer_in_time(RELEASE_TIMEOUT, ended).await.map(|_| true)
                })
            })
        });
    let connections = Database::connect(options).await?;
    let answers = AnswerLimit::of(hosts.clone(), primary.clone());
    Ok(Pool::new(connections, answers))
}

/// The database's own code of an error.
pub(super) fn error_code(error: &DbErr) -> Option<String> {
    let (DbErr::Conn(cause) | DbErr::Exec(cause) | DbErr::Query(cause)) = error else {
        return None;
    };
    match cause {
        RuntimeErr::SqlxError(error) => Some(error.as_database_error()?.code()?.into_owned()),
        RuntimeErr::Internal(_) => None,
    }
}

/// The database's own words on one line.
pub(super) fn reason(error: &DbErr) -> String {
    error.to_string().replace('\n', " ")
}
