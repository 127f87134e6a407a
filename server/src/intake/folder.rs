//! The folder that is watched, and how files are filed away in it: nothing is overwritten, and
//! nothing deleted that was not filed away long ago. Knows no repair orders.

use std::ffi::{OsStr, OsString};
use std::fs::{Metadata, OpenOptions, create_dir_all};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use super::{Reject, rejects_file};
use crate::folder_retention::{LimitedFolder, OwnFile, RetentionLimits};

const DONE: &str = "done";
const REJECTED: &str = "rejected";

/// What is wrong with a file is beside it under its name and these.
const REJECTED_ROWS: &str = ".rejects.ndjson";
const REASON: &str = ".reason.txt";

/// In `rejected/`, while a file is being taken.
const HIDDEN: &str = ".rejects.part";

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

/// A folder that files can be taken from.
#[derive(Clone, Debug)]
pub struct IntakeFolder {
    pub(super) path: PathBuf,
}

impl IntakeFolder {
    /// Makes what is missing, and tries out that files can be listed and moved.
    pub fn open(path: &Path) -> Result<Self, Unusable> {
        for path in [path.to_owned(), path.join(DONE), path.join(REJECTED)] {
            let usable = create_dir_all(&path)
                .and_then(|()| path.read_dir().map(drop))
                .and_then(|()| try_out(&path));
            usable.map_err(|why| Unusable { path, why })?;
        }
        Ok(Self {
            path: path.to_owned(),
        })
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

    /// What may be taken in, in the order of names.
    pub(super) fn look(&self) -> io::Result<Vec<(OsString, Stamp)>> {
        let mut files = Vec::new();
        for entry in self.path.read_dir()? {
            let entry = entry?;
            let name = entry.file_name();
            if is_unfinished(&name) || name == DONE || name == REJECTED {
                continue;
            }
            // Of the link itself where it is one; gone since is not there.
            match entry.metadata() {
                Ok(about) if about.is_file() => files.push((name, Stamp::of(&about))),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        files.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(files)
    }

    /// Moves a file that was taken as `stamp`, with what is wrong with it beside it; gives where it
    /// is now. None where it is another by now, which stays.
    pub(super) fn file_away(
        &self,
        name: &OsStr,
        stamp: Stamp,
        rejects: Option<PathBuf>,
        reason: Option<String>,
    ) -> io::Result<Option<PathBuf>> {
        let well = rejects.is_none() && reason.is_none();
        let folder = self.path.join(if well { DONE } else { REJECTED });
        create_dir_all(&folder)?;
        let name_there = free_name(&folder, name)?;
        if Stamp::at(&self.path.join(name))? != Some(stamp) {
            return Ok(None);
        }
        if let Some(rejects) = rejects {
            let beside = with_ending(&name_there, REJECTED_ROWS);
            std::fs::rename(rejects, folder.join(beside))?;
        }
        if let Some(reason) = reason {
            let beside = with_ending(&name_there, REASON);
            std::fs::write(folder.join(beside), reason)?;
        }
        let there = folder.join(name_there);
        std::fs::rename(self.path.join(name), &there)?;
        Ok(Some(there))
    }

    /// Puts a file that was filed away back, to be taken again, under its name with the time in it:
    /// nobody else puts a file there under that one.
    pub(super) fn put_back(&self, filed: &Path) -> io::Result<PathBuf> {
        let name = name_with_time(filed.file_name().unwrap_or_default());
        let there = self.path.join(name);
        std::fs::rename(filed, &there)?;
        Ok(there)
    }
}

/// Everything that may have been taken in, with what is wrong with it.
fn filed_file(name: &str) -> Option<OwnFile> {
    let mut endings = [REJECTED_ROWS, REASON].into_iter();
    let group = endings.find_map(|ending| name.strip_suffix(ending));
    (!is_unfinished(OsStr::new(name))).then(|| OwnFile {
        group: group.unwrap_or(name).to_owned(),
        made: None,
    })
}

/// Leaves nothing behind.
fn try_out(folder: &Path) -> io::Result<()> {
    let path = folder.join(format!(".dispatch-{}", std::process::id()));
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&path)?;
    std::fs::remove_file(path)
}

fn is_unfinished(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    name.starts_with('.') || UNFINISHED.iter().any(|ending| name.ends_with(ending))
}

/// By which a file is known to be what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    inode: u64,
    pub(super) size: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
}

impl Stamp {
    pub(super) fn of(about: &Metadata) -> Self {
        Self {
            inode: about.ino(),
            size: about.size(),
            modified: (about.mtime(), about.mtime_nsec()),
        }
    }

    /// Of the link itself where it is one; none where nothing is.
    pub(super) fn at(path: &Path) -> io::Result<Option<Self>> {
        match path.symlink_metadata() {
            Ok(about) => Ok(Some(Self::of(&about))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
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
    path: PathBuf,
    file: Option<File>,
    pub(super) count: usize,
}

impl Rejects {
    pub(super) fn new(folder: &IntakeFolder) -> Self {
        Self {
            path: folder.path.join(REJECTED).join(HIDDEN),
            file: None,
            count: 0,
        }
    }

    pub(super) async fn write(&mut self, name: &str, rejects: &[Reject]) -> io::Result<()> {
        if rejects.is_empty() {
            return Ok(());
        }
        self.count += rejects.len();
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                if let Some(folder) = self.path.parent() {
                    tokio::fs::create_dir_all(folder).await?;
                }
                none.insert(File::create(&self.path).await?)
            }
        };
        file.write_all(rejects_file(name, rejects).as_bytes()).await
    }

    /// Where they are, when there are any.
    pub(super) async fn finish(self) -> io::Result<Option<PathBuf>> {
        match self.file {
            Some(file) => file.sync_all().await.map(|()| Some(self.path)),
            // What a take left that was broken off.
            None => match tokio::fs::remove_file(&self.path).await {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(None),
            },
        }
    }
}

/// A name under which nothing is in the folder yet, nor anything about it: the name itself, else
/// with the time in it. This server is the only one who puts files there.
fn free_name(folder: &Path, name: &OsStr) -> io::Result<OsString> {
    let is_free = |name: &OsStr| -> io::Result<bool> {
        for ending in ["", REJECTED_ROWS, REASON] {
            match folder.join(with_ending(name, ending)).symlink_metadata() {
                Ok(_) => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
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
        assert_eq!(filed_file(HIDDEN), None);
    }

    #[test]
    fn a_file_is_moved_only_as_it_was_taken() {
        let root = tempfile::tempdir().unwrap();
        let folder = IntakeFolder::open(root.path()).unwrap();
        let path = root.path().join("orders.csv");
        std::fs::write(&path, "number\n1\n").unwrap();
        let stamp = Stamp::at(&path).unwrap().unwrap();
        std::fs::write(&path, "number\n1\n2\n").unwrap();
        let away = |stamp| folder.file_away(OsStr::new("orders.csv"), stamp, None, None);
        assert_eq!(away(stamp).unwrap(), None);
        let stamp = Stamp::at(&path).unwrap().unwrap();
        let place = away(stamp).unwrap().unwrap();
        assert_eq!(place, root.path().join("done/orders.csv"));
        assert_eq!(Stamp::at(&place).unwrap(), Some(stamp));

        let back = folder.put_back(&place).unwrap();
        let name = back.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("orders-2") && name.ends_with("Z.csv"));
        assert_eq!((Stamp::at(&place).unwrap(), back.exists()), (None, true));
    }

    #[test]
    fn a_file_is_as_old_as_it_was_written_to() {
        let stamp = Stamp {
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
        let free = |name: &str| free_name(folder.path(), OsStr::new(name)).unwrap();
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
