//! What stands for the export of traces in a build without it.

use super::{OtlpEndpoint, TraceError, TraceLayer};

pub enum TraceExport {}

impl TraceExport {
    pub fn start(_: &OtlpEndpoint) -> Result<(Self, TraceLayer), TraceError> {
        Err(TraceError::LeftOut)
    }

    pub fn stop(self) {
        match self {}
    }
}
