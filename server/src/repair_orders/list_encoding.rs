//! A piece of the list of open orders, and pieces put together.
//!
//! Each piece is kept as JSON and as deflate data that ends on a byte boundary and refers to nothing
//! before it, so that pieces can be put one behind the other; what stands between them goes in as
//! stored (uncompressed) blocks. The gzip checksum of the whole is combined from those of its parts.
//!
//! All of it is ASCII: one letter beyond Latin-1 makes a browser keep the whole text of the list with two bytes for each
//! character, and beyond ASCII it reads them one by one.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use actix_web::web::Bytes;
use crc32fast::Hasher;
use dispatch_actors::repair_order::{RepairOrder, StageRules};
use dispatch_actors::store::Seq;
use flate2::{Compress, FlushCompress};
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use super::api_types::rows;
use crate::technician_names::TechnicianNames;

/// What stands behind the rows of the list.
pub(super) struct ListTrailer {
    pub(super) seq: Seq,
    pub(super) generation: Arc<str>,
}

/// Higher levels save a tenth of the bytes and cost twice the time.
pub(super) const COMPRESSION_LEVEL: u32 = 3;

pub(super) struct Piece {
    /// The number and version of each order in it.
    pub(super) orders: Vec<(i64, i64)>,
    pub(super) json: Vec<u8>,
    pub(super) deflated: Vec<u8>,
    pub(super) checksum: Hasher,
}

impl Piece {
    pub(super) fn new(
        orders: &[Arc<RepairOrder>],
        names: &TechnicianNames,
        stages: &StageRules,
        compress: &mut Compress,
    ) -> Self {
        let mut json = Vec::new();
        for row in orders.iter().flat_map(|order| rows(order, names, stages)) {
            if !json.is_empty() {
                json.push(b',');
            }
            let mut writer = Serializer::with_formatter(&mut json, AsciiFormatter);
            if let Err(error) = row.serialize(&mut writer) {
                // Texts and numbers always serialise; this is for the compiler.
                tracing::error!(%error, "a row could not be encoded");
            }
        }
        let mut checksum = Hasher::new();
        checksum.update(&json);
        Self {
            orders: orders
                .iter()
                .map(|order| (order.number.get(), order.version))
                .collect(),
            deflated: deflated(&json, compress),
            checksum,
            json,
        }
    }
}

/// Compact JSON in which what is not ASCII is escaped.
struct AsciiFormatter;

impl Formatter for AsciiFormatter {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if fragment.is_ascii() {
            return writer.write_all(fragment.as_bytes());
        }
        for c in fragment.chars() {
            let mut units = [0; 2];
            match c.is_ascii() {
                true => writer.write_all(&[c as u8])?,
                false => {
                    for unit in c.encode_utf16(&mut units) {
                        write!(writer, "\\u{unit:04x}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Deflate data that stands by itself and ends on a byte boundary, without an end mark.
fn deflated(json: &[u8], compress: &mut Compress) -> Vec<u8> {
    compress.reset();
    let mut data = Vec::with_capacity(json.len() / 4 + 64);
    loop {
        let read = usize::try_from(compress.total_in()).unwrap_or(json.len());
        let done = compress.compress_vec(&json[read..], &mut data, FlushCompress::Full);
        // With room left over everything is out; without, there may be more.
        if done.is_err() || data.len() < data.capacity() {
            return data;
        }
        data.reserve(json.len() / 4 + 64);
    }
}

fn head() -> &'static [u8] {
    br#"{"ok":true,"result":["#
}

fn tail(ListTrailer { seq, generation }: &ListTrailer) -> String {
    // A name of hexadecimal digits.
    format!(r#"],"seq":{seq},"generation":"{generation}"}}"#)
}

pub(super) fn plain(pieces: &BTreeMap<i64, Piece>, trailer: &ListTrailer) -> Bytes {
    let length: usize = pieces.values().map(|piece| piece.json.len() + 1).sum();
    let mut body = Vec::with_capacity(length + 64);
    body.extend_from_slice(head());
    for (index, piece) in pieces.values().enumerate() {
        if index > 0 {
            body.push(b',');
        }
        body.extend_from_slice(&piece.json);
    }
    body.extend_from_slice(tail(trailer).as_bytes());
    body.into()
}

pub(super) fn gzip(pieces: &BTreeMap<i64, Piece>, trailer: &ListTrailer) -> Bytes {
    let length: usize = pieces.values().map(|piece| piece.deflated.len() + 6).sum();
    let mut body = Vec::with_capacity(length + 128);
    // RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system.
    body.extend_from_slice(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
    let mut checksum = Hasher::new();
    stored(&mut body, &mut checksum, head(), false);
    for (index, piece) in pieces.values().enumerate() {
        if index > 0 {
            stored(&mut body, &mut checksum, b",", false);
        }
        body.extend_from_slice(&piece.deflated);
        checksum.combine(&piece.checksum);
    }
    stored(&mut body, &mut checksum, tail(trailer).as_bytes(), true);
    let plain_length: usize = pieces.values().map(|piece| piece.json.len()).sum::<usize>()
        + pieces.len().saturating_sub(1)
        + head().len()
        + tail(trailer).len();
    body.extend_from_slice(&checksum.finalize().to_le_bytes());
    // The length modulo 2^32.
    body.extend_from_slice(&(plain_length as u32).to_le_bytes());
    body.into()
}

/// RFC 1951, 3.2.4: a block as it is; its text is a few bytes long.
fn stored(body: &mut Vec<u8>, checksum: &mut Hasher, text: &[u8], last: bool) {
    let length = text.len() as u16;
    body.push(u8::from(last));
    body.extend_from_slice(&length.to_le_bytes());
    body.extend_from_slice(&(!length).to_le_bytes());
    body.extend_from_slice(text);
    checksum.update(text);
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use dispatch_actors::sample_shop::SampleShop;
    use flate2::Compression;

    use super::*;

    fn unzip(body: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(body)
            .read_to_end(&mut plain)
            .unwrap();
        plain
    }

    #[test]
    fn pieces_put_together_are_one_gzip_body() {
        let shop = SampleShop::new(
            7,
            300,
            jiff::Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_hours(400_000),
        );
        let orders: Vec<Arc<RepairOrder>> = shop
            .orders
            .iter()
            .map(|(number, imported)| {
                let created = RepairOrder::create(*number, imported, jiff::Timestamp::UNIX_EPOCH);
                Arc::new(RepairOrder::replay(&created).unwrap())
            })
            .collect();
        let (names, stages) = (TechnicianNames::default(), StageRules::default());
        let mut compress = Compress::new(Compression::new(COMPRESSION_LEVEL), false);
        let trailer = ListTrailer {
            seq: 7,
            generation: "ab".into(),
        };
        for count in [0, 1, 16, 300] {
            let pieces: BTreeMap<i64, Piece> = (0..)
                .zip(orders[..count].chunks(16))
                .map(|(key, orders)| (key, Piece::new(orders, &names, &stages, &mut compress)))
                .collect();
            let body = unzip(&gzip(&pieces, &trailer));
            assert_eq!(body, plain(&pieces, &trailer));
            let list: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(
                (&list["seq"], &list["generation"]),
                (&7.into(), &"ab".into())
            );
            assert!(list["result"].as_array().unwrap().len() >= count);
        }
    }

    #[test]
    fn what_is_not_ascii_is_escaped_and_means_the_same() {
        let mut json = Vec::new();
        let text = "Zoë \"ß\" Nguyễn\t🚗 Ольга";
        let mut writer = Serializer::with_formatter(&mut json, AsciiFormatter);
        text.serialize(&mut writer).unwrap();
        assert!(json.is_ascii());
        assert_eq!(serde_json::from_slice::<String>(&json).unwrap(), text);
    }
}
