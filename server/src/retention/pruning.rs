//! The task that deletes what was kept for long enough, for as long as the server runs.

use std::mem::replace;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dispatch_actors::store::{PruneLimits, PrunedPart, Store, StoreError};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use sea_orm::DbErr;
use tokio::time::sleep;

use super::counts::{PrunedCounts, PrunedNumbers};
use super::lease::{self, Lease};
use super::machine_clock::{ClockReading, MachineClock};
use super::steps::{Kind, Step, Steps};
use super::terms::RetentionTerms;
use crate::error::is_closed_database;

/// From one look for old rows to the next.
const INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Between two steps at least.
const MIN_PAUSE: Duration = Duration::from_millis(200);

/// The pause after a step is so many times as long as the step: changes have the database to themselves for
/// the rest of the time.
const PAUSE_FACTOR: u32 = 10;

/// The same while orders are changed: fewer than one change in a hundred waits for a step.
const BUSY_PAUSE_FACTOR: u32 = 150;

/// The longest pause, so that no other server thinks that this one has stopped.
const MAX_PAUSE: Duration = Duration::from_secs(10);
const _: () = assert!(MAX_PAUSE.as_secs() < lease::TTL.as_secs());

/// Younger events are left: a client that was away for no longer is told what it missed. One that was away for
/// longer loads everything again.
const RESUMABLE: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Until every server has read up to which event there may be gaps; they read it once a second.
const NOTICE_TIME: Duration = Duration::from_secs(5);

/// From one line in the log about what was deleted to the next.
const REPORT_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

pub struct Pruning {
    steps: Steps,
    terms: RetentionTerms,
    clock: MachineClock,
    /// The log was told.
    is_clock_doubted: bool,
    report: Report,
}

/// Whose turn it was to delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Ours,
    OfAnotherServer,
}

/// What the log was told.
#[derive(Default)]
struct Report {
    at: Option<Instant>,
    numbers: PrunedNumbers,
}

impl Pruning {
    /// `zone`: the shop's, whenever it is asked.
    pub async fn new(
        store: Store,
        zone: impl Fn() -> TimeZone + Send + Sync + 'static,
        terms: RetentionTerms,
    ) -> Result<Self, DbErr> {
        let lease = Lease::new(&store).await?;
        Ok(Self {
            clock: MachineClock::new(store.clone()),
            is_clock_doubted: false,
            steps: Steps {
                store,
                zone: Box::new(zone),
                lease,
                counts: Arc::default(),
            },
            terms,
            report: Report::default(),
        })
    }

    pub fn counts(&self) -> &Arc<PrunedCounts> {
        &self.steps.counts
    }

    pub async fn follow(mut self) {
        let mut is_failing = false;
        loop {
            let pruned = self.delete_old_rows().await;
            if let Err(error) = &pruned
                && !is_failing
                && !is_closed_database(error)
            {
                tracing::warn!(%error, "old rows were not deleted; it is tried again in an hour");
            }
            is_failing = pruned.is_err();
            self.report();
            sleep(match pruned {
                // It may have been killed.
                Ok(Turn::OfAnotherServer) => lease::TTL,
                _ => INTERVAL,
            })
            .await;
        }
    }

    /// Nothing, while the clock may be wrong.
    async fn delete_old_rows(&mut self) -> Result<Turn, StoreError> {
        let now = match self.clock.read().await? {
            ClockReading::Believed(now) => now,
            ClockReading::Doubted(doubt) => {
                if !replace(&mut self.is_clock_doubted, true) {
                    tracing::warn!("{doubt}");
                }
                return Ok(Turn::Ours);
            }
        };
        self.is_clock_doubted = false;
        let terms = &self.terms;
        let mut turns = Vec::new();
        if let Some(before) = terms.closed_orders.oldest_kept(now) {
            let part = PrunedPart::Orders;
            turns.push(self.delete_of_orders(part, before, now).await?);
        }
        if let Some(before) = terms.events.oldest_kept(now)
            && terms.events != terms.closed_orders
        {
            let part = PrunedPart::Events;
            turns.push(self.delete_of_orders(part, before, now).await?);
        }
        if let Some(before) = terms.receipts.oldest_kept(now) {
            turns.push(self.delete_all(Kind::Receipts(before)).await?);
        }
        if let Some(before) = terms.clocks.oldest_kept(now) {
            turns.push(self.delete_all(Kind::Clocks(before)).await?);
        }
        Ok(match turns.contains(&Turn::OfAnotherServer) {
            true => Turn::OfAnotherServer,
            false => Turn::Ours,
        })
    }

    async fn delete_of_orders(
        &self,
        part: PrunedPart,
        closed_before: Timestamp,
        now: Timestamp,
    ) -> Result<Turn, StoreError> {
        let store = &self.steps.store;
        let resumable = now.saturating_sub(RESUMABLE);
        let up_to = store
            .newest_event_before(resumable.unwrap_or(Timestamp::MIN))
            .await?;
        let limits = PruneLimits {
            closed_before,
            up_to,
        };
        if !store.has_prunable(part, limits).await? {
            return Ok(Turn::Ours);
        }
        store.allow_gaps(up_to).await?;
        sleep(NOTICE_TIME).await;
        self.delete_all(Kind::Orders(part, limits)).await
    }

    /// Step by step, until nothing is left.
    async fn delete_all(&self, kind: Kind) -> Result<Turn, StoreError> {
        let status = self.steps.store.status();
        let mut position = status.announced();
        while self.steps.has_old_rows(kind).await? {
            let begun = Instant::now();
            match self.steps.take(kind).await? {
                Step::Deleted => {}
                Step::NothingLeft => break,
                Step::NotOurs => return Ok(Turn::OfAnotherServer),
            }
            let before = replace(&mut position, status.announced());
            sleep(pause_after(begun.elapsed(), before != position)).await;
        }
        Ok(Turn::Ours)
    }

    /// Says what was deleted since it was said last, once a day at most.
    fn report(&mut self) {
        let now = self.steps.counts.now();
        let is_due = self
            .report
            .at
            .is_none_or(|at| at.elapsed() >= REPORT_INTERVAL);
        if is_due && now != self.report.numbers {
            let deleted = now.since(self.report.numbers);
            tracing::info!("deleted because they were kept for long enough: {deleted}");
            self.report = Report {
                at: Some(Instant::now()),
                numbers: now,
            };
        }
    }
}

/// `is_busy`: orders were changed since the step before.
fn pause_after(step: Duration, is_busy: bool) -> Duration {
    let factor = if is_busy {
        BUSY_PAUSE_FACTOR
    } else {
        PAUSE_FACTOR
    };
    (step * factor).clamp(MIN_PAUSE, MAX_PAUSE)
}

#[cfg(test)]
mod tests {
    use dispatch_actors::testing::Throwaway;
    use sea_orm::ConnectionTrait;

    use super::*;
    use crate::clocks;

    #[tokio::test]
    async fn nothing_is_deleted_while_the_machines_clock_is_doubted() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let execute = async |sql: &str| store.writer().execute_unprepared(sql).await.unwrap();
        for sql in [
            // The shop is as old as its rows; its newest clock entry always stays.
            "UPDATE seaql_migrations SET applied_at = 0",
            "INSERT INTO events (seq, ro_number, version, action, at, by_uid, by_name, channel, change) VALUES \
             (1, 1, 1, 'CLOSED', 0, '', '', 'desk', '{\"type\":\"closed\",\"at\":\"1970-01-01T00:00:00Z\"}')",
            "UPDATE event_log SET top = 1",
            "INSERT INTO clock_entries (id, technician, started_at, ended_at) VALUES (1, 11, 0, 1), (2, 11, 2, 3)",
        ] {
            execute(sql).await;
        }
        let now = Timestamp::now();
        for (newest_change, is_kept) in [(0, true), (now.as_millisecond(), false)] {
            execute(&format!("UPDATE events SET at = {newest_change}")).await;
            let terms = RetentionTerms::default();
            let pruning = Pruning::new(store.clone(), || TimeZone::UTC, terms).await;
            pruning.unwrap().delete_old_rows().await.unwrap();
            let is_there = clocks::has_old_entries(store.reader(), now).await.unwrap();
            assert_eq!(is_there, is_kept, "{newest_change}");
        }
    }

    #[test]
    fn a_busy_shop_has_the_database_to_itself_for_longer() {
        let step = Duration::from_millis(30);
        assert_eq!(pause_after(step, false), Duration::from_millis(300));
        assert_eq!(pause_after(step, true), Duration::from_millis(4_500));
        assert_eq!(pause_after(Duration::ZERO, true), MIN_PAUSE);
        assert_eq!(pause_after(Duration::from_secs(9), false), MAX_PAUSE);
    }
}
