//! The stream: Socket.IO v5 over Engine.IO v4 on a WebSocket at `/ws`. The only place that knows
//! sockets; what is sent comes ready from the broadcaster.

mod frames;
mod live;
mod looks;
mod session;

use std::any::Any;
use std::time::Duration;

use actix_web::dev::Extensions;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, guard, web};
use actix_web_actors::ws;
use serde::Deserialize;

pub use frames::Frames;
pub use live::{LiveSockets, follow_sign_ins};

use crate::app::Services;
use session::Session;

/// The largest packet a client may send.
const MAX_PAYLOAD: usize = 100_000;

/// A peer that acknowledges nothing for this long is gone. A session that cannot write is not
/// polled, so no timer of its own can close it: the transport must.
const UNACKNOWLEDGED: Duration = Duration::from_secs(20);

#[derive(Deserialize)]
struct Handshake {
    #[serde(rename = "EIO")]
    protocol: Option<String>,
    transport: Option<String>,
    sid: Option<String>,
}

pub fn configure(routes: &mut web::ServiceConfig) {
    routes.service(web::resource(["/ws", "/ws/"]).guard(guard::Get()).to(open));
}

async fn open(
    request: HttpRequest,
    stream: web::Payload,
    services: web::Data<Services>,
    handshake: web::Query<Handshake>,
) -> HttpResponse {
    if handshake.protocol.as_deref() != Some("4") {
        return refuse(5, "Unsupported protocol version");
    }
    if handshake.transport.as_deref() != Some("websocket") {
        return refuse(0, "Transport unknown");
    }
    if handshake.sid.is_some() {
        return refuse(1, "Session ID unknown");
    }
    ws::WsResponseBuilder::new(Session::new(services.into_inner()), &request, stream)
        .frame_size(MAX_PAYLOAD)
        .start()
        .unwrap_or_else(|_| refuse(3, "Bad request"))
}

/// Engine.IO's own error shape.
fn refuse(code: u8, message: &str) -> HttpResponse {
    HttpResponse::build(StatusCode::BAD_REQUEST)
        .json(serde_json::json!({ "code": code, "message": message }))
}

/// Called for every accepted connection.
pub fn on_connect(connection: &dyn Any, _: &mut Extensions) {
    #[cfg(target_os = "linux")]
    if let Some(stream) = connection.downcast_ref::<actix_web::rt::net::TcpStream>() {
        let socket = socket2::SockRef::from(stream);
        if let Err(error) = socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED)) {
            tracing::warn!(%error, "a dead connection may be held for long: TCP_USER_TIMEOUT was not set");
        }
    }
}
