//! Where the refused rows of an import are written.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dispatch_intake::{Reject, rejects_ndjson};
use dispatch_server::files::folder_handle::{FolderHandle, NewFile, is_file};
use dispatch_server::log_lines;
use uuid::Uuid;

use crate::program::commands::{Sentence, say};

/// Writes refused rows as they come, to a hidden file that gets its name at the end.
#[derive(Default)]
pub struct Rejects {
    pub path: Option<PathBuf>,
    file: Option<RejectsFile>,
    pub has_rows: bool,
}

impl Rejects {
    pub fn write(&mut self, name: &str, reject: &Reject) -> Result<(), Sentence> {
        self.has_rows = true;
        let Some(path) = &self.path else {
            return Ok(());
        };
        let row = rejects_ndjson(name, std::slice::from_ref(reject));
        let mut write = || {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(RejectsFile::create(path)?),
            };
            file.file.write_all(row.as_bytes())
        };
        write().map_err(|error| write_error(path, &error))
    }

    /// Prints where the rows are. The next file of an import has its own.
    pub fn close(&mut self) -> Result<(), Sentence> {
        if let (Some(path), Some(file)) = (&self.path, self.file.take()) {
            let finished = file.finish();
            finished.map_err(|error| write_error(path, &error))?;
            let path = path.display().to_string();
            say(format!(
                "The refused rows are in {}",
                log_lines::one_line(&path)
            ));
        }
        Ok(())
    }
}

pub fn write_error(path: &Path, error: &io::Error) -> Sentence {
    format!(
        "cannot write the refused rows to {}: {error}",
        path.display()
    )
}

pub fn require_plain_file(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(there) if !there.is_file() => Err(no_plain_file()),
        // A missing file is made. One that cannot be looked at is an error when it is written.
        _ => Ok(()),
    }
}

/// Also of standard output, which is a link.
fn no_plain_file() -> io::Error {
    io::Error::other(
        "that is a link, a pipe, a device or a folder, and customers' data is written to a plain file \
         alone: name one with --rejects",
    )
}

/// Rows contain customers' data, and another user who can write to the folder may have put a link in the
/// way.
struct RejectsFile {
    file: File,
    folder: FolderHandle,
    hidden_name: OsString,
    name: OsString,
}

impl RejectsFile {
    fn create(path: &Path) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let folder = FolderHandle::open(folder)?;
        let Some(name) = path.file_name().map(ToOwned::to_owned) else {
            return Err(io::Error::other("it is a folder"));
        };
        if folder.stat(&name)?.is_some_and(|there| !is_file(&there)) {
            return Err(no_plain_file());
        }
        let hidden_name = OsString::from(format!(".rejects-{}.part", Uuid::new_v4()));
        let file = folder.create(&hidden_name, NewFile::Private)?;
        Ok(Self {
            file,
            folder,
            hidden_name,
            name,
        })
    }

    fn finish(self) -> io::Result<()> {
        self.folder.rename(&self.hidden_name, &self.name)
    }
}
