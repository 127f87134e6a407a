//! The call of the screen *About*.

use actix_web::{get, web};
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::error::ApiError;
use crate::identity::Caller;
use crate::version::{COMMIT, LICENSE, VERSION};

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct About {
    /// Of the server.
    #[schema(examples("0.1.0"))]
    version: &'static str,
    /// The commit that the server was built from, where the build knows it.
    #[schema(examples("e11150cd4a5b"))]
    commit: Option<&'static str>,
    /// An SPDX expression.
    #[schema(examples("MIT OR Apache-2.0"))]
    license: &'static str,
}

/// Which build of the product this is, and its licence.
#[utoipa::path(
    operation_id = "about",
    tag = "health",
    responses((status = 200, body = Answer<About>))
)]
#[get("/api/about")]
pub async fn about(_: Caller) -> Result<web::Json<Answer<About>>, ApiError> {
    let about = About {
        version: VERSION,
        commit: COMMIT,
        license: LICENSE,
    };
    Ok(web::Json(Answer::new(about)))
}
