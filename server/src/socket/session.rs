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

use super::hub::Hub;
use super::line::{End, Line};
use super::wire::{Incoming, Wire};

/// A packet that begins an upgrade, its answer, and the packet that completes it.
const PROBE: &str = "2probe";
const PROBED: &str = "3probe";
const UPGRADE: &str = "5";

/// Takes packets off a WebSocket.
pub(super) struct Session {
    line: Rc<Line>,
    wire: Rc<Wire>,
    /// It is to take a polling session over, and has not yet.
    probing: bool,
    /// A message that comes in pieces.
    pieces: Option<Pieces>,
    most: usize,
}

struct Pieces {
    bytes: BytesMut,
    is_text: bool,
}

/// A new session on a WebSocket. `first`: bytes that were read with the handshake.
pub(super) fn open(hub: &Rc<Hub>, wire: Rc<Wire>, first: Bytes, address: IpAddr) {
    let line = hub.open(Some(Rc::clone(&wire)), address);
    attend(line, wire, first, false);
}

/// A WebSocket for a polling session. One that cannot be taken over leaves it as it is.
pub(super) fn take_over(hub: &Rc<Hub>, sid: &Sid, wire: Rc<Wire>, first: Bytes) {
    match hub.line(sid) {
        Some(line) if line.begin_upgrade(&wire) => attend(line, wire, first, true),
        _ => {
            let mut bytes = BytesMut::new();
            actix_http::ws::Parser::write_close(&mut bytes, None, false);
            // It is closed either way.
            let _ = wire.write(bytes.freeze());
        }
    }
}

fn attend(line: Rc<Line>, wire: Rc<Wire>, first: Bytes, probing: bool) {
    let most = line.hub().limits.max_payload;
    let incoming = Incoming::new(Rc::clone(&wire), first, most);
    let session = Session {
        line: Rc::clone(&line),
        wire: Rc::clone(&wire),
        probing,
        pieces: None,
        most,
    };
    let codec = Codec::new().max_size(most);
    let outgoing = WebsocketContext::with_codec(session, incoming, codec);
    actix::spawn(Task {
        line,
        wire,
        outgoing: Some(Box::pin(outgoing)),
    });
}

impl Session {
    fn text(&mut self, text: &str) {
        if !self.probing {
            self.line.receive_text(text);
            return;
        }
        if self.line.floods() {
            self.wire.cut();
            return;
        }
        let goes_on = match text {
            PROBE => {
                let mut bytes = BytesMut::new();
                let op = actix_http::ws::OpCode::Text;
                actix_http::ws::Parser::write_message(&mut bytes, PROBED, op, true, false);
                let written = self.wire.write(bytes.freeze()).is_ok();
                self.line.probed();
                written
            }
            UPGRADE => {
                self.probing = false;
                self.line.upgraded(&self.wire)
            }
            _ => false,
        };
        if !goes_on {
            self.wire.cut();
        }
    }

    fn binary(&mut self, bytes: Bytes) {
        if self.probing {
            self.wire.cut();
        } else {
            self.line.receive(Ok(Packet::Binary(bytes)));
        }
    }

    /// Puts a message together that comes in pieces; false when it is none.
    fn piece(&mut self, item: Item) -> bool {
        let (start, bytes, last) = match item {
            Item::FirstText(bytes) => (Some(true), bytes, false),
            Item::FirstBinary(bytes) => (Some(false), bytes, false),
            Item::Continue(bytes) => (None, bytes, false),
            Item::Last(bytes) => (None, bytes, true),
        };
        self.wire.consumed(bytes.len());
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
        if self.line.floods() {
            return false;
        }
        let Some(pieces) = &mut self.pieces else {
            return false;
        };
        if pieces.bytes.len() + bytes.len() > self.most {
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
    fn fail(&mut self, ctx: &mut WebsocketContext<Self>, end: End) {
        if self.probing {
            self.wire.cut();
        } else {
            self.line.end(end);
        }
        ctx.stop();
    }
}

impl Actor for Session {
    type Context = WebsocketContext<Self>;
}

impl StreamHandler<Result<ws::Message, ws::ProtocolError>> for Session {
    fn handle(&mut self, message: Result<ws::Message, ws::ProtocolError>, ctx: &mut Self::Context) {
        if !self.line.is_open() {
            ctx.stop();
            return;
        }
        match message {
            Ok(ws::Message::Text(text)) => {
                self.wire.consumed(text.len());
                self.text(&text);
            }
            Ok(ws::Message::Binary(bytes)) => {
                self.wire.consumed(bytes.len());
                self.binary(bytes);
            }
            Ok(ws::Message::Ping(payload)) => {
                self.wire.consumed(payload.len());
                if self.line.floods() {
                    self.fail(ctx, End::Closed);
                } else {
                    ctx.pong(&payload);
                }
            }
            Ok(ws::Message::Pong(payload)) => {
                self.wire.consumed(payload.len());
                if self.line.floods() {
                    self.fail(ctx, End::Closed);
                }
            }
            Ok(ws::Message::Nop) => {}
            Ok(ws::Message::Continuation(item)) => {
                if !self.piece(item) {
                    self.fail(ctx, End::Closed);
                }
            }
            Ok(ws::Message::Close(_)) => self.fail(ctx, End::Left),
            // Too large, or no frame at all.
            Err(ws::ProtocolError::Io(_)) => self.fail(ctx, End::Cut),
            Err(_) => self.fail(ctx, End::Closed),
        }
    }
}

/// Polls the actor, and writes what could not be written at once.
struct Task<S> {
    line: Rc<Line>,
    wire: Rc<Wire>,
    /// None when the actor has stopped.
    outgoing: Option<Pin<Box<S>>>,
}

impl<S> Future for Task<S>
where
    S: Stream<Item = Result<Bytes, Error>>,
{
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.wire.attend(context);
        let done = self.step(context);
        if done {
            let (line, wire) = (Rc::clone(&self.line), Rc::clone(&self.wire));
            self.outgoing = None;
            line.lost(&wire);
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

impl<S> Task<S>
where
    S: Stream<Item = Result<Bytes, Error>>,
{
    /// True when the connection is over.
    fn step(&mut self, context: &mut Context<'_>) -> bool {
        while let Some(outgoing) = &mut self.outgoing {
            match outgoing.as_mut().poll_next(context) {
                // Pongs alone: everything else goes to the wire directly. One that cannot be
                // written at once is not worth waiting for.
                Poll::Ready(Some(Ok(bytes))) if self.wire.is_idle() => {
                    if self.wire.write(bytes).is_err() {
                        return true;
                    }
                }
                Poll::Ready(Some(Ok(_))) => {}
                Poll::Ready(Some(Err(_)) | None) => {
                    self.outgoing = None;
                    self.line.lost(&self.wire);
                    // What was to be said before is still written.
                    self.wire.end();
                }
                Poll::Pending => break,
            }
        }
        loop {
            let flushed = self.wire.flush();
            let Ok(flushed) = flushed else {
                return true;
            };
            if flushed && self.line.flush().is_err() {
                return true;
            }
            if self.wire.is_over() {
                return true;
            }
            if self.wire.is_idle() {
                return false;
            }
            match self.wire.poll_writable(context) {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(_)) => return true,
                Poll::Pending => return false,
            }
        }
    }
}
