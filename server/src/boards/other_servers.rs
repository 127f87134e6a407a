//! Boards whose screens are connected to other servers of the database: each server says which are connected to it and
//! what they report, and the others show that to those who manage boards.

use std::collections::HashSet;
use std::sync::Arc;

use dispatch_actors::store::SoftStateChange;

use super::registry::Boards;
use super::state::BoardsState;
use crate::moments::now_ms;

/// What other servers hear.
pub(super) const TOPIC: &str = "board-screens";

/// A server that is found to be gone has not been heard for this long, in milliseconds.
const SILENCE_MS: i64 = 10_000;

impl BoardsState {
    /// Tells other servers which boards are connected here, and what they report, where that is new.
    pub(super) fn publish_screens(&self) {
        let boards = &self.boards;
        let connected = self.sockets.boards();
        for id in &connected {
            if let Ok(seen) = serde_json::to_string(&boards.last_seen.of(id)) {
                boards.screens.set(id, seen);
            }
        }
        let gone = boards.screens.own_keys().into_iter();
        gone.filter(|id| !connected.contains(id.as_str()))
            .for_each(|id| boards.screens.remove(&id));
    }

    /// The boards that are connected, to whichever server.
    pub(super) fn connected_boards(&self) -> HashSet<Arc<str>> {
        let elsewhere = self.boards.screens.elsewhere().into_iter();
        let elsewhere = elsewhere.map(|(id, _)| Arc::from(id));
        self.sockets.boards().into_iter().chain(elsewhere).collect()
    }
}

/// Follows the screens of other servers, for as long as this one runs, from this call on.
pub(super) fn follow_screens(boards: &Boards) -> impl Future<Output = ()> + use<> {
    let screens = boards.screens.clone();
    let boards = boards.clone();
    screens.follow(move |change| {
        if boards.note_elsewhere(change) {
            boards.changed.announce();
        }
    })
}

impl Boards {
    /// Whether those who manage boards would see something else now.
    fn note_elsewhere(&self, change: SoftStateChange) -> bool {
        let last_seen = &self.last_seen;
        match change {
            SoftStateChange::Set { key, value, is_new } => {
                let seen = serde_json::from_str(&value);
                seen.is_ok_and(|seen| last_seen.seen_elsewhere(&key, seen)) || is_new
            }
            SoftStateChange::Removed(id) => {
                last_seen.seen_until(&id, now_ms());
                true
            }
            SoftStateChange::Lost(id) => {
                last_seen.seen_until(&id, now_ms() - SILENCE_MS);
                last_seen.take_over(&id);
                true
            }
        }
    }
}
