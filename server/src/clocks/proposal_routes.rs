//! The calls about corrections that technicians propose.

use crate::calls::Calls;
use actix_web::{HttpResponse, delete, get, post, put, web};
use dispatch_actors::repair_order::TechnicianId;
use serde_json::{Map, Value};

use super::api_types::{ChangeClockEntry, ClockEntry, ProposalDecision, ProposedEntry};
use super::correction_routes::correction_request;
use super::corrections::reason;
use super::routes::require_known_technician;
use super::state::ClocksState;
use crate::answer::Answer;
use crate::change_request::{ChangeRequest, execute, run_detached};
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path};
use crate::ids::{ClockEntryId, ClockEntryIdInPath, TechnicianIdInPath};
use crate::staff::Permission;

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(proposals)
        .service(propose)
        .service(withdraw)
        .service(decide);
}

/// Every entry of which a correction is proposed, the oldest proposal first. For Owner and Admin.
#[utoipa::path(
    operation_id = "clock_proposals",
    tag = "clocks",
    responses(
        (status = 200, body = Answer<Vec<ProposedEntry>>),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/clock-proposals")]
pub async fn proposals(
    caller: Caller,
    state: web::Data<ClocksState>,
) -> Result<web::Json<Answer<Vec<ProposedEntry>>>, ApiError> {
    caller.require(Permission::CorrectClocks)?;
    let result = state.clocks.proposed_entries().await?;
    Ok(web::Json(Answer::new(result)))
}

/// A technician says how one of their entries was, in the place of what they said before. Nothing is corrected until
/// an Owner or Admin accepts it.
#[utoipa::path(
    operation_id = "propose_clock_correction",
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
#[put("/api/technicians/{id}/clock/entries/{entryId}/proposal")]
pub async fn propose(
    caller: Caller,
    state: web::Data<ClocksState>,
    Path((technician, entry)): Path<(TechnicianId, ClockEntryId)>,
    request: ChangeRequest<ChangeClockEntry>,
) -> Result<HttpResponse, ApiError> {
    require_self(&caller, technician)?;
    require_known_technician(&state, technician).await?;
    let correction = correction_request(caller, technician, entry, request.body)?;
    let (store, uid) = (state.store.clone(), correction.by.uid.clone());
    execute(&store, &uid, request.key, async |keeper| {
        run_detached(async move { state.clocks.propose(correction, &keeper).await }).await
    })
    .await
}

/// The technician takes a proposal back; succeeds where there is none.
#[utoipa::path(
    operation_id = "withdraw_clock_proposal",
    tag = "clocks",
    params(
        ("id" = inline(TechnicianIdInPath), Path),
        ("entryId" = inline(ClockEntryIdInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    responses(
        (status = 200, body = Answer<ClockEntry>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician, unknown-entry"),
        (status = 409, body = ErrorBody, description = "idempotency-key-reused"),
    )
)]
#[delete("/api/technicians/{id}/clock/entries/{entryId}/proposal")]
pub async fn withdraw(
    caller: Caller,
    state: web::Data<ClocksState>,
    Path((technician, entry)): Path<(TechnicianId, ClockEntryId)>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    require_self(&caller, technician)?;
    require_known_technician(&state, technician).await?;
    let store = state.store.clone();
    execute(&store, &caller.uid, request.key, async |keeper| {
        run_detached(async move {
            let clocks = &state.clocks;
            clocks.withdraw(technician, entry.0, &keeper).await
        })
        .await
    })
    .await
}

/// Accepts a proposed correction, which the entry then is, or declines it with a reason. For Owner and Admin.
#[utoipa::path(
    operation_id = "decide_clock_proposal",
    tag = "clocks",
    params(
        ("id" = inline(TechnicianIdInPath), Path),
        ("entryId" = inline(ClockEntryIdInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = ProposalDecision,
    responses(
        (status = 200, body = Answer<ClockEntry>),
        (status = 400, body = ErrorBody, description = "clock-in-future, clock-ends-before-it-begins, or unreadable"),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician, unknown-entry, unknown-repair-order, unknown-job"),
        (status = 409, body = ErrorBody, description = "no-proposal, clock-overlaps, idempotency-key-reused"),
    )
)]
#[post("/api/technicians/{id}/clock/entries/{entryId}/proposal/decision")]
pub async fn decide(
    caller: Caller,
    state: web::Data<ClocksState>,
    Path((technician, entry)): Path<(TechnicianId, ClockEntryId)>,
    request: ChangeRequest<ProposalDecision>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::CorrectClocks)?;
    require_known_technician(&state, technician).await?;
    let declined = match request.body {
        ProposalDecision::Accept {} => None,
        ProposalDecision::Decline { reason: why } => Some(reason(&why)?),
    };
    let (store, uid) = (state.store.clone(), caller.uid.clone());
    execute(&store, &uid, request.key, async |keeper| {
        run_detached(async move {
            let (clocks, id, by) = (&state.clocks, entry.0, caller.into());
            match declined {
                None => clocks.accept(technician, id, by, &keeper).await,
                Some(reason) => clocks.decline(technician, id, by, reason, &keeper).await,
            }
        })
        .await
    })
    .await
}

/// 403 `forbidden` unless the caller is this technician.
fn require_self(caller: &Caller, technician: TechnicianId) -> Result<(), ApiError> {
    if caller.is_technician(technician) {
        return Ok(());
    }
    Err(ApiError::forbidden(
        "Only the technician themselves proposes a correction of their clock",
    ))
}
