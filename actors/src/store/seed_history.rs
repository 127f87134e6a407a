//! Gives a new sample shop a past: orders with their events, each at its own time, in one transaction.

use std::sync::Arc;

use jiff::Timestamp;

use super::order_rows::write_orders;
use super::rows::events;
use super::write::{Unwritten, event_row, insert, raise_top};
use super::{Author, Decision, Event, Seq, Store, StoreError};
use crate::repair_order::{Change, RepairOrder, RoNumber};

/// The requests that changed one order, oldest first. The first change is `Created`.
#[derive(Clone, Debug)]
pub struct OrderHistory {
    pub number: RoNumber,
    pub requests: Vec<PastRequest>,
}

/// What one request did to an order.
#[derive(Clone, Debug)]
pub struct PastRequest {
    pub at: Timestamp,
    pub by: Author,
    pub request: Option<String>,
    pub changes: Vec<Change>,
}

impl Store {
    /// Begins an empty log with these orders, events in the order of their times; leaves a log that
    /// has begun as it is. Beside running actors they are announced as another process's.
    pub async fn seed_history(&self, histories: &[OrderHistory]) -> Result<(), StoreError> {
        let (decisions, events): (Vec<Decision>, Vec<Vec<Event>>) =
            histories.iter().filter_map(replay).unzip();
        let transaction = self.begin_write().await?;
        let count: usize = events.iter().map(Vec::len).sum();
        let top = raise_top(&transaction, self, count as Seq).await?;
        if count == 0 || top > count as Seq {
            return Ok(transaction.rollback().await?);
        }
        let written = write_orders(&transaction, &decisions).await;
        written.map_err(|unwritten| match unwritten {
            Unwritten::Failed(error) => error,
            Unwritten::Lost | Unwritten::Repeated => StoreError::Damaged {
                number: 0,
                what: "there are orders, and no event of theirs".to_owned(),
            },
        })?;
        // A stable sort: an order's events at one moment stay as they are.
        let mut log: Vec<Event> = events.into_iter().flatten().collect();
        log.sort_by_key(|event| event.at);
        for (seq, event) in (1..).zip(&mut log) {
            event.seq = seq;
        }
        let rows: Result<Vec<events::ActiveModel>, _> = log.iter().map(event_row).collect();
        insert(&transaction, rows?).await?;
        Ok(transaction.commit().await?)
    }
}

/// The order as it is in the end, and its events, not numbered yet.
fn replay(history: &OrderHistory) -> Option<(Decision, Vec<Event>)> {
    let changes: Vec<Change> = history
        .requests
        .iter()
        .flat_map(|request| request.changes.iter().cloned())
        .collect();
    let last = history.requests.last()?;
    let decision = Decision {
        before: 0,
        after: Arc::new(RepairOrder::replay(&changes)?),
        changes,
        by: last.by.clone(),
        request: None,
        idempotency_record: None,
        at: last.at,
    };
    let changes = history.requests.iter().flat_map(|request| {
        let with_request = |change: &Change| (request, change.clone());
        request.changes.iter().map(with_request).collect::<Vec<_>>()
    });
    let events = (1..)
        .zip(changes)
        .map(|(version, (request, change))| Event {
            seq: 0,
            number: history.number,
            version,
            change,
            by: request.by.clone(),
            request: request.request.clone(),
            at: request.at,
        });
    let events = events.collect();
    Some((decision, events))
}
