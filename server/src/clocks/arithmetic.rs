//! What taps make of a clock, and what entries add up to. Pure: no database, no clock of its own.
//!
//! An entry holds the time from its start up to, and not including, its end; while it runs, all the
//! time from its start on.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use dispatch_actors::repair_order::RoNumber;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan, Zoned};

/// Longer than this nobody works at one thing without a tap.
const SHIFT: SignedDuration = SignedDuration::from_hours(12);

/// How far another clock may be ahead of ours and still mean now.
const AHEAD: SignedDuration = SignedDuration::from_secs(60);

/// How long a tap may wait for a connection.
const OLDEST: SignedDuration = SignedDuration::from_hours(24);

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

/// When something was tapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tapped {
    Now,
    /// Without a connection, and sent later.
    At(Timestamp),
}

/// Why a tap or a correction cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    InFuture,
    TooOld,
    /// It would end, or make this entry end, before it begins.
    EndsBeforeItBegins(Option<Entry>),
    /// Some of the time is this entry's already.
    Overlaps(Entry),
}

/// What a tap does to the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Stays,
    /// What runs ends at this moment; what begins then, if anything: with a job or without.
    Turns {
        at: Timestamp,
        begins: Option<Option<Work>>,
    },
}

/// As much of a technician's entries as a tap is decided on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    pub running: Option<Entry>,
    /// Of those that ended the one that ended last.
    pub last: Option<Entry>,
}

impl Tapped {
    pub fn at(at: Option<Timestamp>, now: Timestamp) -> Result<Self, Refused> {
        let Some(at) = at else { return Ok(Self::Now) };
        let ago = now.duration_since(at);
        if ago < -AHEAD {
            Err(Refused::InFuture)
        } else if ago > OLDEST {
            Err(Refused::TooOld)
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

    /// What a tap does. It does nothing where things are so already.
    pub fn tap(&self, action: Action, tapped: Tapped, now: Timestamp) -> Result<Turn, Refused> {
        let work = self.running.and_then(|running| running.work);
        let begins = match action {
            Action::ClockIn if self.running.is_none() => Some(None),
            Action::Start(wanted) if work != Some(wanted) => Some(Some(wanted)),
            Action::Stop(None) if work.is_some() => Some(None),
            Action::Stop(Some(_)) | Action::Finish(_) if action.is_about(work) => Some(None),
            Action::ClockOut if self.running.is_some() => None,
            _ => return Ok(Turn::Stays),
        };
        let at = self.turning_at(tapped, now)?;
        Ok(Turn::Turns { at, begins })
    }

    fn turning_at(&self, tapped: Tapped, now: Timestamp) -> Result<Timestamp, Refused> {
        let ended = |last: Entry| Some((last, last.ended_at?));
        match (tapped, self.running, self.last.and_then(ended)) {
            // Another machine's clock, or our own before it was put right, may have been ahead.
            (Tapped::Now, running, last) => {
                let begun = running.map(|running| running.started_at);
                let ended = last.map(|(_, ended_at)| ended_at);
                Ok(begun.max(ended).map_or(now, |earliest| earliest.max(now)))
            }
            (Tapped::At(at), Some(running), _) if at < running.started_at => {
                Err(Refused::EndsBeforeItBegins(Some(running)))
            }
            (Tapped::At(at), None, Some((last, ended_at))) if at < ended_at => {
                Err(Refused::Overlaps(last))
            }
            (Tapped::At(at), ..) => Ok(at),
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

impl Entry {
    pub fn runs(&self) -> bool {
        self.ended_at.is_none()
    }

    /// Its part of the time from `from` to `to`.
    fn within(&self, from: Timestamp, to: Timestamp) -> SignedDuration {
        let begins = self.started_at.max(from);
        let ends = self.ended_at.map_or(to, |ended_at| ended_at.min(to));
        ends.duration_since(begins).max(SignedDuration::ZERO)
    }

    /// Whether some time is in both.
    fn overlaps(&self, other: &Self) -> bool {
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
        past_midnight || until.duration_since(self.started_at) > SHIFT
    }

    /// Whether it may stand as it is beside the others, of which it may be one.
    pub fn fits(&self, others: &[Self], now: Timestamp) -> Result<(), Refused> {
        if self
            .ended_at
            .is_some_and(|ended_at| ended_at <= self.started_at)
        {
            return Err(Refused::EndsBeforeItBegins(None));
        }
        let latest = self.ended_at.unwrap_or(self.started_at);
        if latest.duration_since(now) > AHEAD {
            return Err(Refused::InFuture);
        }
        let other = others
            .iter()
            .find(|other| other.id != self.id && other.overlaps(self));
        match other {
            Some(other) => Err(Refused::Overlaps(*other)),
            None => Ok(()),
        }
    }
}

/// Where the shop's today and week begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calendar {
    pub today: Timestamp,
    /// Its Monday.
    pub week: Timestamp,
}

impl Calendar {
    pub fn at(now: &Zoned) -> Result<Self, jiff::Error> {
        let monday = monday(now.date())?;
        Ok(Self {
            today: now.start_of_day()?.timestamp(),
            week: midnight(monday, now.time_zone())?,
        })
    }
}

/// Of the week of that day.
pub fn monday(date: Date) -> Result<Date, jiff::Error> {
    let since = date.weekday().to_monday_zero_offset();
    date.checked_sub(i32::from(since).days())
}

/// When a day begins by the zone's clocks; not all of them begin with 00:00.
pub fn midnight(date: Date, zone: &TimeZone) -> Result<Timestamp, jiff::Error> {
    Ok(date.to_zoned(zone.clone())?.timestamp())
}

/// What entries add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocked {
    pub on_jobs: SignedDuration,
    /// With a job or without.
    pub attended: SignedDuration,
}

impl Clocked {
    /// From `from` to `to`.
    pub fn within(entries: &[Entry], from: Timestamp, to: Timestamp) -> Self {
        let mut clocked = Self::default();
        for entry in entries {
            let time = entry.within(from, to);
            clocked.attended += time;
            if entry.work.is_some() {
                clocked.on_jobs += time;
            }
        }
        clocked
    }
}

/// For how long at least one of these ran, up to `until`; the oldest first.
pub fn together(entries: &[Entry], until: Timestamp) -> SignedDuration {
    let mut counted = Timestamp::MIN;
    let mut sum = SignedDuration::ZERO;
    for entry in entries {
        sum += entry.within(counted, until);
        counted = counted.max(entry.ended_at.unwrap_or(until));
    }
    sum
}

/// Entries that were forgotten, of those with a part in the time since `since`.
pub fn flagged(entries: &[Entry], since: Timestamp, now: Timestamp, zone: &TimeZone) -> usize {
    let flagged = entries
        .iter()
        .filter(|entry| entry.within(since, now).is_positive() && entry.is_forgotten(now, zone));
    flagged.count()
}

/// Sold time over clocked time of finished jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Efficiency {
    /// Hundredths of an hour.
    pub sold: i64,
    pub clocked: SignedDuration,
    pub jobs_without_hours: u32,
}

impl Efficiency {
    /// `finished`: each job once, with its sold hundredths of an hour where they are known.
    /// `entries`: of the technician, those on these jobs among them.
    pub fn of(finished: &HashMap<Work, Option<i64>>, entries: &[Entry], now: Timestamp) -> Self {
        let mut efficiency = Self::default();
        for sold in finished.values() {
            match sold {
                Some(sold) => efficiency.sold += sold,
                None => efficiency.jobs_without_hours += 1,
            }
        }
        let counts = |work: Work| matches!(finished.get(&work), Some(Some(_)));
        efficiency.clocked = entries
            .iter()
            .filter(|entry| entry.work.is_some_and(counts))
            .map(|entry| entry.within(entry.started_at, now))
            .sum();
        efficiency
    }

    /// To a tenth; none when nothing was clocked.
    pub fn percent(&self) -> Option<f64> {
        let clocked = self.clocked.as_secs_f64() / 36.0;
        (clocked > 0.0).then(|| (self.sold as f64 / clocked * 1_000.0).round() / 10.0)
    }

    pub fn sold_hours(&self) -> f64 {
        self.sold as f64 / 100.0
    }

    /// To a hundredth.
    pub fn clocked_hours(&self) -> f64 {
        (self.clocked.as_secs_f64() / 36.0).round() / 100.0
    }
}
