//! The protocol of callable functions, as Firebase's clients speak it: `{data}` there and back,
//! and `{error: {status, message}}` where the call itself fails.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;

/// Why a call failed, as its protocol says it.
#[derive(Debug)]
pub struct CallableError(ApiError);

#[derive(Serialize, ToSchema)]
#[schema(as = CallableError)]
pub struct CallableErrorBody<'a> {
    error: Failure<'a>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = CallableFailure)]
struct Failure<'a> {
    /// `UNAUTHENTICATED`, `PERMISSION_DENIED`, `INVALID_ARGUMENT`, `RESOURCE_EXHAUSTED`,
    /// `UNAVAILABLE`, `DEADLINE_EXCEEDED`, `INTERNAL`.
    status: &'a str,
    message: &'a str,
}

impl From<ApiError> for CallableError {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl fmt::Display for CallableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ResponseError for CallableError {
    fn status_code(&self) -> StatusCode {
        self.0.status
    }

    fn error_response(&self) -> HttpResponse {
        let ours = self.0.error_response();
        let mut answer = HttpResponse::build(self.0.status);
        for name in [WWW_AUTHENTICATE, RETRY_AFTER] {
            if let Some(value) = ours.headers().get(&name) {
                answer.insert_header((name, value.clone()));
            }
        }
        answer.json(CallableErrorBody {
            error: Failure {
                status: status(self.0.status),
                message: &self.0.error,
            },
        })
    }
}

/// The protocol's name of an HTTP status.
fn status(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 | 413 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        409 => "ABORTED",
        429 => "RESOURCE_EXHAUSTED",
        499 => "CANCELLED",
        500 => "INTERNAL",
        501 => "UNIMPLEMENTED",
        503 => "UNAVAILABLE",
        504 => "DEADLINE_EXCEEDED",
        _ => "UNKNOWN",
    }
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;

    use super::*;
    use crate::identity::ProviderError;

    #[actix_web::test]
    async fn a_failure_has_the_name_of_its_status() {
        let network = ProviderError::Network("no route".to_owned());
        for (error, code, says) in [
            (ApiError::invalid("No."), 400, "INVALID_ARGUMENT"),
            (ApiError::unauthorized("No."), 401, "UNAUTHENTICATED"),
            (ApiError::forbidden("No."), 403, "PERMISSION_DENIED"),
            (network.into(), 503, "UNAVAILABLE"),
            (ApiError::unavailable(), 503, "UNAVAILABLE"),
        ] {
            let message = error.error.clone();
            let answer = CallableError(error).error_response();
            assert_eq!(answer.status().as_u16(), code);
            assert_eq!(answer.headers().contains_key(RETRY_AFTER), code == 503);
            assert_eq!(answer.headers().contains_key(WWW_AUTHENTICATE), code == 401);
            let body = to_bytes(answer.into_body()).await.unwrap();
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            let expected = serde_json::json!({ "error": { "status": says, "message": message } });
            assert_eq!(body, expected);
        }
    }
}
