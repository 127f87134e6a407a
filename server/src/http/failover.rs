//! Requests that were asked of a database host that does not answer any more.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web;
use dispatch_actors::store::Store;

use crate::error::ApiError;
use crate::http::paths::routed_path;
use crate::socket;

/// Answers 503 once another host takes the writes: a host that hangs answers what it was asked before with nothing, not
/// even an error. The stream judges by itself.
pub async fn refuse_stuck_requests(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let store = request.app_data::<web::Data<Store>>().cloned();
    let is_stream = socket::is_stream(routed_path(request.request()));
    let Some(store) = store.filter(|_| !is_stream) else {
        return next.call(request).await;
    };
    tokio::select! {
        biased;
        answer = next.call(request) => answer,
        () = store.until_host_moved() => Err(ApiError::unavailable().into()),
    }
}
