//! The program, its database and its disks.

use std::fmt;

use super::families::{Families, NO_LABELS};
use super::orders::number_of_flag;
use super::process;
use super::sources::MetricSources;
use crate::http::page;
use crate::version::VERSION;

pub(super) fn write_program(families: &mut Families<'_>, sources: &MetricSources) -> fmt::Result {
    families.info(
        "dispatch_build",
        "Which build of the server this is; the second label has its pages in it, too.",
        [("version", VERSION), ("build", page::build())],
    )?;
    let seconds = sources.started_at.as_millisecond() as f64 / 1_000.0;
    families.gauge(
        "process_start_time_seconds",
        "When the server was started, in seconds since 1970.",
        [(NO_LABELS, seconds)],
    )?;
    families.gauge(
        "process_resident_memory_bytes",
        "Memory that the server holds.",
        process::memory().map(|bytes| (NO_LABELS, bytes as f64)),
    )?;
    families.gauge(
        "process_open_fds",
        "Files and connections that the server has open.",
        process::open_files().map(|files| (NO_LABELS, files as f64)),
    )
}

/// `size`: none where the database did not answer.
pub(super) fn write_database(
    families: &mut Families<'_>,
    sources: &MetricSources,
    size: Option<u64>,
) -> fmt::Result {
    families.gauge(
        "dispatch_database_size_bytes",
        "What the database takes of its disk. It is missing while the database does not answer.",
        size.map(|bytes| (NO_LABELS, bytes as f64)),
    )?;
    let health = sources.database_check.health();
    families.gauge(
        "dispatch_database_damaged",
        "1 where the last check of all of the database's file found damage, or the file was deleted, moved or \
         replaced. It is missing before the first check, and for PostgreSQL.",
        health
            .checked_at
            .map(|_| (NO_LABELS, number_of_flag(!health.is_well()))),
    )?;
    let pruned = &sources.pruned;
    families.counter(
        "dispatch_pruned_rows",
        "Rows that were deleted because they were kept for long enough.",
        [
            ([("kind", "orders")], pruned.orders.get()),
            ([("kind", "events")], pruned.events.get()),
            ([("kind", "receipts")], pruned.receipts.get()),
            ([("kind", "clocks")], pruned.clocks.get()),
        ],
    )?;
    write_backups(families, sources)
}

fn write_backups(families: &mut Families<'_>, sources: &MetricSources) -> fmt::Result {
    let backups = sources.backups.0.as_ref();
    let offsite = backups.and_then(|backups| Some(backups.offsite()?.1));
    let backups = backups.map(|backups| backups.state());
    families.gauge(
        "dispatch_backup_newest_timestamp_seconds",
        "When the newest of the backups that the server writes by itself was made, in seconds since \
         1970. It is missing where there is none.",
        backups
            .as_ref()
            .and_then(|state| state.newest)
            .map(|newest| (NO_LABELS, newest.as_second() as f64)),
    )?;
    families.gauge(
        "dispatch_backup_failing",
        "1 while the backup that is due cannot be written. It is missing where the server writes none \
         by itself.",
        backups.map(|state| (NO_LABELS, number_of_flag(state.failure.is_some()))),
    )?;
    families.gauge(
        "dispatch_backup_offsite_newest_timestamp_seconds",
        "When the newest of the backups in the off-site store was made, in seconds since 1970. It is missing \
         where none is known.",
        offsite
            .as_ref()
            .and_then(|state| state.newest)
            .map(|newest| (NO_LABELS, newest.as_second() as f64)),
    )?;
    families.gauge(
        "dispatch_backup_offsite_failing",
        "1 while the newest backup cannot be copied to the off-site store. It is missing where none is named.",
        offsite.map(|state| (NO_LABELS, number_of_flag(state.failure.is_some()))),
    )
}

pub(super) fn write_disks(families: &mut Families<'_>, sources: &MetricSources) -> fmt::Result {
    let disks = sources.disks.measured();
    families.gauge(
        "dispatch_disk_free_bytes",
        "What is left on the disk of a folder that the server writes to, within the last minute.",
        disks
            .iter()
            .map(|disk| ([("folder", disk.folder.as_str())], disk.free_bytes as f64)),
    )?;
    families.gauge(
        "dispatch_disk_size_bytes",
        "How large that disk is.",
        disks
            .iter()
            .map(|disk| ([("folder", disk.folder.as_str())], disk.total_bytes as f64)),
    )?;
    families.gauge(
        "dispatch_disk_low",
        "1 while so little is left there that owners are warned on their screens.",
        disks
            .iter()
            .map(|disk| ([("folder", disk.folder.as_str())], number_of_flag(disk.low))),
    )
}
