//! The span that a request's log lines are under.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use tracing::{Level, Span};
use tracing_actix_web::{DefaultRootSpanBuilder, RootSpanBuilder};

/// The usual span, where the log's filter lets it through. Describing a request costs as much as
/// routing it once more, and by default nobody reads it.
pub struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        if tracing::enabled!(target: "tracing_actix_web::root_span_builder", Level::INFO) {
            DefaultRootSpanBuilder::on_request_start(request)
        } else {
            Span::none()
        }
    }

    fn on_request_end<B: MessageBody>(
        span: Span,
        outcome: &Result<ServiceResponse<B>, actix_web::Error>,
    ) {
        if !span.is_disabled() {
            DefaultRootSpanBuilder::on_request_end(span, outcome);
        }
    }
}
