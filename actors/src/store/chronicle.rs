//! A past that is told at once: orders with everything that happened to them, each at its own time,
//! for a shop that is made up and has none yet.

use std::sync::Arc;

use jiff::Timestamp;

use super::order_rows::write_orders;
use super::rows::events;
use super::write::{Unwritten, event_row, insert, raise_top};
use super::{Author, Decision, Event, Seq, Store, StoreError};
use crate::repair_order::{Change, RepairOrder, RoNumber};

/// What happened to one order, oldest first; begins with its `Created`.
#[derive(Clone, Debug)]
pub struct Chronicle {
    pub number: RoNumber,
    pub past: Vec<Past>,
}

/// What one request did to it.
#[derive(Clone, Debug)]
pub struct Past {
    pub at: Timestamp,
    pub by: Author,
    pub request: Option<String>,
    pub changes: Vec<Change>,
}

impl Store {
    /// Begins an empty log with these orders, events in the order of their times; leaves a log that
    /// has begun as it is. Beside running actors they are announced as another process's.
    pub async fn begin_with(&self, chronicles: &[Chronicle]) -> Result<(), StoreError> {
        let (decisions, events): (Vec<Decision>, Vec<Vec<Event>>) =
            chronicles.iter().filter_map(lived).unzip();
        let transaction = self.begin_write().await?;
        let count: usize = events.iter().map(Vec::len).sum();
        let top = raise_top(&transaction, &self.status, count as Seq).await?;
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
        let mut told: Vec<Event> = events.into_iter().flatten().collect();
        told.sort_by_key(|event| event.at);
        for (seq, event) in (1..).zip(&mut told) {
            event.seq = seq;
        }
        let rows: Result<Vec<events::ActiveModel>, _> = told.iter().map(event_row).collect();
        insert(&transaction, rows?).await?;
        Ok(transaction.commit().await?)
    }
}

/// The order as it is in the end, and its events, not numbered yet.
fn lived(chronicle: &Chronicle) -> Option<(Decision, Vec<Event>)> {
    let changes: Vec<Change> = chronicle
        .past
        .iter()
        .flat_map(|past| past.changes.iter().cloned())
        .collect();
    let last = chronicle.past.last()?;
    let decision = Decision {
        before: 0,
        after: Arc::new(RepairOrder::replay(&changes)?),
        changes,
        by: last.by.clone(),
        request: None,
        idempotency_record: None,
        at: last.at,
    };
    let told = chronicle.past.iter().flat_map(|past| {
        let of_past = |change: &Change| (past, change.clone());
        past.changes.iter().map(of_past).collect::<Vec<_>>()
    });
    let events = (1..).zip(told).map(|(version, (past, change))| Event {
        seq: 0,
        number: chronicle.number,
        version,
        change,
        by: past.by.clone(),
        request: past.request.clone(),
        at: past.at,
    });
    let events = events.collect();
    Some((decision, events))
}
