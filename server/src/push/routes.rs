//! The calls of Web Push: the server's key, a browser's subscription, and its word that a message
//! arrived.

use crate::calls::Calls;
use actix_web::{HttpResponse, delete, get, post, put, web};
use dispatch_actors::repair_order::TechnicianId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::delivery_confirmation::About;
use super::seal::BrowserKeys;
use super::services::allowed_endpoint;
use super::state::PushState;
use super::subscriptions::{self, Put, Subscription};
use crate::answer::{Answer, DONE, Done};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::Caller;
use crate::receipts::{AssignmentSelector, Reached, require_staff};
use crate::staff::Role;
use crate::text;

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(key)
        .service(subscribe)
        .service(unsubscribe)
        .service(delivered);
}

/// Characters of an endpoint: those of today's push services have some hundred.
const MAX_ENDPOINT_BYTES: usize = 2_048;

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
    #[schema(pattern = "^B[A-Za-z0-9_-]{86}$")]
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
    receipt: String,
}

/// The key that a browser subscribes with.
#[utoipa::path(
    operation_id = "push_key",
    tag = "push",
    responses(
        (status = 200, body = Answer<PushKey>),
        (status = 403, body = ErrorBody, description = "The caller has no role"),
    )
)]
#[get("/api/push/key")]
pub async fn key(
    caller: Caller,
    state: web::Data<PushState>,
) -> Result<web::Json<Answer<PushKey>>, ApiError> {
    require_staff(&caller)?;
    let public_key = state.push.inner.vapid.public_key.clone();
    let result = PushKey { public_key };
    Ok(web::Json(Answer::new(result)))
}

/// Sends the technician's news to this browser, too, from now on until it is signed out. A sign-in
/// session has one subscription: the last.
#[utoipa::path(
    operation_id = "push_subscribe",
    tag = "push",
    responses(
        (status = 200, body = Done),
        (status = 400, body = ErrorBody, description = "The keys are none"),
        (status = 403, body = ErrorBody, description = "The caller is no technician"),
        (status = 409, body = ErrorBody, description = "`not-linked`: the account is not linked to a technician; `unknown-push-service`"),
    )
)]
#[put("/api/push/subscription")]
pub async fn subscribe(
    caller: Caller,
    state: web::Data<PushState>,
    body: web::Json<PushSubscription>,
) -> Result<HttpResponse, ApiError> {
    technicians_only(&caller)?;
    let PushSubscription { endpoint, keys } = body.into_inner();
    let endpoint = readable(endpoint)?;
    looks_like_keys(&keys)?;
    let technician = linked(&caller)?;
    let push = &state.push.inner;
    if allowed_endpoint(&endpoint, &push.named).is_none() {
        return Err(ApiError::new(
            ErrorCode::UnknownPushService,
            format!(
                "'{}' is no known push service; an administrator can name it with --push-service",
                text::quotable(&endpoint)
            ),
        ));
    }
    BrowserKeys::parse(&keys.p256dh, &keys.auth).map_err(|_| not_keys())?;
    let subscription = Subscription {
        endpoint,
        p256dh: keys.p256dh,
        auth: keys.auth,
        technician,
        session: caller.session_id,
        created_at: Timestamp::now().as_millisecond(),
    };
    match subscriptions::put(&push.store, subscription).await? {
        Put::Kept => Ok(ok_response()),
        Put::SessionEnded => Err(ApiError::unauthorized(
            "Sign in again: the session has ended",
        )),
        Put::OtherKeys => Err(not_keys()),
    }
}

/// Sends nothing more to this browser. An unknown browser is not an error.
#[utoipa::path(
    operation_id = "push_unsubscribe",
    tag = "push",
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody, description = "The caller is no technician"),
    )
)]
#[delete("/api/push/subscription")]
pub async fn unsubscribe(
    caller: Caller,
    state: web::Data<PushState>,
    body: web::Json<PushEndpoint>,
) -> Result<HttpResponse, ApiError> {
    technicians_only(&caller)?;
    let endpoint = readable(body.into_inner().endpoint)?;
    let store = &state.push.inner.store;
    subscriptions::remove(store, &endpoint, &caller.session_id).await?;
    Ok(ok_response())
}

/// A browser confirms that a message arrived. It may be signed out by then: the receipt identifies
/// the assignment.
#[utoipa::path(
    operation_id = "push_delivered",
    tag = "push",
    security(()),
    responses(
        (status = 200, body = Done),
        (status = 404, body = ErrorBody, description = "`unknown-receipt`: no message of this server came with it"),
        (status = 409, body = ErrorBody, description = "`not-assigned`: the order is the technician's no more"),
    )
)]
#[post("/api/push/delivered")]
pub async fn delivered(
    state: web::Data<PushState>,
    body: web::Json<PushArrived>,
) -> Result<HttpResponse, ApiError> {
    let Some(about) = state.push.inner.receipts.read(&body.receipt) else {
        return Err(ApiError::new(
            ErrorCode::UnknownReceipt,
            "No message of this server came with that receipt",
        ));
    };
    let About {
        technician,
        first,
        last,
    } = about;
    let meant = AssignmentSelector::Events(first, last);
    let reached = state
        .receipts
        .reach_all(technician, meant, Reached::Delivered)
        .await?;
    if reached.is_empty() {
        return Err(ApiError::new(
            ErrorCode::NotAssigned,
            format!("That is not technician {technician}'s any more"),
        ));
    }
    Ok(ok_response())
}

fn ok_response() -> HttpResponse {
    HttpResponse::Ok().json(DONE)
}

/// 403 `forbidden`.
fn technicians_only(caller: &Caller) -> Result<(), ApiError> {
    if caller.roles.contains(&Role::Technician) {
        Ok(())
    } else {
        Err(ApiError::forbidden(
            "News of assignments are for who has the role Technician",
        ))
    }
}

/// 409 `not-linked`.
fn linked(caller: &Caller) -> Result<TechnicianId, ApiError> {
    caller.technician_id.ok_or_else(|| {
        ApiError::new(
            ErrorCode::NotLinked,
            "Your account is not linked to a technician yet; ask an owner to do that",
        )
    })
}

/// What the document says of it; whether it is a push service's is another question.
fn readable(endpoint: String) -> Result<String, ApiError> {
    let rest = ["https://", "http://"]
        .iter()
        .find_map(|scheme| endpoint.strip_prefix(scheme));
    let is_plain = rest
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic()));
    if is_plain && endpoint.len() <= MAX_ENDPOINT_BYTES {
        Ok(endpoint)
    } else {
        Err(ApiError::invalid(format!(
            "'{}' is not a push service's address",
            text::quotable(&endpoint)
        )))
    }
}

/// Before anything else is judged: the same request is refused alike wherever it goes.
fn looks_like_keys(keys: &PushKeys) -> Result<(), ApiError> {
    let is_base64 = |text: &str, length: usize| {
        let mut bytes = text.bytes();
        text.len() == length
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    if is_base64(&keys.p256dh, 87) && keys.p256dh.starts_with('B') && is_base64(&keys.auth, 22) {
        Ok(())
    } else {
        Err(not_keys())
    }
}

fn not_keys() -> ApiError {
    ApiError::invalid("keys.p256dh and keys.auth are not a browser's keys, in base64url")
}
