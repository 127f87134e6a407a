//! The id of a request: in its answer, and in every line of the log that is written for it. The server
//! makes it; what a client sends as one is not believed.

use std::future::Future;

use actix_web::http::header::{HeaderName, HeaderValue};
use uuid::Uuid;

/// In the answer.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

tokio::task_local! {
    static CURRENT: Option<Uuid>;
}

/// Of the request that is being worked on here, if there is one.
pub fn current() -> Option<Uuid> {
    CURRENT.try_with(|id| *id).unwrap_or_default()
}

/// Works on this request.
pub fn within<F: Future>(id: Uuid, future: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(Some(id), future)
}

/// For a spawned task: it works on the request of its caller.
pub fn inherit<F: Future>(future: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(current(), future)
}

/// For what has to do with no request in particular, whoever happens to do it.
pub fn without<T>(work: impl FnOnce() -> T) -> T {
    CURRENT.sync_scope(None, work)
}

pub fn header_value(id: Uuid) -> Option<HeaderValue> {
    let mut letters = Uuid::encode_buffer();
    HeaderValue::from_str(id.hyphenated().encode_lower(&mut letters)).ok()
}
