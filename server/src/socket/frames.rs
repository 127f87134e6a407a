//! Socket.IO events as frames: what the broadcaster sends, encoded once.
//!
//! Every event ends with its offset, an opaque string that holds the event number: everything up
//! to it has been sent.

use bytestring::ByteString;
use dispatch_actors::broadcaster::{Announcement, Encode};
use dispatch_actors::store::Seq;
use engineioxide_core::Packet as EnginePacket;
use jiff::Timestamp;
use serde::Serialize;
use socketioxide_core::packet::Packet;
use socketioxide_core::parser::Parse;
use socketioxide_core::{Str, Value};
use socketioxide_parser_common::CommonParser;

use crate::repair_orders::wire::{Hello, RoModified, Tick};
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
}

fn event(name: &str, payload: &impl Serialize, seq: Seq) -> ByteString {
    let offset = seq.to_string();
    match CommonParser.encode_value(&(payload, offset), Some(name)) {
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
