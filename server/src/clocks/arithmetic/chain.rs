//! What taps make of a clock: a chain of entries of which at most the last one runs.

use jiff::{SignedDuration, Timestamp};

use super::entry::{Entry, Work};

/// How far another clock may be ahead of ours and still mean now.
pub(super) const MAX_CLOCK_SKEW: SignedDuration = SignedDuration::from_secs(60);

/// How long a tap may wait for a connection.
const MAX_TAP_AGE: SignedDuration = SignedDuration::from_hours(24);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    ClockIn,
    Start(Work),
    /// Only this one's, where it says which.
    Stop(Option<Work>),
    Finish(Work),
    Reopen(Work),
    ClockOut,
}

/// When something was tapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TapTime {
    Now,
    /// Without a connection, and sent later.
    At(Timestamp),
}

/// Why a tap or a correction cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockRefusal {
    InFuture,
    TooOld,
    /// It would end, or make this entry end, before it begins.
    EndsBeforeItBegins(Option<Entry>),
    /// Some of the time is this entry's already.
    Overlaps(Entry),
}

/// What a tap does to the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TapEffect {
    Unchanged,
    /// What runs ends at this moment; what begins then, if anything: with a job or without.
    Changed {
        at: Timestamp,
        begins: Option<Option<Work>>,
    },
}

/// As much of a technician's entries as a tap is decided on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    pub running: Option<Entry>,
    /// The entry that ended last.
    pub last: Option<Entry>,
}

impl Action {
    /// The job it is about, where it says which.
    pub fn work(self) -> Option<Work> {
        match self {
            Action::Start(work) | Action::Finish(work) | Action::Reopen(work) => Some(work),
            Action::Stop(work) => work,
            Action::ClockIn | Action::ClockOut => None,
        }
    }
}

impl TapTime {
    pub fn at(at: Option<Timestamp>, now: Timestamp) -> Result<Self, ClockRefusal> {
        let Some(at) = at else { return Ok(Self::Now) };
        let ago = now.duration_since(at);
        if ago < -MAX_CLOCK_SKEW {
            Err(ClockRefusal::InFuture)
        } else if ago > MAX_TAP_AGE {
            Err(ClockRefusal::TooOld)
        } else if !ago.is_positive() {
            Ok(Self::Now)
        } else {
            Ok(Self::At(at))
        }
    }

    pub fn moment(self, now: Timestamp) -> Timestamp {
        match self {
            Self::Now => now,
            Self::At(at) => at,
        }
    }
}

impl Chain {
    /// Of all entries that count.
    pub fn of(entries: &[Entry]) -> Self {
        let ended = entries.iter().filter(|entry| entry.ended_at.is_some());
        Self {
            running: entries.iter().find(|entry| entry.runs()).copied(),
            last: ended.max_by_key(|entry| entry.ended_at).copied(),
        }
    }

    /// What a tap does: nothing where it would change nothing.
    pub fn tap(
        &self,
        action: Action,
        tapped: TapTime,
        now: Timestamp,
    ) -> Result<TapEffect, ClockRefusal> {
        let work = self.running.and_then(|running| running.work);
        let begins = match action {
            Action::ClockIn if self.running.is_none() => Some(None),
            Action::Start(wanted) if work != Some(wanted) => Some(Some(wanted)),
            Action::Stop(None) if work.is_some() => Some(None),
            Action::Stop(Some(_)) | Action::Finish(_) if action.is_about(work) => Some(None),
            Action::ClockOut if self.running.is_some() => None,
            _ => return Ok(TapEffect::Unchanged),
        };
        let at = self.effective_at(tapped, now)?;
        Ok(TapEffect::Changed { at, begins })
    }

    fn effective_at(&self, tapped: TapTime, now: Timestamp) -> Result<Timestamp, ClockRefusal> {
        let ended = |last: Entry| Some((last, last.ended_at?));
        match (tapped, self.running, self.last.and_then(ended)) {
            // Another machine's clock, or our own before it was corrected, may have been ahead.
            (TapTime::Now, running, last) => {
                let begun = running.map(|running| running.started_at);
                let ended = last.map(|(_, ended_at)| ended_at);
                Ok(begun.max(ended).map_or(now, |earliest| earliest.max(now)))
            }
            (TapTime::At(at), Some(running), _) if at < running.started_at => {
                Err(ClockRefusal::EndsBeforeItBegins(Some(running)))
            }
            (TapTime::At(at), None, Some((last, ended_at))) if at < ended_at => {
                Err(ClockRefusal::Overlaps(last))
            }
            (TapTime::At(at), ..) => Ok(at),
        }
    }
}

impl Action {
    /// Whether it names this job.
    fn is_about(self, running: Option<Work>) -> bool {
        match self {
            Self::Start(work)
            | Self::Stop(Some(work))
            | Self::Finish(work)
            | Self::Reopen(work) => running == Some(work),
            Self::ClockIn | Self::Stop(None) | Self::ClockOut => false,
        }
    }
}
