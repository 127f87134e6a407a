//! What a client missed, sent in order and without a gap, up to the moment from which its session
//! hears the stream itself.

use std::rc::{Rc, Weak};
use std::time::Duration;

use dispatch_actors::broadcaster::{Audience, Entry, Frame, Present};
use dispatch_actors::store::Seq;

use super::archive::Archive;
use super::frames::Frames;
use super::line::{End, Line, Out};
use super::ring::{Interest, Position};
use super::stream::Client;

/// Bytes of missed events that are sent at once, and at least one event; before more the client
/// must have taken them.
const REPLAYED_BYTES: usize = 512 * 1024;

/// What this process has not heard of yet it will hear in a moment.
const NOT_YET: Duration = Duration::from_millis(20);

/// Brings a session to where the stream is.
pub(super) struct Replay {
    pub(super) line: Rc<Line>,
    /// Gone once the client has left: the session may be another's by then.
    pub(super) client: Weak<Client>,
    pub(super) interest: Interest,
    pub(super) frames: Frames,
    /// Where the stream was when the broadcaster took the session in, and who was at which order.
    pub(super) since: Position,
    pub(super) present: Option<Present>,
}

impl Replay {
    /// Sends what was missed, in order and without a gap, while more may come.
    pub(super) async fn run(self, archive: &Archive, mut after: Seq) {
        while self.goes_on() {
            if after > self.line.hub().newest() {
                tokio::time::sleep(NOT_YET).await;
                continue;
            }
            let recent = self.line.hub().recent(after, &self.interest);
            let (mut entries, complete) = match recent {
                Some(recent) => recent,
                None => match archive.after(after).await {
                    Ok(entries) => (entries, false),
                    Err(error) => {
                        tracing::error!(%error, "missed events could not be read");
                        break;
                    }
                },
            };
            if !self.goes_on() {
                return;
            }
            let newest = self.line.hub().newest();
            entries.retain(|entry| entry.seq() <= newest);
            let all = entries.len();
            entries.truncate(piece(&entries));
            if complete && entries.len() == all {
                return self.go_live(entries);
            }
            let Some(last) = entries.last() else {
                tracing::error!(after, "the log has a gap");
                break;
            };
            after = last.seq();
            let frames = self.frames_of(entries).into_iter().map(Out::Frame);
            self.line.push_all(frames);
            if self.line.drained().await.is_err() {
                break;
            }
        }
        if self.goes_on() {
            // The client comes back and tries again.
            self.line.end(End::Cut);
        }
    }

    fn goes_on(&self) -> bool {
        self.line.is_open() && self.client.strong_count() > 0
    }

    /// Sends the last of what was missed and `hello`; from here on the session hears everything.
    pub(super) fn go_live(mut self, missed: Vec<Entry>) {
        let hub = Rc::clone(self.line.hub());
        let present = self
            .present
            .take()
            .and_then(|present| self.of_interest(present));
        let ring = hub.ring.borrow();
        // Who opened or left an order while the session was catching up.
        let meanwhile = ring.from(self.since).filter(|entry| {
            let to_all = matches!(entry.audience, Audience::All | Audience::Everybody);
            !entry.is_event && !to_all && self.interest.wants(&entry.audience)
        });
        let missed = self.frames_of(missed).into_iter();
        let frames: Vec<Out> = missed
            .chain([self.frames.hello(ring.newest_position())])
            .chain(present)
            .chain(meanwhile.map(|entry| entry.frame.clone()))
            .map(Out::Frame)
            .collect();
        // In one go: nothing can come in between.
        self.line.live(self.interest.clone());
        self.line.push_all(frames);
    }

    /// What of these events the session hears.
    fn frames_of(&self, entries: Vec<Entry>) -> Vec<Frame> {
        match &self.interest {
            Interest::Board(seat) => seat.missed(&entries),
            interest => {
                let mut entries = entries;
                entries.retain(|entry| interest.wants(&entry.audience));
                entries.into_iter().map(|entry| entry.frame).collect()
            }
        }
    }

    fn of_interest(&self, present: Present) -> Option<Frame> {
        match &self.interest {
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
}

/// How many of these are sent at once: at least one.
fn piece(entries: &[Entry]) -> usize {
    let mut bytes = 0;
    let fit = entries.iter().take_while(|entry| {
        let fits = bytes < REPLAYED_BYTES;
        bytes += entry.frame.bytes.len();
        fits
    });
    fit.count()
}
