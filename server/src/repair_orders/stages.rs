//! Where an order stands and what it waits for: its stage, its holds, and where its hours went. The shop's list of
//! stages is in the area `stages`.
//!
//! The desk sets any stage and starts and ends any hold. Who works by the portal alone has three taps, on their own
//! orders: needs parts, needs approval, and done, please check.

use actix_web::{HttpResponse, get, post, web};
use dispatch_actors::repair_order::{
    Command, HoldReason, NewHold, Refusal, RepairOrder, RoNumber, StageId, shipped, stage_strip,
};
use dispatch_actors::supervisor::Failure;
use dispatch_actors::text::quotable;

use super::api_types::{MAX_NOTE_CHARS, OfVersion, Refusals, SetStage, Span, StartHold, Strip};
use super::execute::{ChangeExecutor, ChangedAnswer};
use super::state::RepairOrdersState;
use crate::answer::Answer;
use crate::calls::Calls;
use crate::change_request::ChangeRequest;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::{Caller, Path, Visibility};
use crate::ids::{HoldNumber, HoldNumberInPath, JobNumber, RoNumberInPath};
use crate::moments::now;
use crate::staff::Permission;
use crate::text;

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(set_stage)
        .service(start_hold)
        .service(end_hold)
        .service(strip);
}

/// What somebody wants to do about an order.
enum Tap<'a> {
    SetStage {
        stage: &'a StageId,
        ends_holds: bool,
    },
    StartHold(HoldReason),
    EndHold,
}

impl Tap<'_> {
    /// Whether a technician has it in the portal.
    fn is_in_portal(&self) -> bool {
        match self {
            Tap::SetStage { stage, ends_holds } => {
                stage.as_str() == shipped::QUALITY_CHECK && !ends_holds
            }
            Tap::StartHold(reason) => matches!(reason, HoldReason::Parts | HoldReason::Approval),
            Tap::EndHold => false,
        }
    }
}

/// Moves an order to a stage. A technician who is neither Owner nor Admin moves their own orders, to `quality-check`
/// alone.
#[utoipa::path(
    operation_id = "set_stage",
    tag = "stages",
    params(
        ("roNumber" = inline(RoNumberInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = SetStage,
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/{roNumber}/stage")]
pub async fn set_stage(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    Path(number): Path<RoNumber>,
    request: ChangeRequest<SetStage>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ChangeStages)?;
    let body = request.body;
    let stage = stage_id(&body.stage)?;
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    let tap = Tap::SetStage {
        stage: &stage,
        ends_holds: body.end_holds,
    };
    permit(&state, &caller, number, &executor, &tap).await?;
    let command = Command::SetStage {
        stage,
        ends_holds: body.end_holds,
        at: now(),
    };
    executor
        .execute_one(Ok(number), Ok(command), body.expected_version.0)
        .await
}

/// Puts an order, or a job of it, on hold. A technician who is neither Owner nor Admin does so on their own orders, for
/// parts and for approval.
#[utoipa::path(
    operation_id = "start_hold",
    tag = "stages",
    params(
        ("roNumber" = inline(RoNumberInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = StartHold,
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/{roNumber}/holds")]
pub async fn start_hold(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    Path(number): Path<RoNumber>,
    request: ChangeRequest<StartHold>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ChangeStages)?;
    let hold = new_hold(&request.body)?;
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    permit(
        &state,
        &caller,
        number,
        &executor,
        &Tap::StartHold(hold.reason),
    )
    .await?;
    let command = Command::StartHold {
        hold: Box::new(hold),
        at: now(),
    };
    executor
        .execute_one(Ok(number), Ok(command), request.body.expected_version.0)
        .await
}

/// Ends a hold: where none is left that keeps the order, it goes on where it stood before.
#[utoipa::path(
    operation_id = "end_hold",
    tag = "stages",
    params(
        ("roNumber" = inline(RoNumberInPath), Path),
        ("holdId" = inline(HoldNumberInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = Option<OfVersion>,
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/{roNumber}/holds/{holdId}/end")]
pub async fn end_hold(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    Path((number, hold)): Path<(RoNumber, HoldNumber)>,
    request: ChangeRequest<OfVersion>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ChangeStages)?;
    let HoldNumber(id) = hold;
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    permit(&state, &caller, number, &executor, &Tap::EndHold).await?;
    let command = Command::EndHold { id, at: now() };
    executor
        .execute_one(Ok(number), Ok(command), request.body.expected_version.0)
        .await
}

/// Where the hours of an order went, open or closed: how long it was in each stage.
#[utoipa::path(
    operation_id = "stage_strip",
    tag = "stages",
    params(("roNumber" = inline(RoNumberInPath), Path)),
    responses(
        (status = 200, body = Answer<Strip>),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "`stages-off`"),
    )
)]
#[get("/api/repair-orders/{roNumber}/stages")]
pub async fn strip(
    _: Caller,
    state: web::Data<RepairOrdersState>,
    Path(number): Path<RoNumber>,
) -> Result<web::Json<Answer<Strip>>, ApiError> {
    let order = known_order(&state, number).await?;
    if !state.store.stage_rules().is_on() {
        return Err((&Failure::Refused(Refusal::StagesOff)).into());
    }
    let events = state.store.events_from(number, 0).await?;
    let (from, to) = (order.opened_at, order.closed_at.unwrap_or_else(now));
    let to = to.max(from);
    let changes = events.iter().map(|event| (event.at, &event.change));
    let spans = stage_strip(from, to, changes);
    Ok(web::Json(Answer::new(Strip {
        from,
        to,
        spans: spans.into_iter().map(Span::from).collect(),
    })))
}

/// A request that is sent again is answered as before, whatever the order has become and whose it is by now. 403
/// `forbidden`, 404 `unknown-repair-order`.
async fn permit(
    state: &RepairOrdersState,
    caller: &Caller,
    number: RoNumber,
    executor: &ChangeExecutor<'_>,
    tap: &Tap<'_>,
) -> Result<(), ApiError> {
    let order = known_order(state, number).await?;
    let visibility = caller.visibility();
    if executor.was_answered() || visibility == Visibility::Shop {
        return Ok(());
    }
    visibility.require_own_to_move(&order)?;
    if tap.is_in_portal() {
        return Ok(());
    }
    Err(ApiError::forbidden(
        "A technician says that an order needs parts, needs approval, or is done and to be checked; \
         everything else about stages and holds is the desk's",
    ))
}

async fn known_order(state: &RepairOrdersState, number: RoNumber) -> Result<RepairOrder, ApiError> {
    let order = state.store.load(number).await?;
    order.ok_or_else(|| ApiError::from(&Failure::Unknown(number)))
}

/// 404 `unknown-stage` for what cannot be one.
fn stage_id(text: &str) -> Result<StageId, ApiError> {
    let is_id = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if (1..=60).contains(&text.len()) && text.bytes().all(is_id) {
        return Ok(StageId::from(text));
    }
    Err(ApiError::new(
        ErrorCode::UnknownStage,
        format!("'{}' is not a stage's id", quotable(text)),
    ))
}

fn new_hold(body: &StartHold) -> Result<NewHold, ApiError> {
    let job_number = body
        .job_number
        .as_ref()
        .map(|job| job.parse())
        .transpose()?;
    let expected_until = body.expected_until.as_ref();
    let note = body.note.as_deref().map(text::cleaned);
    if note
        .as_ref()
        .is_some_and(|note| note.chars().count() > MAX_NOTE_CHARS)
    {
        let sentence = format!("note has more than {MAX_NOTE_CHARS} characters");
        return Err(ApiError::invalid(sentence));
    }
    Ok(NewHold {
        job_number: job_number.map(|JobNumber(job)| job),
        reason: body.reason,
        expected_until: expected_until
            .map(|at| at.as_ref().map(|at| at.parse("expectedUntil")).transpose())
            .transpose()?,
        who_acts: body.who_acts,
        note,
    })
}
