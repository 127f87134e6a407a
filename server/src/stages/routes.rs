//! The calls about the shop's stages. Everybody reads the list; owners change it.

use actix_web::{HttpResponse, delete, get, patch, post, put, web};
use serde_json::{Map, Value};

use super::Stage;
use super::api_types::{NewStage, ShopStages, ShopStagesFields, StageFields};
use super::state::StagesState;
use crate::answer::{Answer, DONE, Done};
use crate::calls::Calls;
use crate::change_request::{ChangeRequest, execute, fields};
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path};
use crate::ids::StageKey;
use crate::staff::Permission;

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(list)
        .service(super::totals::time_in_stages)
        .service(configure_stages)
        .service(add)
        .service(change)
        .service(remove);
}

/// The shop's stages in their order, deleted ones included, and whether the shop uses them.
#[utoipa::path(
    operation_id = "stages",
    tag = "stages",
    responses((status = 200, body = Answer<ShopStages>))
)]
#[get("/api/stages")]
pub async fn list(
    _: Caller,
    state: web::Data<StagesState>,
) -> Result<web::Json<Answer<ShopStages>>, ApiError> {
    let result = state.stages.shop().await?;
    Ok(web::Json(Answer::new(result)))
}

/// Turns stages on or off, says whether files of the dealer system move orders, and puts the stages in another order.
#[utoipa::path(
    operation_id = "configure_stages",
    tag = "stages",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = Option<ShopStagesFields>,
    responses(
        (status = 200, body = Answer<ShopStages>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-stage`: `order` names none"),
        (status = 409, body = ErrorBody, description = "`idempotency-key-reused`"),
    )
)]
#[put("/api/stages")]
pub async fn configure_stages(
    caller: Caller,
    state: web::Data<StagesState>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageStages)?;
    let settings: ShopStagesFields = fields(request.body)?;
    execute(&state.store, &caller.uid, request.key, async |keeper| {
        state.stages.configure(settings, &keeper).await
    })
    .await
}

/// Adds a stage at the end of the list. At most 40 are not deleted.
#[utoipa::path(
    operation_id = "add_stage",
    tag = "stages",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = NewStage,
    responses(
        (status = 200, body = Answer<Stage>),
        (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "`too-many-stages`, `idempotency-key-reused`"),
    )
)]
#[post("/api/stages")]
pub async fn add(
    caller: Caller,
    state: web::Data<StagesState>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageStages)?;
    let new: NewStage = fields(request.body)?;
    let draft = new.read()?;
    execute(&state.store, &caller.uid, request.key, async |keeper| {
        state.stages.add(draft, &keeper).await
    })
    .await
}

/// Changes a stage, or brings a deleted one back.
#[utoipa::path(
    operation_id = "change_stage",
    tag = "stages",
    params(
        ("id" = inline(StageKey), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = Option<StageFields>,
    responses(
        (status = 200, body = Answer<Stage>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-stage`"),
        (status = 409, body = ErrorBody, description = "`too-many-stages`, `idempotency-key-reused`"),
    )
)]
#[patch("/api/stages/{id}")]
pub async fn change(
    caller: Caller,
    state: web::Data<StagesState>,
    Path(id): Path<StageKey>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageStages)?;
    let patch = fields::<StageFields>(request.body)?.read()?;
    execute(&state.store, &caller.uid, request.key, async |keeper| {
        state.stages.change(&id.0, patch, &keeper).await
    })
    .await
}

/// Deletes a stage: no order moves there any more. Those that are in it stay until something moves them, and histories
/// go on naming it.
#[utoipa::path(
    operation_id = "delete_stage",
    tag = "stages",
    params(("id" = inline(StageKey), Path)),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-stage`"),
    )
)]
#[delete("/api/stages/{id}")]
pub async fn remove(
    caller: Caller,
    state: web::Data<StagesState>,
    Path(id): Path<StageKey>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageStages)?;
    state.stages.delete(&id.0).await?;
    Ok(web::Json(DONE))
}
