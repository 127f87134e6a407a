//! A technician's clock put together: what runs, and what the day, the week and the finished jobs
//! add up to.

use std::collections::{BTreeMap, HashMap, HashSet};

use dispatch_actors::repair_order::{RepairOrder, RoNumber, TechnicianId};
use jiff::{SignedDuration, Timestamp};
use sea_orm::ConnectionTrait;

use super::Clocks;
use super::api_types::{
    self, ClockedJob, ClockedTime, FinishedJob, StoppedByClosing, TechnicianClock,
};
use super::arithmetic::{self, Clocked, Efficiency, Entry, FinishedWork, Work};
use super::running_clocks::Running;
use super::store::{self, Finished};
use crate::error::ApiError;
use crate::moments::now;

impl Clocks {
    /// A technician's clock as it is now.
    pub async fn of(&self, technician: TechnicianId) -> Result<TechnicianClock, ApiError> {
        let (clock, _) = self.picture(self.store.reader(), technician, now()).await?;
        Ok(clock)
    }

    /// As it is for this connection, which may have changed it; and what runs.
    pub(super) async fn picture(
        &self,
        connection: &impl ConnectionTrait,
        technician: TechnicianId,
        now: Timestamp,
    ) -> Result<(TechnicianClock, Option<Running>), ApiError> {
        let calendar = self.calendar(now)?;
        let entries = store::since(connection, technician, calendar.week).await?;
        let finished = self
            .finished_since(connection, technician, calendar.week, now)
            .await?;
        let running = entries.iter().find(|entry| entry.runs()).copied();
        let running = match running {
            Some(entry) => Some(self.running_on(entry).await?),
            None => None,
        };
        let own = self.snapshot.read(|open| {
            let orders = open.orders.values();
            let own = orders.filter(|order| order.has_technician(technician));
            own.map(|order| order.number).collect::<Vec<_>>()
        });
        let done = store::finished_on(connection, &own).await?;
        let on_own = store::on_orders_of(connection, technician, &own).await?;
        let on_own = on_own.into_iter().map(|entry| (technician, entry));
        let clocked_jobs = arithmetic::clocked_by_job(on_own, now);
        let since = |from: Timestamp| {
            let finished = finished.iter();
            finished.filter(move |(finished, _)| finished.at >= from)
        };
        let efficiency = |from| Efficiency::of(technician, since(from).map(|(_, work)| work));
        let completed = |from| {
            let own = since(from).filter(|(finished, _)| finished.technician == technician);
            count(own.count())
        };
        let clocked =
            |from| ClockedTime::new(Clocked::within(&entries, from, now), efficiency(from));
        let flagged = arithmetic::flagged(&entries, calendar.week, now, &self.shop.time_zone());
        let clock = TechnicianClock {
            technician_id: technician,
            now,
            running: running
                .as_ref()
                .map(|running| running.view(now, &self.shop.time_zone())),
            today: clocked(calendar.today),
            week: clocked(calendar.week),
            efficiency: efficiency(calendar.week).into(),
            completed_today: completed(calendar.today),
            completed_week: completed(calendar.week),
            finished_jobs: done.iter().map(FinishedJob::from).collect(),
            clocked_jobs: clocked_job_list(clocked_jobs),
            stopped_by_closing: self
                .stopped_by_closing(connection, technician, calendar.today)
                .await?,
            flagged: count(flagged),
        };
        Ok((clock, running))
    }

    /// Where the last entry with a job ended today because its order was closed, and nobody has said that the job is
    /// done.
    async fn stopped_by_closing(
        &self,
        connection: &impl ConnectionTrait,
        technician: TechnicianId,
        today: Timestamp,
    ) -> Result<Option<StoppedByClosing>, ApiError> {
        let last = store::last_with_job(connection, technician).await?;
        let Some(last) = last.filter(|row| row.ended_by_closing) else {
            return Ok(None);
        };
        let Entry {
            id, ended_at, work, ..
        } = Entry::from(last);
        let ended_at = ended_at.filter(|ended_at| *ended_at >= today);
        let (Some(stopped_at), Some(Work { order, job })) = (ended_at, work) else {
            return Ok(None);
        };
        if store::finished_job(connection, Work { order, job })
            .await?
            .is_some()
        {
            return Ok(None);
        }
        let orders = self.orders(std::iter::once(order)).await?;
        Ok(Some(StoppedByClosing {
            entry_id: id,
            ro_number: order.get(),
            display_number: orders
                .get(&order)
                .and_then(|order| order.dms_number.clone()),
            job_number: job,
            stopped_at,
        }))
    }

    /// The jobs that were finished since then and that the technician finished or clocked time on.
    async fn finished_since(
        &self,
        connection: &impl ConnectionTrait,
        technician: TechnicianId,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<(Finished, FinishedWork)>, ApiError> {
        let mut finished = store::finished_since(connection, since).await?;
        let own = store::on_orders_of(connection, technician, &order_numbers(&finished)).await?;
        let own: HashSet<Work> = own.iter().filter_map(|entry| entry.work).collect();
        finished.retain(|job| job.technician == technician || own.contains(&job.work));

        let numbers = order_numbers(&finished);
        let orders = self.orders(numbers.iter().copied()).await?;
        let entries = store::on_orders(connection, &numbers).await?;
        let mut clocked = arithmetic::clocked_by_job(entries, now);
        let work_of = |job: &Finished| FinishedWork {
            finisher: job.technician,
            sold: orders
                .get(&job.work.order)
                .and_then(|order| sold(order, job.work.job)),
            clocked: clocked.remove(&job.work).unwrap_or_default(),
        };
        let works: Vec<FinishedWork> = finished.iter().map(work_of).collect();
        Ok(finished.into_iter().zip(works).collect())
    }
}

/// Each once.
fn order_numbers(finished: &[Finished]) -> Vec<RoNumber> {
    let mut numbers: Vec<RoNumber> = finished.iter().map(|job| job.work.order).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Hundredths of an hour that were sold for a job; none where none are known.
fn sold(order: &RepairOrder, job: i32) -> Option<i64> {
    let job = order.jobs.iter().find(|one| one.job_number == job)?;
    Some(job.sold_hours()?.hundredths().into())
}

fn clocked_job_list(
    clocked: HashMap<Work, BTreeMap<TechnicianId, SignedDuration>>,
) -> Vec<ClockedJob> {
    let mut jobs: Vec<ClockedJob> = clocked
        .into_iter()
        .map(|(work, clocked)| ClockedJob {
            ro_number: work.order.get(),
            job_number: work.job,
            clocked_ms: milliseconds(clocked.into_values().sum()),
        })
        .collect();
    jobs.sort_by_key(|job| (job.ro_number, job.job_number));
    jobs
}

fn milliseconds(time: SignedDuration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl ClockedTime {
    fn new(clocked: Clocked, finished: Efficiency) -> Self {
        Self {
            jobs_ms: milliseconds(clocked.on_jobs),
            attended_ms: milliseconds(clocked.attended),
            sold_hours: finished.sold_hours(),
        }
    }
}

impl From<Efficiency> for api_types::Efficiency {
    fn from(efficiency: Efficiency) -> Self {
        Self {
            percent: efficiency.percent(),
            sold_hours: efficiency.sold_hours(),
            clocked_hours: efficiency.clocked_hours(),
            jobs_without_hours: efficiency.jobs_without_hours,
        }
    }
}

impl From<&Finished> for FinishedJob {
    fn from(finished: &Finished) -> Self {
        Self {
            ro_number: finished.work.order.get(),
            job_number: finished.work.job,
            finished_at: finished.at,
            technician_id: finished.technician,
        }
    }
}
