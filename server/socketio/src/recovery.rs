//! The events a client missed, sent in order and without a gap, up to the moment from which its
//! session receives the stream itself.

use std::fmt::Display;
use std::rc::Rc;
use std::time::Duration;

use crate::engine_session::EngineSession;
use crate::feed::{EventNumber, Feed};
use crate::frame::{Frame, FrameRef};
use crate::ring::Position;

/// Bytes of missed events that are sent at once, and at least one event; before more the client
/// must have taken them.
const MAX_REPLAY_BYTES: usize = 512 * 1024;

/// Events that this thread does not know yet arrive in a moment.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// What an application knows of one client that follows the stream.
pub trait Recovery<F: Feed>: 'static {
    type Error: Display;

    /// Whether the client is still there: the session may be another's by then.
    fn is_wanted(&self) -> bool;

    /// Some of the events after this one, in order and without a gap, and none only where there are
    /// none. Asked for those that the ring does not have any more.
    fn events_after(
        &self,
        number: EventNumber,
    ) -> impl Future<Output = Result<Vec<F::Message>, Self::Error>>;

    /// What the session is sent of events that it missed.
    fn frames_of(&self, interest: &F::Interest, missed: Vec<F::Message>) -> Vec<Frame> {
        let frames = missed
            .iter()
            .filter_map(|event| F::frame_of(interest, event));
        frames.map(FrameRef::to_frame).collect()
    }

    /// Greets the session, which has every event up to `newest`. `meanwhile`: everything since it
    /// joined the stream, in order.
    fn greeting<'a>(
        self,
        interest: &F::Interest,
        newest: F::Offset,
        meanwhile: impl Iterator<Item = &'a F::Message>,
    ) -> Vec<Frame>;
}

/// Brings a session to where the stream is.
pub struct Replay<F: Feed, R> {
    session: Rc<EngineSession<F>>,
    interest: F::Interest,
    recovery: R,
    /// Where the stream was when the session joined it.
    joined_at: Position,
}

impl<F: Feed, R: Recovery<F>> Replay<F, R> {
    /// For a session that joins the stream now, see [`SessionHandler::joined`].
    ///
    /// [`SessionHandler::joined`]: crate::SessionHandler::joined
    pub fn new(session: &Rc<EngineSession<F>>, interest: F::Interest, recovery: R) -> Self {
        Self {
            session: Rc::clone(session),
            interest,
            recovery,
            joined_at: session.hub().ring.borrow().end(),
        }
    }

    /// Greets a session that missed nothing.
    pub fn start(self) {
        self.finish(Vec::new());
    }

    /// Sends every event after this one, while more may come, and greets the session then.
    pub async fn run(self, mut after: EventNumber) {
        while self.is_wanted() {
            if after > self.session.hub().newest() {
                tokio::time::sleep(RETRY_INTERVAL).await;
                continue;
            }
            let recent = self.session.hub().recent(after, &self.interest);
            let (mut events, complete) = match recent {
                Some(recent) => recent,
                None => match self.recovery.events_after(after).await {
                    Ok(events) => (events, false),
                    Err(error) => {
                        tracing::error!(%error, "missed events could not be read");
                        break;
                    }
                },
            };
            if !self.is_wanted() {
                return;
            }
            let newest = self.session.hub().newest();
            events.retain(|event| number_of::<F>(event) <= newest);
            let all = events.len();
            events.truncate(first_piece::<F>(&events));
            if complete && events.len() == all {
                return self.finish(events);
            }
            let Some(last) = events.last() else {
                tracing::error!(after, "the log has a gap");
                break;
            };
            after = number_of::<F>(last);
            let frames = self.recovery.frames_of(&self.interest, events);
            self.session.send_frames(frames);
            if self.session.drained().await.is_err() {
                break;
            }
        }
        if self.is_wanted() {
            // The client comes back and tries again.
            self.session.abort();
        }
    }

    fn is_wanted(&self) -> bool {
        self.session.is_open() && self.recovery.is_wanted()
    }

    /// Sends the last missed events and the greeting; from here on the session receives the stream.
    fn finish(self, missed: Vec<F::Message>) {
        let Self {
            session,
            interest,
            recovery,
            joined_at,
        } = self;
        let hub = Rc::clone(session.hub());
        let ring = hub.ring.borrow();
        let mut frames = recovery.frames_of(&interest, missed);
        let meanwhile = ring.from(joined_at);
        frames.extend(recovery.greeting(&interest, ring.newest_offset(), meanwhile));
        // In one go: nothing can come in between.
        session.subscribe(interest);
        session.send_frames(frames);
    }
}

fn number_of<F: Feed>(event: &F::Message) -> EventNumber {
    F::number(F::offset(event))
}

/// How many of these are sent at once: at least one.
fn first_piece<F: Feed>(events: &[F::Message]) -> usize {
    let mut bytes = 0;
    let fit = events.iter().take_while(|event| {
        let fits = bytes < MAX_REPLAY_BYTES;
        bytes += F::size(event);
        fits
    });
    fit.count()
}
