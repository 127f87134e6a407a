//! What a repair order is and what may happen to it: every rule about status, priority and
//! assignment. Pure: no clock, no database, no actor.
//!
//! [`RepairOrder::apply`] decides which [`Change`]s a [`Command`] makes; [`RepairOrder::evolve`]
//! carries one out. A change is one event of the log and raises the version by one, so replaying
//! an order's events from its `Created` gives the same order and the same version.

mod change;
mod customer_call;
mod erasure;
mod header;
mod hold;
mod import;
mod number;
mod progress;
mod promise_moves;
mod sold_hours;
mod stage;
mod stage_moves;
mod stage_of_file;
mod stage_strip;
mod status;
mod story;
mod story_claim;
mod times;
mod undo;

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use change::{
    Action, Change, Command, Edit, ImportedFields, ImportedJob, ImportedOrder, JobEdit, JobTexts,
    Refusal, Undo,
};
pub use customer_call::{CallReason, CallSubject, CustomerCall};
pub use header::RoHeader;
pub use hold::{Hold, HoldActor, HoldId, HoldReason, NewHold};
pub use number::{BadRoNumber, RoNumber};
pub use progress::{OrderProgress, WorkFacts};
pub use promise_moves::{PromiseMove, PromiseMoves, promise_moves};
pub use sold_hours::SoldHours;
pub use stage::{
    Placement, StageCause, StageId, StageKind, StageRule, StageRules, StageSpan, shipped,
};
pub use stage_strip::stage_strip;
pub use status::{DisplayedStatus, Priority, Status};
pub use story::{Answer, InterviewerId, StoryAnswer, StoryChange, StoryKind, StoryProvenance};
pub use story_claim::StoryClaim;
pub use times::{DUE_SOON, LONG_STAY_DAYS, TOO_LONG_STAY_DAYS};

/// How many changes an order has seen; dense, starting at 1 with its creation. 0 is "not there yet".
pub type Version = i64;

/// A technician's number in the dealer's system.
pub type TechnicianId = i64;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AssignedTechnician {
    pub technician: TechnicianId,
    /// The name as it came with the order, for a technician the shop's own list does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A job as it stands on the order. Concern, operations and assignments are the dealer system's;
/// cause, notes and story the shop's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Job {
    pub job_number: i32,
    pub concern: String,
    pub cause: String,
    pub brief_tech_notes: String,
    pub tech_story: String,
    pub operations: Vec<Operation>,
    pub assignments: Vec<JobAssignment>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Operation {
    #[schema(required)]
    pub operation_code: String,
    /// Spelled as the wire spells it.
    #[serde(rename = "operationDesciption")]
    #[schema(required)]
    pub operation_description: String,
    /// Null where the dealer's system did not say.
    #[schema(required)]
    pub sold_hours: Option<SoldHours>,
}

impl Job {
    /// Of all its operations; none where none of them says.
    pub fn sold_hours(&self) -> Option<SoldHours> {
        let sold_hours = self.operations.iter().filter_map(|one| one.sold_hours);
        let hundredths = sold_hours.map(SoldHours::hundredths);
        hundredths
            .reduce(i32::saturating_add)
            .map(|sum| sum.min(SoldHours::MAX.hundredths()))
            .and_then(SoldHours::from_hundredths)
    }
}

/// Who the dealer's system says works on a job, kept as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct JobAssignment {
    #[schema(required)]
    pub source: String,
    #[schema(required)]
    pub first_name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepairOrder {
    pub number: RoNumber,
    pub version: Version,
    /// The dealer system's text for the number where it differs from its digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dms_number: Option<String>,
    #[serde(flatten)]
    pub header: RoHeader<String>,
    pub opened_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promised_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
    /// When the shop reopened it. After that only a file with a later closing time closes it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reopened_at: Option<Timestamp>,
    /// When its customer was erased. From then on no file brings a customer's texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erased_at: Option<Timestamp>,
    /// The dealer system's status, as it came.
    pub customer_status: String,
    /// The desk's status; where there is none, the dealer system's counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_customer_status: Option<Status>,
    pub priority: Priority,
    /// In the order they were assigned.
    pub regular_technicians: Vec<AssignedTechnician>,
    pub etl_technicians: Vec<AssignedTechnician>,
    /// Sorted by job number.
    /// Shared by the versions of an order that have the same.
    pub jobs: Arc<Vec<Job>>,
    /// Empty in a shop that never had stages.
    #[serde(default, skip_serializing_if = "OrderProgress::is_empty")]
    pub progress: OrderProgress,
}

impl RepairOrder {
    /// The changes that `command` makes to this order, in their order; none when it already is so.
    pub fn apply(&self, command: &Command) -> Result<Vec<Change>, Refusal> {
        match command {
            Command::ChangeStatus(to) => self.open()?.change_status(*to),
            Command::ChangePriority(to) => {
                Ok(self.open()?.change_priority(*to).into_iter().collect())
            }
            Command::Assign(technician) => {
                Ok(self.open()?.assign(*technician).into_iter().collect())
            }
            Command::Unassign(technician) => self.open()?.unassign(*technician),
            Command::HandBack { technician, reason } => self.open()?.hand_back(*technician, reason),
            Command::Reassign { from, to } => self.open()?.reassign(*from, *to),
            // Stories are written when the car is gone, too.
            Command::EditJob {
                job_number,
                texts,
                provenance,
            } => self.edit_job(*job_number, texts, provenance.as_deref()),
            Command::Close { at } => Ok(self.close(*at).into_iter().collect()),
            Command::Reopen { at } => Ok(self.reopen(*at).into_iter().collect()),
            Command::Undo(undo) => self.undo(undo),
            Command::Import(imported) => self.import(imported),
            Command::EraseCustomer { at } => Ok(self.erase_customer(*at).into_iter().collect()),
            Command::SetStage {
                stage,
                ends_holds,
                at,
            } => self.open()?.set_stage(stage, *ends_holds, *at),
            Command::StartHold { hold, at } => self.open()?.start_hold(hold, *at),
            Command::EndHold { id, at } => self.open()?.end_hold(*id, *at),
            Command::ReportWork(facts) => Ok(self.open()?.report_work(facts).into_iter().collect()),
            Command::RecordCall { about, at } => self.open()?.record_call(about, *at),
        }
    }

    fn open(&self) -> Result<&Self, Refusal> {
        match self.closed_at {
            None => Ok(self),
            Some(_) => Err(Refusal::Closed(self.number)),
        }
    }

    fn change_status(&self, to: Status) -> Result<Vec<Change>, Refusal> {
        if self.app_customer_status == Some(to) {
            return Ok(Vec::new());
        }
        let mut changes = vec![Change::StatusChanged {
            from: self.app_customer_status,
            to: Some(to),
        }];
        changes.extend(self.change_priority(to.displayed().automatic_priority()));
        Ok(changes)
    }

    fn change_priority(&self, to: Priority) -> Option<Change> {
        (self.priority != to).then_some(Change::PriorityChanged {
            from: self.priority,
            to,
        })
    }

    /// Whether the technician is on this order, for the desk or for the dealer's system.
    pub fn has_technician(&self, technician: TechnicianId) -> bool {
        let mut assigned = self.regular_technicians.iter().chain(&self.etl_technicians);
        assigned.any(|assigned| assigned.technician == technician)
    }

    fn place_of(&self, technician: TechnicianId) -> Option<usize> {
        self.regular_technicians
            .iter()
            .position(|assigned| assigned.technician == technician)
    }

    fn assign(&self, technician: TechnicianId) -> Option<Change> {
        self.place_of(technician)
            .is_none()
            .then_some(Change::TechnicianAssigned {
                technician,
                name: None,
                place: None,
            })
    }

    fn unassign(&self, technician: TechnicianId) -> Result<Vec<Change>, Refusal> {
        if let Some(place) = self.place_of(technician) {
            return Ok(vec![self.unassigned(place)]);
        }
        if self
            .etl_technicians
            .iter()
            .any(|t| t.technician == technician)
        {
            return Err(Refusal::EtlTechnician { technician });
        }
        Ok(Vec::new())
    }

    fn hand_back(&self, technician: TechnicianId, reason: &str) -> Result<Vec<Change>, Refusal> {
        let mut changes = self.unassign(technician)?;
        match changes.as_mut_slice() {
            [
                Change::TechnicianUnassigned {
                    reason: recorded_reason,
                    ..
                },
            ] => {
                *recorded_reason = Some(reason.to_owned());
                Ok(changes)
            }
            _ => Err(Refusal::NotAssigned {
                number: self.number,
                technician,
            }),
        }
    }

    fn unassigned(&self, place: usize) -> Change {
        let AssignedTechnician { technician, name } = &self.regular_technicians[place];
        Change::TechnicianUnassigned {
            technician: *technician,
            name: name.clone(),
            place: Some(place),
            reason: None,
        }
    }

    /// Repeated, it changes nothing: the first is gone and the second is there.
    fn reassign(&self, from: TechnicianId, to: TechnicianId) -> Result<Vec<Change>, Refusal> {
        let there = self.place_of(to).is_some();
        if from == to && there {
            return Ok(Vec::new());
        }
        let mut changes = self.unassign(from)?;
        if changes.is_empty() && !there {
            return Err(Refusal::NotAssigned {
                number: self.number,
                technician: from,
            });
        }
        changes.extend(self.assign(to));
        Ok(changes)
    }

    fn edit_job(
        &self,
        job_number: i32,
        texts: &JobTexts,
        provenance: Option<&StoryProvenance>,
    ) -> Result<Vec<Change>, Refusal> {
        let job = self
            .jobs
            .iter()
            .find(|job| job.job_number == job_number)
            .ok_or(Refusal::UnknownJob {
                number: self.number,
                job_number,
            })?;
        let (mut from, mut to) = (JobTexts::default(), JobTexts::default());
        for (ours, theirs, from, to) in [
            (&job.cause, &texts.cause, &mut from.cause, &mut to.cause),
            (
                &job.brief_tech_notes,
                &texts.brief_tech_notes,
                &mut from.brief_tech_notes,
                &mut to.brief_tech_notes,
            ),
            (
                &job.tech_story,
                &texts.tech_story,
                &mut from.tech_story,
                &mut to.tech_story,
            ),
        ] {
            if theirs.as_ref().is_some_and(|theirs| theirs != ours) {
                *from = Some(ours.clone());
                to.clone_from(theirs);
            }
        }
        Ok(if to == JobTexts::default() {
            Vec::new()
        } else {
            let of_story = provenance.filter(|_| to.tech_story.is_some());
            vec![Change::JobEdited {
                job_number,
                from,
                to,
                provenance: of_story.cloned().map(Box::new),
            }]
        })
    }

    fn close(&self, at: Timestamp) -> Option<Change> {
        self.closed_at.is_none().then_some(Change::Closed { at })
    }

    fn reopen(&self, at: Timestamp) -> Option<Change> {
        self.closed_at.map(|closed_at| Change::Reopened {
            closed_at,
            at: Some(at),
        })
    }

    /// Carries out one change of this order. `Created` replaces what is there.
    pub fn evolve(&mut self, change: &Change) {
        match change {
            Change::Created { repair_order } => {
                *self = (**repair_order).clone();
                return;
            }
            Change::StatusChanged { to, .. } => self.app_customer_status = *to,
            Change::PriorityChanged { to, .. } => self.priority = *to,
            Change::TechnicianAssigned {
                technician,
                name,
                place,
            } => {
                let assigned = AssignedTechnician {
                    technician: *technician,
                    name: name.clone(),
                };
                let end = self.regular_technicians.len();
                let place = place.map_or(end, |place| place.min(end));
                self.regular_technicians.insert(place, assigned);
            }
            Change::TechnicianUnassigned { technician, .. } => {
                self.regular_technicians
                    .retain(|t| t.technician != *technician);
            }
            Change::JobEdited { job_number, to, .. } => self.take_texts(*job_number, to),
            Change::Imported { fields } => self.take_imported(fields),
            Change::Closed { at } => {
                self.closed_at = Some(*at);
                self.reopened_at = None;
            }
            Change::Reopened { closed_at, at } => {
                self.closed_at = None;
                self.reopened_at = Some(at.unwrap_or(*closed_at));
            }
            Change::CustomerErased { at } => self.take_erasure(*at),
            Change::StageChanged { to, at, .. } => self.progress.take_placement(to, *at),
            Change::HoldStarted { hold } | Change::HoldChanged { to: hold, .. } => {
                self.progress.put_hold(hold);
            }
            Change::HoldEnded { hold, .. } => self.progress.remove_hold(hold.id),
            Change::WorkReported { to, .. } => self.progress.work.clone_from(to),
            Change::CustomerCalled { to, .. } => self.progress.calls.clone_from(to),
        }
        self.version += 1;
    }

    fn take_texts(&mut self, job_number: i32, texts: &JobTexts) {
        let job = Arc::make_mut(&mut self.jobs)
            .iter_mut()
            .find(|job| job.job_number == job_number);
        let Some(job) = job else { return };
        for (ours, theirs) in [
            (&mut job.cause, &texts.cause),
            (&mut job.brief_tech_notes, &texts.brief_tech_notes),
            (&mut job.tech_story, &texts.tech_story),
        ] {
            if let Some(theirs) = theirs {
                ours.clone_from(theirs);
            }
        }
    }

    /// The order replayed from its events, oldest first; the first must be its `Created`.
    pub fn replay<'a>(changes: impl IntoIterator<Item = &'a Change>) -> Option<Self> {
        let mut changes = changes.into_iter();
        let Change::Created { repair_order } = changes.next()? else {
            return None;
        };
        let mut order = (**repair_order).clone();
        for change in changes {
            order.evolve(change);
        }
        Some(order)
    }

    pub fn displayed_status(&self) -> DisplayedStatus {
        DisplayedStatus::of(self.app_customer_status, &self.customer_status)
    }
}
