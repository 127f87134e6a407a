//! From an RO number to its supervisor: starts it, finds it, retires it when idle.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix::prelude::*;

use crate::committer::Committer;
use crate::repair_order::RoNumber;
use crate::store::Store;
use crate::supervisor::{self, Ask, Execute, Failure, Outcome, RoSupervisor, Stop};

/// The one way to change a repair order, from any thread.
#[derive(Clone)]
pub struct RepairOrders {
    dispatch: Arc<Dispatch>,
}

/// The router. A supervisor runs on the thread that asked for its order first: on the way to it
/// there is no other thread to wait for, and on a single core none to wake.
pub(crate) struct Dispatch {
    store: Store,
    committer: Committer,
    idle_after: Duration,
    supervisors: Mutex<HashMap<RoNumber, Addr<RoSupervisor>>>,
}

impl RepairOrders {
    pub fn start(store: Store, committer: Committer) -> Self {
        Self::start_with_idle(store, committer, supervisor::IDLE)
    }

    /// As `start`, with supervisors that retire after `idle_after`.
    pub fn start_with_idle(store: Store, committer: Committer, idle_after: Duration) -> Self {
        let dispatch = Dispatch {
            store,
            committer,
            idle_after,
            supervisors: Mutex::default(),
        };
        Self {
            dispatch: Arc::new(dispatch),
        }
    }

    /// Answers once the change is durable and handed on to be announced, or refused.
    pub async fn execute(&self, number: RoNumber, request: Execute) -> Result<Outcome, Failure> {
        // A supervisor may retire between being found and being asked; then a new one is started.
        // Asking again is safe in any case: a command that is carried out already changes nothing.
        let request = Arc::new(request);
        for _ in 0..2 {
            let supervisor = self.dispatch.find(number);
            match supervisor.send(Ask(request.clone())).await {
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
        self.dispatch.retire(number, |_| true);
    }

    /// How many orders have a supervisor at the moment.
    pub fn supervised(&self) -> usize {
        self.dispatch.supervisors().len()
    }
}

impl Dispatch {
    fn find(self: &Arc<Self>, number: RoNumber) -> Addr<RoSupervisor> {
        let start = || {
            let (store, committer) = (self.store.clone(), self.committer.clone());
            // Held loosely, or the supervisors and their router would keep each other alive.
            let dispatch = Arc::downgrade(self);
            RoSupervisor::new(number, store, committer, dispatch, self.idle_after).start()
        };
        let mut supervisors = self.supervisors();
        let supervisor = supervisors.entry(number).or_insert_with(start);
        // One that died, or whose thread ended, would refuse its order for good.
        if !supervisor.connected() {
            *supervisor = start();
        }
        supervisor.clone()
    }

    /// Lets the order's supervisor go once it has done what it was asked before, if it is the one
    /// that is meant.
    pub(crate) fn retire(&self, number: RoNumber, meant: impl Fn(&Addr<RoSupervisor>) -> bool) {
        let mut supervisors = self.supervisors();
        let leaves = supervisors
            .get(&number)
            // If its mailbox is full it is not idle, and stays.
            .is_some_and(|supervisor| meant(supervisor) && supervisor.try_send(Stop).is_ok());
        if leaves {
            supervisors.remove(&number);
        }
    }

    fn supervisors(&self) -> MutexGuard<'_, HashMap<RoNumber, Addr<RoSupervisor>>> {
        self.supervisors
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
