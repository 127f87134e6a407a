//! A file, or standard input, as it is read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use dispatch_server::files::user_names;
use rustix::process::geteuid;
use tokio::sync::mpsc;

use crate::program::commands::Sentence;

/// Bytes of a file that are read at once.
const CHUNK_SIZE: usize = 64 * 1024;

/// A file, or standard input, as it is read.
pub struct FileChunks {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    name: String,
    /// Why the file could not be read to its end, for a caller that no longer has the chunks.
    pub failed: Arc<Mutex<Option<Sentence>>>,
}

/// A file is often somebody's own, and the command is run as the server's user.
pub fn cannot_read(path: &Path, error: &io::Error) -> Sentence {
    let why = format!("cannot read {}: {error}", path.display());
    if error.kind() != io::ErrorKind::PermissionDenied {
        return why;
    }
    format!(
        "{why}: this runs as the user {}, who may not read it; copy it to where that user may, such as /tmp",
        user_names::user_name(geteuid().as_raw())
    )
}

impl FileChunks {
    /// `-` is standard input.
    pub fn open(path: &Path) -> Result<Self, Sentence> {
        let name = path.display().to_string();
        let mut file: Box<dyn Read + Send> = if path == Path::new("-") {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(path).map_err(|error| cannot_read(path, &error))?)
        };
        let (sender, chunks) = mpsc::channel(2);
        // On a thread that nobody waits for: standard input may be silent for hours after the import has
        // failed.
        std::thread::spawn(move || {
            loop {
                let mut chunk = vec![0; CHUNK_SIZE];
                let chunk = match file.read(&mut chunk) {
                    Ok(0) => return,
                    Ok(length) => {
                        chunk.truncate(length);
                        Ok(chunk)
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                if chunk.is_err() | sender.blocking_send(chunk).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            chunks,
            name,
            failed: Arc::default(),
        })
    }

    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Sentence> {
        let Some(chunk) = self.chunks.recv().await else {
            return Ok(None);
        };
        chunk.map(Some).map_err(|error| {
            let why = format!("cannot read {}: {error}", self.name);
            let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
            failed.insert(why).clone()
        })
    }
}
