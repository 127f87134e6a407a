//! What areas share of the stream without knowing it.
//!
//! - `announcer`: sends to open sessions; `frames`: events, encoded once for all of them.
//! - `live_sockets`: which open sockets belong to which sign-in.

pub(crate) mod announcer;
pub(crate) mod frames;
pub(crate) mod live_sockets;
