//! Fans every committed event out to the sessions, in the order of the event numbers.
//!
//! Knows recipients, not sockets: the server hands in how a message is encoded ([`Encode`]) and
//! each session's mailbox. An event is encoded once and every session gets the same bytes. A
//! session whose mailbox is full is cut, never skipped: it gets nothing more, is closed, and comes
//! back to load what it missed.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix::prelude::*;
use bytestring::ByteString;
use futures_util::future::join_all;

use crate::presence::{Person, Presence};
use crate::repair_order::{RepairOrder, RoNumber};
use crate::store::{Event, Seq};

/// How often every session hears how far the stream is: the age of a screen is the age of its
/// last message.
const TICK: Duration = Duration::from_secs(5);

/// Longer than this nobody waits for a session that does not read; a few waits later it is cut.
const CATCH_UP: Duration = Duration::from_secs(1);

/// A committed event with the order as it is after the command that made it.
#[derive(Clone, Debug)]
pub struct Announcement {
    pub event: Event,
    pub order: Arc<RepairOrder>,
}

/// Turns messages into frames.
pub trait Encode: Send + 'static {
    fn modified(&self, announcement: &Announcement) -> ByteString;
    fn hello(&self, seq: Seq) -> ByteString;
    fn tick(&self, seq: Seq) -> ByteString;
    /// Who is at an order now.
    fn presence(&self, number: RoNumber, people: &[Person]) -> ByteString;
    /// Who is at which order, for a session that knows of nobody yet.
    fn presences(&self, orders: &[(RoNumber, Vec<Person>)]) -> ByteString;
}

pub struct Broadcaster {
    encode: Box<dyn Encode>,
    sessions: HashMap<SessionId, Session>,
    presence: Presence,
    /// The newest event that was handed to the sessions.
    top: Seq,
}

struct Session {
    mailbox: Recipient<Deliver>,
    cut: Cut,
}

pub type SessionId = u64;

/// Set when the session fell behind and was forgotten: it must close.
#[derive(Clone, Debug, Default)]
pub struct Cut(Arc<AtomicBool>);

impl Cut {
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What is in a session's mailbox, in order.
#[derive(Message)]
#[rtype(result = "()")]
pub enum Deliver {
    /// To be sent.
    Frame(ByteString),
    /// Nothing to send: having come to it, the session has taken all before it.
    Milestone,
}

/// Takes a session in. The first frame it gets is `hello`, then who is at which order (one frame,
/// if anybody is), then every event after that.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Join {
    pub session: SessionId,
    pub mailbox: Recipient<Deliver>,
    pub cut: Cut,
}

#[derive(Message)]
#[rtype(result = "()")]
pub struct Leave(pub SessionId);

/// Somebody opened an order on a session, or closed it there. Answered when every session that is
/// concerned has been told.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Look {
    pub session: SessionId,
    pub number: RoNumber,
    pub who: Option<Person>,
}

/// Newly committed events, in the order of their numbers. Only the committer sends this.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Announce(pub Vec<Announcement>);

/// Answers when every session has taken what it was sent so far, or after [`CATCH_UP`]. Whoever
/// makes many changes at once waits for it now and then, so that a burst cuts only those who do
/// not read.
#[derive(Message)]
#[rtype(result = "()")]
pub struct CatchUp;

impl Broadcaster {
    /// `top` is the newest event that is already in the log.
    pub fn new(encode: impl Encode, top: Seq) -> Self {
        Self {
            encode: Box::new(encode),
            sessions: HashMap::new(),
            presence: Presence::default(),
            top,
        }
    }

    fn send_to_all(&mut self, frame: &ByteString) {
        let mut gone = Vec::new();
        self.sessions.retain(|id, session| {
            let delivered = session.deliver(frame.clone());
            if !delivered {
                gone.push(*id);
            }
            delivered
        });
        for session in gone {
            let changed = self.presence.leave(session);
            self.tell_presence(changed);
        }
    }

    fn tell_presence(&mut self, changed: Vec<RoNumber>) {
        for number in changed {
            let people = self.presence.people(number);
            let frame = self.encode.presence(number, &people);
            self.send_to_all(&frame);
        }
    }
}

impl Session {
    /// False when the session is no longer one: it fell behind, or is gone.
    fn deliver(&self, frame: ByteString) -> bool {
        match self.mailbox.try_send(Deliver::Frame(frame)) {
            Ok(()) => true,
            Err(SendError::Full(_)) => {
                self.cut.set();
                false
            }
            Err(SendError::Closed(_)) => false,
        }
    }
}

impl Actor for Broadcaster {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        // Groups of announcements; the committer waits beyond it.
        ctx.set_mailbox_capacity(64);
        ctx.run_interval(TICK, |broadcaster, _| {
            let frame = broadcaster.encode.tick(broadcaster.top);
            broadcaster.send_to_all(&frame);
        });
    }
}

impl Handler<Join> for Broadcaster {
    type Result = ();

    fn handle(&mut self, join: Join, _: &mut Self::Context) {
        let session = Session {
            mailbox: join.mailbox,
            cut: join.cut,
        };
        let present: Vec<_> = self.presence.orders().collect();
        let hello = self.encode.hello(self.top);
        if session.deliver(hello)
            && (present.is_empty() || session.deliver(self.encode.presences(&present)))
        {
            self.sessions.insert(join.session, session);
        }
    }
}

impl Handler<Leave> for Broadcaster {
    type Result = ();

    fn handle(&mut self, Leave(session): Leave, _: &mut Self::Context) {
        self.sessions.remove(&session);
        let changed = self.presence.leave(session);
        self.tell_presence(changed);
    }
}

impl Handler<Look> for Broadcaster {
    type Result = ();

    fn handle(&mut self, look: Look, _: &mut Self::Context) {
        // One that was cut or has left is nobody's presence any more.
        if !self.sessions.contains_key(&look.session) {
            return;
        }
        let changed = match look.who {
            Some(person) => self.presence.open(look.session, look.number, person),
            None => Vec::from_iter(self.presence.close(look.session, look.number)),
        };
        self.tell_presence(changed);
    }
}

impl Handler<Announce> for Broadcaster {
    type Result = ();

    fn handle(&mut self, Announce(announcements): Announce, _: &mut Self::Context) {
        for announcement in announcements {
            self.top = announcement.event.seq;
            if !self.sessions.is_empty() {
                let frame = self.encode.modified(&announcement);
                self.send_to_all(&frame);
            }
        }
    }
}

impl Handler<CatchUp> for Broadcaster {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, CatchUp: CatchUp, _: &mut Self::Context) -> Self::Result {
        let milestones: Vec<_> = self
            .sessions
            .values()
            .map(|session| session.mailbox.send(Deliver::Milestone))
            .collect();
        Box::pin(async move {
            // A session that ended, or is too slow, is not waited for.
            let _ = tokio::time::timeout(CATCH_UP, join_all(milestones)).await;
        })
    }
}
