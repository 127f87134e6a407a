//! Sign in, refresh, sign out: the calls that make and end a session.

use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::http::header::{CACHE_CONTROL, CacheControl, CacheDirective};
use actix_web::{HttpRequest, HttpResponse, post, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::caller::{bearer, sign_in_first};
use super::client::Client;
use super::sessions::LASTS;
use super::{Identity, SignedIn, UserView, link_calls, oidc, own_calls, two_factor_calls};
use crate::error::{ApiError, ErrorBody};

pub const REFRESH_COOKIE: &str = "dispatch_refresh";

/// The cookie goes to these calls alone.
const COOKIE_PATH: &str = "/api/auth";

/// Needs `web::Data<Identity>` in the app.
pub fn configure(app: &mut web::ServiceConfig) {
    app.service(sign_in)
        .service(refresh)
        .service(sign_out)
        .configure(own_calls::configure)
        .configure(two_factor_calls::configure)
        .configure(link_calls::configure)
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
pub struct SignedInAnswer {
    /// Always true.
    ok: bool,
    result: SignedInResult,
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

/// Of a call that only does something.
#[derive(Serialize, ToSchema)]
pub struct DoneAnswer {
    /// Always true.
    ok: bool,
    /// Always null.
    #[schema(value_type = Option<bool>, required)]
    result: (),
}

pub(crate) const DONE: DoneAnswer = DoneAnswer {
    ok: true,
    result: (),
};

/// Signs in with email and password; the answer sets the refresh cookie.
#[utoipa::path(
    tag = "sign-in",
    responses(
        (status = 200, body = SignedInAnswer),
        (status = 401, body = ErrorBody, description = "`wrong-password`: the email or the password is not correct; `second-factor-required`: the password is, send it again with a code; `wrong-code`"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: from this address or for this email; wait as long as Retry-After says"),
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
    if let Some(before) = request.cookie(REFRESH_COOKIE) {
        identity.sign_out(before.value()).await?;
    }
    Ok(tokens(&identity, signed_in))
}

/// A new ID token for the session of the refresh cookie.
#[utoipa::path(
    tag = "sign-in",
    security(("refreshCookie" = [])),
    responses(
        (status = 200, body = SignedInAnswer),
        (status = 401, body = ErrorBody, description = "The session has ended, or there is none"),
    )
)]
#[post("/api/auth/refresh")]
pub async fn refresh(
    request: HttpRequest,
    identity: web::Data<Identity>,
) -> Result<HttpResponse, ApiError> {
    let cookie = request.cookie(REFRESH_COOKIE).ok_or_else(sign_in_first)?;
    let signed_in = identity
        .refresh(cookie.value(), &Client::of(&request))
        .await?;
    Ok(tokens(&identity, signed_in))
}

/// Ends the session of the refresh cookie, and that of the ID token if one is sent. Answers the
/// same when there is none left to end.
#[utoipa::path(
    tag = "sign-in",
    security((), ("refreshCookie" = []), ("idToken" = [])),
    responses(
        (status = 200, body = DoneAnswer),
    )
)]
#[post("/api/auth/sign-out")]
pub async fn sign_out(
    request: HttpRequest,
    identity: web::Data<Identity>,
) -> Result<HttpResponse, ApiError> {
    if let Some(cookie) = request.cookie(REFRESH_COOKIE) {
        identity.sign_out(cookie.value()).await?;
    }
    if let Some(id_token) = bearer(&request) {
        identity.sign_out_bearer(id_token).await?;
    }
    let cookie = no_cookie(&identity);
    Ok(HttpResponse::Ok().cookie(cookie).json(DONE))
}

fn tokens(identity: &Identity, signed_in: SignedIn) -> HttpResponse {
    let SignedIn {
        refresh_token,
        id_token,
        expires_in,
        user,
        ..
    } = signed_in;
    HttpResponse::Ok()
        .insert_header((
            CACHE_CONTROL,
            CacheControl(vec![CacheDirective::NoStore]).to_string(),
        ))
        .cookie(refresh_cookie(identity, refresh_token))
        .json(SignedInAnswer {
            ok: true,
            result: SignedInResult {
                id_token,
                expires_in,
                user,
            },
        })
}

/// Takes the cookie away.
pub(super) fn no_cookie(identity: &Identity) -> Cookie<'static> {
    let mut cookie = refresh_cookie(identity, String::new());
    cookie.make_removal();
    cookie
}

pub(super) fn refresh_cookie(identity: &Identity, value: String) -> Cookie<'static> {
    Cookie::build(REFRESH_COOKIE, value)
        .path(COOKIE_PATH)
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(identity.inner.secure_cookie)
        .max_age(Duration::milliseconds(LASTS))
        .finish()
}
