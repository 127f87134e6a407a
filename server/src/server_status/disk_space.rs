//! The free space of a file system, and when it is low.

use std::io;
use std::num::NonZeroU32;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::api_types::{DiskContents, DiskSpace};

/// As sizes are told to people: here, on their screens and in the log.
pub const MB: u64 = 1_000_000;

/// Low in any case, whatever the size of the disk.
const LOW_BYTES: u64 = 200 * MB;

/// Low where it is less than a twentieth of the disk, too.
const LOW_BYTES_OF_LARGE: u64 = 2_000 * MB;
const LOW_FRACTION: u64 = 20;

/// What is low stays so until there is a tenth more: a disk at the limit would come and go.
const RECOVERY_FRACTION: u64 = 10;

/// What SQLite's log takes for a change of some size.
pub const FULL_BYTES: u64 = MB;

/// Free bytes below which a disk is low.
#[derive(Clone, Copy, Debug)]
pub struct LowDiskLimit(Option<u64>);

impl LowDiskLimit {
    /// `megabytes`: what the shop wants to be warned at; none: by the disk's size.
    pub fn new(megabytes: Option<NonZeroU32>) -> Self {
        Self(megabytes.map(|megabytes| u64::from(megabytes.get()) * MB))
    }

    fn bytes(self, total: u64) -> u64 {
        let by_size = LOW_BYTES.max(LOW_BYTES_OF_LARGE.min(total / LOW_FRACTION));
        self.0.unwrap_or(by_size)
    }

    fn is_low(self, free: u64, total: u64, was_low: bool) -> bool {
        let limit = self.bytes(total);
        let recovery = if was_low {
            limit / RECOVERY_FRACTION
        } else {
            0
        };
        free < limit.saturating_add(recovery)
    }
}

/// The number of the file system that a folder is on; none where nobody can ask.
pub(super) fn file_system(folder: &Path) -> Option<u64> {
    folder.metadata().map(|about| about.dev()).ok()
}

/// Folders on file systems of their own; of several on one, the first.
pub(super) fn distinct(
    folders: impl IntoIterator<Item = (PathBuf, DiskContents)>,
    file_system: impl Fn(&Path) -> Option<u64>,
) -> Vec<(PathBuf, DiskContents)> {
    let mut devices = Vec::new();
    let mut distinct = Vec::new();
    for (folder, contents) in folders {
        // A folder that nobody can ask of stays in, and is left out when it is measured.
        let device = file_system(&folder);
        if device.is_none() || !devices.contains(&device) {
            devices.push(device);
            distinct.push((folder, contents));
        }
    }
    distinct
}

pub(super) fn measure(
    folder: &Path,
    holds: DiskContents,
    limit: LowDiskLimit,
    was_low: bool,
) -> io::Result<DiskSpace> {
    let disk = rustix::fs::statvfs(folder)?;
    let bytes = |blocks: u64| blocks.saturating_mul(disk.f_frsize);
    let (free_bytes, total_bytes) = (bytes(disk.f_bavail), bytes(disk.f_blocks));
    if total_bytes == 0 {
        return Err(io::Error::other(
            "the file system does not say how large it is",
        ));
    }
    Ok(DiskSpace {
        folder: folder.display().to_string(),
        free_bytes,
        total_bytes,
        holds,
        low: limit.is_low(free_bytes, total_bytes, was_low),
    })
}

/// Whether there is no room to work with. A folder that nobody can ask of has room.
pub fn is_full(folder: &Path) -> bool {
    let limit = LowDiskLimit(Some(FULL_BYTES));
    measure(folder, DiskContents::Data, limit, false).is_ok_and(|disk| disk.low)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1_000 * MB;

    #[test]
    fn a_disk_is_low_below_a_twentieth_and_2_gib_or_below_200_mib() {
        let limit = LowDiskLimit::new(None);
        for (free, total, low) in [
            (GB, 100 * GB, true),
            (3 * GB, 100 * GB, false),
            (GB, 10 * GB, false),
            (400 * MB, 10 * GB, true),
            (201 * MB, GB, false),
            (199 * MB, GB, true),
            (0, 50 * MB, true),
        ] {
            assert_eq!(limit.is_low(free, total, false), low, "{free} of {total}");
        }
        let own = LowDiskLimit::new(NonZeroU32::new(10));
        assert!(!own.is_low(11 * MB, GB, false) && own.is_low(9 * MB, GB, false));
    }

    #[test]
    fn a_low_disk_is_low_until_there_is_a_tenth_more() {
        let limit = LowDiskLimit::new(None);
        let is_low = |free, was_low| limit.is_low(free * MB, GB, was_low);
        assert!(!is_low(210, false) && is_low(210, true) && !is_low(220, true));
    }

    #[test]
    fn folders_on_one_file_system_are_one_and_a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("below");
        std::fs::create_dir(&below).unwrap();
        let data = (folder.path().to_owned(), DiskContents::Data);
        let folders = distinct([data.clone(), (below, DiskContents::Backups)], file_system);
        assert_eq!(folders, [data]);
        let limit = LowDiskLimit::new(None);
        let measure = |folder: &Path| measure(folder, DiskContents::Data, limit, false);
        let disk = measure(folder.path()).unwrap();
        assert!(disk.free_bytes <= disk.total_bytes, "{disk:?}");
        assert!(measure(&folder.path().join("gone")).is_err());
    }
}
