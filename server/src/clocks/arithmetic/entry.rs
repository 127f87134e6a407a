//! An entry: a stretch on the clock, from its start up to, and not including, its end. One that runs
//! holds all the time from its start on.

use dispatch_actors::repair_order::RoNumber;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::chain::{ClockRefusal, MAX_CLOCK_SKEW};

/// Longer than this nobody works at one thing without a tap.
pub const MAX_SHIFT: SignedDuration = SignedDuration::from_hours(12);

/// A job of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Work {
    pub order: RoNumber,
    pub job: i32,
}

/// A stretch on the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub id: i64,
    pub started_at: Timestamp,
    /// None: it runs.
    pub ended_at: Option<Timestamp>,
    /// None: on the clock without a job.
    pub work: Option<Work>,
    pub corrected: bool,
}

impl Entry {
    pub fn runs(&self) -> bool {
        self.ended_at.is_none()
    }

    /// Its part of the time from `from` to `to`.
    pub(super) fn within(&self, from: Timestamp, to: Timestamp) -> SignedDuration {
        let begins = self.started_at.max(from);
        let ends = self.ended_at.map_or(to, |ended_at| ended_at.min(to));
        ends.duration_since(begins).max(SignedDuration::ZERO)
    }

    /// Whether some time is in both.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let before = |one: &Self, two: &Self| {
            one.ended_at
                .is_some_and(|ended_at| ended_at <= two.started_at)
        };
        let is_empty = |one: &Self| one.ended_at == Some(one.started_at);
        !is_empty(self) && !is_empty(other) && !before(self, other) && !before(other, self)
    }

    /// It runs, or ran, for longer than a shift or past the midnight of `zone`, and nobody has
    /// corrected it.
    pub fn is_forgotten(&self, now: Timestamp, zone: &TimeZone) -> bool {
        let until = self.ended_at.unwrap_or(now);
        if self.corrected || until <= self.started_at {
            return false;
        }
        let midnight = self
            .started_at
            .to_zoned(zone.clone())
            .tomorrow()
            .and_then(|tomorrow| tomorrow.start_of_day());
        let past_midnight = midnight.is_ok_and(|midnight| until > midnight.timestamp());
        past_midnight || until.duration_since(self.started_at) > MAX_SHIFT
    }

    /// Whether it may stand as it is beside the others, of which it may be one.
    pub fn fits(&self, others: &[Self], now: Timestamp) -> Result<(), ClockRefusal> {
        if self
            .ended_at
            .is_some_and(|ended_at| ended_at <= self.started_at)
        {
            return Err(ClockRefusal::EndsBeforeItBegins(None));
        }
        let latest = self.ended_at.unwrap_or(self.started_at);
        if latest.duration_since(now) > MAX_CLOCK_SKEW {
            return Err(ClockRefusal::InFuture);
        }
        let other = others
            .iter()
            .find(|other| other.id != self.id && other.overlaps(self));
        match other {
            Some(other) => Err(ClockRefusal::Overlaps(*other)),
            None => Ok(()),
        }
    }
}
