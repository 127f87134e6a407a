//! The recent messages of the stream. A session is a place in it, not a queue of its own: what a
//! slow reader has not taken yet is kept once for all of them, and no longer than the ring goes.

use std::collections::VecDeque;

use bytes::{Bytes, BytesMut};
use dispatch_actors::broadcaster::{Audience, Entry, Frame};
use dispatch_actors::store::{LogPosition, Seq};

use crate::boards::Seat;

/// Messages and bytes that are kept. An event is about 1 kB: this is some minutes of a busy desk.
const MESSAGES: usize = 8_192;
const BYTES: u64 = 16 * 1024 * 1024;

/// How many messages and bytes a session may be behind before it is cut. At a busy desk's 20
/// changes a second this is 12 seconds of silence.
const BEHIND_MESSAGES: u64 = 256;
const BEHIND_BYTES: u64 = 1024 * 1024;

/// Messages and bytes that may come in before the sessions are told: a fraction of what is kept,
/// so that nothing is dropped that nobody has been told of.
const UNTOLD_MESSAGES: u64 = 1_024;
const UNTOLD_BYTES: u64 = 1024 * 1024;

/// What is written at once.
const CHUNK: usize = 64 * 1024;

/// Counts messages, from 0.
pub(super) type Position = u64;

#[derive(Default)]
pub(super) struct Ring {
    entries: VecDeque<Kept>,
    /// Of the first that is kept.
    first: Position,
    /// Of all messages so far.
    bytes: u64,
    /// The newest event when the ring began; it has all later ones that it has not dropped.
    position: LogPosition,
    /// The newest event that was dropped.
    dropped: Option<Seq>,
}

struct Kept {
    entry: Entry,
    /// Of all messages before this one.
    before: u64,
}

/// What one session wants to hear.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Interest {
    #[default]
    Everything,
    /// Every order, and what is this technician's: the dashboard of who works by the portal alone.
    Dashboard(Option<i64>),
    /// What concerns a technician's own orders.
    Technician(i64),
    /// These orders alone.
    Orders(Box<[i64]>),
    /// What a board shows, and what is for that board.
    Board(Seat),
}

impl Interest {
    /// Whose work it is about, where it is about one technician's.
    pub(super) fn technician(&self) -> Option<i64> {
        match self {
            Interest::Technician(id) => Some(*id),
            Interest::Everything
            | Interest::Dashboard(_)
            | Interest::Orders(_)
            | Interest::Board(_) => None,
        }
    }

    pub(super) fn wants(&self, audience: &Audience) -> bool {
        match (self, audience) {
            (_, Audience::All) => true,
            // First, so that nothing which is for people reaches a board.
            (Interest::Board(seat), audience) => match audience {
                Audience::View(view) => seat.view() == *view,
                Audience::Board(board) => seat.board() == &**board,
                _ => false,
            },
            (_, Audience::View(_) | Audience::Board(_)) => false,
            (Interest::Everything, _) | (_, Audience::Everybody) => true,
            (Interest::Dashboard(_), Audience::Order { .. }) => true,
            (Interest::Dashboard(own), Audience::Technician(told)) => *own == Some(*told),
            (Interest::Technician(id), Audience::Order { technicians, .. }) => {
                technicians.contains(id)
            }
            (Interest::Technician(id), Audience::Technician(told)) => id == told,
            (Interest::Dashboard(_) | Interest::Technician(_), Audience::Desks)
            | (Interest::Orders(_), Audience::Technician(_) | Audience::Desks) => false,
            (Interest::Orders(numbers), Audience::Order { number, .. }) => {
                numbers.contains(&number.get())
            }
        }
    }

    /// What a session hears of a message: of an event a board hears what it shows of it.
    pub(super) fn frame_of<'a>(&self, entry: &'a Entry) -> Option<&'a Frame> {
        match self {
            Interest::Board(seat) if entry.is_event => entry.on_boards.of(seat.view()),
            _ => self.wants(&entry.audience).then_some(&entry.frame),
        }
    }

    /// Whether an event has to do with it, as far as its audience says: any may with a board.
    fn follows(&self, entry: &Entry) -> bool {
        matches!(self, Interest::Board(_)) || self.wants(&entry.audience)
    }
}

impl Ring {
    /// The first message's position.
    pub(super) fn start(&self) -> Position {
        self.first
    }

    /// The next message's position.
    pub(super) fn end(&self) -> Position {
        self.first + self.entries.len() as u64
    }

    pub(super) fn push(&mut self, entry: Entry) {
        // Before an event is the one before it; its fingerprint is not asked, since this one follows.
        self.begin(LogPosition {
            seq: entry.seq() - Seq::from(entry.is_event),
            ..entry.position
        });
        let on_boards = entry.on_boards.iter();
        let on_boards: usize = on_boards.map(|(_, frame)| frame.bytes.len()).sum();
        let size = (entry.frame.bytes.len() + on_boards) as u64;
        self.entries.push_back(Kept {
            entry,
            before: self.bytes,
        });
        self.bytes += size;
        while self.entries.len() > MESSAGES || self.kept_bytes() > BYTES {
            if let Some(dropped) = self.entries.pop_front() {
                self.first += 1;
                self.dropped = Some(dropped.entry.seq());
            }
        }
    }

    fn kept_bytes(&self) -> u64 {
        self.bytes - self.entries.front().map_or(self.bytes, |kept| kept.before)
    }

    /// Events up to `seq` are known to all who hear of what comes next. While nobody listened this
    /// ring was not told of them: it begins anew, and whoever missed some reads the log.
    pub(super) fn begin(&mut self, position: LogPosition) {
        if position.seq > self.newest() {
            self.start_over(position);
        }
    }

    /// Forgets everything: the log ends here.
    pub(super) fn start_over(&mut self, position: LogPosition) {
        self.first = self.end();
        self.entries.clear();
        self.dropped = None;
        self.position = position;
    }

    /// The newest event so far.
    pub(super) fn newest(&self) -> Seq {
        self.newest_position().seq
    }

    pub(super) fn newest_position(&self) -> LogPosition {
        let newest = self.entries.back();
        newest.map_or(self.position, |kept| kept.entry.position)
    }

    /// Whether every event after `seq` is here.
    pub(super) fn reaches_back_to(&self, seq: Seq) -> bool {
        self.dropped.unwrap_or(self.position.seq) <= seq
    }

    /// The events after `seq` that somebody wants.
    pub(super) fn events_after<'a>(
        &'a self,
        seq: Seq,
        interest: &'a Interest,
    ) -> impl Iterator<Item = &'a Entry> {
        let from = self.entries.partition_point(|kept| kept.entry.seq() <= seq);
        self.entries
            .range(from..)
            .map(|kept| &kept.entry)
            .filter(|entry| entry.is_event && interest.follows(entry))
    }

    /// Whether a session at `position` is too far behind to go on.
    pub(super) fn is_too_far(&self, position: Position) -> bool {
        !self.has(position) || self.is_behind(position, BEHIND_MESSAGES, BEHIND_BYTES)
    }

    /// Whether so much has come since `position` that the sessions must be told first.
    pub(super) fn is_full(&self, position: Position) -> bool {
        self.is_behind(position, UNTOLD_MESSAGES, UNTOLD_BYTES)
    }

    /// Whether nothing after `position` was dropped.
    pub(super) fn has(&self, position: Position) -> bool {
        position >= self.first
    }

    fn is_behind(&self, position: Position, messages: u64, bytes: u64) -> bool {
        self.get(position).is_some_and(|behind| {
            self.end() - position > messages || self.bytes - behind.before > bytes
        })
    }

    /// Everything from `position` on that somebody wants, as one piece of bytes. Not for boards,
    /// who hear something else of an event.
    pub(super) fn since(&self, position: Position, interest: &Interest) -> Bytes {
        let wanted = self.from(position);
        let wanted = wanted.filter(|entry| interest.wants(&entry.audience));
        let mut frames = wanted.map(|entry| &entry.frame.bytes);
        match (frames.next(), frames.next()) {
            (None, _) => Bytes::new(),
            (Some(only), None) => only.clone(),
            (Some(first), Some(second)) => {
                let size = self.bytes - self.get(position).map_or(0, |kept| kept.before);
                let mut all = BytesMut::with_capacity(size as usize);
                for frame in [first, second].into_iter().chain(frames) {
                    all.extend_from_slice(frame);
                }
                all.freeze()
            }
        }
    }

    /// The technicians for whom something from `position` on is that is not for everybody.
    pub(super) fn technicians_since(&self, position: Position) -> Vec<i64> {
        let told = self
            .from(position)
            .filter_map(|entry| match entry.audience {
                Audience::Technician(told) => Some(told),
                _ => None,
            });
        told.collect()
    }

    /// What a session is to be written next, at most [`CHUNK`] and one message, and where it is
    /// then. No bytes when nothing is left that it wants.
    pub(super) fn chunk(&self, mut position: Position, interest: &Interest) -> (Bytes, Position) {
        let mut first: Option<Bytes> = None;
        let mut more = BytesMut::new();
        for entry in self.from(position) {
            position += 1;
            let Some(frame) = interest.frame_of(entry) else {
                continue;
            };
            let frame = &frame.bytes;
            match &first {
                None => first = Some(frame.clone()),
                Some(bytes) => {
                    if more.is_empty() {
                        more.extend_from_slice(bytes);
                    }
                    more.extend_from_slice(frame);
                }
            }
            if more.len().max(frame.len()) >= CHUNK {
                break;
            }
        }
        let bytes = if more.is_empty() {
            first.unwrap_or_default()
        } else {
            more.freeze()
        };
        (bytes, position)
    }

    /// Everything from `position` on, in order.
    pub(super) fn from(&self, position: Position) -> impl Iterator<Item = &Entry> {
        let from = position.saturating_sub(self.first) as usize;
        self.entries
            .range(from.min(self.entries.len())..)
            .map(|kept| &kept.entry)
    }

    fn get(&self, position: Position) -> Option<&Kept> {
        let index = position.checked_sub(self.first)?;
        self.entries.get(index as usize)
    }
}

#[cfg(test)]
mod tests {
    use dispatch_actors::broadcaster::ViewFrames;
    use dispatch_actors::repair_order::RoNumber;
    use dispatch_actors::snapshot::Snapshot;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::boards::layout::{Layout, View};
    use crate::boards::{LiveViews, Shop};
    use crate::technicians::TechnicianNames;

    /// Size, order, technician and whether it is an event.
    type Message = (usize, i64, i64, bool);

    fn at(seq: Seq) -> LogPosition {
        LogPosition {
            seq,
            fingerprint: 1,
        }
    }

    fn ring(messages: &[Message]) -> Ring {
        let mut ring = Ring::default();
        let mut seq = 0;
        for (number, (size, order, technician, is_event)) in messages.iter().enumerate() {
            seq += Seq::from(*is_event);
            let audience = match order {
                0 => Audience::Everybody,
                order => Audience::Order {
                    number: RoNumber::try_from(*order).unwrap(),
                    technicians: vec![*technician],
                },
            };
            ring.push(Entry {
                frame: Frame {
                    bytes: vec![number as u8; *size].into(),
                    head: 0,
                },
                audience,
                position: at(seq),
                is_event: *is_event,
                on_boards: ViewFrames::default(),
            });
        }
        ring
    }

    fn wanted(messages: &[Message], from: usize, interest: &Interest) -> Vec<u8> {
        let messages = messages.iter().enumerate().skip(from);
        let wanted = messages.filter(|(_, (_, order, technician, _))| match interest {
            Interest::Everything | Interest::Dashboard(_) => true,
            Interest::Technician(id) => *order == 0 || technician == id,
            Interest::Orders(orders) => *order == 0 || orders.contains(order),
            Interest::Board(_) => unreachable!("a board has a test of its own"),
        });
        wanted
            .flat_map(|(number, (size, ..))| vec![number as u8; *size])
            .collect()
    }

    fn interest() -> impl Strategy<Value = Interest> {
        prop_oneof![
            Just(Interest::Everything),
            Just(Interest::Dashboard(Some(1))),
            (1..4_i64).prop_map(Interest::Technician),
            vec(1..4_i64, 0..3).prop_map(|orders| Interest::Orders(orders.into())),
        ]
    }

    proptest! {
        #[test]
        fn chunks_from_anywhere_are_all_that_is_wanted_in_order(
            messages in vec((1..30_000_usize, 0..4_i64, 1..4_i64, any::<bool>()), 0..40),
            from in 0..50_usize,
            interest in interest(),
        ) {
            let ring = ring(&messages);
            let (mut position, mut written) = (from as Position, Vec::new());
            loop {
                let (bytes, then) = ring.chunk(position, &interest);
                prop_assert!(bytes.len() < CHUNK + 30_000);
                if bytes.is_empty() {
                    break;
                }
                prop_assert!(then > position);
                position = then;
                written.extend_from_slice(&bytes);
            }
            prop_assert!(written == wanted(&messages, from, &interest));
            for interest in [Interest::Everything, Interest::Dashboard(None)] {
                let since = ring.since(from as Position, &interest);
                prop_assert!(since == wanted(&messages, from, &interest));
            }
        }

        #[test]
        fn what_is_replayed_is_every_event_after_an_offset_and_nothing_else(
            messages in vec((1..10_usize, 0..4_i64, 1..4_i64, any::<bool>()), 0..100),
            after in 0..100,
        ) {
            let ring = ring(&messages);
            let newest = messages.iter().filter(|(.., is_event)| *is_event).count() as Seq;
            let replayed: Vec<Seq> = ring
                .events_after(Seq::from(after), &Interest::Everything)
                .map(Entry::seq)
                .collect();
            let expected: Vec<Seq> = (Seq::from(after) + 1..=newest).collect();
            prop_assert_eq!(replayed, expected);
            prop_assert_eq!(ring.newest(), newest);
            prop_assert!(ring.reaches_back_to(0));
        }
    }

    /// A board at a view of its own.
    fn board(views: &LiveViews, id: &str, layout: Layout) -> Interest {
        let view = View::of(layout, &layout.defaults());
        Interest::Board(views.sit(id.into(), "token", view))
    }

    #[test]
    fn a_board_hears_its_view_and_its_name_and_nobody_else_hears_either() {
        let shop = Shop::new(Snapshot::default(), TechnicianNames::default(), b"key");
        let views = LiveViews::new(shop);
        let one = board(&views, "one", Layout::Lounge);
        let two = board(&views, "two", Layout::Lounge);
        let queue = board(&views, "three", Layout::Queue);
        let view = |interest: &Interest| match interest {
            Interest::Board(seat) => seat.view(),
            _ => unreachable!("it is a board"),
        };
        assert_eq!(view(&one), view(&two));
        assert_ne!(view(&one), view(&queue));
        let frame = |byte: u8| Frame {
            bytes: vec![byte].into(),
            head: 0,
        };
        let entry = |byte, audience, seq, is_event| Entry {
            frame: frame(byte),
            audience,
            position: at(seq),
            is_event,
            on_boards: ViewFrames::default(),
        };
        let number = RoNumber::try_from(1).unwrap();
        let order = Audience::Order {
            number,
            technicians: vec![7],
        };
        let mut ring = Ring::default();
        ring.push(Entry {
            on_boards: [(view(&one), frame(b'l')), (view(&queue), frame(b'q'))]
                .into_iter()
                .collect(),
            ..entry(b'1', order.clone(), 1, true)
        });
        ring.push(entry(b'2', order.clone(), 2, true));
        ring.push(entry(b'p', order, 2, false));
        ring.push(entry(b't', Audience::All, 2, false));
        ring.push(entry(b's', Audience::Everybody, 2, false));
        ring.push(entry(b'd', Audience::Desks, 2, false));
        ring.push(entry(b'c', Audience::Technician(7), 2, false));
        ring.push(entry(b'v', Audience::View(view(&one)), 2, false));
        ring.push(entry(b'o', Audience::Board("one".into()), 2, false));
        let heard = |interest: &Interest| {
            let (bytes, _) = ring.chunk(0, interest);
            String::from_utf8(bytes.to_vec()).unwrap()
        };
        assert_eq!(heard(&one), "ltvo");
        assert_eq!(heard(&two), "ltv");
        assert_eq!(heard(&queue), "qt");
        assert_eq!(heard(&Interest::Everything), "12ptsdc");
        assert_eq!(&ring.since(0, &Interest::Everything)[..], b"12ptsdc");
        assert_eq!(heard(&Interest::Dashboard(Some(7))), "12ptsc");
        assert_eq!(heard(&Interest::Dashboard(Some(8))), "12pts");
        assert_eq!(heard(&Interest::Dashboard(None)), "12pts");
        assert_eq!(ring.technicians_since(0), [7]);
        assert_eq!(heard(&Interest::Technician(7)), "12ptsc");
        assert_eq!(heard(&Interest::Orders([1].into())), "12pts");
        // A board that comes back is told of every order that changed.
        assert_eq!(ring.events_after(0, &queue).count(), 2);
    }

    #[test]
    fn what_it_was_not_told_of_it_does_not_claim_to_have() {
        let mut ring = ring(&[(10, 0, 1, true), (10, 0, 1, true)]);
        let end = ring.end();
        ring.begin(at(2));
        assert!(ring.reaches_back_to(0) && ring.start() == 0);
        ring.begin(at(7));
        assert_eq!((ring.newest(), ring.start(), ring.end()), (7, end, end));
        assert!(ring.reaches_back_to(7) && !ring.reaches_back_to(6) && !ring.has(end - 1));
        ring.push(Entry {
            frame: Frame {
                bytes: vec![1].into(),
                head: 0,
            },
            audience: Audience::Everybody,
            position: at(10),
            is_event: true,
            on_boards: ViewFrames::default(),
        });
        assert!(ring.reaches_back_to(9) && !ring.reaches_back_to(8));
        assert_eq!(ring.since(ring.start(), &Interest::Everything).len(), 1);
    }

    #[test]
    fn it_keeps_no_more_than_it_may_and_knows_how_far_back_it_goes() {
        let megabyte = 1024 * 1024;
        let heavy = ring(&[(megabyte, 0, 1, true); 40]);
        assert!(heavy.kept_bytes() <= BYTES);
        assert_eq!((heavy.end(), heavy.newest()), (40, 40));
        assert!(heavy.reaches_back_to(24) && !heavy.reaches_back_to(23));
        assert!(heavy.is_too_far(0) && !heavy.is_too_far(39));

        let many = ring(&vec![(1, 0, 1, true); MESSAGES + 10]);
        assert_eq!(many.entries.len(), MESSAGES);
        assert!(many.reaches_back_to(10) && !many.reaches_back_to(9));
        assert!(many.is_too_far(many.end() - BEHIND_MESSAGES - 1));
        assert!(!many.is_too_far(many.end() - BEHIND_MESSAGES));
    }
}
