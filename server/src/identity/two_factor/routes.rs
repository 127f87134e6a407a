//! The calls of somebody about their own second factor.

use crate::calls::Calls;
use actix_web::http::header::{CACHE_CONTROL, CacheControl, CacheDirective};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, get, post, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::answer::{Answer, DONE, Done};
use crate::audit::AuditKind;
use crate::error::{ApiError, ErrorBody};
use crate::identity::sign_in::routes::device_cookie;
use crate::identity::{Caller, Client, Identity};

pub(in crate::identity) fn configure(app: &mut Calls<'_>) {
    app.service(state)
        .service(begin)
        .service(confirm)
        .service(end);
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TwoFactorState {
    enabled: bool,
    recovery_codes_left: u64,
}

#[derive(Deserialize, ToSchema)]
pub struct TwoFactorBegin {
    #[schema(format = "password")]
    password: String,
}

/// For an authenticator app; good for nothing until it is confirmed.
#[derive(Serialize, ToSchema)]
pub struct TwoFactorSetup {
    /// Base32, to be typed in.
    secret: String,
    /// otpauth://, for a QR code.
    uri: String,
}

#[derive(Deserialize, ToSchema)]
pub struct TwoFactorCode {
    /// Six digits.
    code: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// Ten, each good once, and shown this once.
    recovery_codes: Vec<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct TwoFactorEnd {
    #[schema(format = "password")]
    password: String,
    /// Six digits, or a recovery code.
    code: String,
}

/// Whether the caller needs a second factor to sign in.
#[utoipa::path(
    tag = "own account",
    operation_id = "twoFactor",
    responses((status = 200, body = Answer<TwoFactorState>))
)]
#[get("/api/auth/two-factor")]
pub async fn state(
    caller: Caller,
    identity: web::Data<Identity>,
) -> Result<HttpResponse, ApiError> {
    let (enabled, recovery_codes_left) = identity.two_factor_of(&caller).await?;
    Ok(HttpResponse::Ok().json(Answer::new(TwoFactorState {
        enabled,
        recovery_codes_left,
    })))
}

/// A secret for an authenticator app. Nothing changes until a code of the app confirms it.
#[utoipa::path(
    tag = "own account",
    operation_id = "beginTwoFactor",
    responses(
        (status = 200, body = Answer<TwoFactorSetup>),
        (status = 400, body = ErrorBody, description = "`wrong-password`"),
        (status = 409, body = ErrorBody, description = "`two-factor-on`: turn it off first"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: wait as long as Retry-After says"),
    )
)]
#[post("/api/auth/two-factor/begin")]
pub async fn begin(
    caller: Caller,
    identity: web::Data<Identity>,
    body: web::Json<TwoFactorBegin>,
) -> Result<HttpResponse, ApiError> {
    let setup = identity
        .begin_two_factor(&caller, &body.password)
        .await
        .inspect_err(|refused| identity.note_refused_change(AuditKind::SecondFactorOn, refused))?;
    Ok(secret().json(Answer::new(TwoFactorSetup {
        secret: setup.secret,
        uri: setup.uri,
    })))
}

/// Turns the second factor on, and gives the recovery codes.
#[utoipa::path(
    tag = "own account",
    operation_id = "confirmTwoFactor",
    responses(
        (status = 200, body = Answer<RecoveryCodes>),
        (status = 400, body = ErrorBody, description = "`wrong-code`"),
        (status = 409, body = ErrorBody, description = "`two-factor-on`; `two-factor-off`: it was not begun"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: wait as long as Retry-After says"),
    )
)]
#[post("/api/auth/two-factor/confirm")]
pub async fn confirm(
    caller: Caller,
    request: HttpRequest,
    identity: web::Data<Identity>,
    body: web::Json<TwoFactorCode>,
) -> Result<HttpResponse, ApiError> {
    let client = Client::of(&request);
    let (recovery_codes, device) = identity
        .confirm_two_factor(&caller, &body.code, &client)
        .await
        .inspect_err(|refused| identity.note_refused_change(AuditKind::SecondFactorOn, refused))?;
    Ok(secret()
        .cookie(device_cookie(&identity, &request, device))
        .json(Answer::new(RecoveryCodes { recovery_codes })))
}

/// Turns the second factor off.
#[utoipa::path(
    tag = "own account",
    operation_id = "endTwoFactor",
    responses(
        (status = 200, body = Done),
        (status = 400, body = ErrorBody, description = "`wrong-password`, `wrong-code`"),
        (status = 409, body = ErrorBody, description = "`two-factor-off`"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: wait as long as Retry-After says"),
    )
)]
#[post("/api/auth/two-factor/end")]
pub async fn end(
    caller: Caller,
    request: HttpRequest,
    identity: web::Data<Identity>,
    body: web::Json<TwoFactorEnd>,
) -> Result<HttpResponse, ApiError> {
    let client = Client::of(&request);
    let device = identity
        .end_two_factor(&caller, &body.password, &body.code, &client)
        .await
        .inspect_err(|refused| identity.note_refused_change(AuditKind::SecondFactorOff, refused))?;
    let cookie = device_cookie(&identity, &request, device);
    Ok(HttpResponse::Ok().cookie(cookie).json(DONE))
}

/// What nobody keeps but whom it is for.
fn secret() -> HttpResponseBuilder {
    let no_store = CacheControl(vec![CacheDirective::NoStore]).to_string();
    let mut answer = HttpResponse::Ok();
    answer.insert_header((CACHE_CONTROL, no_store));
    answer
}
