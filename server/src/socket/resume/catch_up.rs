//! What a client gets when its session joins the stream: missed events, `hello`, and who has which
//! order open.

use std::rc::Weak;

use actix_socketio::{EventNumber, Frame, Recovery};
use dispatch_actors::broadcaster::{self, Audience, Entry, Present};
use dispatch_actors::store::{LogPosition, StoreError};

use super::super::client::Client;
use super::super::feed::{DispatchFeed, Interest};
use super::super::frames::Frames;
use super::archive::Archive;

pub(in crate::socket) struct CatchUp {
    /// Gone once the client has left.
    pub(in crate::socket) client: Weak<Client>,
    pub(in crate::socket) archive: Archive,
    /// When the broadcaster took the session in.
    pub(in crate::socket) present: Option<Present>,
}

impl Recovery<DispatchFeed> for CatchUp {
    type Error = StoreError;

    fn is_wanted(&self) -> bool {
        self.client.strong_count() > 0
    }

    async fn events_after(&self, number: EventNumber) -> Result<Vec<Entry>, StoreError> {
        self.archive.after(number).await
    }

    fn frames_of(&self, interest: &Interest, missed: Vec<Entry>) -> Vec<Frame> {
        let frames = match interest {
            Interest::Board(subscription) => subscription.missed(&missed),
            interest => {
                let mut missed = missed;
                missed.retain(|entry| interest.wants(&entry.audience));
                missed.into_iter().map(|entry| entry.frame).collect()
            }
        };
        frames.into_iter().map(socket_frame).collect()
    }

    fn greeting<'a>(
        self,
        interest: &Interest,
        newest: LogPosition,
        meanwhile: impl Iterator<Item = &'a Entry>,
    ) -> Vec<Frame> {
        let hello = self.archive.frames().hello(newest);
        let present = self
            .present
            .and_then(|present| present_for(interest, present));
        // Who opened or left an order while the session was catching up.
        let meanwhile = meanwhile.filter(|entry| {
            let to_all = matches!(entry.audience, Audience::All | Audience::Everybody);
            !entry.is_event && !to_all && interest.wants(&entry.audience)
        });
        [hello]
            .into_iter()
            .chain(present)
            .chain(meanwhile.map(|entry| entry.frame.clone()))
            .map(socket_frame)
            .collect()
    }
}

fn present_for(interest: &Interest, present: Present) -> Option<broadcaster::Frame> {
    match interest {
        Interest::Everything | Interest::Dashboard(_) => Some(present.frame),
        Interest::Board(_) => None,
        interest => {
            let wanted = present.orders.iter().filter(|(number, _)| {
                interest.wants(&Audience::Order {
                    number: *number,
                    technicians: Vec::new(),
                })
            });
            let mut wanted = wanted.peekable();
            wanted.peek().is_some().then(|| Frames::present(wanted))
        }
    }
}

fn socket_frame(frame: broadcaster::Frame) -> Frame {
    Frame::from_parts(frame.bytes, frame.head)
}
