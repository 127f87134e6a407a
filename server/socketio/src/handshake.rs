//! What every request to Engine.IO begins with, and how one is refused.

use actix_http::Response;
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, RETRY_AFTER};
use bytes::Bytes;
use rand::Rng;
use serde::Deserialize;

use crate::upgrade::json;

/// The query of every request to Engine.IO.
#[derive(Debug, Deserialize)]
pub(crate) struct Query {
    #[serde(rename = "EIO")]
    protocol: Option<String>,
    transport: Option<String>,
    pub(crate) sid: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Transport {
    Polling,
    WebSocket,
}

/// Engine.IO's own errors, with its codes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Refusal {
    UnknownTransport,
    UnknownSession,
    BadMethod,
    BadRequest,
    Forbidden,
    UnsupportedProtocol,
    TooLarge,
    /// Come back in a few seconds.
    Busy,
}

impl Query {
    /// `query`: as it is in the address.
    pub(crate) fn parse(query: &str) -> Result<(Self, Transport), Refusal> {
        let query: Self = serde_urlencoded::from_str(query).map_err(|_| Refusal::BadRequest)?;
        let transport = match query.transport.as_deref() {
            Some("polling") => Transport::Polling,
            Some("websocket") => Transport::WebSocket,
            _ => return Err(Refusal::UnknownTransport),
        };
        match query.protocol.as_deref() {
            Some("4") => Ok((query, transport)),
            _ => Err(Refusal::UnsupportedProtocol),
        }
    }
}

impl Refusal {
    /// Status, Engine.IO's code, and the message.
    fn parts(self) -> (StatusCode, u8, &'static str) {
        match self {
            Refusal::UnknownTransport => (StatusCode::BAD_REQUEST, 0, "Transport unknown"),
            Refusal::UnknownSession => (StatusCode::BAD_REQUEST, 1, "Session ID unknown"),
            Refusal::BadMethod => (StatusCode::BAD_REQUEST, 2, "Bad handshake method"),
            Refusal::BadRequest => (StatusCode::BAD_REQUEST, 3, "Bad request"),
            Refusal::Forbidden => (StatusCode::FORBIDDEN, 4, "Forbidden"),
            Refusal::UnsupportedProtocol => {
                (StatusCode::BAD_REQUEST, 5, "Unsupported protocol version")
            }
            Refusal::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, 3, "Payload too large"),
            Refusal::Busy => (
                StatusCode::SERVICE_UNAVAILABLE,
                3,
                "Too many connections at once; come back in a few seconds",
            ),
        }
    }

    pub(crate) fn into_answer(self) -> HttpResponse {
        let (status, code, message) = self.parts();
        let mut answer = HttpResponse::build(status);
        if let Some(retry_after) = self.retry_after() {
            answer.insert_header((RETRY_AFTER, retry_after));
        }
        answer.json(serde_json::json!({ "code": code, "message": message }))
    }

    /// The last answer on a connection that has left the HTTP server.
    pub(crate) fn into_raw_answer(self) -> Response<Bytes> {
        let (status, code, message) = self.parts();
        let body = serde_json::json!({ "code": code, "message": message });
        let mut answer = json(status, &body);
        if let Some(retry_after) = self.retry_after() {
            answer.headers_mut().insert(RETRY_AFTER, retry_after);
        }
        answer
    }

    /// A random number of seconds, so that not everybody comes back at once.
    fn retry_after(self) -> Option<HeaderValue> {
        let seconds = rand::rng().random_range(1..=5_u8);
        (self == Refusal::Busy).then(|| HeaderValue::from(u16::from(seconds)))
    }
}
