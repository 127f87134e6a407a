//! Traces of requests for an OpenTelemetry collector (`--otlp-endpoint`); none are made where none is named.
//!
//! - `endpoint`: where the collector is. `exported`: what is sent there, and `left_out` in its place in a build
//!   without the feature `traces`.
//!
//! A span is for a trace if its target is `TARGET` (below; in `dispatch_actors`, too). Lines of the log are in no
//! trace, and what a span holds is of no person: no address, no query, no name.

mod endpoint;
#[cfg(feature = "traces")]
mod exported;
#[cfg(not(feature = "traces"))]
mod left_out;

use tracing_subscriber::{Layer, Registry};

pub use endpoint::{OtlpEndpoint, OtlpEndpointError};
#[cfg(feature = "traces")]
pub use exported::TraceExport;
#[cfg(not(feature = "traces"))]
pub use left_out::TraceExport;

pub use dispatch_actors::TRACE_TARGET as TARGET;

/// What takes the spans that are for a trace.
pub type TraceLayer = Box<dyn Layer<Registry> + Send + Sync>;

#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    #[error("no traces can be sent to {endpoint} (--otlp-endpoint): {why}")]
    Start { endpoint: OtlpEndpoint, why: String },
    #[error(
        "this dispatch was built without traces, so that --otlp-endpoint cannot be used: build it with the feature traces"
    )]
    LeftOut,
}
