//! Engine.IO 4 and Socket.IO 5 for actix-web, on WebSockets and by long-polling.
//!
//! The crate is made for one stream that many clients follow: a message is encoded once, crosses to
//! each of the server's threads once, and every session gets the same bytes. A client that was away
//! comes back with the offset of the last event it has, and is sent what it missed, in order and
//! without a gap.
//!
//! # The seam
//!
//! The crate knows sessions, packets and the order of messages. It does not know what a message
//! says, who its clients are, or where its events are kept. An application brings that in four
//! traits, from the most general to the most special:
//!
//! - [`Feed`]: types and pure functions. What a message of the stream is, what a session may be
//!   interested in, and which frame of a message a session gets. The fan-out calls these for every
//!   session, so they have no `self` and are never dispatched dynamically.
//! - [`Application`]: one value on each thread. It lets clients into namespaces, and answers their
//!   events. A server that wants Engine.IO alone implements [`EngineApplication`] and
//!   [`SessionHandler`] instead.
//! - [`Recovery`]: one value for each client that comes back. Where missed events are read that are
//!   no longer in memory, and how the client is greeted when it has caught up.
//! - [`Admission`]: one value on each thread. Whether one more session may open from an address, and
//!   a note of every session that opens, connects and closes.
//!
//! A [`MountConfig`] puts them together for one path. [`MountConfig::mount`] starts a thread's
//! [`Hub`]; a [`Mount`] then serves that path's polling requests and WebSockets.
//!
//! # How a message travels
//!
//! ```text
//! publisher -- one message a thread --> Hub -- ring --> EngineSession -- WsWriter --> kernel
//! ```
//!
//! A thread's hub has the recent messages in one [`Ring`], and a session is a position in it, not a
//! queue. What is new is written straight to every connection that takes it. A connection that does
//! not stays where it is in the ring; too far behind, it is closed, and its client recovers. How
//! messages reach a thread is the application's choice: [`Hubs::publish`] sends them to all threads,
//! and an actor of the application's own on each thread may call [`Hub::publish`].

mod admission;
mod application;
mod counts;
mod engine_session;
mod fan_out;
mod feed;
mod frame;
mod handler;
mod handshake;
mod hub;
mod hub_actor;
mod limits;
mod mount;
mod origins;
mod packets;
mod polling;
mod private_ids;
mod recovery;
mod ring;
mod shared_bytes;
mod sid;
mod socket;
mod socket_io;
mod upgrade;
mod ws_reader;
mod ws_session;
mod ws_writer;

pub use admission::{Admission, Unlimited};
pub use application::{Accepted, Application, Denied, Event};
pub use counts::{StreamCounts, StreamReading};
pub use engine_session::EngineSession;
pub use feed::{EventNumber, Feed, Group};
pub use frame::{Frame, FrameRef};
pub use handler::{EngineApplication, Message, SessionHandler};
pub use hub::Hub;
pub use hub_actor::{Hubs, SessionHandle};
pub use limits::Limits;
pub use mount::{ClientAddress, Mount, MountConfig, set_user_timeout};
pub use origins::{InvalidOrigin, Origin, is_origin_allowed};
pub use private_ids::{Nonce, PrivateIds};
pub use recovery::{Recovery, Replay};
pub use ring::{Position, Ring};
pub use sid::SessionId;
pub use socket::{MAIN, Socket};
pub use socket_io::SocketIoApplication;
pub use upgrade::refuse;
