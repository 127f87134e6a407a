//! What each step deletes, in a transaction of its own.

use std::sync::Arc;

use dispatch_actors::repair_order::{RepairOrder, RoNumber, TechnicianId};
use dispatch_actors::store::{PruneLimits, PrunedPart, Store, StoreError, prune_step};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{ConnectionTrait, DbErr, ExprTrait};
use serde_json::json;

use super::counts::PrunedCounts;
use super::daily_totals::{DailyTotals, TotalKind};
use super::lease::Lease;
use crate::clocks::{self, Entry, Finished, FinishedWork};
use crate::receipts;

/// Clock entries or receipts of one step.
const ROWS_PER_STEP: u64 = 100;

/// What is deleted of, and the moment before which it is old.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Orders(PrunedPart, PruneLimits),
    Receipts(Timestamp),
    Clocks(Timestamp),
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// There may be more.
    Deleted,
    NothingLeft,
    /// Another server deletes.
    NotOurs,
}

pub(super) struct Steps {
    pub(super) store: Store,
    /// The shop's, as it is now.
    pub(super) zone: Box<dyn Fn() -> TimeZone + Send + Sync>,
    pub(super) lease: Lease,
    pub(super) counts: Arc<PrunedCounts>,
}

impl Steps {
    pub(super) async fn has_old_rows(&self, kind: Kind) -> Result<bool, StoreError> {
        let reader = self.store.reader();
        Ok(match kind {
            Kind::Orders(part, limits) => self.store.has_prunable(part, limits).await?,
            Kind::Receipts(before) => receipts::has_old(reader, before).await?,
            Kind::Clocks(before) => clocks::has_old_entries(reader, before).await?,
        })
    }

    pub(super) async fn take(&self, kind: Kind) -> Result<Step, StoreError> {
        let transaction = self.store.begin_write().await?;
        if !self.lease.hold(&transaction).await? {
            return Ok(Step::NotOurs);
        }
        let counts = &self.counts;
        let mut totals = DailyTotals::new((self.zone)());
        let (counter, count) = match kind {
            Kind::Orders(part, limits) => {
                let pruned = prune_step(&transaction, part, limits).await?;
                let numbers: Vec<i64> = pruned.orders.iter().map(|one| one.number.get()).collect();
                let finished = clocks::delete_finished(&transaction, &numbers).await?;
                let orders = pruned.orders.iter().map(|one| one.number);
                let orders: Vec<RoNumber> = orders.collect();
                let entries = clocks::entries_on_orders(&transaction, &orders).await?;
                add_orders(&mut totals, &pruned.orders);
                add_finished(&mut totals, &pruned.orders, &finished, entries);
                let receipts = receipts::delete_of_orders(&transaction, &numbers).await?;
                delete_notes(&transaction, &numbers).await?;
                totals.write(&transaction).await?;
                transaction.commit().await?;
                counts.events.add(pruned.events);
                counts.receipts.add(receipts);
                counts.orders.add(numbers.len() as u64);
                return Ok(step(pruned.events + numbers.len() as u64));
            }
            Kind::Receipts(before) => {
                let deleted = receipts::delete_old(&transaction, before, ROWS_PER_STEP).await?;
                (&counts.receipts, deleted)
            }
            Kind::Clocks(before) => {
                let deleted = clocks::delete_old_entries(&transaction, before, ROWS_PER_STEP);
                let deleted = deleted.await?;
                for (technician, entry) in &deleted {
                    if let Some(ended_at) = entry.ended_at {
                        let (time, subject) =
                            ((entry.started_at, ended_at), technician.to_string());
                        totals.add_time(time, TotalKind::Attended, &subject);
                        if entry.work.is_some() {
                            totals.add_time(time, TotalKind::OnJobs, &subject);
                        }
                    }
                }
                (&counts.clocks, deleted.len() as u64)
            }
        };
        totals.write(&transaction).await?;
        transaction.commit().await?;
        counter.add(count);
        Ok(step(count))
    }
}

fn step(count: u64) -> Step {
    match count {
        0 => Step::NothingLeft,
        _ => Step::Deleted,
    }
}

fn add_orders(totals: &mut DailyTotals, orders: &[RepairOrder]) {
    for order in orders {
        if let Some(closed_at) = order.closed_at {
            // By the name it has on the wire.
            let status = json!(order.displayed_status());
            let status = status.as_str().unwrap_or_default();
            totals.add(closed_at, TotalKind::OrdersClosed, status, 1);
        }
    }
}

/// The sold hours of a job are shared by the clocked time that is still there.
fn add_finished(
    totals: &mut DailyTotals,
    orders: &[RepairOrder],
    finished: &[Finished],
    entries: Vec<(TechnicianId, Entry)>,
) {
    let mut clocked = clocks::clocked_by_job(entries, Timestamp::now());
    for job in finished {
        let technician = job.technician.to_string();
        totals.add(job.at, TotalKind::JobsFinished, &technician, 1);
        let order = orders.iter().find(|order| order.number == job.work.order);
        let mut jobs = order.iter().flat_map(|order| order.jobs.iter());
        let sold = jobs.find(|one| one.job_number == job.work.job);
        let sold = sold.and_then(|job| job.sold_hours());
        let work = FinishedWork {
            finisher: job.technician,
            sold: sold.map(|hours| hours.hundredths().into()),
            clocked: clocked.remove(&job.work).unwrap_or_default(),
        };
        let shares = work.shares().into_iter();
        for (technician, hundredths) in shares.filter(|(_, share)| *share > 0) {
            let technician = technician.to_string();
            totals.add(job.at, TotalKind::HoursSold, &technician, hundredths);
        }
    }
}

/// Numbers of the dealer's system that nobody was known by, on these orders.
async fn delete_notes(connection: &impl ConnectionTrait, numbers: &[i64]) -> Result<(), DbErr> {
    let notes = Query::delete()
        .from_table("intake_unmatched")
        .and_where(Expr::col("ro_number").is_in(numbers.iter().copied()))
        .to_owned();
    connection.execute(&notes).await?;
    Ok(())
}
