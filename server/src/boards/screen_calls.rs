//! The calls of the screens: how one becomes a board, and what a board asks.

use actix_web::{HttpResponse, get, post, web};
use serde_json::{Map, Value};

use super::wire::{
    BoardPictureAnswer, BoardSays, BoardVerdictAnswer, NewPairing, PairedAnswer, PairingAnswer,
    PairingStateAnswer, Redeem,
};
use crate::app::Services;
use crate::change_request::{ChangeRequest, fields};
use crate::error::{ApiError, ErrorBody};

pub fn configure(routes: &mut web::ServiceConfig) {
    routes
        .service(picture)
        .service(check)
        .service(begin)
        .service(state)
        .service(redeem);
}

/// Begins to pair a screen: it shows the code, and asks every two seconds what became of it.
#[utoipa::path(
    operation_id = "begin_pairing",
    tag = "boards",
    request_body = NewPairing,
    responses(
        (status = 200, body = PairingAnswer),
        (status = 429, body = ErrorBody, description = "`too-many-requests`"),
    )
)]
#[post("/api/boards/pairings")]
pub async fn begin(
    services: web::Data<Services>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    let _new: NewPairing = fields(request.body)?;
    let _ = services;
    Err(super::not_yet())
}

/// What became of a pairing.
#[utoipa::path(
    operation_id = "pairing_state",
    tag = "boards",
    params(("pairingId" = String, Path, description = "The screen's secret")),
    responses((status = 200, body = PairingStateAnswer))
)]
#[get("/api/boards/pairings/{pairingId}")]
pub async fn state(
    services: web::Data<Services>,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let _ = (services, id);
    Err(super::not_yet())
}

/// Makes the screen on which a link was opened a board. Sent again it gives the same token, until
/// that is used.
#[utoipa::path(
    operation_id = "redeem_board_link",
    tag = "boards",
    request_body = Redeem,
    responses(
        (status = 200, body = PairedAnswer),
        (status = 404, body = ErrorBody, description = "`unknown-link`: forged, expired, used, or made void"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`"),
    )
)]
#[post("/api/boards/links/redeem")]
pub async fn redeem(
    services: web::Data<Services>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    let _redeem: Redeem = fields(request.body)?;
    let _ = services;
    Err(super::not_yet())
}

/// Everything this board shows. To be asked for after each `hello`: what changed without an event
/// is in it, too.
#[utoipa::path(
    operation_id = "board_picture",
    tag = "boards",
    security(("boardToken" = [])),
    responses(
        (status = 200, body = BoardPictureAnswer),
        (status = 401, body = ErrorBody, description = "`board-revoked`: the token was good once; `unauthorized`"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: wrong tokens"),
    )
)]
#[get("/api/board")]
pub async fn picture(services: web::Data<Services>) -> Result<HttpResponse, ApiError> {
    let _ = services;
    Err(super::not_yet())
}

/// Says what this board shows, and asks whether that is right. To be asked once a minute, just
/// after a tick.
#[utoipa::path(
    operation_id = "check_board",
    tag = "boards",
    security(("boardToken" = [])),
    request_body = BoardSays,
    responses(
        (status = 200, body = BoardVerdictAnswer),
        (status = 401, body = ErrorBody, description = "`board-revoked`: the token was good once; `unauthorized`"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: wrong tokens"),
    )
)]
#[post("/api/board/check")]
pub async fn check(
    services: web::Data<Services>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    let _says: BoardSays = fields(request.body)?;
    let _ = services;
    Err(super::not_yet())
}
