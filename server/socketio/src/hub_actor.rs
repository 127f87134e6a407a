//! A thread's hub as other threads reach it.

use std::net::TcpStream as StdTcpStream;
use std::rc::Rc;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use actix::prelude::*;
use actix_web::rt::net::TcpStream;
use bytes::Bytes;
use engineioxide_core::Sid;
use futures_util::future::join_all;

use crate::counts::StreamCounts;
use crate::engine_session::PollSender;
use crate::feed::Feed;
use crate::hub::{Hub, HubParts};
use crate::sid::{SessionId, thread_of};
use crate::ws_writer::WsWriter;
use crate::{polling, socket, ws_session};

/// Messages that may wait for a thread; a caller that sends more waits.
const MAILBOX: usize = 1_024;

pub(crate) struct HubActor<F: Feed> {
    hub: Rc<Hub<F>>,
}

impl<F: Feed> HubActor<F> {
    /// Starts this thread's hub.
    fn start_here(parts: HubParts<F>, counts: Arc<StreamCounts>) -> (Rc<Hub<F>>, Addr<Self>) {
        let context = Context::new();
        let hub = Hub::new(parts, counts, context.address().recipient());
        let actor = Self {
            hub: Rc::clone(&hub),
        };
        let address = context.run(actor);
        hub.started();
        (hub, address)
    }
}

impl<F: Feed> Actor for HubActor<F> {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(MAILBOX);
        ctx.run_interval(self.hub.limits.check_interval(), |actor, _| {
            actor.hub.check_deadlines()
        });
    }
}

/// All threads' hubs, by their numbers. Clones are the same.
pub struct Hubs<F: Feed> {
    hubs: Arc<RwLock<Vec<Addr<HubActor<F>>>>>,
    counts: Arc<StreamCounts>,
}

impl<F: Feed> Clone for Hubs<F> {
    fn clone(&self) -> Self {
        Self {
            hubs: Arc::clone(&self.hubs),
            counts: Arc::clone(&self.counts),
        }
    }
}

impl<F: Feed> Default for Hubs<F> {
    fn default() -> Self {
        Self {
            hubs: Arc::default(),
            counts: Arc::default(),
        }
    }
}

impl<F: Feed> Hubs<F> {
    /// Sends messages that follow each other to every thread, and waits where one has no room. A
    /// caller that awaits this before the next messages keeps them in order.
    pub async fn publish(&self, messages: Arc<[F::Message]>) {
        let hubs = self.read().clone();
        let sent = hubs
            .iter()
            .map(|hub| hub.send(Publish::<F>(Arc::clone(&messages))));
        // A thread that is gone has no sessions.
        join_all(sent).await;
    }

    /// Drops the connection of every session that there is now, one after the other over this time, so that their
    /// clients, which come back by themselves, do not come all at once.
    pub async fn end_sessions(&self, over: Duration) {
        let hubs = self.read().clone();
        let ended = hubs.iter().map(|hub| hub.send(EndSessions { over }));
        // A thread that is gone has no sessions.
        join_all(ended).await;
    }

    /// What all of them have done so far.
    pub fn counts(&self) -> &Arc<StreamCounts> {
        &self.counts
    }

    pub(crate) fn start_here(&self, parts: impl FnOnce(u16) -> HubParts<F>) -> Rc<Hub<F>> {
        let mut hubs = self.hubs.write().unwrap_or_else(PoisonError::into_inner);
        // There are never more threads than a sid has room for.
        let number = u16::try_from(hubs.len()).unwrap_or(u16::MAX);
        let (hub, address) = HubActor::start_here(parts(number), Arc::clone(&self.counts));
        hubs.push(address);
        hub
    }

    /// The thread that has the session.
    pub(crate) fn of(&self, sid: &Sid) -> Option<Addr<HubActor<F>>> {
        self.read().get(thread_of(sid)).cloned()
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Vec<Addr<HubActor<F>>>> {
        self.hubs.read().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Message)]
#[rtype(result = "()")]
struct Publish<F: Feed>(Arc<[F::Message]>);

impl<F: Feed> Handler<Publish<F>> for HubActor<F> {
    type Result = ();

    fn handle(&mut self, Publish(messages): Publish<F>, _: &mut Self::Context) {
        self.hub.publish(&messages);
    }
}

#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct EndSession {
    session: SessionId,
    /// Tells the client not to come back by itself.
    for_good: bool,
}

impl<F: Feed> Handler<EndSession> for HubActor<F> {
    type Result = ();

    fn handle(&mut self, end: EndSession, _: &mut Self::Context) {
        let Some(session) = self.hub.session_by_id(end.session) else {
            return;
        };
        if end.for_good {
            socket::disconnect(&session);
            session.close();
        } else {
            session.abort();
        }
    }
}

#[derive(Message)]
#[rtype(result = "()")]
struct EndSessions {
    over: Duration,
}

impl<F: Feed> Handler<EndSessions> for HubActor<F> {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, EndSessions { over }: EndSessions, _: &mut Self::Context) -> Self::Result {
        let hub = Rc::clone(&self.hub);
        Box::pin(async move { hub.end_sessions(over).await })
    }
}

/// Ends a session from any thread.
#[derive(Clone)]
pub struct SessionHandle {
    id: SessionId,
    hub: Arc<Recipient<EndSession>>,
}

impl SessionHandle {
    pub(crate) fn new(id: SessionId, hub: Arc<Recipient<EndSession>>) -> Self {
        Self { id, hub }
    }

    pub fn id(&self) -> SessionId {
        self.id
    }

    /// Waits for room. `for_good`: a Socket.IO client gets everything sent so far, and then a
    /// DISCONNECT, after which it does not reconnect by itself; otherwise the connection is dropped.
    /// Nothing happens where the session has ended already.
    pub fn end(&self, for_good: bool) -> impl Future<Output = ()> + 'static {
        let session = self.id;
        let ended = self.hub.send(EndSession { session, for_good });
        async move {
            // A hub that is gone has no sessions.
            let _ = ended.await;
        }
    }

    /// Drops the connection. False when the queue of the session's thread is full.
    pub fn try_abort(&self) -> bool {
        let end = EndSession {
            session: self.id,
            for_good: false,
        };
        self.hub.try_send(end).is_ok()
    }
}

impl std::fmt::Debug for SessionHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SessionHandle").field(&self.id).finish()
    }
}

/// A polling client's request, to the thread that has its session.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) enum PollingRequest {
    Get(Sid, PollSender),
    /// Whether there is a session for the body that is about to be received.
    BeginPost(Sid, PollSender),
    Post(Sid, Bytes, PollSender),
    /// The connection of a GET is gone.
    Dropped(Sid),
}

impl<F: Feed> Handler<PollingRequest> for HubActor<F> {
    type Result = ();

    fn handle(&mut self, request: PollingRequest, _: &mut Self::Context) {
        polling::handle(&self.hub, request);
    }
}

/// A WebSocket for a session is about to be accepted; false when this thread has no such session.
#[derive(Message)]
#[rtype(result = "bool")]
pub(crate) struct ExpectUpgrade(pub(crate) Sid);

impl<F: Feed> Handler<ExpectUpgrade> for HubActor<F> {
    type Result = bool;

    fn handle(&mut self, ExpectUpgrade(sid): ExpectUpgrade, _: &mut Self::Context) -> bool {
        let session = self.hub.session(&sid);
        if let Some(session) = &session {
            session.expect_upgrade();
        }
        session.is_some()
    }
}

/// A WebSocket for a session of this thread; bytes that were read already come with it.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct AdoptConnection {
    pub(crate) sid: Sid,
    pub(crate) tcp: StdTcpStream,
    pub(crate) first: Bytes,
}

impl<F: Feed> Handler<AdoptConnection> for HubActor<F> {
    type Result = ();

    fn handle(&mut self, adopt: AdoptConnection, _: &mut Self::Context) {
        match TcpStream::from_std(adopt.tcp) {
            Ok(tcp) => {
                ws_session::adopt_socket(&self.hub, &adopt.sid, WsWriter::new(tcp), adopt.first)
            }
            Err(error) => tracing::error!(%error, "a connection could not change its thread"),
        }
    }
}
