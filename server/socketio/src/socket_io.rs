//! Socket.IO over an Engine.IO session: namespaces, events, acknowledgements. The packet crates
//! code and decode; what they let through and the protocol does not is refused here.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use bytestring::ByteString;
use engineioxide_core::Sid;
use futures_util::future::LocalBoxFuture;
use serde::Serialize;
use serde_json::value::RawValue;
use socketioxide_core::packet::{Packet, PacketData};
use socketioxide_core::parser::{Parse, ParseConfig, ParseError, ParserState};
use socketioxide_core::{Str, Value};
use socketioxide_parser_common::CommonParser;

use crate::engine_session::EngineSession;
use crate::feed::Feed;
use crate::handler::{EngineApplication, Message, SessionHandler};
use crate::hub::Hub;
use crate::limits::Limits;
use crate::packets::{fits, is_event, is_list, is_object};

/// The namespace everybody has.
pub const MAIN: &str = "/";

/// Attachments come within this time of their packet.
const ATTACHMENTS_TIMEOUT: Duration = Duration::from_secs(10);

/// CONNECTs of one session that the application may refuse: a client has one token, and perhaps a
/// newer one.
const MAX_REFUSALS: u32 = 5;

/// What is above Socket.IO, one for each thread.
pub trait Application: 'static {
    /// What its sessions may hear.
    type Feed: Feed;

    /// One connected client's. Dropped when it has left.
    type Client: 'static;

    /// Whether there is such a namespace.
    fn serves(&self, namespace: &str) -> bool;

    /// Lets a client in, or not. `auth`: the JSON that came with CONNECT.
    fn connect(
        &self,
        socket: &Socket<Self::Feed>,
        auth: Option<&str>,
    ) -> LocalBoxFuture<'static, Result<Accepted<Self::Client>, Denied>>;

    /// The client knows that it is in.
    fn connected(&self, socket: &Socket<Self::Feed>, client: &Rc<Self::Client>);

    fn event(&self, socket: &Socket<Self::Feed>, client: &Rc<Self::Client>, event: Event);

    /// The thread's hub has started; its sessions come later.
    fn started(&self, _: &Rc<Hub<Self::Feed>>) {}

    /// The publisher has taken the session in, on which this client is connected to the main
    /// namespace; see [`Hub::session_joined`].
    fn joined(
        &self,
        _: &Socket<Self::Feed>,
        _: &Rc<Self::Client>,
        _: <Self::Feed as Feed>::Joined,
    ) {
    }

    fn left(&self, _: &Socket<Self::Feed>) {}
}

pub struct Accepted<Client> {
    pub client: Client,
    /// The name with which the client may come back, for applications that recover sessions; one
    /// that was recovered has the same again.
    pub pid: Option<String>,
}

/// Why a client is not let in.
pub enum Denied {
    /// CONNECT_ERROR, which stops the client's own reconnecting.
    Refused(serde_json::Value),
    /// A passing fault: the connection closes, and the client comes back.
    Fault,
}

/// An event of a client.
pub struct Event {
    /// A JSON list that begins with the name.
    list: ByteString,
    pub attachments: Vec<Bytes>,
    /// The client's number for the acknowledgement it wants.
    pub ack: Option<i64>,
}

impl Event {
    /// The list as it came.
    pub fn json(&self) -> &str {
        &self.list
    }

    /// The arguments, each as it came.
    pub fn arguments(&self) -> Vec<&RawValue> {
        let mut list: Vec<&RawValue> = serde_json::from_str(&self.list).unwrap_or_default();
        if !list.is_empty() {
            list.remove(0);
        }
        list
    }

    pub fn name(&self) -> String {
        let list: Vec<&RawValue> = serde_json::from_str(&self.list).unwrap_or_default();
        let name = list.first().map(|name| serde_json::from_str(name.get()));
        name.and_then(Result::ok).unwrap_or_default()
    }
}

/// Where a client's namespace is answered.
pub struct Socket<F: Feed> {
    pub session: Rc<EngineSession<F>>,
    namespace: Str,
}

impl<F: Feed> Clone for Socket<F> {
    fn clone(&self) -> Self {
        Self {
            session: Rc::clone(&self.session),
            namespace: self.namespace.clone(),
        }
    }
}

impl<F: Feed> Socket<F> {
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Sends an event. `list`: name and arguments.
    pub fn emit(&self, list: &impl Serialize, attachments: Vec<Bytes>) {
        let list = value(list, attachments);
        self.send(Packet::event(self.namespace.clone(), list));
    }

    pub fn acknowledge(&self, ack: i64, list: &impl Serialize, attachments: Vec<Bytes>) {
        let list = value(list, attachments);
        self.send(Packet::ack(self.namespace.clone(), list, ack));
    }

    fn send(&self, packet: Packet) {
        let attachments = match &packet.inner {
            PacketData::BinaryEvent(Value::Str(_, Some(attachments)), _)
            | PacketData::BinaryAck(Value::Str(_, Some(attachments)), _) => attachments.clone(),
            _ => std::collections::VecDeque::new(),
        };
        self.session.send(Message::Text(encode(packet)));
        for attachment in attachments {
            self.session.send(Message::Binary(attachment));
        }
    }
}

fn value(list: &impl Serialize, attachments: Vec<Bytes>) -> Value {
    // Lists of texts, numbers and JSON that was read always serialise.
    let json = serde_json::to_string(list).unwrap_or_default();
    Value::Str(
        Str::from(json),
        (!attachments.is_empty()).then(|| attachments.into()),
    )
}

/// A packet as the text that Engine.IO carries.
fn encode(packet: Packet) -> ByteString {
    match CommonParser.encode(packet) {
        Value::Str(text, _) => ByteString::from(text.as_str()),
        // The common parser makes text of every packet.
        Value::Bytes(_) => ByteString::new(),
    }
}

/// Tells a client not to come back by itself.
pub(crate) fn disconnect<F: Feed>(session: &Rc<EngineSession<F>>) {
    session.send(Message::Text(encode(Packet::disconnect(MAIN))));
}

/// An [`Application`] on Engine.IO.
pub struct SocketIoApplication<A: Application> {
    application: Rc<A>,
    limits: ParseConfig,
}

impl<A: Application> SocketIoApplication<A> {
    pub fn new(application: A, limits: &Limits) -> Self {
        Self {
            application: Rc::new(application),
            limits: ParseConfig {
                max_incoming_binaries: limits.attachments,
                max_incoming_binary_buf_size: limits.max_payload,
                packet_completion_timeout: ATTACHMENTS_TIMEOUT,
            },
        }
    }
}

impl<A: Application> EngineApplication<A::Feed> for SocketIoApplication<A> {
    fn handler(&self) -> Box<dyn SessionHandler<A::Feed>> {
        Box::new(SocketIo {
            shared: Rc::new(Shared {
                application: Rc::clone(&self.application),
                parser: ParserState::default(),
                limits: self.limits.clone(),
                clients: RefCell::default(),
                refusals: Cell::default(),
            }),
        })
    }

    fn started(&self, hub: &Rc<Hub<A::Feed>>) {
        self.application.started(hub);
    }
}

/// One session's conversation.
struct SocketIo<A: Application> {
    shared: Rc<Shared<A>>,
}

struct Shared<A: Application> {
    application: Rc<A>,
    parser: ParserState,
    limits: ParseConfig,
    clients: RefCell<Vec<(Str, Stage<A::Client>)>>,
    /// CONNECTs that the application refused.
    refusals: Cell<u32>,
}

enum Stage<Client> {
    Connecting,
    Connected(Rc<Client>),
}

impl<A: Application> SessionHandler<A::Feed> for SocketIo<A> {
    fn message(&self, message: Message, session: &Rc<EngineSession<A::Feed>>) {
        let shared = &self.shared;
        let packet = match message {
            Message::Text(text) => CommonParser.decode_str(
                &shared.limits,
                &shared.parser,
                Str::from(String::from(text)),
            ),
            Message::Binary(bytes) => {
                CommonParser.decode_bin(&shared.limits, &shared.parser, bytes)
            }
        };
        let understood = match packet {
            Ok(packet) => Shared::packet(shared, packet, session),
            Err(ParseError::NeedsMoreBinaryData) => true,
            Err(_) => false,
        };
        if !understood {
            session.close();
        }
    }

    fn joined(&self, joined: <A::Feed as Feed>::Joined, session: &Rc<EngineSession<A::Feed>>) {
        let namespace = Str::from(MAIN);
        if let Some(client) = self.shared.client(&namespace) {
            let socket = Socket {
                session: Rc::clone(session),
                namespace,
            };
            self.shared.application.joined(&socket, &client, joined);
        }
    }

    fn closed(&self, session: &Rc<EngineSession<A::Feed>>) {
        let clients = self.shared.clients.take();
        for (namespace, stage) in clients {
            if matches!(stage, Stage::Connected(_)) {
                self.shared.application.left(&Socket {
                    session: Rc::clone(session),
                    namespace,
                });
            }
        }
    }
}

impl<A: Application> Shared<A> {
    fn client(&self, namespace: &Str) -> Option<Rc<A::Client>> {
        let clients = self.clients.borrow();
        let found = clients.iter().find(|(name, _)| name == namespace);
        match found {
            Some((_, Stage::Connected(client))) => Some(Rc::clone(client)),
            _ => None,
        }
    }

    /// False when the packet has no place here.
    fn packet(shared: &Rc<Self>, packet: Packet, session: &Rc<EngineSession<A::Feed>>) -> bool {
        let socket = Socket {
            session: Rc::clone(session),
            namespace: packet.ns,
        };
        if let PacketData::Connect(auth) = packet.inner {
            return Self::connect(shared, socket, auth);
        }
        let Some(client) = shared.client(&socket.namespace) else {
            return false;
        };
        let (event, ack) = match packet.inner {
            PacketData::Disconnect => {
                shared.leave(&socket);
                return true;
            }
            PacketData::Event(event, ack) => (event, ack),
            PacketData::BinaryEvent(event, ack) if fits(&event) => (event, ack),
            PacketData::EventAck(arguments, _) => return is_list(&arguments),
            PacketData::BinaryAck(arguments, _) => return is_list(&arguments) && fits(&arguments),
            PacketData::BinaryEvent(..) => return false,
            PacketData::Connect(_) | PacketData::ConnectError(_) => return false,
        };
        if !is_event(&event) {
            return false;
        }
        let Value::Str(list, attachments) = event else {
            return false;
        };
        let event = Event {
            list: ByteString::from(list.as_str()),
            attachments: attachments.unwrap_or_default().into(),
            ack,
        };
        shared.application.event(&socket, &client, event);
        true
    }

    fn connect(shared: &Rc<Self>, socket: Socket<A::Feed>, auth: Option<Value>) -> bool {
        if !auth.as_ref().is_none_or(is_object) {
            return false;
        }
        if !shared.application.serves(&socket.namespace) {
            refuse(
                &socket,
                &serde_json::json!({ "message": "Invalid namespace" }),
            );
            return true;
        }
        {
            let mut clients = shared.clients.borrow_mut();
            if clients.iter().any(|(name, _)| *name == socket.namespace) {
                return false;
            }
            clients.push((socket.namespace.clone(), Stage::Connecting));
        }
        let auth = auth.as_ref().and_then(Value::as_str).map(|auth| &**auth);
        let connect = shared.application.connect(&socket, auth);
        let shared = Rc::clone(shared);
        actix::spawn(async move {
            let accepted = connect.await;
            if !socket.session.is_open() {
                return;
            }
            match accepted {
                Ok(accepted) => shared.accept(&socket, accepted),
                Err(Denied::Refused(refusal)) => {
                    shared.forget(&socket.namespace);
                    shared.refuse(&socket, &refusal);
                }
                Err(Denied::Fault) => socket.session.close(),
            }
        });
        true
    }

    fn accept(&self, socket: &Socket<A::Feed>, accepted: Accepted<A::Client>) {
        let client = Rc::new(accepted.client);
        for (namespace, stage) in &mut *self.clients.borrow_mut() {
            if *namespace == socket.namespace {
                *stage = Stage::Connected(Rc::clone(&client));
            }
        }
        socket.session.set_connected(true);
        let mut answer = serde_json::json!({ "sid": Sid::new() });
        if let Some(pid) = accepted.pid {
            answer["pid"] = pid.into();
        }
        let answer = Value::Str(Str::from(answer.to_string()), None);
        socket.send(Packet::connect(socket.namespace.clone(), Some(answer)));
        self.application.connected(socket, &client);
    }

    fn leave(&self, socket: &Socket<A::Feed>) {
        self.forget(&socket.namespace);
        self.application.left(socket);
        if self.clients.borrow().is_empty() {
            socket.session.set_connected(false);
        }
    }

    /// Refuses a CONNECT. Whoever tries again and again is closed.
    fn refuse(&self, socket: &Socket<A::Feed>, refusal: &serde_json::Value) {
        refuse(socket, refusal);
        self.refusals.set(self.refusals.get() + 1);
        if self.refusals.get() >= MAX_REFUSALS {
            socket.session.close();
        }
    }

    fn forget(&self, namespace: &Str) {
        let mut clients = self.clients.borrow_mut();
        clients.retain(|(name, _)| name != namespace);
    }
}

fn refuse<F: Feed>(socket: &Socket<F>, refusal: &serde_json::Value) {
    // The parser's CONNECT_ERROR takes a sentence alone; clients also want the code.
    let prefix = match &*socket.namespace {
        MAIN => String::new(),
        namespace => format!("{namespace},"),
    };
    let text = format!("4{prefix}{refusal}");
    socket.session.send(Message::Text(text.into()));
}
