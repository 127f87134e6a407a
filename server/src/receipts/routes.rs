//! The calls about assignments: how far their news has come, what a technician's screen says of
//! them, and handing an order back.

use actix_web::{HttpResponse, get, post, web};
use dispatch_actors::repair_order::{Command, RoNumber, TechnicianId};
use dispatch_actors::supervisor::Failure;
use jiff::Timestamp;

use super::api_types::{Assignments, HandBack, MAX_REASON_CHARS, Receipt, Stage, StageReached};
use super::state::ReceiptsState;
use super::{Reached, Row, require_staff};
use crate::answer::Answer;
use crate::calls::Calls;
use crate::change_request::ChangeRequest;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::{Caller, Path, Visibility};
use crate::ids::{RoNumberInPath, TechnicianIdInPath};
use crate::repair_orders::api_types::Refusals;
use crate::repair_orders::execute::{ChangeExecutor, ChangedAnswer};
use crate::text;

pub fn configure(routes: &mut Calls<'_>) {
    routes.service(list).service(reach).service(hand_back);
}

/// How far the news of every assignment has come. A technician who is neither Owner nor Admin sees
/// only their own.
#[utoipa::path(
    operation_id = "assignments",
    tag = "assignments",
    responses(
        (status = 200, body = Answer<Assignments>),
        (status = 403, body = ErrorBody, description = "The caller has no role"),
    )
)]
#[get("/api/assignments")]
pub async fn list(
    caller: Caller,
    state: web::Data<ReceiptsState>,
) -> Result<web::Json<Answer<Assignments>>, ApiError> {
    require_staff(&caller)?;
    let rows = match caller.visibility() {
        Visibility::Own(None) => Vec::new(),
        Visibility::Own(own) => state.receipts.of_open_orders(own).await?,
        Visibility::Shop => state.receipts.of_open_orders(None).await?,
    };
    let stands = |row: &Row| row.handed_back_at.is_some() || is_assigned(&state, row);
    let receipts = rows
        .into_iter()
        .filter(stands)
        .map(|row| Receipt::of(row, &state.names));
    let result = Assignments {
        now: Timestamp::now(),
        receipts: receipts.collect(),
    };
    Ok(web::Json(Answer::new(result)))
}

/// A change that was made this moment has no receipt yet.
fn is_assigned(state: &ReceiptsState, row: &Row) -> bool {
    let number = RoNumber::try_from(row.ro_number).ok();
    let order = number.and_then(|number| state.snapshot.get(number));
    order.is_some_and(|order| {
        let mut assigned = order.regular_technicians.iter();
        assigned.any(|assigned| assigned.technician == row.technician)
    })
}

/// Says that an assignment has reached the technician, was seen, or is accepted. Only the technician
/// says so. A stage that was reached before stays as it is.
#[utoipa::path(
    operation_id = "reach_assignment",
    tag = "assignments",
    params(
        ("id" = inline(TechnicianIdInPath), Path),
        ("roNumber" = inline(RoNumberInPath), Path),
    ),
    responses(
        (status = 200, body = Answer<Receipt>),
        (status = 403, body = ErrorBody, description = "The caller is not this technician"),
        (status = 404, body = ErrorBody, description = "`unknown-repair-order`"),
        (status = 409, body = ErrorBody, description = "`not-assigned`: the desk did not give it to them, or took it back"),
    )
)]
#[post("/api/technicians/{id}/assignments/{roNumber}/receipt")]
pub async fn reach(
    caller: Caller,
    state: web::Data<ReceiptsState>,
    Path((technician, number)): Path<(TechnicianId, RoNumber)>,
    body: web::Json<StageReached>,
) -> Result<web::Json<Answer<Receipt>>, ApiError> {
    require_technician_themselves(&caller, technician)?;
    let reached = match body.stage {
        Stage::Delivered => Reached::Delivered,
        Stage::Seen => Reached::Seen,
        Stage::Accepted => Reached::Accepted,
    };
    match state.receipts.reach(technician, number, reached).await? {
        Some(row) => {
            let result = Receipt::of(row, &state.names);
            Ok(web::Json(Answer::new(result)))
        }
        None => Err(not_assigned(&state, technician, number).await?),
    }
}

/// The technician gives the order back, and says why.
#[utoipa::path(
    operation_id = "hand_back",
    tag = "assignments",
    params(
        ("id" = inline(TechnicianIdInPath), Path),
        ("roNumber" = inline(RoNumberInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = HandBack,
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/technicians/{id}/assignments/{roNumber}/hand-back")]
pub async fn hand_back(
    caller: Caller,
    state: web::Data<ReceiptsState>,
    Path((technician, number)): Path<(TechnicianId, RoNumber)>,
    request: ChangeRequest<HandBack>,
) -> Result<HttpResponse, ApiError> {
    require_technician_themselves(&caller, technician)?;
    let reason = reason(&request.body.reason)?;
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    let command = Command::HandBack { technician, reason };
    executor.execute_one(Ok(number), Ok(command), None).await
}

fn reason(text_sent: &str) -> Result<String, ApiError> {
    let reason = text::one_line(text_sent);
    if reason.is_empty() {
        return Err(ApiError::invalid("Say why the order is handed back"));
    }
    let length = text_sent.chars().count();
    if length > MAX_REASON_CHARS {
        return Err(ApiError::invalid(format!(
            "The reason has {length} characters: at most {MAX_REASON_CHARS} are kept"
        )));
    }
    Ok(reason)
}

/// 403 `forbidden` for everybody but the technician.
fn require_technician_themselves(
    caller: &Caller,
    technician: TechnicianId,
) -> Result<(), ApiError> {
    if caller.is_technician(technician) {
        Ok(())
    } else {
        Err(ApiError::forbidden(format!(
            "Only technician {technician} can answer for their own assignments"
        )))
    }
}

async fn not_assigned(
    state: &ReceiptsState,
    technician: TechnicianId,
    number: RoNumber,
) -> Result<ApiError, ApiError> {
    let is_known =
        state.snapshot.get(number).is_some() || state.store.load(number).await?.is_some();
    Ok(if is_known {
        ApiError::new(
            ErrorCode::NotAssigned,
            format!("The desk has not given repair order {number} to technician {technician}"),
        )
    } else {
        ApiError::from(&Failure::Unknown(number))
    })
}
