//! What breaks below a server, for a moment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom};
use tokio::process::Command;

use crate::error::LoadTestError;
use crate::proxy::{Passage, Proxy};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The server is killed and started again.
    Kill,
    /// No room for what is written.
    FullDisk,
    /// What is written cannot be synced.
    SyncFails,
    /// Syncing takes a tenth of a second to one and a half.
    SlowSync,
    /// A process of the database is killed: it breaks every connection and recovers.
    DatabaseCrash,
    /// The database accepts connections and says nothing.
    DatabaseSilent,
    /// The readers' server gets no answer from the database any more, while others change it.
    CutOffSilently,
    /// The same, with an end to every connection.
    CutOff,
}

impl Fault {
    /// Most are short. A server that is cut off must notice that it is, so it is for longer now and
    /// then.
    pub fn length(self, rng: &mut impl Rng) -> Duration {
        let is_long = matches!(self, Self::CutOff | Self::CutOffSilently) && rng.random_bool(0.25);
        let range = if is_long { 8_000..14_000 } else { 300..3_000 };
        Duration::from_millis(rng.random_range(range))
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Kill => "server killed",
            Self::FullDisk => "disk full",
            Self::SyncFails => "sync fails",
            Self::SlowSync => "sync slow",
            Self::DatabaseCrash => "database crashes",
            Self::DatabaseSilent => "database silent",
            Self::CutOffSilently => "readers' server cut off silently",
            Self::CutOff => "readers' server cut off",
        }
    }
}

/// Whatever keeps the data of the server under test.
#[derive(Clone, Debug)]
pub enum Storage {
    /// SQLite, under the library of `server/tests/faulty-io.c`, which reads this file.
    Sqlite { control: PathBuf },
    /// PostgreSQL, whose first process has this id; the readers' server reaches it by the proxy.
    Postgres { id: u32, proxy: Proxy },
}

impl Storage {
    /// Any fault that it can have.
    pub fn choose(&self, rng: &mut impl Rng) -> Fault {
        let faults: &[Fault] = match self {
            Self::Sqlite { .. } => &[
                Fault::Kill,
                Fault::FullDisk,
                Fault::SyncFails,
                Fault::SlowSync,
            ],
            Self::Postgres { .. } => &[
                Fault::Kill,
                Fault::DatabaseCrash,
                Fault::DatabaseSilent,
                Fault::CutOffSilently,
                Fault::CutOff,
            ],
        };
        *faults.choose(rng).unwrap_or(&Fault::Kill)
    }

    pub async fn begin(&self, fault: Fault, rng: &mut impl Rng) -> Result<(), LoadTestError> {
        match (self, fault) {
            (Self::Sqlite { control }, Fault::FullDisk) => write(control, "pwrite ENOSPC"),
            (Self::Sqlite { control }, Fault::SyncFails) => write(control, "fsync EIO"),
            (Self::Sqlite { control }, Fault::SlowSync) => {
                let milliseconds = rng.random_range(100..1_500);
                write(control, &format!("fsync {milliseconds}"))
            }
            (Self::Postgres { id, .. }, Fault::DatabaseCrash) => {
                let sessions = children(*id)?
                    .into_iter()
                    .filter(|child| is_session(*child));
                match sessions.choose(rng) {
                    Some(session) => signal("KILL", &[session]).await,
                    None => Ok(()),
                }
            }
            (Self::Postgres { id, .. }, Fault::DatabaseSilent) => {
                // The first one first, so that it starts no others.
                signal("STOP", &[*id]).await?;
                signal("STOP", &children(*id)?).await
            }
            (Self::Postgres { proxy, .. }, Fault::CutOffSilently) => {
                proxy.set(Passage::Silent);
                Ok(())
            }
            (Self::Postgres { proxy, .. }, Fault::CutOff) => {
                proxy.set(Passage::Cut);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub async fn end(&self, fault: Fault) -> Result<(), LoadTestError> {
        match (self, fault) {
            (Self::Postgres { proxy, .. }, Fault::CutOffSilently | Fault::CutOff) => {
                proxy.set(Passage::Open);
                Ok(())
            }
            (Self::Postgres { id, .. }, Fault::DatabaseSilent) => {
                signal("CONT", &children(*id)?).await?;
                signal("CONT", &[*id]).await
            }
            (Self::Sqlite { control }, Fault::FullDisk | Fault::SyncFails | Fault::SlowSync) => {
                write(control, "")
            }
            _ => Ok(()),
        }
    }
}

/// The library never sees half of it.
fn write(control: &Path, fault: &str) -> Result<(), LoadTestError> {
    let next = control.with_extension("next");
    fs::write(&next, fault)
        .and_then(|()| fs::rename(&next, control))
        .map_err(|error| LoadTestError::Machine(format!("{}: {error}", control.display())))
}

/// The processes that a process has started and that still run.
pub fn children(id: u32) -> Result<Vec<u32>, LoadTestError> {
    let path = format!("/proc/{id}/task/{id}/children");
    let children = fs::read_to_string(&path).map_err(|error| {
        LoadTestError::Machine(format!("the database's processes: {path}: {error}"))
    })?;
    Ok(children
        .split_ascii_whitespace()
        .filter_map(|child| child.parse().ok())
        .collect())
}

/// A client's. PostgreSQL recovers from the death of one; it would end with that of the process that
/// does the recovery.
fn is_session(child: u32) -> bool {
    let title = fs::read_to_string(format!("/proc/{child}/cmdline"));
    title.is_ok_and(|title| title.contains("127.0.0.1("))
}

/// One that has ended meanwhile needs none.
async fn signal(name: &str, processes: &[u32]) -> Result<(), LoadTestError> {
    let kill = Command::new("kill")
        .arg(format!("-{name}"))
        .args(processes.iter().map(u32::to_string))
        .stderr(Stdio::null())
        .status();
    kill.await
        .map(drop)
        .map_err(|error| LoadTestError::Machine(format!("kill: {error}")))
}
