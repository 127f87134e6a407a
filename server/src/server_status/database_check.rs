//! SQLite's file, read whole when the server starts and once a day: what a disk has damaged shows before somebody needs
//! it, and while there are backups from before.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use dispatch_actors::store::{DatabaseUrl, Store};
use jiff::Timestamp;

use super::disk_watch::announce_change;
use crate::backup::DamagedDatabase;
use crate::realtime::announcer::Announcer;

const CHECK_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

/// What the last check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseHealth {
    /// None before the first check, and for PostgreSQL, which its own administrators look after.
    pub checked_at: Option<Timestamp>,
    /// The first fault, in SQLite's words.
    pub damage: Option<String>,
}

/// Cheap to clone: all clones are the same.
#[derive(Clone, Debug, Default)]
pub struct DatabaseCheck(Arc<RwLock<DatabaseHealth>>);

impl DatabaseCheck {
    pub fn health(&self) -> DatabaseHealth {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Checks for as long as the server runs, at first at once.
    pub async fn follow(self, database: DatabaseUrl, store: Store, announcer: Announcer) {
        if !matches!(database, DatabaseUrl::Sqlite(_)) {
            return;
        }
        loop {
            if self.check(&database, &store).await {
                announce_change(&announcer).await;
            }
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
    }

    /// The database's file is lost, which counts as damage.
    pub(super) fn set_damage(&self, damage: &str) {
        let mut health = self.0.write().unwrap_or_else(PoisonError::into_inner);
        health.damage = Some(damage.to_owned());
    }

    /// Whether there is another result than before. A lost file stays what it is however whole it reads.
    pub(super) async fn check(&self, database: &DatabaseUrl, store: &Store) -> bool {
        if store.is_file_lost() {
            return false;
        }
        let damage = match store.find_damage().await {
            Ok(damage) => damage,
            Err(error) => Some(error.to_string()),
        };
        if let Some(damage) = &damage {
            let damaged = DamagedDatabase {
                database: database.clone(),
                damage: damage.clone(),
            };
            tracing::error!("{damaged}");
        }
        let before = self.health();
        let health = DatabaseHealth {
            checked_at: Some(Timestamp::now()),
            damage,
        };
        let is_changed = health.damage != before.damage;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = health;
        is_changed
    }
}
