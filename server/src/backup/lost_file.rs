//! The copy of a database whose file was deleted, moved or replaced while the server has it open.

use std::path::{Path, PathBuf};

use dispatch_actors::store::Store;
use jiff::Timestamp;

use super::copy::write_copy;
use super::database_file::{folder_of, parse_time_in_name, time_in_name, with_ending};
use super::error::BackupError;

const INFIX: &str = ".rescued-";

/// Copies what is open into a folder. `dispatch restore` brings it back. Gives the copy's file.
pub async fn copy_lost_file(
    store: &Store,
    database: &Path,
    folder: &Path,
    now: Timestamp,
) -> Result<PathBuf, BackupError> {
    let name = database.file_name().unwrap_or(database.as_os_str());
    let copy = with_ending(&folder.join(name), &format!("{INFIX}{}", time_in_name(now)));
    Ok(write_copy(store, &copy, None).await?.file)
}

/// The newest such copy beside a database.
pub fn newest_rescued_copy(database: &Path) -> Option<PathBuf> {
    let begins = format!("{}{INFIX}", database.file_name()?.to_str()?);
    let files = std::fs::read_dir(folder_of(database)).ok()?;
    let copies = files.filter_map(|file| {
        let file = file.ok()?;
        let name = file.file_name();
        let time = parse_time_in_name(name.to_str()?.strip_prefix(&begins)?)?;
        Some((time, file.path()))
    });
    copies.max().map(|(_, copy)| copy)
}
