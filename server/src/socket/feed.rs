//! The stream's types, and which session receives what.

use actix_socketio::{EventNumber, Feed, FrameRef, Group};
use dispatch_actors::broadcaster::{Audience, Entry, Frame, Present};
use dispatch_actors::store::LogPosition;

use crate::boards::BoardSubscription;

/// Every committed event and what is of the moment, in one order.
pub struct DispatchFeed;

/// What one session wants to receive.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Interest {
    #[default]
    Everything,
    /// Every order, and what belongs to this technician: the dashboard of a user who is a
    /// technician only.
    Dashboard(Option<i64>),
    /// What concerns a technician's own orders.
    Technician(i64),
    /// These orders alone.
    Orders(Box<[i64]>),
    /// What a board shows, and what is for that board.
    Board(BoardSubscription),
}

/// By their indices.
const EVERYTHING: usize = 0;
const DASHBOARDS: usize = 1;

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
            (Interest::Board(subscription), audience) => match audience {
                Audience::View(view) => subscription.view() == *view,
                Audience::Board(board) => subscription.board() == &**board,
                _ => false,
            },
            (_, Audience::View(_) | Audience::Board(_)) => false,
            (Interest::Everything, _) | (_, Audience::Everybody) => true,
            (Interest::Dashboard(_), Audience::Order { .. }) => true,
            (Interest::Dashboard(own), Audience::Technician(technician)) => {
                *own == Some(*technician)
            }
            (Interest::Technician(id), Audience::Order { technicians, .. }) => {
                technicians.contains(id)
            }
            (Interest::Technician(id), Audience::Technician(technician)) => id == technician,
            (Interest::Dashboard(_) | Interest::Technician(_), Audience::Desks)
            | (Interest::Orders(_), Audience::Technician(_) | Audience::Desks) => false,
            (Interest::Orders(numbers), Audience::Order { number, .. }) => {
                numbers.contains(&number.get())
            }
        }
    }
}

impl Feed for DispatchFeed {
    type Message = Entry;
    type Interest = Interest;
    type Offset = LogPosition;
    /// Who has which order open, if any is open.
    type Joined = Option<Present>;

    /// Of an event a board receives only what it shows.
    fn frame_of<'a>(interest: &Interest, entry: &'a Entry) -> Option<FrameRef<'a>> {
        let frame = match interest {
            Interest::Board(subscription) if entry.is_event => {
                entry.on_boards.of(subscription.view())
            }
            _ => interest.wants(&entry.audience).then_some(&entry.frame),
        };
        frame.map(frame_ref)
    }

    /// Any event may have to do with a board.
    fn is_replayed_to(interest: &Interest, event: &Entry) -> bool {
        matches!(interest, Interest::Board(_)) || interest.wants(&event.audience)
    }

    fn offset(entry: &Entry) -> LogPosition {
        entry.position
    }

    fn number(offset: LogPosition) -> EventNumber {
        offset.seq
    }

    fn is_event(entry: &Entry) -> bool {
        entry.is_event
    }

    fn size(entry: &Entry) -> usize {
        let on_boards = entry.on_boards.iter();
        let on_boards: usize = on_boards.map(|(_, frame)| frame.bytes.len()).sum();
        entry.frame.bytes.len() + on_boards
    }

    fn group(interest: &Interest) -> Option<Group> {
        match interest {
            Interest::Everything => Some(Group {
                index: EVERYTHING,
                member: None,
            }),
            Interest::Dashboard(own) => Some(Group {
                index: DASHBOARDS,
                member: *own,
            }),
            Interest::Technician(_) | Interest::Orders(_) | Interest::Board(_) => None,
        }
    }

    fn group_frame(group: usize, entry: &Entry) -> Option<FrameRef<'_>> {
        let interest = match group {
            EVERYTHING => Interest::Everything,
            _ => Interest::Dashboard(None),
        };
        let is_wanted = interest.wants(&entry.audience);
        is_wanted.then(|| frame_ref(&entry.frame))
    }

    fn only_for(entry: &Entry) -> Option<i64> {
        match entry.audience {
            Audience::Technician(technician) => Some(technician),
            _ => None,
        }
    }
}

fn frame_ref(frame: &Frame) -> FrameRef<'_> {
    FrameRef::new(&frame.bytes, frame.head)
}

#[cfg(test)]
mod tests {
    use dispatch_actors::broadcaster::ViewFrames;
    use dispatch_actors::repair_order::RoNumber;
    use dispatch_actors::snapshot::Snapshot;
    use dispatch_actors::store::Seq;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::boards::layout::{Layout, View};
    use crate::boards::{LiveViews, Shop};
    use crate::technician_names::TechnicianNames;

    fn at(seq: Seq) -> LogPosition {
        LogPosition {
            seq,
            fingerprint: 1,
        }
    }

    fn frame(bytes: &[u8]) -> Frame {
        Frame {
            bytes: bytes.to_vec().into(),
            head: 0,
        }
    }

    fn entry(bytes: &[u8], audience: Audience, seq: Seq, is_event: bool) -> Entry {
        Entry {
            frame: frame(bytes),
            audience,
            position: at(seq),
            is_event,
            on_boards: ViewFrames::default(),
        }
    }

    fn bytes_of(frame: FrameRef<'_>) -> Vec<u8> {
        frame.to_frame().into_parts().0.to_vec()
    }

    fn heard(entries: &[Entry], interest: &Interest) -> Vec<u8> {
        let frames = entries
            .iter()
            .filter_map(|entry| DispatchFeed::frame_of(interest, entry));
        frames.flat_map(bytes_of).collect()
    }

    fn heard_by_group(entries: &[Entry], interest: &Interest) -> Vec<u8> {
        let group = DispatchFeed::group(interest).unwrap();
        let frames = entries
            .iter()
            .filter_map(|entry| DispatchFeed::group_frame(group.index, entry));
        frames.flat_map(bytes_of).collect()
    }

    /// Size, order, technician and whether it is an event.
    type Message = (usize, i64, i64, bool);

    fn entries(messages: &[Message]) -> Vec<Entry> {
        let mut seq = 0;
        let entries = messages.iter().enumerate();
        let entries = entries.map(|(number, (size, order, technician, is_event))| {
            seq += Seq::from(*is_event);
            let audience = match order {
                0 => Audience::Everybody,
                order => Audience::Order {
                    number: RoNumber::try_from(*order).unwrap(),
                    technicians: vec![*technician],
                },
            };
            entry(&vec![number as u8; *size], audience, seq, *is_event)
        });
        entries.collect()
    }

    fn wanted(messages: &[Message], interest: &Interest) -> Vec<u8> {
        let messages = messages.iter().enumerate();
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
        fn a_session_receives_only_events_in_its_scope(
            messages in vec((1..30_usize, 0..4_i64, 1..4_i64, any::<bool>()), 0..40),
            interest in interest(),
        ) {
            let entries = entries(&messages);
            prop_assert!(heard(&entries, &interest) == wanted(&messages, &interest));
            for interest in [Interest::Everything, Interest::Dashboard(None)] {
                prop_assert!(heard_by_group(&entries, &interest) == wanted(&messages, &interest));
            }
            for entry in &entries {
                prop_assert_eq!(DispatchFeed::size(entry), entry.frame.bytes.len());
            }
        }
    }

    /// A board at a view of its own.
    fn board(views: &LiveViews, id: &str, layout: Layout) -> Interest {
        let view = View::of(layout, &layout.defaults());
        Interest::Board(views.subscribe(id.into(), "token", view))
    }

    #[test]
    fn only_a_board_receives_its_own_view_and_name() {
        let shop = Shop::new(Snapshot::default(), TechnicianNames::default(), b"key");
        let views = LiveViews::new(shop);
        let one = board(&views, "one", Layout::Lounge);
        let two = board(&views, "two", Layout::Lounge);
        let queue = board(&views, "three", Layout::Queue);
        let view = |interest: &Interest| match interest {
            Interest::Board(subscription) => subscription.view(),
            _ => unreachable!("it is a board"),
        };
        assert_eq!(view(&one), view(&two));
        assert_ne!(view(&one), view(&queue));
        let number = RoNumber::try_from(1).unwrap();
        let order = Audience::Order {
            number,
            technicians: vec![7],
        };
        let entries = [
            Entry {
                on_boards: [(view(&one), frame(b"l")), (view(&queue), frame(b"q"))]
                    .into_iter()
                    .collect(),
                ..entry(b"1", order.clone(), 1, true)
            },
            entry(b"2", order.clone(), 2, true),
            entry(b"p", order, 2, false),
            entry(b"t", Audience::All, 2, false),
            entry(b"s", Audience::Everybody, 2, false),
            entry(b"d", Audience::Desks, 2, false),
            entry(b"c", Audience::Technician(7), 2, false),
            entry(b"v", Audience::View(view(&one)), 2, false),
            entry(b"o", Audience::Board("one".into()), 2, false),
        ];
        let heard = |interest: &Interest| String::from_utf8(heard(&entries, interest)).unwrap();
        let by_group =
            |interest: &Interest| String::from_utf8(heard_by_group(&entries, interest)).unwrap();
        assert_eq!(heard(&one), "ltvo");
        assert_eq!(heard(&two), "ltv");
        assert_eq!(heard(&queue), "qt");
        assert_eq!(heard(&Interest::Everything), "12ptsdc");
        assert_eq!(by_group(&Interest::Everything), "12ptsdc");
        assert_eq!(heard(&Interest::Dashboard(Some(7))), "12ptsc");
        assert_eq!(heard(&Interest::Dashboard(Some(8))), "12pts");
        assert_eq!(heard(&Interest::Dashboard(None)), "12pts");
        assert_eq!(by_group(&Interest::Dashboard(Some(8))), "12pts");
        let exceptions: Vec<i64> = entries.iter().filter_map(DispatchFeed::only_for).collect();
        assert_eq!(exceptions, [7]);
        assert_eq!(heard(&Interest::Technician(7)), "12ptsc");
        assert_eq!(heard(&Interest::Orders([1].into())), "12pts");
        // The first event counts with both boards' frames.
        assert_eq!(DispatchFeed::size(&entries[0]), 3);
        // A board that reconnects gets every order that changed.
        let replayed = entries
            .iter()
            .filter(|entry| entry.is_event && DispatchFeed::is_replayed_to(&queue, entry));
        assert_eq!(replayed.count(), 2);
    }
}
