//! The calls of those who manage boards.

use crate::calls::Calls;
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post, web};
use serde_json::{Map, Value};

use super::api_types::{Board, BoardFields, BoardLink, BoardTarget, NewBoard, PairingClaim};
use super::state::BoardsState;
use crate::answer::{Answer, DONE, Done};
use crate::audit::{AuditEvent, AuditKind};
use crate::change_request::{ChangeRequest, execute, fields};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::http::address::address_of;
use crate::identity::{Caller, Path};
use crate::ids::BoardId;
use crate::repair_orders::api_types::By;
use crate::staff::Permission;

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(list)
        .service(claim)
        .service(link)
        .service(add)
        .service(change)
        .service(revoke)
        .service(delete)
        .service(reload)
        .service(identify);
}

/// Every board, by name.
#[utoipa::path(
    operation_id = "boards",
    tag = "boards",
    responses(
        (status = 200, body = Answer<Vec<Board>>),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/boards")]
pub async fn list(
    caller: Caller,
    state: web::Data<BoardsState>,
) -> Result<web::Json<Answer<Vec<Board>>>, ApiError> {
    caller.require(Permission::ManageBoards)?;
    let result = state.list_boards().await?;
    Ok(web::Json(Answer::new(result)))
}

/// Adds a board that no screen is yet: make a link for it, or pair a screen with it.
#[utoipa::path(
    operation_id = "add_board",
    tag = "boards",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = NewBoard,
    responses(
        (status = 200, body = Answer<Board>),
        (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "`too-many-boards`"),
    )
)]
#[post("/api/boards")]
pub async fn add(
    caller: Caller,
    state: web::Data<BoardsState>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageBoards)?;
    let new: NewBoard = fields(request.body)?;
    execute(&state.store, &caller.uid, request.key, async |keeper| {
        let added = state.boards.add(new, &keeper).await?;
        state.reload_boards().await?;
        Ok(added)
    })
    .await
}

/// Gives a board another name, layout or settings.
#[utoipa::path(
    operation_id = "change_board",
    tag = "boards",
    params(
        ("id" = inline(BoardId), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = BoardFields,
    responses(
        (status = 200, body = Answer<Board>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-board`"),
        (status = 409, body = ErrorBody, description = "`board-changed`: it is not as `expectedRevision` says; `idempotency-key-reused`"),
    )
)]
#[patch("/api/boards/{id}")]
pub async fn change(
    caller: Caller,
    state: web::Data<BoardsState>,
    Path(id): Path<BoardId>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageBoards)?;
    let change: BoardFields = fields(request.body)?;
    execute(&state.store, &caller.uid, request.key, async |keeper| {
        let changed = state.boards.change(&id.0, change, &keeper).await?;
        state.reload_boards().await?;
        Ok(changed)
    })
    .await
}

/// Revokes a board: its links are void, its token ends, its socket is closed within a second, and it forgets its cars.
/// It stays in the list with its name and settings, and can be paired again.
#[utoipa::path(
    operation_id = "revoke_board",
    tag = "boards",
    params(("id" = inline(BoardId), Path)),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-board`"),
    )
)]
#[post("/api/boards/{id}/revoke")]
pub async fn revoke(
    caller: Caller,
    state: web::Data<BoardsState>,
    Path(id): Path<BoardId>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageBoards)?;
    state.boards.revoke(&id.0).await?;
    state.reload_boards().await?;
    Ok(web::Json(DONE))
}

/// Deletes a board that no screen is.
#[utoipa::path(
    operation_id = "delete_board",
    tag = "boards",
    params(("id" = inline(BoardId), Path)),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-board`"),
        (status = 409, body = ErrorBody, description = "`board-paired`: revoke it first"),
    )
)]
#[delete("/api/boards/{id}")]
pub async fn delete(
    caller: Caller,
    state: web::Data<BoardsState>,
    Path(id): Path<BoardId>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageBoards)?;
    state.boards.delete(&id.0).await?;
    state.reload_boards().await?;
    Ok(web::Json(DONE))
}

/// Lets a board load its page again.
#[utoipa::path(
    operation_id = "reload_board",
    tag = "boards",
    params(("id" = inline(BoardId), Path)),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-board`"),
    )
)]
#[post("/api/boards/{id}/reload")]
pub async fn reload(
    caller: Caller,
    state: web::Data<BoardsState>,
    Path(id): Path<BoardId>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageBoards)?;
    state.reload_board(&id.0).await?;
    Ok(web::Json(DONE))
}

/// Lets a board show its name for a moment.
#[utoipa::path(
    operation_id = "identify_board",
    tag = "boards",
    params(("id" = inline(BoardId), Path)),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-board`"),
    )
)]
#[post("/api/boards/{id}/identify")]
pub async fn identify(
    caller: Caller,
    state: web::Data<BoardsState>,
    Path(id): Path<BoardId>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageBoards)?;
    state.identify_board(&id.0).await?;
    Ok(web::Json(DONE))
}

/// Makes the screen that shows this code a board.
#[utoipa::path(
    operation_id = "claim_board",
    tag = "boards",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = PairingClaim,
    responses(
        (status = 200, body = Answer<Board>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-code`: no screen shows it, or not any more; `unknown-board`"),
        (status = 409, body = ErrorBody, description = "`too-many-boards`"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: more than 10 wrong codes in a minute"),
    )
)]
#[post("/api/boards/pairings/claim")]
pub async fn claim(
    caller: Caller,
    state: web::Data<BoardsState>,
    request: ChangeRequest<Map<String, Value>>,
    from: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageBoards)?;
    let PairingClaim { code, target } = fields(request.body)?;
    let address = address_of(&from);
    execute(&state.store, &caller.uid, request.key, async |keeper| {
        let boards = &state.boards;
        boards.limits.code(&caller.uid, address)?;
        let claimed = boards.claim(&code, target, &caller, &keeper).await;
        if !matches!(&claimed, Err(error) if error.code == ErrorCode::UnknownCode) {
            boards.limits.right_code(&caller.uid, address);
        } else {
            let event = AuditEvent::refused(AuditKind::BoardRefused, "unknown-code");
            state.audit.attempt(event);
        }
        let claimed = claimed?;
        state.reload_boards().await?;
        Ok(claimed)
    })
    .await
}

/// Makes a link for a screen that cannot show a code, or that nobody can get at: good once, for
/// seven days, and until the board is paired otherwise or revoked.
#[utoipa::path(
    operation_id = "link_board",
    tag = "boards",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = BoardTarget,
    responses(
        (status = 200, body = Answer<BoardLink>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-board`"),
        (status = 409, body = ErrorBody, description = "`too-many-boards`"),
    )
)]
#[post("/api/boards/links")]
pub async fn link(
    caller: Caller,
    state: web::Data<BoardsState>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageBoards)?;
    let target: BoardTarget = fields(request.body)?;
    execute(&state.store, &caller.uid, request.key, async |keeper| {
        let by = By {
            uid: caller.uid.clone(),
            name: caller.name.clone(),
        };
        let link = state.boards.link(target, &by, &keeper).await?;
        state.reload_boards().await?;
        Ok(link)
    })
    .await
}
