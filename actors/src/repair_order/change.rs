//! Commands to a repair order ([`Command`]) and changes of it ([`Change`]).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    AssignedTechnician, CallReason, CustomerCall, Hold, HoldId, Job, JobAssignment, NewHold,
    Operation, Placement, Priority, RepairOrder, RoHeader, RoNumber, StageCause, StageId, Status,
    StoryProvenance, TechnicianId, WorkFacts,
};

/// A command to a repair order.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    ChangeStatus(Status),
    ChangePriority(Priority),
    Assign(TechnicianId),
    Unassign(TechnicianId),
    /// The technician takes themselves off it, and says why.
    HandBack {
        technician: TechnicianId,
        reason: String,
    },
    /// Takes the order from one technician and gives it to another.
    Reassign {
        from: TechnicianId,
        to: TechnicianId,
    },
    EditJob {
        job_number: i32,
        texts: JobTexts,
        /// Of the story among the texts, where it was not written by hand.
        provenance: Option<Box<StoryProvenance>>,
    },
    Close {
        at: Timestamp,
    },
    Reopen {
        at: Timestamp,
    },
    Undo(Box<Undo>),
    Import(Box<ImportedOrder>),
    /// Everything on it that is its customer's is taken off, for good.
    EraseCustomer {
        at: Timestamp,
    },
    /// Refused for an order that a hold keeps in its stage, unless that ends its holds.
    SetStage {
        stage: StageId,
        ends_holds: bool,
        at: Timestamp,
    },
    StartHold {
        hold: Box<NewHold>,
        at: Timestamp,
    },
    EndHold {
        id: HoldId,
        at: Timestamp,
    },
    /// What the job clocks know of it now.
    ReportWork(WorkFacts),
    /// Somebody has called its customer about this.
    RecordCall {
        about: Vec<CallReason>,
        at: Timestamp,
    },
}

impl Command {
    /// Whether it makes sense only where the shop has stages.
    pub fn is_about_stages(&self) -> bool {
        matches!(
            self,
            Command::SetStage { .. }
                | Command::StartHold { .. }
                | Command::EndHold { .. }
                | Command::ReportWork(_)
                | Command::RecordCall { .. }
        )
    }
}

/// The texts of a job that are the shop's own. What is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct JobTexts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brief_tech_notes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tech_story: Option<String>,
}

/// Taking back what one request did to the order. Decided on the order as it is, so the caller
/// names the version that `since` goes up to.
#[derive(Clone, Debug, PartialEq)]
pub struct Undo {
    /// The changes that are undone, oldest first.
    pub changes: Vec<Change>,
    /// Everything that happened to the order after the first of them, but they themselves.
    pub since: Vec<Change>,
    pub at: Timestamp,
}

/// A repair order as the dealer's system has it. A field that is `None` was missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedOrder {
    /// The number as text, before its digits were taken.
    pub dms_number: String,
    pub header: RoHeader<Option<String>>,
    pub opened_at: Option<Timestamp>,
    pub promised_at: Option<Timestamp>,
    pub closed_at: Option<Timestamp>,
    /// The order is closed, without a time: `closed_at` is when the file was read.
    pub closing_is_undated: bool,
    pub customer_status: Option<String>,
    pub app_customer_status: Option<Status>,
    pub priority: Option<Priority>,
    pub regular_technicians: Option<Vec<AssignedTechnician>>,
    pub etl_technicians: Option<Vec<AssignedTechnician>>,
    /// Where the file says that the car stands; none where that is the desk's.
    pub stage: Option<StageId>,
    pub jobs: Vec<ImportedJob>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedJob {
    pub job_number: i32,
    pub concern: Option<String>,
    pub cause: Option<String>,
    pub brief_tech_notes: Option<String>,
    pub tech_story: Option<String>,
    pub operations: Option<Vec<Operation>>,
    pub assignments: Option<Vec<JobAssignment>>,
}

/// One event of an order's life, with what it was before and is after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Change {
    Created {
        repair_order: Box<RepairOrder>,
    },
    /// `None` is the dealer system's status, which counts until the desk sets one.
    StatusChanged {
        from: Option<Status>,
        to: Option<Status>,
    },
    PriorityChanged {
        from: Priority,
        to: Priority,
    },
    TechnicianAssigned {
        technician: TechnicianId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Where among the technicians; at the end where there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<usize>,
    },
    TechnicianUnassigned {
        technician: TechnicianId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Where the technician stood, counted from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<usize>,
        /// Why the technician handed it back; none where somebody else took them off.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    JobEdited {
        job_number: i32,
        from: JobTexts,
        to: JobTexts,
        /// Of the story, where it was not written by hand. Old events do not say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provenance: Option<Box<StoryProvenance>>,
    },
    Imported {
        fields: Box<ImportedFields>,
    },
    Closed {
        at: Timestamp,
    },
    /// `closed_at` is when it had been closed.
    Reopened {
        closed_at: Timestamp,
        /// Old events do not say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Timestamp>,
    },
    /// What was its customer's is not on the order any more, and in none of its events.
    CustomerErased {
        at: Timestamp,
    },
    StageChanged {
        from: Placement,
        to: Placement,
        at: Timestamp,
        cause: StageCause,
    },
    HoldStarted {
        hold: Hold,
    },
    HoldChanged {
        from: Hold,
        to: Hold,
    },
    HoldEnded {
        hold: Hold,
        at: Timestamp,
    },
    WorkReported {
        from: WorkFacts,
        to: WorkFacts,
    },
    /// The calls that count, before and after.
    CustomerCalled {
        about: Vec<CallReason>,
        /// The call about it was taken back.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_undone: bool,
        from: Vec<CustomerCall>,
        to: Vec<CustomerCall>,
    },
}

/// What a later import changed, field by field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ImportedFields {
    #[serde(flatten)]
    pub header: RoHeader<Option<Edit<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_status: Option<Edit<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promised_at: Option<Edit<Option<Timestamp>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etl_technicians: Option<Edit<Vec<AssignedTechnician>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<JobEdit>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edit<T> {
    pub from: T,
    pub to: T,
}

/// A job that an import added (`from` is none) or changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobEdit {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Job>,
    pub to: Job,
}

/// What a change is called in `RO_MODIFIED` and in the event log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Action {
    Created,
    StatusChanged,
    PriorityChanged,
    TechAssigned,
    TechUnassigned,
    JobChanged,
    Imported,
    Closed,
    Reopened,
    CustomerErased,
    StageChanged,
    HoldStarted,
    HoldChanged,
    HoldEnded,
    /// A clock ran on it for the first time, or jobs of it are done, or are not done any more.
    WorkReported,
    /// Somebody has called the customer, or that was taken back.
    CustomerCalled,
}

impl Action {
    pub fn name(self) -> &'static str {
        match self {
            Action::Created => "CREATED",
            Action::StatusChanged => "STATUS_CHANGED",
            Action::PriorityChanged => "PRIORITY_CHANGED",
            Action::TechAssigned => "TECH_ASSIGNED",
            Action::TechUnassigned => "TECH_UNASSIGNED",
            Action::JobChanged => "JOB_CHANGED",
            Action::Imported => "IMPORTED",
            Action::Closed => "CLOSED",
            Action::Reopened => "REOPENED",
            Action::CustomerErased => "CUSTOMER_ERASED",
            Action::StageChanged => "STAGE_CHANGED",
            Action::HoldStarted => "HOLD_STARTED",
            Action::HoldChanged => "HOLD_CHANGED",
            Action::HoldEnded => "HOLD_ENDED",
            Action::WorkReported => "WORK_REPORTED",
            Action::CustomerCalled => "CUSTOMER_CALLED",
        }
    }
}

impl Change {
    pub fn action(&self) -> Action {
        match self {
            Change::Created { .. } => Action::Created,
            Change::StatusChanged { .. } => Action::StatusChanged,
            Change::PriorityChanged { .. } => Action::PriorityChanged,
            Change::TechnicianAssigned { .. } => Action::TechAssigned,
            Change::TechnicianUnassigned { .. } => Action::TechUnassigned,
            Change::Imported { .. } => Action::Imported,
            Change::JobEdited { .. } => Action::JobChanged,
            Change::Closed { .. } => Action::Closed,
            Change::Reopened { .. } => Action::Reopened,
            Change::CustomerErased { .. } => Action::CustomerErased,
            Change::StageChanged { .. } => Action::StageChanged,
            Change::HoldStarted { .. } => Action::HoldStarted,
            Change::HoldChanged { .. } => Action::HoldChanged,
            Change::HoldEnded { .. } => Action::HoldEnded,
            Change::WorkReported { .. } => Action::WorkReported,
            Change::CustomerCalled { .. } => Action::CustomerCalled,
        }
    }

    /// Whether it is about stages, holds or calls and somebody asked for it: not a move that followed by itself.
    pub fn is_of_person_on_stage(&self) -> bool {
        match self {
            Change::StageChanged { cause, .. } => *cause == StageCause::Person,
            Change::HoldStarted { .. }
            | Change::HoldChanged { .. }
            | Change::HoldEnded { .. }
            | Change::CustomerCalled { .. } => true,
            _ => false,
        }
    }

    pub fn technician(&self) -> Option<TechnicianId> {
        match self {
            Change::TechnicianAssigned { technician, .. }
            | Change::TechnicianUnassigned { technician, .. } => Some(*technician),
            _ => None,
        }
    }

    /// Every technician whom this change assigned or unassigned.
    pub fn technicians(&self) -> Vec<TechnicianId> {
        match self {
            Change::Imported { fields } => fields
                .etl_technicians
                .iter()
                .flat_map(|edit| edit.from.iter().chain(&edit.to))
                .map(|assigned| assigned.technician)
                .collect(),
            change => change.technician().into_iter().collect(),
        }
    }
}

/// Why a command changed nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("Repair order {0} is closed")]
    Closed(RoNumber),
    #[error(
        "Technician {technician} came with the dealer system's file and can only be removed there"
    )]
    EtlTechnician { technician: TechnicianId },
    #[error("Technician {technician} is not assigned to repair order {number}")]
    NotAssigned {
        number: RoNumber,
        technician: TechnicianId,
    },
    #[error("Repair order {number} has no job {job_number}")]
    UnknownJob { number: RoNumber, job_number: i32 },
    #[error("This cannot be undone: {what} of repair order {number} has changed again since")]
    ChangedSince {
        number: RoNumber,
        what: &'static str,
    },
    #[error(
        "What came with a file of the dealer system is corrected there and cannot be undone here"
    )]
    CannotUndoImport,
    #[error("A customer who was erased cannot be brought back")]
    CannotUndoErasure,
    #[error("RO number '{theirs}' has the same digits as '{ours}', which is another repair order")]
    NumberCollision { ours: String, theirs: String },
    #[error("This shop does not use stages of work; an owner can turn them on")]
    StagesOff,
    #[error("There is no stage {0} that an order can be moved to")]
    UnknownStage(StageId),
    #[error("Repair order {number} never had a hold {id}")]
    UnknownHold { number: RoNumber, id: HoldId },
    #[error("Repair order {0} is on hold; end the hold first")]
    OnHold(RoNumber),
    #[error("There is nothing to call the customer of repair order {number} about: {}", reason.name())]
    NothingToCallAbout {
        number: RoNumber,
        reason: CallReason,
    },
    #[error("What the job clocks told is undone at the clock")]
    CannotUndoWork,
}
