//! What a repair order is and what may happen to it: every rule about status, priority and
//! assignment. Pure: no clock, no database, no actor.
//!
//! [`RepairOrder::apply`] decides which [`Change`]s a [`Command`] makes; [`RepairOrder::evolve`]
//! carries one out. A change is one event of the log and raises the version by one, so replaying
//! an order's events from its `Created` gives the same order and the same version.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The value of an RO number's digits, 1 to 2^53 - 1 (the largest integer that every JSON reader
/// keeps exactly).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct RoNumber(i64);

impl RoNumber {
    pub const MAX: i64 = (1 << 53) - 1;

    pub fn get(self) -> i64 {
        self.0
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRoNumber {
    #[error("the RO number is missing")]
    Missing,
    #[error("'{0}' is not an RO number: it has no digits")]
    NoDigits(String),
    #[error("RO number '{0}' is out of range: 1 to 9007199254740991")]
    OutOfRange(String),
    #[error("RO number '{0}' is not a whole number")]
    NotWhole(String),
}

impl TryFrom<i64> for RoNumber {
    type Error = BadRoNumber;

    fn try_from(value: i64) -> Result<Self, BadRoNumber> {
        if (1..=Self::MAX).contains(&value) {
            Ok(Self(value))
        } else {
            Err(BadRoNumber::OutOfRange(value.to_string()))
        }
    }
}

impl From<RoNumber> for i64 {
    fn from(number: RoNumber) -> i64 {
        number.0
    }
}

impl FromStr for RoNumber {
    type Err = BadRoNumber;

    /// Reads a dealer's text: letters and leading zeros are allowed around and between the digits.
    /// A decimal, a negative number, or what a spreadsheet makes of a long one (1.00234E+11) is
    /// refused: their digits alone would be another order's number.
    fn from_str(text: &str) -> Result<Self, BadRoNumber> {
        let text = text.trim();
        if text.is_empty() {
            return Err(BadRoNumber::Missing);
        }
        let looks_like_a_number =
            text.parse::<f64>().is_ok() || text.replace(',', ".").parse::<f64>().is_ok();
        if looks_like_a_number && text.contains(['.', ',', '+', '-']) {
            return Err(BadRoNumber::NotWhole(text.to_owned()));
        }
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        if digits.is_empty() {
            return Err(BadRoNumber::NoDigits(text.to_owned()));
        }
        let value: i64 = digits
            .parse()
            .map_err(|_| BadRoNumber::OutOfRange(text.to_owned()))?;
        Self::try_from(value).map_err(|_| BadRoNumber::OutOfRange(text.to_owned()))
    }
}

impl fmt::Display for RoNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How many changes an order has seen; dense, starting at 1 with its creation. 0 is "not there yet".
pub type Version = i64;

/// A status the desk can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum Status {
    Drop,
    Waiting,
    Used,
    #[serde(rename = "PDI")]
    Pdi,
    #[serde(rename = "ENG")]
    Eng,
    Trans,
}

impl Status {
    pub const ALL: [Status; 6] = [
        Status::Drop,
        Status::Waiting,
        Status::Used,
        Status::Pdi,
        Status::Eng,
        Status::Trans,
    ];

    /// The id by which clients name a status.
    pub fn id(self) -> u8 {
        match self {
            Status::Drop => 10,
            Status::Waiting => 11,
            Status::Used => 12,
            Status::Pdi => 13,
            Status::Eng => 14,
            Status::Trans => 15,
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|status| status.id().to_string() == id.trim())
    }

    pub fn name(self) -> &'static str {
        match self {
            Status::Drop => "Drop",
            Status::Waiting => "Waiting",
            Status::Used => "Used",
            Status::Pdi => "PDI",
            Status::Eng => "ENG",
            Status::Trans => "Trans",
        }
    }

    /// The priority that a change to this status sets with it.
    pub fn automatic_priority(self) -> Priority {
        match self {
            Status::Waiting => Priority::Waiting,
            _ => Priority::Low,
        }
    }
}

impl FromStr for Status {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        Self::ALL
            .into_iter()
            .find(|status| status.name().eq_ignore_ascii_case(text))
            .ok_or(())
    }
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
pub enum Priority {
    Low,
    Medium,
    High,
    Waiting,
}

impl Priority {
    pub const ALL: [Priority; 4] = [
        Priority::Low,
        Priority::Medium,
        Priority::High,
        Priority::Waiting,
    ];

    /// 1 (Low) to 4 (Waiting).
    pub fn level(self) -> u8 {
        match self {
            Priority::Low => 1,
            Priority::Medium => 2,
            Priority::High => 3,
            Priority::Waiting => 4,
        }
    }

    pub fn from_level(level: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|priority| priority.level().to_string() == level.trim())
    }

    pub fn name(self) -> &'static str {
        match self {
            Priority::Low => "Low",
            Priority::Medium => "Medium",
            Priority::High => "High",
            Priority::Waiting => "Waiting",
        }
    }
}

impl FromStr for Priority {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        Self::ALL
            .into_iter()
            .find(|priority| priority.name().eq_ignore_ascii_case(text))
            .ok_or(())
    }
}

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
    pub vin: String,
    pub vehicle: String,
    pub customer: String,
    pub advisor: String,
    pub opened_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promised_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
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
    pub jobs: Vec<Job>,
}

/// What can be asked of a repair order.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    ChangeStatus(Status),
    ChangePriority(Priority),
    Assign(TechnicianId),
    Unassign(TechnicianId),
    Import(Box<ImportedOrder>),
}

/// A repair order as the dealer's system tells it. What is `None` was not said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedOrder {
    /// The number as text, before its digits were taken.
    pub dms_number: String,
    pub vin: Option<String>,
    pub vehicle: Option<String>,
    pub customer: Option<String>,
    pub advisor: Option<String>,
    pub opened_at: Option<Timestamp>,
    pub promised_at: Option<Timestamp>,
    pub closed_at: Option<Timestamp>,
    pub customer_status: Option<String>,
    pub app_customer_status: Option<Status>,
    pub priority: Option<Priority>,
    pub regular_technicians: Option<Vec<AssignedTechnician>>,
    pub etl_technicians: Option<Vec<AssignedTechnician>>,
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
    Created { repair_order: Box<RepairOrder> },
    StatusChanged { from: Option<Status>, to: Status },
    PriorityChanged { from: Priority, to: Priority },
    TechnicianAssigned { technician: TechnicianId },
    TechnicianUnassigned { technician: TechnicianId },
    Imported { fields: Box<ImportedFields> },
    Closed { at: Timestamp },
}

/// What a later import changed, field by field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ImportedFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vin: Option<Edit<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vehicle: Option<Edit<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer: Option<Edit<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advisor: Option<Edit<String>>,
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
            Change::Closed { .. } => Action::Closed,
        }
    }

    pub fn technician(&self) -> Option<TechnicianId> {
        match self {
            Change::TechnicianAssigned { technician }
            | Change::TechnicianUnassigned { technician } => Some(*technician),
            _ => None,
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
    #[error("RO number '{theirs}' has the same digits as '{ours}', which is another repair order")]
    NumberCollision { ours: String, theirs: String },
}

impl RepairOrder {
    /// The changes that `command` makes to this order, in their order; none when it already is so.
    pub fn apply(&self, command: &Command) -> Result<Vec<Change>, Refusal> {
        if self.closed_at.is_some() && !matches!(command, Command::Import(_)) {
            return Err(Refusal::Closed(self.number));
        }
        match command {
            Command::ChangeStatus(to) => Ok(self.change_status(*to)),
            Command::ChangePriority(to) => Ok(self.change_priority(*to).into_iter().collect()),
            Command::Assign(technician) => Ok(self.assign(*technician).into_iter().collect()),
            Command::Unassign(technician) => self.unassign(*technician),
            Command::Import(imported) => self.import(imported),
        }
    }

    fn change_status(&self, to: Status) -> Vec<Change> {
        if self.app_customer_status == Some(to) {
            return Vec::new();
        }
        let mut changes = vec![Change::StatusChanged {
            from: self.app_customer_status,
            to,
        }];
        changes.extend(self.change_priority(to.automatic_priority()));
        changes
    }

    fn change_priority(&self, to: Priority) -> Option<Change> {
        (self.priority != to).then_some(Change::PriorityChanged {
            from: self.priority,
            to,
        })
    }

    fn assign(&self, technician: TechnicianId) -> Option<Change> {
        let already = self
            .regular_technicians
            .iter()
            .any(|t| t.technician == technician);
        (!already).then_some(Change::TechnicianAssigned { technician })
    }

    fn unassign(&self, technician: TechnicianId) -> Result<Vec<Change>, Refusal> {
        if self
            .regular_technicians
            .iter()
            .any(|t| t.technician == technician)
        {
            Ok(vec![Change::TechnicianUnassigned { technician }])
        } else if self
            .etl_technicians
            .iter()
            .any(|t| t.technician == technician)
        {
            Err(Refusal::EtlTechnician { technician })
        } else {
            Ok(Vec::new())
        }
    }

    /// The order that an import brings for the first time: everything it knows is taken.
    pub fn create(number: RoNumber, imported: &ImportedOrder, now: Timestamp) -> Vec<Change> {
        let customer_status = imported.customer_status.clone().unwrap_or_default();
        let mut jobs: Vec<Job> = imported.jobs.iter().map(ImportedJob::new_job).collect();
        jobs.sort_by_key(|job| job.job_number);
        let mut order = RepairOrder {
            number,
            version: 1,
            dms_number: dms_text(number, &imported.dms_number),
            vin: imported.vin.clone().unwrap_or_default(),
            vehicle: imported.vehicle.clone().unwrap_or_default(),
            customer: imported.customer.clone().unwrap_or_default(),
            advisor: imported.advisor.clone().unwrap_or_default(),
            opened_at: imported.opened_at.unwrap_or(now),
            promised_at: imported.promised_at,
            closed_at: None,
            customer_status,
            app_customer_status: imported.app_customer_status,
            priority: Priority::Low,
            regular_technicians: imported.regular_technicians.clone().unwrap_or_default(),
            etl_technicians: imported.etl_technicians.clone().unwrap_or_default(),
            jobs,
        };
        order.priority = imported
            .priority
            .unwrap_or_else(|| order.displayed_status().automatic_priority());
        let mut changes = vec![Change::Created {
            repair_order: Box::new(order),
        }];
        changes.extend(imported.closed_at.map(|at| Change::Closed { at }));
        changes
    }

    /// A later import: only what the dealer's system owns, so the desk's work stands.
    fn import(&self, imported: &ImportedOrder) -> Result<Vec<Change>, Refusal> {
        if dms_text(self.number, &imported.dms_number) != self.dms_number {
            return Err(Refusal::NumberCollision {
                ours: self
                    .dms_number
                    .clone()
                    .unwrap_or_else(|| self.number.to_string()),
                theirs: imported.dms_number.clone(),
            });
        }
        let fields = ImportedFields {
            vin: edit(&self.vin, &imported.vin),
            vehicle: edit(&self.vehicle, &imported.vehicle),
            customer: edit(&self.customer, &imported.customer),
            advisor: edit(&self.advisor, &imported.advisor),
            customer_status: edit(&self.customer_status, &imported.customer_status),
            promised_at: edit(&self.promised_at, &imported.promised_at.map(Some)),
            etl_technicians: edit(&self.etl_technicians, &imported.etl_technicians),
            jobs: imported
                .jobs
                .iter()
                .filter_map(|job| self.import_job(job))
                .collect(),
        };
        let mut changes = Vec::new();
        if fields != ImportedFields::default() {
            changes.push(Change::Imported {
                fields: Box::new(fields),
            });
        }
        if let (None, Some(at)) = (self.closed_at, imported.closed_at) {
            changes.push(Change::Closed { at });
        }
        Ok(changes)
    }

    fn import_job(&self, imported: &ImportedJob) -> Option<JobEdit> {
        let Some(job) = self
            .jobs
            .iter()
            .find(|job| job.job_number == imported.job_number)
        else {
            return Some(JobEdit {
                from: None,
                to: imported.new_job(),
            });
        };
        let mut after = job.clone();
        if let Some(concern) = &imported.concern {
            after.concern.clone_from(concern);
        }
        if let Some(operations) = &imported.operations {
            after.operations.clone_from(operations);
        }
        if let Some(assignments) = &imported.assignments {
            after.assignments.clone_from(assignments);
        }
        (after != *job).then(|| JobEdit {
            from: Some(job.clone()),
            to: after,
        })
    }

    /// Carries out one change of this order. `Created` replaces what is there.
    pub fn evolve(&mut self, change: &Change) {
        match change {
            Change::Created { repair_order } => {
                *self = (**repair_order).clone();
                return;
            }
            Change::StatusChanged { to, .. } => self.app_customer_status = Some(*to),
            Change::PriorityChanged { to, .. } => self.priority = *to,
            Change::TechnicianAssigned { technician } => {
                self.regular_technicians.push(AssignedTechnician {
                    technician: *technician,
                    name: None,
                });
            }
            Change::TechnicianUnassigned { technician } => {
                self.regular_technicians
                    .retain(|t| t.technician != *technician);
            }
            Change::Imported { fields } => self.take_imported(fields),
            Change::Closed { at } => self.closed_at = Some(*at),
        }
        self.version += 1;
    }

    fn take_imported(&mut self, fields: &ImportedFields) {
        fn take<T: Clone>(field: &mut T, edit: &Option<Edit<T>>) {
            if let Some(edit) = edit {
                field.clone_from(&edit.to);
            }
        }
        take(&mut self.vin, &fields.vin);
        take(&mut self.vehicle, &fields.vehicle);
        take(&mut self.customer, &fields.customer);
        take(&mut self.advisor, &fields.advisor);
        take(&mut self.customer_status, &fields.customer_status);
        take(&mut self.promised_at, &fields.promised_at);
        take(&mut self.etl_technicians, &fields.etl_technicians);
        for JobEdit { to, .. } in &fields.jobs {
            match self
                .jobs
                .iter_mut()
                .find(|job| job.job_number == to.job_number)
            {
                Some(job) => *job = to.clone(),
                None => self.jobs.push(to.clone()),
            }
        }
        self.jobs.sort_by_key(|job| job.job_number);
    }

    /// The order that its events tell, oldest first; the first must be its `Created`.
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

    /// What screens show: the desk's status, else the dealer system's; one of the four with a tab,
    /// and Drop for everything else.
    pub fn displayed_status(&self) -> Status {
        let status = match self.app_customer_status {
            Some(status) => Some(status),
            None => self.customer_status.parse().ok(),
        };
        match status {
            Some(status @ (Status::Waiting | Status::Pdi | Status::Used)) => status,
            _ => Status::Drop,
        }
    }
}

impl ImportedJob {
    fn new_job(&self) -> Job {
        let text = |field: &Option<String>| field.clone().unwrap_or_default();
        Job {
            job_number: self.job_number,
            concern: text(&self.concern),
            cause: text(&self.cause),
            brief_tech_notes: text(&self.brief_tech_notes),
            tech_story: text(&self.tech_story),
            operations: self.operations.clone().unwrap_or_default(),
            assignments: self.assignments.clone().unwrap_or_default(),
        }
    }
}

fn edit<T: PartialEq + Clone>(ours: &T, theirs: &Option<T>) -> Option<Edit<T>> {
    theirs
        .as_ref()
        .filter(|theirs| *theirs != ours)
        .map(|theirs| Edit {
            from: ours.clone(),
            to: theirs.clone(),
        })
}

/// The dealer system's text for a number, where it is not just its digits.
fn dms_text(number: RoNumber, text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty() && text != number.to_string()).then(|| text.to_owned())
}
