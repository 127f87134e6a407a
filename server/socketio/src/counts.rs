//! What all threads of a mount count of their work.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Since the process began.
#[derive(Debug, Default)]
pub struct StreamCounts {
    deliveries: AtomicU64,
    cut_behind: AtomicU64,
    cut_silent: AtomicU64,
}

/// A [`StreamCounts`] as it was at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamReading {
    /// How often a session was written what was new in the stream: once for all that there was by then.
    pub deliveries: u64,
    /// Sessions that were closed because they did not take what they were sent.
    pub cut_behind: u64,
    /// Sessions that were closed because they did not answer a ping.
    pub cut_silent: u64,
}

impl StreamCounts {
    pub(crate) fn delivered(&self, sessions: u64) {
        self.deliveries.fetch_add(sessions, Relaxed);
    }

    pub(crate) fn cut_behind(&self) {
        self.cut_behind.fetch_add(1, Relaxed);
    }

    pub(crate) fn cut_silent(&self) {
        self.cut_silent.fetch_add(1, Relaxed);
    }

    pub fn read(&self) -> StreamReading {
        StreamReading {
            deliveries: self.deliveries.load(Relaxed),
            cut_behind: self.cut_behind.load(Relaxed),
            cut_silent: self.cut_silent.load(Relaxed),
        }
    }
}
