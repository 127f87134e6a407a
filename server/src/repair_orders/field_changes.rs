//! What an event changed, field by field, as far as the caller may see it.

use dispatch_actors::repair_order::{
    AssignedTechnician, Change, Hold, ImportedFields, InterviewerId, JobTexts, RepairOrder,
    WorkFacts,
};
use dispatch_actors::store::Event;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::identity::Visibility;
use crate::technician_names::TechnicianNames;

const STORY: &str = "techStory";

/// Why a technician gave the order back, which their receipt says.
const HANDED_BACK: &str = "handedBack";

/// A field before and after; null is nothing there.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldChange {
    field: &'static str,
    /// Of which job, where the field is a job's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    job_number: Option<i32>,
    #[schema(required, value_type = Option<String>)]
    from: Value,
    #[schema(required, value_type = Option<String>)]
    to: Value,
    /// Who wrote a story, where it was not written by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    interviewer: Option<InterviewerId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    model: Option<String>,
    /// True where the caller may not see the values: the story of an order that is not theirs, or
    /// another technician's reason for handing it back. Both values are null then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    withheld: bool,
}

/// What changed, as far as a caller with this visibility may see it.
pub(super) fn shown(
    visibility: Visibility,
    order: &RepairOrder,
    event: &Event,
    names: &TechnicianNames,
) -> Vec<FieldChange> {
    let stories = visibility.shows_stories_of(order);
    let technician = event.change.technician();
    let receipt = technician.is_none_or(|technician| visibility.shows_technician(technician));
    let mut changes = fields(&event.change, names);
    for change in &mut changes {
        let is_shown = match change.field {
            STORY => stories,
            HANDED_BACK => receipt,
            _ => true,
        };
        if !is_shown {
            change.withhold();
        }
    }
    changes
}

impl FieldChange {
    fn new(field: &'static str, job_number: Option<i32>, from: Value, to: Value) -> Self {
        Self {
            field,
            job_number,
            from,
            to,
            interviewer: None,
            model: None,
            withheld: false,
        }
    }

    /// Only the fact of the change is shown.
    fn withhold(&mut self) {
        (self.from, self.to) = (Value::Null, Value::Null);
        (self.interviewer, self.model) = (None, None);
        self.withheld = true;
    }
}

fn fields(change: &Change, names: &TechnicianNames) -> Vec<FieldChange> {
    let one = |field, from: Value, to: Value| vec![FieldChange::new(field, None, from, to)];
    let called = |id: i64, name: &Option<String>| Value::from(names.of(id, name.as_deref()));
    match change {
        Change::Created { .. } | Change::CustomerErased { .. } => Vec::new(),
        Change::StatusChanged { from, to } => one("status", json!(from), json!(to)),
        Change::PriorityChanged { from, to } => one("priority", json!(from), json!(to)),
        Change::TechnicianAssigned {
            technician, name, ..
        } => one("technician", Value::Null, called(*technician, name)),
        Change::TechnicianUnassigned {
            technician,
            name,
            reason,
            ..
        } => {
            let mut changes = one("technician", called(*technician, name), Value::Null);
            if let Some(reason) = reason {
                changes.extend(one(HANDED_BACK, Value::Null, json!(reason)));
            }
            changes
        }
        Change::JobEdited {
            job_number,
            from,
            to,
            provenance,
        } => {
            let mut changes = job_texts(*job_number, from, to);
            let of_story = changes.iter_mut().find(|one| one.field == STORY);
            if let (Some(change), Some(provenance)) = (of_story, provenance) {
                change.interviewer = provenance.interviewer;
                change.model.clone_from(&provenance.model);
            }
            changes
        }
        Change::Imported { fields } => imported(fields, names),
        Change::Closed { at } => one("closed", Value::Null, json!(at)),
        Change::Reopened { closed_at, .. } => one("closed", json!(closed_at), Value::Null),
        // Where it goes on after a hold may change alone, which nobody sees yet.
        Change::StageChanged { from, to, .. } if from.stage == to.stage => Vec::new(),
        Change::StageChanged { from, to, .. } => one("stage", json!(from.stage), json!(to.stage)),
        Change::HoldStarted { hold } => hold_fields(None, Some(hold)),
        Change::HoldChanged { from, to } => hold_fields(Some(from), Some(to)),
        Change::HoldEnded { hold, .. } => hold_fields(Some(hold), None),
        Change::WorkReported { from, to } => finished_jobs(from, to),
        Change::CustomerCalled {
            about, is_undone, ..
        } => {
            let names: Vec<&str> = about.iter().map(|reason| reason.name()).collect();
            let reasons = json!(names.join(", "));
            match is_undone {
                false => one("customerCalled", Value::Null, reasons),
                true => one("customerCalled", reasons, Value::Null),
            }
        }
    }
}

/// The reason, and whatever else differs. The note of a hold that has ended is not said again.
fn hold_fields(from: Option<&Hold>, to: Option<&Hold>) -> Vec<FieldChange> {
    let job_number = from.or(to).and_then(|hold| hold.job_number);
    let mut changes = Vec::new();
    let mut push = |field, value: fn(&Hold) -> Value| {
        let (from, to) = (
            from.map_or(Value::Null, value),
            to.map_or(Value::Null, value),
        );
        if from != to {
            changes.push(FieldChange::new(field, job_number, from, to));
        }
    };
    push("hold", |hold| json!(hold.reason));
    if to.is_some() {
        push("holdActor", |hold| json!(hold.who_acts));
        push("holdExpectedUntil", |hold| json!(hold.expected_until));
        push("holdNote", |hold| match hold.note.as_str() {
            "" => Value::Null,
            note => json!(note),
        });
    }
    changes
}

fn finished_jobs(from: &WorkFacts, to: &WorkFacts) -> Vec<FieldChange> {
    let is_done = |facts: &WorkFacts, job: i32| match facts.finished_jobs.contains(&job) {
        true => json!("done"),
        false => Value::Null,
    };
    let jobs = from.finished_jobs.iter().chain(&to.finished_jobs);
    let mut jobs: Vec<i32> = jobs.copied().collect();
    jobs.sort_unstable();
    jobs.dedup();
    jobs.into_iter()
        .map(|job| FieldChange::new("jobDone", Some(job), is_done(from, job), is_done(to, job)))
        .filter(|change| change.from != change.to)
        .collect()
}

fn job_texts(job_number: i32, from: &JobTexts, to: &JobTexts) -> Vec<FieldChange> {
    [
        ("cause", &from.cause, &to.cause),
        (
            "briefTechNotes",
            &from.brief_tech_notes,
            &to.brief_tech_notes,
        ),
        (STORY, &from.tech_story, &to.tech_story),
    ]
    .into_iter()
    .filter(|(_, from, to)| from != to)
    .map(|(field, from, to)| FieldChange::new(field, Some(job_number), json!(from), json!(to)))
    .collect()
}

fn imported(fields: &ImportedFields, names: &TechnicianNames) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    let mut push = |field, job_number, from: Value, to: Value| {
        if from != to {
            changes.push(FieldChange::new(field, job_number, from, to));
        }
    };
    let status = ("customerStatus", &fields.customer_status);
    for (field, edit) in fields.header.named().chain([status]) {
        if let Some(edit) = edit {
            push(field, None, json!(edit.from), json!(edit.to));
        }
    }
    if let Some(edit) = &fields.promised_at {
        push("promisedDateTime", None, json!(edit.from), json!(edit.to));
    }
    if let Some(edit) = &fields.etl_technicians {
        let list = |technicians: &[AssignedTechnician]| {
            let names: Vec<String> = technicians
                .iter()
                .map(|t| names.of(t.technician, t.name.as_deref()))
                .collect();
            Value::from(names.join(", "))
        };
        push("etlTechnicians", None, list(&edit.from), list(&edit.to));
    }
    for job in &fields.jobs {
        let number = Some(job.to.job_number);
        let concern = job.from.as_ref().map(|job| job.concern.clone());
        push("concern", number, json!(concern), json!(job.to.concern));
        let codes = |job: &dispatch_actors::repair_order::Job| {
            let codes: Vec<&str> = job
                .operations
                .iter()
                .map(|operation| operation.operation_code.as_str())
                .collect();
            Value::from(codes.join(", "))
        };
        let before = job.from.as_ref().map_or(Value::Null, codes);
        push("operations", number, before, codes(&job.to));
    }
    changes
}
