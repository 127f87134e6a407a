//! The calls about staff records, for owners.

use crate::calls::Calls;
use actix_web::{delete, get, patch, put, web};
use serde_json::{Map, Value};

use super::state::UsersState;
use super::view::{StaffFields, StaffView};
use crate::answer::{Answer, DONE, Done};
use crate::error::{ApiError, ErrorBody};
use crate::identity::own_account::routes::SessionView;
use crate::identity::{Caller, Path};
use crate::ids::{SessionId, UserKey};
use crate::staff::{Permission, StaffDocument};

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(list)
        .service(one)
        .service(write)
        .service(change)
        .service(delete)
        .service(sessions)
        .service(end_session)
        .service(end_sessions);
}

pub(super) async fn staff_answer(
    state: &UsersState,
    document: StaffDocument,
) -> Result<web::Json<Answer<StaffView>>, ApiError> {
    let mail = state.mail_queue.invitation(&document.email).await?;
    Ok(web::Json(Answer::new(StaffView::new(document, mail))))
}

/// Everybody on the staff, by id.
#[utoipa::path(
    operation_id = "users",
    tag = "staff",
    responses(
        (status = 200, body = Answer<Vec<StaffView>>),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/users")]
pub async fn list(
    caller: Caller,
    state: web::Data<UsersState>,
) -> Result<web::Json<Answer<Vec<StaffView>>>, ApiError> {
    caller.require(Permission::ManageUsers)?;
    let users = state.identity.users().await?;
    let mut mails = state.mail_queue.invitations().await?;
    let views = users.into_iter().map(|document| {
        let mail = mails.remove(&document.email);
        StaffView::new(document, mail)
    });
    Ok(web::Json(Answer::new(views.collect())))
}

/// One staff record.
#[utoipa::path(
    operation_id = "user",
    tag = "staff",
    params(("id" = inline(UserKey), Path)),
    responses(
        (status = 200, body = Answer<StaffView>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-user`"),
    )
)]
#[get("/api/users/{id}")]
pub async fn one(
    caller: Caller,
    state: web::Data<UsersState>,
    Path(UserKey(id)): Path<UserKey>,
) -> Result<web::Json<Answer<StaffView>>, ApiError> {
    caller.require(Permission::ManageUsers)?;
    let document = state.identity.user(&id).await?;
    staff_answer(&state, document).await
}

/// Writes the fields that are sent; makes the record where an email, or an account, has none.
/// Taking a role or the technician's number away signs that person out everywhere.
#[utoipa::path(
    operation_id = "write_user",
    tag = "staff",
    params(("id" = inline(UserKey), Path)),
    request_body = StaffFields,
    responses(
        (status = 200, body = Answer<StaffView>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-user`: neither an email nor the id of anybody"),
        (status = 409, body = ErrorBody, description = "`last-owner`: nobody could manage users any more; `own-account`: nobody takes the role Owner from themselves"),
    )
)]
#[put("/api/users/{id}")]
pub async fn write(
    caller: Caller,
    state: web::Data<UsersState>,
    Path(UserKey(id)): Path<UserKey>,
    fields: web::Json<Map<String, Value>>,
) -> Result<web::Json<Answer<StaffView>>, ApiError> {
    put_down(&caller, &state, &id, fields.into_inner(), true).await
}

/// Writes the fields that are sent. Taking a role or the technician's number away signs that
/// person out everywhere.
#[utoipa::path(
    operation_id = "change_user",
    tag = "staff",
    params(("id" = inline(UserKey), Path)),
    request_body = StaffFields,
    responses(
        (status = 200, body = Answer<StaffView>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-user`"),
        (status = 409, body = ErrorBody, description = "`last-owner`: nobody could manage users any more; `own-account`: nobody takes the role Owner from themselves"),
    )
)]
#[patch("/api/users/{id}")]
pub async fn change(
    caller: Caller,
    state: web::Data<UsersState>,
    Path(UserKey(id)): Path<UserKey>,
    fields: web::Json<Map<String, Value>>,
) -> Result<web::Json<Answer<StaffView>>, ApiError> {
    put_down(&caller, &state, &id, fields.into_inner(), false).await
}

async fn put_down(
    caller: &Caller,
    state: &UsersState,
    id: &str,
    fields: Map<String, Value>,
    make: bool,
) -> Result<web::Json<Answer<StaffView>>, ApiError> {
    caller.require(Permission::ManageUsers)?;
    let patch = StaffFields::of(fields)?.read()?;
    let technician = patch.technician_id.flatten();
    let written = state.identity.write_user(caller, id, patch, make).await?;
    if let Some(id) = technician {
        state.technicians.know(id, &written.name).await?;
    }
    state.directory.reload().await?;
    staff_answer(state, written).await
}

/// Removes somebody: the record, the account, and everything they are signed in with.
#[utoipa::path(
    operation_id = "delete_user",
    tag = "staff",
    params(("id" = inline(UserKey), Path)),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-user`"),
        (status = 409, body = ErrorBody, description = "`last-owner`: nobody could manage users any more; `own-account`: nobody deletes themselves"),
    )
)]
#[delete("/api/users/{id}")]
pub async fn delete(
    caller: Caller,
    state: web::Data<UsersState>,
    Path(UserKey(id)): Path<UserKey>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageUsers)?;
    state.identity.delete_user(&caller, &id).await?;
    state.directory.reload().await?;
    Ok(web::Json(DONE))
}

/// Where somebody is signed in, the last used first.
#[utoipa::path(
    operation_id = "user_sessions",
    tag = "staff",
    params(("id" = inline(UserKey), Path)),
    responses(
        (status = 200, body = Answer<Vec<SessionView>>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-user`"),
    )
)]
#[get("/api/users/{id}/sessions")]
pub async fn sessions(
    caller: Caller,
    state: web::Data<UsersState>,
    Path(UserKey(id)): Path<UserKey>,
) -> Result<web::Json<Answer<Vec<SessionView>>>, ApiError> {
    caller.require(Permission::ManageUsers)?;
    let sessions = state.identity.sessions_of_user(&caller, &id).await?;
    Ok(web::Json(sessions))
}

/// Signs somebody out in one browser; open screens there close at once.
#[utoipa::path(
    operation_id = "end_user_session",
    tag = "staff",
    params(
        ("id" = inline(UserKey), Path),
        ("session" = inline(SessionId), Path),
    ),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-user`; `unknown-session`: it has ended, or is somebody else's"),
    )
)]
#[delete("/api/users/{id}/sessions/{session}")]
pub async fn end_session(
    caller: Caller,
    state: web::Data<UsersState>,
    Path((id, session)): Path<(UserKey, SessionId)>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageUsers)?;
    state
        .identity
        .end_session_of_user(&id.0, &session.0)
        .await?;
    Ok(web::Json(DONE))
}

/// Signs somebody out in every browser; open screens close at once.
#[utoipa::path(
    operation_id = "end_user_sessions",
    tag = "staff",
    params(("id" = inline(UserKey), Path)),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-user`"),
    )
)]
#[delete("/api/users/{id}/sessions")]
pub async fn end_sessions(
    caller: Caller,
    state: web::Data<UsersState>,
    Path(UserKey(id)): Path<UserKey>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageUsers)?;
    state.identity.end_sessions_of_user(&id).await?;
    Ok(web::Json(DONE))
}
