//! The desk's changes of one order: status, priority, closing, and a job's texts. A handler
//! authorises, reads the request, asks the order's supervisor, and answers with the rows as they
//! are then.

use actix_web::{HttpResponse, patch, post, web};
use dispatch_actors::repair_order::{Command, JobTexts, Priority, RoNumber, Status};
use dispatch_actors::supervisor::Failure;

use super::api_types::{JobEdit, OfVersion, Refusals, UpdatePriority, UpdateStatus};
use super::execute::{ChangeEntry, ChangeExecutor, ChangedAnswer, EntryResult};
use super::state::RepairOrdersState;
use crate::answer::BatchAnswer;
use crate::change_request::{ChangeRequest, check_batch_size};
use crate::error::ApiError;
use crate::fact_check::{self, provenance_by_hand};
use crate::identity::{Caller, Path};
use crate::ids::{JobNumber, JobNumberInPath, RoNumberInPath, StatusInBody};
use crate::moments::now;
use crate::staff::Permission;
use crate::text;

/// Sets the status, and with it the priority: Waiting for Waiting, Low for every other.
#[utoipa::path(
    tag = "repair orders",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = UpdateStatus,
    responses(
        (status = 200, body = BatchAnswer<EntryResult>),
        Refusals,
    )
)]
#[post("/api/repair-orders/update-status")]
pub async fn update_status(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    request: ChangeRequest<UpdateStatus>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ChangeStatus)?;
    let entries = check_batch_size(request.body.data)?;
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    let entries = entries.into_iter().map(|entry| ChangeEntry {
        number: entry.repair_order_number.parse(),
        command: permitted_status(&caller, &entry.id_status).map(Command::ChangeStatus),
        expected_version: entry.expected_version.0,
    });
    executor.execute_all(entries.collect()).await
}

/// The portal has no tab for engine and transmission work, so who only has the portal cannot give
/// an order away to where they would not see it.
fn permitted_status(caller: &Caller, status: &StatusInBody) -> Result<Status, ApiError> {
    let status = status.parse()?;
    if caller.is_only_technician() && matches!(status, Status::Eng | Status::Trans) {
        let name = status.name();
        return Err(ApiError::forbidden(format!(
            "Technicians set Waiting, Drop, PDI or Used; {name} is the desk's"
        )));
    }
    Ok(status)
}

/// Sets the priority.
#[utoipa::path(
    tag = "repair orders",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = UpdatePriority,
    responses(
        (status = 200, body = BatchAnswer<EntryResult>),
        Refusals,
    )
)]
#[post("/api/repair-orders/update-priority")]
pub async fn update_priority(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    request: ChangeRequest<UpdatePriority>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ChangeStatus)?;
    let entries = check_batch_size(request.body.data)?;
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    let mut changes = Vec::with_capacity(entries.len());
    for entry in entries {
        let number = entry.ro_number.parse();
        let priority = entry.priority_level.parse();
        let permitted = caller.require(Permission::ChangePriority);
        let follow_up = match (&number, &priority, &permitted) {
            (Ok(number), Ok(priority), Err(_)) => follow_up(&state, *number, *priority).await?,
            _ => None,
        };
        let command = priority.and_then(|priority| {
            permitted.or_else(|refused| follow_up.map(|_| ()).ok_or(refused))?;
            Ok(Command::ChangePriority(priority))
        });
        changes.push(ChangeEntry {
            number,
            command,
            expected_version: follow_up.or(entry.expected_version.0),
        });
    }
    executor.execute_all(changes).await
}

/// Some clients send the automatic priority after a status change. A caller who may change the
/// status but not the priority gets a success when nothing is left to do: the version at which that
/// is so.
async fn follow_up(
    state: &RepairOrdersState,
    number: RoNumber,
    priority: Priority,
) -> Result<Option<i64>, ApiError> {
    let order = state.store.load(number).await?;
    let done = order.filter(|order| {
        order.priority == priority && order.displayed_status().automatic_priority() == priority
    });
    Ok(done.map(|order| order.version))
}

/// Closes the order: it leaves every list. Its details and history stay.
#[utoipa::path(
    tag = "repair orders",
    params(
        ("roNumber" = inline(RoNumberInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = Option<OfVersion>,
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/{roNumber}/close")]
pub async fn close(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    Path(number): Path<RoNumber>,
    request: ChangeRequest<OfVersion>,
) -> Result<HttpResponse, ApiError> {
    close_or_reopen(
        &state,
        &caller,
        number,
        request,
        Command::Close { at: now() },
    )
    .await
}

async fn close_or_reopen(
    state: &RepairOrdersState,
    caller: &Caller,
    number: RoNumber,
    request: ChangeRequest<OfVersion>,
    command: Command,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::CloseRepairOrders)?;
    let executor = ChangeExecutor::new(&state.orders, caller, request.key).await?;
    let expected_version = request.body.expected_version.0;
    executor
        .execute_one(Ok(number), Ok(command), expected_version)
        .await
}

/// Takes a closing back. A file that says the same closing again does not close it again.
#[utoipa::path(
    tag = "repair orders",
    params(
        ("roNumber" = inline(RoNumberInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = Option<OfVersion>,
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/{roNumber}/reopen")]
pub async fn reopen(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    Path(number): Path<RoNumber>,
    request: ChangeRequest<OfVersion>,
) -> Result<HttpResponse, ApiError> {
    close_or_reopen(
        &state,
        &caller,
        number,
        request,
        Command::Reopen { at: now() },
    )
    .await
}

/// Saves cause, notes and story of a job, also of a closed order. A technician who is neither Owner
/// nor Admin writes on their own orders only.
#[utoipa::path(
    tag = "repair orders",
    params(
        ("roNumber" = inline(RoNumberInPath), Path),
        ("jobNumber" = inline(JobNumberInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = JobEdit,
    responses(
        (status = 200, body = ChangedAnswer),
        (status = 422, body = fact_check::Unconfirmed, description = "`unconfirmed`: the story says what neither the order nor the job nor the story before it says, and nobody has confirmed it"),
        Refusals,
    )
)]
#[patch("/api/repair-orders/{roNumber}/jobs/{jobNumber}")]
pub async fn edit_job(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    Path((number, job)): Path<(RoNumber, JobNumber)>,
    request: ChangeRequest<JobEdit>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::EditJobs)?;
    let JobNumber(job_number) = job;
    let edit = request.body;
    let texts = JobTexts {
        cause: text::of_job(edit.cause, "cause")?,
        brief_tech_notes: text::of_job(edit.brief_tech_notes, "briefTechNotes")?,
        tech_story: text::of_job(edit.tech_story, "techStory")?,
    };
    let order = state.store.load(number).await?;
    let order = order.ok_or_else(|| ApiError::from(&Failure::Unknown(number)))?;
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    // Sent again, it is answered as before, whatever the order has become and whose it is by now.
    let provenance = if executor.was_answered() {
        None
    } else {
        caller.visibility().require_own(&order)?;
        provenance_by_hand(&order, job_number, &texts, &edit.confirmed)?
    };
    let command = Command::EditJob {
        job_number,
        texts,
        provenance: provenance.map(Box::new),
    };
    executor
        .execute_one(Ok(number), Ok(command), edit.expected_version.0)
        .await
}
