//! Socket.IO events as frames: what the broadcaster sends, encoded once.
//!
//! Every event of the log ends with its offset, an opaque string that holds the event's number and
//! fingerprint: everything up to it has been sent.

use dispatch_actors::broadcaster::{Announcement, Broadcast, Encode, Frame, Hint, ViewFrames};
use dispatch_actors::presence::Person;
use dispatch_actors::repair_order::RoNumber;
use dispatch_actors::store::{LogPosition, LogStatus, Outage, Seq, SharedStageRules};

use crate::boards::LiveViews;
use crate::http::page;
use crate::moments::now;
use crate::realtime::frames::{event, event_without_offset};
use crate::repair_orders::api_types::{
    RoModified, RoModifiedHint, RoPresence, RoPresences, StreamState,
};
use crate::technician_names::TechnicianNames;

#[derive(Clone)]
pub struct Frames {
    names: TechnicianNames,
    stages: SharedStageRules,
    views: LiveViews,
    status: LogStatus,
}

impl Frames {
    pub fn new(
        names: TechnicianNames,
        stages: SharedStageRules,
        views: LiveViews,
        status: LogStatus,
    ) -> Self {
        Self {
            names,
            stages,
            views,
            status,
        }
    }

    /// For one session alone, when it starts to receive the stream.
    pub(super) fn hello(&self, position: LogPosition) -> Frame {
        let stream = self.stream_state(position, self.status.outage());
        event("hello", &stream, position)
    }

    fn stream_state(&self, position: LogPosition, outage: Outage) -> StreamState<'static> {
        StreamState {
            seq: position.seq,
            now: now(),
            version: page::build(),
            generation: self.status.generation(),
            not_saving_since: outage.not_saving_since,
            not_read_since: outage.not_read_since,
        }
    }

    /// Who has which of these orders open.
    pub(super) fn present<'a>(orders: impl Iterator<Item = &'a (RoNumber, Vec<Person>)>) -> Frame {
        let orders = orders.map(|(number, people)| RoPresence::new(*number, people));
        let payload = RoPresences {
            orders: orders.collect(),
        };
        event_without_offset("RO_PRESENCES", &payload)
    }
}

impl Encode for Frames {
    fn modified(&self, announcement: &Announcement) -> Frame {
        let modified = RoModified::new(announcement, &self.names, &self.stages.current());
        event("RO_MODIFIED", &modified, announcement.event.position())
    }

    fn on_boards(&self, announcement: &Announcement) -> ViewFrames {
        self.views.changed(announcement)
    }

    fn again_on_boards(&self, number: RoNumber, top: Seq) -> ViewFrames {
        self.views.again(number, top)
    }

    fn tick(&self, position: LogPosition, outage: Outage) -> Frame {
        event("tick", &self.stream_state(position, outage), position)
    }

    fn start_over(&self) {
        self.views.start_over();
    }

    fn hint(&self, hint: &Hint) -> Frame {
        event_without_offset("RO_MODIFIED", &RoModifiedHint::new(hint, now()))
    }

    fn presence(&self, number: RoNumber, people: &[Person]) -> Frame {
        event_without_offset("RO_PRESENCE", &RoPresence::new(number, people))
    }

    fn presences(&self, orders: &[(RoNumber, Vec<Person>)]) -> Frame {
        Self::present(orders.iter())
    }

    fn broadcast(&self, broadcast: &Broadcast) -> Frame {
        event_without_offset(broadcast.name, &broadcast.payload)
    }
}

#[cfg(test)]
mod tests {
    use dispatch_actors::snapshot::Snapshot;

    use super::*;
    use crate::boards::Shop;

    #[test]
    fn a_frame_is_a_websocket_frame_with_the_usual_text() {
        let (names, snapshot) = (TechnicianNames::default(), Snapshot::default());
        let views = LiveViews::new(Shop::new(snapshot, names.clone(), b"key"));
        let stages = SharedStageRules::default();
        let frames = Frames::new(names, stages, views, LogStatus::default());
        let frame = frames.hello(LogPosition {
            seq: 7,
            fingerprint: 0xab,
        });
        let text = std::str::from_utf8(frame.text()).unwrap();
        assert!(text.starts_with(r#"42["hello",{"seq":7,"now":""#), "{text}");
        assert!(text.ends_with(r#"},"7-000000ab"]"#), "{text}");
        let head = [0x81, u8::try_from(text.len()).unwrap()];
        assert_eq!(
            (&frame.bytes[..frame.head], text.len() < 126),
            (&head[..], true)
        );
    }
}
