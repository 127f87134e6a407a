//! Why there is no backup, or no way back to one.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use dispatch_actors::store::{DatabaseContents, DatabaseUrl, StoreError, Unreachable};
use rustix::process::{getegid, geteuid};

use super::database_file::folder_of;
use crate::files::lock::LockError;
use crate::files::user_names;

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(
        "the database {0} is PostgreSQL's, which makes its own backups: pg_dump --format=custom \
         --file=dispatch.dump {0}, and pg_restore to bring one back"
    )]
    Postgres(DatabaseUrl),
    #[error("there is no database {} to back up: see --data-dir", .0.display())]
    NoDatabase(PathBuf),
    #[error("the folder {} is not there: make it first", .0.display())]
    NoFolder(PathBuf),
    #[error("{} is there already: name another file, or a folder", .0.display())]
    Exists(PathBuf),
    #[error("cannot write {}: {why}{}", path.display(), folder_advice(path, why))]
    Write { path: PathBuf, why: io::Error },
    #[error("cannot read {}: {why}", path.display())]
    Read { path: PathBuf, why: io::Error },
    #[error(
        "a backup needs {needed} MB, and {free} MB are left on the disk of {}: make room there",
        folder.display()
    )]
    NoRoom {
        folder: PathBuf,
        needed: u64,
        free: u64,
    },
    #[error(
        "{} is encrypted: name the file with its passphrase by --backup-passphrase-file", .0.display()
    )]
    NoPassphrase(PathBuf),
    #[error(
        "the passphrase in {} does not open {}: it was encrypted with another one, or is damaged at its beginning",
        passphrase_file.display(), path.display()
    )]
    WrongPassphrase {
        path: PathBuf,
        passphrase_file: PathBuf,
    },
    #[error(
        "{} is encrypted for a key and not by a passphrase: open it with age --decrypt, and restore what comes out",
        .0.display()
    )]
    EncryptedForKey(PathBuf),
    #[error(transparent)]
    LeftOut(#[from] OffsiteLeftOut),
    #[error("the server stops")]
    Stopped,
    #[error("cannot delete {}, of which there are newer ones: {why}", path.display())]
    Delete { path: PathBuf, why: io::Error },
    #[error("{} is damaged ({what}): use another backup", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error("no backup is written: {0}")]
    DamagedSource(#[from] DamagedDatabase),
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

/// What to do where the user that runs this may not write to the folder; nothing for another reason.
fn folder_advice(path: &Path, why: &io::Error) -> String {
    if why.kind() != io::ErrorKind::PermissionDenied {
        return String::new();
    }
    let folder = folder_of(path);
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    format!(
        "; let the user that runs this own the folder, as root with chown {}:{} {}",
        user_names::user_argument(user),
        user_names::group_argument(group),
        folder.display()
    )
}

/// What to do where a disk has damaged the database: in the log, where the server does not start, and where a backup is
/// written of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the database {database} is damaged: {damage}; stop the server, keep a copy of the data folder, \
     and restore a backup with dispatch restore"
)]
pub struct DamagedDatabase {
    pub database: DatabaseUrl,
    /// The first fault, in SQLite's words.
    pub damage: String,
}

/// An option of encrypted or off-site backups, given to a build without them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this dispatch was built without encrypted and off-site backups: leave out {0}, or use a dispatch built with its \
     feature 'offsite-backups', as it is by default"
)]
pub struct OffsiteLeftOut(pub &'static str);

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_refuses_is_to_be_given_to_who_writes_there() {
        let write = |kind: io::ErrorKind| BackupError::Write {
            path: PathBuf::from("/mnt/backups/dispatch.sqlite.unfinished"),
            why: kind.into(),
        };
        let refused = write(io::ErrorKind::PermissionDenied).to_string();
        let user = user_names::user_argument(geteuid().as_raw());
        assert!(
            refused.contains(&format!("with chown {user}:")),
            "{refused}"
        );
        assert!(refused.ends_with(" /mnt/backups"), "{refused}");
        let full = write(io::ErrorKind::StorageFull).to_string();
        assert!(!full.contains("chown"), "{full}");
    }
}
