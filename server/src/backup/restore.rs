//! The way back to a backup. What is restored becomes another generation of the log, so that every screen that is open
//! notices it and loads again.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use dispatch_actors::store::{DatabaseUrl, Store, Unreachable};
use jiff::Timestamp;

use super::copy::{Backup, inspect};
use super::database_file::{
    UNFINISHED, WRITE_AHEAD_LOG, close_as_one_file, create_private, keep_database, keep_logs,
    publish, remove_database, run_blocking, sqlite_file, time_in_name, with_ending,
};
use super::encryption::{decrypt, is_encrypted};
use super::error::{BackupError, ContentsSentence};
use super::passphrase::Passphrase;

/// Brings a backup back into a data folder whose lock the caller holds. `replace`: a database that is there is kept
/// under another name, which is given, too. The passphrase is for an encrypted backup.
pub async fn restore(
    from: &Path,
    database: &DatabaseUrl,
    passphrase: Option<&Passphrase>,
    replace: bool,
    now: Timestamp,
) -> Result<(Backup, Option<PathBuf>), BackupError> {
    let database = sqlite_file(database)?;
    let is_occupied = database.symlink_metadata().is_ok();
    if is_occupied && !replace {
        return Err(describe_occupied(database).await);
    }
    let unfinished = with_ending(database, UNFINISHED);
    let prepared = prepare(from, &unfinished, passphrase).await;
    let restored = match prepared {
        Ok(restored) => restored,
        Err(error) => {
            let _ = remove_database(&unfinished);
            return Err(error);
        }
    };
    let kept = replaced_name(database, now);
    if is_occupied {
        write_back_log(database).await;
        keep_database(database, &kept)?;
    } else {
        // Of a database that was lost; it must not meet this one.
        keep_logs(database, &kept)?;
    }
    publish(&unfinished, database)?;
    Ok((restored, is_occupied.then_some(kept)))
}

/// A whole copy of the backup, of this version's schema and with a log that no screen knows yet.
async fn prepare(
    from: &Path,
    copy: &Path,
    passphrase: Option<&Passphrase>,
) -> Result<Backup, BackupError> {
    remove_database(copy)?;
    if is_encrypted(from)? {
        let passphrase = passphrase.ok_or_else(|| BackupError::NoPassphrase(from.to_owned()))?;
        let (from, copy, passphrase) = (from.to_owned(), copy.to_owned(), passphrase.clone());
        run_blocking(move || decrypt(&from, &copy, &passphrase)).await?;
    } else {
        copy_with_log(from, copy)?;
    }
    let backup = inspect(copy).await;
    let backup = backup.map_err(|error| attribute_to_backup(error, from))?;
    let url = DatabaseUrl::Sqlite(copy.to_owned());
    let store = Store::open(&url).await?;
    let renewed: Result<(), BackupError> = async {
        store.migrate(&url).await?;
        let head = store.head().await?;
        store.begin_generation(&head.generation).await?;
        Ok(())
    }
    .await;
    // Only the file itself gets the database's name: the new generation must be in it.
    let closed = close_as_one_file(&store, copy).await;
    renewed?;
    closed?;
    Ok(Backup {
        file: from.to_owned(),
        ..backup
    })
}

/// `dispatch.sqlite.replaced-2026-11-24T15-04-05Z`, of several in one second the others with `-2` and so on.
fn replaced_name(database: &Path, now: Timestamp) -> PathBuf {
    let name = with_ending(database, &format!(".replaced-{}", time_in_name(now)));
    let mut free = name.clone();
    let mut number = 2;
    while free.symlink_metadata().is_ok() {
        free = with_ending(&name, &format!("-{number}"));
        number += 1;
    }
    free
}

/// Makes a database one file again, so that a crash cannot part it from its last changes while it is given another
/// name. One that cannot be opened is kept as it is, with its log.
async fn write_back_log(database: &Path) {
    if let Ok(store) = Store::open(&DatabaseUrl::Sqlite(database.to_owned())).await {
        // What stays in the log is kept with it.
        let _ = close_as_one_file(&store, database).await;
    }
}

fn copy_with_log(from: &Path, to: &Path) -> Result<(), BackupError> {
    copy_private(from, to)?;
    // A database that was kept or copied by hand has its last changes there.
    let log = with_ending(from, WRITE_AHEAD_LOG);
    if log.exists() {
        copy_private(&log, &with_ending(to, WRITE_AHEAD_LOG))?;
    }
    Ok(())
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

/// A fault of the copy is the backup's: another backup helps, and nothing of what helps a shop whose database it is.
fn attribute_to_backup(error: BackupError, from: &Path) -> BackupError {
    let what = match error {
        BackupError::Damaged { what, .. } => what,
        BackupError::Unreachable(Unreachable::NotSqlite(_)) => {
            "it is not a database of SQLite's".to_owned()
        }
        BackupError::Unreachable(Unreachable::Damaged(_)) => "it was changed or cut off".to_owned(),
        BackupError::Unreachable(Unreachable::EmptyFile(_)) => "it is empty".to_owned(),
        BackupError::Unreachable(Unreachable::WithoutLog(_)) => {
            "it has nothing in it; its changes are in the -wal that was beside it".to_owned()
        }
        BackupError::Store(why) if why.to_string().contains("no such table") => {
            "it is another program's database".to_owned()
        }
        error => return error,
    };
    BackupError::Damaged {
        path: from.to_owned(),
        what,
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
