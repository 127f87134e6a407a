//! The calls of the screens: how one becomes a board, and what a board asks.

use std::sync::Arc;

use crate::calls::Calls;
use crate::moments;
use actix_web::dev::Payload;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::{FromRequest, HttpRequest, HttpResponse, get, post, web};
use futures_util::future::LocalBoxFuture;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::{Map, Value};

use super::api_types::{
    BoardPicture, BoardSays, BoardVerdict, NewPairing, Paired, Pairing, PairingQuestion,
    PairingState, Redeem, ZoneOffset,
};
use super::pairing::links::unknown_link;
use super::pairing::tokens;
use super::registry::{CachedBoard, stranger};
use super::state::BoardsState;
use crate::answer::Answer;
use crate::audit::{AuditEvent, AuditKind, AuditTrail};
use crate::change_request::{ChangeRequest, fields};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::http::address::address_of;
use crate::http::page;
use crate::identity::bearer;
use crate::staff::Permission;

/// A board that showed its token. As an argument of a handler it refuses callers without a valid
/// token with 401, and callers with too many wrong ones with 429. A request without a token is not
/// counted: a foreign page can make any browser send one.
pub struct BoardScreen(Arc<CachedBoard>);

impl FromRequest for BoardScreen {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<BoardsState>>().cloned();
        let token = bearer(request).map(str::to_owned);
        let address = address_of(request);
        Box::pin(async move {
            let state = state.ok_or_else(|| {
                tracing::error!("the app was built without the boards' state");
                ApiError::unavailable()
            })?;
            let token = token.ok_or_else(stranger)?;
            let found = state.boards.authenticate(&token, address).await;
            found
                .map(Self)
                .inspect_err(|refused| record_wrong_token(&state.audit, refused))
        })
    }
}

/// Records why a token was refused, wherever it was sent: not where the board has ended, or the database
/// did not answer.
pub(crate) fn record_wrong_token(audit: &AuditTrail, refused: &ApiError) {
    if matches!(
        refused.code,
        ErrorCode::Unauthorized | ErrorCode::TooManyRequests
    ) {
        audit.attempt(AuditEvent::refused(AuditKind::BoardRefused, refused.code));
    }
}

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(picture)
        .service(check)
        .service(begin)
        .service(pairing_state)
        .service(redeem);
}

/// Begins to pair a screen: it shows the code, and asks every two seconds what became of it.
#[utoipa::path(
    operation_id = "begin_pairing",
    tag = "boards",
    security(()),
    request_body = NewPairing,
    responses(
        (status = 200, body = Answer<Pairing>),
        (status = 429, body = ErrorBody, description = "`too-many-requests`"),
    )
)]
#[post("/api/boards/pairings")]
pub async fn begin(
    state: web::Data<BoardsState>,
    request: ChangeRequest<Map<String, Value>>,
    from: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let new: NewPairing = fields(request.body)?;
    let address = address_of(&from);
    state.boards.limits.pairing(address)?;
    let result = state.boards.begin_pairing(new, address).await?;
    Ok(secret(Answer::new(result)))
}

/// What became of a pairing.
#[utoipa::path(
    operation_id = "pairing_state",
    tag = "boards",
    security(()),
    request_body = PairingQuestion,
    responses((status = 200, body = Answer<PairingState>))
)]
#[post("/api/boards/pairings/state")]
pub async fn pairing_state(
    state: web::Data<BoardsState>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    let PairingQuestion { pairing_id: id } = fields(request.body)?;
    if !tokens::is_secret(&id) {
        return Err(ApiError::invalid(
            "That is not the secret of a pairing: 43 letters, digits, - and _",
        ));
    }
    let result = state.boards.pairing_state(&id).await?;
    Ok(secret(Answer::new(result)))
}

/// Makes the screen on which a link was opened a board. Sent again with the same `secret` it gives the
/// same token, until that is used; nobody else is given one.
#[utoipa::path(
    operation_id = "redeem_board_link",
    tag = "boards",
    security(()),
    request_body = Redeem,
    responses(
        (status = 200, body = Answer<Paired>),
        (status = 404, body = ErrorBody, description = "`unknown-link`: forged, expired, used, made void, or of somebody who may not manage boards any more"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`"),
    )
)]
#[post("/api/boards/links/redeem")]
pub async fn redeem(
    state: web::Data<BoardsState>,
    request: ChangeRequest<Map<String, Value>>,
    from: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let redeem: Redeem = fields(request.body)?;
    let (boards, address) = (&state.boards, address_of(&from));
    // Only a screen without a link made here can be refused for coming too often.
    let link = boards.read_link(&redeem.link);
    let link = match link {
        Ok(link) => link,
        Err(refused) => {
            let refused = boards.limits.wrong_link(address).err().unwrap_or(refused);
            let event = AuditEvent::refused(AuditKind::BoardRefused, refused.code);
            state.audit.attempt(event);
            return Err(refused);
        }
    };
    let maker = boards.link_maker(link).await?.unwrap_or_default();
    let identity = &state.identity;
    let redeemed = if identity
        .is_still_permitted(&maker, Permission::ManageBoards)
        .await?
    {
        boards.redeem(link, &maker, redeem).await
    } else {
        Err(unknown_link())
    };
    let result = redeemed.inspect_err(|refused| {
        let event = AuditEvent::refused(AuditKind::BoardRefused, refused.code);
        state.audit.attempt(event);
    })?;
    state.reload_boards().await?;
    Ok(secret(Answer::new(result)))
}

/// Everything this board shows. To be asked for after each `hello`: what changed without an event
/// is in it, too.
#[utoipa::path(
    operation_id = "board_picture",
    tag = "boards",
    security(("boardToken" = [])),
    responses(
        (status = 200, body = Answer<BoardPicture>),
        (status = 401, body = ErrorBody, description = "`board-revoked`: the token was good once; `unauthorized`"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: wrong tokens"),
    )
)]
#[get("/api/board")]
pub async fn picture(
    screen: BoardScreen,
    state: web::Data<BoardsState>,
) -> Result<HttpResponse, ApiError> {
    let BoardScreen(board) = screen;
    state.boards.last_seen.mark_seen(&board.id);
    let now = state.boards.shop().picture(&board.view);
    let technicians = state.board_technicians(&board.view, &now.technicians);
    Ok(secret(Answer::new(BoardPicture {
        seq: now.seq(),
        board: board.about.clone(),
        now: moments::now(),
        offsets: offsets(&state.shop.time_zone(), Timestamp::now()),
        version: page::build().to_owned(),
        checksum: state.board_checksum(&now, &technicians),
        technicians,
        cards: now.cards.clone(),
    })))
}

/// Says what this board shows, and asks whether that is right. To be asked once a minute, just
/// after a tick.
#[utoipa::path(
    operation_id = "check_board",
    tag = "boards",
    security(("boardToken" = [])),
    request_body = BoardSays,
    responses(
        (status = 200, body = Answer<BoardVerdict>),
        (status = 401, body = ErrorBody, description = "`board-revoked`: the token was good once; `unauthorized`"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: wrong tokens"),
    )
)]
#[post("/api/board/check")]
pub async fn check(
    screen: BoardScreen,
    state: web::Data<BoardsState>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<web::Json<Answer<BoardVerdict>>, ApiError> {
    let BoardScreen(board) = screen;
    let says: BoardSays = fields(request.body)?;
    let BoardSays {
        seq,
        checksum,
        shows,
        version,
        screen,
    } = says.checked()?;
    let version = version.map(|version| version.0);
    let boards = &state.boards;
    if boards.last_seen.says(&board.id, shows, version, screen) {
        boards.changed.announce();
    }
    let now = boards.shop().picture(&board.view);
    let technicians = state.board_technicians(&board.view, &now.technicians);
    let right = state.board_checksum(&now, &technicians);
    let same = if checksum == right {
        Some(true)
    } else if seq == now.seq() && boards.is_settled() {
        Some(false)
    } else {
        None
    };
    Ok(web::Json(Answer::new(BoardVerdict {
        same,
        seq: now.seq(),
        checksum: right,
    })))
}

/// What the shop's clock is ahead of UTC, from a year ago to two years ahead.
fn offsets(zone: &TimeZone, now: Timestamp) -> Vec<ZoneOffset> {
    let around = |years: i64| SignedDuration::from_hours(years * 366 * 24);
    let first = now.saturating_add(around(-1)).unwrap_or(now);
    let last = now.saturating_add(around(2)).unwrap_or(now);
    let changes = zone.following(first).map(|change| change.timestamp());
    std::iter::once(first)
        .chain(changes.take_while(|from| *from <= last))
        .map(|from| ZoneOffset {
            from,
            seconds: zone.to_offset(from).seconds(),
        })
        .collect()
}

/// Whatever holds a secret, or is true for this moment alone, is kept by no cache.
fn secret(answer: impl Serialize) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .json(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_gets_the_shops_clock_changes_of_last_year_and_two_years_ahead() {
        let chicago = TimeZone::get("America/Chicago").unwrap();
        let now: Timestamp = "2026-11-18T16:41:20Z".parse().unwrap();
        let announced: Vec<(String, i32)> = offsets(&chicago, now)
            .into_iter()
            .map(|ZoneOffset { from, seconds }| (from.to_string(), seconds))
            .collect();
        let (winter, summer) = (-21_600, -18_000);
        assert_eq!(
            announced,
            [
                ("2025-11-17T16:41:20Z", winter),
                ("2026-03-08T08:00:00Z", summer),
                ("2026-11-01T07:00:00Z", winter),
                ("2027-03-14T08:00:00Z", summer),
                ("2027-11-07T07:00:00Z", winter),
                ("2028-03-12T08:00:00Z", summer),
                ("2028-11-05T07:00:00Z", winter),
            ]
            .map(|(from, seconds)| (from.to_owned(), seconds))
        );
        let fixed = offsets(&TimeZone::UTC, now);
        assert_eq!((fixed.len(), fixed[0].seconds), (1, 0));
    }
}
