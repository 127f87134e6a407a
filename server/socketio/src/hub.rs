//! One thread's sessions. A message of the stream crosses to this thread once, and is written to
//! every session it concerns from here.

use std::cell::{Cell, RefCell};
use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::Recipient;
use engineioxide_core::Sid;
use tokio::sync::oneshot;

use crate::admission::Admission;
use crate::counts::StreamCounts;
use crate::engine_session::{CloseReason, Delivery, EngineSession};
use crate::fan_out::FanOut;
use crate::feed::{EventNumber, Feed};
use crate::handler::EngineApplication;
use crate::hub_actor::{EndSession, SessionHandle};
use crate::limits::Limits;
use crate::ring::{Position, Ring};
use crate::shared_bytes::SharedBytes;
use crate::sid::{SessionId, new_sid, session_id_of};
use crate::ws_writer::WsWriter;

/// Recent events that a session is given at once.
const MAX_RECENT: usize = 256;

/// How long sessions are written to before this thread does what else waits: it serves requests,
/// too, and an answer must not wait until thousands of sessions have been written to.
const TIME_SLICE: Duration = Duration::from_millis(1);

/// One thread's sessions, and its part of the stream.
pub struct Hub<F: Feed> {
    pub(crate) limits: Limits,
    pub(crate) ring: RefCell<Ring<F>>,
    pub(crate) admission: Box<dyn Admission>,
    /// All threads'.
    pub(crate) counts: Arc<StreamCounts>,
    application: Box<dyn EngineApplication<F>>,
    sessions: RefCell<FanOut<Rc<EngineSession<F>>>>,
    /// Of its actor.
    ends_sessions: Arc<Recipient<EndSession>>,
    /// This thread's number among the workers.
    number: u16,
    /// Up to here every session has been written, or is behind by its own fault.
    written: Cell<Position>,
    /// The pass that is under way through all sessions.
    pass: RefCell<Option<Pass>>,
    /// A task makes passes until every session has been written everything.
    is_sending: Cell<bool>,
    /// When deadlines were checked last.
    checked: Cell<Instant>,
    /// Nobody is late until then.
    lenient_until: Cell<Instant>,
    /// Wait until every session is as far as the stream was.
    settling: RefCell<Vec<(Position, oneshot::Sender<()>)>>,
}

struct Pass {
    /// Where the stream was when it began.
    end: Position,
    shared: SharedBytes,
}

/// The parts of one thread's hub.
pub(crate) struct HubParts<F: Feed> {
    pub(crate) limits: Limits,
    pub(crate) number: u16,
    pub(crate) application: Box<dyn EngineApplication<F>>,
    pub(crate) admission: Box<dyn Admission>,
}

impl<F: Feed> Hub<F> {
    pub(crate) fn new(
        parts: HubParts<F>,
        counts: Arc<StreamCounts>,
        ends_sessions: Recipient<EndSession>,
    ) -> Rc<Self> {
        Rc::new(Self {
            limits: parts.limits,
            ring: RefCell::default(),
            admission: parts.admission,
            counts,
            application: parts.application,
            sessions: RefCell::default(),
            ends_sessions: Arc::new(ends_sessions),
            number: parts.number,
            written: Cell::new(0),
            pass: RefCell::default(),
            is_sending: Cell::new(false),
            checked: Cell::new(Instant::now()),
            lenient_until: Cell::new(Instant::now()),
            settling: RefCell::default(),
        })
    }

    pub(crate) fn started(self: &Rc<Self>) {
        self.application.started(self);
    }

    /// Messages that follow each other in the stream. They are written to all sessions soon, beside
    /// whatever else this thread does.
    pub fn publish(self: &Rc<Self>, messages: &[F::Message]) {
        for message in messages {
            let full = {
                let mut ring = self.ring.borrow_mut();
                ring.push(message.clone());
                ring.is_full(self.written.get().max(ring.start()))
            };
            // Nothing may be dropped that a session was not offered.
            while full && self.send_slice() {}
        }
        self.send_soon();
    }

    /// The stream went back and ends here now: every session is closed, and its client comes back
    /// for a new beginning.
    pub fn start_over(&self, offset: F::Offset) {
        self.ring.borrow_mut().start_over(offset);
        let sessions: Vec<_> = self.sessions.borrow().values().cloned().collect();
        for session in sessions {
            session.abort();
        }
        self.settle();
    }

    /// Drops the sessions that there are now, one after the other over this time.
    pub(crate) async fn end_sessions(&self, over: Duration) {
        let sessions: Vec<SessionId> = self
            .sessions
            .borrow()
            .values()
            .map(|session| session.id())
            .collect();
        let begun = tokio::time::Instant::now();
        let count = u32::try_from(sessions.len()).unwrap_or(u32::MAX);
        for (place, id) in (1..=count).zip(sessions) {
            tokio::time::sleep_until(begun + over * place / count).await;
            if let Some(session) = self.session_by_id(id) {
                session.abort();
            }
        }
    }

    /// The publisher has taken a session in. This must come between its last message before and its
    /// first one after that. `offset`: of the newest event before.
    pub fn session_joined(&self, id: SessionId, offset: F::Offset, joined: F::Joined) {
        self.ring.borrow_mut().begin(offset);
        if let Some(session) = self.session_by_id(id) {
            session.joined(joined);
        }
    }

    /// Resolves when every session has taken everything that was published so far.
    pub fn settled(&self) -> impl Future<Output = ()> + use<F> {
        let (sender, settled) = oneshot::channel();
        let end = self.ring.borrow().end();
        self.settling.borrow_mut().push((end, sender));
        self.settle();
        async move {
            // Never dropped without an answer while the hub lives.
            let _ = settled.await;
        }
    }

    /// The number of the newest event that this thread knows.
    pub fn newest(&self) -> EventNumber {
        self.ring.borrow().newest()
    }

    pub(crate) fn session(&self, sid: &Sid) -> Option<Rc<EngineSession<F>>> {
        let session = self.session_by_id(session_id_of(sid))?;
        (session.sid == *sid).then_some(session)
    }

    pub(crate) fn session_by_id(&self, id: SessionId) -> Option<Rc<EngineSession<F>>> {
        self.sessions.borrow().get(id).cloned()
    }

    pub(crate) fn handle_of(&self, id: SessionId) -> SessionHandle {
        SessionHandle::new(id, Arc::clone(&self.ends_sessions))
    }

    /// Events after `after` for a session, [`MAX_RECENT`] at most, and whether these are all; none
    /// where the ring does not go back so far.
    pub(crate) fn recent(
        &self,
        after: EventNumber,
        interest: &F::Interest,
    ) -> Option<(Vec<F::Message>, bool)> {
        let ring = self.ring.borrow();
        if !ring.reaches_back_to(after) {
            return None;
        }
        let mut wanted = ring.events_after(after, interest);
        let messages: Vec<F::Message> = wanted.by_ref().take(MAX_RECENT).cloned().collect();
        Some((messages, wanted.next().is_none()))
    }

    /// A new session, on a WebSocket or polling.
    pub(crate) fn open(
        self: &Rc<Self>,
        writer: Option<Rc<WsWriter>>,
        address: IpAddr,
    ) -> Rc<EngineSession<F>> {
        let sid = new_sid(self.number);
        let handler = self.application.handler();
        let session = EngineSession::new(self, sid, (writer, address), handler);
        let id = session.id();
        self.sessions.borrow_mut().insert(id, Rc::clone(&session));
        self.admission.waiting(session.handle(), address);
        session.opened();
        session
    }

    pub(crate) fn remove(&self, session: &EngineSession<F>) {
        if self.sessions.borrow_mut().remove(session.id()) {
            self.admission.closed(session.id());
        }
    }

    /// Writes what is new to every session, beside whatever else this thread does, and after all
    /// that waits in its mailboxes was taken, so that a burst shares its writes.
    fn send_soon(self: &Rc<Self>) {
        if self.is_sending.replace(true) {
            return;
        }
        let hub = Rc::clone(self);
        actix::spawn(async move {
            loop {
                // Whatever can be read is read before the next slice.
                tokio::task::yield_now().await;
                if !hub.send_slice() {
                    break;
                }
            }
            hub.is_sending.set(false);
        });
    }

    /// Writes what is new to some of the sessions; false when all have been written everything.
    ///
    /// Each session gets all that there is by then: what comes during a pass goes at once to the
    /// sessions still to be visited, and in the next pass to the others.
    fn send_slice(&self) -> bool {
        let started = Instant::now();
        let mut lost_sessions = Vec::new();
        let mut deliveries = 0;
        let is_over = {
            let ring = self.ring.borrow();
            let mut sessions = self.sessions.borrow_mut();
            let mut pass = self.pass.borrow_mut();
            let pass = match &mut *pass {
                Some(pass) => pass,
                None if self.written.get() >= ring.end() => return false,
                none => {
                    sessions.begin_pass();
                    none.insert(Pass {
                        end: ring.end(),
                        shared: SharedBytes::new(self.written.get()),
                    })
                }
            };
            loop {
                let Some(session) = sessions.next_of_pass() else {
                    self.written.set(pass.end);
                    break true;
                };
                match session.deliver(&mut pass.shared, &ring) {
                    Delivery::Nothing => {}
                    Delivery::Written => deliveries += 1,
                    Delivery::Gone => lost_sessions.push(Rc::clone(session)),
                    Delivery::TooFarBehind => {
                        self.counts.cut_behind();
                        lost_sessions.push(Rc::clone(session));
                    }
                }
                if started.elapsed() >= TIME_SLICE {
                    break false;
                }
            }
        };
        self.counts.delivered(deliveries);
        if is_over {
            *self.pass.borrow_mut() = None;
        }
        lost_sessions
            .iter()
            .for_each(|session| session.end(CloseReason::Aborted));
        if is_over {
            self.settle();
        }
        !is_over || self.written.get() < self.ring.borrow().end()
    }

    pub(crate) fn check_deadlines(&self) {
        let stalled = self.is_catching_up();
        let sessions: Vec<_> = self.sessions.borrow().values().cloned().collect();
        for session in sessions {
            session.check_deadlines(stalled);
        }
        self.settle();
    }

    /// Whether this thread was stalled a moment ago. It checks deadlines again at once, for every
    /// time that it missed, and must read from its clients before.
    fn is_catching_up(&self) -> bool {
        let (now, moment) = (Instant::now(), self.limits.check_interval() * 4);
        if now - self.checked.replace(now) > moment {
            self.lenient_until.set(now + moment);
        }
        now < self.lenient_until.get()
    }

    fn settle(&self) {
        let mut settling = self.settling.borrow_mut();
        if settling.is_empty() {
            return;
        }
        let sessions = self.sessions.borrow();
        settling.retain_mut(|(end, settled)| {
            let is_settled = sessions.values().all(|session| session.is_settled(*end));
            if is_settled {
                let (sender, _) = oneshot::channel();
                // The caller may have stopped waiting.
                let _ = std::mem::replace(settled, sender).send(());
            }
            !is_settled && !settled.is_closed()
        });
    }
}
