//! How much somebody has in hand, in the hours for which the work is sold, and what their clock
//! says.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use dispatch_actors::repair_order::{Job, RepairOrder, RoNumber, SoldHours, TechnicianId};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::clocks::{Clocks, Finished, Running, Work};
use crate::error::ApiError;

/// Whether somebody is on the clock, and with what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClockNow {
    pub state: ClockState,
    /// Since when they are at it; null off the clock.
    #[schema(required)]
    pub since: Option<Timestamp>,
    /// Of the job they are on.
    #[schema(required)]
    pub ro_number: Option<i64>,
    #[schema(required)]
    pub job_number: Option<i32>,
    /// It has run for more than 12 hours or past the shop's midnight, and nobody has corrected it.
    pub forgotten: bool,
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
        forgotten: false,
    };
}

/// What the clocks say at one moment.
#[derive(Default)]
pub(in crate::technicians) struct ClockTimes {
    /// Of those who are on the clock.
    running: HashMap<TechnicianId, Running>,
    /// Of these, those whose clock was forgotten.
    forgotten: HashSet<TechnicianId>,
    /// Jobs that somebody has said to be done.
    finished: BTreeMap<Work, Finished>,
}

impl ClockTimes {
    /// Of everybody, and of the jobs of these orders.
    pub(in crate::technicians) async fn now(
        clocks: &Clocks,
        orders: impl Iterator<Item = RoNumber>,
    ) -> Result<Self, ApiError> {
        let orders: Vec<RoNumber> = orders.collect();
        let finished = clocks.finished_on(&orders).await?;
        Ok(Self {
            running: clocks.running(),
            forgotten: clocks.forgotten(),
            finished: finished.into_iter().map(|job| (job.work, job)).collect(),
        })
    }

    pub(in crate::technicians) fn of(&self, technician: TechnicianId) -> ClockNow {
        let Some(Running { entry, .. }) = self.running.get(&technician) else {
            return ClockNow::OFF;
        };
        ClockNow {
            state: match entry.work {
                Some(_) => ClockState::OnJob,
                None => ClockState::Idle,
            },
            since: Some(entry.started_at),
            ro_number: entry.work.map(|work| work.order.get()),
            job_number: entry.work.map(|work| work.job),
            forgotten: self.forgotten.contains(&technician),
        }
    }

    /// The jobs of an order that are still to be done.
    pub(in crate::technicians) fn unfinished<'a>(
        &self,
        order: &'a RepairOrder,
    ) -> impl Iterator<Item = &'a Job> {
        let undone = |job: &&Job| {
            let work = Work {
                order: order.number,
                job: job.job_number,
            };
            !self.finished.contains_key(&work)
        };
        order.jobs.iter().filter(undone)
    }

    /// The jobs of an order that are done, by number.
    pub(in crate::technicians) fn finished(
        &self,
        order: &RepairOrder,
    ) -> impl Iterator<Item = &Finished> {
        let of_job = |job| Work {
            order: order.number,
            job,
        };
        let jobs = self.finished.range(of_job(i32::MIN)..=of_job(i32::MAX));
        jobs.map(|(_, finished)| finished)
    }
}

/// The assigned work of one technician. Jobs that are done are no part of it; what several
/// technicians are on is shared evenly between them, since nobody says who of them does which job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::technicians) struct Load {
    /// Sold hours in millionths, so that shares add up to the same in any order.
    millionths: i64,
    pub jobs_without_hours: u32,
    pub open_orders: u32,
}

/// Millionths of an hour in a hundredth of one, which sold hours come in.
pub(in crate::technicians) const HUNDREDTH: i64 = 10_000;

/// Half an hour, for a job whose hours nobody said, in millionths. Were it nothing, work without hours would
/// count as free, and the technician with the most of it would look the least busy; but it is
/// less than most lines are sold for, so that work that is known weighs more than work that is
/// guessed. In a shop whose system sends no hours at all, it comes to counting jobs.
pub(in crate::technicians) const UNKNOWN_JOB: i64 = 50 * HUNDREDTH;

/// To the hundredth.
pub(in crate::technicians) fn hours_of(millionths: i64) -> f64 {
    (millionths as f64 / HUNDREDTH as f64).round() / 100.0
}

impl Load {
    #[cfg(test)]
    pub(in crate::technicians) fn new(
        hundredths: i64,
        jobs_without_hours: u32,
        open_orders: u32,
    ) -> Self {
        Self {
            millionths: hundredths * HUNDREDTH,
            jobs_without_hours,
            open_orders,
        }
    }

    pub(in crate::technicians) fn add(&mut self, share: Self) {
        self.millionths += share.millionths;
        self.jobs_without_hours += share.jobs_without_hours;
        self.open_orders += share.open_orders;
    }

    /// To the hundredth.
    pub(in crate::technicians) fn assigned_hours(self) -> f64 {
        hours_of(self.millionths)
    }

    /// Millionths of hours, the unknown ones guessed.
    pub(in crate::technicians) fn weight(self) -> i64 {
        self.millionths + UNKNOWN_JOB * i64::from(self.jobs_without_hours)
    }
}

/// The loads of all technicians on open orders.
pub(in crate::technicians) fn loads<'a>(
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

pub(in crate::technicians) fn is_promised_before(order: &RepairOrder, moment: Timestamp) -> bool {
    order.promised_at.is_some_and(|promise| promise < moment)
}

/// The technicians on it, for the desk or for the dealer's system.
pub(in crate::technicians) fn technicians_on(order: &RepairOrder) -> BTreeSet<TechnicianId> {
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

#[cfg(test)]
pub(in crate::technicians) mod tests {
    use dispatch_actors::repair_order::{AssignedTechnician, Operation, Priority};
    use jiff::Timestamp;

    use super::*;

    fn clocks_with_finished(jobs: &[(i64, i32)]) -> ClockTimes {
        let finished = jobs.iter().map(|(order, job)| Finished {
            work: Work {
                order: RoNumber::try_from(*order).unwrap(),
                job: *job,
            },
            technician: 7,
            at: Timestamp::UNIX_EPOCH,
        });
        ClockTimes {
            finished: finished.map(|job| (job.work, job)).collect(),
            ..ClockTimes::default()
        }
    }

    /// Unassigned, and without jobs.
    pub(in crate::technicians) fn plain_order(number: i64) -> RepairOrder {
        RepairOrder {
            number: RoNumber::try_from(number).unwrap(),
            version: 1,
            dms_number: None,
            header: Default::default(),
            opened_at: Timestamp::UNIX_EPOCH,
            promised_at: None,
            closed_at: None,
            reopened_at: None,
            erased_at: None,
            customer_status: String::new(),
            app_customer_status: None,
            priority: Priority::Low,
            regular_technicians: vec![],
            etl_technicians: vec![],
            jobs: std::sync::Arc::default(),
            progress: Default::default(),
        }
    }

    fn order(number: i64, hours: &[Option<i32>], regular: &[i64], etl: &[i64]) -> RepairOrder {
        let job = |(job_number, hundredths): (i32, &Option<i32>)| Job {
            job_number,
            operations: vec![Operation {
                sold_hours: hundredths.and_then(SoldHours::from_hundredths),
                ..Operation::default()
            }],
            ..Job::default()
        };
        let assigned = |ids: &[i64]| {
            let assigned = ids.iter().map(|id| AssignedTechnician {
                technician: *id,
                name: None,
            });
            assigned.collect()
        };
        RepairOrder {
            regular_technicians: assigned(regular),
            etl_technicians: assigned(etl),
            jobs: std::sync::Arc::new((1..).zip(hours).map(job).collect()),
            ..plain_order(number)
        }
    }

    #[test]
    fn finished_work_is_no_load_and_the_rest_is_shared() {
        let orders = [
            order(1, &[Some(100), Some(50), None, None], &[7, 8], &[8, 9]),
            order(2, &[Some(25)], &[7], &[]),
            order(3, &[Some(900), None], &[], &[]),
        ];
        let clocks = clocks_with_finished(&[(1, 2), (1, 4), (2, 2)]);
        let loads = loads(orders.iter(), &clocks);
        let of = |id: i64| {
            let load = loads[&id];
            (
                load.assigned_hours(),
                load.jobs_without_hours,
                load.open_orders,
            )
        };
        assert_eq!(loads.len(), 3);
        assert_eq!(of(7), (0.58, 1, 2));
        assert_eq!((of(8), of(9)), ((0.33, 1, 1), (0.33, 1, 1)));
    }

    #[test]
    fn an_unknown_job_weighs_half_an_hour() {
        assert_eq!(Load::new(150, 3, 2).weight(), Load::new(300, 0, 0).weight());
    }
}
