//! Socket.IO events as frames, which are encoded once for all sessions.

use actix_socketio as socket;
use dispatch_actors::broadcaster::Frame;
use dispatch_actors::store::LogPosition;
use serde::Serialize;

/// With an offset: somebody may resume from it.
pub(crate) fn event(name: &str, payload: &impl Serialize, position: LogPosition) -> Frame {
    frame(&(name, payload, position.to_string()))
}

/// Without an offset: it is not an event of the log, and no client resumes from it.
pub(crate) fn event_without_offset(name: &str, payload: &impl Serialize) -> Frame {
    frame(&(name, payload))
}

fn frame(list: &impl Serialize) -> Frame {
    let frame = socket::Frame::event(list).unwrap_or_else(|error| {
        // Our own types, of texts and numbers, always serialise; this is for the compiler.
        tracing::error!(%error, "an event could not be encoded");
        socket::Frame::of_packet(&[])
    });
    let (bytes, head) = frame.into_parts();
    Frame { bytes, head }
}
