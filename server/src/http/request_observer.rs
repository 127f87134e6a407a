//! Gives each request its id, and counts it where somebody reads the counts: to name its route costs as much as
//! routing it once more.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use actix_web::HttpMessage;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use tracing_actix_web::RequestId;

use crate::http::request_counts::{NO_ROUTE, ThreadCounts, Unrouted, method_index};
use crate::http::request_id;

/// How many requests are being answered. Clones are the same.
#[derive(Clone, Default)]
pub struct RequestsUnderWay(Arc<AtomicUsize>);

impl RequestsUnderWay {
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn begin(&self) -> RequestUnderWay {
        self.0.fetch_add(1, Ordering::Relaxed);
        RequestUnderWay(self.clone())
    }
}

/// One of them, until it is dropped.
struct RequestUnderWay(RequestsUnderWay);

impl Drop for RequestUnderWay {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Middleware, directly within that which makes the ids.
pub async fn observe(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let begun = Instant::now();
    let under_way = request.app_data::<RequestsUnderWay>();
    let _under_way = under_way.map(RequestsUnderWay::begin);
    let counts = request.app_data::<Option<Rc<ThreadCounts>>>();
    let counts = counts.cloned().flatten();
    let method = method_index(request.method());
    let id = request.extensions().get::<RequestId>().map(|id| **id);
    let mut answer = match id {
        Some(id) => request_id::within(id, next.call(request)).await?,
        None => next.call(request).await?,
    };
    if let Some(id) = id.and_then(request_id::header_value) {
        answer.headers_mut().insert(request_id::HEADER, id);
    }
    if let Some(counts) = counts {
        let route = route_of(&answer);
        let route = route.as_deref().unwrap_or(NO_ROUTE);
        counts.count(route, method, answer.status(), begun.elapsed());
    }
    Ok(answer)
}

/// The pattern that took the request.
fn route_of<B>(answer: &ServiceResponse<B>) -> Option<String> {
    let request = answer.request();
    if request.extensions().contains::<Unrouted>() {
        return None;
    }
    request.match_pattern()
}
