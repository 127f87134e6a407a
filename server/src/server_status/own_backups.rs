//! The backups that the server writes by itself; owners are told when they begin to fail, and when they are written again.

use std::time::Duration;

use dispatch_actors::store::Store;
use jiff::Timestamp;

use super::disk_watch::announce_change;
use crate::backup::Backups;
use crate::realtime::announcer::Announcer;

/// From one look at whether a backup is due to the next.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// None where no folder for them is configured.
#[derive(Clone, Debug)]
pub struct OwnBackups(pub Option<Backups>);

impl OwnBackups {
    /// Writes backups for as long as the server runs, the first at once if it is due.
    pub async fn follow(self, store: Store, announcer: Announcer) {
        let Some(backups) = self.0 else {
            return;
        };
        loop {
            if backups.write_if_due(&store, Timestamp::now()).await {
                announce_change(&announcer).await;
            }
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
    }
}
