//! What pushes work with.

use dispatch_actors::snapshot::Snapshot;

use super::Push;
use super::gather::gather;
use crate::clocks::Clocks;
use crate::receipts::Receipts;

#[derive(Clone)]
pub struct PushState {
    pub push: Push,
    pub receipts: Receipts,
    pub clocks: Clocks,
    pub snapshot: Snapshot,
}

impl PushState {
    /// Tells technicians' browsers of the assignments that the receipts publish.
    pub fn subscribe_to_receipts(&self) {
        let state = self.clone();
        let subscriber = move |event: &_| gather(&state, event);
        self.receipts.assignments().subscribe(subscriber);
    }
}
