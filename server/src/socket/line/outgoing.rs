//! What a session is sent: its own messages first, then the stream from its place in the ring on.

use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

use actix_http::ws::{OpCode, Parser};
use bytes::{Bytes, BytesMut};
use bytestring::ByteString;
use dispatch_actors::broadcaster::Frame;

use super::{State, Transport};
use crate::socket::polling::payload;
use crate::socket::ring::{Interest, Position, Ring};

/// Messages and bytes of a session's own that may wait; what the ring has is counted there.
pub(super) const QUEUE: usize = 1_024;
pub(super) const QUEUE_BYTES: usize = 4 * 1024 * 1024;

/// What is written at once.
const CHUNK: usize = 64 * 1024;

/// Bytes of the stream that answer one poll, and at least one message.
const POLLED: usize = 256 * 1024;

/// What is to be sent.
#[derive(Clone, Debug)]
pub(in crate::socket) enum Out {
    /// An Engine.IO packet.
    Text(ByteString),
    Binary(Bytes),
    Frame(Frame),
}

/// What a WebSocket that reads is to be written next: made once for all that are at the same place
/// and hear the same, which are most of them.
#[derive(Default)]
pub(in crate::socket) struct Delta {
    /// Whoever is before it did not take what was offered.
    since: Position,
    everything: Shared,
    dashboards: Shared,
}

#[derive(Default)]
struct Shared {
    from: Position,
    to: Position,
    bytes: Bytes,
    /// Who hears something else in between.
    others: Vec<i64>,
}

impl Delta {
    pub(in crate::socket) fn new(since: Position) -> Self {
        Self {
            since,
            ..Self::default()
        }
    }

    /// All that is wanted from `position` on; none when it is not worth keeping for others.
    pub(super) fn at(
        &mut self,
        position: Position,
        interest: &Interest,
        ring: &Ring,
    ) -> Option<&Bytes> {
        if position < self.since || !ring.has(position) {
            return None;
        }
        let (shared, own) = match interest {
            Interest::Everything => (&mut self.everything, None),
            Interest::Dashboard(own) => (&mut self.dashboards, *own),
            Interest::Technician(_) | Interest::Orders(_) | Interest::Board(_) => return None,
        };
        if (shared.from, shared.to) != (position, ring.end()) {
            (shared.from, shared.to) = (position, ring.end());
            if *interest == Interest::Everything {
                shared.bytes = ring.since(position, interest);
            } else {
                shared.bytes = ring.since(position, &Interest::Dashboard(None));
                shared.others = ring.technicians_since(position);
            }
        }
        let hears_else = own.is_some_and(|own| shared.others.contains(&own));
        (!hears_else).then_some(&shared.bytes)
    }
}

impl Out {
    pub(super) fn len(&self) -> usize {
        match self {
            Out::Text(text) => text.len(),
            Out::Binary(bytes) => bytes.len(),
            Out::Frame(frame) => frame.bytes.len(),
        }
    }

    /// As WebSocket frames.
    pub(super) fn write_to(&self, bytes: &mut BytesMut) {
        match self {
            Out::Text(text) => {
                Parser::write_message(bytes, text.as_bytes(), OpCode::Text, true, false)
            }
            Out::Binary(data) => Parser::write_message(bytes, data, OpCode::Binary, true, false),
            Out::Frame(frame) => bytes.extend_from_slice(&frame.bytes),
        }
    }
}

impl State {
    /// Whether the session cannot go on. A client that polls holds nothing while it is away, and
    /// may be behind as far as the ring goes; whether it comes back at all the heartbeat tells.
    pub(super) fn is_too_far(&self, ring: &Ring) -> bool {
        match (&self.transport, &self.place) {
            (_, None) => false,
            (Transport::WebSocket(_), Some((position, _))) => ring.is_too_far(*position),
            (_, Some((position, _))) => !ring.has(*position),
        }
    }

    /// Whether it cannot go on although everything is written that can be: it may be behind only
    /// because its turn has not come yet.
    pub(super) fn is_stuck(&mut self, ring: &Ring) -> bool {
        self.is_too_far(ring) && (self.flush(ring).is_err() || self.is_too_far(ring))
    }

    pub(super) fn flush(&mut self, ring: &Ring) -> io::Result<()> {
        if matches!(&self.place, Some((position, _)) if !ring.has(*position)) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        match &mut self.transport {
            Transport::WebSocket(wire) => {
                let wire = Rc::clone(wire);
                while wire.flush()? {
                    let bytes = self.next(ring);
                    if bytes.is_empty() {
                        break;
                    }
                    wire.write(bytes)?;
                }
            }
            Transport::Polling(waiting @ Some(_)) => {
                let mut packets = std::mem::take(&mut self.queue);
                self.queued = 0;
                if let Some((position, interest)) = &mut self.place {
                    let mut bytes = 0;
                    for entry in ring.from(*position) {
                        if bytes >= POLLED {
                            break;
                        }
                        *position += 1;
                        if let Some(frame) = interest.frame_of(entry) {
                            bytes += frame.bytes.len();
                            packets.push_back(Out::Frame(frame.clone()));
                        }
                    }
                }
                if !packets.is_empty()
                    && let Some(poll) = waiting.take()
                    && poll.send(Ok(payload(packets.iter()))).is_err()
                {
                    return Err(io::ErrorKind::ConnectionAborted.into());
                }
            }
            Transport::Polling(None) | Transport::Left(_) | Transport::Closed => {}
        }
        if self.queue.is_empty()
            && let Some(drained) = self.drained.take()
        {
            // Whoever waited may have given up.
            let _ = drained.send(());
        }
        Ok(())
    }

    /// What a WebSocket is to be written next: the session's own first, then the stream.
    fn next(&mut self, ring: &Ring) -> Bytes {
        if let Some(first) = self.queue.pop_front() {
            self.queued -= first.len();
            if let Out::Frame(frame) = &first
                && self.queue.is_empty()
            {
                return frame.bytes.clone();
            }
            let mut bytes = BytesMut::with_capacity(first.len() + 16);
            first.write_to(&mut bytes);
            while bytes.len() < CHUNK
                && let Some(out) = self.queue.pop_front()
            {
                self.queued -= out.len();
                out.write_to(&mut bytes);
            }
            if self.queue.is_empty() {
                // An idle session holds no buffer.
                self.queue = VecDeque::new();
            }
            return bytes.freeze();
        }
        match &mut self.place {
            Some((position, interest)) => {
                let (bytes, then) = ring.chunk(*position, interest);
                *position = then;
                bytes
            }
            None => Bytes::new(),
        }
    }
}
