//! The calls about staff records, for owners.

use actix_web::{delete, get, patch, put, web};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::view::{StaffFields, StaffView};
use super::{Permission, StaffDocument};
use crate::app::Services;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;

pub fn configure(routes: &mut web::ServiceConfig) {
    routes
        .service(list)
        .service(one)
        .service(write)
        .service(change)
        .service(delete);
}

#[derive(Serialize, ToSchema)]
pub struct StaffListAnswer {
    /// Always true.
    ok: bool,
    result: Vec<StaffView>,
}

#[derive(Serialize, ToSchema)]
pub struct StaffAnswer {
    /// Always true.
    pub(super) ok: bool,
    pub(super) result: StaffView,
}

#[derive(Serialize, ToSchema)]
pub struct StaffDeletedAnswer {
    /// Always true.
    ok: bool,
    /// Always null.
    #[schema(value_type = Option<bool>, required)]
    result: (),
}

impl StaffAnswer {
    pub(super) async fn of(
        services: &Services,
        document: StaffDocument,
    ) -> Result<web::Json<Self>, ApiError> {
        let mail = services.mail_queue.invitation(&document.email).await?;
        Ok(web::Json(Self {
            ok: true,
            result: StaffView::new(document, mail),
        }))
    }
}

/// Everybody on the staff, by id.
#[utoipa::path(
    operation_id = "users",
    tag = "staff",
    security(("idToken" = [])),
    responses(
        (status = 200, body = StaffListAnswer),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/users")]
pub async fn list(
    caller: Caller,
    services: web::Data<Services>,
) -> Result<web::Json<StaffListAnswer>, ApiError> {
    caller.require(Permission::ManageUsers)?;
    let users = services.identity.users().await?;
    let mut mails = services.mail_queue.invitations().await?;
    let views = users.into_iter().map(|document| {
        let mail = mails.remove(&document.email);
        StaffView::new(document, mail)
    });
    Ok(web::Json(StaffListAnswer {
        ok: true,
        result: views.collect(),
    }))
}

/// One staff record.
#[utoipa::path(
    operation_id = "user",
    tag = "staff",
    security(("idToken" = [])),
    params(("id" = String, Path, description = "An email in lower case, or a user id")),
    responses(
        (status = 200, body = StaffAnswer),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-user`"),
    )
)]
#[get("/api/users/{id}")]
pub async fn one(
    caller: Caller,
    services: web::Data<Services>,
    id: web::Path<String>,
) -> Result<web::Json<StaffAnswer>, ApiError> {
    caller.require(Permission::ManageUsers)?;
    let document = services.identity.user(&id).await?;
    StaffAnswer::of(&services, document).await
}

/// Writes the fields that are sent; makes the record where an email, or an account, has none.
/// Taking a role or the technician's number away signs that person out everywhere.
#[utoipa::path(
    operation_id = "write_user",
    tag = "staff",
    security(("idToken" = [])),
    params(("id" = String, Path, description = "An email in lower case, or a user id")),
    request_body = StaffFields,
    responses(
        (status = 200, body = StaffAnswer),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-user`: neither an email nor the id of anybody"),
        (status = 409, body = ErrorBody, description = "`last-owner`: nobody could manage users any more; `own-account`: nobody takes the role Owner from themselves"),
    )
)]
#[put("/api/users/{id}")]
pub async fn write(
    caller: Caller,
    services: web::Data<Services>,
    id: web::Path<String>,
    fields: web::Json<Map<String, Value>>,
) -> Result<web::Json<StaffAnswer>, ApiError> {
    put_down(&caller, &services, &id, fields.into_inner(), true).await
}

/// Writes the fields that are sent. Taking a role or the technician's number away signs that
/// person out everywhere.
#[utoipa::path(
    operation_id = "change_user",
    tag = "staff",
    security(("idToken" = [])),
    params(("id" = String, Path, description = "An email in lower case, or a user id")),
    request_body = StaffFields,
    responses(
        (status = 200, body = StaffAnswer),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-user`"),
        (status = 409, body = ErrorBody, description = "`last-owner`: nobody could manage users any more; `own-account`: nobody takes the role Owner from themselves"),
    )
)]
#[patch("/api/users/{id}")]
pub async fn change(
    caller: Caller,
    services: web::Data<Services>,
    id: web::Path<String>,
    fields: web::Json<Map<String, Value>>,
) -> Result<web::Json<StaffAnswer>, ApiError> {
    put_down(&caller, &services, &id, fields.into_inner(), false).await
}

async fn put_down(
    caller: &Caller,
    services: &Services,
    id: &str,
    fields: Map<String, Value>,
    make: bool,
) -> Result<web::Json<StaffAnswer>, ApiError> {
    caller.require(Permission::ManageUsers)?;
    let patch = StaffFields::of(fields)?.read()?;
    let technician = patch.technician_id.flatten();
    let written = services
        .identity
        .write_user(caller, id, patch, make)
        .await?;
    if let Some(id) = technician {
        services.technicians.know(id, &written.name).await?;
    }
    services.reload_names().await?;
    StaffAnswer::of(services, written).await
}

/// Removes somebody: the record, the account, and everything they are signed in with.
#[utoipa::path(
    operation_id = "delete_user",
    tag = "staff",
    security(("idToken" = [])),
    params(("id" = String, Path, description = "An email in lower case, or a user id")),
    responses(
        (status = 200, body = StaffDeletedAnswer),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-user`"),
        (status = 409, body = ErrorBody, description = "`last-owner`: nobody could manage users any more; `own-account`: nobody deletes themselves"),
    )
)]
#[delete("/api/users/{id}")]
pub async fn delete(
    caller: Caller,
    services: web::Data<Services>,
    id: web::Path<String>,
) -> Result<web::Json<StaffDeletedAnswer>, ApiError> {
    caller.require(Permission::ManageUsers)?;
    services.identity.delete_user(&caller, &id).await?;
    services.reload_names().await?;
    Ok(web::Json(StaffDeletedAnswer {
        ok: true,
        result: (),
    }))
}
