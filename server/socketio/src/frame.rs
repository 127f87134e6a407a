//! Messages that are encoded once for all sessions.

use actix_http::ws::{OpCode, Parser};
use bytes::{Bytes, BytesMut};
use serde::Serialize;

/// An Engine.IO message that holds a Socket.IO event of the main namespace.
const EVENT: &[u8] = b"42";

/// The largest head of a WebSocket frame that a server sends, in bytes.
const MAX_HEAD: usize = 10;

/// An Engine.IO packet as the WebSocket frame that every session is written. Clones share their
/// bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    bytes: Bytes,
    head: usize,
}

/// A [`Frame`], or what is kept like one elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct FrameRef<'a> {
    bytes: &'a Bytes,
    head: usize,
}

impl Frame {
    /// An Engine.IO packet of text.
    pub fn of_packet(packet: &[u8]) -> Self {
        let mut bytes = BytesMut::with_capacity(packet.len() + MAX_HEAD);
        Parser::write_message(&mut bytes, packet, OpCode::Text, true, false);
        Self {
            head: bytes.len() - packet.len(),
            bytes: bytes.freeze(),
        }
    }

    /// A Socket.IO event of the main namespace. `list`: its name and arguments, which must
    /// serialise as a list. Fails where that cannot be JSON.
    pub fn event(list: &impl Serialize) -> serde_json::Result<Self> {
        let mut packet = EVENT.to_vec();
        serde_json::to_writer(&mut packet, list)?;
        Ok(Self::of_packet(&packet))
    }

    /// Bytes that another frame was taken apart into.
    pub fn from_parts(bytes: Bytes, head: usize) -> Self {
        Self { bytes, head }
    }

    /// All its bytes, and how many of them are the head of the WebSocket frame.
    pub fn into_parts(self) -> (Bytes, usize) {
        (self.bytes, self.head)
    }

    /// In bytes, as it is written.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    pub fn as_frame_ref(&self) -> FrameRef<'_> {
        FrameRef::new(&self.bytes, self.head)
    }

    /// The Engine.IO packet alone.
    pub(crate) fn packet(&self) -> &[u8] {
        self.bytes.get(self.head..).unwrap_or_default()
    }

    pub(crate) fn bytes(&self) -> &Bytes {
        &self.bytes
    }
}

impl<'a> FrameRef<'a> {
    /// `bytes`: one whole WebSocket frame of text, unmasked, that holds an Engine.IO packet.
    /// `head`: how many bytes at its front are before the packet.
    pub fn new(bytes: &'a Bytes, head: usize) -> Self {
        Self { bytes, head }
    }

    pub fn to_frame(self) -> Frame {
        Frame::from_parts(self.bytes.clone(), self.head)
    }

    pub(crate) fn bytes(self) -> &'a Bytes {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_frame_is_a_websocket_frame_of_its_packet(length in prop_oneof![0..300_usize, 65_000..70_000_usize]) {
            let packet = vec![b'4'; length];
            let frame = Frame::of_packet(&packet);
            prop_assert_eq!(frame.packet(), &packet[..]);
            let (bytes, head) = frame.into_parts();
            let expected = match length {
                0..126 => 2,
                126..65_536 => 4,
                _ => 10,
            };
            prop_assert_eq!((bytes[0], head), (0x81, expected));
        }
    }

    #[test]
    fn an_event_is_a_list_in_an_engine_io_message() {
        let frame = Frame::event(&("tick", 7)).unwrap();
        assert_eq!(frame.packet(), br#"42["tick",7]"#);
    }
}
