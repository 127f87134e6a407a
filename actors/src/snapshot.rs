//! The open orders in memory, kept by the event stream: what the list is served from. The
//! committer lands every event here before it announces it and before it replies, so that no
//! session receives a change that the list does not have yet.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::broadcaster::Announcement;
use crate::repair_order::{RepairOrder, RoNumber};
use crate::store::{self, LogPosition, Seq, Store, StoreError};

#[derive(Clone, Default)]
pub struct Snapshot {
    state: Arc<RwLock<State>>,
}

#[derive(Default)]
struct State {
    position: LogPosition,
    generation: Arc<str>,
    open: BTreeMap<RoNumber, Arc<RepairOrder>>,
}

impl From<store::OpenOrders> for State {
    fn from(open: store::OpenOrders) -> Self {
        let orders = open.orders.into_iter();
        Self {
            position: open.head.position,
            generation: open.head.generation.into(),
            open: orders
                .map(|order| (order.number, Arc::new(order)))
                .collect(),
        }
    }
}

/// The open orders by number, the place in the log they are true for, and which log that is.
pub struct OpenOrders<'a> {
    pub position: LogPosition,
    pub generation: &'a Arc<str>,
    pub orders: &'a BTreeMap<RoNumber, Arc<RepairOrder>>,
}

impl Snapshot {
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let open = store.open_orders().await?;
        let head = &open.head;
        store.status().start_over(&head.generation, head.position);
        Ok(Self {
            state: Arc::new(RwLock::new(open.into())),
        })
    }

    /// Takes the orders of a log that went back for all that were known before.
    pub(crate) fn replace(&self, open: store::OpenOrders) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = open.into();
    }

    /// The newest event that has landed.
    pub fn seq(&self) -> Seq {
        self.position().seq
    }

    /// The place of the newest event that has landed.
    pub fn position(&self) -> LogPosition {
        let state = self.state.read();
        state.unwrap_or_else(PoisonError::into_inner).position
    }

    /// An open order.
    pub fn get(&self, number: RoNumber) -> Option<Arc<RepairOrder>> {
        self.read(|open| open.orders.get(&number).cloned())
    }

    /// Reads all open orders at one moment; changes wait meanwhile, so be brief.
    pub fn read<T>(&self, read: impl FnOnce(OpenOrders<'_>) -> T) -> T {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        read(OpenOrders {
            position: state.position,
            generation: &state.generation,
            orders: &state.open,
        })
    }

    /// Takes events in, in the order of their numbers. Of two states of one order the newer stays.
    pub(crate) fn land(&self, announcements: &[Announcement]) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        for Announcement { event, order } in announcements {
            if event.seq > state.position.seq {
                state.position = event.position();
            }
            let current = state.open.get(&order.number);
            if current.is_some_and(|current| current.version > order.version) {
                continue;
            }
            if order.closed_at.is_some() {
                state.open.remove(&order.number);
            } else {
                state.open.insert(order.number, order.clone());
            }
        }
    }
}
