//! What a session gets of the stream.

use std::io;

use bytes::Bytes;

use super::{EngineSession, Transport};
use crate::feed::Feed;
use crate::ring::{Position, Ring};
use crate::shared_bytes::SharedBytes;

impl<F: Feed> EngineSession<F> {
    /// Writes what can be written now.
    pub(crate) fn flush(&self) -> io::Result<()> {
        let ring = self.hub.ring.borrow();
        self.state.borrow_mut().flush(&ring)
    }

    /// The stream has more. False when the session must end.
    pub(crate) fn deliver(&self, shared: &mut SharedBytes, ring: &Ring<F>) -> bool {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let Some((position, interest)) = &mut state.subscription else {
            return true;
        };
        if *position == ring.end() {
            return true;
        }
        if let Transport::WebSocket(writer) = &state.transport
            && state.queue.is_empty()
            && writer.is_idle()
            && let Some(bytes) = shared.at(*position, interest, ring)
        {
            if bytes.is_empty() {
                // All of it was for others.
                *position = ring.end();
                return true;
            }
            return match writer.try_write(bytes) {
                // All for now stays in the ring.
                Ok(0) => {
                    writer.keep(Bytes::new());
                    true
                }
                Ok(written) => {
                    *position = ring.end();
                    if written < bytes.len() {
                        writer.keep(bytes.slice(written..));
                    }
                    true
                }
                Err(_) => false,
            };
        }
        // Written first: a client that reads may take at once what puts a slow one too far behind.
        state.flush(ring).is_ok() && !state.is_too_far(ring)
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
