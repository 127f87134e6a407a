//! One Engine.IO session: what is to be sent, over whichever transport there is, and its
//! heartbeat. It belongs to one thread and costs nobody else anything.

mod outgoing;
mod polls;
mod takeover;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use actix_http::ws::Parser;
use bytes::{Bytes, BytesMut};
use bytestring::ByteString;
use dispatch_actors::broadcaster::SessionId;
use engineioxide_core::{OpenPacket, Packet, ProtocolVersion, Sid, TransportType};
use tokio::sync::oneshot;

use outgoing::{QUEUE, QUEUE_BYTES};
use takeover::Upgrade;

pub(super) use outgoing::{Delta, Out};

use super::engine::{Joined, Listener, Message, Refusal};
use super::hub::Hub;
use super::polling::payload;
use super::ring::{Interest, Position, Ring};
use super::wire::Wire;
use crate::crowds::Holder;

/// A client that closed a polling session may still ask once more.
const GOODBYE: Duration = Duration::from_secs(5);

pub struct Line {
    pub id: SessionId,
    pub(super) sid: Sid,
    /// Where its client is.
    address: IpAddr,
    hub: Rc<Hub>,
    listener: Box<dyn Listener>,
    state: RefCell<State>,
}

struct State {
    transport: Transport,
    queue: VecDeque<Out>,
    queued: usize,
    /// Where in the stream the session is, and what it wants of it.
    place: Option<(Position, Interest)>,
    /// Waits until the queue is empty.
    drained: Option<oneshot::Sender<()>>,
    upgrade: Option<Upgrade>,
    holder: Option<Holder>,
    /// Somebody is connected; since when there is or is nobody.
    connected: (bool, Instant),
    /// When the next ping is due.
    pings_at: Instant,
    pinged_at: Instant,
    awaits_pong: bool,
    /// When the running second of the packet count began, and the count.
    counted: (Instant, u32),
}

enum Transport {
    Polling(Option<Poll>),
    WebSocket(Rc<Wire>),
    /// The client closed; a last poll is answered kindly.
    Left(Instant),
    Closed,
}

/// What a poll is answered with.
pub(super) type Polled = Result<Bytes, Refusal>;
pub(super) type Poll = oneshot::Sender<Polled>;

/// How a session ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// The client said so.
    Left,
    /// The server says so; everything before it is sent.
    Closed,
    /// The connection is of no use: nothing more is sent.
    Cut,
}

impl Line {
    /// A session that polls, or one on a WebSocket.
    pub(super) fn new(
        hub: &Rc<Hub>,
        (id, sid): (SessionId, Sid),
        (wire, address): (Option<Rc<Wire>>, IpAddr),
        listener: Box<dyn Listener>,
    ) -> Rc<Self> {
        let now = Instant::now();
        let upgrades = match wire {
            Some(_) => smallvec::SmallVec::new(),
            None => smallvec::smallvec![TransportType::Websocket],
        };
        let limits = &hub.limits;
        let open = Packet::Open(OpenPacket {
            sid,
            upgrades,
            ping_interval: limits.ping_interval,
            ping_timeout: limits.ping_timeout,
            max_payload: limits.max_payload as u64,
        });
        let line = Rc::new(Self {
            id,
            sid,
            address,
            hub: Rc::clone(hub),
            listener,
            state: RefCell::new(State {
                transport: match wire {
                    Some(wire) => Transport::WebSocket(wire),
                    None => Transport::Polling(None),
                },
                queue: VecDeque::new(),
                queued: 0,
                place: None,
                drained: None,
                upgrade: None,
                holder: None,
                connected: (false, now),
                pings_at: now + limits.ping_interval,
                pinged_at: now,
                awaits_pong: false,
                counted: (now, 0),
            }),
        });
        line.push(Out::Text(String::from(open).into()));
        line
    }

    pub(super) fn opened(self: &Rc<Self>) {
        self.listener.opened(self);
    }

    pub(super) fn joined(self: &Rc<Self>, joined: Joined) {
        self.listener.joined(joined, self);
    }

    pub(super) fn hub(&self) -> &Rc<Hub> {
        &self.hub
    }

    /// Sends a message.
    pub fn send(self: &Rc<Self>, message: Message) {
        self.push(match message {
            Message::Text(text) => Out::Text(format!("4{text}").into()),
            Message::Binary(bytes) => Out::Binary(bytes),
        });
    }

    /// Sends what is an Engine.IO packet already.
    pub(super) fn push(self: &Rc<Self>, out: Out) {
        self.push_all([out]);
    }

    pub(super) fn push_all(self: &Rc<Self>, all: impl IntoIterator<Item = Out>) {
        let overflows = {
            let mut state = self.state.borrow_mut();
            if !state.transport.is_open() {
                return;
            }
            for out in all {
                state.queued += out.len();
                state.queue.push_back(out);
            }
            state.queue.len() > QUEUE || state.queued > QUEUE_BYTES
        };
        if self.flush().is_err() || (overflows && !self.state.borrow().queue.is_empty()) {
            self.end(End::Cut);
        }
    }

    /// From the stream's next message on the session hears what it is interested in.
    pub(super) fn live(&self, interest: Interest) {
        let end = self.hub.ring.borrow().end();
        self.state.borrow_mut().place = Some((end, interest));
    }

    /// The session hears nothing of the stream any more.
    pub(super) fn rest(&self) {
        self.state.borrow_mut().place = None;
    }

    /// Resolves when all that was pushed is written; fails when the session ends first.
    pub(super) fn drained(&self) -> oneshot::Receiver<()> {
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

    /// Whether the client is at its application: until then, and again when it has left, it has a
    /// limited time.
    pub fn set_connected(&self, connected: bool) {
        {
            let mut state = self.state.borrow_mut();
            if state.connected.0 == connected {
                return;
            }
            state.connected = (connected, Instant::now());
        }
        let holder = connected.then(|| {
            let holder = self.state.borrow_mut().holder.take();
            // Of an application that knows no accounts.
            holder.unwrap_or_else(|| Holder::address(self.address))
        });
        self.hub.set_signed_in(self.id, self.address, holder);
    }

    /// By whom it is counted once it is connected.
    pub(super) fn held_by(&self, holder: Holder) {
        self.state.borrow_mut().holder = Some(holder);
    }

    /// Where its client is.
    pub(super) fn address(&self) -> IpAddr {
        self.address
    }

    pub fn is_open(&self) -> bool {
        self.state.borrow().transport.is_open()
    }

    /// Closes the session; everything before is sent.
    pub fn close(self: &Rc<Self>) {
        self.end(End::Closed);
    }

    pub(super) fn end(self: &Rc<Self>, end: End) {
        {
            let mut state = self.state.borrow_mut();
            if !state.transport.is_open() {
                return;
            }
            let next = match (&state.transport, end) {
                (Transport::Polling(None), End::Left) => Transport::Left(Instant::now()),
                _ => Transport::Closed,
            };
            if let Some(upgrade) = state.upgrade.take() {
                upgrade.cut();
            }
            match std::mem::replace(&mut state.transport, next) {
                Transport::WebSocket(wire) if end == End::Cut => wire.cut(),
                Transport::WebSocket(wire) => {
                    let mut bytes = BytesMut::new();
                    state
                        .queue
                        .drain(..)
                        .for_each(|out| out.write_to(&mut bytes));
                    Parser::write_close(&mut bytes, None, false);
                    // To a client that reads. For one that does not there is nothing to be said.
                    if matches!(wire.flush(), Ok(true)) && wire.write(bytes.freeze()).is_ok() {
                        wire.end();
                    } else {
                        wire.cut();
                    }
                }
                Transport::Polling(Some(poll)) => {
                    let packet = match end {
                        End::Left => Packet::Noop,
                        End::Closed | End::Cut => Packet::Close,
                    };
                    let mut packets = std::mem::take(&mut state.queue);
                    packets.push_back(Out::Text(String::from(packet).into()));
                    // The request may be gone; so is then the client.
                    let _ = poll.send(Ok(payload(packets.iter())));
                }
                Transport::Polling(None) | Transport::Left(_) | Transport::Closed => {}
            }
            state.queue = VecDeque::new();
            state.place = None;
            state.drained = None;
        }
        self.listener.closed(self);
        if !matches!(self.state.borrow().transport, Transport::Left(_)) {
            self.hub.forget(self);
        }
    }

    /// A packet came. Breaking the protocol ends the session.
    pub(super) fn receive(self: &Rc<Self>, packet: Result<Packet, ()>) {
        if self.floods() {
            self.end(End::Closed);
            return;
        }
        match packet {
            Ok(Packet::Message(text)) => {
                let text = ByteString::from(text.as_str());
                self.listener.message(Message::Text(text), self);
            }
            Ok(Packet::Binary(bytes)) => self.listener.message(Message::Binary(bytes), self),
            Ok(Packet::Pong) => self.state.borrow_mut().awaits_pong = false,
            Ok(Packet::Noop) => {}
            Ok(Packet::Close) => self.end(End::Left),
            // A ping, or what belongs to an upgrade.
            Ok(_) | Err(()) => self.end(End::Closed),
        }
    }

    /// Reads a text packet and takes it.
    pub(super) fn receive_text(self: &Rc<Self>, text: &str) {
        let packet = Packet::parse(ProtocolVersion::V4, text.to_owned());
        self.receive(packet.map_err(drop));
    }

    pub(super) fn floods(&self) -> bool {
        let mut state = self.state.borrow_mut();
        if state.counted.0.elapsed() >= Duration::from_secs(1) {
            state.counted = (Instant::now(), 0);
        }
        state.counted.1 += 1;
        state.counted.1 > self.hub.limits.packets_per_second
    }

    /// Deadlines: to connect, to answer a ping, to be quick enough. `stalled`: this thread was held
    /// up, and may not have heard yet what the client said in time.
    pub(super) fn watch(self: &Rc<Self>, stalled: bool) {
        let limits = &self.hub.limits;
        let mut state = self.state.borrow_mut();
        if let Transport::Left(since) = state.transport {
            if since.elapsed() > GOODBYE {
                drop(state);
                self.hub.forget(self);
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
            self.end(if nobody { End::Closed } else { End::Cut });
            return;
        }
        if let Some(upgrade) = state.upgrade.take_if(|upgrade| upgrade.is_late(limits)) {
            upgrade.cut();
        }
        let now = Instant::now();
        if !state.awaits_pong && now >= state.pings_at {
            // When it was due, so that the client's deadline and ours are the same.
            let tardy = now - state.pings_at > limits.ping_timeout / 2;
            state.pinged_at = if tardy { now } else { state.pings_at };
            state.pings_at = state.pinged_at + limits.ping_interval;
            state.awaits_pong = true;
            drop(state);
            self.push(Out::Text(String::from(Packet::Ping).into()));
            let mut state = self.state.borrow_mut();
            if state.queue.is_empty() {
                // The client has it only now, and all its time to answer.
                state.pinged_at = Instant::now();
            }
        }
    }

    /// Writes what can be written now.
    pub(super) fn flush(&self) -> io::Result<()> {
        let ring = self.hub.ring.borrow();
        self.state.borrow_mut().flush(&ring)
    }

    /// The stream has more. False when the session must end.
    pub(super) fn deliver(&self, delta: &mut Delta, ring: &Ring) -> bool {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let Some((position, interest)) = &mut state.place else {
            return true;
        };
        if *position == ring.end() {
            return true;
        }
        if let Transport::WebSocket(wire) = &state.transport
            && state.queue.is_empty()
            && wire.is_idle()
            && let Some(bytes) = delta.at(*position, interest, ring)
        {
            if bytes.is_empty() {
                // All of it was for others.
                *position = ring.end();
                return true;
            }
            return match wire.try_write(bytes) {
                // All for now stays in the ring.
                Ok(0) => {
                    wire.hold(Bytes::new());
                    true
                }
                Ok(written) => {
                    *position = ring.end();
                    if written < bytes.len() {
                        wire.hold(bytes.slice(written..));
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
    pub(super) fn is_settled(&self, end: Position) -> bool {
        let state = self.state.borrow();
        match (&state.transport, &state.place) {
            (Transport::WebSocket(wire), Some((position, _))) => *position >= end && wire.is_idle(),
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
