//! Where the stream is, and with which limits it is served.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use actix_socketio::{Hubs, Limits, MountConfig, Origin, SocketIoApplication, set_user_timeout};
use actix_web::dev::Extensions;

use super::feed::DispatchFeed;
use super::sessions::admission::ThreadAdmission;
use super::sessions::session_slots::SessionSlots;
use super::state::SocketState;
use super::stream::Stream;
use crate::http::address::TrustedProxies;

/// A peer that acknowledges nothing for this long is gone.
const USER_TIMEOUT: Duration = Duration::from_secs(20);

const LIMITS: Limits = Limits {
    ping_interval: Duration::from_secs(25),
    ping_timeout: Duration::from_secs(20),
    max_payload: 100_000,
    connect_timeout: Duration::from_secs(10),
    upgrade_timeout: Duration::from_secs(10),
    // Ours sends one every 25 seconds, and one for each order that is opened.
    packets_per_second: 50,
    // None of our events has any; a client that sends one is answered that the event is unknown.
    attachments: 4,
};

/// Sessions that one thread opens in a second at most for one site, of whom as many may come at
/// once; clients beyond that come back later.
const OPENS_PER_SECOND: u32 = 2_000;

/// Where the stream is.
pub(crate) const STREAM: &str = "/ws";

/// Whether a path is the stream's, which is asked by rules of its own.
pub fn is_stream(path: &str) -> bool {
    path.strip_suffix('/').unwrap_or(path) == STREAM
}

/// The stream of a shop, at `/ws`. `sessions`: at once, at most.
pub fn stream(
    state: &SocketState,
    origins: Vec<Origin>,
    proxies: TrustedProxies,
    sessions: usize,
) -> MountConfig<DispatchFeed> {
    let state = Arc::new(state.clone());
    let slots = Arc::new(SessionSlots::new(sessions));
    let counted = Arc::clone(&slots);
    MountConfig {
        path: STREAM,
        limits: LIMITS,
        origins: origins.into(),
        client_address: Arc::new(move |peer, headers| proxies.address(peer, headers)),
        application: Arc::new(move || {
            let stream = Stream::new(Arc::clone(&state), Arc::clone(&slots));
            Box::new(SocketIoApplication::new(stream, &LIMITS))
        }),
        admission: Arc::new(move || {
            let slots = Arc::clone(&counted);
            Box::new(ThreadAdmission::new(OPENS_PER_SECOND, slots))
        }),
        hubs: Hubs::default(),
    }
}

/// Called for every accepted connection.
pub fn on_connect(connection: &dyn Any, _: &mut Extensions) {
    set_user_timeout(connection, USER_TIMEOUT);
}
