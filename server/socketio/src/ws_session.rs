//! One WebSocket: an actor that takes what a client sends, and the task that moves bytes between
//! it and its connection.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix::prelude::*;
use actix_http::ws::{Codec, Item};
use actix_web::Error;
use actix_web_actors::ws::{self, WebsocketContext};
use bytes::{Bytes, BytesMut};
use bytestring::ByteString;
use engineioxide_core::{Packet, Sid};
use futures_util::Stream;

use crate::engine_session::{CloseReason, EngineSession};
use crate::feed::Feed;
use crate::hub::Hub;
use crate::ws_reader::WsReader;
use crate::ws_writer::WsWriter;

/// A packet that begins an upgrade, its answer, and the packet that completes it.
const PROBE: &str = "2probe";
const PROBED: &str = "3probe";
const UPGRADE: &str = "5";

/// Takes packets off a WebSocket.
pub(crate) struct WsSession<F: Feed> {
    session: Rc<EngineSession<F>>,
    writer: Rc<WsWriter>,
    /// It is to take a polling session over, and has not yet.
    probing: bool,
    /// A message that comes in pieces.
    pieces: Option<Pieces>,
    max_payload: usize,
}

struct Pieces {
    bytes: BytesMut,
    is_text: bool,
}

/// A new session on a WebSocket. `first`: bytes that were read with the handshake.
pub(crate) fn open<F: Feed>(hub: &Rc<Hub<F>>, writer: Rc<WsWriter>, first: Bytes, address: IpAddr) {
    let session = hub.open(Some(Rc::clone(&writer)), address);
    start(session, writer, first, false);
}

/// A WebSocket for a polling session. One that cannot be taken over leaves it as it is.
pub(crate) fn adopt_socket<F: Feed>(
    hub: &Rc<Hub<F>>,
    sid: &Sid,
    writer: Rc<WsWriter>,
    first: Bytes,
) {
    match hub.session(sid) {
        Some(session) if session.begin_upgrade(&writer) => start(session, writer, first, true),
        _ => {
            let mut bytes = BytesMut::new();
            actix_http::ws::Parser::write_close(&mut bytes, None, false);
            // It is closed either way.
            let _ = writer.write(bytes.freeze());
        }
    }
}

fn start<F: Feed>(
    session: Rc<EngineSession<F>>,
    writer: Rc<WsWriter>,
    first: Bytes,
    probing: bool,
) {
    let max_payload = session.hub().limits.max_payload;
    let incoming = WsReader::new(Rc::clone(&writer), first, max_payload);
    let actor = WsSession {
        session: Rc::clone(&session),
        writer: Rc::clone(&writer),
        probing,
        pieces: None,
        max_payload,
    };
    let codec = Codec::new().max_size(max_payload);
    let outgoing = WebsocketContext::with_codec(actor, incoming, codec);
    actix::spawn(ConnectionTask {
        session,
        writer,
        outgoing: Some(Box::pin(outgoing)),
    });
}

impl<F: Feed> WsSession<F> {
    fn text(&mut self, text: &str) {
        if !self.probing {
            self.session.receive_text(text);
            return;
        }
        if self.session.exceeds_packet_rate() {
            self.writer.abort();
            return;
        }
        let is_valid = match text {
            PROBE => {
                let mut bytes = BytesMut::new();
                let op = actix_http::ws::OpCode::Text;
                actix_http::ws::Parser::write_message(&mut bytes, PROBED, op, true, false);
                let written = self.writer.write(bytes.freeze()).is_ok();
                self.session.probed();
                written
            }
            UPGRADE => {
                self.probing = false;
                self.session.upgraded(&self.writer)
            }
            _ => false,
        };
        if !is_valid {
            self.writer.abort();
        }
    }

    fn binary(&mut self, bytes: Bytes) {
        if self.probing {
            self.writer.abort();
        } else {
            self.session.receive(Ok(Packet::Binary(bytes)));
        }
    }

    /// Puts a message together that comes in fragments; false when they make no message.
    fn piece(&mut self, item: Item) -> bool {
        let (start, bytes, last) = match item {
            Item::FirstText(bytes) => (Some(true), bytes, false),
            Item::FirstBinary(bytes) => (Some(false), bytes, false),
            Item::Continue(bytes) => (None, bytes, false),
            Item::Last(bytes) => (None, bytes, true),
        };
        self.writer.consumed(bytes.len());
        match (start, &self.pieces) {
            (Some(is_text), None) => {
                self.pieces = Some(Pieces {
                    bytes: BytesMut::new(),
                    is_text,
                });
            }
            (None, Some(_)) => {}
            _ => return false,
        }
        // An endless number of empty pieces is a flood like any other.
        if self.session.exceeds_packet_rate() {
            return false;
        }
        let Some(pieces) = &mut self.pieces else {
            return false;
        };
        if pieces.bytes.len() + bytes.len() > self.max_payload {
            return false;
        }
        pieces.bytes.extend_from_slice(&bytes);
        if last && let Some(whole) = self.pieces.take() {
            let bytes = whole.bytes.freeze();
            if whole.is_text {
                let Ok(text) = ByteString::try_from(bytes) else {
                    return false;
                };
                self.text(&text);
            } else {
                self.binary(bytes);
            }
        }
        true
    }

    /// The client breaks the protocol, or is gone.
    fn fail(&mut self, ctx: &mut WebsocketContext<Self>, reason: CloseReason) {
        if self.probing {
            self.writer.abort();
        } else {
            self.session.end(reason);
        }
        ctx.stop();
    }
}

impl<F: Feed> Actor for WsSession<F> {
    type Context = WebsocketContext<Self>;
}

impl<F: Feed> StreamHandler<Result<ws::Message, ws::ProtocolError>> for WsSession<F> {
    fn handle(&mut self, message: Result<ws::Message, ws::ProtocolError>, ctx: &mut Self::Context) {
        if !self.session.is_open() {
            ctx.stop();
            return;
        }
        match message {
            Ok(ws::Message::Text(text)) => {
                self.writer.consumed(text.len());
                self.text(&text);
            }
            Ok(ws::Message::Binary(bytes)) => {
                self.writer.consumed(bytes.len());
                self.binary(bytes);
            }
            Ok(ws::Message::Ping(payload)) => {
                self.writer.consumed(payload.len());
                if self.session.exceeds_packet_rate() {
                    self.fail(ctx, CloseReason::ByServer);
                } else {
                    ctx.pong(&payload);
                }
            }
            Ok(ws::Message::Pong(payload)) => {
                self.writer.consumed(payload.len());
                if self.session.exceeds_packet_rate() {
                    self.fail(ctx, CloseReason::ByServer);
                }
            }
            Ok(ws::Message::Nop) => {}
            Ok(ws::Message::Continuation(item)) => {
                if !self.piece(item) {
                    self.fail(ctx, CloseReason::ByServer);
                }
            }
            Ok(ws::Message::Close(_)) => self.fail(ctx, CloseReason::ByClient),
            // Too large, or no frame at all.
            Err(ws::ProtocolError::Io(_)) => self.fail(ctx, CloseReason::Aborted),
            Err(_) => self.fail(ctx, CloseReason::ByServer),
        }
    }
}

/// Polls the actor, and writes what could not be written at once.
struct ConnectionTask<F: Feed, S> {
    session: Rc<EngineSession<F>>,
    writer: Rc<WsWriter>,
    /// None when the actor has stopped.
    outgoing: Option<Pin<Box<S>>>,
}

impl<F, S> Future for ConnectionTask<F, S>
where
    F: Feed,
    S: Stream<Item = Result<Bytes, Error>>,
{
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.writer.set_task(context);
        let done = self.step(context);
        if done {
            let (session, writer) = (Rc::clone(&self.session), Rc::clone(&self.writer));
            self.outgoing = None;
            session.connection_lost(&writer);
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

impl<F, S> ConnectionTask<F, S>
where
    F: Feed,
    S: Stream<Item = Result<Bytes, Error>>,
{
    /// True when the connection is over.
    fn step(&mut self, context: &mut Context<'_>) -> bool {
        while let Some(outgoing) = &mut self.outgoing {
            match outgoing.as_mut().poll_next(context) {
                // Pongs alone: everything else is written directly. One that cannot be
                // written at once is not worth waiting for.
                Poll::Ready(Some(Ok(bytes))) if self.writer.is_idle() => {
                    if self.writer.write(bytes).is_err() {
                        return true;
                    }
                }
                Poll::Ready(Some(Ok(_))) => {}
                Poll::Ready(Some(Err(_)) | None) => {
                    self.outgoing = None;
                    self.session.connection_lost(&self.writer);
                    // Earlier frames are still written.
                    self.writer.close();
                }
                Poll::Pending => break,
            }
        }
        loop {
            let flushed = self.writer.flush();
            let Ok(flushed) = flushed else {
                return true;
            };
            if flushed && self.session.flush().is_err() {
                return true;
            }
            if self.writer.is_over() {
                return true;
            }
            if self.writer.is_idle() {
                return false;
            }
            match self.writer.poll_writable(context) {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(_)) => return true,
                Poll::Pending => return false,
            }
        }
    }
}
