//! Events of the log as they are announced: each with its order as it is now.

use std::collections::HashMap;
use std::sync::Arc;

use crate::broadcaster::Announcement;
use crate::repair_order::{RepairOrder, RoNumber};
use crate::snapshot::Snapshot;
use crate::store::{Seq, Store, StoreError};

/// The events after `seq`, oldest first, at most `limit`.
pub async fn announcements_after(
    store: &Store,
    snapshot: &Snapshot,
    seq: Seq,
    limit: u64,
) -> Result<Vec<Announcement>, StoreError> {
    let mut orders: HashMap<RoNumber, Arc<RepairOrder>> = HashMap::new();
    let mut announcements = Vec::new();
    for event in store.events_after(seq, limit).await? {
        let known = orders.get(&event.number).cloned();
        let order = match known.or_else(|| snapshot.get(event.number)) {
            Some(order) if order.version >= event.version => order,
            _ => Arc::new(load(store, event.number).await?),
        };
        orders.insert(event.number, Arc::clone(&order));
        announcements.push(Announcement { event, order });
    }
    Ok(announcements)
}

async fn load(store: &Store, number: RoNumber) -> Result<RepairOrder, StoreError> {
    store
        .load(number)
        .await?
        .ok_or_else(|| StoreError::Damaged {
            number: number.get(),
            what: "it has events and no row".to_owned(),
        })
}
