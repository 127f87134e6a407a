//! How far the work on the open orders is, in memory: what boards show of it is asked on every
//! change.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use dispatch_actors::repair_order::{RepairOrder, RoNumber};
use dispatch_actors::snapshot::Snapshot;
use jiff::Timestamp;

use crate::clocks::Clocks;
use crate::error::ApiError;

/// Of one order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkProgress {
    /// The numbers of the jobs that are finished.
    finished: Vec<i32>,
    /// A technician's clock has run on it.
    pub begun: bool,
}

impl WorkProgress {
    /// How many of the order's jobs are finished.
    pub fn finished_of(&self, order: &RepairOrder) -> usize {
        let jobs = order.jobs.iter();
        jobs.filter(|job| self.finished.contains(&job.job_number))
            .count()
    }
}

#[derive(Clone, Default)]
pub struct Progress {
    cache: Arc<RwLock<HashMap<RoNumber, WorkProgress>>>,
    /// Raised with every change.
    generation: Arc<AtomicU64>,
    /// Held from before the database is read until what it says is known: what was read later stays.
    reload_lock: Arc<tokio::sync::Mutex<()>>,
}

impl Progress {
    pub fn of(&self, number: RoNumber) -> WorkProgress {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        cache.get(&number).cloned().unwrap_or_default()
    }

    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// The open orders that are not known yet; forgets those that are not open any more.
    pub fn unknown(&self, snapshot: &Snapshot) -> Vec<RoNumber> {
        snapshot.read(|open| {
            let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
            if cache.len() > open.orders.len() {
                cache.retain(|number, _| open.orders.contains_key(number));
            }
            let numbers = open.orders.keys();
            numbers
                .filter(|number| !cache.contains_key(number))
                .copied()
                .collect()
        })
    }

    /// Reads these again; those that have changed.
    pub async fn reload(
        &self,
        clocks: &Clocks,
        numbers: &[RoNumber],
    ) -> Result<Vec<RoNumber>, ApiError> {
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        let _turn = self.reload_lock.lock().await;
        let now = Timestamp::now();
        let begun = numbers.iter().map(|number| (*number, now)).collect();
        let begun = clocks.time_on_orders(&begun).await?;
        let mut found: HashMap<RoNumber, WorkProgress> = HashMap::new();
        for finished in clocks.finished_on(numbers).await? {
            let work = finished.work;
            found.entry(work.order).or_default().finished.push(work.job);
        }
        for number in begun.into_keys() {
            found.entry(number).or_default().begun = true;
        }
        let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        let mut changed = Vec::new();
        for number in numbers {
            let mut worked = found.remove(number).unwrap_or_default();
            worked.finished.sort_unstable();
            let before = cache.insert(*number, worked.clone()).unwrap_or_default();
            if before != worked {
                changed.push(*number);
            }
        }
        if !changed.is_empty() {
            self.generation.fetch_add(1, Ordering::AcqRel);
        }
        Ok(changed)
    }
}
