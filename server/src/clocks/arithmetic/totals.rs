//! What entries add up to, and how efficient that is.

use dispatch_actors::repair_order::TechnicianId;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan, Zoned};

use super::entry::Entry;
use super::sold_shares::FinishedWork;

/// Where the shop's today and week begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calendar {
    pub today: Timestamp,
    /// Where today ends.
    pub tomorrow: Timestamp,
    /// Its Monday.
    pub week: Timestamp,
}

impl Calendar {
    pub fn at(now: &Zoned) -> Result<Self, jiff::Error> {
        let monday = monday(now.date())?;
        Ok(Self {
            today: now.start_of_day()?.timestamp(),
            tomorrow: midnight(now.date().tomorrow()?, now.time_zone())?,
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

/// A technician's sold time over their clocked time, of finished jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Efficiency {
    /// Hundredths of an hour.
    pub sold: i64,
    pub clocked: SignedDuration,
    pub jobs_without_hours: u32,
}

impl Efficiency {
    /// Of the technician's part in these jobs.
    pub fn of<'a>(
        technician: TechnicianId,
        finished: impl IntoIterator<Item = &'a FinishedWork>,
    ) -> Self {
        let mut efficiency = Self::default();
        for job in finished {
            if !job.has(technician) {
                continue;
            }
            if job.sold.is_none() {
                efficiency.jobs_without_hours += 1;
                continue;
            }
            let clocked = job.clocked.get(&technician);
            efficiency.clocked += clocked.copied().unwrap_or_default();
            let share = job.shares().get(&technician).copied();
            efficiency.sold += share.unwrap_or_default();
        }
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
