//! How far the work on an order is: its stage, its holds, what the job clocks have told, and calls
//! to its customer.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::customer_call::CustomerCall;
use super::hold::{Hold, HoldId};
use super::stage::{Placement, StageId, StageRules};
use super::{Change, Job, NewHold, Refusal, RepairOrder};

/// What the job clocks know of an order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WorkFacts {
    /// Whether a clock has ever run on it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub clocked: bool,
    /// The jobs that are done, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub finished_jobs: Vec<i32>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OrderProgress {
    #[serde(flatten)]
    pub placement: Placement,
    /// Since when it has been in its stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    #[serde(flatten)]
    pub work: WorkFacts,
    /// Those that have not ended, by their numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<Hold>,
    /// The highest number that a hold of it had.
    #[serde(skip_serializing_if = "is_zero")]
    pub last_hold: HoldId,
    /// To its customer, as far as they still count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CustomerCall>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &HoldId) -> bool {
    *number == 0
}

impl OrderProgress {
    /// Whether it says nothing, which is not worth a text in the database.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn has_finished(&self, job: &Job) -> bool {
        self.work
            .finished_jobs
            .binary_search(&job.job_number)
            .is_ok()
    }

    /// Whether every job is done, of those that there are.
    pub(super) fn is_finished(&self, jobs: &[Job]) -> bool {
        !jobs.is_empty() && jobs.iter().all(|job| self.has_finished(job))
    }

    /// The stage in which holds keep the order, if they do.
    ///
    /// A hold of the whole order does. A job's own hold does only once no job is left that could go on: every job that
    /// is not done waits. Of several the one that matters most decides: of the whole order before of a job, then by
    /// reason (approval, parts, sublet), then the oldest. A hold for another reason keeps an order where it is.
    pub fn stage_of_holds(&self, jobs: &[Job], rules: &StageRules) -> Option<StageId> {
        let stage = |hold: &Hold| rules.available(hold.reason.stage()?);
        self.holds_of_whole(jobs)
            .filter_map(|hold| Some((hold, stage(hold)?)))
            .min_by_key(|(hold, _)| (hold.job_number.is_some(), hold.reason, hold.since, hold.id))
            .map(|(_, stage)| stage)
    }

    /// Whether nothing of the order can go on, whatever it waits for.
    pub fn is_on_hold(&self, jobs: &[Job]) -> bool {
        self.holds_of_whole(jobs).next().is_some()
    }

    /// The holds of the whole order, and those of jobs once no job is left that could go on.
    fn holds_of_whole(&self, jobs: &[Job]) -> impl Iterator<Item = &Hold> {
        let waits = |job: &Job| {
            let number = Some(job.job_number);
            self.holds.iter().any(|hold| hold.job_number == number)
        };
        let is_unfinished = |job: &&Job| !self.has_finished(job);
        let all_wait = jobs.iter().filter(is_unfinished).all(waits);
        let counts = move |hold: &&Hold| match hold.job_number {
            None => true,
            Some(number) => {
                let mut unfinished = jobs.iter().filter(is_unfinished);
                all_wait && unfinished.any(|job| job.job_number == number)
            }
        };
        self.holds.iter().filter(counts)
    }

    pub(super) fn take_placement(&mut self, to: &Placement, at: Timestamp) {
        if self.placement.stage != to.stage {
            self.since = to.stage.is_some().then_some(at);
        }
        self.placement.clone_from(to);
    }

    /// Puts a hold in place of the one of its number, or among the others.
    pub(super) fn put_hold(&mut self, hold: &Hold) {
        self.last_hold = self.last_hold.max(hold.id);
        match self.holds.binary_search_by_key(&hold.id, |hold| hold.id) {
            Ok(place) => self.holds[place] = hold.clone(),
            Err(place) => self.holds.insert(place, hold.clone()),
        }
    }

    pub(super) fn remove_hold(&mut self, id: HoldId) {
        self.holds.retain(|hold| hold.id != id);
    }
}

impl RepairOrder {
    pub(super) fn start_hold(&self, new: &NewHold, at: Timestamp) -> Result<Vec<Change>, Refusal> {
        if let Some(job_number) = new.job_number
            && self.jobs.iter().all(|job| job.job_number != job_number)
        {
            return Err(Refusal::UnknownJob {
                number: self.number,
                job_number,
            });
        }
        let progress = &self.progress;
        let Some(hold) = progress.holds.iter().find(|hold| hold.is_same(new)) else {
            let hold = Hold::new(progress.last_hold + 1, new, at);
            return Ok(vec![Change::HoldStarted { hold }]);
        };
        let to = hold.with(new);
        let changed = (to != *hold).then(|| Change::HoldChanged {
            from: hold.clone(),
            to,
        });
        Ok(changed.into_iter().collect())
    }

    /// A hold that has ended already has ended.
    pub(super) fn end_hold(&self, id: HoldId, at: Timestamp) -> Result<Vec<Change>, Refusal> {
        let progress = &self.progress;
        match progress.holds.iter().find(|hold| hold.id == id) {
            Some(hold) => Ok(vec![Change::HoldEnded {
                hold: hold.clone(),
                at,
            }]),
            None if (1..=progress.last_hold).contains(&id) => Ok(Vec::new()),
            None => Err(Refusal::UnknownHold {
                number: self.number,
                id,
            }),
        }
    }

    pub(super) fn set_stage(
        &self,
        stage: &StageId,
        ends_holds: bool,
        at: Timestamp,
    ) -> Result<Vec<Change>, Refusal> {
        let progress = &self.progress;
        let mut changes = Vec::new();
        if progress.placement.resumes_at.is_some() {
            if progress.placement.stage.as_ref() == Some(stage) {
                return Ok(changes);
            }
            if !ends_holds {
                return Err(Refusal::OnHold(self.number));
            }
        }
        if ends_holds {
            changes.extend(progress.holds.iter().map(|hold| Change::HoldEnded {
                hold: hold.clone(),
                at,
            }));
        }
        if progress.placement.stage.as_ref() != Some(stage) {
            changes.push(self.moved_by_person(stage, at));
        }
        Ok(changes)
    }

    fn moved_by_person(&self, stage: &StageId, at: Timestamp) -> Change {
        Change::StageChanged {
            from: self.progress.placement.clone(),
            to: Placement {
                stage: Some(stage.clone()),
                ..Placement::default()
            },
            at,
            cause: super::StageCause::Person,
        }
    }

    pub(super) fn report_work(&self, facts: &WorkFacts) -> Option<Change> {
        (self.progress.work != *facts).then(|| Change::WorkReported {
            from: self.progress.work.clone(),
            to: facts.clone(),
        })
    }
}
