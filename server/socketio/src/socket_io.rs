//! Socket.IO over an Engine.IO session: namespaces, events, acknowledgements. The packet crates
//! encode and decode; what they accept although the protocol does not is refused here.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use bytestring::ByteString;
use engineioxide_core::Sid;
use socketioxide_core::packet::{Packet, PacketData};
use socketioxide_core::parser::{Parse, ParseConfig, ParseError, ParserState};
use socketioxide_core::{Str, Value};
use socketioxide_parser_common::CommonParser;

use crate::application::{Accepted, Application, Denied, Event};
use crate::engine_session::EngineSession;
use crate::feed::Feed;
use crate::handler::{EngineApplication, Message, SessionHandler};
use crate::hub::Hub;
use crate::limits::Limits;
use crate::packets::{fits, is_event, is_list, is_object};
use crate::socket::{MAIN, Socket, send_connect_error};

/// Attachments come within this time of their packet.
const ATTACHMENTS_TIMEOUT: Duration = Duration::from_secs(10);

/// CONNECTs of one session that the application may refuse: a client has one token, and perhaps a
/// newer one.
const MAX_REFUSALS: u32 = 5;

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

/// The handler of one session.
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
        let is_valid = match packet {
            Ok(packet) => Shared::packet(shared, packet, session),
            Err(ParseError::NeedsMoreBinaryData) => true,
            Err(_) => false,
        };
        if !is_valid {
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

    /// False for a packet that breaks the protocol.
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
            send_connect_error(
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

    /// Refuses a CONNECT. A client that tries again and again is closed.
    fn refuse(&self, socket: &Socket<A::Feed>, refusal: &serde_json::Value) {
        send_connect_error(socket, refusal);
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
