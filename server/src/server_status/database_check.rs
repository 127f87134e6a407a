//! SQLite's file, read whole when the server starts, once a day, and when changes cannot be saved any more: what a disk has
//! damaged shows before somebody needs it, and while there are backups from before.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use dispatch_actors::store::{DatabaseUrl, Store};
use dispatch_actors::ticks::next_tick;
use jiff::Timestamp;

use super::disk_watch::announce_change;
use crate::backup::DamagedDatabase;
use crate::realtime::announcer::Announcer;

const CHECK_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

/// From one look at whether changes can be saved to the next.
const OUTAGE_LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// What the last check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseHealth {
    /// None before the first check, and for PostgreSQL, which its own administrators look after.
    pub checked_at: Option<Timestamp>,
    /// The first fault, in SQLite's words.
    pub damage: Option<String>,
    /// Where the file is no longer the one that the server has open.
    pub lost_file: Option<LostFile>,
}

impl DatabaseHealth {
    pub fn is_well(&self) -> bool {
        self.damage.is_none() && self.lost_file.is_none()
    }
}

/// A file that was deleted, moved or replaced under the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostFile {
    /// What has all that was saved; none where it could not be written yet.
    pub copy: Option<PathBuf>,
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
        let announce = async || announce_change(&announcer).await;
        self.follow_every(CHECK_INTERVAL, database, store, announce)
            .await;
    }

    /// `announce`: that there is another result than before.
    async fn follow_every(
        self,
        interval: Duration,
        database: DatabaseUrl,
        store: Store,
        announce: impl AsyncFn(),
    ) {
        if !matches!(database, DatabaseUrl::Sqlite(_)) {
            return;
        }
        loop {
            if self.check(&database, &store).await {
                announce().await;
            }
            tokio::select! {
                () = tokio::time::sleep(interval) => {}
                () = until_outage(&store) => {}
            }
        }
    }

    pub(super) fn set_lost_file(&self, lost: LostFile) {
        let mut health = self.0.write().unwrap_or_else(PoisonError::into_inner);
        health.lost_file = Some(lost);
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
            lost_file: None,
        };
        let is_changed = health.damage != before.damage || before.lost_file.is_some();
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = health;
        is_changed
    }
}

/// Until changes cannot be saved, of which damage may be the reason. An outage that goes on is none that begins.
async fn until_outage(store: &Store) {
    let since = || store.status().outage().not_saving_since;
    let before = since();
    loop {
        next_tick(OUTAGE_LOOK_INTERVAL).await;
        let now = since();
        if now.is_some() && now != before {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::os::unix::fs::FileExt;
    use std::sync::atomic::{AtomicU32, Ordering};

    use dispatch_actors::testing::Throwaway;
    use sea_orm::{ConnectionTrait, DbBackend, Statement};

    use super::*;

    /// Where the first page of an index is in a file that has all that was written, how large it is, and its number.
    async fn first_page(store: &Store) -> (u64, usize, u64) {
        let page = "SELECT rootpage, (SELECT page_size FROM pragma_page_size) \
                    FROM sqlite_master WHERE name = 'tech_stories_of_person'";
        let page = Statement::from_string(DbBackend::Sqlite, page);
        let row = store.reader().query_one_raw(page).await.unwrap().unwrap();
        let [page, size]: [i64; 2] = [0, 1].map(|at| row.try_get_by_index(at).unwrap());
        let (page, size) = (u64::try_from(page).unwrap(), u64::try_from(size).unwrap());
        ((page - 1) * size, usize::try_from(size).unwrap(), page)
    }

    #[tokio::test]
    async fn what_is_damaged_while_the_server_runs_is_found_and_told_once_by_a_later_check() {
        let database = Throwaway::sqlite();
        let DatabaseUrl::Sqlite(file) = &database.url else {
            unreachable!("it is SQLite");
        };
        let store = database.store().await;
        store.write_back_log().await.unwrap();
        let (at, size, page) = first_page(&store).await;
        let (check, told) = (DatabaseCheck::default(), AtomicU32::new(0));
        let interval = Duration::from_millis(10);
        let telling = async || {
            told.fetch_add(1, Ordering::Relaxed);
        };
        let url = database.url.clone();
        let following = check
            .clone()
            .follow_every(interval, url, store.clone(), telling);
        let next_health = async || {
            let begun = Timestamp::now();
            loop {
                let health = check.health();
                if health.checked_at.is_some_and(|at| at > begun) {
                    return health;
                }
                tokio::time::sleep(interval).await;
            }
        };
        let meanwhile = async {
            for _ in 0..2 {
                assert_eq!(next_health().await.damage, None);
            }
            assert_eq!(told.load(Ordering::Relaxed), 0, "it was whole before, too");
            // As a disk does it: SQLite is not told, and nobody changes anything.
            let file = OpenOptions::new().write(true).open(file).unwrap();
            file.write_all_at(&vec![0x55; size], at).unwrap();
            // One that had begun may have passed that page.
            next_health().await;
            for _ in 0..2 {
                let damage = next_health().await.damage.expect("it is found");
                assert!(damage.contains(&page.to_string()), "{damage}");
            }
            assert_eq!(told.load(Ordering::Relaxed), 1);
        };
        tokio::select! {
            () = following => panic!("it is followed for as long as the server runs"),
            () = meanwhile => {}
        }
    }
}
