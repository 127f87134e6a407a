//! The folder that is watched, and how files are filed away in it: nothing is overwritten, and
//! nothing deleted that was not filed away long ago. Knows no repair orders.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use dispatch_intake::{Reject, rejects_ndjson};
use jiff::Timestamp;
use rustix::fs::Stat;
use tokio::io::AsyncWriteExt;
use uuid::Uuid;

use crate::folder_handle::{FolderHandle, NewFile, is_file};
use crate::folder_retention::{LimitedFolder, OwnFile, RetentionLimits};

const DONE: &str = "done";
const REJECTED: &str = "rejected";

/// What is wrong with a file is beside it under its name and these.
const REJECTED_ROWS: &str = ".rejects.ndjson";
const REASON: &str = ".reason.txt";

/// How a file in `rejected/` begins and ends while another is being taken; nobody can take its name
/// before.
const HIDDEN: [&str; 2] = [".rejects-", ".part"];

/// Bytes; file systems allow 255, and something is put behind it.
const LONGEST_NAME: usize = 200;

/// How files are called that are still being written.
const UNFINISHED: [&str; 3] = [".tmp", ".part", ".filepart"];

#[derive(Debug, thiserror::Error)]
#[error("cannot use the intake folder {}: {why}", path.display())]
pub struct Unusable {
    path: PathBuf,
    why: io::Error,
}

/// A folder that files can be taken from. Others write to it, so that nothing in it is taken for what
/// it was a moment ago: see [`OpenIntake`].
#[derive(Clone, Debug)]
pub struct IntakeFolder {
    pub(super) path: PathBuf,
}

impl IntakeFolder {
    /// Makes what is missing, and tries out that files can be listed and moved. A link in the place of
    /// one of its folders may be somebody's bait and stops nobody's server: each look says so.
    pub fn open(path: &Path) -> Result<Self, Unusable> {
        let folder = Self {
            path: path.to_owned(),
        };
        let unusable = |path: &Path, why| Unusable {
            path: path.to_owned(),
            why,
        };
        let root = FolderHandle::open_or_new(path).map_err(|why| unusable(path, why))?;
        try_out(&root).map_err(|why| unusable(path, why))?;
        for name in [DONE, REJECTED] {
            let tried = root.folder_or_new(name).and_then(|folder| {
                remove_broken_off(&folder)?;
                try_out(&folder)
            });
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
            own_file: filed_file,
        };
        [folder(DONE, false), folder(REJECTED, true)]
    }

    /// As it is now.
    pub(super) fn enter(&self) -> io::Result<OpenIntake> {
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
pub(super) struct Place {
    pub(super) name: OsString,
    folder: &'static str,
}

impl OpenIntake {
    /// What may be taken in, in the order of names.
    pub(super) fn look(&self) -> io::Result<Vec<(OsString, Stamp)>> {
        let mut files = Vec::new();
        for name in self.root.names()? {
            if is_unfinished(&name) || name == DONE || name == REJECTED {
                continue;
            }
            // Gone since is not there.
            if let Some(about) = self.root.stat(&name)?
                && is_file(&about)
            {
                files.push((name, Stamp::of(&about)));
            }
        }
        files.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(files)
    }

    /// The file to read where it is still as `stamp` says.
    pub(super) fn read(&self, name: &OsStr, stamp: Stamp) -> io::Result<Option<File>> {
        match self.root.read(name)? {
            Some((_, about)) if Stamp::of(&about) != stamp => Ok(None),
            // Whoever gives a file of somebody else's another name here would have this server read it.
            Some((_, about)) if about.st_nlink > 1 => Err(io::Error::other(
                "it has another name elsewhere (a hard link), and is taken when it has this one alone",
            )),
            file => Ok(file.map(|(file, _)| file)),
        }
    }

    /// Moves a file that was taken as `stamp`, with what is wrong with it beside it; gives where it
    /// is now. None where it is another by now, which stays.
    pub(super) fn file_away(
        &self,
        name: &OsStr,
        stamp: Stamp,
        rejects: Option<RejectsFile>,
        reason: Option<String>,
    ) -> io::Result<Option<Place>> {
        let (folder_name, folder) = match (&rejects, &reason) {
            (Some(rejects), _) => (REJECTED, rejects.folder.clone()),
            (None, Some(_)) => (REJECTED, self.folder(REJECTED)?),
            (None, None) => (DONE, self.folder(DONE)?),
        };
        let name_there = free_name(&folder, name)?;
        if stamp_in(&self.root, name)? != Some(stamp) {
            return Ok(None);
        }
        if let Some(rejects) = rejects {
            let beside = with_ending(&name_there, REJECTED_ROWS);
            folder.move_to(&rejects.name, &folder, &beside)?;
        }
        if let Some(reason) = reason {
            let beside = with_ending(&name_there, REASON);
            let mut file = folder.create(&beside, NewFile::Shared)?;
            file.write_all(reason.as_bytes())?;
        }
        self.root.move_to(name, &folder, &name_there)?;
        Ok(Some(Place {
            name: name_there,
            folder: folder_name,
        }))
    }

    /// How a file that was filed away is now; none where nothing is.
    pub(super) fn stamp_at(&self, place: &Place) -> io::Result<Option<Stamp>> {
        stamp_in(&self.folder(place.folder)?, &place.name)
    }

    /// Puts a file that was filed away back, to be taken again, under its name with the time in it:
    /// nobody else puts a file there under that one.
    pub(super) fn put_back(&self, place: &Place) -> io::Result<OsString> {
        let name = name_with_time(&place.name);
        self.folder(place.folder)?
            .move_to(&place.name, &self.root, &name)?;
        Ok(name)
    }

    pub(super) fn path_of(&self, place: &Place) -> PathBuf {
        self.root.path().join(place.folder).join(&place.name)
    }

    /// One that files are filed in, made where there is none.
    fn folder(&self, name: &str) -> io::Result<FolderHandle> {
        let opened = self.root.folder_or_new(name);
        opened.map_err(|why| io::Error::new(why.kind(), format!("{name}/: {why}")))
    }
}

fn stamp_in(folder: &FolderHandle, name: &OsStr) -> io::Result<Option<Stamp>> {
    Ok(folder.stat(name)?.map(|about| Stamp::of(&about)))
}

/// Everything that may have been taken in, with what is wrong with it.
fn filed_file(name: &str) -> Option<OwnFile> {
    let mut endings = [REJECTED_ROWS, REASON].into_iter();
    let group = endings.find_map(|ending| name.strip_suffix(ending));
    (is_broken_off(name) || !is_unfinished(OsStr::new(name))).then(|| OwnFile {
        group: group.unwrap_or(name).to_owned(),
        made: None,
    })
}

/// What takes left that were broken off; the files that they were of are taken again.
fn remove_broken_off(folder: &FolderHandle) -> io::Result<()> {
    for name in folder.names()? {
        if is_broken_off(&name.to_string_lossy()) {
            folder.remove(&name)?;
        }
    }
    Ok(())
}

fn is_broken_off(name: &str) -> bool {
    let [begins, ends] = HIDDEN;
    name.starts_with(begins) && name.ends_with(ends)
}

/// Leaves nothing behind.
fn try_out(folder: &FolderHandle) -> io::Result<()> {
    folder.names()?;
    let name = OsString::from(format!(".dispatch-{}", Uuid::now_v7()));
    folder.create(&name, NewFile::Private)?;
    folder.remove(&name).map(drop)
}

fn is_unfinished(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    name.starts_with('.') || UNFINISHED.iter().any(|ending| name.ends_with(ending))
}

/// By which a file is known to be what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    device: u64,
    inode: u64,
    pub(super) size: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
}

impl Stamp {
    #[expect(
        clippy::unnecessary_cast,
        reason = "the fields are of other types on other systems"
    )]
    pub(super) fn of(about: &Stat) -> Self {
        Self {
            device: about.st_dev as u64,
            inode: about.st_ino as u64,
            size: u64::try_from(about.st_size).unwrap_or_default(),
            modified: (about.st_mtime as i64, about.st_mtime_nsec as i64),
        }
    }

    /// How long ago the file was written to, by its own time; zero where that is yet to come.
    pub(super) fn age(&self, now: Timestamp) -> Duration {
        let (seconds, nanoseconds) = self.modified;
        let nanoseconds = i32::try_from(nanoseconds).unwrap_or_default();
        let modified = Timestamp::new(seconds, nanoseconds).unwrap_or(now);
        Duration::try_from(now.duration_since(modified)).unwrap_or_default()
    }
}

/// The refused rows of the file that is being taken, in a hidden file until the last of them is
/// known.
pub(super) struct Rejects {
    intake: OpenIntake,
    file: Option<(tokio::fs::File, RejectsFile)>,
    pub(super) count: usize,
}

impl Rejects {
    pub(super) fn new(intake: &OpenIntake) -> Self {
        Self {
            intake: intake.clone(),
            file: None,
            count: 0,
        }
    }

    pub(super) async fn write(&mut self, name: &str, rejects: &[Reject]) -> io::Result<()> {
        if rejects.is_empty() {
            return Ok(());
        }
        self.count += rejects.len();
        let (file, _) = match &mut self.file {
            Some(file) => file,
            none => {
                let folder = self.intake.folder(REJECTED)?;
                let name = OsString::from(HIDDEN.join(&Uuid::now_v7().to_string()));
                let file = folder.create(&name, NewFile::Shared)?;
                none.insert((file.into(), RejectsFile { folder, name }))
            }
        };
        file.write_all(rejects_ndjson(name, rejects).as_bytes())
            .await
    }

    /// Where they are, when there are any.
    pub(super) async fn finish(self) -> io::Result<Option<RejectsFile>> {
        match self.file {
            Some((file, place)) => file.sync_all().await.map(|()| Some(place)),
            None => Ok(None),
        }
    }
}

/// A hidden file, and the folder that it was made in.
pub(super) struct RejectsFile {
    folder: FolderHandle,
    name: OsString,
}

/// A name under which nothing is in the folder yet, nor anything about it: the name itself, else
/// with the time in it. This server is the only one who puts files there.
fn free_name(folder: &FolderHandle, name: &OsStr) -> io::Result<OsString> {
    let is_free = |name: &OsStr| -> io::Result<bool> {
        for ending in ["", REJECTED_ROWS, REASON] {
            if folder.stat(&with_ending(name, ending))?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    };
    if name.len() <= LONGEST_NAME && is_free(name)? {
        return Ok(name.to_owned());
    }
    loop {
        let free = name_with_time(name);
        if is_free(&free)? {
            return Ok(free);
        }
    }
}

fn name_with_time(name: &OsStr) -> OsString {
    let path = Path::new(name);
    let [stem, ending] = [path.file_stem(), path.extension()].map(|part| {
        let part = part.unwrap_or_default().to_string_lossy();
        // Of four bytes at most each.
        part.chars().take(LONGEST_NAME / 10).collect::<String>()
    });
    let now = Timestamp::now().strftime("%Y%m%dT%H%M%S%.6fZ");
    OsString::from(if ending.is_empty() {
        format!("{stem}-{now}")
    } else {
        format!("{stem}-{now}.{ending}")
    })
}

fn with_ending(name: &OsStr, ending: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(ending);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_or_still_being_written_is_left_alone() {
        for name in [".orders.csv", "orders.csv.tmp", "orders.PART", "a.filepart"] {
            assert!(is_unfinished(OsStr::new(name)), "{name}");
        }
        for name in ["orders.csv", "part", "tmp", "orders.tmp.csv", "orders"] {
            assert!(!is_unfinished(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn a_refused_file_and_what_is_wrong_with_it_belong_together() {
        for name in ["a.csv", "a.csv.reason.txt", "a.csv.rejects.ndjson"] {
            assert_eq!(filed_file(name).unwrap().group, "a.csv");
        }
        let hidden = HIDDEN.join("1");
        assert_eq!(filed_file(&hidden).unwrap().group, hidden);
        assert_eq!(filed_file(".hidden.csv"), None);
    }

    #[test]
    fn what_a_take_left_that_was_broken_off_is_gone_after_a_start() {
        let root = tempfile::tempdir().unwrap();
        IntakeFolder::open(root.path()).unwrap();
        let rejected = root.path().join(REJECTED);
        for name in [&HIDDEN.join("1"), "orders.csv.rejects.ndjson", ".theirs"] {
            std::fs::write(rejected.join(name), "row").unwrap();
        }
        IntakeFolder::open(root.path()).unwrap();
        let left = FolderHandle::open(&rejected).unwrap().names().unwrap();
        assert_eq!(left.len(), 2, "{left:?}");
        assert!(!rejected.join(HIDDEN.join("1")).exists());
    }

    #[test]
    fn a_file_is_moved_only_as_it_was_taken() {
        let root = tempfile::tempdir().unwrap();
        let folder = IntakeFolder::open(root.path()).unwrap().enter().unwrap();
        let (path, name) = (root.path().join("orders.csv"), OsStr::new("orders.csv"));
        let stamp = || stamp_in(&folder.root, name).unwrap().unwrap();
        std::fs::write(&path, "number\n1\n").unwrap();
        let before = stamp();
        std::fs::write(&path, "number\n1\n2\n").unwrap();
        let away = |stamp| folder.file_away(name, stamp, None, None);
        assert_eq!(away(before).unwrap(), None);
        let after = stamp();
        let place = away(after).unwrap().unwrap();
        assert_eq!(folder.path_of(&place), root.path().join("done/orders.csv"));
        assert_eq!(folder.stamp_at(&place).unwrap(), Some(after));

        let back = folder.put_back(&place).unwrap().into_string().unwrap();
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
        let folder = IntakeFolder::open(root.path()).unwrap().enter().unwrap();
        let (name, stamp) = folder.look().unwrap().remove(0);
        assert!(folder.read(&name, stamp).is_err());
        std::fs::remove_file(theirs).unwrap();
        assert!(folder.read(&name, stamp).unwrap().is_some());
    }

    #[test]
    fn a_file_is_as_old_as_it_was_written_to() {
        let stamp = Stamp {
            device: 1,
            inode: 1,
            size: 1,
            modified: (1_000, 500_000_000),
        };
        let at = |second| stamp.age(Timestamp::from_second(second).unwrap());
        assert_eq!(at(1_010), Duration::from_millis(9_500));
        assert_eq!(at(999), Duration::ZERO, "another clock's time");
    }

    #[test]
    fn a_name_that_is_taken_gets_the_time_and_a_long_one_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let handle = FolderHandle::open(folder.path()).unwrap();
        let free = |name: &str| free_name(&handle, OsStr::new(name)).unwrap();
        assert_eq!(free("orders.csv"), "orders.csv");
        for taken in ["orders.csv", "broken.csv.reason.txt"] {
            std::fs::write(folder.path().join(taken), "x").unwrap();
        }
        for (name, start) in [("orders.csv", "orders-2"), ("broken.csv", "broken-2")] {
            let free = free(name).into_string().unwrap();
            assert!(free.starts_with(start) && free.ends_with("Z.csv"), "{free}");
        }
        let long = free(&format!("{}.csv", "é".repeat(120)));
        assert!(long.len() < 100, "{long:?}");
        assert!(!free("noending").is_empty());
    }
}
