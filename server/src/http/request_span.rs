//! The span that a request's log lines are under, and the one that a trace shows of it.

use actix_web::HttpMessage;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use tracing::field::Empty;
use tracing::{Level, Span};
use tracing_actix_web::{DefaultRootSpanBuilder, RequestId, RootSpanBuilder};

use crate::traces::TARGET;

/// The usual span, where the log's filter lets it through, or a trace's. Describing a request costs as much as
/// routing it once more, and by default nobody reads it.
pub struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        if tracing::span_enabled!(target: TARGET, Level::TRACE) {
            return trace_span(request);
        }
        if tracing::enabled!(target: "tracing_actix_web::root_span_builder", Level::INFO) {
            return DefaultRootSpanBuilder::on_request_start(request);
        }
        Span::none()
    }

    fn on_request_end<B: MessageBody>(
        span: Span,
        outcome: &Result<ServiceResponse<B>, actix_web::Error>,
    ) {
        match span.metadata() {
            Some(of) if of.target() == TARGET => describe(&span, outcome),
            Some(_) => DefaultRootSpanBuilder::on_request_end(span, outcome),
            None => {}
        }
    }
}

/// Names are those of OpenTelemetry's conventions for HTTP. Neither the address nor the query is there, since both
/// are of persons: whoever needs them finds the request in the log by its id.
fn trace_span(request: &ServiceRequest) -> Span {
    let id = request.extensions().get::<RequestId>().map(|id| **id);
    let method = request.method();
    let route = request.match_pattern();
    // Without a route a path would be the name, and strangers would make names.
    let name = match &route {
        Some(route) => format!("{method} {route}"),
        None => method.to_string(),
    };
    tracing::trace_span!(
        target: TARGET,
        "request",
        otel.kind = "server",
        otel.name = name,
        otel.status_code = Empty,
        http.request.method = %method,
        http.route = route,
        http.response.status_code = Empty,
        request_id = id.map(display),
    )
}

fn describe<B: MessageBody>(span: &Span, outcome: &Result<ServiceResponse<B>, actix_web::Error>) {
    let status = match outcome {
        Ok(answer) => answer.status(),
        Err(error) => error.as_response_error().status_code(),
    };
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
}
