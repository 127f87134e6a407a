//! The owner makes and revokes the keys of other programs: the calls.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, delete, get, post, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::keys::KeyRow;
use super::state::IntakeState;
use crate::answer::{Answer, DONE, Done};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::{Caller, Path};
use crate::ids::IntakeKeyId;
use crate::limits;
use crate::staff::Permission;
use crate::text::OneLine;

/// A key of another program; without its secret.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = IntakeKey)]
pub struct KeyView {
    id: String,
    name: String,
    #[schema(format = DateTime)]
    created_at: String,
    /// The owner's email.
    created_by: String,
    /// May be a minute behind; null while it was never used.
    #[schema(format = DateTime, required)]
    last_used_at: Option<String>,
}

impl From<KeyRow> for KeyView {
    fn from(row: KeyRow) -> Self {
        let moment = |at| {
            Timestamp::from_millisecond(at)
                .unwrap_or_default()
                .to_string()
        };
        Self {
            id: row.id,
            name: row.name,
            created_at: moment(row.created_at),
            created_by: row.created_by,
            last_used_at: row.last_used_at.map(moment),
        }
    }
}

#[derive(Deserialize, ToSchema)]
pub struct NewKey {
    /// Which program it is for; 1 to 100 characters.
    name: OneLine,
}

#[derive(Serialize, ToSchema)]
pub struct MadeKey {
    #[serde(flatten)]
    about: KeyView,
    /// To be sent as `Authorization: Bearer`. Shown this once.
    key: String,
}

/// Makes a key for another program. The answer is the one place where it can be read.
#[utoipa::path(
    operation_id = "make_intake_key",
    tag = "intake",
    responses(
        (status = 200, body = Answer<MadeKey>),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "too-many-keys"),
        (status = 413, body = ErrorBody),
        (status = 503, body = ErrorBody),
    )
)]
#[post("/api/intake/keys")]
pub async fn make(
    caller: Caller,
    state: web::Data<IntakeState>,
    body: web::Json<NewKey>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageIntakeKeys)?;
    let name = limits::short_text("The name", &body.name)?;
    let (key, secret) = state.keys.make(name, &caller.email).await?;
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .json(Answer::new(MadeKey {
            about: key.into(),
            key: secret,
        })))
}

/// The keys of other programs, the oldest first.
#[utoipa::path(
    operation_id = "intake_keys",
    tag = "intake",
    responses(
        (status = 200, body = Answer<Vec<KeyView>>),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 503, body = ErrorBody),
    )
)]
#[get("/api/intake/keys")]
pub async fn list(
    caller: Caller,
    state: web::Data<IntakeState>,
) -> Result<web::Json<Answer<Vec<KeyView>>>, ApiError> {
    caller.require(Permission::ManageIntakeKeys)?;
    let keys = state.keys.all().await?;
    Ok(web::Json(Answer::new(
        keys.into_iter().map(KeyView::from).collect(),
    )))
}

/// Revokes a key: the next request with it is refused.
#[utoipa::path(
    operation_id = "revoke_intake_key",
    tag = "intake",
    params(("id" = inline(IntakeKeyId), Path)),
    responses(
        (status = 200, body = Done),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-key"),
        (status = 503, body = ErrorBody),
    )
)]
#[delete("/api/intake/keys/{id}")]
pub async fn revoke(
    caller: Caller,
    state: web::Data<IntakeState>,
    Path(IntakeKeyId(id)): Path<IntakeKeyId>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageIntakeKeys)?;
    let id = limits::short_text("The key's id", &id)?;
    if state.keys.revoke(&id).await? {
        Ok(web::Json(DONE))
    } else {
        Err(ApiError::new(
            ErrorCode::UnknownKey,
            "There is no such intake key; it may have been revoked already",
        ))
    }
}
