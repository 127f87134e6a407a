//! What is left to do on an order.

use std::ops::{Add, AddAssign};

use jiff::{SignedDuration, Timestamp};

use super::{Hold, ShopNow};
use crate::repair_order::{Job, RepairOrder, SoldHours};

/// Work as far as it is known, and what is not known of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    /// Sold hours of unfinished jobs, less what was clocked on each, never below zero.
    pub known: SignedDuration,
    /// Unfinished jobs for which no hours were sold.
    pub without_hours: u32,
    /// Unfinished jobs on which all hours that were sold have been clocked: they take longer, and nobody knows how long.
    pub used_up: u32,
}

impl Work {
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    pub fn is_known(&self) -> bool {
        self.without_hours == 0 && self.used_up == 0
    }

    /// What is left of it beside a part of it.
    pub fn without(self, part: Self) -> Self {
        Self {
            known: (self.known - part.known).max(SignedDuration::ZERO),
            without_hours: self.without_hours.saturating_sub(part.without_hours),
            used_up: self.used_up.saturating_sub(part.used_up),
        }
    }

    /// An equal part, since nobody says who of several does which job; rounded up.
    pub fn shared(self, among: usize) -> Self {
        let among = i32::try_from(among.max(1)).unwrap_or(i32::MAX);
        let up = SignedDuration::from_nanos(i64::from(among) - 1);
        Self {
            known: (self.known + up) / among,
            ..self
        }
    }
}

impl Add for Work {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            known: self.known + other.known,
            without_hours: self.without_hours + other.without_hours,
            used_up: self.used_up + other.used_up,
        }
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// What is left of an order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Remaining {
    pub all: Work,
    /// Of it, what no hold stands before, or one that is expected to end today: it takes its turn among what a
    /// technician has.
    pub in_turn: Work,
    pub jobs: u32,
    pub has_jobs: bool,
    /// When the last job was finished, where all are.
    pub finished_at: Option<Timestamp>,
}

/// `midnight`: the end of the shop's today.
pub(super) fn remaining<O: AsRef<RepairOrder>>(
    shop: &ShopNow<'_, O>,
    order: &RepairOrder,
    holds: &[Hold],
    midnight: Timestamp,
) -> Remaining {
    let mut left = Remaining {
        has_jobs: !order.jobs.is_empty(),
        ..Remaining::default()
    };
    let mut last_finish = None;
    for job in order.jobs.iter() {
        if let Some(at) = shop.finished.get(&(order.number, job.job_number)) {
            last_finish = last_finish.max(Some(*at));
            continue;
        }
        let work = job_work(shop, order, job);
        left.jobs += 1;
        left.all += work;
        let waits = |hold: &&Hold| hold.job.is_none_or(|held| held == job.job_number);
        let ends_today = |hold: &Hold| hold.end(shop.now).is_some_and(|end| end < midnight);
        if holds.iter().filter(waits).all(ends_today) {
            left.in_turn += work;
        }
    }
    if !left.has_jobs {
        // Something is to be done that nobody wrote down.
        left.all.without_hours = 1;
        left.in_turn.without_hours = u32::from(holds.is_empty());
    } else if left.jobs == 0 {
        left.finished_at = last_finish;
    }
    left
}

/// Of a job that is not finished.
pub(super) fn job_work<O>(shop: &ShopNow<'_, O>, order: &RepairOrder, job: &Job) -> Work {
    let Some(sold) = job.sold_hours().map(SoldHours::hundredths) else {
        return Work {
            without_hours: 1,
            ..Work::default()
        };
    };
    let sold = SignedDuration::from_secs(i64::from(sold) * 36);
    let clocked = shop.clocked.get(&(order.number, job.job_number));
    let known = sold - clocked.copied().unwrap_or_default();
    if known.is_positive() {
        Work {
            known,
            ..Work::default()
        }
    } else {
        Work {
            used_up: 1,
            ..Work::default()
        }
    }
}
