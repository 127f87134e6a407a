//! The calls about assignments: how far their news has come, what a technician's screen says of
//! them, and handing an order back.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};

use super::wire::{AssignmentsAnswer, HandBack, ReceiptAnswer, StageReached};
use crate::app::Services;
use crate::change_request::ChangeRequest;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;
use crate::numerals::{IdText, RoNumberText};
use crate::repair_orders::carry_out::ChangedAnswer;
use crate::repair_orders::changes::Refusals;

pub fn configure(routes: &mut web::ServiceConfig) {
    routes.service(list).service(reach).service(hand_back);
}

/// How far the news of every assignment has come. Who is only a technician sees their own.
#[utoipa::path(
    operation_id = "assignments",
    tag = "assignments",
    security(("idToken" = [])),
    responses(
        (status = 200, body = AssignmentsAnswer),
        (status = 403, body = ErrorBody, description = "The caller has no role"),
    )
)]
#[get("/api/assignments")]
pub async fn list(_: Caller, _: web::Data<Services>) -> Result<HttpResponse, ApiError> {
    Err(not_implemented())
}

/// Says that an assignment has reached the technician, was seen, or is accepted. Only the technician
/// says so. A stage that was reached before stays as it is.
#[utoipa::path(
    operation_id = "reach_assignment",
    tag = "assignments",
    security(("idToken" = [])),
    params(
        ("id" = IdText, Path, description = "The technician's number"),
        ("roNumber" = RoNumberText, Path),
    ),
    responses(
        (status = 200, body = ReceiptAnswer),
        (status = 403, body = ErrorBody, description = "The caller is not this technician"),
        (status = 404, body = ErrorBody, description = "`unknown-repair-order`"),
        (status = 409, body = ErrorBody, description = "`not-assigned`: the desk did not give it to them, or took it back"),
    )
)]
#[post("/api/technicians/{id}/assignments/{roNumber}/receipt")]
pub async fn reach(
    _: Caller,
    _: web::Data<Services>,
    _: web::Path<(String, String)>,
    _: web::Json<StageReached>,
) -> Result<HttpResponse, ApiError> {
    Err(not_implemented())
}

/// The technician gives the order back, and says why.
#[utoipa::path(
    operation_id = "hand_back",
    tag = "assignments",
    security(("idToken" = [])),
    params(
        ("id" = IdText, Path, description = "The technician's number"),
        ("roNumber" = RoNumberText, Path),
        crate::openapi::IdempotencyKeyHeader,
    ),
    request_body = HandBack,
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/technicians/{id}/assignments/{roNumber}/hand-back")]
pub async fn hand_back(
    _: Caller,
    _: web::Data<Services>,
    _: web::Path<(String, String)>,
    _: ChangeRequest<HandBack>,
) -> Result<HttpResponse, ApiError> {
    Err(not_implemented())
}

fn not_implemented() -> ApiError {
    ApiError::new(
        StatusCode::NOT_IMPLEMENTED,
        "not-implemented",
        "This cannot be done yet",
    )
}
