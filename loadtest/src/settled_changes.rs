//! What has been acknowledged long enough for every screen that says it is live to show it.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

use crate::clock::Micros;
use crate::writer::Acknowledged;

#[derive(Debug)]
pub struct SettledChanges {
    /// How long a screen may be wrong while it says that it is live.
    pub grace: Duration,
    changes: RefCell<Changes>,
}

#[derive(Debug, Default)]
struct Changes {
    /// Younger than the grace, the oldest first.
    recent: VecDeque<(Instant, Acknowledged)>,
    /// The newest of the others, by order.
    settled: HashMap<i64, Acknowledged>,
}

impl SettledChanges {
    pub fn new(grace: Duration) -> Self {
        Self {
            grace,
            changes: RefCell::default(),
        }
    }

    pub fn note(&self, acknowledged: &Acknowledged) {
        let mut changes = self.changes.borrow_mut();
        changes.recent.push_back((Instant::now(), *acknowledged));
    }

    /// One that was asked for after that moment, if it is not settled yet.
    pub fn newest_sent_after(&self, at: Micros) -> Option<Acknowledged> {
        let changes = self.changes.borrow();
        let mut newest_first = changes.recent.iter().rev();
        newest_first
            .find(|(_, change)| change.sent > at)
            .map(|(_, change)| *change)
    }

    /// The newest settled change of each order that has any.
    pub fn each(&self, look: impl FnMut(&Acknowledged)) {
        let Changes { recent, settled } = &mut *self.changes.borrow_mut();
        while let Some((at, acknowledged)) = recent.front()
            && at.elapsed() > self.grace
        {
            settled.insert(acknowledged.number, *acknowledged);
            recent.pop_front();
        }
        settled.values().for_each(look);
    }
}
