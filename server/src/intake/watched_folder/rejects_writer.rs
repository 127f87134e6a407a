//! The refused rows of the file that is being imported.

use std::ffi::OsString;
use std::io;

use dispatch_intake::{Reject, rejects_ndjson};
use tokio::io::AsyncWriteExt;
use uuid::Uuid;

use super::file_names::HIDDEN;
use super::intake_folder::{OpenIntake, REJECTED};
use crate::files::folder_handle::{FolderHandle, NewFile};

/// The refused rows of the file that is being taken, in a hidden file until the last of them is
/// known.
pub(super) struct RejectsWriter {
    intake: OpenIntake,
    file: Option<(tokio::fs::File, RejectsFile)>,
    pub(super) count: usize,
}

impl RejectsWriter {
    pub(super) fn new(intake: &OpenIntake) -> Self {
        Self {
            intake: intake.clone(),
            file: None,
            count: 0,
        }
    }

    pub(super) async fn write(&mut self, name: &str, rejects: &[Reject]) -> io::Result<()> {
        if rejects.is_empty() {
            return Ok(());
        }
        self.count += rejects.len();
        let (file, _) = match &mut self.file {
            Some(file) => file,
            none => {
                let folder = self.intake.folder(REJECTED)?;
                let name = OsString::from(HIDDEN.join(&Uuid::now_v7().to_string()));
                let file = folder.create(&name, NewFile::Shared)?;
                none.insert((file.into(), RejectsFile { folder, name }))
            }
        };
        file.write_all(rejects_ndjson(name, rejects).as_bytes())
            .await
    }

    /// Where they are, when there are any.
    pub(super) async fn finish(self) -> io::Result<Option<RejectsFile>> {
        match self.file {
            Some((file, place)) => file.sync_all().await.map(|()| Some(place)),
            None => Ok(None),
        }
    }
}

/// A hidden file, and the folder that it was made in.
pub(super) struct RejectsFile {
    pub(super) folder: FolderHandle,
    pub(super) name: OsString,
}
