//! The list of open orders as it is sent: encoded and compressed piece by piece, so that a change
//! costs the work of its own piece, and a list that stands costs none.
//!
//! The orders are divided by number into pieces of [`PIECE_SIZE`], which `list_encoding` encodes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use actix_web::web::Bytes;
use dispatch_actors::counts::Histogram;
use dispatch_actors::repair_order::RepairOrder;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{LogPosition, SharedStageRules};
use flate2::{Compress, Compression};

use super::list_encoding::{COMPRESSION_LEVEL, ListTrailer, Piece, gzip, plain};
use crate::technician_names::TechnicianNames;

/// Numbers in one piece: small enough that a change is cheap, large enough to compress well.
const PIECE_SIZE: i64 = 16;

#[derive(Clone)]
pub struct List {
    snapshot: Snapshot,
    names: TechnicianNames,
    stages: SharedStageRules,
    /// Distinguishes this process's lists from those of a build that wrote rows differently.
    process: u64,
    /// Held while pieces are encoded, so only by threads that may wait.
    encoded: Arc<Mutex<Encoded>>,
    /// The newest, for everybody else. Held for a moment.
    body: Arc<Mutex<Option<Body>>>,
    encoding_times: Arc<Histogram>,
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

/// What a list is made of; the position in the log means nothing without the log's generation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    generation: Arc<str>,
    position: LogPosition,
    names: u64,
    with_stages: bool,
}

#[derive(Default)]
struct Encoded {
    names: u64,
    with_stages: bool,
    generation: Arc<str>,
    pieces: BTreeMap<i64, Piece>,
}

/// A piece to be encoded: its key and its orders.
type Changed = (i64, Vec<Arc<RepairOrder>>);

impl List {
    pub fn new(snapshot: Snapshot, names: TechnicianNames, stages: SharedStageRules) -> Self {
        Self {
            snapshot,
            names,
            stages,
            process: rand::random(),
            encoded: Arc::default(),
            body: Arc::default(),
            encoding_times: Arc::new(Histogram::of_times()),
        }
    }

    /// How long each encoding took.
    pub fn encoding_times(&self) -> &Arc<Histogram> {
        &self.encoding_times
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
            with_stages,
        } = state;
        let rows = if *with_stages { "s" } else { "" };
        format!(
            "W/\"{:x}-{generation}-{names}{rows}-{position}\"",
            self.process
        )
    }

    fn state(&self) -> State {
        let names = self.names.generation();
        let with_stages = self.stages.is_on();
        // In one look: a log may get another name at the same place.
        self.snapshot.read(|open| State {
            generation: Arc::clone(open.generation),
            position: open.position,
            names,
            with_stages,
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
        // A caller that waited for another finds its work done.
        if let Some(ready) = self.ready(coding) {
            return ready;
        }
        let begun = Instant::now();
        let names = self.names.generation();
        let stages = self.stages.current();
        if (encoded.names, encoded.with_stages) != (names, stages.is_on) {
            encoded.pieces.clear();
            (encoded.names, encoded.with_stages) = (names, stages.is_on);
        }
        let (position, generation, changed) = self.changed_pieces(&mut encoded);
        let mut compress = Compress::new(Compression::new(COMPRESSION_LEVEL), false);
        for (key, orders) in changed {
            let piece = Piece::new(&orders, &self.names, &stages, &mut compress);
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
                with_stages: stages.is_on,
            },
        };
        let bytes = body.plain.clone().unwrap_or_else(|| body.gzip.clone());
        let etag = self.etag_of(&body.state);
        *lock(&self.body) = Some(body);
        self.encoding_times.observe_time(begun.elapsed());
        (etag, bytes)
    }

    /// The pieces to encode again; pieces without orders are dropped. Encodes nothing, because
    /// changes wait while the snapshot is looked at.
    fn changed_pieces(&self, encoded: &mut Encoded) -> (LogPosition, Arc<str>, Vec<Changed>) {
        self.snapshot.read(|open| {
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
                let mut cached_rows = pieces
                    .get(&key)
                    .map_or(&[][..], |piece| piece.orders.as_slice())
                    .iter();
                let mut same = true;
                let mut members = Vec::new();
                while let Some(order) = orders.next_if(|order| self::key(order) == key) {
                    same &= cached_rows.next() == Some(&(order.number.get(), order.version));
                    members.push(order);
                }
                if !same || cached_rows.next().is_some() {
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
    order.number.get() / PIECE_SIZE
}
