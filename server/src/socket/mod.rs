//! The stream: Socket.IO v5 over Engine.IO v4, on a WebSocket or by long-polling. The only place
//! that knows sockets; what is sent comes ready from the broadcaster.
//!
//! From the wire upwards: `upgrade` and `polling` take requests, `wire` moves bytes, `session` is
//! the WebSocket's actor, `line` is an Engine.IO session, `hub` has one thread's sessions and the
//! `ring` of recent messages, `socket_io` is the conversation, `stream` the application on it.

mod archive;
mod engine;
mod fan_out;
pub(crate) mod frames;
mod hub;
mod line;
mod live;
mod looks;
mod mount;
mod notices;
mod origins;
mod packets;
mod polling;
mod recovery;
mod replay;
mod ring;
mod session;
mod session_slots;
mod sid;
mod socket_io;
mod stream;
mod upgrade;
mod wire;

use std::any::Any;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_codec::Framed;
use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use actix_web::web;

pub use archive::Archive;
pub use engine::{Joined, Limits, Listen, Listener, Message};
pub use frames::Frames;
pub use line::Line;
pub use live::{LiveSockets, follow_sign_ins};
pub use mount::{Mount, Mounting};
pub use origins::{BadOrigin, Origin, may_ask};
pub use recovery::Pids;
pub use session_slots::SessionSlots;
pub use socket_io::{Accepted, Application, Denied, Event, MAIN, Socket, SocketIo};

use crate::address::TrustedProxies;
use crate::app::Services;
use crate::host_check::AnsweredHosts;

/// A peer that acknowledges nothing for this long is gone. A session that cannot write is not
/// polled, so no timer of its own can close it: the transport must.
const UNACKNOWLEDGED: Duration = Duration::from_secs(20);

const LIMITS: Limits = Limits {
    ping_interval: Duration::from_secs(25),
    ping_timeout: Duration::from_secs(20),
    max_payload: 100_000,
    connect_timeout: Duration::from_secs(10),
    upgrade_timeout: Duration::from_secs(10),
    // Ours sends one every 25 seconds, and one for each order that is opened.
    packets_per_second: 50,
    // None of our events has any; a client that sends one is told that it is not known.
    attachments: 4,
    opens_per_second: 2_000,
};

/// Where the stream is.
pub(crate) const STREAM: &str = "/ws";

/// Whether a path is the stream's, which is asked by rules of its own.
pub fn is_stream(path: &str) -> bool {
    path.strip_suffix('/').unwrap_or(path) == STREAM
}

/// The stream of a shop, at `/ws`. `sessions`: at once, at most.
pub fn stream(
    services: &Services,
    origins: Vec<Origin>,
    proxies: TrustedProxies,
    sessions: usize,
) -> Mounting {
    let services = Arc::new(services.clone());
    Mounting {
        path: STREAM,
        limits: LIMITS,
        origins: origins.into(),
        proxies,
        broadcaster: Some(services.broadcaster.clone()),
        listen: Arc::new(move || Box::new(stream::Streams::new(Arc::clone(&services), LIMITS))),
        hubs: Arc::default(),
        slots: Arc::new(SessionSlots::new(sessions)),
    }
}

/// The polling half of a mount; its WebSockets come by [`upgrade`].
pub fn configure(mount: &Rc<Mount>, routes: &mut web::ServiceConfig) {
    let with_slash = format!("{}/", mount.path);
    let mount = Rc::clone(mount);
    let serve = move |request, body| {
        let mount = Rc::clone(&mount);
        async move { polling::serve(request, body, &mount).await }
    };
    routes.service(web::resource([mount_path(&with_slash), with_slash.clone()]).to(serve));
}

fn mount_path(with_slash: &str) -> String {
    with_slash.trim_end_matches('/').to_owned()
}

/// Serves a request to upgrade to a WebSocket.
pub async fn upgrade(
    request: actix_http::Request,
    framed: Framed<TcpStream, actix_http::h1::Codec>,
    mounts: Rc<[Rc<Mount>]>,
    hosts: AnsweredHosts,
) -> Result<(), actix_http::Error> {
    if let Err(error) = upgrade::serve(request, framed, mounts, &hosts).await {
        tracing::debug!(%error, "a client was gone before its WebSocket was open");
    }
    Ok(())
}

/// Called for every accepted connection.
pub fn on_connect(connection: &dyn Any, _: &mut Extensions) {
    #[cfg(target_os = "linux")]
    if let Some(stream) = connection.downcast_ref::<TcpStream>() {
        let socket = socket2::SockRef::from(stream);
        if let Err(error) = socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED)) {
            tracing::warn!(%error, "a dead connection may be held for long: TCP_USER_TIMEOUT was not set");
        }
    }
}
