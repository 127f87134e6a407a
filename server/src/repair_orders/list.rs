//! The list of open orders as it is sent: encoded and compressed piece by piece, so that a change
//! costs the work of its own piece, and a list that stands costs none.
//!
//! The orders are divided by number into pieces of [`PIECE`]. Each piece is kept as JSON and as
//! deflate data that ends on a byte boundary and refers to nothing before it, so that pieces can be
//! put one behind the other; what stands between them goes in as stored (uncompressed) blocks. The
//! gzip checksum of the whole is combined from those of its parts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::web::Bytes;
use crc32fast::Hasher;
use dispatch_actors::repair_order::RepairOrder;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{LogPosition, Seq};
use flate2::{Compress, Compression, FlushCompress};

use super::api_types::rows;
use crate::technician_names::TechnicianNames;

/// Numbers in one piece: small enough that a change is cheap, large enough to compress well.
const PIECE: i64 = 16;

/// Higher levels save a tenth of the bytes and cost twice the time.
const LEVEL: u32 = 3;

#[derive(Clone)]
pub struct List {
    snapshot: Snapshot,
    names: TechnicianNames,
    /// Tells this process's lists from those of one that wrote rows differently.
    process: u64,
    /// Held while pieces are encoded, so only by threads that may wait.
    encoded: Arc<Mutex<Encoded>>,
    /// The newest, for everybody else. Held for a moment.
    body: Arc<Mutex<Option<Body>>>,
}

/// The whole list, and the state it was made of.
#[derive(Clone)]
struct Body {
    state: State,
    gzip: Bytes,
    /// Made when somebody asks for it.
    plain: Option<Bytes>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    Gzip,
    Identity,
}

/// What a list is made of; the place in the log says nothing without the name of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    generation: Arc<str>,
    position: LogPosition,
    names: u64,
}

/// What stands behind the rows of the list.
struct ListTrailer {
    seq: Seq,
    generation: Arc<str>,
}

#[derive(Default)]
struct Encoded {
    names: u64,
    generation: Arc<str>,
    pieces: BTreeMap<i64, Piece>,
}

/// A piece to be encoded: its key and its orders.
type Changed = (i64, Vec<Arc<RepairOrder>>);

struct Piece {
    /// The number and version of each order in it.
    orders: Vec<(i64, i64)>,
    json: Vec<u8>,
    deflated: Vec<u8>,
    checksum: Hasher,
}

impl List {
    pub fn new(snapshot: Snapshot, names: TechnicianNames) -> Self {
        Self {
            snapshot,
            names,
            process: rand::random(),
            encoded: Arc::default(),
            body: Arc::default(),
        }
    }

    /// Changes whenever the list does.
    pub fn etag(&self) -> String {
        self.etag_of(&self.state())
    }

    fn etag_of(&self, state: &State) -> String {
        let State {
            generation,
            position,
            names,
        } = state;
        format!("W/\"{:x}-{generation}-{names}-{position}\"", self.process)
    }

    fn state(&self) -> State {
        let names = self.names.generation();
        // In one look: a log may get another name at the same place.
        self.snapshot.look(|open| State {
            generation: Arc::clone(open.generation),
            position: open.position,
            names,
        })
    }

    /// The list and its ETag, where it is encoded already.
    pub fn ready(&self, coding: Coding) -> Option<(String, Bytes)> {
        let state = self.state();
        let body = lock(&self.body);
        let body = body.as_ref().filter(|body| body.state == state)?;
        let bytes = match coding {
            Coding::Gzip => Some(body.gzip.clone()),
            Coding::Identity => body.plain.clone(),
        };
        Some((self.etag_of(&state), bytes?))
    }

    /// The list and its ETag. Encodes what has changed, which may take a while: for a thread that
    /// may wait.
    pub fn encode(&self, coding: Coding) -> (String, Bytes) {
        let mut encoded = lock(&self.encoded);
        // Whoever waited for another finds its work done.
        if let Some(ready) = self.ready(coding) {
            return ready;
        }
        let names = self.names.generation();
        if encoded.names != names {
            encoded.pieces.clear();
            encoded.names = names;
        }
        let (position, generation, changed) = self.changed_pieces(&mut encoded);
        let mut compress = Compress::new(Compression::new(LEVEL), false);
        for (key, orders) in changed {
            let piece = Piece::new(&orders, &self.names, &mut compress);
            encoded.pieces.insert(key, piece);
        }
        let trailer = ListTrailer {
            seq: position.seq,
            generation: Arc::clone(&generation),
        };
        let body = Body {
            gzip: gzip(&encoded.pieces, &trailer),
            plain: (coding == Coding::Identity).then(|| plain(&encoded.pieces, &trailer)),
            state: State {
                generation,
                position,
                names,
            },
        };
        let bytes = body.plain.clone().unwrap_or_else(|| body.gzip.clone());
        let etag = self.etag_of(&body.state);
        *lock(&self.body) = Some(body);
        (etag, bytes)
    }

    /// What must be encoded again; pieces without orders are dropped. Encodes nothing, because
    /// changes wait while the snapshot is looked at.
    fn changed_pieces(&self, encoded: &mut Encoded) -> (LogPosition, Arc<str>, Vec<Changed>) {
        self.snapshot.look(|open| {
            // Versions of another log say nothing.
            if encoded.generation != *open.generation {
                encoded.pieces.clear();
                encoded.generation = Arc::clone(open.generation);
            }
            let pieces = &mut encoded.pieces;
            let mut changed = Vec::new();
            let mut orders = open.orders.values().peekable();
            let mut keys = Vec::with_capacity(pieces.len());
            while let Some(first) = orders.peek() {
                let key = key(first);
                keys.push(key);
                let mut known = pieces
                    .get(&key)
                    .map_or(&[][..], |piece| piece.orders.as_slice())
                    .iter();
                let mut same = true;
                let mut members = Vec::new();
                while let Some(order) = orders.next_if(|order| self::key(order) == key) {
                    same &= known.next() == Some(&(order.number.get(), order.version));
                    members.push(order);
                }
                if !same || known.next().is_some() {
                    changed.push((key, members.into_iter().cloned().collect()));
                }
            }
            pieces.retain(|key, _| keys.binary_search(key).is_ok());
            (open.position, Arc::clone(open.generation), changed)
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(order: &RepairOrder) -> i64 {
    order.number.get() / PIECE
}

impl Piece {
    fn new(orders: &[Arc<RepairOrder>], names: &TechnicianNames, compress: &mut Compress) -> Self {
        let mut json = Vec::new();
        for row in orders.iter().flat_map(|order| rows(order, names)) {
            if !json.is_empty() {
                json.push(b',');
            }
            if let Err(error) = serde_json::to_writer(&mut json, &row) {
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

fn plain(pieces: &BTreeMap<i64, Piece>, trailer: &ListTrailer) -> Bytes {
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

fn gzip(pieces: &BTreeMap<i64, Piece>, trailer: &ListTrailer) -> Bytes {
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
        let names = TechnicianNames::default();
        let mut compress = Compress::new(Compression::new(LEVEL), false);
        let trailer = ListTrailer {
            seq: 7,
            generation: "ab".into(),
        };
        for count in [0, 1, 16, 300] {
            let pieces: BTreeMap<i64, Piece> = (0..)
                .zip(orders[..count].chunks(16))
                .map(|(key, orders)| (key, Piece::new(orders, &names, &mut compress)))
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
}
