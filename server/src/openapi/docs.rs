//! The document as a page for people, at `/api/docs`: Swagger UI, out of this binary.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpResponse, get, web};
use utoipa_swagger_ui::Config;

use crate::error::{ApiError, ErrorCode};
use crate::http::page;
use crate::identity::Path;
use crate::ids::DocsFileName;

const PAGE: &str = include_str!("docs.html");
const SCRIPT: &str = include_str!("docs.js");
const STYLE: &str = include_str!("docs.css");

/// A day: the names do not change with their content.
const CACHED: &str = "public, max-age=86400";

pub fn configure(routes: &mut web::ServiceConfig) {
    routes.service(html).service(asset);
}

#[get("/api/docs{slash:/?}")]
async fn html() -> HttpResponse {
    page::html(PAGE)
}

#[get("/api/docs/{name}")]
async fn asset(Path(name): Path<DocsFileName>) -> Result<HttpResponse, ApiError> {
    match name.0.as_str() {
        "docs.js" => Ok(ours("text/javascript", SCRIPT)),
        "docs.css" => Ok(ours("text/css", STYLE)),
        name => swagger(name),
    }
}

fn ours(kind: &'static str, text: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, kind))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(text)
}

/// The two files of Swagger UI that the page names, packed as they lie in the binary.
fn swagger(name: &str) -> Result<HttpResponse, ApiError> {
    let file = ["swagger-ui.css", "swagger-ui-bundle.js"]
        .contains(&name)
        .then(|| utoipa_swagger_ui::serve(name, Arc::new(Config::default())).ok())
        .flatten()
        .flatten()
        .ok_or_else(|| {
            ApiError::new(
                ErrorCode::UnknownRoute,
                format!("There is no file /api/docs/{name}"),
            )
        })?;
    let mut answer = HttpResponse::Ok();
    if file.gzpipped {
        answer.insert_header((header::CONTENT_ENCODING, "gzip"));
    }
    Ok(answer
        .insert_header((header::CONTENT_TYPE, file.content_type))
        .insert_header((header::CACHE_CONTROL, CACHED))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(file.bytes.into_owned()))
}
