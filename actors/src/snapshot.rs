//! The open orders in memory, kept by the event stream: what the list is served from. The
//! committer lands every event here before it announces it and before it replies, so that nobody
//! hears of a change that the list does not have yet.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::broadcaster::Announcement;
use crate::repair_order::{RepairOrder, RoNumber};
use crate::store::{Seq, Store, StoreError};

#[derive(Clone, Default)]
pub struct Snapshot {
    state: Arc<RwLock<State>>,
}

#[derive(Default)]
struct State {
    seq: Seq,
    open: BTreeMap<RoNumber, Arc<RepairOrder>>,
}

/// The open orders by number, and the event number they are true for.
pub struct OpenOrders<'a> {
    pub seq: Seq,
    pub orders: &'a BTreeMap<RoNumber, Arc<RepairOrder>>,
}

impl Snapshot {
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let open = store.open_orders().await?;
        let state = State {
            seq: open.seq,
            open: open
                .orders
                .into_iter()
                .map(|order| (order.number, Arc::new(order)))
                .collect(),
        };
        Ok(Self {
            state: Arc::new(RwLock::new(state)),
        })
    }

    /// The newest event that has landed.
    pub fn seq(&self) -> Seq {
        self.state
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .seq
    }

    /// An open order.
    pub fn get(&self, number: RoNumber) -> Option<Arc<RepairOrder>> {
        self.look(|open| open.orders.get(&number).cloned())
    }

    /// Looks at all open orders at one moment; changes wait meanwhile, so be brief.
    pub fn look<T>(&self, look: impl FnOnce(OpenOrders<'_>) -> T) -> T {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        look(OpenOrders {
            seq: state.seq,
            orders: &state.open,
        })
    }

    /// Takes events in, in the order of their numbers. Of two states of one order the newer stays.
    pub(crate) fn land(&self, announcements: &[Announcement]) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        for Announcement { event, order } in announcements {
            state.seq = state.seq.max(event.seq);
            let known = state.open.get(&order.number);
            if known.is_some_and(|known| known.version > order.version) {
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
