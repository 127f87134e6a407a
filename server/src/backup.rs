//! Backups of a shop whose database is a SQLite file, and the way back to one.
//!
//! A backup is one file, as of one moment, for the server's user alone. It is written beside the running server,
//! read whole, and only then given its name. What is restored becomes another generation of the log, so that every
//! screen that is open notices it and loads again.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use dispatch_actors::store::{DatabaseContents, DatabaseUrl, Store, StoreError, Unreachable};
use jiff::Timestamp;

use crate::files::lock::{self, LockError};
use crate::options::config::Shop;

/// What SQLite may leave beside a database, by the names' endings.
const SQLITE_LOGS: [&str; 2] = [WRITE_AHEAD_LOG, "-shm"];
const WRITE_AHEAD_LOG: &str = "-wal";
/// The name's ending until a file is known to be whole.
const UNFINISHED: &str = ".unfinished";

/// A file that was written or read, and found whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    pub file: PathBuf,
    pub bytes: u64,
    pub contents: DatabaseContents,
}

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(
        "the database {0} is PostgreSQL's, which makes its own backups: pg_dump --format=custom \
         --file=dispatch.dump {0}, and pg_restore to bring one back"
    )]
    Postgres(DatabaseUrl),
    #[error("there is no database {} to back up: see --data-dir", .0.display())]
    NoDatabase(PathBuf),
    #[error("{} is there already: name another file, or a folder", .0.display())]
    Exists(PathBuf),
    #[error("cannot write {}: {why}", path.display())]
    Write { path: PathBuf, why: io::Error },
    #[error("cannot read {}: {why}", path.display())]
    Read { path: PathBuf, why: io::Error },
    #[error("{} is damaged ({what}): use another backup", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error(
        "{} has a shop's data already ({contents}): restore to another --data-dir, or say --replace, which \
         keeps that database beside the restored one", path.display()
    )]
    Occupied {
        path: PathBuf,
        contents: ContentsSentence,
    },
    #[error(
        "{} is there already, and cannot be read ({why}): restore to another --data-dir, or say --replace, \
         which keeps that file beside the restored one", path.display()
    )]
    OccupiedUnreadable {
        path: PathBuf,
        why: Box<BackupError>,
    },
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Lock(#[from] LockError),
}

/// `420 open and 60000 closed repair orders, the last change of 2026-11-24T15:04:05Z`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentsSentence(pub DatabaseContents);

impl fmt::Display for ContentsSentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DatabaseContents {
            newest,
            open_orders,
            closed_orders,
            ..
        } = self.0;
        write!(
            f,
            "{open_orders} open and {closed_orders} closed repair orders, "
        )?;
        match newest {
            Some(newest) => write!(f, "the last change of {newest:.0}"),
            None => f.write_str("no change yet"),
        }
    }
}

/// Backs the shop up to a file, or under a name of its time into a folder.
pub async fn write(shop: &Shop, to: &Path, now: Timestamp) -> Result<Backup, BackupError> {
    let database = sqlite_file(shop)?;
    if !database.exists() {
        return Err(BackupError::NoDatabase(database.to_owned()));
    }
    lock::check_database(database)?;
    let file = match to.is_dir() {
        true => to.join(file_name(now)),
        false => to.to_owned(),
    };
    if file.symlink_metadata().is_ok() {
        return Err(BackupError::Exists(file));
    }
    let store = Store::open(&shop.database).await?;
    let backup = write_copy(&store, &file).await;
    store.close().await;
    backup
}

/// `dispatch-2026-11-24T15-04-05Z.sqlite`
fn file_name(now: Timestamp) -> String {
    format!("dispatch-{}.sqlite", now.strftime("%Y-%m-%dT%H-%M-%SZ"))
}

async fn write_copy(store: &Store, file: &Path) -> Result<Backup, BackupError> {
    let unfinished = with_ending(file, UNFINISHED);
    let written = async {
        // Of a process that was killed while it wrote.
        remove_database(&unfinished)?;
        create_private(&unfinished)?;
        store.copy_to(&unfinished).await?;
        let backup = inspect(&unfinished).await?;
        publish(&unfinished, file)?;
        Ok(Backup {
            file: file.to_owned(),
            ..backup
        })
    }
    .await;
    if written.is_err() {
        // What is wrong is said already.
        let _ = remove_database(&unfinished);
    }
    written
}

/// Reads all of a copy. The file is one file again afterwards.
async fn inspect(file: &Path) -> Result<Backup, BackupError> {
    let read = |why| BackupError::Read {
        path: file.to_owned(),
        why,
    };
    let store = Store::open(&DatabaseUrl::Sqlite(file.to_owned())).await?;
    let contents = async {
        if let Some(what) = store.find_damage().await? {
            let path = file.to_owned();
            return Err(BackupError::Damaged { path, what });
        }
        Ok(store.contents().await?)
    }
    .await;
    store.close().await;
    Ok(Backup {
        file: file.to_owned(),
        bytes: file.metadata().map_err(read)?.len(),
        contents: contents?,
    })
}

/// Brings a backup back into a data folder whose lock the caller holds. `replace`: a database that is there is kept
/// under another name, which is given, too.
pub async fn restore(
    from: &Path,
    shop: &Shop,
    replace: bool,
    now: Timestamp,
) -> Result<(Backup, Option<PathBuf>), BackupError> {
    let database = sqlite_file(shop)?;
    let is_occupied = database.symlink_metadata().is_ok();
    if is_occupied && !replace {
        return Err(describe_occupied(database).await);
    }
    let unfinished = with_ending(database, UNFINISHED);
    let prepared = prepare(from, &unfinished).await;
    let restored = match prepared {
        Ok(restored) => restored,
        Err(error) => {
            let _ = remove_database(&unfinished);
            return Err(error);
        }
    };
    let kept = is_occupied.then(|| replaced_name(database, now));
    if let Some(kept) = &kept {
        keep_database(database, kept)?;
    }
    publish(&unfinished, database)?;
    Ok((restored, kept))
}

/// A whole copy of the backup, of this version's schema and with a log that no screen knows yet.
async fn prepare(from: &Path, copy: &Path) -> Result<Backup, BackupError> {
    remove_database(copy)?;
    copy_private(from, copy)?;
    // A database that was kept or copied by hand has its last changes there.
    let log = with_ending(from, WRITE_AHEAD_LOG);
    if log.exists() {
        copy_private(&log, &with_ending(copy, WRITE_AHEAD_LOG))?;
    }
    let backup = inspect(copy).await;
    let backup = backup.map_err(|error| attribute_to_backup(error, from))?;
    let url = DatabaseUrl::Sqlite(copy.to_owned());
    let store = Store::open(&url).await?;
    let renewed = async {
        store.migrate(&url).await?;
        let head = store.head().await?;
        store.begin_generation(&head.generation).await?;
        Ok(())
    }
    .await;
    store.close().await;
    renewed.map(|()| Backup {
        file: from.to_owned(),
        ..backup
    })
}

fn copy_private(from: &Path, to: &Path) -> Result<(), BackupError> {
    let mut source = File::open(from).map_err(|why| BackupError::Read {
        path: from.to_owned(),
        why,
    })?;
    let mut target = create_private(to)?;
    let copied = io::copy(&mut source, &mut target);
    copied.map(|_| ()).map_err(|why| BackupError::Write {
        path: to.to_owned(),
        why,
    })
}

/// A fault of the copy is the backup's.
fn attribute_to_backup(error: BackupError, from: &Path) -> BackupError {
    let path = from.to_owned();
    match error {
        BackupError::Damaged { what, .. } => BackupError::Damaged { path, what },
        BackupError::Unreachable(Unreachable::NotSqlite(_)) => Unreachable::NotSqlite(path).into(),
        BackupError::Unreachable(Unreachable::Damaged(_)) => Unreachable::Damaged(path).into(),
        BackupError::Unreachable(Unreachable::EmptyFile(_)) => Unreachable::EmptyFile(path).into(),
        error => error,
    }
}

async fn describe_occupied(database: &Path) -> BackupError {
    let path = database.to_owned();
    let url = DatabaseUrl::Sqlite(path.clone());
    let contents = async {
        let store = Store::open(&url).await?;
        let contents = store.contents().await;
        store.close().await;
        Ok(contents?)
    }
    .await;
    match contents {
        Ok(contents) => BackupError::Occupied {
            path,
            contents: ContentsSentence(contents),
        },
        Err(why) => BackupError::OccupiedUnreadable {
            path,
            why: Box::new(why),
        },
    }
}

fn sqlite_file(shop: &Shop) -> Result<&Path, BackupError> {
    match &shop.database {
        DatabaseUrl::Sqlite(file) => Ok(file),
        DatabaseUrl::Postgres(_) => Err(BackupError::Postgres(shop.database.clone())),
    }
}

fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// `dispatch.sqlite.replaced-2026-11-24T15-04-05Z`
fn replaced_name(database: &Path, now: Timestamp) -> PathBuf {
    let time = now.strftime("%Y-%m-%dT%H-%M-%SZ");
    with_ending(database, &format!(".replaced-{time}"))
}

/// It holds password hashes and keys.
fn create_private(file: &Path) -> Result<File, BackupError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    options.open(file).map_err(|why| BackupError::Write {
        path: file.to_owned(),
        why,
    })
}

/// A finished file gets its name, and both are on disk.
fn publish(unfinished: &Path, file: &Path) -> Result<(), BackupError> {
    let published = || {
        File::open(unfinished)?.sync_all()?;
        fs::rename(unfinished, file)?;
        File::open(folder_of(file))?.sync_all()
    };
    published().map_err(|why: io::Error| BackupError::Write {
        path: file.to_owned(),
        why,
    })
}

fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Gives a database another name, together with the log that SQLite left beside it: a log must not meet another
/// database.
fn keep_database(database: &Path, kept: &Path) -> Result<(), BackupError> {
    let keep = || {
        fs::hard_link(database, kept)?;
        for ending in SQLITE_LOGS {
            match fs::rename(with_ending(database, ending), with_ending(kept, ending)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    };
    keep().map_err(|why| BackupError::Write {
        path: kept.to_owned(),
        why,
    })
}

/// What is left of an attempt.
fn remove_database(unfinished: &Path) -> Result<(), BackupError> {
    let logs = SQLITE_LOGS.map(|ending| with_ending(unfinished, ending));
    for path in logs.into_iter().chain([unfinished.to_owned()]) {
        match fs::remove_file(&path) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => {
                return Err(BackupError::Write { path, why });
            }
            _ => {}
        }
    }
    Ok(())
}
