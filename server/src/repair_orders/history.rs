//! What happened to an order.

use actix_web::{get, web};
use dispatch_actors::repair_order::{
    Action, AssignedTechnician, Change, ImportedFields, InterviewerId, JobTexts, RepairOrder,
    RoNumber,
};
use dispatch_actors::store::{Channel, Event};
use dispatch_actors::supervisor::Failure;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use super::api_types::By;
use super::state::RepairOrdersState;
use super::undo::{may_undo, undo};
use crate::answer::Answer;
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path, Visibility};
use crate::ids::RoNumberInPath;
use crate::technician_names::TechnicianNames;

/// Entries of a page unless the caller says otherwise, and at most.
const PAGE: u64 = 100;
const LONGEST_PAGE: u64 = 500;

const STORY: &str = "techStory";

/// Why a technician gave the order back, which their receipt says.
const HANDED_BACK: &str = "handedBack";

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// Only what came before this version: the last one of the page before.
    #[param(minimum = 1)]
    before: Option<i64>,
    /// Entries at most, 100 unless said.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<i64>,
}

/// One change of the order: an event of the log.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    seq: i64,
    /// The order's version after it.
    version: i64,
    action: Action,
    by: By,
    channel: Channel,
    #[schema(format = DateTime)]
    at: String,
    /// What changed, field by field.
    changes: Vec<FieldChange>,
    /// Entries with the same request were made, and are undone, together; an import has none.
    #[schema(required)]
    request: Option<String>,
    /// Whether the caller may undo it now.
    undoable: bool,
}

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
    /// True where the caller may not see what it was and is: the story of an order, or another
    /// technician's reason for handing it back, that is not theirs. Both are null then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    withheld: bool,
}

/// Who changed the order, when, from what to what, and by which channel; newest first. Who is a
/// technician and neither Owner nor Admin reads the stories of their own orders alone.
#[utoipa::path(
    tag = "history",
    security(("idToken" = [])),
    params(("roNumber" = inline(RoNumberInPath), Path), Page),
    responses(
        (status = 200, body = Answer<Vec<HistoryEntry>>),
        (status = 404, body = ErrorBody),
    )
)]
#[get("/api/repair-orders/{roNumber}/history")]
pub async fn history(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    Path(number): Path<RoNumber>,
    page: web::Query<Page>,
) -> Result<web::Json<Answer<Vec<HistoryEntry>>>, ApiError> {
    let limit = match page.limit {
        None => PAGE,
        Some(limit) => u64::try_from(limit)
            .ok()
            .filter(|limit| (1..=LONGEST_PAGE).contains(limit))
            .ok_or_else(|| ApiError::invalid(format!("limit must be 1 to {LONGEST_PAGE}")))?,
    };
    if page.before.is_some_and(|before| before < 1) {
        return Err(ApiError::invalid("before must be a version, 1 or more"));
    }
    let order = state.store.load(number).await?;
    let order = order.ok_or_else(|| unknown(number))?;
    let events = state.store.history(number, page.before, limit).await?;
    let visibility = caller.visibility();
    // What is older than this page may have been touched again on a newer one.
    let newest = page.before.is_none();
    let result = events
        .iter()
        .map(|event| HistoryEntry {
            seq: event.seq,
            version: event.version,
            action: event.action(),
            by: By::from(event),
            channel: event.by.channel,
            at: event.at.to_string(),
            changes: shown(visibility, &order, event, &state.names),
            request: event.request.clone(),
            undoable: newest && is_undoable(&caller, &order, &events, event),
        })
        .collect();
    Ok(web::Json(Answer::new(result)))
}

/// `events`: the order's newest, newest first.
fn is_undoable(caller: &Caller, order: &RepairOrder, events: &[Event], event: &Event) -> bool {
    let Some(request) = &event.request else {
        return false;
    };
    let ours = events
        .iter()
        .filter(|other| other.request.as_ref() == Some(request));
    may_undo(caller, ours, |_| Some(order)).is_ok()
        && events
            .first()
            .is_some_and(|newest| newest.version == order.version)
        && order.apply(&undo(request, events.iter().rev())).is_ok()
}

fn unknown(number: RoNumber) -> ApiError {
    (&Failure::Unknown(number)).into()
}

/// What changed, as far as somebody who sees this much of the shop is shown it.
fn shown(
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

fn fields(change: &Change, names: &TechnicianNames) -> Vec<FieldChange> {
    let one = |field, from: Value, to: Value| vec![FieldChange::new(field, None, from, to)];
    let called = |id: i64, name: &Option<String>| Value::from(names.of(id, name.as_deref()));
    match change {
        Change::Created { .. } => Vec::new(),
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
    }
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

    /// That it changed is all that is said.
    fn withhold(&mut self) {
        (self.from, self.to) = (Value::Null, Value::Null);
        (self.interviewer, self.model) = (None, None);
        self.withheld = true;
    }
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
