//! That somebody has called an order's customer. Whom to call, and why, is in the area `promises`.

use actix_web::{HttpResponse, post, web};
use dispatch_actors::repair_order::{CallReason, Command, RoNumber};
use dispatch_actors::supervisor::Failure;

use super::api_types::{RecordCall, Refusals};
use super::execute::{ChangeExecutor, ChangedAnswer};
use super::state::RepairOrdersState;
use crate::change_request::ChangeRequest;
use crate::error::ApiError;
use crate::identity::{Caller, Path};
use crate::ids::RoNumberInPath;
use crate::moments::now;
use crate::staff::Permission;

/// Says that the customer was called, and about what: they are not to be called about it again until something of it
/// changes. It is an event of the order, with who said so and when.
#[utoipa::path(
    operation_id = "record_call",
    tag = "repair orders",
    params(
        ("roNumber" = inline(RoNumberInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = RecordCall,
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/{roNumber}/calls")]
pub async fn record_call(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    Path(number): Path<RoNumber>,
    request: ChangeRequest<RecordCall>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::CallCustomers)?;
    let about = request.body.about;
    if !(1..=CallReason::ALL.len()).contains(&about.len()) {
        return Err(ApiError::invalid("about names one to four reasons"));
    }
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    if !executor.was_answered() {
        let order = state.store.load(number).await?;
        let order = order.ok_or_else(|| ApiError::from(&Failure::Unknown(number)))?;
        caller.visibility().require_own_to_move(&order)?;
    }
    let command = Command::RecordCall { about, at: now() };
    executor
        .execute_one(Ok(number), Ok(command), request.body.expected_version.0)
        .await
}
