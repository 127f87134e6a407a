//! One WebSocket: an actor that talks Engine.IO and Socket.IO to one client.
//!
//! It speaks, the packet crates code and decode, the broadcaster decides what is sent. A client
//! that breaks the protocol, floods, or never signs in is closed; it costs nobody else anything.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use actix::prelude::*;
use actix_web_actors::ws;
use bytestring::ByteString;
use dispatch_actors::broadcaster::{Cut, Deliver, Join, Leave, Look, SessionId};
use dispatch_actors::presence::Person;
use engineioxide_core::{OpenPacket, Packet as EnginePacket, ProtocolVersion, Sid};
use serde::Deserialize;
use socketioxide_core::Value;
use socketioxide_core::packet::{ConnectPacket, Packet, PacketData};
use socketioxide_core::parser::{Parse, ParseConfig, ParserState};
use socketioxide_parser_common::CommonParser;

use super::MAX_PAYLOAD;
use super::frames::{NAMESPACE, frame, frame_text, json};
use super::live::SignedOut;
use super::looks::{self, Asked, Looks};
use crate::app::Services;
use crate::error::ApiError;
use crate::identity::Caller;

const PING_INTERVAL: Duration = Duration::from_secs(25);
const PING_TIMEOUT: Duration = Duration::from_secs(20);

/// A client has this long to say who it is.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How often a session looks at its deadlines.
const WATCH: Duration = Duration::from_secs(1);

/// Frames waiting for a session that writes slowly; one more, and it is cut. At a busy desk's 20
/// changes a second this is 12 seconds of silence.
const QUEUE: usize = 256;

/// Packets a client may send in a second; ours sends one every 25.
const PACKETS_PER_SECOND: u32 = 50;

/// The official parser's list.
const RESERVED_EVENTS: [&str; 6] = [
    "connect",
    "connect_error",
    "disconnect",
    "disconnecting",
    "newListener",
    "removeListener",
];

static NEXT_SESSION: AtomicU64 = AtomicU64::new(1);

pub(super) struct Session {
    id: SessionId,
    services: Arc<Services>,
    parser: ParserState,
    limits: ParseConfig,
    opened_at: Instant,
    ping_sent: Option<Instant>,
    pinged_at: Instant,
    /// When the running second of the packet count began, and the count.
    counted: (Instant, u32),
    stage: Stage,
    looks: Looks,
    cut: Cut,
}

enum Stage {
    /// Open; nobody has signed in yet.
    Open,
    /// A CONNECT is being checked.
    Connecting,
    /// Signed in: the id of the sign-in session, and who it is.
    Connected { sign_in: String, who: Person },
}

/// What a client sends with CONNECT.
#[derive(Deserialize)]
struct Auth {
    token: String,
}

impl Session {
    pub(super) fn new(services: Arc<Services>) -> Self {
        let now = Instant::now();
        Self {
            id: NEXT_SESSION.fetch_add(1, Ordering::Relaxed),
            services,
            parser: ParserState::default(),
            // We take no binary events: not one attachment.
            limits: ParseConfig {
                max_incoming_binaries: 0,
                max_incoming_binary_buf_size: 0,
                packet_completion_timeout: CONNECT_TIMEOUT,
            },
            opened_at: now,
            ping_sent: None,
            pinged_at: now,
            counted: (now, 0),
            stage: Stage::Open,
            looks: Looks::new(),
            cut: Cut::default(),
        }
    }

    /// Deadlines: to sign in, to answer a ping, to be quick enough.
    fn watch(&mut self, ctx: &mut ws::WebsocketContext<Self>) {
        let unsigned = !matches!(self.stage, Stage::Connected { .. });
        let late = self
            .ping_sent
            .is_some_and(|sent| sent.elapsed() > PING_TIMEOUT);
        if self.cut.is_set() || late || (unsigned && self.opened_at.elapsed() > CONNECT_TIMEOUT) {
            close(ctx);
        } else if self.ping_sent.is_none() && self.pinged_at.elapsed() >= PING_INTERVAL {
            self.pinged_at = Instant::now();
            self.ping_sent = Some(self.pinged_at);
            ctx.text(frame_text(EnginePacket::Ping));
        }
    }

    fn floods(&mut self) -> bool {
        if self.counted.0.elapsed() >= Duration::from_secs(1) {
            self.counted = (Instant::now(), 0);
        }
        self.counted.1 += 1;
        self.counted.1 > PACKETS_PER_SECOND
    }

    fn engine_packet(&mut self, text: ByteString, ctx: &mut ws::WebsocketContext<Self>) {
        match EnginePacket::parse(ProtocolVersion::V4, text.to_string()) {
            Ok(EnginePacket::Message(message)) => {
                match CommonParser.decode_str(&self.limits, &self.parser, message) {
                    Ok(packet) => self.packet(packet, ctx),
                    Err(_) => close(ctx),
                }
            }
            Ok(EnginePacket::Pong) => self.ping_sent = None,
            Ok(EnginePacket::Noop) => {}
            // Close, or what a client may not send on an open WebSocket.
            Ok(_) | Err(_) => close(ctx),
        }
    }

    fn packet(&mut self, packet: Packet, ctx: &mut ws::WebsocketContext<Self>) {
        if &*packet.ns != NAMESPACE {
            if matches!(packet.inner, PacketData::Connect(_)) {
                let refusal = connect_error("invalid-namespace", "Invalid namespace");
                ctx.text(refusal_frame(&packet.ns, &refusal));
            }
            return;
        }
        match (packet.inner, &self.stage) {
            (PacketData::Event(event, _), _) if !is_event(&event) => close(ctx),
            (PacketData::Connect(auth), Stage::Open) => self.connect(auth, ctx),
            (PacketData::Event(event, ack), Stage::Connected { .. }) => {
                match self.looks.ask(&event, ack) {
                    Ok(()) => self.tell_look(ctx),
                    Err(refused) => acknowledge(Err(refused), ack, ctx),
                }
            }
            (PacketData::EventAck(..), Stage::Connected { .. }) => {}
            // DISCONNECT, a second CONNECT, events before signing in.
            _ => close(ctx),
        }
    }

    /// Tells the broadcaster which order is opened or left, if one waits whose turn it is.
    fn tell_look(&mut self, ctx: &mut ws::WebsocketContext<Self>) {
        let Stage::Connected { who, .. } = &self.stage else {
            return;
        };
        let Some(Asked { number, opens, ack }) = self.looks.next() else {
            return;
        };
        let look = Look {
            session: self.id,
            number,
            who: opens.then(|| who.clone()),
        };
        let services = self.services.clone();
        let tell = async move { looks::tell(&services, look).await };
        ctx.spawn(tell.into_actor(self).map(move |told, session, ctx| {
            acknowledge(told, ack, ctx);
            session.looks.told();
            session.tell_look(ctx);
        }));
    }

    fn connect(&mut self, auth: Option<Value>, ctx: &mut ws::WebsocketContext<Self>) {
        self.stage = Stage::Connecting;
        let services = self.services.clone();
        let sign_in = async move {
            let text = auth
                .as_ref()
                .and_then(Value::as_str)
                .map_or("null", |text| text);
            let auth: Auth = serde_json::from_str(text).map_err(|_| {
                ApiError::unauthorized("Sign in first: CONNECT needs auth with a token")
            })?;
            services.identity.authenticate(&auth.token).await
        };
        ctx.spawn(
            sign_in
                .into_actor(self)
                .map(|caller, session, ctx| match caller {
                    Ok(caller) => session.connected(caller, ctx),
                    // CONNECT_ERROR stops the client's own reconnecting; a passing fault must not.
                    Err(error) if error.status.is_server_error() => close(ctx),
                    Err(error) => {
                        ctx.text(refusal_frame(
                            NAMESPACE,
                            &connect_error(error.code, &error.error),
                        ));
                        session.stage = Stage::Open;
                    }
                }),
        );
    }

    fn connected(&mut self, caller: Caller, ctx: &mut ws::WebsocketContext<Self>) {
        let sign_in = caller.session_id;
        let live = &self.services.sockets;
        live.add(&sign_in, self.id, ctx.address().recipient());
        self.stage = Stage::Connected {
            sign_in: sign_in.clone(),
            who: Person {
                uid: caller.uid,
                name: caller.name,
            },
        };
        ctx.text(frame(Packet::connect(
            NAMESPACE,
            Some(json(&ConnectPacket { sid: Sid::new() })),
        )));

        let services = self.services.clone();
        let join = Join {
            session: self.id,
            mailbox: ctx.address().recipient(),
            cut: self.cut.clone(),
        };
        let join = async move {
            // It may have ended between the check and being listed; nobody would tell us then.
            let still_live = services.identity.is_live(&sign_in).await.unwrap_or(false);
            still_live && services.broadcaster.send(join).await.is_ok()
        };
        ctx.spawn(join.into_actor(self).map(|joined, session, ctx| {
            if !joined {
                close(ctx);
                return;
            }
            session.looks.told();
            session.tell_look(ctx);
        }));
    }
}

impl Actor for Session {
    type Context = ws::WebsocketContext<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(QUEUE);
        ctx.text(frame_text(EnginePacket::Open(OpenPacket {
            sid: Sid::new(),
            upgrades: smallvec::SmallVec::new(),
            ping_interval: PING_INTERVAL,
            ping_timeout: PING_TIMEOUT,
            max_payload: MAX_PAYLOAD as u64,
        })));
        ctx.run_interval(WATCH, Self::watch);
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        if let Stage::Connected { sign_in, .. } = &self.stage {
            self.services.sockets.remove(sign_in, self.id);
            let broadcaster = self.services.broadcaster.clone();
            let leave = Leave(self.id);
            // Waits for room: a forgotten Leave would keep a dead mailbox in the fan-out.
            actix::spawn(async move { broadcaster.send(leave).await });
        }
    }
}

impl Handler<Deliver> for Session {
    type Result = ();

    fn handle(&mut self, deliver: Deliver, ctx: &mut Self::Context) {
        match deliver {
            _ if self.cut.is_set() => close(ctx),
            Deliver::Frame(frame) => ctx.text(frame),
            Deliver::Milestone => {}
        }
    }
}

impl Handler<SignedOut> for Session {
    type Result = ();

    fn handle(&mut self, SignedOut: SignedOut, ctx: &mut Self::Context) {
        // DISCONNECT from the server stops the client's own reconnecting: there is nothing to
        // come back to without signing in.
        ctx.text(frame(Packet::disconnect(NAMESPACE)));
        close(ctx);
    }
}

impl StreamHandler<Result<ws::Message, ws::ProtocolError>> for Session {
    fn handle(&mut self, message: Result<ws::Message, ws::ProtocolError>, ctx: &mut Self::Context) {
        if self.floods() {
            close(ctx);
            return;
        }
        match message {
            Ok(ws::Message::Text(text)) => self.engine_packet(text, ctx),
            Ok(ws::Message::Ping(payload)) => ctx.pong(&payload),
            Ok(ws::Message::Pong(_) | ws::Message::Nop) => {}
            // A close, a fragment, a binary packet without an event to belong to, a frame that is
            // too large or none at all.
            Ok(ws::Message::Close(_) | ws::Message::Continuation(_) | ws::Message::Binary(_))
            | Err(_) => close(ctx),
        }
    }

    fn finished(&mut self, ctx: &mut Self::Context) {
        close(ctx);
    }
}

/// Says goodbye and stops. Everything written before is sent first.
fn close(ctx: &mut ws::WebsocketContext<Session>) {
    ctx.close(None);
    ctx.stop();
}

/// Answers an event, if the client wants that.
fn acknowledge(
    told: Result<(), ApiError>,
    ack: Option<i64>,
    ctx: &mut ws::WebsocketContext<Session>,
) {
    let Some(ack) = ack else {
        return;
    };
    let answer = match told {
        Ok(()) => serde_json::json!({ "ok": true }),
        Err(error) => connect_error(error.code, &error.error),
    };
    ctx.text(frame(Packet::ack(NAMESPACE, json(&[answer]), ack)));
}

/// The parser takes any text for an event; it must be a list that starts with a name, and not with
/// one that clients and servers use among themselves.
fn is_event(event: &Value) -> bool {
    let text = event.as_str().map_or("", |text| text);
    let list: Vec<serde_json::Value> = serde_json::from_str(text).unwrap_or_default();
    list.first()
        .and_then(serde_json::Value::as_str)
        .is_some_and(|name| !RESERVED_EVENTS.contains(&name))
}

fn connect_error(code: &str, sentence: &str) -> serde_json::Value {
    serde_json::json!({ "message": sentence, "data": { "code": code } })
}

fn refusal_frame(namespace: &str, refusal: &serde_json::Value) -> ByteString {
    // The parser's CONNECT_ERROR takes a sentence alone; clients also want the code.
    let prefix = if namespace == NAMESPACE {
        String::new()
    } else {
        format!("{namespace},")
    };
    ByteString::from(format!("44{prefix}{refusal}"))
}
