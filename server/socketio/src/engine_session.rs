//! One Engine.IO session: what is to be sent, over whichever transport there is, and its
//! heartbeat. It belongs to one thread and costs other threads nothing.

mod closing;
mod deadlines;
mod delivery;
mod outbound;
mod polls;
mod transport_upgrade;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::net::IpAddr;
use std::rc::Rc;
use std::time::Instant;

use bytes::Bytes;
use bytestring::ByteString;
use engineioxide_core::{OpenPacket, Packet, ProtocolVersion, Sid, TransportType};
use smallvec::{SmallVec, smallvec};
use tokio::sync::oneshot;

use outbound::{MAX_QUEUE, MAX_QUEUE_BYTES};
use transport_upgrade::TransportUpgrade;

pub(crate) use closing::CloseReason;
pub(crate) use delivery::Delivery;
pub(crate) use outbound::OutPacket;

use crate::feed::Feed;
use crate::frame::Frame;
use crate::handler::{Message, SessionHandler};
use crate::handshake::Refusal;
use crate::hub::Hub;
use crate::hub_actor::SessionHandle;
use crate::ring::Position;
use crate::sid::SessionId;
use crate::ws_writer::WsWriter;

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

    /// From the stream's next message on the session receives what it is interested in.
    pub fn subscribe(&self, interest: F::Interest) {
        let end = self.hub.ring.borrow().end();
        self.state.borrow_mut().subscription = Some((end, interest));
    }

    /// The session receives nothing of the stream any more.
    pub fn unsubscribe(&self) {
        self.state.borrow_mut().subscription = None;
    }

    /// Resolves when everything that was pushed is written; fails when the session ends first.
    pub(crate) fn drained(&self) -> oneshot::Receiver<()> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.state.borrow_mut();
        if state.queue.is_empty() {
            // The receiver is gone only if the caller gave up.
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
}

impl Transport {
    fn is_open(&self) -> bool {
        matches!(self, Transport::Polling(_) | Transport::WebSocket(_))
    }
}
