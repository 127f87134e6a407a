//! What happened to an order, and taking it back.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use dispatch_actors::repair_order::{
    Action, AssignedTechnician, Change, Command, ImportedFields, JobTexts, RepairOrder, RoNumber,
    Undo, Version,
};
use dispatch_actors::store::{Channel, Event};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use super::carry_out::{Asked, CarryOut, ChangesAnswer, answer};
use super::changes::{Refusals, now};
use super::reads::ro_number;
use super::wire::By;
use crate::app::Services;
use crate::change_request::ChangeRequest;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;
use crate::numerals::{self, RoNumberText};
use crate::staff::Permission;
use crate::technicians::TechnicianNames;

/// Entries of a page unless the caller says otherwise, and at most.
const PAGE: u64 = 100;
const LONGEST_PAGE: u64 = 500;

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

#[derive(Serialize, ToSchema)]
pub struct HistoryAnswer {
    /// Always true.
    ok: bool,
    /// Newest first.
    result: Vec<HistoryEntry>,
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
}

/// Who changed the order, when, from what to what, and by which channel; newest first.
#[utoipa::path(
    tag = "history",
    security(("idToken" = [])),
    params(("roNumber" = RoNumberText, Path), Page),
    responses(
        (status = 200, body = HistoryAnswer),
        (status = 404, body = ErrorBody),
    )
)]
#[get("/api/repair-orders/{roNumber}/history")]
pub async fn history(
    caller: Caller,
    services: web::Data<Services>,
    number: web::Path<String>,
    page: web::Query<Page>,
) -> Result<web::Json<HistoryAnswer>, ApiError> {
    let number = ro_number(&number)?;
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
    let order = services.store.load(number).await?;
    let order = order.ok_or_else(|| unknown(number))?;
    let events = services.store.history(number, page.before, limit).await?;
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
            changes: fields(&event.change, &services.names),
            request: event.request.clone(),
            undoable: newest && is_undoable(&caller, &order, &events, event),
        })
        .collect();
    Ok(web::Json(HistoryAnswer { ok: true, result }))
}

/// `events`: the order's newest, newest first.
fn is_undoable(caller: &Caller, order: &RepairOrder, events: &[Event], event: &Event) -> bool {
    let Some(request) = &event.request else {
        return false;
    };
    let ours = events
        .iter()
        .filter(|other| other.request.as_ref() == Some(request));
    may_undo(caller, ours).is_ok()
        && events
            .first()
            .is_some_and(|newest| newest.version == order.version)
        && order.apply(&undo(request, events.iter().rev())).is_ok()
}

/// `events`: of one order from the request's first on, oldest first.
fn undo<'a>(request: &str, events: impl Iterator<Item = &'a Event>) -> Command {
    let mut undo = Undo {
        changes: Vec::new(),
        since: Vec::new(),
        at: now(),
    };
    for event in events {
        if event.request.as_deref() == Some(request) {
            undo.changes.push(event.change.clone());
        } else if !undo.changes.is_empty() {
            undo.since.push(event.change.clone());
        }
    }
    Command::Undo(Box::new(undo))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoRequest {
    #[serde(default, deserialize_with = "numerals::optional_version")]
    #[schema(schema_with = numerals::event_schema, required = false)]
    seq: Option<i64>,
    /// The version the caller has seen; a newer one refuses it.
    #[serde(default, deserialize_with = "numerals::optional_version")]
    #[schema(schema_with = numerals::version_schema, required = false)]
    expected_version: Option<i64>,
}

/// Takes a change back: one's own or, for Owner and Admin, anybody's, as long as nothing newer
/// touched the same field. A batch dispatch is taken back on all its orders, each with a result of
/// its own; a refused one stays as it is.
#[utoipa::path(
    tag = "history",
    security(("idToken" = [])),
    params(
        ("roNumber" = RoNumberText, Path),
        crate::openapi::IdempotencyKeyHeader,
    ),
    request_body = Option<UndoRequest>,
    responses(
        (status = 200, body = ChangesAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/{roNumber}/undo")]
pub async fn take_back(
    caller: Caller,
    services: web::Data<Services>,
    number: web::Path<String>,
    request: ChangeRequest<UndoRequest>,
) -> Result<HttpResponse, ApiError> {
    let number = ro_number(&number)?;
    let carry_out = CarryOut::new(&services, &caller, request.key)
        .await?
        .undoing();
    // Sent again, it must not look for a change to take back once more.
    if let Some(entries) = carry_out.answered() {
        return answer(entries);
    }
    let target = target(&services, &caller, number, request.body.seq).await?;
    let Some(id) = target.request else {
        return Err((&dispatch_actors::supervisor::Failure::Refused(
            dispatch_actors::repair_order::Refusal::CannotUndoImport,
        ))
            .into());
    };
    let events = services.store.events_of_request(&id).await?;
    may_undo(&caller, events.iter())?;
    let mut firsts: BTreeMap<RoNumber, Version> = BTreeMap::new();
    for event in &events {
        firsts.entry(event.number).or_insert(event.version);
    }
    let mut asked = Vec::with_capacity(firsts.len());
    for (of, first) in firsts {
        let since = services.store.events_from(of, first).await?;
        let seen = since.last().map(|event| event.version);
        let expected = request.body.expected_version.filter(|_| of == number);
        asked.push(Asked {
            number: Ok(of),
            command: Ok(undo(&id, since.iter())),
            // Whatever comes in between may have touched the same field.
            expected_version: seen.map(|seen| expected.unwrap_or(seen).min(seen)),
        });
    }
    answer(carry_out.all(asked).await)
}

/// The event that the caller means.
async fn target(
    services: &Services,
    caller: &Caller,
    number: RoNumber,
    seq: Option<i64>,
) -> Result<Event, ApiError> {
    if let Some(seq) = seq {
        let event = services.store.event(seq).await?;
        return event.filter(|event| event.number == number).ok_or_else(|| {
            ApiError::not_found(
                "unknown-event",
                format!("Repair order {number} has no event {seq}"),
            )
        });
    }
    let newest = services.store.history(number, None, LONGEST_PAGE).await?;
    if newest.is_empty() {
        return Err(unknown(number));
    }
    newest
        .into_iter()
        .find(|event| event.request.is_some() && is_theirs(caller, event))
        .filter(|event| event.by.channel != Channel::Undo)
        .ok_or_else(|| {
            ApiError::new(
                StatusCode::CONFLICT,
                "nothing-to-undo",
                format!("There is nothing of yours to undo on repair order {number}"),
            )
        })
}

fn is_theirs(caller: &Caller, event: &Event) -> bool {
    event.by.uid == caller.uid || caller.may(Permission::UndoOthers)
}

/// Taking back needs what making it needs.
fn may_undo<'a>(
    caller: &Caller,
    events: impl Iterator<Item = &'a Event> + Clone,
) -> Result<(), ApiError> {
    let with_status = events
        .clone()
        .any(|event| matches!(event.change, Change::StatusChanged { .. }));
    for event in events {
        if !is_theirs(caller, event) {
            return Err(ApiError::forbidden(Permission::UndoOthers.refusal()));
        }
        caller.require(match event.change {
            Change::StatusChanged { .. } => Permission::ChangeStatus,
            Change::PriorityChanged { .. } if with_status => Permission::ChangeStatus,
            Change::PriorityChanged { .. } => Permission::ChangePriority,
            Change::TechnicianAssigned { .. } | Change::TechnicianUnassigned { .. } => {
                Permission::Dispatch
            }
            Change::JobEdited { .. } => Permission::EditJobs,
            Change::Closed { .. } | Change::Reopened { .. } => Permission::CloseRepairOrders,
            // Refused by the order itself.
            Change::Created { .. } | Change::Imported { .. } => continue,
        })?;
    }
    Ok(())
}

fn unknown(number: RoNumber) -> ApiError {
    (&dispatch_actors::supervisor::Failure::Unknown(number)).into()
}

fn fields(change: &Change, names: &TechnicianNames) -> Vec<FieldChange> {
    let one = |field, from: Value, to: Value| {
        vec![FieldChange {
            field,
            job_number: None,
            from,
            to,
        }]
    };
    let called = |id: i64, name: &Option<String>| Value::from(names.of(id, name.as_deref()));
    match change {
        Change::Created { .. } => Vec::new(),
        Change::StatusChanged { from, to } => one("status", json!(from), json!(to)),
        Change::PriorityChanged { from, to } => one("priority", json!(from), json!(to)),
        Change::TechnicianAssigned {
            technician, name, ..
        } => one("technician", Value::Null, called(*technician, name)),
        Change::TechnicianUnassigned {
            technician, name, ..
        } => one("technician", called(*technician, name), Value::Null),
        Change::JobEdited {
            job_number,
            from,
            to,
        } => job_texts(*job_number, from, to),
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
        ("techStory", &from.tech_story, &to.tech_story),
    ]
    .into_iter()
    .filter(|(_, from, to)| from != to)
    .map(|(field, from, to)| FieldChange {
        field,
        job_number: Some(job_number),
        from: json!(from),
        to: json!(to),
    })
    .collect()
}

fn imported(fields: &ImportedFields, names: &TechnicianNames) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    let mut push = |field, job_number, from: Value, to: Value| {
        if from != to {
            changes.push(FieldChange {
                field,
                job_number,
                from,
                to,
            });
        }
    };
    for (field, edit) in [
        ("vehicleVIN", &fields.vin),
        ("vehicle", &fields.vehicle),
        ("customer", &fields.customer),
        ("advisor", &fields.advisor),
        ("customerStatus", &fields.customer_status),
    ] {
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
