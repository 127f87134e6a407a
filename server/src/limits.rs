//! How much one request may ask for, and how a request that cannot be read is answered.

use actix_web::error::{JsonPayloadError, PathError, QueryPayloadError};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};

use crate::error::{ApiError, ErrorCode};

/// The largest JSON body; a batch of 500 changes is a tenth of it.
pub const JSON_BODY: usize = 256 * 1024;

/// Bytes of all bodies together that have begun to arrive and are not whole: 256 of the largest. The buffers
/// that they are in grow by doubling, so they take twice as much at most.
pub const ARRIVING_BODIES: usize = 256 * JSON_BODY;

/// Bytes of a body that are received for a path that is no route, where nobody reads them.
pub const UNROUTED_BODY: usize = 16 * 1024;

/// Characters of a name or number that a person gives.
pub const SHORT_TEXT: usize = 100;

/// A text of one line: trimmed, not empty, not longer than [`SHORT_TEXT`], without control
/// characters (PostgreSQL refuses NUL). `what` begins the sentence of a refusal: "The name".
pub fn short_text(what: &str, text: &str) -> Result<String, ApiError> {
    let text = text.trim();
    if text.is_empty() {
        Err(ApiError::invalid(format!("{what} is missing")))
    } else if text.chars().count() > SHORT_TEXT {
        Err(ApiError::invalid(format!(
            "{what} is longer than {SHORT_TEXT} characters"
        )))
    } else if text.chars().any(char::is_control) {
        Err(ApiError::invalid(format!(
            "{what} has line breaks or other control characters"
        )))
    } else {
        Ok(text.to_owned())
    }
}

pub fn json() -> web::JsonConfig {
    web::JsonConfig::default()
        .limit(JSON_BODY)
        .error_handler(unreadable_json)
}

/// For handlers that read the body themselves.
pub fn body() -> web::PayloadConfig {
    web::PayloadConfig::new(JSON_BODY)
}

/// Why a body did not arrive.
pub fn unreadable_body(error: actix_web::Error) -> ApiError {
    let status = error.as_response_error().status_code();
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        too_large(JSON_BODY)
    } else {
        ApiError::invalid("The request did not arrive whole; please send it again")
    }
}

pub fn not_json() -> ApiError {
    ApiError::invalid("Send JSON, with the header Content-Type: application/json")
}

fn too_large(limit: usize) -> ApiError {
    ApiError::new(
        ErrorCode::TooLarge,
        format!(
            "The request is too large: send at most {} KB at once",
            limit / 1024
        ),
    )
}

pub fn query() -> web::QueryConfig {
    web::QueryConfig::default().error_handler(unreadable_query)
}

pub fn path() -> web::PathConfig {
    web::PathConfig::default().error_handler(unreadable_path)
}

fn unreadable_json(error: JsonPayloadError, _: &HttpRequest) -> actix_web::Error {
    match error {
        JsonPayloadError::OverflowKnownLength { limit, .. }
        | JsonPayloadError::Overflow { limit } => too_large(limit),
        JsonPayloadError::ContentType => not_json(),
        JsonPayloadError::Deserialize(why) => {
            ApiError::invalid(format!("The request cannot be read: {why}"))
        }
        _ => ApiError::invalid("The request did not arrive whole; please send it again"),
    }
    .into()
}

fn unreadable_query(error: QueryPayloadError, _: &HttpRequest) -> actix_web::Error {
    ApiError::invalid(format!("The address cannot be read: {error}")).into()
}

fn unreadable_path(error: PathError, _: &HttpRequest) -> actix_web::Error {
    ApiError::invalid(format!("The address cannot be read: {error}")).into()
}
