//! Will an order be ready when we said? Judged of all open orders at one moment from what is known then: the hours that
//! are left, who has them and what stands before them, the technicians' day, the shop's hours, and holds. Pure: no clock
//! of its own, no database; the same for the same shop.
//!
//! - `shop_hours`: when the shop works; `working_time`: when a technician will have worked so long;
//! - `remaining`: what is left to do on an order; `queue`: what stands before it;
//! - `risk`: the answer, and what it is made of.
//!
//! An answer is never better for more work left, more work before it or an earlier promise, and nothing that is
//! unknown counts as nothing: what nobody knows can make an answer [`Risk::Unknown`], never [`Risk::OnTime`].

mod queue;
mod remaining;
mod risk;
mod shop_hours;
#[cfg(test)]
mod tests;
mod working_time;

use std::collections::HashMap;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::repair_order::{RepairOrder, RoNumber, TechnicianId};

use working_time::WorkingTime;

pub use risk::{Figures, PromiseRisk, Reason, Risk, risks};
pub use shop_hours::{BadShopHours, ShopHours};

/// A job of an order.
pub type JobKey = (RoNumber, i32);

/// What is known of the shop at one moment.
#[derive(Clone, Copy, Debug)]
pub struct ShopNow<'a, O> {
    pub now: Timestamp,
    pub zone: &'a TimeZone,
    pub hours: &'a ShopHours,
    /// The open orders, also those without a promise: they stand in queues.
    pub orders: &'a [O],
    /// How long was clocked on each job so far, by whoever. A clock that was forgotten says nothing, and is no part of it.
    pub clocked: &'a HashMap<JobKey, SignedDuration>,
    /// The jobs that are done, and when they were said to be.
    pub finished: &'a HashMap<JobKey, Timestamp>,
    /// Who works here. Somebody whom only an order knows counts as [`Attendance::UNKNOWN`].
    pub attendance: &'a HashMap<TechnicianId, Attendance>,
    pub holds: &'a [Hold],
}

impl<O: AsRef<RepairOrder>> ShopNow<'_, O> {
    fn attendance(&self, technician: TechnicianId) -> Attendance {
        let known = self.attendance.get(&technician);
        known.copied().unwrap_or(Attendance::UNKNOWN)
    }

    /// Whether the shop uses the clocks: where nobody was on one today, that somebody is not on theirs says nothing.
    fn uses_clocks(&self) -> bool {
        let mut all = self.attendance.values();
        all.any(|one| one.is_on_clock() || one.attended.is_positive())
    }
}

/// A technician's day so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attendance {
    /// How long they work a day.
    pub daily: SignedDuration,
    /// How long they have been on the clock today, with a job or without.
    pub attended: SignedDuration,
    pub clock: ClockState,
}

/// What somebody's clock runs on. A clock that was forgotten runs on nothing: [`ClockState::Off`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockState {
    Off,
    Idle,
    On(JobKey),
}

impl Attendance {
    /// Of whom nothing is known: eight hours a day, and no clock.
    pub const UNKNOWN: Self = Self {
        daily: SignedDuration::from_hours(8),
        attended: SignedDuration::ZERO,
        clock: ClockState::Off,
    };

    /// How much they can still work today: what is left of their day, up to closing time; after it, and on a day on
    /// which the shop is closed, only while they are on the clock.
    pub fn work_left_today(
        &self,
        hours: &ShopHours,
        zone: &TimeZone,
        now: Timestamp,
    ) -> SignedDuration {
        let (today, midnight) = (hours.from(now, zone, 1), midnight(zone, now));
        WorkingTime::of_technician(self, &today, now, midnight, true).until(midnight)
    }

    fn is_on_clock(&self) -> bool {
        self.clock != ClockState::Off
    }

    fn left_today(&self) -> SignedDuration {
        (self.daily - self.attended).max(SignedDuration::ZERO)
    }
}

/// Where the shop's today ends.
fn midnight(zone: &TimeZone, now: Timestamp) -> Timestamp {
    let tomorrow = now.to_zoned(zone.clone()).tomorrow();
    let midnight = tomorrow.and_then(|tomorrow| tomorrow.start_of_day());
    midnight.map_or(Timestamp::MAX, |midnight| midnight.timestamp())
}

/// Work that waits for something: parts, an approval, another shop. It has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    pub order: RoNumber,
    /// None: the whole order.
    pub job: Option<i32>,
    pub since: Timestamp,
    /// None: nobody said until when.
    pub expected_until: Option<Timestamp>,
}

impl Hold {
    /// When it is expected to end. An expectation that passed is none any more: nobody knows when the hold ends.
    fn end(&self, now: Timestamp) -> Option<Timestamp> {
        self.expected_until.filter(|until| *until > now)
    }
}
