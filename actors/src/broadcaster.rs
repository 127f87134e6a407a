//! Fans every committed event out, in the order of the event numbers: the one ordered source of
//! everything a session receives.
//!
//! Knows hubs, not sockets: each of the server's threads has one hub that holds the sessions of
//! that thread. The server hands in how a message is encoded ([`Encode`]); a message is encoded
//! once, crosses to each hub once, and every session gets the same bytes. A session joins by a
//! message on the same channel, so its place among the events is never in doubt.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use actix::WeakAddr;
use actix::prelude::*;
use bytes::Bytes;
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::watch;

use crate::other_sessions::{self, OtherSessions};
use crate::presence::{Person, Presence};
use crate::repair_order::{Action, RepairOrder, RoNumber, TechnicianId};
use crate::store::{Event, LogPosition, LogStatus, OtherServers, Outage, Seq, ServerNotice};

/// How often every session gets the position of the stream: the age of a screen is the age of its
/// last message.
const TICK: Duration = Duration::from_secs(5);

/// How often the broadcaster checks whether an outage began or ended; every session is then
/// notified at once.
const OUTAGE_INTERVAL: Duration = Duration::from_millis(500);

/// Longer than this nobody waits for a session that does not read.
const CATCH_UP: Duration = Duration::from_secs(1);

/// Announced events that a client's hint is compared with: some seconds of a busy desk.
const REMEMBERED: usize = 256;

/// A committed event with the order as it is after the command that made it.
#[derive(Clone, Debug)]
pub struct Announcement {
    pub event: Event,
    pub order: Arc<RepairOrder>,
}

/// A message as it goes to every session, ready to be written.
#[derive(Clone, Debug)]
pub struct Frame {
    pub bytes: Bytes,
    /// How many bytes at the front belong to the transport that `bytes` are made for; the text
    /// that other transports carry follows them.
    pub head: usize,
}

impl Frame {
    /// The message alone.
    pub fn text(&self) -> &[u8] {
        &self.bytes[self.head..]
    }
}

/// What one kind of board shows; boards that show the same share it.
pub type ViewId = u64;

/// The frames that boards get instead of the event's own: one for each view, shared by all boards
/// that show it.
#[derive(Clone, Debug, Default)]
pub struct ViewFrames(Option<Arc<[(ViewId, Frame)]>>);

impl ViewFrames {
    pub fn of(&self, view: ViewId) -> Option<&Frame> {
        let (_, frame) = self.iter().find(|(id, _)| *id == view)?;
        Some(frame)
    }

    pub fn iter(&self) -> std::slice::Iter<'_, (ViewId, Frame)> {
        self.0.as_deref().unwrap_or_default().iter()
    }
}

impl FromIterator<(ViewId, Frame)> for ViewFrames {
    fn from_iter<I: IntoIterator<Item = (ViewId, Frame)>>(frames: I) -> Self {
        let frames: Arc<[_]> = frames.into_iter().collect();
        Self((!frames.is_empty()).then_some(frames))
    }
}

/// Turns messages into frames.
pub trait Encode: Send + 'static {
    fn modified(&self, announcement: &Announcement) -> Frame;
    /// The same for boards: a frame for each view that it changes.
    fn on_boards(&self, _: &Announcement) -> ViewFrames {
        ViewFrames::default()
    }
    /// An order changed on these views without an event.
    fn again_on_boards(&self, _: RoNumber, _top: Seq) -> ViewFrames {
        ViewFrames::default()
    }
    /// How far the stream is, and what does not work.
    fn tick(&self, position: LogPosition, outage: Outage) -> Frame;
    /// The log went back: nothing that was encoded before holds any more.
    fn start_over(&self) {}
    /// What a client says it did, without rows.
    fn hint(&self, hint: &Hint) -> Frame;
    /// Who is at an order now.
    fn presence(&self, number: RoNumber, people: &[Person]) -> Frame;
    /// Who has which order open, for a new session.
    fn presences(&self, orders: &[(RoNumber, Vec<Person>)]) -> Frame;
    /// Something besides the orders changed.
    fn broadcast(&self, broadcast: &Broadcast) -> Frame;
}

/// Which sessions receive a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Audience {
    /// Every session there is, boards with the others.
    All,
    /// Everybody who has signed in.
    Everybody,
    /// Every session that receives all events.
    Desks,
    /// Every session that shows this order, and those of these technicians who work on it.
    Order {
        number: RoNumber,
        technicians: Vec<TechnicianId>,
    },
    /// Every session that receives all events, and those that show this technician's work.
    Technician(TechnicianId),
    /// The boards that show this.
    View(ViewId),
    /// One board.
    Board(Arc<str>),
}

/// One message of the stream.
#[derive(Clone, Debug)]
pub struct Entry {
    pub frame: Frame,
    pub audience: Audience,
    /// Of the newest event that this or a message before it announced.
    pub position: LogPosition,
    /// Announces an event, and is replayed to sessions that missed it; nothing else is replayed.
    pub is_event: bool,
    /// The frames for boards.
    pub on_boards: ViewFrames,
}

impl Entry {
    pub fn seq(&self) -> Seq {
        self.position.seq
    }
}

/// What a hub gets, in this order and no other.
#[derive(Clone, Debug, Message)]
#[rtype(result = "()")]
pub enum ToHub {
    /// To be sent to every session it concerns.
    Entries(Arc<[Entry]>),
    /// The session receives everything from here on.
    Joined {
        session: SessionId,
        position: LogPosition,
        present: Option<Present>,
    },
    /// The log went back and ends here now: every session is cut, and comes back for a new list.
    StartOver(LogPosition),
}

/// Who has which order open, if any is open.
#[derive(Clone, Debug)]
pub struct Present {
    pub orders: Vec<(RoNumber, Vec<Person>)>,
    /// All of them.
    pub frame: Frame,
}

/// Answered when every session has taken what it was sent before this, or is not worth waiting
/// for any longer.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub struct Settle;

/// Where a hub is reached.
#[derive(Clone, Debug)]
pub struct HubAddress {
    pub stream: Recipient<ToHub>,
    pub settle: Recipient<Settle>,
}

pub type SessionId = u64;

pub struct Broadcaster {
    encode: Box<dyn Encode>,
    hubs: Vec<HubAddress>,
    sessions: HashSet<SessionId>,
    presence: Presence,
    other_sessions: OtherSessions,
    /// Of the newest event that was handed to the hubs.
    top: LogPosition,
    status: LogStatus,
    /// What the sessions know.
    outage: Outage,
    announced: VecDeque<(RoNumber, Action, Option<TechnicianId>)>,
    /// The newest event that gave an order to a technician or took one away.
    assigned: watch::Sender<Seq>,
}

/// Adds a hub; it receives everything from here on.
#[derive(Message)]
#[rtype(result = "()")]
pub struct AddHub(pub HubAddress);

/// Takes a session in. Its hub gets [`ToHub::Joined`].
#[derive(Message)]
#[rtype(result = "()")]
pub struct Join {
    pub session: SessionId,
    pub hub: Recipient<ToHub>,
}

#[derive(Message)]
#[rtype(result = "()")]
pub struct Leave(pub SessionId);

/// Somebody opened an order on a session, or closed it there. Answered when it counts and the notice
/// of it is on its way to every session that is concerned.
#[derive(Message)]
#[rtype(result = "()")]
pub struct PresenceUpdate {
    pub session: SessionId,
    pub number: RoNumber,
    pub person: Option<Person>,
}

/// What a client says it did to an order. One that repeats an event announced before is dropped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Message)]
#[rtype(result = "()")]
pub struct Hint {
    pub number: RoNumber,
    pub action: Action,
    pub technician: Option<TechnicianId>,
    pub by: Person,
}

/// Something besides the orders changed. The message has no offset and is not replayed: a client
/// that connects asks for what it shows.
#[derive(Clone, Debug, Message)]
#[rtype(result = "()")]
pub struct Broadcast {
    /// What the message is called, such as `STAFF_CHANGED`.
    pub name: &'static str,
    pub payload: serde_json::Value,
    pub audience: Audience,
}

/// What boards show of these orders may have changed without an event: the boards on which it did
/// are updated.
#[derive(Message)]
#[rtype(result = "()")]
pub struct ShowAgain(pub Vec<RoNumber>);

/// Another server said something.
#[derive(Message)]
#[rtype(result = "()")]
struct OtherServerNotice(ServerNotice);

/// The log went back and ends here now. Only the committer sends this; answered when it is on its way
/// to every hub.
#[derive(Message)]
#[rtype(result = "()")]
pub struct StartOver(pub LogPosition);

/// Newly committed events, in the order of their numbers. Only the committer sends this.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Announce(pub Vec<Announcement>);

/// Answers when every session has taken what it was sent so far, or after a second. A caller that
/// makes many changes at once waits for it now and then, so that a burst cuts only those who do not
/// read.
#[derive(Message)]
#[rtype(result = "()")]
pub struct CatchUp;

impl Broadcaster {
    /// `top` is the place of the newest event that is already in the log.
    pub fn new(encode: impl Encode, top: LogPosition, status: LogStatus) -> Self {
        Self {
            encode: Box::new(encode),
            hubs: Vec::new(),
            sessions: HashSet::new(),
            presence: Presence::default(),
            other_sessions: OtherSessions::default(),
            top,
            status,
            outage: Outage::default(),
            announced: VecDeque::with_capacity(REMEMBERED),
            assigned: watch::Sender::new(top.seq),
        }
    }

    /// Shares who is at an order, and what clients say they did, with the other servers of the database.
    pub fn beside(self, others: OtherServers) -> Self {
        Self {
            other_sessions: OtherSessions::new(others),
            ..self
        }
    }

    /// Wakes the task that reads assignments from the log when one was announced, without waiting.
    pub fn waking(self, assigned: watch::Sender<Seq>) -> Self {
        Self { assigned, ..self }
    }

    /// Hands a message to the hubs. One that is behind is waited for: nothing overtakes anything.
    fn send(&self, message: &ToHub, ctx: &mut Context<Self>) {
        for hub in &self.hubs {
            send_to(&hub.stream, message.clone(), ctx);
        }
    }

    fn send_entries(&self, entries: Vec<Entry>, ctx: &mut Context<Self>) {
        if !entries.is_empty() {
            self.send(&ToHub::Entries(entries.into()), ctx);
        }
    }

    fn of_the_moment(&self, frame: Frame, audience: Audience) -> Entry {
        Entry {
            frame,
            audience,
            position: self.top,
            is_event: false,
            on_boards: ViewFrames::default(),
        }
    }

    fn tick(&mut self, ctx: &mut Context<Self>) {
        self.outage = self.status.outage();
        if !self.sessions.is_empty() {
            let frame = self.encode.tick(self.top, self.outage);
            let tick = self.of_the_moment(frame, Audience::All);
            self.send_entries(vec![tick], ctx);
        }
    }

    fn tell_presence(&self, changed: Vec<RoNumber>, ctx: &mut Context<Self>) {
        let entries = changed.into_iter().map(|number| {
            let frame = self.encode.presence(number, &self.presence.people(number));
            let technicians = Vec::new();
            self.of_the_moment(
                frame,
                Audience::Order {
                    number,
                    technicians,
                },
            )
        });
        self.send_entries(entries.collect(), ctx);
    }

    /// None while nobody listens: a client that reconnects reads the log.
    fn announce(&mut self, announcement: &Announcement) -> Option<Entry> {
        let event = &announcement.event;
        self.top = event.position();
        if let Action::TechAssigned | Action::TechUnassigned = event.action() {
            self.assigned.send_replace(event.seq);
        }
        if self.announced.len() == REMEMBERED {
            self.announced.pop_front();
        }
        self.announced
            .push_back((event.number, event.action(), event.change.technician()));
        // Also when nobody listens: the next message is compared with it.
        let on_boards = self.encode.on_boards(announcement);
        (!self.sessions.is_empty()).then(|| Entry {
            frame: self.encode.modified(announcement),
            audience: audience(announcement),
            position: self.top,
            is_event: true,
            on_boards,
        })
    }
}

/// Passes the notice of other servers on until the broadcaster is gone.
async fn follow_other_servers(
    mut notice: broadcast::Receiver<ServerNotice>,
    broadcaster: WeakAddr<Broadcaster>,
) {
    loop {
        let notice = match notice.recv().await {
            Ok(notice) => notice,
            Err(RecvError::Lagged(_)) => ServerNotice::MaybeMissed,
            Err(RecvError::Closed) => return,
        };
        if !other_sessions::is_about_people(&notice) {
            continue;
        }
        let Some(broadcaster) = broadcaster.upgrade() else {
            return;
        };
        if broadcaster.send(OtherServerNotice(notice)).await.is_err() {
            return;
        }
    }
}

fn send_to(hub: &Recipient<ToHub>, message: ToHub, ctx: &mut Context<Broadcaster>) {
    if let Err(SendError::Full(message)) = hub.try_send(message) {
        let sent = hub.send(message);
        // A hub that is gone has no sessions.
        ctx.wait(fut::wrap_future(async move {
            let _ = sent.await;
        }));
    }
}

/// The technicians an event concerns: those on the order now, and those the event unassigned.
pub fn audience(announcement: &Announcement) -> Audience {
    let order = &announcement.order;
    let assigned = order
        .regular_technicians
        .iter()
        .chain(&order.etl_technicians);
    let mut technicians: Vec<TechnicianId> = assigned.map(|assigned| assigned.technician).collect();
    technicians.extend(announcement.event.change.technicians());
    technicians.sort_unstable();
    technicians.dedup();
    Audience::Order {
        number: order.number,
        technicians,
    }
}

impl Actor for Broadcaster {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        // Groups of announcements; the committer waits beyond it.
        ctx.set_mailbox_capacity(64);
        if let Some(notice) = self.other_sessions.others().subscribe() {
            actix::spawn(follow_other_servers(notice, ctx.address().downgrade()));
            // What others said before this was heard by nobody.
            self.other_sessions.ask();
        }
        ctx.run_interval(TICK, Self::tick);
        ctx.run_interval(OUTAGE_INTERVAL, |broadcaster, ctx| {
            if broadcaster.status.outage() != broadcaster.outage {
                broadcaster.tick(ctx);
            }
        });
    }
}

impl Handler<AddHub> for Broadcaster {
    type Result = ();

    fn handle(&mut self, AddHub(hub): AddHub, _: &mut Self::Context) {
        self.hubs.push(hub);
    }
}

impl Handler<Join> for Broadcaster {
    type Result = ();

    fn handle(&mut self, join: Join, ctx: &mut Self::Context) {
        let present: Vec<_> = self.presence.orders().collect();
        let joined = ToHub::Joined {
            session: join.session,
            position: self.top,
            present: (!present.is_empty()).then(|| Present {
                frame: self.encode.presences(&present),
                orders: present,
            }),
        };
        self.sessions.insert(join.session);
        send_to(&join.hub, joined, ctx);
    }
}

impl Handler<Leave> for Broadcaster {
    type Result = ();

    fn handle(&mut self, Leave(session): Leave, ctx: &mut Self::Context) {
        self.sessions.remove(&session);
        let was_present = !self.presence.opened_by(session).1.is_empty();
        let changed = self.presence.leave(session);
        if was_present {
            self.other_sessions.publish(&self.presence, session);
        }
        self.tell_presence(changed, ctx);
    }
}

impl Handler<PresenceUpdate> for Broadcaster {
    type Result = ();

    fn handle(&mut self, update: PresenceUpdate, ctx: &mut Self::Context) {
        // A session that left is no longer present anywhere.
        if !self.sessions.contains(&update.session) {
            return;
        }
        let changed = match update.person {
            Some(person) => self.presence.open(update.session, update.number, person),
            None => Vec::from_iter(self.presence.close(update.session, update.number)),
        };
        self.other_sessions.publish(&self.presence, update.session);
        self.tell_presence(changed, ctx);
    }
}

impl Handler<OtherServerNotice> for Broadcaster {
    type Result = ();

    fn handle(&mut self, OtherServerNotice(notice): OtherServerNotice, ctx: &mut Self::Context) {
        if let Some(hint) = OtherSessions::hint_in(&notice) {
            self.show_hint(&hint, ctx);
            return;
        }
        let changed = self.other_sessions.apply(&mut self.presence, &notice);
        self.tell_presence(changed, ctx);
    }
}

impl Handler<Hint> for Broadcaster {
    type Result = ();

    fn handle(&mut self, hint: Hint, ctx: &mut Self::Context) {
        self.other_sessions.publish_hint(&hint);
        self.show_hint(&hint, ctx);
    }
}

impl Broadcaster {
    fn show_hint(&mut self, hint: &Hint, ctx: &mut Context<Self>) {
        if self
            .announced
            .contains(&(hint.number, hint.action, hint.technician))
        {
            return;
        }
        let audience = Audience::Order {
            number: hint.number,
            technicians: hint.technician.into_iter().collect(),
        };
        let entry = self.of_the_moment(self.encode.hint(hint), audience);
        self.send_entries(vec![entry], ctx);
    }
}

impl Handler<Broadcast> for Broadcaster {
    type Result = ();

    fn handle(&mut self, broadcast: Broadcast, ctx: &mut Self::Context) {
        if !self.sessions.is_empty() {
            let entry = self.of_the_moment(self.encode.broadcast(&broadcast), broadcast.audience);
            self.send_entries(vec![entry], ctx);
        }
    }
}

impl Handler<ShowAgain> for Broadcaster {
    type Result = ();

    fn handle(&mut self, ShowAgain(orders): ShowAgain, ctx: &mut Self::Context) {
        let mut entries = Vec::new();
        for number in orders {
            let frames = self.encode.again_on_boards(number, self.top.seq);
            entries.extend(
                frames
                    .iter()
                    .map(|(view, frame)| self.of_the_moment(frame.clone(), Audience::View(*view))),
            );
        }
        self.send_entries(entries, ctx);
    }
}

impl Handler<Announce> for Broadcaster {
    type Result = ();

    fn handle(&mut self, Announce(announcements): Announce, ctx: &mut Self::Context) {
        let entries = announcements
            .iter()
            .filter_map(|announcement| self.announce(announcement))
            .collect();
        self.send_entries(entries, ctx);
    }
}

impl Handler<StartOver> for Broadcaster {
    type Result = ();

    fn handle(&mut self, StartOver(top): StartOver, ctx: &mut Self::Context) {
        self.top = top;
        self.announced.clear();
        self.encode.start_over();
        self.send(&ToHub::StartOver(top), ctx);
        // The task that reads assignments from the log starts over, too.
        self.assigned.send_replace(top.seq);
    }
}

impl Handler<CatchUp> for Broadcaster {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, CatchUp: CatchUp, _: &mut Self::Context) -> Self::Result {
        let settled: Vec<_> = self
            .hubs
            .iter()
            .map(|hub| hub.settle.send(Settle))
            .collect();
        Box::pin(async move {
            // A session that is too slow is not waited for.
            let _ = tokio::time::timeout(CATCH_UP, join_all(settled)).await;
        })
    }
}
