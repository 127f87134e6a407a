//! How a server gets on with its watched folder: people are told where files that wait would not be noticed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::intake_folder::IntakeFolder;

/// Cheap to clone: all clones are the same.
#[derive(Clone, Debug)]
pub struct FolderHealth {
    report: Arc<Mutex<FolderReport>>,
}

/// What one server knows of its folder. Of several servers one reads the files: that it works for one is enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderReport {
    /// The same for each server that watches the same folder; none before it was reached.
    pub id: Option<String>,
    pub folder: String,
    /// This server reads the files, and its last look found nothing wrong.
    pub works: bool,
    /// What was wrong when this server looked last, in English; none before its first look, and where all was well.
    pub fault: Option<String>,
}

impl FolderHealth {
    /// Of a folder that nobody has looked at yet.
    pub fn new(folder: &IntakeFolder) -> Self {
        let report = FolderReport {
            id: None,
            folder: folder.path.display().to_string(),
            works: false,
            fault: None,
        };
        Self {
            report: Arc::new(Mutex::new(report)),
        }
    }

    pub fn report(&self) -> FolderReport {
        self.current().clone()
    }

    fn current(&self) -> MutexGuard<'_, FolderReport> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, works: bool, fault: Option<String>) {
        let mut report = self.current();
        (report.works, report.fault) = (works, fault);
    }

    /// The folder was reached.
    pub(super) fn note_id(&self, id: Uuid) {
        let mut report = self.current();
        (report.id, report.fault) = (Some(id.to_string()), None);
    }

    pub(super) fn note_that_it_works(&self) {
        self.set(true, None);
    }

    pub(super) fn note_fault(&self, fault: String) {
        self.set(false, Some(fault));
    }

    /// For the time in which this server reads the files. With its end nothing works here any more, and a fault stays
    /// until this server looks again.
    pub(super) fn start_reading(&self) -> Reading<'_> {
        Reading(self)
    }
}

pub(super) struct Reading<'a>(&'a FolderHealth);

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.0.current().works = false;
    }
}
