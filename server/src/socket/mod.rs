//! The stream: the application of the Socket.IO server ([`actix_socketio`]). Which events a session
//! gets, who may connect, what they missed, and what they may send.
//!
//! `feed` is the stream's types and which session receives what, `feed_actor` brings each thread
//! the broadcaster's messages, `stream` handles clients' packets, `connect` admits them (each is a
//! `client` then), and `recovery`, `catch_up` and `archive` resume those that were away. `frames`
//! encodes each event once; `presence_requests` and `notices` are what clients may say. `admission`
//! and `session_slots` limit how many sessions there are, `sign_ins` closes those of sign-ins that
//! have ended, and `mount` is where the stream is, and `upgrade` takes the requests of WebSockets.
//! `state` is what the stream works with.

mod admission;
mod archive;
mod catch_up;
mod client;
mod connect;
mod feed;
mod feed_actor;
mod frames;
mod mount;
mod notices;
mod presence_requests;
mod recovery;
mod session_slots;
mod sign_ins;
mod state;
mod stream;
mod upgrade;

pub use actix_socketio::{Origin, is_origin_allowed};
pub use admission::ThreadAdmission;
pub use archive::Archive;
pub use feed::DispatchFeed;
pub use frames::Frames;
pub(crate) use mount::STREAM;
pub use mount::{is_stream, on_connect, stream};
pub use recovery::Pids;
pub use session_slots::SessionSlots;
pub use sign_ins::follow_sign_ins;
pub use state::SocketState;
pub use upgrade::upgrade;
