//! The folder that is watched, and how files are moved in it. Nothing is overwritten, and only files that
//! were moved long ago are deleted. Knows no repair orders.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rustix::process::{getegid, geteuid};
use uuid::Uuid;

use super::file_names::{
    REASON, REJECTED_ROWS, free_name, is_leftover, is_unfinished, name_with_time, own_file_of,
    with_ending,
};
use super::file_stamp::FileStamp;
use super::rejects_writer::RejectsFile;

use crate::files::folder_handle::{FolderHandle, NewFile, is_file};
use crate::files::folder_retention::{LimitedFolder, RetentionLimits};
use crate::files::user_names;

/// Holds the folder's own id, by which servers know that they watch the same one.
const ID_FILE: &str = ".dispatch-folder";

const DONE: &str = "done";
pub(super) const REJECTED: &str = "rejected";
/// Where files go from the folder.
pub const FILING_FOLDERS: [&str; 2] = [DONE, REJECTED];

#[derive(Debug, thiserror::Error)]
#[error("cannot use the intake folder {}: {why}{}", path.display(), owner_advice(path, why))]
pub struct IntakeFolderError {
    path: PathBuf,
    why: io::Error,
}

/// What to do where the server's user may not make the folder or use it; nothing for another reason.
fn owner_advice(path: &Path, why: &io::Error) -> String {
    if why.kind() != io::ErrorKind::PermissionDenied {
        return String::new();
    }
    format!(
        "; it belongs to the server's user: as root, install -d -o {} -g {} {}",
        user_names::user_argument(geteuid().as_raw()),
        user_names::group_argument(getegid().as_raw()),
        path.display()
    )
}

/// A folder that files can be taken from. Others write to it, so that nothing in it is taken for what
/// it was a moment ago: see [`OpenIntake`].
#[derive(Clone, Debug)]
pub struct IntakeFolder {
    pub(super) path: PathBuf,
}

/// Of the server's own folders the one that this is, by its name: what lies there is no repair orders, and would be
/// moved away as such.
pub fn own_folder_at<'a>(path: &Path, own: &[(&'a str, PathBuf)]) -> Option<&'a str> {
    let place = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path));
    let here = place(path).ok()?;
    own.iter()
        .find(|(_, folder)| place(folder).is_ok_and(|folder| folder == here))
        .map(|(name, _)| *name)
}

impl IntakeFolder {
    /// None of the server's `own` folders. Makes what is missing, and tries out that files can be listed and moved. A
    /// link in the place of one of its folders may be planted. It does not stop the server: each look reports it.
    pub fn open(path: &Path, own: &[(&str, PathBuf)]) -> Result<Self, IntakeFolderError> {
        if let Some(name) = own_folder_at(path, own) {
            let why = format!(
                "it is the {name} folder, whose files would be taken for repair orders and moved away; name another \
                 with --intake-dir"
            );
            return Err(IntakeFolderError {
                path: path.to_owned(),
                why: io::Error::other(why),
            });
        }
        let folder = Self {
            path: path.to_owned(),
        };
        let unusable = |path: &Path, why| IntakeFolderError {
            path: path.to_owned(),
            why,
        };
        let root = FolderHandle::open_or_new(path).map_err(|why| unusable(path, why))?;
        check_access(&root).map_err(|why| unusable(path, why))?;
        for name in [DONE, REJECTED] {
            let tried = root
                .folder_or_new(name)
                .and_then(|folder| check_access(&folder));
            match tried {
                Err(why) if path.join(name).is_symlink() => {
                    tracing::error!("the intake folder does not work: {name}/: {why}");
                }
                tried => tried.map_err(|why| unusable(&path.join(name), why))?,
            }
        }
        Ok(folder)
    }

    /// Nobody else gets into the data folder: what another user's program is to put into a folder of it
    /// does not come, and that program alone would know.
    pub fn warn_if_within(&self, data_dir: &Path) {
        let (Ok(intake), Ok(data)) = (self.path.canonicalize(), data_dir.canonicalize()) else {
            return;
        };
        if intake.starts_with(&data) {
            tracing::warn!(
                "the intake folder {} is in the data folder {}, which is closed to other users: only \
                 programs of the user that runs the server can put files there. For others name a folder \
                 elsewhere with --intake-dir, and let them write to it",
                self.path.display(),
                data_dir.display()
            );
        }
    }

    /// Where files are filed away; what was taken is deleted in the end, what was refused later.
    pub fn limited_folders(&self, limits: RetentionLimits) -> [LimitedFolder; 2] {
        let folder = |name, has_work| LimitedFolder {
            path: self.path.join(name),
            limits,
            has_work,
            own_file: own_file_of,
        };
        [folder(DONE, false), folder(REJECTED, true)]
    }

    /// As it is now.
    pub(super) fn open_now(&self) -> io::Result<OpenIntake> {
        let root = FolderHandle::open(&self.path)?;
        Ok(OpenIntake { root })
    }
}

/// The folder as it was opened. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct OpenIntake {
    root: FolderHandle,
}

/// Where a file was filed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MovedTo {
    pub(super) name: OsString,
    folder: &'static str,
}

/// What came of opening a file.
#[derive(Debug)]
pub(super) enum OpenedFile {
    Opened(File),
    /// It is another by now, or gone.
    Changed,
    /// The file itself is why it is not read, and the folder works. With what is to be done.
    Refused(String),
}

impl OpenIntake {
    /// The same on every server that has this folder mounted, wherever; made by the first that asks.
    pub(super) fn id(&self) -> io::Result<Uuid> {
        let name = OsStr::new(ID_FILE);
        if self.root.stat(name)?.is_none() {
            let new = self.root.create(name, NewFile::Shared);
            match new.and_then(|mut file| file.write_all(Uuid::now_v7().to_string().as_bytes())) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        let mut text = String::new();
        if let Some((file, _)) = self.root.read(name)? {
            file.take(100).read_to_string(&mut text)?;
        }
        let unreadable = |_| {
            let sentence = format!("{ID_FILE} holds no id: delete it, and it is made again");
            io::Error::other(sentence)
        };
        text.trim().parse().map_err(unreadable)
    }

    /// Deletes what imports left that were broken off; their files are taken again.
    pub(super) fn remove_leftovers(&self) -> io::Result<()> {
        let folder = self.folder(REJECTED)?;
        for name in folder.names()? {
            if is_leftover(&name.to_string_lossy()) {
                folder.remove(&name)?;
            }
        }
        Ok(())
    }

    /// The files that may be imported, in the order of names.
    pub(super) fn list_files(&self) -> io::Result<Vec<(OsString, FileStamp)>> {
        let mut files = Vec::new();
        for name in self.root.names()? {
            if is_unfinished(&name) || name == DONE || name == REJECTED {
                continue;
            }
            // Gone since is not there.
            if let Some(about) = self.root.stat(&name)?
                && is_file(&about)
            {
                files.push((name, FileStamp::of(&about)));
            }
        }
        files.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(files)
    }

    /// Opens the file to read it, where it is still as `stamp` says.
    pub(super) fn open_file(&self, name: &OsStr, stamp: FileStamp) -> io::Result<OpenedFile> {
        let opened = match self.root.read(name) {
            // Of the file: the folder itself could be listed.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Ok(OpenedFile::Refused(format!(
                    "the server's user may not read it ({error}): let that user read it"
                )));
            }
            opened => opened?,
        };
        Ok(match opened {
            Some((_, about)) if FileStamp::of(&about) != stamp => OpenedFile::Changed,
            // A hard link made here to another user's file would make this server read that file.
            Some((_, about)) if about.st_nlink > 1 => OpenedFile::Refused(
                "it has another name elsewhere (a hard link), and is taken when it has this one alone: put a copy in its \
                 place"
                    .to_owned(),
            ),
            Some((file, _)) => OpenedFile::Opened(file),
            None => OpenedFile::Changed,
        })
    }

    /// Moves a file that was taken as `stamp`, with what is wrong with it beside it; gives where it
    /// is now. None where it is another by now, which stays, or the list of its refused rows is gone: it is to be read
    /// again then. A move that fails leaves nothing of it behind, and can be tried again.
    pub(super) fn archive_file(
        &self,
        name: &OsStr,
        stamp: FileStamp,
        rejects: Option<&RejectsFile>,
        reason: Option<&str>,
    ) -> io::Result<Option<MovedTo>> {
        let (folder_name, folder) = match (rejects, reason) {
            (Some(rejects), _) => (REJECTED, rejects.folder.clone()),
            (None, Some(_)) => (REJECTED, self.folder(REJECTED)?),
            (None, None) => (DONE, self.folder(DONE)?),
        };
        if let Some(rejects) = rejects
            && folder.stat(&rejects.name)?.is_none()
        {
            return Ok(None);
        }
        let name_there = free_name(&folder, name)?;
        if stamp_in(&self.root, name)? != Some(stamp) {
            return Ok(None);
        }
        let rows_there = with_ending(&name_there, REJECTED_ROWS);
        if let Some(rejects) = rejects {
            folder.move_to(&rejects.name, &folder, &rows_there)?;
        }
        let moved = self.move_with_reason(name, &folder, &name_there, reason);
        if let (Err(_), Some(rejects)) = (&moved, rejects) {
            // Where this fails, too, the list is gone for the next attempt.
            let _ = folder.move_to(&rows_there, &folder, &rejects.name);
        }
        moved?;
        Ok(Some(MovedTo {
            name: name_there,
            folder: folder_name,
        }))
    }

    /// The reason, where there is one, is there before the file is.
    fn move_with_reason(
        &self,
        name: &OsStr,
        folder: &FolderHandle,
        name_there: &OsStr,
        reason: Option<&str>,
    ) -> io::Result<()> {
        let Some(reason) = reason else {
            return self.root.move_to(name, folder, name_there);
        };
        let beside = with_ending(name_there, REASON);
        let mut file = folder.create(&beside, NewFile::Shared)?;
        let written = file.write_all(reason.as_bytes());
        let moved = written.and_then(|()| self.root.move_to(name, folder, name_there));
        if moved.is_err() {
            // It was created here; a reason without its file is a nuisance at most.
            let _ = folder.remove(&beside);
        }
        moved
    }

    /// How a file that was filed away is now; none where nothing is.
    pub(super) fn stamp_at(&self, place: &MovedTo) -> io::Result<Option<FileStamp>> {
        stamp_in(&self.folder(place.folder)?, &place.name)
    }

    /// Puts a file that was filed away back, to be taken again, under its name with the time in it:
    /// nobody else puts a file there under that one.
    pub(super) fn return_file(&self, place: &MovedTo) -> io::Result<OsString> {
        let name = name_with_time(&place.name);
        self.folder(place.folder)?
            .move_to(&place.name, &self.root, &name)?;
        Ok(name)
    }

    pub(super) fn path_of(&self, place: &MovedTo) -> PathBuf {
        self.root.path().join(place.folder).join(&place.name)
    }

    /// A folder in which files are archived, created where there is none.
    pub(super) fn folder(&self, name: &str) -> io::Result<FolderHandle> {
        let opened = self.root.folder_or_new(name);
        opened.map_err(|why| io::Error::new(why.kind(), format!("{name}/: {why}")))
    }
}

fn stamp_in(folder: &FolderHandle, name: &OsStr) -> io::Result<Option<FileStamp>> {
    Ok(folder.stat(name)?.map(|about| FileStamp::of(&about)))
}

/// Leaves nothing behind.
fn check_access(folder: &FolderHandle) -> io::Result<()> {
    folder.names()?;
    let name = OsString::from(format!(".dispatch-{}", Uuid::now_v7()));
    folder.create(&name, NewFile::Private)?;
    folder.remove(&name).map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::file_names::HIDDEN;
    use super::*;

    #[test]
    fn the_leftovers_of_interrupted_imports_are_deleted() {
        let root = tempfile::tempdir().unwrap();
        let folder = IntakeFolder::open(root.path(), &[]).unwrap();
        let rejected = root.path().join(REJECTED);
        for name in [&HIDDEN.join("1"), "orders.csv.rejects.ndjson", ".theirs"] {
            std::fs::write(rejected.join(name), "row").unwrap();
        }
        folder.open_now().unwrap().remove_leftovers().unwrap();
        let left = FolderHandle::open(&rejected).unwrap().names().unwrap();
        assert_eq!(left.len(), 2, "{left:?}");
        assert!(!rejected.join(HIDDEN.join("1")).exists());
    }

    #[test]
    fn a_folder_is_known_by_the_same_id_under_every_path() {
        let (root, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mounted = other.path().join("orders");
        std::os::unix::fs::symlink(root.path(), &mounted).unwrap();
        let folder = |path: &Path| IntakeFolder::open(path, &[]).unwrap().open_now().unwrap();
        let id = folder(root.path()).id().unwrap();
        assert_eq!(folder(&mounted).id().unwrap(), id);
        assert_ne!(folder(other.path()).id().unwrap(), id);
        assert_eq!(folder(root.path()).list_files().unwrap(), []);
        std::fs::write(root.path().join(ID_FILE), "x").unwrap();
        assert!(folder(root.path()).id().is_err());
    }

    #[test]
    fn a_file_that_changed_is_not_moved() {
        let root = tempfile::tempdir().unwrap();
        let folder = IntakeFolder::open(root.path(), &[])
            .unwrap()
            .open_now()
            .unwrap();
        let (path, name) = (root.path().join("orders.csv"), OsStr::new("orders.csv"));
        let stamp = || stamp_in(&folder.root, name).unwrap().unwrap();
        std::fs::write(&path, "number\n1\n").unwrap();
        let before = stamp();
        std::fs::write(&path, "number\n1\n2\n").unwrap();
        let away = |stamp| folder.archive_file(name, stamp, None, None);
        assert_eq!(away(before).unwrap(), None);
        let after = stamp();
        let place = away(after).unwrap().unwrap();
        assert_eq!(folder.path_of(&place), root.path().join("done/orders.csv"));
        assert_eq!(folder.stamp_at(&place).unwrap(), Some(after));

        let back = folder.return_file(&place).unwrap().into_string().unwrap();
        assert!(back.starts_with("orders-2") && back.ends_with("Z.csv"));
        assert_eq!(folder.stamp_at(&place).unwrap(), None);
        assert!(root.path().join(back).exists());
    }

    #[test]
    fn a_file_with_another_name_elsewhere_is_not_read() {
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let theirs = outside.path().join("theirs");
        std::fs::write(&theirs, "number\n1\n").unwrap();
        std::fs::hard_link(&theirs, root.path().join("orders.csv")).unwrap();
        let folder = IntakeFolder::open(root.path(), &[])
            .unwrap()
            .open_now()
            .unwrap();
        let (name, stamp) = folder.list_files().unwrap().remove(0);
        let open = || folder.open_file(&name, stamp).unwrap();
        assert!(matches!(open(), OpenedFile::Refused(why) if why.contains("hard link")));
        std::fs::remove_file(theirs).unwrap();
        assert!(matches!(open(), OpenedFile::Opened(_)));
        std::fs::remove_file(root.path().join("orders.csv")).unwrap();
        assert!(matches!(open(), OpenedFile::Changed));
    }

    /// A list of refused rows, as an import makes one.
    fn refused_rows(folder: &OpenIntake) -> RejectsFile {
        let folder = folder.folder(REJECTED).unwrap();
        let name = OsString::from(HIDDEN.join("1"));
        let mut file = folder.create(&name, NewFile::Shared).unwrap();
        file.write_all(b"row").unwrap();
        RejectsFile { folder, name }
    }

    #[test]
    fn a_refused_file_is_moved_with_its_rows_and_its_reason() {
        let root = tempfile::tempdir().unwrap();
        let folder = IntakeFolder::open(root.path(), &[]).unwrap();
        let folder = folder.open_now().unwrap();
        std::fs::write(root.path().join("orders.csv"), "number\nseven\n").unwrap();
        let (name, stamp) = folder.list_files().unwrap().remove(0);
        let rows = refused_rows(&folder);
        let moved = folder.archive_file(&name, stamp, Some(&rows), Some("why"));
        let place = moved.unwrap().unwrap();
        let read = |name: &str| std::fs::read_to_string(root.path().join(REJECTED).join(name));
        assert_eq!(read("orders.csv").unwrap(), "number\nseven\n");
        assert_eq!(read("orders.csv.rejects.ndjson").unwrap(), "row");
        assert_eq!(read("orders.csv.reason.txt").unwrap(), "why");
        assert_eq!(folder.stamp_at(&place).unwrap(), Some(stamp));
    }

    #[test]
    fn a_file_whose_refused_rows_are_gone_stays_to_be_read_again() {
        let root = tempfile::tempdir().unwrap();
        let folder = IntakeFolder::open(root.path(), &[]).unwrap();
        let folder = folder.open_now().unwrap();
        std::fs::write(root.path().join("orders.csv"), "number\nseven\n").unwrap();
        let (name, stamp) = folder.list_files().unwrap().remove(0);
        let rows = refused_rows(&folder);
        folder.remove_leftovers().unwrap();
        let moved = folder.archive_file(&name, stamp, Some(&rows), None);
        assert_eq!(moved.unwrap(), None);
        assert!(root.path().join("orders.csv").exists());
    }

    #[test]
    fn a_move_that_fails_leaves_nothing_behind_and_can_be_tried_again() {
        let root = tempfile::tempdir().unwrap();
        let folder = IntakeFolder::open(root.path(), &[]).unwrap();
        let folder = folder.open_now().unwrap();
        std::fs::write(root.path().join("orders.csv"), "number\nseven\n").unwrap();
        let (name, stamp) = folder.list_files().unwrap().remove(0);
        let rejected = folder.folder(REJECTED).unwrap();
        let moved = |from: &OsStr| {
            folder.move_with_reason(from, &rejected, OsStr::new("taken.csv"), Some("why"))
        };
        assert!(moved(OsStr::new("gone.csv")).is_err());
        assert!(rejected.names().unwrap().is_empty(), "not even the reason");
        moved(&name).unwrap();
        assert_eq!(
            stamp_in(&rejected, OsStr::new("taken.csv")).unwrap(),
            Some(stamp)
        );
        assert_eq!(rejected.names().unwrap().len(), 2);
    }
}
