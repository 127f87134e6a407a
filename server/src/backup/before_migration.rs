//! The database as it was before a newer version changed its schema.

use std::fs;
use std::path::{Path, PathBuf};

use dispatch_actors::store::Store;
use jiff::Timestamp;

use super::copy::write_copy;
use super::database_file::{
    UNFINISHED, parse_time_in_name, remove_database, time_in_name, with_ending,
};
use super::error::BackupError;

const INFIX: &str = ".before-migration-";

/// As many older copies are kept beside the newest.
const KEPT: usize = 1;

/// Copies a SQLite database whose schema is about to change, beside it. `dispatch restore` brings it back, for the
/// version that wrote it. Gives the copy's file.
pub async fn copy_before_migration(
    store: &Store,
    database: &Path,
    now: Timestamp,
) -> Result<PathBuf, BackupError> {
    let copy = with_ending(database, &format!("{INFIX}{}", time_in_name(now)));
    let backup = write_copy(store, &copy, None).await?;
    delete_older(database, &backup.file);
    Ok(backup.file)
}

/// The newest copy beside the database, if there is one.
pub fn newest_before_migration(database: &Path) -> Option<PathBuf> {
    let newest = find_copies(database).whole.pop();
    newest.map(|(_, copy)| copy)
}

/// Deletes older copies and what is left of unfinished ones. What cannot be deleted stays.
fn delete_older(database: &Path, newest: &Path) {
    let mut copies = find_copies(database);
    // Of a start that was killed: whoever migrates is alone with the database.
    for unfinished in copies.unfinished {
        let _ = remove_database(&unfinished);
    }
    copies
        .whole
        .retain(|(_, copy)| copy.file_name() != newest.file_name());
    let older = copies.whole.len().saturating_sub(KEPT);
    for (_, copy) in copies.whole.drain(..older) {
        if let Err(error) = fs::remove_file(&copy) {
            tracing::warn!(%error, "{} could not be deleted", copy.display());
        }
    }
}

#[derive(Default)]
struct Copies {
    /// By their time, the newest last.
    whole: Vec<(Timestamp, PathBuf)>,
    unfinished: Vec<PathBuf>,
}

fn find_copies(database: &Path) -> Copies {
    let mut copies = Copies::default();
    let Some(name) = database.file_name().and_then(|name| name.to_str()) else {
        return copies;
    };
    let folder = database.parent().unwrap_or(Path::new("."));
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let Ok(entries) = fs::read_dir(folder) else {
        return copies;
    };
    let prefix = format!("{name}{INFIX}");
    for path in entries.flatten().map(|entry| entry.path()) {
        let file_name = path.file_name().and_then(|name| name.to_str());
        let Some(rest) = file_name.and_then(|name| name.strip_prefix(&prefix)) else {
            continue;
        };
        if rest.ends_with(UNFINISHED) {
            copies.unfinished.push(path);
        } else if let Some(time) = parse_time_in_name(rest) {
            copies.whole.push((time, path));
        }
    }
    copies.whole.sort();
    copies
}
