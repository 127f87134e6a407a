//! The room on the disks that the server writes to.

use super::Patient;
use super::finding::Finding;
use crate::server_status::{DiskSpace, DiskWatch, FULL_BYTES, MB};

const CHECK: &str = "disk space";

pub(super) fn check(patient: &Patient) -> Vec<Finding> {
    let config = &patient.config;
    let backups = config.backups.as_ref().map(|schedule| &*schedule.folder);
    let disks = DiskWatch::new(
        &config.shop.data_dir,
        &config.shop.database,
        config.intake_dir.as_deref(),
        backups,
        config.low_disk,
    );
    let disks = disks.measured_now();
    if disks.is_empty() {
        return vec![Finding::skipped(CHECK, "no folder is there to measure")];
    }
    disks.iter().map(finding).collect()
}

fn finding(disk: &DiskSpace) -> Finding {
    let found = format!(
        "{} MB of {} MB are free at {}",
        disk.free_bytes / MB,
        disk.total_bytes / MB,
        disk.folder
    );
    let without_room = disk.holds.without_room();
    if disk.free_bytes < FULL_BYTES {
        return Finding::wrong(
            CHECK,
            found,
            format!("make room now: {without_room} while the disk is full"),
        );
    }
    match disk.low {
        false => Finding::ok(CHECK, found),
        true => Finding::warning(
            CHECK,
            found,
            format!("make room: {without_room} when it is full; --low-disk-mb sets the mark"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server_status::DiskContents;

    #[test]
    fn a_full_disk_is_wrong_and_each_disk_says_what_fails() {
        let disk = |free_mb: u64, holds| DiskSpace {
            folder: "/mnt/disk".to_owned(),
            free_bytes: free_mb * MB,
            total_bytes: 64 * MB,
            holds,
            low: free_mb < 32,
        };
        let full = finding(&disk(0, DiskContents::Data));
        assert!(full.is_wrong(), "{full:?}");
        assert_eq!(full.found, "0 MB of 64 MB are free at /mnt/disk");
        let low = finding(&disk(10, DiskContents::Backups));
        assert!(!low.is_wrong());
        assert!(low.advice.unwrap().contains("no backup can be written"));
        assert_eq!(finding(&disk(40, DiskContents::Data)).advice, None);
    }
}
