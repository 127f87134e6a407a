//! What the orders that technicians were given add up to. Pure: no clock, no database.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use dispatch_actors::repair_order::{DisplayedStatus, RepairOrder, SoldHours, TechnicianId};
use serde::Serialize;
use utoipa::ToSchema;

use super::super::workload::load::{HUNDREDTH, UNKNOWN_JOB, hours_of, technicians_on};
use crate::skills::{CodeKind, WorkKindBook};

/// A kind of work that a job may be. It may be of several, and of most jobs nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WorkKind {
    /// The order's status is Waiting: the customer sits in the shop.
    Waiter,
    /// By its operation codes, as the shop says of them; so are the following.
    Diagnosis,
    Warranty,
    Menu,
}

impl From<CodeKind> for WorkKind {
    fn from(kind: CodeKind) -> Self {
        match kind {
            CodeKind::Diagnosis => Self::Diagnosis,
            CodeKind::Warranty => Self::Warranty,
            CodeKind::Menu => Self::Menu,
        }
    }
}

/// Jobs, and the hours that were sold for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::technicians) struct Amount {
    /// Of hours, so that parts add up to the same in any order.
    pub(super) millionths: i64,
    pub jobs: u32,
    pub jobs_without_hours: u32,
}

impl Amount {
    /// To the hundredth.
    pub(in crate::technicians) fn hours(self) -> f64 {
        hours_of(self.millionths)
    }

    /// Millionths of hours, the unknown ones guessed.
    pub(in crate::technicians) fn weight(self) -> i64 {
        self.millionths + UNKNOWN_JOB * i64::from(self.jobs_without_hours)
    }

    fn add_job(&mut self, millionths: Option<i64>) {
        self.jobs += 1;
        match millionths {
            Some(part) => self.millionths += part,
            None => self.jobs_without_hours += 1,
        }
    }
}

/// What one technician was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::technicians) struct GivenWork {
    pub total: Amount,
    /// Parts of the total; kinds of which there was nothing are missing.
    pub kinds: BTreeMap<WorkKind, Amount>,
}

#[cfg(test)]
impl GivenWork {
    pub(in crate::technicians) fn of_hundredths(hundredths: i64) -> Self {
        let total = Amount {
            millionths: hundredths * HUNDREDTH,
            jobs: 1,
            jobs_without_hours: 0,
        };
        Self {
            total,
            ..Self::default()
        }
    }
}

/// An order, and who of those on it came on it in the time that is counted.
#[derive(Clone, Debug)]
pub(super) struct GivenOrder {
    pub order: Arc<RepairOrder>,
    pub to: BTreeSet<TechnicianId>,
}

/// What was given to each technician. An order counts with all its jobs as they are now, done or not, in equal parts for
/// everybody who is on it, since nobody says who of them does which job.
pub(super) fn given_work<'a>(
    orders: impl IntoIterator<Item = &'a GivenOrder>,
    kinds: &WorkKindBook,
) -> HashMap<TechnicianId, GivenWork> {
    let mut given: HashMap<TechnicianId, GivenWork> = HashMap::new();
    for GivenOrder { order, to } in orders {
        let on = technicians_on(order);
        let is_waiter = order.displayed_status() == DisplayedStatus::Waiting;
        for job in &*order.jobs {
            let of_codes = kinds.of_job(job).into_iter().map(WorkKind::from);
            let waiter = is_waiter.then_some(WorkKind::Waiter);
            let kinds: Vec<WorkKind> = waiter.into_iter().chain(of_codes).collect();
            let sold = job.sold_hours().map(SoldHours::hundredths);
            let sold = sold.map(|hundredths| i64::from(hundredths) * HUNDREDTH);
            let takers = on.iter().enumerate().filter(|(_, one)| to.contains(one));
            for (place, technician) in takers {
                let part = sold.map(|sold| part(sold, place, on.len()));
                let theirs = given.entry(*technician).or_default();
                theirs.total.add_job(part);
                for kind in &kinds {
                    theirs.kinds.entry(*kind).or_default().add_job(part);
                }
            }
        }
    }
    given
}

/// One of `count` equal parts. All of them add up to the whole.
fn part(whole: i64, place: usize, count: usize) -> i64 {
    let [place, count] = [place, count].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
    let up_to = |parts: i64| whole.saturating_mul(parts) / count.max(1);
    up_to(place + 1) - up_to(place)
}

/// The technicians whom others are compared with: those who came on the clock in the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::technicians) struct Team {
    pub count: u32,
    /// Of all of them; no hours are known of these.
    pub jobs_without_hours: u32,
    millionths: i64,
}

impl Team {
    pub(super) fn of(
        given: &HashMap<TechnicianId, GivenWork>,
        on_clock: &HashSet<TechnicianId>,
    ) -> Self {
        let mut team = Self::default();
        for technician in on_clock {
            team.count += 1;
            if let Some(theirs) = given.get(technician) {
                team.millionths += theirs.total.millionths;
                team.jobs_without_hours += theirs.total.jobs_without_hours;
            }
        }
        team
    }

    /// Hours of each on average, to the hundredth; none where nobody came.
    pub(in crate::technicians) fn average_hours(self) -> Option<f64> {
        let average = self.millionths.checked_div(i64::from(self.count))?;
        Some(hours_of(average))
    }
}

#[cfg(test)]
mod tests;
