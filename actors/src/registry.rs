//! From an RO number to its supervisor: starts it, finds it, and retires it when it is idle.

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
pub struct RepairOrderRegistry {
    registry: Arc<SupervisorRegistry>,
}

/// The running supervisors. Each runs on the thread that asked for its order first: no request waits for
/// another thread on its way, and a single core has none to wake.
pub(crate) struct SupervisorRegistry {
    store: Store,
    committer: Committer,
    idle_after: Duration,
    supervisors: Mutex<HashMap<RoNumber, Addr<RoSupervisor>>>,
}

impl RepairOrderRegistry {
    pub fn start(store: Store, committer: Committer) -> Self {
        Self::start_with_idle(store, committer, supervisor::IDLE)
    }

    /// As `start`, with supervisors that retire after `idle_after`.
    pub fn start_with_idle(store: Store, committer: Committer, idle_after: Duration) -> Self {
        let registry = SupervisorRegistry {
            store,
            committer,
            idle_after,
            supervisors: Mutex::default(),
        };
        Self {
            registry: Arc::new(registry),
        }
    }

    /// Answers once the change is durable and passed on to be announced, or refused.
    pub async fn execute(&self, number: RoNumber, request: Execute) -> Result<Outcome, Failure> {
        // A supervisor may retire between being found and being asked; then a new one is started.
        // Asking again is safe in any case: a command that is carried out already changes nothing.
        let request = Arc::new(request);
        for _ in 0..2 {
            let supervisor = self.registry.find(number);
            match supervisor.send(Ask::new(request.clone())).await {
                Ok(result) => return result,
                Err(MailboxError::Closed) => {}
                Err(MailboxError::Timeout) => return Err(Failure::Unavailable),
            }
        }
        Err(Failure::Unavailable)
    }

    /// Stops the order's supervisor after the requests that it already has. An import passes through many
    /// orders and releases each, so that their supervisors do not all stay until they are idle.
    pub fn release(&self, number: RoNumber) {
        self.registry.retire(number, |_| true);
    }

    /// How many orders have a supervisor at the moment.
    pub fn count_supervisors(&self) -> usize {
        self.registry.supervisors().len()
    }
}

impl SupervisorRegistry {
    fn find(self: &Arc<Self>, number: RoNumber) -> Addr<RoSupervisor> {
        let start = || {
            let (store, committer) = (self.store.clone(), self.committer.clone());
            // A strong reference would keep the registry and its supervisors alive for ever.
            let registry = Arc::downgrade(self);
            RoSupervisor::new(number, store, committer, registry, self.idle_after).start()
        };
        let mut supervisors = self.supervisors();
        let supervisor = supervisors.entry(number).or_insert_with(start);
        // A supervisor that died, or whose thread ended, would refuse its order forever.
        if !supervisor.connected() {
            *supervisor = start();
        }
        supervisor.clone()
    }

    /// Stops the order's supervisor after the requests that it already has, if `is_meant` agrees that it is
    /// the right one.
    pub(crate) fn retire(&self, number: RoNumber, is_meant: impl Fn(&Addr<RoSupervisor>) -> bool) {
        let mut supervisors = self.supervisors();
        let is_stopping = supervisors
            .get(&number)
            // If its mailbox is full it is not idle, and stays.
            .is_some_and(|supervisor| is_meant(supervisor) && supervisor.try_send(Stop).is_ok());
        if is_stopping {
            supervisors.remove(&number);
        }
    }

    fn supervisors(&self) -> MutexGuard<'_, HashMap<RoNumber, Addr<RoSupervisor>>> {
        self.supervisors
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
