//! What a repair order is and what may happen to it: every rule about status, priority and
//! assignment. Pure: no clock, no database, no actor.
//!
//! [`RepairOrder::apply`] decides which [`Change`]s a [`Command`] makes; [`RepairOrder::evolve`]
//! carries one out. A change is one event of the log and raises the version by one, so replaying
//! an order's events from its `Created` gives the same order and the same version.

mod assigned_technicians;
mod change;
mod customer_call;
mod erasure;
mod header;
mod hold;
mod import;
mod job;
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

pub use assigned_technicians::AssignedTechnician;
pub use change::{
    Action, Change, Command, Edit, ImportedFields, ImportedJob, ImportedOrder, JobEdit, JobTexts,
    Refusal, Undo,
};
pub use customer_call::{CallReason, CallSubject, CustomerCall};
pub use header::RoHeader;
pub use hold::{Hold, HoldActor, HoldId, HoldReason, NewHold};
pub use job::{Job, JobAssignment, Operation};
pub use number::{BadRoNumber, RoNumber};
pub use progress::{OrderProgress, WorkFacts};
pub use promise_moves::{PromiseMove, PromiseMoves, promise_moves};
pub use sold_hours::SoldHours;
pub use stage::{
    Placement, StageCause, StageId, StageKind, StageRule, StageRules, StageSpan, shipped,
};
pub use stage_strip::stage_strip;
pub use status::{DisplayedStatus, Priority, Status};
pub use story::{
    Answer, AnswerField, InterviewerId, StoryAnswer, StoryChange, StoryKind, StoryProvenance,
};
pub use story_claim::StoryClaim;
pub use times::{DUE_SOON, LONG_STAY_DAYS, TOO_LONG_STAY_DAYS};

/// How many changes an order has seen; dense, starting at 1 with its creation. 0 is "not there yet".
pub type Version = i64;

/// A technician's number in the dealer's system.
pub type TechnicianId = i64;

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
            } => self.take_technician(*technician, name.as_deref(), *place),
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
