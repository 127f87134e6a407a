//! When each board was last seen and what it reported of itself: in memory, and written to the
//! database now and then.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dispatch_actors::store::Store;
use sea_orm::DbErr;

use super::api_types::{Screen, Shows};
use super::store::{self, Seen};
use crate::moments::now_ms;

#[derive(Clone, Default)]
pub struct Sightings {
    by_board: Arc<Mutex<HashMap<String, LastSeen>>>,
}

#[derive(Clone, Default)]
pub struct LastSeen {
    pub at: Option<i64>,
    pub version: Option<String>,
    pub screen: Option<Screen>,
    pub shows: Option<Shows>,
    unwritten: bool,
}

impl Sightings {
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
        self.note(id, |sighting| {
            let pages = |shows: Shows| (shows.orders, shows.pages);
            has_new_pages = sighting.shows.map(pages) != Some(pages(shows))
                || (version.is_some() && version != sighting.version)
                || (screen.is_some() && screen != sighting.screen);
            sighting.shows = Some(shows);
            sighting.version = version.or(sighting.version.take());
            sighting.screen = screen.or(sighting.screen);
        });
        has_new_pages
    }

    /// It is another screen now, or none: the earlier screen's own report is forgotten.
    pub fn forget(&self, id: &str) {
        if let Some(sighting) = self.by_board().get_mut(id) {
            sighting.version = None;
            sighting.screen = None;
            sighting.shows = None;
        }
    }

    /// Writes down what is not.
    pub async fn write(&self, store: &Store) -> Result<(), DbErr> {
        let unwritten: Vec<Seen> = {
            let mut by_board = self.by_board();
            let unwritten = by_board
                .iter_mut()
                .filter(|(_, sighting)| sighting.unwritten);
            unwritten
                .filter_map(|(id, sighting)| {
                    sighting.unwritten = false;
                    Some(Seen {
                        id: id.clone(),
                        at: sighting.at?,
                        version: sighting.version.clone(),
                        screen: sighting.screen,
                    })
                })
                .collect()
        };
        if unwritten.is_empty() {
            return Ok(());
        }
        store::write_last_seen(store, unwritten).await
    }

    fn note(&self, id: &str, note: impl FnOnce(&mut LastSeen)) {
        let mut by_board = self.by_board();
        let sighting = by_board.entry(id.to_owned()).or_default();
        sighting.at = Some(now_ms());
        sighting.unwritten = true;
        note(sighting);
    }

    fn by_board(&self) -> MutexGuard<'_, HashMap<String, LastSeen>> {
        self.by_board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
