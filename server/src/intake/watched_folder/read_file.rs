//! A file of the folder, imported as far as it can be read.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};

use dispatch_actors::store::Outage;
use dispatch_intake::FormatChoice;

use super::file_stamp::FileStamp;
use super::folder_calls::FolderCalls;
use super::intake_folder::OpenIntake;
use super::rejects_writer::{RejectsFile, RejectsWriter};
use super::take_error::TakeError;
use super::watch_log::{FileResult, Warnings};
use crate::intake::{FileImport, ImportError, ImportProgress, IntakeState};

/// Bytes that are read at once, in the time of one call.
const CHUNK_SIZE: usize = 64 * 1024;

/// What became of a file, which is to be moved.
pub(super) struct ReadFile {
    pub(super) stamp: FileStamp,
    pub(super) result: FileResult,
    /// How many rows were refused, and where they are.
    pub(super) refused: usize,
    pub(super) rejects: Option<RejectsFile>,
}

impl ReadFile {
    /// It could not be imported, for this reason.
    pub(super) fn refused(stamp: FileStamp, why: String) -> Self {
        Self {
            stamp,
            result: FileResult::Refused(why),
            refused: 0,
            rejects: None,
        }
    }

    /// After an error it may be imported in part, and is to be imported again from its beginning.
    pub(super) async fn import(
        state: &IntakeState,
        calls: &FolderCalls,
        folder: &OpenIntake,
        name: &OsStr,
        file: File,
        stamp: FileStamp,
    ) -> Result<Self, TakeError> {
        let mut rejects = RejectsWriter::new(folder, calls);
        let name = name.to_string_lossy();
        let result = match import_to_end(state, calls, &name, file, &mut rejects).await {
            Ok(result) => result,
            Err(error) => {
                if !error.is_folder_timeout() {
                    rejects.discard().await;
                }
                return Err(error);
            }
        };
        Ok(Self {
            stamp,
            result,
            refused: rejects.count,
            rejects: rejects.finish().await?,
        })
    }
}

async fn import_to_end(
    state: &IntakeState,
    calls: &FolderCalls,
    name: &str,
    mut file: File,
    rejects: &mut RejectsWriter,
) -> Result<FileResult, TakeError> {
    let mut import = FileImport::new(state, name, FormatChoice::Auto, false);
    let mut warnings = Warnings::default();
    loop {
        let (chunk, rest) = calls.ask(move || read_chunk(file)).await?;
        file = rest;
        if chunk.is_empty() {
            break;
        }
        let fed = import.feed(&chunk).await;
        rejects.write(name, &import.take_rejects()).await?;
        warnings.add(import.take_warnings());
        if let Err(error) = fed {
            return file_error(state, error, import.progress());
        }
    }
    match import.finish().await {
        Ok(mut summary) => {
            rejects.write(name, &summary.rejects).await?;
            warnings.add(std::mem::take(&mut summary.warnings));
            Ok(FileResult::Imported(summary, warnings))
        }
        Err(error) => file_error(state, error, import.progress()),
    }
}

/// Gives the file back. An empty chunk is its end.
fn read_chunk(mut file: File) -> io::Result<(Vec<u8>, File)> {
    let mut chunk = Vec::with_capacity(CHUNK_SIZE);
    let mut limited = file.by_ref().take(CHUNK_SIZE as u64);
    limited.read_to_end(&mut chunk)?;
    Ok((chunk, file))
}

/// An outage is an error: the file is not at fault, stays where it is and is tried again.
fn file_error(
    state: &IntakeState,
    error: ImportError,
    progress: ImportProgress,
) -> Result<FileResult, TakeError> {
    match error {
        ImportError::Unreadable(error) => Ok(FileResult::Unreadable(error, progress)),
        // It may be one repair order, which another program holds locked or a disk has damaged.
        ImportError::Unavailable if state.store.status().outage() == Outage::default() => {
            Err(TakeError::Refused(format!(
                "{error} (other changes can be saved: the log says which repair order cannot)"
            )))
        }
        ImportError::Unavailable => Err(TakeError::NotImported(io::Error::other(error))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_to_its_end_in_chunks() {
        let path = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(path.path(), vec![b'x'; CHUNK_SIZE + 1]).unwrap();
        let mut file = File::open(path.path()).unwrap();
        for length in [CHUNK_SIZE, 1, 0] {
            let (chunk, rest) = read_chunk(file).unwrap();
            assert_eq!(chunk.len(), length);
            file = rest;
        }
    }
}
