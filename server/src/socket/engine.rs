//! Engine.IO as one server offers it: the limits, what is above it, and the handshake.

use std::rc::Rc;
use std::time::Duration;

use actix_http::Response;
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, RETRY_AFTER};
use bytes::Bytes;
use bytestring::ByteString;
use rand::Rng;
use serde::Deserialize;

use super::line::Line;
use super::upgrade;

/// What clients are told and held to.
#[derive(Clone, Debug)]
pub struct Limits {
    pub ping_interval: Duration,
    pub ping_timeout: Duration,
    /// Bytes of the largest packet, and of the largest body of a POST.
    pub max_payload: usize,
    /// A client has this long to connect to a namespace.
    pub connect_timeout: Duration,
    /// A WebSocket that is to take a polling session over has this long.
    pub upgrade_timeout: Duration,
    /// Packets a client may send in a second.
    pub packets_per_second: u32,
    /// Attachments of one packet.
    pub attachments: usize,
    /// Sessions that one thread opens in a second at most for one site, of whom as many may come at
    /// once; whoever is over it comes back later.
    pub opens_per_second: u32,
}

impl Limits {
    /// How often deadlines are looked at: a twentieth of the shortest.
    pub(super) fn watch(&self) -> Duration {
        let shortest = self
            .ping_interval
            .min(self.ping_timeout)
            .min(self.connect_timeout);
        (shortest / 20).clamp(Duration::from_millis(10), Duration::from_secs(1))
    }
}

/// What Engine.IO carries.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    Text(ByteString),
    Binary(Bytes),
}

/// What is above Engine.IO, one for each session. May send on the line and close it at any time.
pub trait Listener: 'static {
    fn opened(&self, line: &Rc<Line>);
    fn message(&self, message: Message, line: &Rc<Line>);
    /// The broadcaster has taken the session in; see [`Line::live`].
    fn joined(&self, joined: Joined, line: &Rc<Line>);
    /// Nothing is sent any more.
    fn closed(&self, line: &Rc<Line>);
}

/// From here on a session hears everything.
pub struct Joined {
    pub present: Option<dispatch_actors::broadcaster::Present>,
}

/// Makes the listeners of one thread's sessions.
pub trait Listen: 'static {
    fn listener(&self) -> Box<dyn Listener>;
}

/// The query of every request to Engine.IO.
#[derive(Debug, Deserialize)]
pub(super) struct Query {
    #[serde(rename = "EIO")]
    protocol: Option<String>,
    transport: Option<String>,
    pub(super) sid: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Transport {
    Polling,
    WebSocket,
}

/// Engine.IO's own errors, with its codes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Refusal {
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
    pub(super) fn read(query: &str) -> Result<(Self, Transport), Refusal> {
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
    fn told(self) -> (StatusCode, u8, &'static str) {
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

    pub(super) fn answer(self) -> HttpResponse {
        let (status, code, message) = self.told();
        let mut answer = HttpResponse::build(status);
        if let Some(retry_after) = self.retry_after() {
            answer.insert_header((RETRY_AFTER, retry_after));
        }
        answer.json(serde_json::json!({ "code": code, "message": message }))
    }

    /// As the last answer on a connection that the HTTP server has let go.
    pub(super) fn plain(self) -> Response<Bytes> {
        let (status, code, message) = self.told();
        let body = serde_json::json!({ "code": code, "message": message });
        let mut answer = upgrade::json(status, &body);
        if let Some(retry_after) = self.retry_after() {
            answer.headers_mut().insert(RETRY_AFTER, retry_after);
        }
        answer
    }

    /// In seconds, by chance: those who heed it do not all come back at once.
    fn retry_after(self) -> Option<HeaderValue> {
        let seconds = rand::rng().random_range(1..=5_u8);
        (self == Refusal::Busy).then(|| HeaderValue::from(u16::from(seconds)))
    }
}
