//! Writing a backup, beside a server that runs or without one.

use std::fs::File;
use std::path::{Path, PathBuf};

use dispatch_actors::store::{DatabaseContents, DatabaseUrl, Store};
use jiff::Timestamp;

use super::database_file::{
    UNFINISHED, close_as_one_file, create_private, folder_of, parse_time_in_name, publish,
    remove_database, run_blocking, sqlite_file, time_in_name, with_ending,
};
use super::encryption::{Encryption, encrypt};
use super::error::{BackupError, DamagedDatabase};
use super::new_file::NewFile;
use super::passphrase::Passphrase;
use crate::files::lock;

/// A file that was written or read, and found whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    pub file: PathBuf,
    pub bytes: u64,
    pub contents: DatabaseContents,
}

/// Backs the shop up to a file, or under a name of its time into a folder; encrypted where there is a passphrase. What is
/// wrong with the database itself is given, too: a copy has its rows, and indexes that are made from them, so that it may be
/// whole where the database is not.
pub async fn write(
    database: &DatabaseUrl,
    to: &Path,
    passphrase: Option<Passphrase>,
    now: Timestamp,
) -> Result<(Backup, Option<DamagedDatabase>), BackupError> {
    let database_file = sqlite_file(database)?;
    if !database_file.exists() {
        return Err(BackupError::NoDatabase(database_file.to_owned()));
    }
    lock::check_database(database_file)?;
    let is_in_folder = to.is_dir();
    if to.as_os_str().as_encoded_bytes().ends_with(b"/") && !is_in_folder {
        return Err(BackupError::NoFolder(to.to_owned()));
    }
    if !is_in_folder && !folder_of(to).is_dir() {
        return Err(BackupError::NoFolder(folder_of(to).to_owned()));
    }
    let encryption = passphrase.map(|passphrase| Encryption {
        passphrase,
        database: database_file.to_owned(),
    });
    let store = Store::open(database).await?;
    let backup = match is_in_folder {
        true => write_into_folder(&store, to, now, encryption.as_ref()).await,
        false => write_copy(&store, to, encryption.as_ref()).await,
    };
    let damage = store.find_damage().await;
    store.close().await;
    let damage = damage.ok().flatten().map(|damage| DamagedDatabase {
        database: database.clone(),
        damage,
    });
    match (backup, damage) {
        (Err(_unreadable), Some(damaged)) => Err(damaged.into()),
        (backup, damage) => Ok((backup?, damage)),
    }
}

const PREFIX: &str = "dispatch-";
const SUFFIX: &str = ".sqlite";

/// The name's ending of a backup that is encrypted.
const ENCRYPTED: &str = ".age";

/// `dispatch-2026-11-24T15-04-05Z.sqlite`, and `.age` behind it.
pub(super) fn file_name(time: Timestamp, is_encrypted: bool) -> String {
    let encrypted = if is_encrypted { ENCRYPTED } else { "" };
    format!("{PREFIX}{}{SUFFIX}{encrypted}", time_in_name(time))
}

/// When the backup of this name was made; none where it is no backup's name.
pub(super) fn time_of(file_name: &str) -> Option<Timestamp> {
    let plain_name = file_name.strip_suffix(ENCRYPTED).unwrap_or(file_name);
    parse_time_in_name(plain_name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?)
}

pub(super) fn has_encrypted_name(file_name: &str) -> bool {
    file_name.ends_with(ENCRYPTED)
}

/// Writes the database into a folder, under a name of its time.
pub(super) async fn write_into_folder(
    store: &Store,
    folder: &Path,
    now: Timestamp,
    encryption: Option<&Encryption>,
) -> Result<Backup, BackupError> {
    let folder = folder.to_owned();
    let is_encrypted = encryption.is_some();
    let new = run_blocking(move || NewFile::in_folder(&folder, now, is_encrypted)).await?;
    write_new(store, new, encryption).await
}

/// Writes the database into a file that is not there yet.
pub(super) async fn write_copy(
    store: &Store,
    file: &Path,
    encryption: Option<&Encryption>,
) -> Result<Backup, BackupError> {
    let file = file.to_owned();
    let new = run_blocking(move || NewFile::named(file)).await?;
    write_new(store, new, encryption).await
}

async fn write_new(
    store: &Store,
    new: NewFile,
    encryption: Option<&Encryption>,
) -> Result<Backup, BackupError> {
    let unfinished = new.unfinished.clone();
    let written = match encryption {
        None => write_plain(store, new).await,
        Some(encryption) => write_encrypted(store, new, encryption).await,
    };
    if written.is_err() {
        // What is wrong is said already.
        let _ = remove_database(&unfinished);
    }
    written
}

async fn write_plain(store: &Store, new: NewFile) -> Result<Backup, BackupError> {
    let backup = copy_checked(store, &new.unfinished).await?;
    let file = new.file.clone();
    run_blocking(move || publish(&new.unfinished, &new.file)).await?;
    Ok(Backup { file, ..backup })
}

/// The plain copy is made beside the database and not beside the backup, whose disk or machine may be another's.
async fn write_encrypted(
    store: &Store,
    new: NewFile,
    encryption: &Encryption,
) -> Result<Backup, BackupError> {
    let plain = plain_copy_name(&encryption.database, Timestamp::now());
    // Of a process of this number that was killed while it wrote.
    remove_database(&plain)?;
    create_private(&plain)?;
    let checked = copy_checked(store, &plain).await;
    let backup = match checked {
        Ok(backup) => backup,
        Err(error) => {
            let _ = remove_database(&plain);
            return Err(error);
        }
    };
    let passphrase = encryption.passphrase.clone();
    let file = new.file.clone();
    let bytes = run_blocking(move || encrypt_and_publish(&plain, new, &passphrase)).await?;
    Ok(Backup {
        file,
        bytes,
        ..backup
    })
}

fn encrypt_and_publish(
    plain: &Path,
    new: NewFile,
    passphrase: &Passphrase,
) -> Result<u64, BackupError> {
    let opened = File::open(plain);
    // It is read from here on without a name, so that a kill leaves nothing of it.
    remove_database(plain)?;
    let opened = opened.map_err(|why| BackupError::Read {
        path: plain.to_owned(),
        why,
    })?;
    let bytes = encrypt(opened, new.opened, &new.unfinished, passphrase)?;
    publish(&new.unfinished, &new.file)?;
    Ok(bytes)
}

const PLAIN_COPY: &str = ".backup-";

/// `dispatch.sqlite.backup-2026-11-24T15-04-05Z.4389.unfinished`: a command may write a backup beside the server.
fn plain_copy_name(database: &Path, now: Timestamp) -> PathBuf {
    let (time, process) = (time_in_name(now), std::process::id());
    with_ending(
        database,
        &format!("{PLAIN_COPY}{time}.{process}{UNFINISHED}"),
    )
}

/// When the plain copy of this name was begun, of this database's file name.
pub(super) fn time_of_plain_copy(file_name: &str, database: &str) -> Option<Timestamp> {
    let rest = file_name.strip_prefix(database)?.strip_prefix(PLAIN_COPY)?;
    let (time, _process) = rest.strip_suffix(UNFINISHED)?.split_once('.')?;
    parse_time_in_name(time)
}

/// Copies into an empty file, and reads the copy whole.
async fn copy_checked(store: &Store, unfinished: &Path) -> Result<Backup, BackupError> {
    store.copy_to(unfinished).await?;
    inspect(unfinished).await
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
        let plain = file_name(time, false);
        let encrypted = file_name(time, true);
        assert_eq!(plain, "dispatch-2026-11-24T15-04-05Z.sqlite");
        assert_eq!(encrypted, "dispatch-2026-11-24T15-04-05Z.sqlite.age");
        assert_eq!([time_of(&plain), time_of(&encrypted)], [Some(time); 2]);
        assert!(has_encrypted_name(&encrypted) && !has_encrypted_name(&plain));
        for other in [
            "dispatch-2026-11-24T15-04-05Z.sqlite.age.age",
            "dispatch-2026-11-24T15-04-05Z.sqlite.age.unfinished",
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

    #[test]
    fn a_plain_copy_is_known_again_by_its_name() {
        let time: Timestamp = "2026-11-24T15:04:05Z".parse().unwrap();
        let copy = plain_copy_name(Path::new("/data/dispatch.sqlite"), time);
        let name = copy.file_name().unwrap().to_str().unwrap();
        assert_eq!(time_of_plain_copy(name, "dispatch.sqlite"), Some(time));
        assert_eq!(time_of_plain_copy(name, "shop.sqlite"), None);
        assert_eq!(
            time_of_plain_copy("dispatch.sqlite", "dispatch.sqlite"),
            None
        );
    }
}
