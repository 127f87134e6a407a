//! What the clocks know of repair orders, as an order keeps it.

use std::collections::HashMap;

use dispatch_actors::repair_order::{RoNumber, WorkFacts};

use super::Clocks;
use super::store;
use crate::error::ApiError;

impl Clocks {
    /// Whether a clock has ever run on each of these orders, and which of its jobs are done; nothing of orders of which
    /// neither is so.
    pub async fn work_on(
        &self,
        orders: &[RoNumber],
    ) -> Result<HashMap<RoNumber, WorkFacts>, ApiError> {
        let reader = self.store.reader();
        let mut facts: HashMap<RoNumber, WorkFacts> = HashMap::new();
        for number in store::clocked_of(reader, orders).await? {
            facts.entry(number).or_default().clocked = true;
        }
        // By order and job.
        for finished in store::finished_on(reader, orders).await? {
            let work = facts.entry(finished.work.order).or_default();
            work.finished_jobs.push(finished.work.job);
        }
        Ok(facts)
    }
}
