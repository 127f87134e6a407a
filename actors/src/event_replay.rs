//! Events of the log as they are announced: each with its order as it is now.

use std::collections::HashMap;
use std::sync::Arc;

use crate::broadcaster::Announcement;
use crate::repair_order::{RepairOrder, RoNumber, Version};
use crate::snapshot::Snapshot;
use crate::store::{Event, Seq, Store, StoreError};

/// The events after `seq`, oldest first, at most `limit`.
pub async fn announcements_after(
    store: &Store,
    snapshot: &Snapshot,
    seq: Seq,
    limit: u64,
) -> Result<Vec<Announcement>, StoreError> {
    let events = store.events_after(seq, limit).await?;
    let mut newest: HashMap<RoNumber, Version> = HashMap::new();
    for event in &events {
        newest.insert(event.number, event.version);
    }
    let mut orders: HashMap<RoNumber, Arc<RepairOrder>> = HashMap::new();
    let mut unknown = Vec::new();
    for (number, version) in newest {
        match snapshot.get(number) {
            Some(order) if order.version >= version => _ = orders.insert(number, order),
            _ => unknown.push(number),
        }
    }
    // Together: one by one, a database that is far away would never be caught up with.
    for order in store.load_all(&unknown).await? {
        orders.insert(order.number, Arc::new(order));
    }
    let announcement = |event: Event| match orders.get(&event.number) {
        Some(order) => Ok(Announcement {
            order: Arc::clone(order),
            event,
        }),
        None => Err(StoreError::Damaged {
            number: event.number.get(),
            what: "it has events and no row".to_owned(),
        }),
    };
    events.into_iter().map(announcement).collect()
}
