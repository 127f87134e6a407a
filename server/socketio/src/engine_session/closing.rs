//! The end of a session.

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Instant;

use actix_http::ws::Parser;
use bytes::BytesMut;
use engineioxide_core::Packet;

use super::outbound::OutPacket;
use super::{EngineSession, Transport};
use crate::feed::Feed;
use crate::polling::payload;

/// How a session ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CloseReason {
    /// The client closes it.
    ByClient,
    /// The server closes it; everything before is sent.
    ByServer,
    /// The connection is of no use: nothing more is sent.
    Aborted,
}

impl<F: Feed> EngineSession<F> {
    pub(crate) fn end(self: &Rc<Self>, reason: CloseReason) {
        {
            let mut state = self.state.borrow_mut();
            if !state.transport.is_open() {
                return;
            }
            let next = match (&state.transport, reason) {
                (Transport::Polling(None), CloseReason::ByClient) => {
                    Transport::Closing(Instant::now())
                }
                _ => Transport::Closed,
            };
            if let Some(upgrade) = state.upgrade.take() {
                upgrade.abort();
            }
            match std::mem::replace(&mut state.transport, next) {
                Transport::WebSocket(writer) if reason == CloseReason::Aborted => writer.abort(),
                Transport::WebSocket(writer) => {
                    let mut bytes = BytesMut::new();
                    state
                        .queue
                        .drain(..)
                        .for_each(|packet| packet.write_to(&mut bytes));
                    Parser::write_close(&mut bytes, None, false);
                    // Only to a client that reads.
                    if matches!(writer.flush(), Ok(true)) && writer.write(bytes.freeze()).is_ok() {
                        writer.close();
                    } else {
                        writer.abort();
                    }
                }
                Transport::Polling(Some(poll)) => {
                    let packet = match reason {
                        CloseReason::ByClient => Packet::Noop,
                        CloseReason::ByServer | CloseReason::Aborted => Packet::Close,
                    };
                    let mut packets = std::mem::take(&mut state.queue);
                    packets.push_back(OutPacket::Text(String::from(packet).into()));
                    // If the request is gone, so is the client.
                    let _ = poll.send(Ok(payload(packets.iter())));
                }
                Transport::Polling(None) | Transport::Closing(_) | Transport::Closed => {}
            }
            state.queue = VecDeque::new();
            state.subscription = None;
            state.drained = None;
        }
        self.handler.closed(self);
        if !matches!(self.state.borrow().transport, Transport::Closing(_)) {
            self.hub.remove(self);
        }
    }
}
