//! The calls of Web Push: the server's key, a browser's subscription, and its word that a message
//! arrived.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, delete, get, post, put, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::Services;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;

pub fn configure(routes: &mut web::ServiceConfig) {
    routes
        .service(key)
        .service(subscribe)
        .service(unsubscribe)
        .service(delivered);
}

#[derive(Serialize, ToSchema)]
pub struct PushKeyAnswer {
    /// Always true.
    ok: bool,
    result: PushKey,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushKey {
    /// The server's public key, an uncompressed P-256 point in base64url: `applicationServerKey`.
    public_key: String,
}

/// A browser's subscription, as `PushSubscription.toJSON()` gives it.
#[derive(Deserialize, ToSchema)]
pub struct PushSubscription {
    /// At a known push service.
    #[schema(max_length = 2048, pattern = "^https?://[!-~]+$")]
    endpoint: String,
    keys: PushKeys,
}

#[derive(Deserialize, ToSchema)]
pub struct PushKeys {
    /// The browser's public key, an uncompressed P-256 point in base64url.
    #[schema(pattern = "^[A-Za-z0-9_-]{87}$")]
    p256dh: String,
    /// 16 bytes in base64url.
    #[schema(pattern = "^[A-Za-z0-9_-]{22}$")]
    auth: String,
}

#[derive(Deserialize, ToSchema)]
pub struct PushEndpoint {
    #[schema(max_length = 2048, pattern = "^https?://[!-~]+$")]
    endpoint: String,
}

#[derive(Deserialize, ToSchema)]
pub struct PushArrived {
    /// As it came with the message.
    #[schema(max_length = 200)]
    receipt: String,
}

#[derive(Serialize, ToSchema)]
pub struct PushDoneAnswer {
    /// Always true.
    ok: bool,
    /// Always null.
    #[schema(value_type = Option<bool>, required)]
    result: (),
}

/// The key that a browser subscribes with.
#[utoipa::path(
    operation_id = "push_key",
    tag = "push",
    security(("idToken" = [])),
    responses(
        (status = 200, body = PushKeyAnswer),
        (status = 403, body = ErrorBody, description = "The caller has no role"),
    )
)]
#[get("/api/push/key")]
pub async fn key(_: Caller, _: web::Data<Services>) -> Result<HttpResponse, ApiError> {
    Err(not_implemented())
}

/// Sends the technician's news to this browser, too, from now on until it is signed out.
#[utoipa::path(
    operation_id = "push_subscribe",
    tag = "push",
    security(("idToken" = [])),
    responses(
        (status = 200, body = PushDoneAnswer),
        (status = 403, body = ErrorBody, description = "The caller is no technician"),
        (status = 409, body = ErrorBody, description = "`not-linked`: the account is not linked to a technician; `unknown-push-service`"),
    )
)]
#[put("/api/push/subscription")]
pub async fn subscribe(
    _: Caller,
    _: web::Data<Services>,
    _: web::Json<PushSubscription>,
) -> Result<HttpResponse, ApiError> {
    Err(not_implemented())
}

/// Sends nothing more to this browser. One that is not known is no fault.
#[utoipa::path(
    operation_id = "push_unsubscribe",
    tag = "push",
    security(("idToken" = [])),
    responses(
        (status = 200, body = PushDoneAnswer),
        (status = 403, body = ErrorBody, description = "The caller is no technician"),
    )
)]
#[delete("/api/push/subscription")]
pub async fn unsubscribe(
    _: Caller,
    _: web::Data<Services>,
    _: web::Json<PushEndpoint>,
) -> Result<HttpResponse, ApiError> {
    Err(not_implemented())
}

/// A browser says that a message arrived. It may be signed out by then: the receipt tells what it
/// is about.
#[utoipa::path(
    operation_id = "push_delivered",
    tag = "push",
    responses(
        (status = 200, body = PushDoneAnswer),
        (status = 404, body = ErrorBody, description = "`unknown-receipt`: no message of this server came with it"),
        (status = 409, body = ErrorBody, description = "`not-assigned`: the order is the technician's no more"),
    )
)]
#[post("/api/push/delivered")]
pub async fn delivered(
    _: web::Data<Services>,
    _: web::Json<PushArrived>,
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
