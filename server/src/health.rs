//! For whoever watches the server: is the process alive, is it ready to work.

use actix_web::{get, web};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::Services;
use crate::error::ApiError;

#[derive(Serialize, ToSchema)]
#[schema(as = WellAnswer)]
struct Well {
    /// Always true.
    ok: bool,
    /// `alive` or `ready`.
    result: &'static str,
}

/// The process answers.
#[utoipa::path(tag = "health", responses((status = 200, body = Well)))]
#[get("/healthz")]
pub async fn alive() -> web::Json<impl Serialize> {
    web::Json(Well {
        ok: true,
        result: "alive",
    })
}

/// The database answers and changes are announced; migrations ran before the server listened.
#[utoipa::path(tag = "health", responses((status = 200, body = Well)))]
#[get("/readyz")]
pub async fn ready(services: web::Data<Services>) -> Result<web::Json<impl Serialize>, ApiError> {
    services.store.top().await?;
    if !services.broadcaster.connected() {
        tracing::error!("the broadcaster is gone");
        return Err(ApiError::unavailable());
    }
    Ok(web::Json(Well {
        ok: true,
        result: "ready",
    }))
}
