//! What the log says of the watched folder.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;

use dispatch_intake::ReadError;

use crate::intake::{ImportProgress, ImportSummary};
use crate::log_lines;

/// Faults that are logged until everything works again: a name is part of one, and anybody can make more.
const MAX_FAULTS: usize = 100;

/// Warnings of one file that are logged.
const MAX_WARNINGS: usize = 100;

/// What became of a file.
pub(super) enum FileResult {
    Imported(ImportSummary, Warnings),
    /// Up to where it could be read.
    Unreadable(ReadError, ImportProgress),
    /// It could not be imported, and why.
    Refused(String),
}

impl FileResult {
    /// What stands beside a file that was not read to its end.
    pub(super) fn reason(&self) -> Option<String> {
        match self {
            Self::Imported(..) => None,
            Self::Unreadable(why, _) => Some(format!("{why}\n")),
            Self::Refused(why) => Some(format!("{why}\n")),
        }
    }
}

/// The parts left out of imported rows.
#[derive(Default)]
pub(super) struct Warnings {
    first: Vec<String>,
    more: usize,
}

impl Warnings {
    pub(super) fn add(&mut self, warnings: Vec<String>) {
        let room = MAX_WARNINGS - self.first.len();
        self.more += warnings.len().saturating_sub(room);
        self.first.extend(warnings.into_iter().take(room));
    }
}

/// None for a fault that was logged already, and for one too many.
pub(super) fn fault_line(logged: &mut HashSet<String>, fault: String) -> Option<String> {
    if logged.len() > MAX_FAULTS || logged.contains(&fault) {
        return None;
    }
    let is_last = logged.len() == MAX_FAULTS;
    logged.insert(fault.clone());
    Some(if is_last {
        "more files are at fault, which are not logged until all work again".to_owned()
    } else {
        fault
    })
}

/// A file's name, which its sender chose, for the log.
pub(super) fn log_name(name: &OsStr) -> String {
    log_lines::name(&name.to_string_lossy())
}

/// Logs one line for a file, and a line for each warning. No place: somebody else took the file from the folder before it
/// was moved.
pub(super) fn log_result(name: &str, place: Option<&Path>, result: &FileResult, refused: usize) {
    let name = log_lines::name(name);
    let end = match place {
        Some(place) => {
            let folder = place.parent().unwrap_or(place).display();
            let place = place.file_name().map(log_name).unwrap_or_default();
            format!("moved to {folder}/{place}")
        }
        None => "moved away or replaced by somebody else".to_owned(),
    };
    match result {
        FileResult::Imported(summary, warnings) => {
            let ImportSummary {
                created,
                changed,
                unchanged,
                ..
            } = summary;
            tracing::info!(
                "{name}: {created} created, {changed} changed, {unchanged} unchanged, \
                 {refused} refused; {end}"
            );
            for warning in &warnings.first {
                tracing::info!("{name}: {warning}");
            }
            if warnings.more > 0 {
                tracing::info!("{name}: {} more warnings", warnings.more);
            }
        }
        FileResult::Unreadable(error, progress) => {
            let imported = progress.created + progress.changed + progress.unchanged;
            tracing::warn!("{name}: {error}; {imported} repair orders before it were taken; {end}");
        }
        FileResult::Refused(why) => tracing::warn!("{name}: {why}; {end}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_logged_once_each_and_not_without_end() {
        let mut logged = HashSet::new();
        let mut lines = Vec::new();
        for number in (0..1_000).chain(0..1_000) {
            lines.extend(fault_line(&mut logged, number.to_string()));
        }
        assert_eq!((lines.len(), lines[0].as_str()), (MAX_FAULTS + 1, "0"));
        assert!(lines[MAX_FAULTS].starts_with("more files"), "{lines:?}");
        assert_eq!(logged.len(), MAX_FAULTS + 1);
    }
}
