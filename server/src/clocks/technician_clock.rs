//! A technician's clock put together: what runs, and what the day, the week and the finished jobs
//! add up to.

use std::collections::HashMap;

use dispatch_actors::repair_order::{RepairOrder, RoNumber, TechnicianId};
use jiff::Timestamp;
use sea_orm::ConnectionTrait;

use super::Clocks;
use super::api_types::{self, ClockedTime, FinishedJob, TechnicianClock};
use super::arithmetic::{self, Calendar, Clocked, Efficiency, Work};
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
        let calendar = Calendar::at(&now.to_zoned(self.shop.time_zone())).map_err(|error| {
            tracing::error!(%error, "the shop's clock has no today");
            ApiError::unavailable()
        })?;
        let entries = store::since(connection, technician, calendar.week).await?;
        let finished = store::finished_by(connection, technician, calendar.week).await?;
        let running = entries.iter().find(|entry| entry.runs()).copied();
        let named = running.and_then(|running| running.work);
        let numbers = finished.iter().map(|finished| finished.work).chain(named);
        let orders = self.orders(numbers.map(|work| work.order)).await?;
        let running = running.map(|entry| Running {
            entry,
            display_number: entry
                .work
                .and_then(|work| orders.get(&work.order))
                .and_then(|order| order.dms_number.clone()),
        });

        let sold: HashMap<Work, Option<i64>> = finished
            .iter()
            .map(|finished| {
                let Work { order, job } = finished.work;
                let order = orders.get(&order);
                (finished.work, order.and_then(|order| sold(order, job)))
            })
            .collect();
        let worked_on: Vec<RoNumber> = sold.keys().map(|work| work.order).collect();
        let on_jobs = store::on_orders_of(connection, technician, &worked_on).await?;
        let efficiency = Efficiency::of(&sold, &on_jobs, now);

        let own = self.snapshot.look(|open| {
            let orders = open.orders.values();
            let own = orders.filter(|order| order.has_technician(technician));
            own.map(|order| order.number).collect::<Vec<_>>()
        });
        let done = store::finished_on(connection, &own).await?;
        let today = finished
            .iter()
            .filter(|finished| finished.at >= calendar.today);
        let flagged = arithmetic::flagged(&entries, calendar.week, now, &self.shop.time_zone());
        let clock = TechnicianClock {
            technician_id: technician,
            now,
            running: running
                .as_ref()
                .map(|running| running.view(now, &self.shop.time_zone())),
            today: Clocked::within(&entries, calendar.today, now).into(),
            week: Clocked::within(&entries, calendar.week, now).into(),
            efficiency: efficiency.into(),
            completed_today: count(today.count()),
            completed_week: count(finished.len()),
            finished_jobs: done.iter().map(FinishedJob::from).collect(),
            flagged: count(flagged),
        };
        Ok((clock, running))
    }
}

/// Hundredths of an hour that were sold for a job; none where none are known.
fn sold(order: &RepairOrder, job: i32) -> Option<i64> {
    let job = order.jobs.iter().find(|one| one.job_number == job)?;
    Some(job.sold_hours()?.hundredths().into())
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl From<Clocked> for ClockedTime {
    fn from(Clocked { on_jobs, attended }: Clocked) -> Self {
        let milliseconds =
            |time: jiff::SignedDuration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        Self {
            jobs_ms: milliseconds(on_jobs),
            attended_ms: milliseconds(attended),
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
