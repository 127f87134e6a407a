//! The stream: the application of the Socket.IO server ([`actix_socketio`]). Which events a session
//! gets, who may connect, what they missed, and what they may send.
//!
//! `feed` is the stream's types and which session receives what, `feed_actor` brings each thread
//! the broadcaster's messages, `stream` handles clients' packets, `connect` admits them (each is a
//! `client` then), and `resume` has what they missed. `frames` encodes each event once;
//! `presence_requests` and `notices` are what clients may say. `sessions` limits how many there are,
//! and ends those of sign-ins that have ended. `mount` is where the stream is, `upgrade` takes the
//! requests of WebSockets, and `state` is what the stream works with; `counts`: how many are connected.

mod client;
mod connect;
mod counts;
mod feed;
mod feed_actor;
mod frames;
mod mount;
mod notices;
mod presence_requests;
mod resume;
mod sessions;
mod state;
mod stream;
mod upgrade;

pub use actix_socketio::{Origin, is_origin_allowed};
pub use counts::{SessionKind, SocketCounts};
pub use feed::DispatchFeed;
pub use frames::Frames;
pub(crate) use mount::STREAM;
pub use mount::{is_stream, on_connect, stream};
pub use resume::archive::Archive;
pub use resume::recovery::Pids;
pub use sessions::admission::ThreadAdmission;
pub use sessions::session_slots::SessionSlots;
pub use sessions::sign_ins::follow_sign_ins;
pub use state::SocketState;
pub use upgrade::upgrade;
