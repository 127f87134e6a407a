//! Brings the broadcaster's messages to one thread's sessions.

use std::rc::Rc;

use actix::prelude::*;
use actix_socketio::Hub;
use dispatch_actors::broadcaster::{AddHub, Broadcaster, HubAddress, Settle, ToHub};

use super::feed::DispatchFeed;

/// Messages of the broadcaster that may wait for a thread; the broadcaster waits beyond it.
const MAILBOX: usize = 1_024;

/// One thread's.
pub(super) struct FeedActor {
    hub: Rc<Hub<DispatchFeed>>,
    broadcaster: Addr<Broadcaster>,
}

impl FeedActor {
    pub(super) fn start_here(
        hub: &Rc<Hub<DispatchFeed>>,
        broadcaster: Addr<Broadcaster>,
    ) -> Addr<Self> {
        let actor = Self {
            hub: Rc::clone(hub),
            broadcaster,
        };
        actor.start()
    }
}

impl Actor for FeedActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(MAILBOX);
        let stream = ctx.address().recipient();
        let settle = ctx.address().recipient();
        let add = self.broadcaster.send(AddHub(HubAddress { stream, settle }));
        ctx.wait(fut::wrap_future(async move {
            // A broadcaster that is gone has nothing to say.
            let _ = add.await;
        }));
    }
}

impl Handler<ToHub> for FeedActor {
    type Result = ();

    fn handle(&mut self, message: ToHub, _: &mut Self::Context) {
        match message {
            ToHub::Entries(entries) => self.hub.publish(&entries),
            ToHub::StartOver(position) => self.hub.start_over(position),
            ToHub::Joined {
                session,
                position,
                present,
            } => self.hub.session_joined(session, position, present),
        }
    }
}

impl Handler<Settle> for FeedActor {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, Settle: Settle, _: &mut Self::Context) -> Self::Result {
        Box::pin(self.hub.settled())
    }
}
