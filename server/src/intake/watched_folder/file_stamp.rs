//! The stamp that shows whether a file changed.

use std::time::Duration;

use jiff::Timestamp;
use rustix::fs::Stat;

/// A file is unchanged while its stamp is equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    device: u64,
    inode: u64,
    pub(super) size: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
}

impl FileStamp {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_as_old_as_it_was_written_to() {
        let stamp = FileStamp {
            device: 1,
            inode: 1,
            size: 1,
            modified: (1_000, 500_000_000),
        };
        let at = |second| stamp.age(Timestamp::from_second(second).unwrap());
        assert_eq!(at(1_010), Duration::from_millis(9_500));
        assert_eq!(at(999), Duration::ZERO, "another clock's time");
    }
}
