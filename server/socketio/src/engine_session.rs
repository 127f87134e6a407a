//! One Engine.IO session: what is to be sent, over whichever transport there is, and its
//! heartbeat. It belongs to one thread and costs nobody else anything.

mod outbound;
mod polls;
mod transport_upgrade;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use actix_http::ws::Parser;
use bytes::{Bytes, BytesMut};
use bytestring::ByteString;
use engineioxide_core::{OpenPacket, Packet, ProtocolVersion, Sid, TransportType};
use smallvec::{SmallVec, smallvec};
use tokio::sync::oneshot;

use outbound::{MAX_QUEUE, MAX_QUEUE_BYTES};
use transport_upgrade::TransportUpgrade;

pub(crate) use outbound::OutPacket;

use crate::feed::Feed;
use crate::frame::Frame;
use crate::handler::{Message, SessionHandler};
use crate::handshake::Refusal;
use crate::hub::Hub;
use crate::hub_actor::SessionHandle;
use crate::polling::payload;
use crate::ring::{Position, Ring};
use crate::shared_bytes::SharedBytes;
use crate::sid::SessionId;
use crate::ws_writer::WsWriter;

/// A client that closed a polling session may still ask once more.
const LAST_POLL_TIMEOUT: Duration = Duration::from_secs(5);

/// One client's Engine.IO session, on either transport.
pub struct EngineSession<F: Feed> {
    id: SessionId,
    pub(crate) sid: Sid,
    address: IpAddr,
    hub: Rc<Hub<F>>,
    handler: Box<dyn SessionHandler<F>>,
    state: RefCell<State<F>>,
}

struct State<F: Feed> {
    transport: Transport,
    queue: VecDeque<OutPacket>,
    queued_bytes: usize,
    /// Where in the stream the session is, and what it wants of it.
    subscription: Option<(Position, F::Interest)>,
    /// Resolved when the queue is empty.
    drained: Option<oneshot::Sender<()>>,
    upgrade: Option<TransportUpgrade>,
    /// Whether a client is connected, and since when that is so.
    connected: (bool, Instant),
    /// When the next ping is due.
    next_ping: Instant,
    pinged_at: Instant,
    awaits_pong: bool,
    /// When the running second of the packet count began, and the count.
    packet_count: (Instant, u32),
}

enum Transport {
    Polling(Option<PollSender>),
    WebSocket(Rc<WsWriter>),
    /// The client closed; one last poll is answered kindly.
    Closing(Instant),
    Closed,
}

/// What a polling request is answered with.
pub(crate) type PollResult = Result<Bytes, Refusal>;
pub(crate) type PollSender = oneshot::Sender<PollResult>;

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
    /// A session that polls, or one on a WebSocket.
    pub(crate) fn new(
        hub: &Rc<Hub<F>>,
        (id, sid): (SessionId, Sid),
        (writer, address): (Option<Rc<WsWriter>>, IpAddr),
        handler: Box<dyn SessionHandler<F>>,
    ) -> Rc<Self> {
        let now = Instant::now();
        let upgrades = match writer {
            Some(_) => SmallVec::new(),
            None => smallvec![TransportType::Websocket],
        };
        let limits = &hub.limits;
        let open = Packet::Open(OpenPacket {
            sid,
            upgrades,
            ping_interval: limits.ping_interval,
            ping_timeout: limits.ping_timeout,
            max_payload: limits.max_payload as u64,
        });
        let session = Rc::new(Self {
            id,
            sid,
            address,
            hub: Rc::clone(hub),
            handler,
            state: RefCell::new(State {
                transport: match writer {
                    Some(writer) => Transport::WebSocket(writer),
                    None => Transport::Polling(None),
                },
                queue: VecDeque::new(),
                queued_bytes: 0,
                subscription: None,
                drained: None,
                upgrade: None,
                connected: (false, now),
                next_ping: now + limits.ping_interval,
                pinged_at: now,
                awaits_pong: false,
                packet_count: (now, 0),
            }),
        });
        session.push(OutPacket::Text(String::from(open).into()));
        session
    }

    pub(crate) fn opened(self: &Rc<Self>) {
        self.handler.opened(self);
    }

    pub(crate) fn joined(self: &Rc<Self>, joined: F::Joined) {
        self.handler.joined(joined, self);
    }

    pub fn id(&self) -> SessionId {
        self.id
    }

    /// Ends the session from any thread.
    pub fn handle(&self) -> SessionHandle {
        self.hub.handle_of(self.id)
    }

    /// Where its client is.
    pub fn address(&self) -> IpAddr {
        self.address
    }

    pub fn hub(&self) -> &Rc<Hub<F>> {
        &self.hub
    }

    /// Sends a message.
    pub fn send(self: &Rc<Self>, message: Message) {
        self.push(match message {
            Message::Text(text) => OutPacket::Text(format!("4{text}").into()),
            Message::Binary(bytes) => OutPacket::Binary(bytes),
        });
    }

    /// Sends messages that are frames already, in one go.
    pub fn send_frames(self: &Rc<Self>, frames: impl IntoIterator<Item = Frame>) {
        self.push_all(frames.into_iter().map(OutPacket::Frame));
    }

    fn push(self: &Rc<Self>, packet: OutPacket) {
        self.push_all([packet]);
    }

    fn push_all(self: &Rc<Self>, packets: impl IntoIterator<Item = OutPacket>) {
        let overflows = {
            let mut state = self.state.borrow_mut();
            if !state.transport.is_open() {
                return;
            }
            for packet in packets {
                state.queued_bytes += packet.len();
                state.queue.push_back(packet);
            }
            state.queue.len() > MAX_QUEUE || state.queued_bytes > MAX_QUEUE_BYTES
        };
        if self.flush().is_err() || (overflows && !self.state.borrow().queue.is_empty()) {
            self.end(CloseReason::Aborted);
        }
    }

    /// From the stream's next message on the session hears what it is interested in.
    pub fn subscribe(&self, interest: F::Interest) {
        let end = self.hub.ring.borrow().end();
        self.state.borrow_mut().subscription = Some((end, interest));
    }

    /// The session hears nothing of the stream any more.
    pub fn unsubscribe(&self) {
        self.state.borrow_mut().subscription = None;
    }

    /// Resolves when everything that was pushed is written; fails when the session ends first.
    pub(crate) fn drained(&self) -> oneshot::Receiver<()> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.state.borrow_mut();
        if state.queue.is_empty() {
            // Nobody listens any more only if the caller gave up.
            let _ = sender.send(());
        } else {
            state.drained = Some(sender);
        }
        receiver
    }

    /// Whether a client is connected to the application: until it is, and again when it has left, the
    /// session has a limited time.
    pub fn set_connected(&self, connected: bool) {
        {
            let mut state = self.state.borrow_mut();
            if state.connected.0 == connected {
                return;
            }
            state.connected = (connected, Instant::now());
        }
        if connected {
            self.hub.admission.connected(self.id, self.address);
        } else {
            self.hub.admission.waiting(self.handle(), self.address);
        }
    }

    pub fn is_open(&self) -> bool {
        self.state.borrow().transport.is_open()
    }

    /// Drops the connection; nothing more is sent, and the client comes back by itself.
    pub fn abort(self: &Rc<Self>) {
        self.end(CloseReason::Aborted);
    }

    /// Closes the session; everything before is sent.
    pub fn close(self: &Rc<Self>) {
        self.end(CloseReason::ByServer);
    }

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
                    // To a client that reads. For one that does not there is nothing to be said.
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
                    // The request may be gone; so is then the client.
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

    /// A packet came. Breaking the protocol ends the session.
    pub(crate) fn receive(self: &Rc<Self>, packet: Result<Packet, ()>) {
        if self.exceeds_packet_rate() {
            self.end(CloseReason::ByServer);
            return;
        }
        match packet {
            Ok(Packet::Message(text)) => {
                let text = ByteString::from(text.as_str());
                self.handler.message(Message::Text(text), self);
            }
            Ok(Packet::Binary(bytes)) => self.handler.message(Message::Binary(bytes), self),
            Ok(Packet::Pong) => self.state.borrow_mut().awaits_pong = false,
            Ok(Packet::Noop) => {}
            Ok(Packet::Close) => self.end(CloseReason::ByClient),
            // A ping, or what belongs to an upgrade.
            Ok(_) | Err(()) => self.end(CloseReason::ByServer),
        }
    }

    /// Reads a text packet and takes it.
    pub(crate) fn receive_text(self: &Rc<Self>, text: &str) {
        let packet = Packet::parse(ProtocolVersion::V4, text.to_owned());
        self.receive(packet.map_err(drop));
    }

    pub(crate) fn exceeds_packet_rate(&self) -> bool {
        let mut state = self.state.borrow_mut();
        if state.packet_count.0.elapsed() >= Duration::from_secs(1) {
            state.packet_count = (Instant::now(), 0);
        }
        state.packet_count.1 += 1;
        state.packet_count.1 > self.hub.limits.packets_per_second
    }

    /// Deadlines: to connect, to answer a ping, to be quick enough. `stalled`: this thread was held
    /// up, and may not have heard yet what the client said in time.
    pub(crate) fn check_deadlines(self: &Rc<Self>, stalled: bool) {
        let limits = &self.hub.limits;
        let mut state = self.state.borrow_mut();
        if let Transport::Closing(since) = state.transport {
            if since.elapsed() > LAST_POLL_TIMEOUT {
                drop(state);
                self.hub.remove(self);
            }
            return;
        }
        let late =
            !stalled && state.awaits_pong && state.pinged_at.elapsed() >= limits.ping_timeout;
        let (connected, since) = state.connected;
        let nobody = !stalled && !connected && since.elapsed() >= limits.connect_timeout;
        let stuck = state.is_stuck(&self.hub.ring.borrow());
        if late || nobody || stuck {
            drop(state);
            self.end(if nobody {
                CloseReason::ByServer
            } else {
                CloseReason::Aborted
            });
            return;
        }
        if let Some(upgrade) = state.upgrade.take_if(|upgrade| upgrade.is_late(limits)) {
            upgrade.abort();
        }
        let now = Instant::now();
        if !state.awaits_pong && now >= state.next_ping {
            // When it was due, so that the client's deadline and ours are the same.
            let tardy = now - state.next_ping > limits.ping_timeout / 2;
            state.pinged_at = if tardy { now } else { state.next_ping };
            state.next_ping = state.pinged_at + limits.ping_interval;
            state.awaits_pong = true;
            drop(state);
            self.push(OutPacket::Text(String::from(Packet::Ping).into()));
            let mut state = self.state.borrow_mut();
            if state.queue.is_empty() {
                // The client has it only now, and all its time to answer.
                state.pinged_at = Instant::now();
            }
        }
    }

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
        // Whoever reads may take at once what makes others too slow.
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

impl Transport {
    fn is_open(&self) -> bool {
        matches!(self, Transport::Polling(_) | Transport::WebSocket(_))
    }
}
