//! Finishing what was begun.

use crate::audit::inherit;
use crate::error::ApiError;

/// Runs `work` to its end even when the request behind it is dropped, as happens when a browser hangs
/// up: what was committed must also be announced. It runs on this thread, where sessions and actors
/// are told.
pub async fn run_detached<T: 'static>(
    work: impl Future<Output = Result<T, ApiError>> + 'static,
) -> Result<T, ApiError> {
    actix_web::rt::spawn(inherit(work))
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "a change broke off");
            Err(ApiError::unavailable())
        })
}
