//! Repair orders: how changes are committed, the list, and what was taken in from other systems.

use std::fmt;

use super::families::{Families, NO_LABELS};
use super::sources::MetricSources;

pub(super) fn write(families: &mut Families<'_>, sources: &MetricSources) -> fmt::Result {
    write_commits(families, sources)?;
    write_list(families, sources)?;
    write_intake(families, sources)
}

fn write_commits(families: &mut Families<'_>, sources: &MetricSources) -> fmt::Result {
    let counts = &sources.commits.counts;
    families.counter(
        "dispatch_changes",
        "Changes of repair orders that this server committed.",
        [(NO_LABELS, counts.changes.get())],
    )?;
    families.sizes(
        "dispatch_commit_group_decisions",
        "Decisions that were committed in one transaction.",
        counts.group_sizes.read(),
    )?;
    families.times(
        "dispatch_commit_duration_seconds",
        "Time that such a transaction took.",
        [(NO_LABELS, counts.commit_times.read())],
    )?;
    families.counter(
        "dispatch_commit_failures",
        "Decisions that could not be committed, or are not known to be; their callers were answered 503.",
        [(NO_LABELS, counts.failures.get())],
    )?;
    families.gauge(
        "dispatch_commit_queue_decisions",
        "Decisions that wait for a transaction; 1024 may.",
        [(NO_LABELS, sources.commits.waiting() as f64)],
    )?;
    let outage = sources.store.status().outage();
    families.gauge(
        "dispatch_changes_saved",
        "1 while changes can be saved, 0 while they are refused.",
        [(NO_LABELS, number_of_flag(outage.not_saving_since.is_none()))],
    )?;
    families.gauge(
        "dispatch_event_log_readable",
        "1 while the log of events can be read, 0 while changes of other processes would go unnoticed.",
        [(NO_LABELS, number_of_flag(outage.not_read_since.is_none()))],
    )?;
    families.gauge(
        "dispatch_event_number",
        "Number of the newest event that was announced. It goes back when the database does.",
        [(NO_LABELS, sources.store.status().announced().seq as f64)],
    )
}

pub(super) fn number_of_flag(is_set: bool) -> f64 {
    if is_set { 1.0 } else { 0.0 }
}

fn write_list(families: &mut Families<'_>, sources: &MetricSources) -> fmt::Result {
    let open = sources.snapshot.read(|open| open.orders.len());
    families.gauge(
        "dispatch_open_repair_orders",
        "Repair orders that are open.",
        [(NO_LABELS, open as f64)],
    )?;
    families.times(
        "dispatch_list_encoding_duration_seconds",
        "Time that it took to encode the list of open repair orders again, after a change and when \
         somebody asked for it.",
        [(NO_LABELS, sources.list_encodings.read())],
    )
}

fn write_intake(families: &mut Families<'_>, sources: &MetricSources) -> fmt::Result {
    let counts = &sources.intake;
    families.counter(
        "dispatch_intake_rows",
        "Rows of files from other systems: of orders that they created, changed or left as they were, \
         and rows that were refused.",
        [
            ([("outcome", "created")], counts.created.get()),
            ([("outcome", "changed")], counts.changed.get()),
            ([("outcome", "unchanged")], counts.unchanged.get()),
            ([("outcome", "refused")], counts.refused.get()),
        ],
    )?;
    let intake = sources.server.intake();
    families.gauge(
        "dispatch_intake_failing",
        "1 while the watched folder does not work, or a file in it holds up the others. It is missing where no server \
         of the shop watches one.",
        intake.map(|intake| (NO_LABELS, number_of_flag(intake.failure.is_some()))),
    )
}
