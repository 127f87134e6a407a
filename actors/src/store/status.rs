//! What this process knows of its database right now: which log it is, how far it was announced, when
//! it was read last, and whether changes can be saved. Everybody who tells people how far to trust a
//! screen asks here.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::LogPosition;

/// A log that was not read for this long may hold changes that no screen here has heard of.
const STALE_AFTER: Duration = Duration::from_secs(4);

#[derive(Clone)]
pub struct LogStatus {
    inner: Arc<Inner>,
}

struct Inner {
    generation: RwLock<Arc<str>>,
    state: Mutex<State>,
}

struct State {
    announced: LogPosition,
    /// When the log was read last and found to hold nothing that was not announced.
    read: (Instant, Timestamp),
    not_saving_since: Option<Timestamp>,
}

/// Since when something does not work; none while it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outage {
    /// Changes cannot be made durable.
    pub not_saving_since: Option<Timestamp>,
    /// The log cannot be read: what others change is not heard of.
    pub not_read_since: Option<Timestamp>,
}

impl Default for LogStatus {
    fn default() -> Self {
        Self {
            inner: Arc::new(Inner {
                generation: RwLock::new("".into()),
                state: Mutex::new(State {
                    announced: LogPosition::default(),
                    read: (Instant::now(), Timestamp::now()),
                    not_saving_since: None,
                }),
            }),
        }
    }
}

impl LogStatus {
    /// Which log this is. Another one means that nothing known of the log before holds any more.
    pub fn generation(&self) -> Arc<str> {
        let generation = self.inner.generation.read();
        generation.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_generation(&self, generation: &str) {
        let known = self.inner.generation.write();
        *known.unwrap_or_else(PoisonError::into_inner) = generation.into();
    }

    /// The log went back: it ends here now, under another name.
    pub(crate) fn start_over(&self, generation: &str, announced: LogPosition) {
        self.set_announced(announced);
        self.set_generation(generation);
    }

    /// The newest event that was announced here. A log that does not have it went back.
    pub fn announced(&self) -> LogPosition {
        self.state().announced
    }

    pub(crate) fn set_announced(&self, position: LogPosition) {
        self.state().announced = position;
    }

    /// The log was read, beginning at this moment, and everything in it was announced.
    pub(crate) fn read_at(&self, moment: (Instant, Timestamp)) {
        let mut state = self.state();
        if moment.0 > state.read.0 {
            state.read = moment;
        }
    }

    /// A change was made durable.
    pub(crate) fn saved(&self) {
        let ended = self.state().not_saving_since.take();
        if let Some(since) = ended {
            tracing::warn!(%since, "changes are saved again");
        }
    }

    /// A change could not be made durable, or it is not known whether it was.
    pub(crate) fn not_saved(&self, why: &dyn std::fmt::Display) {
        let mut state = self.state();
        if state.not_saving_since.is_none() {
            state.not_saving_since = Some(Timestamp::now());
            tracing::error!(%why, "changes cannot be saved; they are refused until they can");
        }
    }

    pub fn outage(&self) -> Outage {
        let state = self.state();
        let (instant, moment) = state.read;
        Outage {
            not_saving_since: state.not_saving_since,
            not_read_since: (instant.elapsed() > STALE_AFTER).then_some(moment),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        let state = self.inner.state.lock();
        state.unwrap_or_else(PoisonError::into_inner)
    }
}
