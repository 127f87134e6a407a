//! Whether files from other systems are read; owners are told when they no longer are, and when they are again.

use std::time::Duration;

use dispatch_actors::ticks::ticks;

use super::RunningServer;
use super::api_types::IntakeStatus;
use super::disk_watch::announce_change;
use crate::intake::watched_folder::FolderReport;
use crate::realtime::announcer::Announcer;

/// A folder that does not work for a moment is not told of each time.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// Of what the shop's servers report: a folder works where one of them reads it. None reports where it watches none.
pub(super) fn intake_status(reports: &[FolderReport]) -> Option<IntakeStatus> {
    let is_read = |of: &FolderReport| {
        let mut same = reports
            .iter()
            .filter(|one| one.id.is_some() && one.id == of.id);
        same.any(|one| one.works)
    };
    let fails = |report: &&FolderReport| report.fault.is_some() && !is_read(report);
    let failing = reports.iter().find(fails);
    Some(IntakeStatus {
        folder: failing.or(reports.first())?.folder.clone(),
        failure: failing.and_then(|report| report.fault.clone()),
    })
}

/// For as long as the server runs.
pub async fn follow_intake(server: RunningServer, announcer: Announcer) {
    let failure = || server.intake()?.failure;
    let mut told = None;
    let mut look = ticks(LOOK_INTERVAL);
    loop {
        look.tick().await;
        let now = failure();
        if now != told {
            announce_change(&announcer).await;
        }
        told = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(id: Option<&str>, works: bool, fault: Option<&str>) -> FolderReport {
        FolderReport {
            id: id.map(str::to_owned),
            folder: "/srv/intake".to_owned(),
            works,
            fault: fault.map(str::to_owned),
        }
    }

    fn failure(reports: &[&FolderReport]) -> Option<String> {
        let reports: Vec<_> = reports.iter().map(|report| (*report).clone()).collect();
        intake_status(&reports)
            .expect("a folder is watched")
            .failure
    }

    #[test]
    fn a_folder_that_one_server_reads_works_whatever_another_found_there() {
        let works = report(Some("one"), true, None);
        let fails = report(Some("one"), false, Some("it is gone"));
        let waits = report(Some("one"), false, None);
        assert_eq!(failure(&[&works, &fails]), None);
        assert_eq!(failure(&[&fails, &works]), None);
        assert_eq!(failure(&[&fails]).as_deref(), Some("it is gone"));
        assert_eq!(failure(&[&waits, &fails]).as_deref(), Some("it is gone"));
        assert_eq!(failure(&[&waits]), None);
        assert_eq!(intake_status(&[]), None);
    }

    #[test]
    fn another_folder_that_is_read_hides_no_fault() {
        let works = report(Some("one"), true, None);
        let fails = report(Some("other"), false, Some("it is gone"));
        assert_eq!(failure(&[&works, &fails]).as_deref(), Some("it is gone"));
        // Whose folder was never reached may be any.
        let never_reached = report(None, false, Some("it is not there"));
        assert_eq!(
            failure(&[&works, &never_reached]).as_deref(),
            Some("it is not there")
        );
    }
}
