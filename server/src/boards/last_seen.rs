//! When each board was last seen and what it reported of itself, at whichever server: in memory, and written to the
//! database now and then by the server that saw it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dispatch_actors::store::Store;
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};

use super::api_types::{Screen, Shows};
use super::entities::board;
use super::store::{self, Seen};
use crate::moments::now_ms;

#[derive(Clone, Default)]
pub struct BoardsLastSeen {
    by_board: Arc<Mutex<HashMap<String, LastSeen>>>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct LastSeen {
    pub at: Option<i64>,
    pub version: Option<String>,
    pub screen: Option<Screen>,
    pub shows: Option<Shows>,
    #[serde(skip)]
    unwritten: bool,
}

impl LastSeen {
    /// As it was written last, by whichever server.
    pub fn of_row(row: &board::Model) -> Self {
        Self {
            at: row.last_seen_at,
            version: row.version.clone(),
            screen: row.screen(),
            shows: None,
            unwritten: false,
        }
    }

    /// The later of the two, with what only the other one knows.
    pub fn or(self, other: Self) -> Self {
        let (later, earlier) = match self.at < other.at {
            true => (other, self),
            false => (self, other),
        };
        Self {
            at: later.at,
            version: later.version.or(earlier.version),
            screen: later.screen.or(earlier.screen),
            shows: later.shows.or(earlier.shows),
            unwritten: false,
        }
    }

    /// Whether those who look at boards would see another one.
    fn looks_other_than(&self, before: &Self) -> bool {
        let pages = |it: &Self| it.shows.map(|shows| (shows.orders, shows.pages));
        pages(self) != pages(before)
            || self.version != before.version
            || self.screen != before.screen
    }
}

impl BoardsLastSeen {
    pub fn of(&self, id: &str) -> LastSeen {
        self.by_board().get(id).cloned().unwrap_or_default()
    }

    /// A board was there a moment ago.
    pub fn mark_seen(&self, id: &str) {
        self.note(id, |_| {});
    }

    /// What a board says of itself; whether those who look at it have not seen that.
    pub fn says(
        &self,
        id: &str,
        shows: Shows,
        version: Option<String>,
        screen: Option<Screen>,
    ) -> bool {
        let mut has_new_pages = false;
        self.note(id, |seen| {
            let before = seen.clone();
            seen.shows = Some(shows);
            seen.version = version.or(seen.version.take());
            seen.screen = screen.or(seen.screen);
            has_new_pages = seen.looks_other_than(&before);
        });
        has_new_pages
    }

    /// What another server says of a board that is connected there; whether those who look at it have not seen that.
    pub fn seen_elsewhere(&self, id: &str, seen: LastSeen) -> bool {
        let mut by_board = self.by_board();
        let ours = by_board.entry(id.to_owned()).or_default();
        if seen.at < ours.at {
            return false;
        }
        let is_new = seen.looks_other_than(ours);
        // That one writes it.
        let unwritten = ours.unwritten;
        *ours = LastSeen { unwritten, ..seen };
        is_new
    }

    /// A board was connected to another server until then, in milliseconds since 1970.
    pub fn seen_until(&self, id: &str, at: i64) {
        let mut by_board = self.by_board();
        let seen = by_board.entry(id.to_owned()).or_default();
        seen.at = seen.at.max(Some(at));
    }

    /// Whoever saw this board last could not write it: that server is gone, or the database was away.
    pub fn take_over(&self, id: &str) {
        if let Some(seen) = self.by_board().get_mut(id) {
            seen.unwritten = true;
        }
    }

    /// It is another screen now, or none: the earlier screen's own report is forgotten.
    pub fn forget(&self, id: &str) {
        if let Some(seen) = self.by_board().get_mut(id) {
            seen.version = None;
            seen.screen = None;
            seen.shows = None;
        }
    }

    /// Writes down what is not.
    pub async fn write(&self, store: &Store) -> Result<(), DbErr> {
        let unwritten: Vec<Seen> = {
            let mut by_board = self.by_board();
            let unwritten = by_board.iter_mut().filter(|(_, seen)| seen.unwritten);
            unwritten
                .filter_map(|(id, seen)| {
                    seen.unwritten = false;
                    Some(Seen {
                        id: id.clone(),
                        at: seen.at?,
                        version: seen.version.clone(),
                        screen: seen.screen,
                    })
                })
                .collect()
        };
        if unwritten.is_empty() {
            return Ok(());
        }
        let ids: Vec<String> = unwritten.iter().map(|seen| seen.id.clone()).collect();
        let written = store::write_last_seen(store, unwritten).await;
        if written.is_err() {
            // A board that is off by now is not seen again.
            ids.iter().for_each(|id| self.take_over(id));
        }
        written
    }

    fn note(&self, id: &str, note: impl FnOnce(&mut LastSeen)) {
        let mut by_board = self.by_board();
        let seen = by_board.entry(id.to_owned()).or_default();
        seen.at = Some(now_ms());
        seen.unwritten = true;
        note(seen);
    }

    fn by_board(&self) -> MutexGuard<'_, HashMap<String, LastSeen>> {
        self.by_board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use dispatch_actors::testing::Throwaway;
    use sea_orm::ConnectionTrait;

    use super::*;

    #[actix_web::test]
    async fn what_could_not_be_written_is_written_the_next_time() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let run = async |sql: &str| store.writer().execute_unprepared(sql).await.unwrap();
        let seen = BoardsLastSeen::default();
        seen.mark_seen("a");
        run("ALTER TABLE boards RENAME TO out_of_reach").await;
        seen.write(&store).await.unwrap_err();
        assert!(seen.of("a").unwritten);
        run("ALTER TABLE out_of_reach RENAME TO boards").await;
        seen.write(&store).await.unwrap();
        assert!(!seen.of("a").unwritten);
    }
}
