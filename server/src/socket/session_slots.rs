//! How many sessions all threads have together, and how many they may: each is an open file.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Screens that come back every few seconds are logged once in this time.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// Shared by all threads.
#[derive(Debug)]
pub struct SessionSlots {
    max: usize,
    taken: AtomicUsize,
    refusals: Mutex<Refusals>,
}

#[derive(Debug, Default)]
struct Refusals {
    logged: Option<Instant>,
    /// Since then.
    count: u64,
}

impl SessionSlots {
    pub fn new(max: usize) -> Self {
        Self {
            max,
            taken: AtomicUsize::new(0),
            refusals: Mutex::default(),
        }
    }

    /// Whether one more session may come; that none may is logged.
    pub(super) fn has_room(&self) -> bool {
        let taken = self.taken.load(Ordering::Relaxed);
        if taken < self.max {
            return true;
        }
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(refused) = refusals.count_one(Instant::now()) {
            tracing::warn!(
                "no more files may be open for screens: {taken} are connected, {refused} turned away \
                 since this was said last; raise LimitNOFILE (systemd) or ulimit -n"
            );
        }
        false
    }

    pub(super) fn take(&self) {
        self.taken.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn release(&self) {
        self.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Refusals {
    /// How many there were since the last line, when it is time for another.
    fn count_one(&mut self, now: Instant) -> Option<u64> {
        self.count += 1;
        let is_due = |logged: Instant| now.duration_since(logged) >= LOG_INTERVAL;
        if !self.logged.is_none_or(is_due) {
            return None;
        }
        self.logged = Some(now);
        Some(std::mem::take(&mut self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_logged_once_a_minute_with_their_number() {
        let mut refusals = Refusals::default();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let counted = [0, 1, 59, 60, 61].map(|seconds| refusals.count_one(after(seconds)));
        assert_eq!(counted, [Some(1), None, None, Some(3), None]);
    }
}
