//! Faults of a SQLite file, reported before or instead of SQLite's own message.

use std::path::Path;
use std::time::Duration;

use sea_orm::DbErr;

use super::Unreachable;
use super::connect::error_code;

/// How often an empty file is looked at before it is refused: another process that makes the file at
/// this moment has written to it by then.
const MAX_LOOKS: u32 = 8;
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// Refuses an empty file: SQLite would take it for a new database, and what was in it would be
/// missed by nobody.
pub(super) async fn refuse_empty(path: &Path) -> Result<(), Unreachable> {
    for _ in 0..MAX_LOOKS {
        if !is_empty(path) {
            return Ok(());
        }
        tokio::time::sleep(LOOK_INTERVAL).await;
    }
    Err(Unreachable::EmptyFile(path.to_owned()))
}

/// What else is wrong with a path is for SQLite to say.
fn is_empty(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|about| about.is_file() && about.len() == 0)
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
