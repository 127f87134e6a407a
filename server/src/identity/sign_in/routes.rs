//! Sign in, refresh, sign out: the calls that make and end a session.

use crate::calls::Calls;
use actix_web::cookie::Cookie;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CacheControl, CacheDirective};
use actix_web::{HttpRequest, HttpResponse, post, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::device_cookie;
use crate::answer::{Answer, DONE, Done};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::account_mails::link_routes;
use crate::identity::client::Client;
use crate::identity::own_account::routes as own_account_routes;
use crate::identity::sessions::SessionEndCause;
use crate::identity::sessions::caller::{bearer, sign_in_first};
use crate::identity::sessions::session_cookie;
use crate::identity::set_up::routes as set_up_routes;
use crate::identity::two_factor::routes as two_factor_routes;
use crate::identity::{Identity, SignedIn, UserView, oidc};

/// By HTTPS it is called otherwise: see [`session_cookie`].
pub const REFRESH_COOKIE: &str = session_cookie::NAME;

/// Needs `web::Data<Identity>` in the app.
pub fn configure(app: &mut Calls<'_>) {
    app.service(sign_in)
        .service(refresh)
        .service(sign_out)
        .configure(own_account_routes::configure)
        .configure(two_factor_routes::configure)
        .configure(link_routes::configure)
        .configure(set_up_routes::configure)
        .configure(oidc::routes::configure);
}

#[derive(Deserialize, ToSchema)]
pub struct Credentials {
    #[schema(format = "email")]
    email: String,
    #[schema(format = "password")]
    password: String,
    /// Of whoever has a second factor: six digits of the app, or a recovery code.
    #[schema(nullable = false, required = false)]
    code: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedInResult {
    /// To be sent as `Authorization: Bearer`.
    id_token: String,
    /// Seconds from now.
    expires_in: i64,
    user: UserView,
}

/// Signs in with email and password; the answer sets the refresh cookie, and the cookie by which the
/// browser is known from then on: it is no credential.
#[utoipa::path(
    tag = "sign-in",
    security(()),
    responses(
        (status = 200, body = Answer<SignedInResult>),
        (status = 401, body = ErrorBody, description = "`wrong-password`: the email or the password is not correct; `second-factor-required`: the password is, send it again with a code; `wrong-code`"),
        (status = 403, body = ErrorBody, description = "`no-role`: no staff record of this person holds a role; `unverified-email`"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: from this address or for this email; wait as long as Retry-After says"),
        (status = 503, body = ErrorBody, description = "`busy`: too many wait for their passwords to be looked at; come back when Retry-After says"),
    )
)]
#[post("/api/auth/sign-in")]
pub async fn sign_in(
    request: HttpRequest,
    identity: web::Data<Identity>,
    body: web::Json<Credentials>,
) -> Result<HttpResponse, ApiError> {
    let Credentials {
        email,
        password,
        code,
    } = body.into_inner();
    let client = Client::of(&request);
    let signed_in = identity
        .sign_in(&email, &password, code.as_deref(), &client)
        .await?;
    // The browser gets another cookie, so nobody could end the session of the one it had.
    for before in session_cookie::tokens_of(&request) {
        identity.sign_out(&before).await?;
    }
    Ok(tokens(&identity, &request, signed_in))
}

/// There is no session to go on with.
#[derive(Serialize, ToSchema)]
pub struct RefreshRefused {
    /// Always false.
    ok: bool,
    error: String,
    /// `unauthorized`.
    code: ErrorCode,
    /// Why it ended, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    cause: Option<SessionEndCause>,
}

/// A new ID token for the session of the refresh cookie.
#[utoipa::path(
    tag = "sign-in",
    security(("refreshCookie" = [])),
    responses(
        (status = 200, body = Answer<SignedInResult>),
        (status = 401, body = RefreshRefused, description = "The session has ended, or there is none"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: for this session, or with made up cookies from this address"),
        (status = 403, body = ErrorBody, description = "`no-role`, which ends the session"),
    )
)]
#[post("/api/auth/refresh")]
pub async fn refresh(
    request: HttpRequest,
    identity: web::Data<Identity>,
) -> Result<HttpResponse, ApiError> {
    let client = Client::of(&request);
    let mut refused = sign_in_first();
    for token in session_cookie::tokens_of(&request) {
        match identity.refresh(&token, &client).await {
            Ok(signed_in) => return Ok(tokens(&identity, &request, signed_in)),
            // A session that has ended does not stand before one that goes on.
            Err(ended) if ended.status == StatusCode::UNAUTHORIZED => refused = ended,
            Err(error) => return Err(error),
        }
    }
    Err(refused)
}

/// Ends the session of the refresh cookie, and that of the ID token if one is sent. Answers the
/// same when there is none left to end.
#[utoipa::path(
    tag = "sign-in",
    security((), ("refreshCookie" = []), ("idToken" = [])),
    responses(
        (status = 200, body = Done),
    )
)]
#[post("/api/auth/sign-out")]
pub async fn sign_out(
    request: HttpRequest,
    identity: web::Data<Identity>,
) -> Result<HttpResponse, ApiError> {
    for token in session_cookie::tokens_of(&request) {
        let client = Client::of(&request);
        identity.sign_out_of(&token, &client).await?;
    }
    if let Some(id_token) = bearer(&request) {
        identity.sign_out_bearer(id_token).await?;
    }
    Ok(signed_out(&identity, &request))
}

/// The session is over, and so is what the browser keeps of it.
pub(in crate::identity) fn signed_out(identity: &Identity, request: &HttpRequest) -> HttpResponse {
    let mut answer = HttpResponse::Ok();
    for cookie in session_cookie::no_cookies(identity, request) {
        answer.cookie(cookie);
    }
    // Its cache may have lists with customers' names.
    answer
        .insert_header(("Clear-Site-Data", "\"cache\""))
        .json(DONE)
}

/// To whoever signed in: the ID token, and what their browser keeps.
pub(in crate::identity) fn tokens(
    identity: &Identity,
    request: &HttpRequest,
    signed_in: SignedIn,
) -> HttpResponse {
    let SignedIn {
        refresh_token,
        id_token,
        expires_in,
        user,
        device,
        ..
    } = signed_in;
    let mut answer = HttpResponse::Ok();
    for cookie in session_cookie::cookies(identity, request, refresh_token) {
        answer.cookie(cookie);
    }
    if let Some(device) = device {
        answer.cookie(device_cookie(identity, request, device.value));
    }
    answer
        .insert_header((
            CACHE_CONTROL,
            CacheControl(vec![CacheDirective::NoStore]).to_string(),
        ))
        .json(Answer::new(SignedInResult {
            id_token,
            expires_in,
            user,
        }))
}

/// To be set wherever somebody signed in.
pub(in crate::identity) fn device_cookie(
    identity: &Identity,
    request: &HttpRequest,
    value: String,
) -> Cookie<'static> {
    device_cookie::cookie(session_cookie::is_secure(identity, request), request, value)
}
