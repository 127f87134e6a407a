//! This week's ledger. The week's events are read once, then only those that are new; orders are the snapshot's, and of
//! closed ones those that were read last. What was added up stays until an event or a kind of work is new.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use dispatch_actors::repair_order::{RepairOrder, RoNumber, TechnicianId};
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{Seq, Store, StoreError};
use jiff::Timestamp;
use tokio::sync::Mutex;

use super::ledger::{GivenOrder, GivenWork, Team, given_work};
use super::membership::{Step, came_on};
use crate::clocks::Clocks;
use crate::error::ApiError;
use crate::skills::{WorkKindBook, WorkKinds};

type ByTechnician = HashMap<TechnicianId, GivenWork>;

/// Cheap to clone: all clones share what was read.
#[derive(Clone)]
pub struct Fairness {
    store: Store,
    snapshot: Snapshot,
    clocks: Clocks,
    kinds: WorkKinds,
    log: Arc<Mutex<WeekLog>>,
}

/// What technicians were given in one week.
pub(in crate::technicians) struct WeekLedger {
    pub since: Timestamp,
    given: Arc<ByTechnician>,
    /// Who came on the clock in it.
    pub on_clock: HashSet<TechnicianId>,
    pub team: Team,
}

impl WeekLedger {
    pub(in crate::technicians) fn given_to(&self, technician: TechnicianId) -> GivenWork {
        self.given.get(&technician).cloned().unwrap_or_default()
    }
}

impl Fairness {
    pub fn new(store: Store, snapshot: Snapshot, clocks: Clocks, kinds: WorkKinds) -> Self {
        Self {
            store,
            snapshot,
            clocks,
            kinds,
            log: Arc::default(),
        }
    }

    /// Of the shop's week up to now; `technicians`: everybody on its list.
    pub(in crate::technicians) async fn this_week(
        &self,
        technicians: &[TechnicianId],
    ) -> Result<WeekLedger, ApiError> {
        let since = self.clocks.start_of_week()?;
        let kinds = self.kinds.book().await?;
        let on_clock = self.clocks.attended_since(technicians, since).await?;
        let mut log = self.log.lock().await;
        let given = log.given(&self.store, &self.snapshot, since, kinds).await?;
        drop(log);
        Ok(WeekLedger {
            since,
            team: Team::of(&given, &on_clock),
            given,
            on_clock,
        })
    }
}

/// Who came on orders and left them in one week, as the log had it at `seq`.
#[derive(Default)]
struct WeekLog {
    /// None: nothing is read yet.
    week: Option<(Timestamp, Arc<str>)>,
    seq: Seq,
    steps: HashMap<RoNumber, Vec<Step>>,
    closed: HashMap<RoNumber, Arc<RepairOrder>>,
    added_up: Option<AddedUp>,
}

/// What the orders of the snapshot at `seq` add up to.
struct AddedUp {
    seq: Seq,
    kinds: WorkKindBook,
    given: Arc<ByTechnician>,
}

impl WeekLog {
    async fn given(
        &mut self,
        store: &Store,
        snapshot: &Snapshot,
        since: Timestamp,
        kinds: WorkKindBook,
    ) -> Result<Arc<ByTechnician>, StoreError> {
        // Before the orders are looked at: what comes meanwhile is new the next time.
        let seq = snapshot.seq();
        self.catch_up(store, snapshot, since).await?;
        if let Some(last) = &self.added_up
            && (last.seq, &last.kinds) == (seq, &kinds)
        {
            return Ok(Arc::clone(&last.given));
        }
        let orders = self.orders(store, snapshot).await?;
        let given = Arc::new(given_work(&orders, &kinds));
        self.added_up = Some(AddedUp {
            seq,
            kinds,
            given: Arc::clone(&given),
        });
        Ok(given)
    }

    /// From the beginning where another week has begun, or the log is another one.
    async fn catch_up(
        &mut self,
        store: &Store,
        snapshot: &Snapshot,
        since: Timestamp,
    ) -> Result<(), StoreError> {
        let week = (since, store.status().generation());
        if self.week.as_ref() != Some(&week) {
            *self = Self::default();
        } else if snapshot.seq() <= self.seq {
            return Ok(());
        }
        let (events, seq) = store.lived_since(self.seq, since).await?;
        for event in events {
            // It may be another order now.
            self.closed.remove(&event.number);
            if let Some(step) = Step::of(&event) {
                self.steps.entry(event.number).or_default().push(step);
            }
        }
        self.seq = seq;
        self.week = Some(week);
        Ok(())
    }

    /// The orders that somebody was given since the week began, of those that were not closed before it.
    async fn orders(
        &mut self,
        store: &Store,
        snapshot: &Snapshot,
    ) -> Result<Vec<GivenOrder>, StoreError> {
        let numbers = self.steps.keys();
        let (open, closed): (Vec<_>, Vec<_>) = snapshot.read(|state| {
            numbers
                .map(|number| (*number, state.orders.get(number).cloned()))
                .partition(|(_, order)| order.is_some())
        });
        let closed = closed.into_iter().map(|(number, _)| number);
        let closed: Vec<RoNumber> = closed.collect();
        let unread = closed.iter().filter(|one| !self.closed.contains_key(one));
        let unread: Vec<RoNumber> = unread.copied().collect();
        for order in store.load_all(&unread).await? {
            self.closed.insert(order.number, Arc::new(order));
        }
        let closed = closed.iter().filter_map(|number| self.closed.get(number));
        let orders = open.into_iter().filter_map(|(_, order)| order);
        let since = self.week.as_ref().map(|(since, _)| *since);
        let given = orders.chain(closed.cloned()).filter_map(|order| {
            if order
                .closed_at
                .is_some_and(|closed_at| Some(closed_at) < since)
            {
                return None;
            }
            let to = came_on(&order, self.steps.get(&order.number)?);
            let to = to.into_keys().collect();
            Some(GivenOrder { order, to })
        });
        Ok(given.collect())
    }
}
