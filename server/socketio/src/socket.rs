//! One namespace of one client: what is sent to it.

use std::rc::Rc;

use bytes::Bytes;
use bytestring::ByteString;
use serde::Serialize;
use socketioxide_core::packet::{Packet, PacketData};
use socketioxide_core::parser::Parse;
use socketioxide_core::{Str, Value};
use socketioxide_parser_common::CommonParser;

use crate::engine_session::EngineSession;
use crate::feed::Feed;
use crate::handler::Message;

/// The namespace everybody has.
pub const MAIN: &str = "/";

/// A client's namespace, which can be sent events.
pub struct Socket<F: Feed> {
    pub session: Rc<EngineSession<F>>,
    pub(crate) namespace: Str,
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

    pub(crate) fn send(&self, packet: Packet) {
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
    // Lists of texts, numbers and parsed JSON always serialise.
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

/// Tells a client not to reconnect by itself.
pub(crate) fn disconnect<F: Feed>(session: &Rc<EngineSession<F>>) {
    session.send(Message::Text(encode(Packet::disconnect(MAIN))));
}

pub(crate) fn send_connect_error<F: Feed>(socket: &Socket<F>, refusal: &serde_json::Value) {
    // The parser's CONNECT_ERROR takes a sentence alone; clients also want the code.
    let prefix = match &*socket.namespace {
        MAIN => String::new(),
        namespace => format!("{namespace},"),
    };
    let text = format!("4{prefix}{refusal}");
    socket.session.send(Message::Text(text.into()));
}
