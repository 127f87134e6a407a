//! What a session is sent: its own messages first, then the stream from its position in the ring on.

use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

use actix_http::ws::{OpCode, Parser};
use bytes::{Bytes, BytesMut};
use bytestring::ByteString;

use super::{State, Transport};
use crate::feed::Feed;
use crate::frame::Frame;
use crate::polling::payload;
use crate::ring::Ring;

/// A session's own messages and their bytes that may wait; the ring counts what it has.
pub(super) const MAX_QUEUE: usize = 1_024;
pub(super) const MAX_QUEUE_BYTES: usize = 4 * 1024 * 1024;

/// What is written at once.
const CHUNK_SIZE: usize = 64 * 1024;

/// Bytes of the stream that answer one poll, and at least one message.
const MAX_POLL_BYTES: usize = 256 * 1024;

/// A packet that waits to be sent.
#[derive(Clone, Debug)]
pub(crate) enum OutPacket {
    /// An Engine.IO packet.
    Text(ByteString),
    Binary(Bytes),
    Frame(Frame),
}

impl OutPacket {
    pub(super) fn len(&self) -> usize {
        match self {
            OutPacket::Text(text) => text.len(),
            OutPacket::Binary(bytes) => bytes.len(),
            OutPacket::Frame(frame) => frame.bytes().len(),
        }
    }

    /// As WebSocket frames.
    pub(super) fn write_to(&self, bytes: &mut BytesMut) {
        match self {
            OutPacket::Text(text) => {
                Parser::write_message(bytes, text.as_bytes(), OpCode::Text, true, false)
            }
            OutPacket::Binary(data) => {
                Parser::write_message(bytes, data, OpCode::Binary, true, false)
            }
            OutPacket::Frame(frame) => bytes.extend_from_slice(frame.bytes()),
        }
    }
}

impl<F: Feed> State<F> {
    /// Whether the session cannot go on. A client that polls holds nothing while it is away, and
    /// may be behind as far as the ring goes; the heartbeat shows whether it comes back at all.
    pub(super) fn is_too_far(&self, ring: &Ring<F>) -> bool {
        match (&self.transport, &self.subscription) {
            (_, None) => false,
            (Transport::WebSocket(_), Some((position, _))) => ring.is_too_far(*position),
            (_, Some((position, _))) => !ring.has(*position),
        }
    }

    /// Whether it cannot go on although everything is written that can be: it may be behind only
    /// because its turn has not come yet.
    pub(super) fn is_stuck(&mut self, ring: &Ring<F>) -> bool {
        self.is_too_far(ring) && (self.flush(ring).is_err() || self.is_too_far(ring))
    }

    pub(super) fn flush(&mut self, ring: &Ring<F>) -> io::Result<()> {
        if matches!(&self.subscription, Some((position, _)) if !ring.has(*position)) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        match &mut self.transport {
            Transport::WebSocket(writer) => {
                let writer = Rc::clone(writer);
                while writer.flush()? {
                    let bytes = self.next(ring);
                    if bytes.is_empty() {
                        break;
                    }
                    writer.write(bytes)?;
                }
            }
            Transport::Polling(waiting @ Some(_)) => {
                let mut packets = std::mem::take(&mut self.queue);
                self.queued_bytes = 0;
                if let Some((position, interest)) = &mut self.subscription {
                    let mut bytes = 0;
                    for message in ring.from(*position) {
                        if bytes >= MAX_POLL_BYTES {
                            break;
                        }
                        *position += 1;
                        if let Some(frame) = F::frame_of(interest, message) {
                            bytes += frame.bytes().len();
                            packets.push_back(OutPacket::Frame(frame.to_frame()));
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
            Transport::Polling(None) | Transport::Closing(_) | Transport::Closed => {}
        }
        if self.queue.is_empty()
            && let Some(drained) = self.drained.take()
        {
            // The caller may have stopped waiting.
            let _ = drained.send(());
        }
        Ok(())
    }

    /// What a WebSocket is to be written next: the session's own first, then the stream.
    fn next(&mut self, ring: &Ring<F>) -> Bytes {
        if let Some(first) = self.queue.pop_front() {
            self.queued_bytes -= first.len();
            if let OutPacket::Frame(frame) = &first
                && self.queue.is_empty()
            {
                return frame.bytes().clone();
            }
            let mut bytes = BytesMut::with_capacity(first.len() + 16);
            first.write_to(&mut bytes);
            while bytes.len() < CHUNK_SIZE
                && let Some(out) = self.queue.pop_front()
            {
                self.queued_bytes -= out.len();
                out.write_to(&mut bytes);
            }
            if self.queue.is_empty() {
                // An idle session holds no buffer.
                self.queue = VecDeque::new();
            }
            return bytes.freeze();
        }
        match &mut self.subscription {
            Some((position, interest)) => {
                let (bytes, then) = ring.chunk(*position, interest);
                *position = then;
                bytes
            }
            None => Bytes::new(),
        }
    }
}
