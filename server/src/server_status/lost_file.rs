//! A SQLite database whose file was deleted, moved or replaced while the server has it open. Changes are refused meanwhile.
//! What was saved before is copied at once, since only this process can still read it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use dispatch_actors::store::{DatabaseUrl, Store};
use dispatch_actors::ticks::next_tick;
use jiff::Timestamp;

use super::database_check::{DatabaseCheck, LostFile};
use super::disk_watch::announce_change;
use crate::backup;
use crate::realtime::announcer::Announcer;

/// From one look to the next, and until a copy that failed is tried again.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
const RETRY_INTERVAL: Duration = Duration::from_secs(60);

/// Looks for as long as the server runs. A copy is written beside the
/// database, or else to the folder of backups.
pub async fn follow_file(
    check: DatabaseCheck,
    database: DatabaseUrl,
    store: Store,
    backup_dir: Option<PathBuf>,
    announcer: Announcer,
) {
    let DatabaseUrl::Sqlite(file) = &database else {
        return;
    };
    let parent = file.parent().filter(|folder| *folder != Path::new(""));
    let folder = parent.unwrap_or(Path::new(".")).to_owned();
    let folders: Vec<PathBuf> = [folder].into_iter().chain(backup_dir).collect();
    loop {
        until_lost(&store).await;
        let copy = copy_to_first(&store, file, &folders).await;
        let is_copied = copy.is_some();
        check.set_lost_file(LostFile { copy });
        announce_change(&announcer).await;
        let retry_at = tokio::time::Instant::now() + RETRY_INTERVAL;
        while store.is_file_lost() && (is_copied || tokio::time::Instant::now() < retry_at) {
            next_tick(LOOK_INTERVAL).await;
        }
        if !store.is_file_lost() {
            tracing::warn!("the database file {} is back", file.display());
            check.check(&database, &store).await;
            announce_change(&announcer).await;
        }
    }
}

async fn until_lost(store: &Store) {
    while !store.is_file_lost() {
        next_tick(LOOK_INTERVAL).await;
    }
}

async fn copy_to_first(store: &Store, file: &Path, folders: &[PathBuf]) -> Option<PathBuf> {
    for folder in folders {
        match backup::copy_lost_file(store, file, folder, Timestamp::now()).await {
            Ok(copy) => {
                tracing::error!(
                    "the database file {} was deleted, moved or replaced; all that was saved is in {}: put the file back, or \
                     stop the server and run dispatch restore with the copy",
                    file.display(),
                    copy.display()
                );
                return Some(copy);
            }
            Err(error) => tracing::error!(
                %error,
                "the database file {} was deleted, moved or replaced, and what is open could not be copied to {}; do not \
                 stop the server before it can be",
                file.display(),
                folder.display()
            ),
        }
    }
    None
}
