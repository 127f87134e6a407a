//! The backups that the server writes by itself and their copies in a store; owners are told when they begin to fail, and
//! when they go well again.

use std::time::Duration;

use dispatch_actors::store::Store;
use jiff::Timestamp;
use tokio::sync::Notify;

use super::disk_watch::announce_change;
use crate::backup::Backups;
use crate::realtime::announcer::Announcer;
use crate::shop_settings::ShopSettings;

/// From one look at whether a backup is due to the next.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// From one look at whether the shop is set up to the next.
const SET_UP_LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// None where no folder for them is configured.
#[derive(Clone, Debug)]
pub struct OwnBackups(pub Option<Backups>);

impl OwnBackups {
    /// Writes backups for as long as the server runs, the first at once if it is due. A shop in which nobody can sign in
    /// has none: where its data folder was lost, what is in the folder for backups is another shop's, and is needed.
    pub async fn follow(self, store: Store, announcer: Announcer, shop: ShopSettings) {
        let Some(backups) = self.0 else {
            return;
        };
        while shop.awaits_set_up() {
            tokio::time::sleep(SET_UP_LOOK_INTERVAL).await;
        }
        // A store that is slow or away holds up no backup.
        let looked = Notify::new();
        let writing = write(&backups, &store, &announcer, &looked);
        let copying = copy_offsite(&backups, &store, &announcer, &looked);
        futures_util::future::join(writing, copying).await;
    }
}

/// `looked`: at whether a backup is due, which is there now if it could be written.
async fn write(backups: &Backups, store: &Store, announcer: &Announcer, looked: &Notify) {
    loop {
        if backups.write_if_due(store, Timestamp::now()).await {
            announce_change(announcer).await;
        }
        looked.notify_one();
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
}

async fn copy_offsite(backups: &Backups, store: &Store, announcer: &Announcer, looked: &Notify) {
    if backups.offsite().is_none() {
        return;
    }
    loop {
        looked.notified().await;
        if backups
            .copy_offsite_if_behind(store, Timestamp::now())
            .await
        {
            announce_change(announcer).await;
        }
    }
}
