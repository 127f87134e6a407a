//! What this process knows of its database right now: which log it is, how far it was announced, when
//! it was read last, and whether changes can be saved. Everything that shows people how far to trust
//! a screen reads it here.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::{LogPosition, Seq, plain_sentence};

/// A log that was not read for this long may hold changes that no screen here shows.
const STALE_AFTER: Duration = Duration::from_secs(4);

/// How long nothing may fail before the server reports that changes are saved again: on a disk that is
/// nearly full a small one succeeds between large ones that fail.
const SETTLED_AFTER: Duration = Duration::from_secs(1);

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
    /// Events up to this one may be missing from the log.
    pruned_to: Seq,
    /// When the log was read last and found to hold nothing that was not announced.
    read: (Instant, Timestamp),
    /// The last attempt to read the log failed.
    is_unreadable: bool,
    /// This process needs the log no more.
    is_closed: bool,
    not_saving: Option<NotSaving>,
    /// Names that the log had before it went back.
    past_generations: Vec<Arc<str>>,
}

struct NotSaving {
    since: Timestamp,
    /// When a change could not be saved last.
    last: Instant,
}

/// Since when something does not work; none while it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outage {
    /// Changes cannot be made durable.
    pub not_saving_since: Option<Timestamp>,
    /// The log cannot be read: changes of other processes are unknown.
    pub not_read_since: Option<Timestamp>,
}

impl Default for LogStatus {
    fn default() -> Self {
        Self {
            inner: Arc::new(Inner {
                generation: RwLock::new("".into()),
                state: Mutex::new(State {
                    announced: LogPosition::default(),
                    pruned_to: 0,
                    read: (Instant::now(), Timestamp::now()),
                    is_unreadable: false,
                    is_closed: false,
                    not_saving: None,
                    past_generations: Vec::new(),
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
        let current = self.inner.generation.write();
        *current.unwrap_or_else(PoisonError::into_inner) = generation.into();
    }

    /// Names that the log had before it went back, the oldest first. A database that has one of them
    /// again was restored once more.
    pub fn past_generations(&self) -> Vec<Arc<str>> {
        self.state().past_generations.clone()
    }

    pub(crate) fn is_past_generation(&self, generation: &str) -> bool {
        let state = self.state();
        let mut past_generations = state.past_generations.iter();
        past_generations.any(|past_generation| **past_generation == *generation)
    }

    /// The log does not have this name any more, or had it in an earlier run of this server.
    pub fn add_past_generation(&self, generation: &str) {
        let past_generations = &mut self.state().past_generations;
        if past_generations
            .iter()
            .all(|past_generation| **past_generation != *generation)
        {
            past_generations.push(generation.into());
        }
    }

    /// The log went back: it ends here now, under another name.
    pub(crate) fn start_over(&self, generation: &str, announced: LogPosition) {
        let before = self.generation();
        if !before.is_empty() && *before != *generation {
            self.add_past_generation(&before);
        }
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

    /// Up to which event the log may have gaps, because old ones were deleted.
    pub fn pruned_to(&self) -> Seq {
        self.state().pruned_to
    }

    pub(super) fn set_pruned_to(&self, pruned_to: Seq) {
        self.state().pruned_to = pruned_to;
    }

    /// The log was read to its end, beginning at this moment, and everything in it was announced.
    pub(crate) fn caught_up(&self, moment: (Instant, Timestamp)) {
        self.read_at(moment);
        if std::mem::take(&mut self.state().is_unreadable) {
            tracing::warn!("the log can be read again");
        }
    }

    /// The event log cannot be read, or not to its end. Each outage writes one log line, and none
    /// where the connections were closed on purpose.
    pub(crate) fn not_read(&self, why: &dyn std::fmt::Display) {
        let mut state = self.state();
        if !state.is_closed && !std::mem::replace(&mut state.is_unreadable, true) {
            let why = plain_sentence(why);
            tracing::error!(
                why,
                "the log cannot be read; screens are told so if that lasts"
            );
        }
    }

    /// To be called before the connections are closed.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
    }

    /// Since this moment it is known that the log has no unannounced event.
    pub(crate) fn read_at(&self, moment: (Instant, Timestamp)) {
        let mut state = self.state();
        if moment.0 > state.read.0 {
            state.read = moment;
        }
    }

    /// A change was made durable, or as much as one was written to try it. Ends an outage unless
    /// something failed in the last second.
    pub(crate) fn saved(&self) {
        let mut state = self.state();
        let is_over = |outage: &mut NotSaving| outage.last.elapsed() >= SETTLED_AFTER;
        if let Some(NotSaving { since, .. }) = state.not_saving.take_if(is_over) {
            tracing::warn!(%since, "changes are saved again");
        }
    }

    /// A change could not be made durable, or it is not known whether it was. None needs to be where the connections
    /// were closed on purpose.
    pub(crate) fn not_saved(&self, why: &dyn std::fmt::Display) {
        let mut state = self.state();
        let last = Instant::now();
        if let Some(outage) = &mut state.not_saving {
            outage.last = last;
        } else if !state.is_closed {
            let since = Timestamp::now();
            state.not_saving = Some(NotSaving { since, last });
            let why = plain_sentence(why);
            tracing::error!(
                why,
                "changes cannot be saved; they are refused until they can"
            );
        }
    }

    pub fn outage(&self) -> Outage {
        let state = self.state();
        let (instant, moment) = state.read;
        Outage {
            not_saving_since: state.not_saving.as_ref().map(|outage| outage.since),
            not_read_since: (instant.elapsed() > STALE_AFTER).then_some(moment),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        let state = self.inner.state.lock();
        state.unwrap_or_else(PoisonError::into_inner)
    }
}
