//! The refused rows of the file that is being imported.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::time::Duration;

use dispatch_intake::{Reject, rejects_ndjson};
use uuid::Uuid;

use super::file_names::HIDDEN;
use super::folder_calls::FolderCalls;
use super::intake_folder::{OpenIntake, REJECTED};
use crate::files::folder_handle::{FolderHandle, NewFile};

/// What was written is sent to the file server at the end: a gigabyte over a slow line.
const SYNC_TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// The refused rows of the file that is being taken, in a hidden file until the last of them is
/// known.
pub(super) struct RejectsWriter {
    intake: OpenIntake,
    calls: FolderCalls,
    file: Option<(File, RejectsFile)>,
    pub(super) count: usize,
}

impl RejectsWriter {
    pub(super) fn new(intake: &OpenIntake, calls: &FolderCalls) -> Self {
        Self {
            intake: intake.clone(),
            calls: calls.clone(),
            file: None,
            count: 0,
        }
    }

    /// After an error there is no file any more, and nothing is to be written.
    pub(super) async fn write(&mut self, name: &str, rejects: &[Reject]) -> io::Result<()> {
        if rejects.is_empty() {
            return Ok(());
        }
        self.count += rejects.len();
        let lines = rejects_ndjson(name, rejects);
        let (intake, file) = (self.intake.clone(), self.file.take());
        let write = move || {
            let (mut file, place) = match file {
                Some(file) => file,
                None => new_file(&intake)?,
            };
            let written = file.write_all(lines.as_bytes());
            Ok((file, place.or_removed(written)?))
        };
        self.file = Some(self.calls.ask(write).await?);
        Ok(())
    }

    /// Where they are, when there are any.
    pub(super) async fn finish(self) -> io::Result<Option<RejectsFile>> {
        let Some((file, place)) = self.file else {
            return Ok(None);
        };
        let sync = move || place.or_removed(file.sync_all());
        self.calls.ask_within(SYNC_TIMEOUT, sync).await.map(Some)
    }

    /// The import is broken off, and writes them anew when it is tried again.
    pub(super) async fn discard(self) {
        if let Some((_, place)) = self.file {
            let remove = move || place.folder.remove(&place.name);
            // What stays is deleted when the server starts.
            let _ = self.calls.ask(remove).await;
        }
    }
}

fn new_file(intake: &OpenIntake) -> io::Result<(File, RejectsFile)> {
    let folder = intake.folder(REJECTED)?;
    let name = OsString::from(HIDDEN.join(&Uuid::now_v7().to_string()));
    let file = folder.create(&name, NewFile::Shared)?;
    Ok((file, RejectsFile { folder, name }))
}

/// A hidden file, and the folder that it was made in.
#[derive(Clone)]
pub(super) struct RejectsFile {
    pub(super) folder: FolderHandle,
    pub(super) name: OsString,
}

impl RejectsFile {
    /// Itself where it was written; else it is removed, since half a list is of no use and a full disk would fill further.
    fn or_removed(self, written: io::Result<()>) -> io::Result<Self> {
        if written.is_err() {
            // The disk's fault is given already.
            let _ = self.folder.remove(&self.name);
        }
        written.map(|()| self)
    }
}
