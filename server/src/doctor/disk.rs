//! The room on the disks that the server writes to.

use super::Patient;
use super::finding::Finding;
use crate::server_status::{DiskSpace, DiskWatch};

const CHECK: &str = "disk space";

const MIB: u64 = 1024 * 1024;

pub(super) fn look(patient: &Patient) -> Vec<Finding> {
    let config = &patient.config;
    let backups = config.backups.as_ref().map(|schedule| &schedule.folder);
    let others = config.intake_dir.iter().chain(backups);
    let disks = DiskWatch::new(
        &config.shop.data_dir,
        &config.shop.database,
        others.map(|folder| &**folder),
        config.low_disk,
    );
    let disks = disks.look();
    if disks.is_empty() {
        return vec![Finding::skipped(CHECK, "no folder is there to measure")];
    }
    disks.iter().map(finding).collect()
}

fn finding(disk: &DiskSpace) -> Finding {
    let found = format!(
        "{} MB of {} MB are free at {}",
        disk.free_bytes / MIB,
        disk.total_bytes / MIB,
        disk.folder
    );
    match disk.low {
        false => Finding::ok(CHECK, found),
        true => Finding::warning(
            CHECK,
            found,
            "make room: when the disk is full no change can be saved; --low-disk-mb sets the mark",
        ),
    }
}
