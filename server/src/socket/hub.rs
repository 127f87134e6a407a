//! One thread's sessions. A message of the stream crosses to this thread once, and is written to
//! every session it concerns from here.

use std::cell::{Cell, OnceCell, RefCell};
use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, TcpStream as StdTcpStream};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use bytes::Bytes;
use dispatch_actors::broadcaster::{
    AddHub, Broadcaster, Entry, HubAddress, SessionId, Settle, ToHub,
};
use dispatch_actors::store::Seq;
use engineioxide_core::Sid;
use tokio::sync::oneshot;

use super::engine::{Joined, Limits, Listen};
use super::fan_out::FanOut;
use super::line::{Delta, End, Line, Poll};
use super::polling;
use super::ring::{Interest, Position, Ring};
use super::session;
use super::session_slots::SessionSlots;
use super::sid::{new_sid, session_of};
use super::wire::Wire;
use crate::crowds::Holder;
use crate::identity::{Limit, site};

/// Recent events that somebody is given at once.
const RECENT: usize = 256;

/// How long sessions are written to before this thread does what else waits: it serves requests,
/// too, and an answer must not wait until thousands of sessions have been told.
const PORTION: Duration = Duration::from_millis(1);

pub struct Hub {
    pub(super) limits: Limits,
    pub(super) ring: RefCell<Ring>,
    listen: Box<dyn Listen>,
    lines: RefCell<FanOut<Rc<Line>>>,
    opens_from_site: Limit,
    hasher: RandomState,
    address: OnceCell<Addr<HubActor>>,
    /// This thread's number among the workers.
    number: u16,
    slots: Arc<SessionSlots>,
    /// Up to here every session has been written, or is behind by its own fault.
    told: Cell<Position>,
    /// The pass that is under way through all sessions.
    pass: RefCell<Option<Pass>>,
    /// A task makes passes until every session has been written everything.
    is_sending: Cell<bool>,
    /// When deadlines were looked at last.
    watched: Cell<Instant>,
    /// Nobody is late until then.
    lenient_until: Cell<Instant>,
    /// Wait until every session is as far as the stream was.
    settling: RefCell<Vec<(Position, oneshot::Sender<()>)>>,
}

struct Pass {
    /// Where the stream was when it began.
    end: Position,
    delta: Delta,
}

impl Hub {
    pub(super) fn line(&self, sid: &Sid) -> Option<Rc<Line>> {
        let lines = self.lines.borrow();
        let line = lines.get(session_of(sid))?;
        (line.sid == *sid).then(|| Rc::clone(line))
    }

    /// Where other threads reach it.
    pub(super) fn address(&self) -> Option<Addr<HubActor>> {
        self.address.get().cloned()
    }

    /// The newest event that this thread has heard of.
    pub(super) fn newest(&self) -> Seq {
        self.ring.borrow().newest()
    }

    /// Events after `after` that somebody wants, [`RECENT`] at most, and whether these are all;
    /// none where the ring does not go back so far.
    pub(super) fn recent(&self, after: Seq, interest: &Interest) -> Option<(Vec<Entry>, bool)> {
        let ring = self.ring.borrow();
        if !ring.reaches_back_to(after) {
            return None;
        }
        let mut wanted = ring.events_after(after, interest);
        let entries: Vec<Entry> = wanted.by_ref().take(RECENT).cloned().collect();
        Some((entries, wanted.next().is_none()))
    }

    /// Whether one more may come from there now.
    pub(super) fn admits(&self, address: IpAddr) -> bool {
        let site = self.hasher.hash_one(site(address));
        self.opens_from_site.take(site).is_ok() && self.slots.has_room_for(address)
    }

    /// A new session, on a WebSocket or polling.
    pub(super) fn open(self: &Rc<Self>, wire: Option<Rc<Wire>>, address: IpAddr) -> Rc<Line> {
        let sid = new_sid(self.number);
        let line = Line::new(self, sid, (wire, address), self.listen.listener());
        self.lines.borrow_mut().insert(line.id, Rc::clone(&line));
        if let Some(hub) = self.address() {
            self.slots.take(line.id, address, hub);
        }
        line.opened();
        line
    }

    pub(super) fn forget(&self, line: &Line) {
        if self.lines.borrow_mut().remove(line.id) {
            self.slots.release(line.id);
        }
    }

    /// Somebody is signed in on a session from here on, or nobody any more.
    pub(super) fn set_signed_in(
        &self,
        session: SessionId,
        address: IpAddr,
        holder: Option<Holder>,
    ) {
        match (holder, self.address()) {
            (Some(holder), _) => self.slots.sign_in(session, holder),
            (None, Some(hub)) => self.slots.take(session, address, hub),
            (None, None) => {}
        }
    }

    /// Ends a session of this thread.
    fn end(&self, session: SessionId, end: End) {
        let line = self.lines.borrow().get(session).cloned();
        if let Some(line) = line {
            line.end(end);
        }
    }

    fn take(&self, entries: &[Entry]) {
        for entry in entries {
            let full = {
                let mut ring = self.ring.borrow_mut();
                ring.push(entry.clone());
                ring.is_full(self.told.get().max(ring.start()))
            };
            // Nothing may be dropped that a session was not offered.
            while full && self.send_portion() {}
        }
    }

    /// Writes what is new to every session, beside whatever else this thread does, and after all
    /// that waits in its mailbox was taken, so that a burst shares its writes.
    fn send_soon(self: &Rc<Self>) {
        if self.is_sending.replace(true) {
            return;
        }
        let hub = Rc::clone(self);
        actix::spawn(async move {
            loop {
                // Whatever can be read is read before the next portion.
                tokio::task::yield_now().await;
                if !hub.send_portion() {
                    break;
                }
            }
            hub.is_sending.set(false);
        });
    }

    /// Writes what is new to some of the sessions; false when all have been written everything.
    ///
    /// Each is written all that there is by then, so what comes during a pass goes at once to
    /// whoever is still to be visited, and in the next pass to the others.
    fn send_portion(&self) -> bool {
        let started = Instant::now();
        let mut gone = Vec::new();
        let is_over = {
            let ring = self.ring.borrow();
            let mut lines = self.lines.borrow_mut();
            let mut pass = self.pass.borrow_mut();
            let pass = match &mut *pass {
                Some(pass) => pass,
                None if self.told.get() >= ring.end() => return false,
                none => {
                    lines.begin_pass();
                    none.insert(Pass {
                        end: ring.end(),
                        delta: Delta::new(self.told.get()),
                    })
                }
            };
            loop {
                let Some(line) = lines.next_of_pass() else {
                    self.told.set(pass.end);
                    break true;
                };
                if !line.deliver(&mut pass.delta, &ring) {
                    gone.push(Rc::clone(line));
                }
                if started.elapsed() >= PORTION {
                    break false;
                }
            }
        };
        if is_over {
            *self.pass.borrow_mut() = None;
        }
        gone.iter().for_each(|line| line.end(End::Cut));
        if is_over {
            self.settle();
        }
        !is_over || self.told.get() < self.ring.borrow().end()
    }

    /// Ends every session of this thread; each comes back by itself.
    fn cut_all(&self) {
        let lines: Vec<Rc<Line>> = self.lines.borrow().values().cloned().collect();
        lines.iter().for_each(|line| line.end(End::Cut));
        self.settle();
    }

    fn watch(&self) {
        let stalled = self.is_catching_up();
        let lines: Vec<Rc<Line>> = self.lines.borrow().values().cloned().collect();
        lines.iter().for_each(|line| line.watch(stalled));
        self.settle();
    }

    /// Whether this thread was held up a moment ago. It looks at deadlines again at once, for
    /// every time that it missed, and must hear its clients before.
    fn is_catching_up(&self) -> bool {
        let (now, moment) = (Instant::now(), self.limits.watch() * 4);
        if now - self.watched.replace(now) > moment {
            self.lenient_until.set(now + moment);
        }
        now < self.lenient_until.get()
    }

    fn settle(&self) {
        let mut settling = self.settling.borrow_mut();
        if settling.is_empty() {
            return;
        }
        let lines = self.lines.borrow();
        settling.retain_mut(|(end, settled)| {
            let is_settled = lines.values().all(|line| line.is_settled(*end));
            if is_settled {
                let (sender, _) = oneshot::channel();
                // Whoever waited may have given up.
                let _ = std::mem::replace(settled, sender).send(());
            }
            !is_settled && !settled.is_closed()
        });
    }
}

/// The hub as other threads reach it.
pub struct HubActor {
    hub: Rc<Hub>,
    broadcaster: Option<Addr<Broadcaster>>,
}

/// What one thread's hub is made of.
pub(super) struct Plan {
    pub(super) limits: Limits,
    pub(super) number: u16,
    pub(super) slots: Arc<SessionSlots>,
    pub(super) listen: Box<dyn Listen>,
    pub(super) broadcaster: Option<Addr<Broadcaster>>,
}

impl HubActor {
    /// Starts this thread's hub.
    pub(super) fn start_here(plan: Plan) -> (Rc<Hub>, Addr<Self>) {
        let opens_from_site = Limit::new(&[(plan.limits.opens_per_second.max(1), 1)], None);
        let hub = Rc::new(Hub {
            limits: plan.limits,
            ring: RefCell::default(),
            listen: plan.listen,
            lines: RefCell::default(),
            opens_from_site,
            hasher: RandomState::new(),
            address: OnceCell::new(),
            number: plan.number,
            slots: plan.slots,
            told: Cell::new(0),
            pass: RefCell::default(),
            is_sending: Cell::new(false),
            watched: Cell::new(Instant::now()),
            lenient_until: Cell::new(Instant::now()),
            settling: RefCell::default(),
        });
        let actor = Self {
            hub: Rc::clone(&hub),
            broadcaster: plan.broadcaster,
        };
        let address = actor.start();
        // It is set here alone.
        let _ = hub.address.set(address.clone());
        (hub, address)
    }
}

impl Actor for HubActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        // The broadcaster waits beyond it.
        ctx.set_mailbox_capacity(1_024);
        ctx.run_interval(self.hub.limits.watch(), |actor, _| actor.hub.watch());
        if let Some(broadcaster) = &self.broadcaster {
            let stream = ctx.address().recipient();
            let settle = ctx.address().recipient();
            let add = broadcaster.send(AddHub(HubAddress { stream, settle }));
            ctx.wait(fut::wrap_future(async move {
                // A broadcaster that is gone has nothing to say.
                let _ = add.await;
            }));
        }
    }
}

impl Handler<ToHub> for HubActor {
    type Result = ();

    fn handle(&mut self, message: ToHub, _: &mut Self::Context) {
        match message {
            ToHub::Entries(entries) => {
                self.hub.take(&entries);
                self.hub.send_soon();
            }
            ToHub::StartOver(position) => {
                self.hub.ring.borrow_mut().start_over(position);
                self.hub.cut_all();
            }
            ToHub::Joined {
                session,
                position,
                present,
            } => {
                self.hub.ring.borrow_mut().begin(position);
                let line = self.hub.lines.borrow().get(session).cloned();
                if let Some(line) = line {
                    line.joined(Joined { present });
                }
            }
        }
    }
}

impl Handler<Settle> for HubActor {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, Settle: Settle, _: &mut Self::Context) -> Self::Result {
        let (sender, settled) = oneshot::channel();
        let end = self.hub.ring.borrow().end();
        self.hub.settling.borrow_mut().push((end, sender));
        self.hub.settle();
        Box::pin(async move {
            // Never dropped without an answer while the hub lives.
            let _ = settled.await;
        })
    }
}

/// The sign-in session behind a session has ended, or the same client has come back elsewhere.
#[derive(Message)]
#[rtype(result = "()")]
pub struct EndSession {
    pub session: SessionId,
    /// Tells the client not to come back by itself.
    pub for_good: bool,
}

impl Handler<EndSession> for HubActor {
    type Result = ();

    fn handle(&mut self, end: EndSession, _: &mut Self::Context) {
        let line = self.hub.lines.borrow().get(end.session).cloned();
        if let Some(line) = line
            && end.for_good
        {
            super::socket_io::say_goodbye(&line);
        }
        let how = if end.for_good { End::Closed } else { End::Cut };
        self.hub.end(end.session, how);
    }
}

/// A polling client's request, to the thread that has its session.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) enum Request {
    Get(Sid, Poll),
    Post(Sid, Bytes, Poll),
    /// The connection of a GET is gone.
    Abandoned(Sid),
}

impl Handler<Request> for HubActor {
    type Result = ();

    fn handle(&mut self, request: Request, _: &mut Self::Context) {
        polling::take(&self.hub, request);
    }
}

/// A WebSocket for a session is about to be let in; false when this thread has no such session.
#[derive(Message)]
#[rtype(result = "bool")]
pub(super) struct Expect(pub(super) Sid);

impl Handler<Expect> for HubActor {
    type Result = bool;

    fn handle(&mut self, Expect(sid): Expect, _: &mut Self::Context) -> bool {
        let line = self.hub.line(&sid);
        if let Some(line) = &line {
            line.expect_upgrade();
        }
        line.is_some()
    }
}

/// A WebSocket for a session of this thread; bytes that were read already come with it.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Adopt {
    pub(super) sid: Sid,
    pub(super) tcp: StdTcpStream,
    pub(super) first: Bytes,
}

impl Handler<Adopt> for HubActor {
    type Result = ();

    fn handle(&mut self, adopt: Adopt, _: &mut Self::Context) {
        match actix_web::rt::net::TcpStream::from_std(adopt.tcp) {
            Ok(tcp) => session::take_over(&self.hub, &adopt.sid, Wire::new(tcp), adopt.first),
            Err(error) => tracing::error!(%error, "a connection could not change its thread"),
        }
    }
}

/// Every thread's hub, by its number.
pub(super) type Hubs = Arc<std::sync::RwLock<Vec<Addr<HubActor>>>>;
