//! Folders that fill by themselves: what is too old in them, or too much, is deleted, oldest first.
//! Whose files those are is for the folder's owner to say; links and folders are left alone, and
//! nothing is deleted by way of a link that was put in the folder's place.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rustix::fs::Stat;
use tokio::time::{MissedTickBehavior, interval};

use crate::files::folder_handle::{FolderHandle, is_file};
use crate::log_lines;

/// From one look to the next.
const SWEEP_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Younger files are left, however large they are: somebody may still be writing to them.
const MIN_AGE: SignedDuration = SignedDuration::from_hours(1);

/// How long files are kept, and how much of them in one folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetentionLimits {
    pub days: u32,
    pub bytes: u64,
}

impl RetentionLimits {
    fn max_age(self) -> SignedDuration {
        SignedDuration::from_hours(24 * i64::from(self.days))
    }

    fn doubled(self) -> Self {
        Self {
            days: self.days.saturating_mul(2),
            bytes: self.bytes.saturating_mul(2),
        }
    }
}

/// A file of the server's own.
#[derive(Debug, PartialEq, Eq)]
pub struct OwnFile {
    /// Files of one group go together.
    pub group: String,
    /// When it was made, where its name says so. Else the last change of its entry counts (`ctime`), which
    /// its move into the folder is: a file's own time is whatever its sender made it.
    pub made: Option<Timestamp>,
}

/// A folder whose files are deleted in the end.
#[derive(Clone, Debug)]
pub struct LimitedFolder {
    pub path: PathBuf,
    pub limits: RetentionLimits,
    /// Its files await a person's work: they are warned of at the limits, and deleted at twice those,
    /// never before a sweep that followed the warning.
    pub has_work: bool,
    /// What a file of this name is; none where it is not the server's.
    pub own_file: fn(&str) -> Option<OwnFile>,
}

#[derive(Debug, PartialEq, Eq)]
struct Group {
    at: Timestamp,
    bytes: u64,
    names: Vec<OsString>,
}

/// The result of a look at a folder; oldest first.
#[derive(Debug, Default)]
struct Plan {
    delete: Vec<Group>,
    warn_of: Vec<Group>,
}

impl LimitedFolder {
    /// `warned_of`: by earlier sweeps.
    fn plan(
        &self,
        folder: &FolderHandle,
        warned_of: &BTreeSet<PathBuf>,
        now: Timestamp,
    ) -> io::Result<Plan> {
        let groups = self.groups(folder)?;
        if !self.has_work {
            let (delete, _) = split(groups, self.limits, now);
            let warn_of = Vec::new();
            return Ok(Plan { delete, warn_of });
        }
        let (past_doubled, kept) = split(groups, self.limits.doubled(), now);
        // After a long stop, or with new limits, a file is past both at the first look.
        let (delete, mut warn_of): (Vec<Group>, Vec<Group>) =
            past_doubled.into_iter().partition(|group| {
                group
                    .names
                    .iter()
                    .all(|name| warned_of.contains(&self.path.join(name)))
            });
        warn_of.extend(split(kept, self.limits, now).0);
        Ok(Plan { delete, warn_of })
    }

    /// Its files, oldest first.
    fn groups(&self, folder: &FolderHandle) -> io::Result<Vec<Group>> {
        let mut groups: BTreeMap<String, Group> = BTreeMap::new();
        for name in folder.names()? {
            let Some(file) = (self.own_file)(&name.to_string_lossy()) else {
                continue;
            };
            // Gone since is not there.
            let Ok(Some(about)) = folder.stat(&name) else {
                continue;
            };
            if !is_file(&about) {
                continue;
            }
            let changed = Timestamp::from_second(about.st_ctime);
            let at = file.made.or(changed.ok()).unwrap_or(Timestamp::MAX);
            let group = groups.entry(file.group).or_insert_with(|| Group {
                at,
                bytes: 0,
                names: Vec::new(),
            });
            group.at = group.at.max(at);
            group.bytes += bytes_on_disk(&about);
            group.names.push(name);
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.sort_by_key(|group| group.at);
        Ok(groups)
    }

    /// Deletes what is past the limits.
    fn sweep(&self, warned_of: &mut BTreeSet<PathBuf>, now: Timestamp) -> io::Result<()> {
        let folder = match FolderHandle::open_unlinked(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => opened?,
        };
        let Plan { delete, warn_of } = self.plan(&folder, warned_of, now)?;
        let mut deleted = Vec::new();
        for name in delete.iter().flat_map(|group| &group.names) {
            let path = self.path.join(name);
            match folder.remove(name) {
                Ok(true) => deleted.push(path),
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "{} was not deleted", path.display()),
            }
        }
        let (folder, days) = (self.path.display(), self.limits.days);
        if !deleted.is_empty() {
            tracing::info!(
                "{} old files were deleted in {folder}: {}",
                deleted.len(),
                names(&deleted)
            );
        }
        let waiting = warn_of.into_iter().flat_map(|group| group.names);
        let new: Vec<PathBuf> = waiting
            .map(|name| self.path.join(name))
            .filter(|path| !warned_of.contains(path))
            .collect();
        if !new.is_empty() {
            tracing::warn!(
                "{} files in {folder} wait for somebody, and are deleted when they are {} days old or \
                 more than {} MiB: {}",
                new.len(),
                days.saturating_mul(2),
                self.limits.doubled().bytes / (1024 * 1024),
                names(&new)
            );
        }
        warned_of.extend(new);
        warned_of.retain(|path| path.exists());
        Ok(())
    }
}

/// Not what a file says that it is long: one with a hole in it says what it likes.
fn bytes_on_disk(about: &Stat) -> u64 {
    const BLOCK: u64 = 512;
    let allocated = u64::try_from(about.st_blocks).unwrap_or_default() * BLOCK;
    allocated.min(u64::try_from(about.st_size).unwrap_or_default())
}

/// What is past the limits, and what is not; both oldest first, as `groups` are. What is too much by
/// itself is past them, and drives out nothing that is older.
fn split(groups: Vec<Group>, limits: RetentionLimits, now: Timestamp) -> (Vec<Group>, Vec<Group>) {
    let fits = |group: &Group| group.bytes <= limits.bytes;
    let fitting = groups.iter().filter(|group| fits(group));
    let mut bytes: u64 = fitting.map(|group| group.bytes).sum();
    groups.into_iter().partition(|group| {
        let age = now.duration_since(group.at);
        let is_too_much = !fits(group) || bytes > limits.bytes;
        let is_past = age >= MIN_AGE && (age > limits.max_age() || is_too_much);
        if is_past && fits(group) {
            bytes -= group.bytes;
        }
        is_past
    })
}

/// For a line of the log.
const MAX_NAMES: usize = 10;

fn names(paths: &[PathBuf]) -> String {
    let names = paths.iter().filter_map(|path| path.file_name());
    let shown: Vec<_> = names
        .take(MAX_NAMES)
        .map(|name| log_lines::name(&name.to_string_lossy()))
        .collect();
    let more = if paths.len() > MAX_NAMES { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Looks at the folders now and then, for as long as the server runs.
pub async fn follow(folders: Vec<LimitedFolder>) {
    let mut next = interval(SWEEP_INTERVAL);
    next.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut warned_of = BTreeSet::new();
    loop {
        next.tick().await;
        let folders = folders.clone();
        let mut warned = std::mem::take(&mut warned_of);
        let swept = tokio::task::spawn_blocking(move || {
            for folder in &folders {
                if let Err(error) = folder.sweep(&mut warned, Timestamp::now()) {
                    tracing::warn!(%error, "{} was not looked through for old files", folder.path.display());
                }
            }
            warned
        });
        // A sweep that panicked is over; its warnings may be repeated.
        warned_of = swept.await.unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    const LIMITS: RetentionLimits = RetentionLimits {
        days: 90,
        bytes: 1_000,
    };

    /// The first character is the group; a name that ends in `x` is somebody else's.
    fn own_file(name: &str) -> Option<OwnFile> {
        let group = name.chars().take(1).collect();
        (!name.ends_with('x')).then_some(OwnFile { group, made: None })
    }

    fn folder(has_work: bool) -> (tempfile::TempDir, LimitedFolder) {
        let folder = tempfile::tempdir().unwrap();
        let limited = LimitedFolder {
            path: folder.path().to_owned(),
            limits: LIMITS,
            has_work,
            own_file,
        };
        (folder, limited)
    }

    /// By the clock that stamps files, which is not the process's where that one is shifted.
    fn in_days(days: i64) -> Timestamp {
        let stamped = tempfile::tempfile().unwrap().metadata().unwrap();
        let now = Timestamp::from_second(stamped.ctime()).unwrap();
        now + SignedDuration::from_hours(24 * days)
    }

    fn names_in(folder: &tempfile::TempDir) -> Vec<String> {
        let entries = folder.path().read_dir().unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn only_old_files_of_the_server_are_deleted() {
        let (root, folder) = folder(false);
        for name in ["a", "b.x"] {
            std::fs::write(root.path().join(name), "text").unwrap();
        }
        std::fs::create_dir(root.path().join("c")).unwrap();
        std::os::unix::fs::symlink("a", root.path().join("d")).unwrap();
        folder.sweep(&mut BTreeSet::new(), in_days(89)).unwrap();
        assert_eq!(names_in(&root), ["a", "b.x", "c", "d"]);
        folder.sweep(&mut BTreeSet::new(), in_days(91)).unwrap();
        assert_eq!(names_in(&root), ["b.x", "c", "d"]);
    }

    #[test]
    fn nothing_is_deleted_by_way_of_a_link_in_the_folders_place() {
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(outside.path().join("a"), "text").unwrap();
        let path = root.path().join("done");
        std::os::unix::fs::symlink(outside.path(), &path).unwrap();
        let folder = LimitedFolder {
            path,
            limits: LIMITS,
            has_work: false,
            own_file,
        };
        let refused = folder.sweep(&mut BTreeSet::new(), in_days(91));
        let refused = refused.unwrap_err().to_string();
        assert!(refused.starts_with("it is a link"), "{refused}");
        assert_eq!(names_in(&outside), ["a"]);
    }

    #[test]
    fn a_files_own_old_time_is_not_its_age() {
        let (root, folder) = folder(false);
        let file = std::fs::File::create(root.path().join("a")).unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
        folder.sweep(&mut BTreeSet::new(), in_days(1)).unwrap();
        assert_eq!(names_in(&root), ["a"]);
    }

    #[test]
    fn a_file_from_the_future_is_as_old_as_it_is_here() {
        let (root, folder) = folder(false);
        let file = std::fs::File::create(root.path().join("a")).unwrap();
        let future = std::time::SystemTime::now() + Duration::from_secs(400 * 24 * 60 * 60);
        file.set_modified(future).unwrap();
        folder.sweep(&mut BTreeSet::new(), in_days(91)).unwrap();
        assert_eq!(names_in(&root), Vec::<String>::new());
    }

    #[test]
    fn a_file_without_a_warning_is_not_deleted_however_old_it_is() {
        let (root, folder) = folder(true);
        std::fs::write(root.path().join("a"), "text").unwrap();
        let mut warned = BTreeSet::new();
        folder.sweep(&mut warned, in_days(1_000)).unwrap();
        assert_eq!((warned.len(), names_in(&root).len()), (1, 1));
        folder.sweep(&mut warned, in_days(1_000)).unwrap();
        assert_eq!((warned.len(), names_in(&root).len()), (0, 0));
    }

    #[test]
    fn above_the_limit_the_oldest_files_are_deleted_but_none_of_the_last_hour() {
        let now = Timestamp::now();
        let group = |name: &str, minutes: i64, bytes| Group {
            at: now - SignedDuration::from_mins(minutes),
            bytes,
            names: vec![name.into()],
        };
        let groups = vec![
            group("oldest", 300, 500),
            group("older", 200, 700),
            group("old", 100, 300),
            group("new", 50, 900),
        ];
        let (expired, kept) = split(groups, LIMITS, now);
        let names = |groups: &[Group]| -> Vec<String> {
            let names = groups.iter().map(|group| group.names[0].display());
            names.map(|name| name.to_string()).collect()
        };
        assert_eq!(names(&expired), ["oldest", "older", "old"]);
        assert_eq!(names(&kept), ["new"]);
        let (expired, _) = split(
            vec![group("a", 200, 700), group("b", 100, 700)],
            LIMITS,
            now,
        );
        assert_eq!(names(&expired), ["a"]);
    }

    #[test]
    fn a_file_above_the_limit_by_itself_displaces_no_other() {
        let now = Timestamp::now();
        let group = |name: &str, minutes: i64, bytes| Group {
            at: now - SignedDuration::from_mins(minutes),
            bytes,
            names: vec![name.into()],
        };
        for minutes in [30, 100] {
            let groups = vec![group("old", 300, 900), group("huge", minutes, 20_000)];
            let (expired, _) = split(groups, LIMITS, now);
            let expired: Vec<_> = expired.iter().flat_map(|group| &group.names).collect();
            let expected = if minutes == 30 { vec![] } else { vec!["huge"] };
            assert_eq!(expired, expected);
        }
    }

    #[test]
    fn a_sparse_file_counts_by_the_disk_space_it_uses() {
        let (root, folder) = folder(false);
        std::fs::write(root.path().join("a"), "").unwrap();
        let sparse = std::fs::File::create(root.path().join("b")).unwrap();
        sparse.set_len(20 << 30).unwrap();
        folder.sweep(&mut BTreeSet::new(), in_days(1)).unwrap();
        assert_eq!(names_in(&root), ["a", "b"]);
    }

    #[test]
    fn a_name_cannot_pass_for_a_line_of_the_servers() {
        let path = PathBuf::from("a, b: 5 created\u{ad}");
        assert_eq!(names(&[path]), r#""a, b: 5 created\u{ad}""#);
    }

    #[test]
    fn a_file_that_awaits_a_decision_is_warned_of_once_and_kept_twice_as_long() {
        let (root, folder) = folder(true);
        for name in ["a", "a.reason"] {
            std::fs::write(root.path().join(name), "text").unwrap();
        }
        let mut warned = BTreeSet::new();
        folder.sweep(&mut warned, in_days(89)).unwrap();
        assert!(warned.is_empty());
        folder.sweep(&mut warned, in_days(91)).unwrap();
        assert_eq!((warned.len(), names_in(&root).len()), (2, 2));
        folder.sweep(&mut warned, in_days(181)).unwrap();
        assert_eq!((warned.len(), names_in(&root).len()), (0, 0));
    }
}
