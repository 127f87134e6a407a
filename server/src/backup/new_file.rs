//! The file that a backup is written to, which no other process takes.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};

use super::copy::file_name;
use super::database_file::{UNFINISHED, create_private, remove_database, with_ending};
use super::error::BackupError;

const ONE_SECOND: SignedDuration = SignedDuration::from_secs(1);

/// The unfinished file is there and is empty: who made it may write it, and gives it the name.
#[derive(Debug)]
pub(super) struct NewFile {
    pub(super) file: PathBuf,
    pub(super) unfinished: PathBuf,
    pub(super) opened: File,
}

impl NewFile {
    /// Deletes what a process that was killed has left of the same file.
    pub(super) fn named(file: PathBuf) -> Result<Self, BackupError> {
        if file.symlink_metadata().is_ok() {
            return Err(BackupError::Exists(file));
        }
        let unfinished = with_ending(&file, UNFINISHED);
        remove_database(&unfinished)?;
        Self::create(file, unfinished)
    }

    /// Its name has the first second, from `time` on, of which the folder has no backup and nobody writes one: the server
    /// and a command may begin one at the same moment.
    pub(super) fn in_folder(
        folder: &Path,
        mut time: Timestamp,
        is_encrypted: bool,
    ) -> Result<Self, BackupError> {
        loop {
            let file = folder.join(file_name(time, is_encrypted));
            let unfinished = with_ending(&file, UNFINISHED);
            match Self::create(file, unfinished) {
                Ok(new) if new.file.symlink_metadata().is_err() => return Ok(new),
                Ok(new) => remove_database(&new.unfinished)?,
                Err(BackupError::Write { why, .. })
                    if why.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            time += ONE_SECOND;
        }
    }

    fn create(file: PathBuf, unfinished: PathBuf) -> Result<Self, BackupError> {
        Ok(Self {
            opened: create_private(&unfinished)?,
            file,
            unfinished,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::backup::database_file::publish;

    #[test]
    fn backups_that_are_begun_in_one_second_get_names_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let time: Timestamp = "2026-11-24T15:04:05Z".parse().unwrap();
        let begin = || NewFile::in_folder(folder.path(), time, false).unwrap();
        let name = |new: &NewFile| new.file.file_name().unwrap().to_owned();
        let (first, second) = (begin(), begin());
        assert_eq!(name(&first), "dispatch-2026-11-24T15-04-05Z.sqlite");
        assert_eq!(name(&second), "dispatch-2026-11-24T15-04-06Z.sqlite");
        publish(&first.unfinished, &first.file).unwrap();
        assert_eq!(name(&begin()), "dispatch-2026-11-24T15-04-07Z.sqlite");
        publish(&second.unfinished, &second.file).unwrap();
        let names = |ending: &str| {
            let files = fs::read_dir(folder.path()).unwrap();
            let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
            names.filter(|name| name.ends_with(ending)).count()
        };
        assert_eq!((names(".sqlite"), names(UNFINISHED)), (2, 1));
    }

    #[test]
    fn a_named_file_is_written_once_and_what_a_killed_process_left_of_it_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shop.sqlite");
        fs::write(with_ending(&file, UNFINISHED), "half a backup").unwrap();
        let new = NewFile::named(file.clone()).unwrap();
        assert_eq!(new.opened.metadata().unwrap().len(), 0);
        publish(&new.unfinished, &file).unwrap();
        let again = NewFile::named(file).unwrap_err();
        assert!(matches!(again, BackupError::Exists(_)), "{again}");
    }
}
