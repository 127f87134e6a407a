//! A clock that runs on an order which was closed is stopped: its technician is on the clock without a job from then on.

use std::collections::HashMap;

use dispatch_actors::repair_order::TechnicianId;
use jiff::Timestamp;

use super::Clocks;
use super::arithmetic::{Entry, Work};
use super::running_clocks::Running;
use super::store;
use crate::error::ApiError;
use crate::moments::{in_milliseconds, now};

impl Clocks {
    /// Stops those of `running` whose order is closed. To be called only while `commit_lock` is held.
    pub(super) async fn stop_on_closed_orders(
        &self,
        running: &HashMap<TechnicianId, Running>,
    ) -> Result<(), ApiError> {
        // Most run on open orders, which are in memory.
        let mut on_others: Vec<(TechnicianId, Entry, Work)> = Vec::new();
        for (technician, Running { entry, .. }) in running {
            if let Some(work) = entry.work
                && self.snapshot.get(work.order).is_none()
            {
                on_others.push((*technician, *entry, work));
            }
        }
        let numbers = on_others.iter().map(|(_, _, work)| work.order);
        let orders = self.orders(numbers).await?;
        for (technician, entry, work) in on_others {
            let order = orders.get(&work.order);
            if let Some(closed_at) = order.and_then(|order| order.closed_at) {
                self.stop(technician, entry, closed_at).await?;
            }
        }
        Ok(())
    }

    async fn stop(
        &self,
        technician: TechnicianId,
        entry: Entry,
        closed_at: Timestamp,
    ) -> Result<(), ApiError> {
        let transaction = store::begin(&self.store).await?;
        let now = now();
        let at = end_of(&entry, in_milliseconds(closed_at), now);
        let idle = Entry {
            id: 0,
            started_at: at,
            ended_at: None,
            work: None,
            corrected: false,
        };
        // Tapped meanwhile, or stopped by another process.
        if !store::end_by_closing(&transaction, entry.id, at).await? {
            return Ok(());
        }
        match store::insert(&transaction, technician, &idle, None).await {
            Ok(_) => {}
            Err(error) if store::is_overtaken(&error) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        let (_, running) = self.picture(&transaction, technician, now).await?;
        transaction.commit().await?;
        let order = entry.work.map(|work| work.order);
        self.clock_changed(technician, running, order).await
    }
}

/// When the order was closed; now, where it was closed before the technician began, which a late file does.
fn end_of(entry: &Entry, closed_at: Timestamp, now: Timestamp) -> Timestamp {
    let now = now.max(entry.started_at);
    if (entry.started_at..=now).contains(&closed_at) {
        closed_at
    } else {
        now
    }
}
