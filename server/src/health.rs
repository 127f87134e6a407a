//! For whoever watches the server: is the process alive, is it ready to work.

use actix_web::{get, web};
use serde::Serialize;

use crate::app::Services;
use crate::error::ApiError;

#[derive(Serialize)]
struct Well {
    ok: bool,
    result: &'static str,
}

/// The process answers.
#[get("/healthz")]
pub async fn alive() -> web::Json<impl Serialize> {
    web::Json(Well {
        ok: true,
        result: "alive",
    })
}

/// The database answers and changes are announced; migrations ran before the server listened.
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
