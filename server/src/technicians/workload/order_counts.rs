//! Orders counted by the status that is shown.

use dispatch_actors::repair_order::{DisplayedStatus, Priority, RepairOrder};
use serde::Serialize;
use utoipa::ToSchema;

/// Orders by the status that is shown, each counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct OrderCounts {
    pub waiting: u32,
    pub drop: DropCounts,
    pub pdi: u32,
    pub used: u32,
    pub total: u32,
}

/// Drop-offs, and among them ENG, Trans and what has no status of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct DropCounts {
    /// Also of those with the priority Waiting, which are in none of the others.
    pub total: u32,
    pub high: u32,
    pub medium: u32,
    pub low: u32,
}

impl OrderCounts {
    pub(in crate::technicians) fn of(orders: &[&RepairOrder]) -> Self {
        let mut counts = Self::default();
        for order in orders {
            counts.total += 1;
            match order.displayed_status() {
                DisplayedStatus::Waiting => counts.waiting += 1,
                DisplayedStatus::Pdi => counts.pdi += 1,
                DisplayedStatus::Used => counts.used += 1,
                DisplayedStatus::Drop => {
                    counts.drop.total += 1;
                    match order.priority {
                        Priority::High => counts.drop.high += 1,
                        Priority::Medium => counts.drop.medium += 1,
                        Priority::Low => counts.drop.low += 1,
                        Priority::Waiting => {}
                    }
                }
            }
        }
        counts
    }
}
