//! What a repair order is and what may happen to it: every rule about status, priority and
//! assignment. Pure: no clock, no database, no actor.
//!
//! [`RepairOrder::apply`] decides which [`Change`]s a [`Command`] makes; [`RepairOrder::evolve`]
//! carries one out. A change is one event of the log and raises the version by one, so replaying
//! an order's events from its `Created` gives the same order and the same version.

mod change;
mod number;
mod status;
mod undo;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use change::{
    Action, Change, Command, Edit, ImportedFields, ImportedJob, ImportedOrder, JobEdit, JobTexts,
    Refusal, Undo,
};
pub use number::{BadRoNumber, RoNumber};
pub use status::{Priority, Status};

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
    /// When the shop took its closing back: of the files that come then, only one that says it was
    /// closed later closes it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reopened_at: Option<Timestamp>,
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
            Command::Reassign { from, to } => self.open()?.reassign(*from, *to),
            // Stories are written when the car is gone, too.
            Command::EditJob { job_number, texts } => self.edit_job(*job_number, texts),
            Command::Close { at } => Ok(self.close(*at).into_iter().collect()),
            Command::Reopen { at } => Ok(self.reopen(*at).into_iter().collect()),
            Command::Undo(undo) => self.undo(undo),
            Command::Import(imported) => self.import(imported),
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
        changes.extend(self.change_priority(to.automatic_priority()));
        Ok(changes)
    }

    fn change_priority(&self, to: Priority) -> Option<Change> {
        (self.priority != to).then_some(Change::PriorityChanged {
            from: self.priority,
            to,
        })
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

    fn unassigned(&self, place: usize) -> Change {
        let AssignedTechnician { technician, name } = &self.regular_technicians[place];
        Change::TechnicianUnassigned {
            technician: *technician,
            name: name.clone(),
            place: Some(place),
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

    fn edit_job(&self, job_number: i32, texts: &JobTexts) -> Result<Vec<Change>, Refusal> {
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
            vec![Change::JobEdited {
                job_number,
                from,
                to,
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

    /// When a file closes the order, if it does: not when the shop has reopened it and the file
    /// does not say that it was closed after that.
    fn closing(&self, imported: &ImportedOrder) -> Option<Timestamp> {
        let is_news = |at: &Timestamp| {
            self.reopened_at
                .is_none_or(|reopened| !imported.closing_is_undated && *at > reopened)
        };
        imported.closed_at.filter(is_news)
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
            reopened_at: None,
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
        let closing = self.closing(imported);
        changes.extend(closing.and_then(|at| self.close(at)));
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
        }
        self.version += 1;
    }

    fn take_texts(&mut self, job_number: i32, texts: &JobTexts) {
        let job = self
            .jobs
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
