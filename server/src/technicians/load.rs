//! How much somebody has in hand, in the hours for which the work is sold, and what their clock
//! says.

use std::collections::{BTreeSet, HashMap, HashSet};

use dispatch_actors::repair_order::{Job, RepairOrder, RoNumber, SoldHours, TechnicianId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::Services;

/// Whether somebody is on the clock, and with what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClockNow {
    pub state: ClockState,
    /// Since when they are at it; null for who is off the clock.
    #[schema(format = DateTime, required)]
    pub since: Option<String>,
    /// Of the job they are on.
    #[schema(required)]
    pub ro_number: Option<i64>,
    #[schema(required)]
    pub job_number: Option<i32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClockState {
    /// Not on the clock.
    Off,
    /// On the clock, without a job.
    Idle,
    OnJob,
}

impl ClockNow {
    pub const OFF: Self = Self {
        state: ClockState::Off,
        since: None,
        ro_number: None,
        job_number: None,
    };
}

/// What the clocks say at one moment.
#[derive(Default)]
pub(super) struct ClockTimes {
    /// Of those who are on the clock.
    running: HashMap<TechnicianId, ClockNow>,
    /// Jobs that somebody has said to be done.
    finished: HashSet<(RoNumber, i32)>,
}

impl ClockTimes {
    /// Nobody is on the clock, and no job is done before its order is closed.
    pub(super) async fn now(_services: &Services) -> Self {
        Self::default()
    }

    pub(super) fn of(&self, technician: TechnicianId) -> ClockNow {
        let running = self.running.get(&technician).cloned();
        running.unwrap_or(ClockNow::OFF)
    }

    /// The jobs of an order that are still to be done.
    pub(super) fn unfinished<'a>(&self, order: &'a RepairOrder) -> impl Iterator<Item = &'a Job> {
        let done = |job: &&Job| !self.finished.contains(&(order.number, job.job_number));
        order.jobs.iter().filter(done)
    }
}

/// What one technician has in hand. Jobs that are done are no part of it; what several technicians
/// are on is shared evenly between them, since nobody says who of them does which job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    /// Sold hours in millionths, so that shares add up to the same in any order.
    millionths: i64,
    pub jobs_without_hours: u32,
    pub open_orders: u32,
}

/// Millionths of an hour in a hundredth of one, which sold hours come in.
const HUNDREDTH: i64 = 10_000;

impl Load {
    /// Half an hour, for a job whose hours nobody said. Were it nothing, work without hours would
    /// come for free, and whoever has the most of it would look the least busy; but it is less than
    /// most lines are sold for, so that work that is known weighs more than work that is guessed.
    /// In a shop whose system sends no hours at all, it comes to counting jobs.
    const UNKNOWN: i64 = 50 * HUNDREDTH;

    #[cfg(test)]
    pub(super) fn new(hundredths: i64, jobs_without_hours: u32, open_orders: u32) -> Self {
        Self {
            millionths: hundredths * HUNDREDTH,
            jobs_without_hours,
            open_orders,
        }
    }

    pub(super) fn add(&mut self, share: Self) {
        self.millionths += share.millionths;
        self.jobs_without_hours += share.jobs_without_hours;
        self.open_orders += share.open_orders;
    }

    /// To the hundredth.
    pub(super) fn assigned_hours(self) -> f64 {
        (self.millionths as f64 / HUNDREDTH as f64).round() / 100.0
    }

    /// Millionths of hours, the unknown ones guessed.
    pub(super) fn weight(self) -> i64 {
        self.millionths + Self::UNKNOWN * i64::from(self.jobs_without_hours)
    }
}

/// The loads of everybody who is on an open order.
pub(super) fn loads<'a>(
    open: impl Iterator<Item = &'a RepairOrder>,
    clocks: &ClockTimes,
) -> HashMap<TechnicianId, Load> {
    let mut loads: HashMap<TechnicianId, Load> = HashMap::new();
    for order in open {
        let on = technicians_on(order);
        if on.is_empty() {
            continue;
        }
        let share = share(order, on.len(), clocks);
        for technician in on {
            loads.entry(technician).or_default().add(share);
        }
    }
    loads
}

/// Whoever is on it, for the desk or for the dealer's system.
pub(super) fn technicians_on(order: &RepairOrder) -> BTreeSet<TechnicianId> {
    let assigned = order.regular_technicians.iter();
    let assigned = assigned.chain(&order.etl_technicians);
    assigned.map(|assigned| assigned.technician).collect()
}

fn share(order: &RepairOrder, among: usize, clocks: &ClockTimes) -> Load {
    let mut hundredths = 0;
    let mut jobs_without_hours = 0;
    for job in clocks.unfinished(order) {
        match job.sold_hours().map(SoldHours::hundredths) {
            Some(sold) => hundredths += i64::from(sold),
            None => jobs_without_hours += 1,
        }
    }
    let among = i64::try_from(among).unwrap_or(i64::MAX).max(1);
    Load {
        millionths: hundredths * HUNDREDTH / among,
        jobs_without_hours,
        open_orders: 1,
    }
}
