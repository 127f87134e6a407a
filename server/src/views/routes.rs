//! The calls about named views.

use actix_web::{HttpResponse, delete, get, patch, post, web};
use dispatch_actors::store::Store;
use serde_json::{Map, Value};

use super::api_types::{NamedView, NamedViewFields, NewNamedView};
use super::store;
use crate::answer::{Answer, DONE, Done};
use crate::calls::Calls;
use crate::change_request::{ChangeRequest, execute, fields};
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path};
use crate::ids::ViewId;

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(list)
        .service(add)
        .service(change)
        .service(delete);
}

/// The caller's own views and those that others share: own ones first, each by name.
#[utoipa::path(
    operation_id = "named_views",
    tag = "views",
    responses((status = 200, body = Answer<Vec<NamedView>>))
)]
#[get("/api/views")]
pub async fn list(
    caller: Caller,
    store: web::Data<Store>,
) -> Result<web::Json<Answer<Vec<NamedView>>>, ApiError> {
    let result = store::visible_to(&store, &caller).await?;
    Ok(web::Json(Answer::new(result)))
}

/// Keeps a view of the desk under a name. At most 50 for each author.
#[utoipa::path(
    operation_id = "add_named_view",
    tag = "views",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = NewNamedView,
    responses(
        (status = 200, body = Answer<NamedView>),
        (status = 409, body = ErrorBody, description = "`view-exists`: the caller has one of this name; `too-many-views`; `idempotency-key-reused`"),
    )
)]
#[post("/api/views")]
pub async fn add(
    caller: Caller,
    store: web::Data<Store>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    let new: NewNamedView = fields(request.body)?;
    execute(&store, &caller.uid, request.key, async |keeper| {
        store::add(&store, &caller, new, &keeper).await
    })
    .await
}

/// Gives one of the caller's own views another name or query, shares it, or shares it no more.
#[utoipa::path(
    operation_id = "change_named_view",
    tag = "views",
    params(
        ("id" = inline(ViewId), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = NamedViewFields,
    responses(
        (status = 200, body = Answer<NamedView>),
        (status = 403, body = ErrorBody, description = "It is another's"),
        (status = 404, body = ErrorBody, description = "`unknown-view`"),
        (status = 409, body = ErrorBody, description = "`stale-version`: another screen has changed it, `current` is what it is now; `view-exists`; `idempotency-key-reused`"),
    )
)]
#[patch("/api/views/{id}")]
pub async fn change(
    caller: Caller,
    store: web::Data<Store>,
    Path(id): Path<ViewId>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    let change: NamedViewFields = fields(request.body)?;
    execute(&store, &caller.uid, request.key, async |keeper| {
        store::change(&store, &caller, &id.0, change, &keeper).await
    })
    .await
}

/// Deletes one of the caller's own views; Owner and Admin also one that another shares.
#[utoipa::path(
    operation_id = "delete_named_view",
    tag = "views",
    params(("id" = inline(ViewId), Path)),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody, description = "It is another's"),
        (status = 404, body = ErrorBody, description = "`unknown-view`"),
    )
)]
#[delete("/api/views/{id}")]
pub async fn delete(
    caller: Caller,
    store: web::Data<Store>,
    Path(id): Path<ViewId>,
) -> Result<web::Json<Done>, ApiError> {
    store::delete(&store, &caller, &id.0).await?;
    Ok(web::Json(DONE))
}
