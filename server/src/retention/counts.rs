//! How many rows were deleted because they were old.

use std::fmt;

use dispatch_actors::counts::Counter;

/// Since the server was started.
#[derive(Debug, Default)]
pub struct PrunedCounts {
    pub orders: Counter,
    pub events: Counter,
    pub receipts: Counter,
    pub clocks: Counter,
}

/// The same at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PrunedNumbers {
    orders: u64,
    events: u64,
    receipts: u64,
    clocks: u64,
}

impl PrunedCounts {
    pub(super) fn now(&self) -> PrunedNumbers {
        PrunedNumbers {
            orders: self.orders.get(),
            events: self.events.get(),
            receipts: self.receipts.get(),
            clocks: self.clocks.get(),
        }
    }
}

impl PrunedNumbers {
    pub(super) fn since(self, before: Self) -> Self {
        Self {
            orders: self.orders - before.orders,
            events: self.events - before.events,
            receipts: self.receipts - before.receipts,
            clocks: self.clocks - before.clocks,
        }
    }
}

impl fmt::Display for PrunedNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            orders,
            events,
            receipts,
            clocks,
        } = self;
        write!(
            f,
            "closed repair orders {orders}, events {events}, receipts of assignments {receipts}, clock \
             entries {clocks}"
        )
    }
}
