//! The calls of somebody about their own account.

use super::preferences;
use crate::calls::Calls;
use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::answer::{Answer, DONE, Done};
use crate::audit::AuditKind;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Path;
use crate::identity::client::{Client, browser};
use crate::identity::sign_in::routes::{device_cookie, signed_out};
use crate::identity::{Caller, Identity, UserView, sessions};
use crate::ids::SessionId;

pub(in crate::identity) fn configure(app: &mut Calls<'_>) {
    app.service(me)
        .service(list)
        .service(end)
        .service(sign_out_everywhere)
        .service(change_password)
        .configure(preferences::configure);
}

/// A browser that is signed in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    id: String,
    /// Whether it is the one that asks.
    current: bool,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    /// When it last got an ID token.
    #[schema(value_type = String, format = "date-time")]
    last_used_at: Timestamp,
    /// A short name such as Firefox on Windows.
    #[schema(required)]
    browser: Option<String>,
    #[schema(required)]
    address: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordChange {
    #[schema(format = "password")]
    current_password: String,
    #[schema(format = "password")]
    new_password: String,
}

/// Who the caller is, and what their roles permit now.
#[utoipa::path(
    tag = "own account",
    operation_id = "me",
    responses((status = 200, body = Answer<UserView>))
)]
#[get("/api/auth/me")]
pub async fn me(caller: Caller) -> HttpResponse {
    HttpResponse::Ok().json(Answer::new(UserView::from(caller)))
}

/// Where the caller is signed in.
#[utoipa::path(
    tag = "own account",
    operation_id = "listSessions",
    responses((status = 200, body = Answer<Vec<SessionView>>))
)]
#[get("/api/auth/sessions")]
pub async fn list(caller: Caller, identity: web::Data<Identity>) -> Result<HttpResponse, ApiError> {
    let sessions = identity.sessions_of(&caller).await?;
    let answer = session_views(&caller, sessions)?;
    Ok(HttpResponse::Ok().json(answer))
}

/// As `caller` is shown them, the last used first.
pub(in crate::identity) fn session_views(
    caller: &Caller,
    sessions: Vec<sessions::SessionRow>,
) -> Result<Answer<Vec<SessionView>>, ApiError> {
    let views = sessions.into_iter().map(|kept| view(caller, kept));
    Ok(Answer::new(views.collect::<Result<_, _>>()?))
}

fn view(caller: &Caller, kept: sessions::SessionRow) -> Result<SessionView, ApiError> {
    let time = |milliseconds| {
        Timestamp::from_millisecond(milliseconds).map_err(|error| {
            tracing::error!(%error, "a session's time cannot be read");
            ApiError::unavailable()
        })
    };
    Ok(SessionView {
        current: kept.id == caller.session_id,
        id: kept.id,
        created_at: time(kept.created_at)?,
        last_used_at: time(kept.last_used_at)?,
        browser: kept.user_agent.as_deref().and_then(browser),
        address: kept.address,
    })
}

/// Signs the caller out in another browser, or in this one; open screens there close at once.
#[utoipa::path(
    tag = "own account",
    operation_id = "endSession",
    params(("id" = inline(SessionId), Path)),
    responses(
        (status = 200, body = Done),
        (status = 404, body = ErrorBody, description = "`unknown-session`: it has ended, or is somebody else's"),
    )
)]
#[delete("/api/auth/sessions/{id}")]
pub async fn end(
    caller: Caller,
    identity: web::Data<Identity>,
    Path(SessionId(id)): Path<SessionId>,
) -> Result<HttpResponse, ApiError> {
    identity.end_session_of(&caller, &id).await?;
    Ok(HttpResponse::Ok().json(DONE))
}

/// Signs the caller out in every browser, this one too.
#[utoipa::path(
    tag = "own account",
    operation_id = "signOutEverywhere",
    responses((status = 200, body = Done))
)]
#[post("/api/auth/sign-out-everywhere")]
pub async fn sign_out_everywhere(
    caller: Caller,
    request: HttpRequest,
    identity: web::Data<Identity>,
) -> Result<HttpResponse, ApiError> {
    identity.sign_out_everywhere(&caller).await?;
    Ok(signed_out(&identity, &request))
}

/// Sets another password and signs the caller out in every other browser.
#[utoipa::path(
    tag = "own account",
    operation_id = "changePassword",
    responses(
        (status = 200, body = Done),
        (status = 400, body = ErrorBody, description = "`wrong-password`: the current one is not correct; `weak-password`, `common-password`"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: wait as long as Retry-After says"),
    )
)]
#[post("/api/auth/password")]
pub async fn change_password(
    caller: Caller,
    request: HttpRequest,
    identity: web::Data<Identity>,
    body: web::Json<PasswordChange>,
) -> Result<HttpResponse, ApiError> {
    let PasswordChange {
        current_password,
        new_password,
    } = body.into_inner();
    let client = Client::of(&request);
    let device = identity
        .change_password(&caller, &current_password, &new_password, &client)
        .await
        .inspect_err(|refused| identity.note_refused_change(AuditKind::PasswordChanged, refused))?;
    let cookie = device_cookie(&identity, &request, device);
    Ok(HttpResponse::Ok().cookie(cookie).json(DONE))
}
