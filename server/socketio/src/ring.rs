//! The recent messages of the stream. A session is a position in it, not a queue of its own: what a
//! slow reader has not taken yet is kept once for all sessions, and no longer than the ring goes.

use std::collections::VecDeque;

use bytes::{Bytes, BytesMut};

use crate::feed::{EventNumber, Feed};
use crate::frame::FrameRef;

/// Messages and bytes that are kept: of events of about 1 kB, some minutes of a busy stream.
const MAX_MESSAGES: usize = 8_192;
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// How many messages and bytes a session may be behind before it is closed. At 20 events a second
/// this is 12 seconds of silence.
const MAX_MESSAGES_BEHIND: u64 = 256;
const MAX_BYTES_BEHIND: u64 = 1024 * 1024;

/// Messages and bytes that may come in before the sessions are written them: a fraction of what is
/// kept, so that nothing is dropped that a session was not offered.
const MAX_MESSAGES_UNSENT: u64 = 1_024;
const MAX_BYTES_UNSENT: u64 = 1024 * 1024;

/// Bytes that are written at once.
const CHUNK_SIZE: usize = 64 * 1024;

/// Counts the messages of one thread, from 0.
pub type Position = u64;

/// One thread's recent messages.
pub struct Ring<F: Feed> {
    messages: VecDeque<Kept<F::Message>>,
    /// Of the first that is kept.
    start: Position,
    /// Of all messages so far.
    bytes: u64,
    /// Of the newest event so far.
    newest: F::Offset,
    /// The newest event when the ring began; it has all later ones that it has not dropped.
    began_after: EventNumber,
    /// The newest event that was dropped.
    dropped: Option<EventNumber>,
}

struct Kept<M> {
    message: M,
    /// Bytes of all messages before this one.
    before: u64,
}

impl<F: Feed> Default for Ring<F> {
    fn default() -> Self {
        Self {
            messages: VecDeque::new(),
            start: 0,
            bytes: 0,
            newest: F::Offset::default(),
            began_after: F::number(F::Offset::default()),
            dropped: None,
        }
    }
}

impl<F: Feed> Ring<F> {
    /// The first message's position.
    pub(crate) fn start(&self) -> Position {
        self.start
    }

    /// The next message's position.
    pub fn end(&self) -> Position {
        self.start + self.messages.len() as u64
    }

    pub(crate) fn push(&mut self, message: F::Message) {
        let offset = F::offset(&message);
        self.skip_to(F::number(offset) - EventNumber::from(F::is_event(&message)));
        let size = F::size(&message) as u64;
        self.newest = offset;
        self.messages.push_back(Kept {
            message,
            before: self.bytes,
        });
        self.bytes += size;
        while self.messages.len() > MAX_MESSAGES || self.kept_bytes() > MAX_BYTES {
            if let Some(dropped) = self.messages.pop_front() {
                self.start += 1;
                self.dropped = Some(number_of::<F>(&dropped.message));
            }
        }
    }

    fn kept_bytes(&self) -> u64 {
        let first = self.messages.front();
        self.bytes - first.map_or(self.bytes, |kept| kept.before)
    }

    /// Every session that gets the next message knows the events up to `offset`. The ring was not
    /// given those while nobody listened: it starts over, and sessions that missed some get them
    /// from elsewhere.
    pub(crate) fn begin(&mut self, offset: F::Offset) {
        if F::number(offset) > self.newest() {
            self.start_over(offset);
        }
    }

    /// Forgets everything: the stream ends here.
    pub(crate) fn start_over(&mut self, offset: F::Offset) {
        self.newest = offset;
        self.clear(F::number(offset));
    }

    fn skip_to(&mut self, number: EventNumber) {
        if number > self.newest() {
            self.clear(number);
        }
    }

    fn clear(&mut self, began_after: EventNumber) {
        self.start = self.end();
        self.messages.clear();
        self.dropped = None;
        self.began_after = began_after;
    }

    /// The number of the newest event so far.
    pub fn newest(&self) -> EventNumber {
        F::number(self.newest)
    }

    pub fn newest_offset(&self) -> F::Offset {
        self.newest
    }

    /// Whether every event after this one is here.
    pub(crate) fn reaches_back_to(&self, number: EventNumber) -> bool {
        self.dropped.unwrap_or(self.began_after) <= number
    }

    /// The events after this one that a session with that interest gets.
    pub(crate) fn events_after<'a>(
        &'a self,
        number: EventNumber,
        interest: &'a F::Interest,
    ) -> impl Iterator<Item = &'a F::Message> {
        let is_older = |kept: &Kept<F::Message>| number_of::<F>(&kept.message) <= number;
        let from = self.messages.partition_point(is_older);
        self.messages
            .range(from..)
            .map(|kept| &kept.message)
            .filter(|message| F::is_event(message) && F::is_replayed_to(interest, message))
    }

    /// Whether a session at `position` is too far behind to stay.
    pub(crate) fn is_too_far(&self, position: Position) -> bool {
        !self.has(position) || self.is_lagging(position, MAX_MESSAGES_BEHIND, MAX_BYTES_BEHIND)
    }

    /// Whether so much has come since `position` that the sessions must be written it first.
    pub(crate) fn is_full(&self, position: Position) -> bool {
        self.is_lagging(position, MAX_MESSAGES_UNSENT, MAX_BYTES_UNSENT)
    }

    /// Whether nothing from `position` on was dropped.
    pub(crate) fn has(&self, position: Position) -> bool {
        position >= self.start
    }

    fn is_lagging(&self, position: Position, messages: u64, bytes: u64) -> bool {
        self.get(position).is_some_and(|behind| {
            self.end() - position > messages || self.bytes - behind.before > bytes
        })
    }

    /// What a group receives from `position` on, as one piece of bytes.
    pub(crate) fn since(&self, position: Position, group: usize) -> Bytes {
        let frames = self.from(position);
        let mut frames = frames
            .filter_map(|message| F::group_frame(group, message))
            .map(FrameRef::bytes);
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

    /// The members of groups that have a message of their own from `position` on.
    pub(crate) fn members_since(&self, position: Position) -> Vec<i64> {
        self.from(position).filter_map(F::only_for).collect()
    }

    /// What a session is to be written next, at most [`CHUNK_SIZE`] and one message, and its
    /// position after that. No bytes when nothing is left for it.
    pub(crate) fn chunk(
        &self,
        mut position: Position,
        interest: &F::Interest,
    ) -> (Bytes, Position) {
        let mut first: Option<Bytes> = None;
        let mut more = BytesMut::new();
        for message in self.from(position) {
            position += 1;
            let Some(frame) = F::frame_of(interest, message) else {
                continue;
            };
            let frame = frame.bytes();
            match &first {
                None => first = Some(frame.clone()),
                Some(bytes) => {
                    if more.is_empty() {
                        more.extend_from_slice(bytes);
                    }
                    more.extend_from_slice(frame);
                }
            }
            if more.len().max(frame.len()) >= CHUNK_SIZE {
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

    /// Everything from `position` on that is still kept, in order.
    pub fn from(&self, position: Position) -> impl Iterator<Item = &F::Message> {
        let from = position.saturating_sub(self.start) as usize;
        self.messages
            .range(from.min(self.messages.len())..)
            .map(|kept| &kept.message)
    }

    fn get(&self, position: Position) -> Option<&Kept<F::Message>> {
        let index = position.checked_sub(self.start)?;
        self.messages.get(index as usize)
    }
}

fn number_of<F: Feed>(message: &F::Message) -> EventNumber {
    F::number(F::offset(message))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Messages of topics, each with one subject.
    struct Topics;

    #[derive(Clone)]
    struct Note {
        bytes: Bytes,
        /// 0 is for everybody.
        topic: i64,
        subject: i64,
        number: EventNumber,
        is_event: bool,
    }

    #[derive(Clone, Debug)]
    enum Interest {
        Everything,
        Subject(i64),
        Topics(Vec<i64>),
    }

    impl Feed for Topics {
        type Message = Note;
        type Interest = Interest;
        type Offset = EventNumber;
        type Joined = ();

        fn frame_of<'a>(interest: &Interest, note: &'a Note) -> Option<FrameRef<'a>> {
            let is_wanted = note.topic == 0
                || match interest {
                    Interest::Everything => true,
                    Interest::Subject(subject) => note.subject == *subject,
                    Interest::Topics(topics) => topics.contains(&note.topic),
                };
            is_wanted.then(|| FrameRef::new(&note.bytes, 0))
        }

        fn offset(note: &Note) -> EventNumber {
            note.number
        }

        fn number(offset: EventNumber) -> EventNumber {
            offset
        }

        fn is_event(note: &Note) -> bool {
            note.is_event
        }

        fn size(note: &Note) -> usize {
            note.bytes.len()
        }

        fn group_frame(_: usize, note: &Note) -> Option<FrameRef<'_>> {
            Self::frame_of(&Interest::Everything, note)
        }
    }

    /// Size, topic, subject and whether it is an event.
    type Sketch = (usize, i64, i64, bool);

    fn ring(sketches: &[Sketch]) -> Ring<Topics> {
        let mut ring = Ring::default();
        let mut number = 0;
        for (index, (size, topic, subject, is_event)) in sketches.iter().enumerate() {
            number += EventNumber::from(*is_event);
            ring.push(Note {
                bytes: vec![index as u8; *size].into(),
                topic: *topic,
                subject: *subject,
                number,
                is_event: *is_event,
            });
        }
        ring
    }

    fn wanted(sketches: &[Sketch], from: usize, interest: &Interest) -> Vec<u8> {
        let sketches = sketches.iter().enumerate().skip(from);
        let wanted = sketches.filter(|(_, (_, topic, subject, _))| match interest {
            Interest::Everything => true,
            Interest::Subject(id) => *topic == 0 || subject == id,
            Interest::Topics(topics) => *topic == 0 || topics.contains(topic),
        });
        wanted
            .flat_map(|(index, (size, ..))| vec![index as u8; *size])
            .collect()
    }

    fn interest() -> impl Strategy<Value = Interest> {
        prop_oneof![
            Just(Interest::Everything),
            (1..4_i64).prop_map(Interest::Subject),
            vec(1..4_i64, 0..3).prop_map(Interest::Topics),
        ]
    }

    proptest! {
        #[test]
        fn chunks_from_any_position_give_every_wanted_message_in_order(
            sketches in vec((1..30_000_usize, 0..4_i64, 1..4_i64, any::<bool>()), 0..40),
            from in 0..50_usize,
            interest in interest(),
        ) {
            let ring = ring(&sketches);
            let (mut position, mut written) = (from as Position, Vec::new());
            loop {
                let (bytes, then) = ring.chunk(position, &interest);
                prop_assert!(bytes.len() < CHUNK_SIZE + 30_000);
                if bytes.is_empty() {
                    break;
                }
                prop_assert!(then > position);
                position = then;
                written.extend_from_slice(&bytes);
            }
            prop_assert!(written == wanted(&sketches, from, &interest));
            let since = ring.since(from as Position, 0);
            prop_assert!(since == wanted(&sketches, from, &Interest::Everything));
        }

        #[test]
        fn a_replay_is_every_event_after_an_offset_and_nothing_else(
            sketches in vec((1..10_usize, 0..4_i64, 1..4_i64, any::<bool>()), 0..100),
            after in 0..100,
        ) {
            let ring = ring(&sketches);
            let newest = sketches.iter().filter(|(.., is_event)| *is_event).count() as EventNumber;
            let replayed: Vec<EventNumber> = ring
                .events_after(EventNumber::from(after), &Interest::Everything)
                .map(|note| note.number)
                .collect();
            let expected: Vec<EventNumber> = (EventNumber::from(after) + 1..=newest).collect();
            prop_assert_eq!(replayed, expected);
            prop_assert_eq!(ring.newest(), newest);
            prop_assert!(ring.reaches_back_to(0));
        }
    }

    #[test]
    fn a_ring_that_was_not_given_events_does_not_claim_to_have_them() {
        let mut ring = ring(&[(10, 0, 1, true), (10, 0, 1, true)]);
        let end = ring.end();
        ring.begin(2);
        assert!(ring.reaches_back_to(0) && ring.start() == 0);
        ring.begin(7);
        assert_eq!((ring.newest(), ring.start(), ring.end()), (7, end, end));
        assert!(ring.reaches_back_to(7) && !ring.reaches_back_to(6) && !ring.has(end - 1));
        ring.push(Note {
            bytes: vec![1].into(),
            topic: 0,
            subject: 0,
            number: 10,
            is_event: true,
        });
        assert!(ring.reaches_back_to(9) && !ring.reaches_back_to(8));
        assert_eq!(ring.since(ring.start(), 0).len(), 1);
    }

    #[test]
    fn a_ring_keeps_no_more_than_it_may_and_knows_how_far_back_it_goes() {
        let megabyte = 1024 * 1024;
        let heavy = ring(&[(megabyte, 0, 1, true); 40]);
        assert!(heavy.kept_bytes() <= MAX_BYTES);
        assert_eq!((heavy.end(), heavy.newest()), (40, 40));
        assert!(heavy.reaches_back_to(24) && !heavy.reaches_back_to(23));
        assert!(heavy.is_too_far(0) && !heavy.is_too_far(39));

        let many = ring(&vec![(1, 0, 1, true); MAX_MESSAGES + 10]);
        assert_eq!(many.messages.len(), MAX_MESSAGES);
        assert!(many.reaches_back_to(10) && !many.reaches_back_to(9));
        assert!(many.is_too_far(many.end() - MAX_MESSAGES_BEHIND - 1));
        assert!(!many.is_too_far(many.end() - MAX_MESSAGES_BEHIND));
    }

    #[test]
    fn a_message_larger_than_the_ring_leaves_the_newest_event_known() {
        let ring = ring(&[(10, 0, 1, true), (17 * 1024 * 1024, 0, 1, true)]);
        assert_eq!((ring.newest(), ring.start()), (2, ring.end()));
        assert!(ring.reaches_back_to(2) && !ring.reaches_back_to(1));
    }
}
