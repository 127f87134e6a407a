//! Whose the sold time of a finished job is.

use std::collections::{BTreeMap, HashMap};

use dispatch_actors::repair_order::TechnicianId;
use jiff::{SignedDuration, Timestamp};

use super::entry::{Entry, Work};

/// Who worked for how long on each job, up to `now`.
pub fn clocked_by_job(
    entries: impl IntoIterator<Item = (TechnicianId, Entry)>,
    now: Timestamp,
) -> HashMap<Work, BTreeMap<TechnicianId, SignedDuration>> {
    let mut clocked: HashMap<Work, BTreeMap<TechnicianId, SignedDuration>> = HashMap::new();
    for (technician, entry) in entries {
        if let Some(work) = entry.work {
            let on_job = clocked.entry(work).or_default();
            *on_job.entry(technician).or_default() += entry.within(entry.started_at, now);
        }
    }
    clocked
}

/// A finished job, what was sold for it, and who worked on it for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedWork {
    pub finisher: TechnicianId,
    /// Hundredths of an hour; none where none are known.
    pub sold: Option<i64>,
    pub clocked: BTreeMap<TechnicianId, SignedDuration>,
}

impl FinishedWork {
    /// Whether this technician clocked time on it, or finished it where nobody did.
    pub fn has(&self, technician: TechnicianId) -> bool {
        match self.total() {
            0 => technician == self.finisher,
            _ => self.milliseconds(technician) > 0,
        }
    }

    /// Hundredths of an hour of each technician, in proportion to their clocked time; all of it the finisher's where
    /// nobody clocked any. They add up to what was sold.
    pub fn shares(&self) -> BTreeMap<TechnicianId, i64> {
        let Some(sold) = self.sold else {
            return BTreeMap::new();
        };
        let total = self.total();
        if total == 0 {
            return BTreeMap::from([(self.finisher, sold)]);
        }
        let mut shares = BTreeMap::new();
        let mut remainders = Vec::new();
        for &technician in self.clocked.keys() {
            let part = i128::from(sold) * self.milliseconds(technician);
            let share = i64::try_from(part / total).unwrap_or(sold);
            shares.insert(technician, share);
            remainders.push((part % total, technician));
        }
        // What rounding down leaves goes to those who lost the most by it.
        remainders.sort_by_key(|&(remainder, technician)| (-remainder, technician));
        let left = sold - shares.values().sum::<i64>();
        for (_, technician) in remainders
            .into_iter()
            .take(usize::try_from(left).unwrap_or(0))
        {
            shares.entry(technician).and_modify(|share| *share += 1);
        }
        shares
    }

    fn total(&self) -> i128 {
        let technicians = self.clocked.keys();
        technicians.map(|one| self.milliseconds(*one)).sum()
    }

    fn milliseconds(&self, technician: TechnicianId) -> i128 {
        let clocked = self.clocked.get(&technician);
        clocked.map_or(0, |clocked| clocked.as_millis().max(0))
    }
}
