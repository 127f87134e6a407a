//! Writing a backup, beside a server that runs or without one.

use std::path::{Path, PathBuf};

use dispatch_actors::store::{DatabaseContents, DatabaseUrl, Store};
use jiff::Timestamp;

use super::database_file::{
    UNFINISHED, close_as_one_file, create_private, parse_time_in_name, publish, remove_database,
    run_blocking, sqlite_file, time_in_name, with_ending,
};
use super::error::BackupError;
use crate::files::lock;

/// A file that was written or read, and found whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    pub file: PathBuf,
    pub bytes: u64,
    pub contents: DatabaseContents,
}

/// Backs the shop up to a file, or under a name of its time into a folder.
pub async fn write(
    database: &DatabaseUrl,
    to: &Path,
    now: Timestamp,
) -> Result<Backup, BackupError> {
    let database_file = sqlite_file(database)?;
    if !database_file.exists() {
        return Err(BackupError::NoDatabase(database_file.to_owned()));
    }
    lock::check_database(database_file)?;
    let file = match to.is_dir() {
        true => to.join(file_name(now)),
        false => to.to_owned(),
    };
    let store = Store::open(database).await?;
    let backup = write_copy(&store, &file).await;
    store.close().await;
    backup
}

const PREFIX: &str = "dispatch-";
const SUFFIX: &str = ".sqlite";

/// `dispatch-2026-11-24T15-04-05Z.sqlite`
pub(super) fn file_name(time: Timestamp) -> String {
    format!("{PREFIX}{}{SUFFIX}", time_in_name(time))
}

/// When the backup of this name was made; none where it is no backup's name.
pub(super) fn time_of(file_name: &str) -> Option<Timestamp> {
    parse_time_in_name(file_name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?)
}

/// Writes the database into a file that is not there yet.
pub(super) async fn write_copy(store: &Store, file: &Path) -> Result<Backup, BackupError> {
    if file.symlink_metadata().is_ok() {
        return Err(BackupError::Exists(file.to_owned()));
    }
    let unfinished = with_ending(file, UNFINISHED);
    let left = unfinished.clone();
    let written = async {
        // Of a process that was killed while it wrote.
        remove_database(&unfinished)?;
        create_private(&unfinished)?;
        store.copy_to(&unfinished).await?;
        let backup = inspect(&unfinished).await?;
        let file = file.to_owned();
        let named = file.clone();
        run_blocking(move || publish(&unfinished, &named)).await?;
        Ok(Backup { file, ..backup })
    }
    .await;
    if written.is_err() {
        // What is wrong is said already.
        let _ = remove_database(&left);
    }
    written
}

/// Reads all of a copy. The file is one file again afterwards.
pub(super) async fn inspect(file: &Path) -> Result<Backup, BackupError> {
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
    let closed = close_as_one_file(&store, file).await;
    let contents = contents?;
    closed?;
    Ok(Backup {
        file: file.to_owned(),
        bytes: file.metadata().map_err(read)?.len(),
        contents,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_when_its_backup_was_made_and_other_names_nothing() {
        let time: Timestamp = "2026-11-24T15:04:05Z".parse().unwrap();
        assert_eq!(file_name(time), "dispatch-2026-11-24T15-04-05Z.sqlite");
        assert_eq!(time_of(&file_name(time)), Some(time));
        for other in [
            "dispatch.sqlite",
            "dispatch-2026-11-24T15-04-05Z.sqlite.unfinished",
            "dispatch-2026-11-24.sqlite",
            "dispatch-2026-13-24T15-04-05Z.sqlite",
            "my-dispatch-2026-11-24T15-04-05Z.sqlite",
            "dispatch-2026-11-24T15-04-5Z.sqlite",
        ] {
            assert_eq!(time_of(other), None, "{other}");
        }
    }
}
