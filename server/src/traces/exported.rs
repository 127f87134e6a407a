//! Spans, sent to a collector in batches by a thread of their own: a collector that is slow or away delays no
//! request, and what does not fit into the queue is dropped.

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;

use super::{OtlpEndpoint, TARGET, TraceError, TraceLayer};
use crate::version;

/// The standard's variable for the name under which traces are listed.
const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";

/// Sends spans until it is stopped.
pub struct TraceExport(SdkTracerProvider);

impl TraceExport {
    /// Headers, time limits and the share of requests that are traced are read from the standard's own variables
    /// (`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_EXPORTER_OTLP_TIMEOUT`, `OTEL_TRACES_SAMPLER`).
    pub fn start(endpoint: &OtlpEndpoint) -> Result<(Self, TraceLayer), TraceError> {
        let exporter = SpanExporter::builder()
            .with_http()
            .with_endpoint(endpoint.traces_url())
            .build()
            .map_err(|error| TraceError::Start {
                endpoint: endpoint.clone(),
                why: error.to_string(),
            })?;
        let provider = SdkTracerProvider::builder()
            .with_resource(resource())
            .with_batch_exporter(exporter)
            .build();
        let layer = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("dispatch"))
            .with_target(false)
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(filter_fn(|of| of.is_span() && of.target() == TARGET))
            .boxed();
        Ok((Self(provider), layer))
    }

    /// Sends what waits still, for a few seconds at most.
    pub fn stop(self) {
        // An error is a collector that is away: there is nobody to tell who was not told before.
        let _ = self.0.shutdown();
    }
}

fn resource() -> Resource {
    let resource = Resource::builder()
        .with_attribute(KeyValue::new("service.version", version::version_line()));
    match std::env::var_os(SERVICE_NAME) {
        Some(_) => resource.build(),
        None => resource.with_service_name("dispatch").build(),
    }
}
