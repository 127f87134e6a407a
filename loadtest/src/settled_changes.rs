//! What has been acknowledged long enough for every screen that says it is live to show it.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

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
