//! A SQLite database as files: for the server's user alone, with the logs that SQLite leaves beside it, and not under
//! its name before it is whole and on disk.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use dispatch_actors::store::{DatabaseUrl, Store};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::error::BackupError;

/// What SQLite may leave beside a database, by the names' endings.
const SQLITE_LOGS: [&str; 2] = [WRITE_AHEAD_LOG, "-shm"];
pub(super) const WRITE_AHEAD_LOG: &str = "-wal";
/// The name's ending until a file is known to be whole.
pub(super) const UNFINISHED: &str = ".unfinished";

pub(super) fn sqlite_file(database: &DatabaseUrl) -> Result<&Path, BackupError> {
    match database {
        DatabaseUrl::Sqlite(file) => Ok(file),
        DatabaseUrl::Postgres(_) => Err(BackupError::Postgres(database.clone())),
    }
}

pub(super) fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Work on files, which may wait for a disk or a network longer than the other work of a thread can.
pub(super) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BackupError> + Send + 'static,
) -> Result<T, BackupError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(BackupError::Stopped),
        },
    }
}

/// `2026-11-24T15-04-05Z`, as it stands in names of files.
const TIME: &str = "%Y-%m-%dT%H-%M-%SZ";

pub(super) fn time_in_name(time: Timestamp) -> String {
    time.strftime(TIME).to_string()
}

pub(super) fn parse_time_in_name(text: &str) -> Option<Timestamp> {
    let time = DateTime::strptime(TIME, text).ok()?;
    // Of the same length and form as it is written.
    let time = time.to_zoned(TimeZone::UTC).ok()?.timestamp();
    (time_in_name(time) == text).then_some(time)
}

/// It holds password hashes and keys.
pub(super) fn create_private(file: &Path) -> Result<File, BackupError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    options.open(file).map_err(|why| BackupError::Write {
        path: file.to_owned(),
        why,
    })
}

/// A finished file gets its name, and both are on disk.
pub(super) fn publish(unfinished: &Path, file: &Path) -> Result<(), BackupError> {
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

pub(super) fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Gives a database another name, together with the log that SQLite left beside it: a log must not meet another
/// database.
pub(super) fn keep_database(database: &Path, kept: &Path) -> Result<(), BackupError> {
    let linked = fs::hard_link(database, kept);
    linked.map_err(|why| BackupError::Write {
        path: kept.to_owned(),
        why,
    })?;
    keep_logs(database, kept)
}

/// The same with the log alone, of a database that is there no more.
pub(super) fn keep_logs(database: &Path, kept: &Path) -> Result<(), BackupError> {
    for ending in SQLITE_LOGS {
        let path = with_ending(kept, ending);
        match fs::rename(with_ending(database, ending), &path) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => {
                return Err(BackupError::Write { path, why });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Closes a database that nobody else uses, and leaves it as one file with all that was written to it.
pub(super) async fn close_as_one_file(store: &Store, file: &Path) -> Result<(), BackupError> {
    let written_back = store.write_back_log().await;
    store.close().await;
    written_back?;
    // SQLite leaves empty logs where several connections close at once.
    let log = with_ending(file, WRITE_AHEAD_LOG);
    if log.metadata().is_ok_and(|about| about.len() > 0) {
        return Err(BackupError::Write {
            path: log,
            why: io::Error::other("SQLite left changes in it"),
        });
    }
    remove_logs(file)
}

fn remove_logs(database: &Path) -> Result<(), BackupError> {
    for ending in SQLITE_LOGS {
        remove_if_there(with_ending(database, ending))?;
    }
    Ok(())
}

fn remove_if_there(path: PathBuf) -> Result<(), BackupError> {
    match fs::remove_file(&path) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(BackupError::Write { path, why }),
        _ => Ok(()),
    }
}

/// What is left of an attempt.
pub(super) fn remove_database(unfinished: &Path) -> Result<(), BackupError> {
    remove_logs(unfinished)?;
    remove_if_there(unfinished.to_owned())
}

#[cfg(test)]
mod tests {
    use dispatch_actors::testing::Throwaway;

    use super::*;

    #[tokio::test]
    async fn a_closed_database_is_one_file_even_where_another_connection_was_open() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let file = sqlite_file(&database.url).unwrap();
        let lingering = Store::open(&database.url).await.unwrap();
        close_as_one_file(&store, file).await.unwrap();
        for ending in SQLITE_LOGS {
            assert!(!with_ending(file, ending).exists(), "{ending} is gone");
        }
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy.sqlite");
        fs::copy(file, &copy).unwrap();
        lingering.close().await;
        let copied = Store::open(&DatabaseUrl::Sqlite(copy)).await.unwrap();
        let contents = copied.contents().await.unwrap();
        assert_eq!((contents.open_orders, contents.closed_orders), (0, 0));
        copied.close().await;
    }
}
