//! The header that carries an idempotency key, as the OpenAPI document shows it.

use utoipa::IntoParams;

/// Of every change: sent again with the same key, a request gets its first answer and does nothing
/// a second time.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IdempotencyKeyHeader {
    /// One for each request, 1 to 200 plain characters; kept for a day.
    #[param(
        rename = "Idempotency-Key",
        required = false,
        nullable = false,
        min_length = 1,
        max_length = 200,
        pattern = "^[!-~]+$"
    )]
    #[expect(dead_code, reason = "only its documentation is used")]
    idempotency_key: Option<String>,
}
