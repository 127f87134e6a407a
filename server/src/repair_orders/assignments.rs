//! Dispatching: who works on an order.

use actix_web::{HttpResponse, post, web};
use dispatch_actors::repair_order::{Command, TechnicianId};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::Schema;

use super::api_types::Refusals;
use super::execute::{ChangeEntry, ChangeExecutor, ChangedAnswer, EntryResult};
use super::state::RepairOrdersState;
use crate::answer::BatchAnswer;
use crate::change_request::{ChangeRequest, check_batch_size, versioned_entries_schema};
use crate::error::{ApiError, ErrorCode};
use crate::identity::Caller;
use crate::ids::{ExpectedVersion, RoNumberInBody, TechnicianIdInBody};
use crate::staff::Permission;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assignment {
    repair_order_number: RoNumberInBody,
    id_technician: TechnicianIdInBody,
    /// The version the change was decided on; a newer one refuses it.
    #[serde(default)]
    #[schema(required = false)]
    expected_version: ExpectedVersion,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reassignment {
    repair_order_number: RoNumberInBody,
    /// Who has it now.
    from_id_technician: TechnicianIdInBody,
    /// Who gets it.
    to_id_technician: TechnicianIdInBody,
    #[serde(default)]
    #[schema(required = false)]
    expected_version: ExpectedVersion,
}

/// Several orders for one technician.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchDispatch {
    id_technician: TechnicianIdInBody,
    #[schema(schema_with = batch_entries)]
    data: Vec<BatchEntry>,
}

fn batch_entries() -> Schema {
    versioned_entries_schema("BatchEntry", ["repairOrderNumber"])
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchEntry {
    repair_order_number: RoNumberInBody,
    #[serde(default)]
    #[schema(required = false)]
    expected_version: ExpectedVersion,
}

/// Gives the order to one more technician.
#[utoipa::path(
    tag = "dispatch",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = Assignment,
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/technicians/assign")]
pub async fn assign(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    request: ChangeRequest<Assignment>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::Dispatch)?;
    let body = request.body;
    let command = known_technician(&state, &body.id_technician)
        .await
        .map(Command::Assign);
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    let number = body.repair_order_number.parse();
    executor
        .execute_one(number, command, body.expected_version.0)
        .await
}

/// Takes the order away from a technician.
#[utoipa::path(
    tag = "dispatch",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = Assignment,
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/technicians/unassign")]
pub async fn unassign(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    request: ChangeRequest<Assignment>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::Dispatch)?;
    let body = request.body;
    let command = body.id_technician.parse().map(Command::Unassign);
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    let number = body.repair_order_number.parse();
    executor
        .execute_one(number, command, body.expected_version.0)
        .await
}

/// Takes the order from one technician and gives it to another, both or neither.
#[utoipa::path(
    tag = "dispatch",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = Reassignment,
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/technicians/reassign")]
pub async fn reassign(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    request: ChangeRequest<Reassignment>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::Dispatch)?;
    let body = request.body;
    let to = known_technician(&state, &body.to_id_technician).await;
    let command = body
        .from_id_technician
        .parse()
        .and_then(|from| Ok(Command::Reassign { from, to: to? }));
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    let number = body.repair_order_number.parse();
    executor
        .execute_one(number, command, body.expected_version.0)
        .await
}

/// Gives several orders to one technician: each order by itself, with a result of its own. What
/// one call did is undone together.
#[utoipa::path(
    operation_id = "batch_dispatch",
    tag = "dispatch",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = BatchDispatch,
    responses(
        (status = 200, body = BatchAnswer<EntryResult>),
        Refusals,
    )
)]
#[post("/api/repair-orders/technicians/dispatch")]
pub async fn dispatch(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    request: ChangeRequest<BatchDispatch>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::Dispatch)?;
    let entries = check_batch_size(request.body.data)?;
    let technician = known_technician(&state, &request.body.id_technician).await?;
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    let entries = entries.into_iter().map(|entry| ChangeEntry {
        number: entry.repair_order_number.parse(),
        command: Ok(Command::Assign(technician)),
        expected_version: entry.expected_version.0,
    });
    executor.execute_all(entries.collect()).await
}

async fn known_technician(
    state: &RepairOrdersState,
    technician: &TechnicianIdInBody,
) -> Result<TechnicianId, ApiError> {
    let technician = technician.parse()?;
    if state.directory.exists(technician).await? {
        Ok(technician)
    } else {
        Err(ApiError::new(
            ErrorCode::UnknownTechnician,
            format!("Technician {technician} is not known"),
        ))
    }
}
