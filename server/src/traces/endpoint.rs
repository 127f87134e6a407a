//! Where a collector is.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use url::Url;

/// The path that OTLP over HTTP has for traces.
const TRACES_PATH: &str = "/v1/traces";

/// The address of a collector, or of its own path for traces.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct OtlpEndpoint(Url);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "use the collector's address, such as http://127.0.0.1:4318; keys for it go into OTEL_EXPORTER_OTLP_HEADERS"
)]
pub struct OtlpEndpointError;

impl OtlpEndpoint {
    /// Where traces are sent to.
    pub fn traces_url(&self) -> String {
        let base = self.0.as_str().trim_end_matches('/');
        if base.ends_with(TRACES_PATH) {
            base.to_owned()
        } else {
            format!("{base}{TRACES_PATH}")
        }
    }
}

impl FromStr for OtlpEndpoint {
    type Err = OtlpEndpointError;

    fn from_str(text: &str) -> Result<Self, OtlpEndpointError> {
        let url: Url = text.trim().parse().map_err(|_| OtlpEndpointError)?;
        let is_plain = url.has_host()
            && url.query().is_none()
            && url.fragment().is_none()
            // It would be in the log.
            && url.username().is_empty()
            && url.password().is_none();
        if matches!(url.scheme(), "http" | "https") && is_plain {
            Ok(Self(url))
        } else {
            Err(OtlpEndpointError)
        }
    }
}

impl TryFrom<String> for OtlpEndpoint {
    type Error = OtlpEndpointError;

    fn try_from(text: String) -> Result<Self, OtlpEndpointError> {
        text.parse()
    }
}

impl fmt::Display for OtlpEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_a_collectors_address_or_its_path_for_traces() {
        for (text, url) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            (
                "https://otel.example.com/",
                "https://otel.example.com/v1/traces",
            ),
            ("https://a.example/otlp", "https://a.example/otlp/v1/traces"),
            ("http://[::1]:4318/v1/traces", "http://[::1]:4318/v1/traces"),
        ] {
            assert_eq!(text.parse::<OtlpEndpoint>().unwrap().traces_url(), url);
        }
        for text in [
            "",
            "127.0.0.1:4318",
            "grpc://127.0.0.1:4317",
            "https://key:secret@otel.example.com",
            "https://otel.example.com/?key=secret",
        ] {
            assert_eq!(
                text.parse::<OtlpEndpoint>(),
                Err(OtlpEndpointError),
                "{text}"
            );
        }
    }
}
