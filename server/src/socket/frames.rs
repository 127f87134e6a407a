//! Socket.IO events as frames: what the broadcaster sends, encoded once.
//!
//! Every event of the log ends with its offset, an opaque string that holds the event number: everything up
//! to it has been sent.

use bytestring::ByteString;
use dispatch_actors::broadcaster::{Announcement, Encode};
use dispatch_actors::presence::Person;
use dispatch_actors::repair_order::RoNumber;
use dispatch_actors::store::Seq;
use engineioxide_core::Packet as EnginePacket;
use jiff::Timestamp;
use serde::Serialize;
use socketioxide_core::packet::Packet;
use socketioxide_core::parser::Parse;
use socketioxide_core::{Str, Value};
use socketioxide_parser_common::CommonParser;

use crate::repair_orders::wire::{Hello, RoModified, RoPresence, RoPresences, Tick};
use crate::technicians::TechnicianNames;

/// The only namespace there is.
pub(super) const NAMESPACE: &str = "/";

pub struct Frames {
    names: TechnicianNames,
}

impl Frames {
    pub fn new(names: TechnicianNames) -> Self {
        Self { names }
    }
}

impl Encode for Frames {
    fn modified(&self, announcement: &Announcement) -> ByteString {
        event(
            "RO_MODIFIED",
            &RoModified::new(announcement, &self.names),
            announcement.event.seq,
        )
    }

    fn hello(&self, seq: Seq) -> ByteString {
        event("hello", &Hello { seq, now: now() }, seq)
    }

    fn tick(&self, seq: Seq) -> ByteString {
        event("tick", &Tick { seq, now: now() }, seq)
    }

    fn presence(&self, number: RoNumber, people: &[Person]) -> ByteString {
        // Without an offset: it is no event of the log, and nobody resumes from it.
        named("RO_PRESENCE", &(RoPresence::new(number, people),))
    }

    fn presences(&self, orders: &[(RoNumber, Vec<Person>)]) -> ByteString {
        let orders = orders.iter();
        let orders = orders.map(|(number, people)| RoPresence::new(*number, people));
        let payload = RoPresences {
            orders: orders.collect(),
        };
        named("RO_PRESENCES", &(payload,))
    }
}

fn event(name: &str, payload: &impl Serialize, seq: Seq) -> ByteString {
    named(name, &(payload, seq.to_string()))
}

fn named(name: &str, arguments: &impl Serialize) -> ByteString {
    match CommonParser.encode_value(arguments, Some(name)) {
        Ok(value) => frame(Packet::event(NAMESPACE, value)),
        // Our own types, of texts and numbers, always serialise; this is for the compiler.
        Err(error) => {
            tracing::error!(%error, name, "an event could not be encoded");
            frame_text(EnginePacket::Noop)
        }
    }
}

/// A Socket.IO packet as one Engine.IO text frame.
pub(super) fn frame(packet: Packet) -> ByteString {
    match CommonParser.encode(packet) {
        Value::Str(text, _) => frame_text(EnginePacket::Message(text)),
        // The common parser makes text of everything that has no attachments; we send none.
        Value::Bytes(_) => frame_text(EnginePacket::Noop),
    }
}

/// JSON as a packet's payload.
pub(super) fn json(value: &impl Serialize) -> Value {
    Value::Str(Str::from(serde_json::json!(value).to_string()), None)
}

pub(super) fn frame_text(packet: EnginePacket) -> ByteString {
    ByteString::from(String::from(packet))
}

fn now() -> String {
    let now = Timestamp::now();
    Timestamp::from_millisecond(now.as_millisecond())
        .unwrap_or(now)
        .to_string()
}
