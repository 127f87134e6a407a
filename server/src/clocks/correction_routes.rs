//! The calls that correct a clock: adding, changing and deleting entries. For Owner and Admin.

use crate::calls::Calls;
use actix_web::{HttpResponse, delete, patch, post, web};
use dispatch_actors::repair_order::TechnicianId;

use super::api_types::{ChangeClockEntry, ClockEntry, DeleteClockEntry, NewClockEntry};
use super::corrections::{CorrectionRequest, EntryChange, reason, work};
use super::routes::{job_number, require_known_technician};
use super::state::ClocksState;
use crate::answer::Answer;
use crate::change_request::{ChangeRequest, IdempotencyKey, execute, run_detached};
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path};
use crate::ids::{ClockEntryId, ClockEntryIdInPath, TechnicianIdInPath};
use crate::moments::MomentInBody;
use crate::staff::Permission;

pub fn configure(routes: &mut Calls<'_>) {
    routes.service(add).service(change).service(delete_entry);
}

/// Adds an entry that is missing.
#[utoipa::path(
    operation_id = "add_clock_entry",
    tag = "clocks",
    params(
        ("id" = inline(TechnicianIdInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = NewClockEntry,
    responses(
        (status = 200, body = Answer<ClockEntry>),
        (status = 400, body = ErrorBody, description = "clock-in-future, clock-ends-before-it-begins, or unreadable"),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician, unknown-repair-order, unknown-job"),
        (status = 409, body = ErrorBody, description = "clock-overlaps, idempotency-key-reused"),
    )
)]
#[post("/api/technicians/{id}/clock/entries")]
pub async fn add(
    caller: Caller,
    state: web::Data<ClocksState>,
    Path(technician): Path<TechnicianId>,
    request: ChangeRequest<NewClockEntry>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::CorrectClocks)?;
    require_known_technician(&state, technician).await?;
    let body = request.body;
    let reason = reason(&body.reason)?;
    let corrected = EntryChange::Added {
        started_at: body.started_at.parse("startedAt")?,
        ended_at: body.ended_at.parse("endedAt")?,
        work: work(
            body.ro_number.map(|order| order.parse()).transpose()?,
            job_number(body.job_number)?,
        )?,
    };
    let correction = CorrectionRequest {
        technician,
        by: caller.into(),
        reason,
        corrected,
    };
    execute_correction(state, request.key, correction).await
}

/// Corrects an entry: when it began, when it ended, on what it was.
#[utoipa::path(
    operation_id = "change_clock_entry",
    tag = "clocks",
    params(
        ("id" = inline(TechnicianIdInPath), Path),
        ("entryId" = inline(ClockEntryIdInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = ChangeClockEntry,
    responses(
        (status = 200, body = Answer<ClockEntry>),
        (status = 400, body = ErrorBody, description = "clock-in-future, clock-ends-before-it-begins, or unreadable"),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician, unknown-entry, unknown-repair-order, unknown-job"),
        (status = 409, body = ErrorBody, description = "clock-overlaps, idempotency-key-reused"),
    )
)]
#[patch("/api/technicians/{id}/clock/entries/{entryId}")]
pub async fn change(
    caller: Caller,
    state: web::Data<ClocksState>,
    Path((technician, entry)): Path<(TechnicianId, ClockEntryId)>,
    request: ChangeRequest<ChangeClockEntry>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::CorrectClocks)?;
    require_known_technician(&state, technician).await?;
    let correction = correction_request(caller, technician, entry, request.body)?;
    execute_correction(state, request.key, correction).await
}

/// Takes an entry out: it counts no more, and is shown as deleted.
#[utoipa::path(
    operation_id = "delete_clock_entry",
    tag = "clocks",
    params(
        ("id" = inline(TechnicianIdInPath), Path),
        ("entryId" = inline(ClockEntryIdInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = DeleteClockEntry,
    responses(
        (status = 200, body = Answer<ClockEntry>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician, unknown-entry"),
        (status = 409, body = ErrorBody, description = "idempotency-key-reused"),
    )
)]
#[delete("/api/technicians/{id}/clock/entries/{entryId}")]
pub async fn delete_entry(
    caller: Caller,
    state: web::Data<ClocksState>,
    Path((technician, entry)): Path<(TechnicianId, ClockEntryId)>,
    request: ChangeRequest<DeleteClockEntry>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::CorrectClocks)?;
    require_known_technician(&state, technician).await?;
    let reason = reason(&request.body.reason)?;
    let corrected = EntryChange::Deleted { id: entry.0 };
    let correction = CorrectionRequest {
        technician,
        by: caller.into(),
        reason,
        corrected,
    };
    execute_correction(state, request.key, correction).await
}

/// What is to become of an entry; 400 `invalid-request`.
pub(super) fn correction_request(
    caller: Caller,
    technician: TechnicianId,
    entry: ClockEntryId,
    body: ChangeClockEntry,
) -> Result<CorrectionRequest, ApiError> {
    let reason = reason(&body.reason)?;
    let parse =
        |field, moment: Option<MomentInBody>| moment.map(|moment| moment.parse(field)).transpose();
    let corrected = EntryChange::Changed {
        id: entry.0,
        started_at: parse("startedAt", body.started_at)?,
        ended_at: parse("endedAt", body.ended_at)?,
        order: body
            .ro_number
            .map(|order| order.map(|order| order.parse()).transpose())
            .transpose()?,
        job: body.job_number.map(job_number).transpose()?,
    };
    Ok(CorrectionRequest {
        technician,
        by: caller.into(),
        reason,
        corrected,
    })
}

async fn execute_correction(
    state: web::Data<ClocksState>,
    key: Option<IdempotencyKey>,
    correction: CorrectionRequest,
) -> Result<HttpResponse, ApiError> {
    let (store, uid) = (state.store.clone(), correction.by.uid.clone());
    execute(&store, &uid, key, async |keeper| {
        run_detached(async move { state.clocks.correct(correction, &keeper).await }).await
    })
    .await
}
