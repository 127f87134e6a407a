//! What a session gets of the stream.

use std::io;

use bytes::Bytes;

use super::{EngineSession, Transport};
use crate::feed::Feed;
use crate::ring::{Position, Ring};
use crate::shared_bytes::SharedBytes;

/// What became of what is new in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// There was nothing for the session, or it takes nothing now.
    Nothing,
    Written,
    /// The session must end: it does not take what it is sent.
    TooFarBehind,
    /// The session must end: its connection is gone.
    Gone,
}

impl<F: Feed> EngineSession<F> {
    /// Writes what can be written now.
    pub(crate) fn flush(&self) -> io::Result<()> {
        let ring = self.hub.ring.borrow();
        self.state.borrow_mut().flush(&ring)
    }

    /// The stream has more.
    pub(crate) fn deliver(&self, shared: &mut SharedBytes, ring: &Ring<F>) -> Delivery {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let Some((position, interest)) = &mut state.subscription else {
            return Delivery::Nothing;
        };
        if *position == ring.end() {
            return Delivery::Nothing;
        }
        if let Transport::WebSocket(writer) = &state.transport
            && state.queue.is_empty()
            && writer.is_idle()
            && let Some(bytes) = shared.at(*position, interest, ring)
        {
            if bytes.is_empty() {
                // All of it was for others.
                *position = ring.end();
                return Delivery::Nothing;
            }
            return match writer.try_write(bytes) {
                // All for now stays in the ring.
                Ok(0) => {
                    writer.keep(Bytes::new());
                    Delivery::Nothing
                }
                Ok(written) => {
                    *position = ring.end();
                    if written < bytes.len() {
                        writer.keep(bytes.slice(written..));
                    }
                    Delivery::Written
                }
                Err(_) => Delivery::Gone,
            };
        }
        let before = *position;
        // Written first: a client that reads may take at once what puts a slow one too far behind.
        let flushed = state.flush(ring);
        let after = state.subscription.as_ref().map(|(position, _)| *position);
        match flushed {
            _ if state.is_too_far(ring) => Delivery::TooFarBehind,
            Err(_) => Delivery::Gone,
            Ok(()) if after == Some(before) => Delivery::Nothing,
            Ok(()) => Delivery::Written,
        }
    }

    /// Whether everything of the stream so far is with the kernel.
    pub(crate) fn is_settled(&self, end: Position) -> bool {
        let state = self.state.borrow();
        match (&state.transport, &state.subscription) {
            (Transport::WebSocket(writer), Some((position, _))) => {
                *position >= end && writer.is_idle()
            }
            // A poll comes and goes; nobody waits for it.
            _ => true,
        }
    }
}
