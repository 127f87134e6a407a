//! Who is on the clock, in memory, for the desk and for pushes, which are silent off the clock.
//! Updated after each commit; changes of other processes are read every two seconds.

use std::collections::{BTreeSet, HashMap};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use dispatch_actors::broadcaster::Audience;
use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use dispatch_actors::ticks::ticks;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Clocks;
use super::api_types::{ClockChangedEvent, RunningClock};
use super::arithmetic::Entry;
use super::store;
use crate::error::ApiError;
use crate::first_failure::FirstFailure;
use crate::moments::now;
use crate::publisher::Publisher;

/// How long another process's changes may go unnoticed.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// A clock that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    pub entry: Entry,
    /// The dealer system's text for the order's number, where it is not just its digits.
    pub display_number: Option<String>,
}

impl Running {
    pub fn view(&self, now: Timestamp, zone: &TimeZone) -> RunningClock {
        let Entry {
            id,
            started_at,
            work,
            ..
        } = self.entry;
        RunningClock {
            entry_id: id,
            since: started_at,
            ro_number: work.map(|work| work.order.get()),
            display_number: self.display_number.clone(),
            job_number: work.map(|work| work.job),
            forgotten: self.entry.is_forgotten(now, zone),
        }
    }
}

#[derive(Default)]
pub(super) struct RunningClocks(RwLock<HashMap<TechnicianId, SentClock>>);

struct SentClock {
    running: Running,
    /// As it was last announced.
    last_sent: RunningClock,
}

impl RunningClocks {
    pub(super) fn all(&self) -> HashMap<TechnicianId, Running> {
        let clocks = self.0.read().unwrap_or_else(PoisonError::into_inner);
        clocks
            .iter()
            .map(|(technician, clock)| (*technician, clock.running.clone()))
            .collect()
    }

    fn of(&self, technician: TechnicianId) -> Option<Running> {
        let clocks = self.0.read().unwrap_or_else(PoisonError::into_inner);
        clocks.get(&technician).map(|clock| clock.running.clone())
    }

    pub(super) fn has(&self, technician: TechnicianId) -> bool {
        let clocks = self.0.read().unwrap_or_else(PoisonError::into_inner);
        clocks.contains_key(&technician)
    }

    fn last_sent(&self) -> HashMap<TechnicianId, RunningClock> {
        let clocks = self.0.read().unwrap_or_else(PoisonError::into_inner);
        clocks
            .iter()
            .map(|(technician, clock)| (*technician, clock.last_sent.clone()))
            .collect()
    }

    fn land(&self, technician: TechnicianId, running: Option<(Running, RunningClock)>) {
        let mut clocks = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match running {
            Some((running, last_sent)) => {
                clocks.insert(technician, SentClock { running, last_sent })
            }
            None => clocks.remove(&technician),
        };
    }
}

/// A technician's clock began or ended, or work on these orders began, ended, is done or is not done
/// any more.
#[derive(Clone, Debug)]
pub struct ClockChange {
    pub technician: TechnicianId,
    pub orders: Vec<RoNumber>,
}

impl Clocks {
    /// Changes of the clocks, published in the order of their commits.
    pub fn changes(&self) -> &Publisher<ClockChange> {
        &self.changes
    }

    /// Keeps what a technician's clock is now, publishes the change and notifies sessions. `worked_on`:
    /// orders that the change is about besides those on which the clock ran and runs. To be called only
    /// while `commit_lock` is held, so that changes are announced in the order of their commits.
    pub(super) async fn clock_changed(
        &self,
        technician: TechnicianId,
        running: Option<Running>,
        worked_on: impl IntoIterator<Item = RoNumber>,
    ) -> Result<(), ApiError> {
        let now = now();
        let view = running
            .as_ref()
            .map(|running| running.view(now, &self.shop.time_zone()));
        let board = &self.board;
        let before = board.of(technician).and_then(|running| running.entry.work);
        let after = running.as_ref().and_then(|running| running.entry.work);
        let orders = before.into_iter().chain(after).map(|work| work.order);
        board.land(technician, running.zip(view.clone()));
        self.raise_revision();
        let changed = ClockChangedEvent {
            r#type: "CLOCK_CHANGED",
            technician_id: technician,
            running: view,
            timestamp: now,
        };
        self.changes.publish(&ClockChange {
            technician,
            orders: orders.chain(worked_on).collect(),
        });
        self.announcer
            .announce("CLOCK_CHANGED", &changed, Audience::Technician(technician))
            .await
    }
}

impl Clocks {
    /// The running clocks by the database, whichever process started them.
    pub(super) async fn read_running(&self) -> Result<HashMap<TechnicianId, Running>, ApiError> {
        let entries = store::running(self.store.reader()).await?;
        let works = entries.values().filter_map(|entry| entry.work);
        let orders = self.orders(works.map(|work| work.order)).await?;
        let running = |entry: Entry| {
            let order = entry.work.and_then(|work| orders.get(&work.order));
            Running {
                entry,
                display_number: order.and_then(|order| order.dms_number.clone()),
            }
        };
        Ok(entries
            .into_iter()
            .map(|(technician, entry)| (technician, running(entry)))
            .collect())
    }

    /// An entry that runs, with its order's number as it is displayed.
    pub(super) async fn running_on(&self, entry: Entry) -> Result<Running, ApiError> {
        let numbers = entry.work.iter().map(|work| work.order);
        let orders = self.orders(numbers).await?;
        let order = orders.values().next();
        Ok(Running {
            entry,
            display_number: order.and_then(|order| order.dms_number.clone()),
        })
    }

    pub(super) async fn load(&self) -> Result<(), ApiError> {
        let now = now();
        for (technician, running) in self.read_running().await? {
            let last_sent = running.view(now, &self.shop.time_zone());
            self.board.land(technician, Some((running, last_sent)));
        }
        Ok(())
    }
}

/// Follows other processes' changes of the clocks, and announces when a clock counts as forgotten,
/// for as long as the server runs.
pub async fn follow(clocks: Clocks) {
    let mut again = ticks(POLL_INTERVAL);
    let mut others = clocks.store.others().listen(store::TOPIC);
    let mut failure = FirstFailure::default();
    loop {
        tokio::select! {
            _ = again.tick() => {}
            // It may be about a job that is done, of which no running clock tells.
            _ = others.changed() => clocks.raise_revision(),
        }
        if let Some(error) = failure.of(catch_up(&clocks).await) {
            tracing::error!(%error, "the clocks could not be looked at");
        }
    }
}

async fn catch_up(clocks: &Clocks) -> Result<(), ApiError> {
    let _turn = clocks.commit_lock.lock().await;
    let there = clocks.read_running().await?;
    let last_sent = clocks.board.last_sent();
    let now = now();
    let technicians: BTreeSet<TechnicianId> =
        there.keys().chain(last_sent.keys()).copied().collect();
    for technician in technicians {
        let running = there.get(&technician);
        let view = running.map(|running| running.view(now, &clocks.shop.time_zone()));
        if view.as_ref() != last_sent.get(&technician) {
            let running = running.cloned();
            clocks.clock_changed(technician, running, None).await?;
        }
    }
    // Last: what cannot be saved now does not keep other processes' changes from being noticed.
    clocks.stop_on_closed_orders(&there).await
}
