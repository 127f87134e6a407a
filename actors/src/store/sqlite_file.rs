//! Faults of a SQLite file, reported before or instead of SQLite's own message.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sea_orm::DbErr;

use super::Unreachable;
use super::connect::error_code;

/// How often a file with nothing in it is looked at before it is refused: another process that makes the file at this
/// moment has written to it by then.
const MAX_LOOKS: u32 = 8;
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// Refuses a file with nothing in it: SQLite would take it for a new database, and what was in it would be missed by
/// nobody.
pub(super) async fn refuse_empty(path: &Path) -> Result<(), Unreachable> {
    let mut refused = None;
    for _ in 0..MAX_LOOKS {
        refused = why_empty(path);
        if refused.is_none() {
            return Ok(());
        }
        tokio::time::sleep(LOOK_INTERVAL).await;
    }
    refused.map_or(Ok(()), Err)
}

/// What else is wrong with a path is for SQLite to say.
fn why_empty(path: &Path) -> Option<Unreachable> {
    let about = path.metadata().ok().filter(|about| about.is_file())?;
    if about.len() == 0 {
        return Some(Unreachable::EmptyFile(path.to_owned()));
    }
    let is_bare = has_no_table(path, about.len()) && !has_log(path);
    is_bare.then(|| Unreachable::WithoutLog(path.to_owned()))
}

/// The first page of a database has a header of 100 bytes, in which two at 16 say how long a page is, and then the schema's
/// page, whose cells are counted at its third byte (https://www.sqlite.org/fileformat.html).
fn has_no_table(path: &Path, length: u64) -> bool {
    let mut page = [0; 108];
    let is_read = File::open(path).and_then(|mut file| file.read_exact(&mut page));
    let number = |at: usize| u64::from(u16::from_be_bytes([page[at], page[at + 1]]));
    is_read.is_ok()
        && page.starts_with(b"SQLite format 3\0")
        && number(16) == length
        && number(103) == 0
}

fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    Path::new(&log).metadata().is_ok_and(|log| log.len() > 0)
}

/// SQLite's result codes that are looked at: SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_NOTADB.
const BUSY: u32 = 5;
const CORRUPT: u32 = 11;
const NOT_A_DATABASE: u32 = 26;

/// Another process has the file for itself.
pub(super) fn is_busy(error: &DbErr) -> bool {
    result_code(error) == Some(BUSY)
}

/// What is wrong with the file, where it is the file.
pub(super) fn fault(path: &Path, error: &DbErr) -> Option<Unreachable> {
    match result_code(error)? {
        NOT_A_DATABASE => Some(Unreachable::NotSqlite(path.to_owned())),
        CORRUPT => Some(Unreachable::Damaged(path.to_owned())),
        _ => None,
    }
}

/// The extended code has more above the first byte.
fn result_code(error: &DbErr) -> Option<u32> {
    let code: u32 = error_code(error)?.parse().ok()?;
    Some(code & 0xff)
}

/// The database file that was opened. It stays readable and writable when it is deleted, but nobody finds it again once
/// this process ends.
#[derive(Clone, Debug)]
pub(super) struct OpenedFile {
    path: PathBuf,
    log_path: PathBuf,
    id: FileId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileId {
    device: u64,
    inode: u64,
}

impl OpenedFile {
    /// None where the file cannot be looked at, or is none.
    pub(super) fn at(path: &Path) -> Option<Self> {
        let mut log_path = path.as_os_str().to_owned();
        log_path.push("-wal");
        Some(Self {
            path: path.to_owned(),
            log_path: log_path.into(),
            id: FileId::at(path).ok()?,
        })
    }

    /// Whether the path of the file or of its write-ahead log leads elsewhere by now. A disk that does not say is no proof.
    pub(super) fn is_lost(&self) -> bool {
        let is_another = match FileId::at(&self.path) {
            Ok(id) => id != self.id,
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        let log = self.log_path.metadata();
        is_another || log.is_err_and(|error| error.kind() == ErrorKind::NotFound)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl FileId {
    fn at(path: &Path) -> std::io::Result<Self> {
        let about = path.metadata()?;
        Ok(Self {
            device: about.dev(),
            inode: about.ino(),
        })
    }
}
