//! From an RO number to its supervisor: starts it, finds it, retires it when idle.

use std::collections::HashMap;
use std::time::Duration;

use actix::prelude::*;

use crate::committer::Committer;
use crate::repair_order::RoNumber;
use crate::store::Store;
use crate::supervisor::{self, Execute, Failure, Outcome, RoSupervisor, Stop};

/// The router. Never awaits: a slow order delays nobody else's.
pub struct Dispatch {
    store: Store,
    committer: Committer,
    idle_after: Duration,
    supervisors: HashMap<RoNumber, Addr<RoSupervisor>>,
}

/// The one way to change a repair order.
#[derive(Clone)]
pub struct RepairOrders {
    dispatch: Addr<Dispatch>,
}

impl RepairOrders {
    /// Starts the router on this thread's arbiter.
    pub fn start(store: Store, committer: Committer) -> Self {
        Self::start_with_idle(store, committer, supervisor::IDLE)
    }

    /// As `start`, with supervisors that retire after `idle_after`.
    pub fn start_with_idle(store: Store, committer: Committer, idle_after: Duration) -> Self {
        let dispatch = Dispatch {
            store,
            committer,
            idle_after,
            supervisors: HashMap::new(),
        }
        .start();
        Self { dispatch }
    }

    /// Answers once the change is durable and handed on to be announced, or refused.
    pub async fn execute(&self, number: RoNumber, request: Execute) -> Result<Outcome, Failure> {
        // A supervisor may retire between being found and being asked; then a new one is started.
        // Asking again is safe in any case: a command that is carried out already changes nothing.
        for _ in 0..2 {
            let Ok(supervisor) = self.dispatch.send(Find(number)).await else {
                return Err(Failure::Unavailable);
            };
            match supervisor.send(request.clone()).await {
                Ok(result) => return result,
                Err(MailboxError::Closed) => {}
                Err(MailboxError::Timeout) => return Err(Failure::Unavailable),
            }
        }
        Err(Failure::Unavailable)
    }

    /// The order's supervisor may go as soon as it has done what it was asked. Whoever passes
    /// through many orders (an import) says so, that they do not all stay until they are idle.
    pub fn release(&self, number: RoNumber) {
        // A full mailbox there only means: when it is idle.
        let _ = self.dispatch.try_send(Release(number));
    }

    /// How many orders have a supervisor at the moment.
    pub async fn supervised(&self) -> usize {
        self.dispatch.send(Count).await.unwrap_or(0)
    }
}

impl Actor for Dispatch {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(1_024);
    }
}

#[derive(Message)]
#[rtype(result = "Addr<RoSupervisor>")]
struct Find(RoNumber);

impl Handler<Find> for Dispatch {
    type Result = MessageResult<Find>;

    fn handle(&mut self, Find(number): Find, ctx: &mut Self::Context) -> Self::Result {
        let start = || {
            RoSupervisor::new(
                number,
                self.store.clone(),
                self.committer.clone(),
                ctx.address(),
                self.idle_after,
            )
            .start()
        };
        let supervisor = self.supervisors.entry(number).or_insert_with(start);
        // One that died would refuse its order for good.
        if !supervisor.connected() {
            *supervisor = start();
        }
        MessageResult(supervisor.clone())
    }
}

/// An idle supervisor asks to go.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Retire {
    pub(crate) number: RoNumber,
    pub(crate) supervisor: Addr<RoSupervisor>,
}

impl Handler<Retire> for Dispatch {
    type Result = ();

    fn handle(&mut self, retire: Retire, _: &mut Self::Context) {
        if self.supervisors.get(&retire.number) != Some(&retire.supervisor) {
            return;
        }
        // Behind whatever was sent to it before. If its mailbox is full it is not idle, and stays.
        if retire.supervisor.try_send(Stop).is_ok() {
            self.supervisors.remove(&retire.number);
        }
    }
}

#[derive(Message)]
#[rtype(result = "()")]
struct Release(RoNumber);

impl Handler<Release> for Dispatch {
    type Result = ();

    fn handle(&mut self, Release(number): Release, _: &mut Self::Context) {
        let supervisor = self.supervisors.get(&number);
        if supervisor.is_some_and(|supervisor| supervisor.try_send(Stop).is_ok()) {
            self.supervisors.remove(&number);
        }
    }
}

#[derive(Message)]
#[rtype(result = "usize")]
struct Count;

impl Handler<Count> for Dispatch {
    type Result = usize;

    fn handle(&mut self, Count: Count, _: &mut Self::Context) -> usize {
        self.supervisors.len()
    }
}
