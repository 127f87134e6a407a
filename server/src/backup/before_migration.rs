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

/// Deletes older copies and what is left of unfinished ones. What cannot be deleted stays.
fn delete_older(database: &Path, newest: &Path) {
    let Some(name) = database.file_name().and_then(|name| name.to_str()) else {
        return;
    };
    let folder = database.parent().unwrap_or(Path::new("."));
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let prefix = format!("{name}{INFIX}");
    let mut copies = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let file_name = path.file_name().and_then(|name| name.to_str());
        // Of a start that was killed: whoever migrates is alone with the database.
        if let Some(name) = file_name
            && name.starts_with(&prefix)
            && name.ends_with(UNFINISHED)
        {
            let _ = remove_database(&path);
            continue;
        }
        let time = file_name.and_then(|name| parse_time_in_name(name.strip_prefix(&prefix)?));
        if let Some(time) = time
            && path.file_name() != newest.file_name()
        {
            copies.push((time, path));
        }
    }
    copies.sort();
    copies.truncate(copies.len().saturating_sub(KEPT));
    for (_, path) in copies {
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(%error, "{} could not be deleted", path.display());
        }
    }
}
