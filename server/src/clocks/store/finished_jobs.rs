//! The jobs that are finished, each by the technician who said so first.

use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter};

use super::entities::{BATCH_SIZE, finished, time};
use crate::clocks::arithmetic::Work;

/// A job that is done, and who said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    pub work: Work,
    pub technician: TechnicianId,
    pub at: Timestamp,
}

/// Who marked a job as done and when, if anybody has.
pub async fn finished_job(
    connection: &impl ConnectionTrait,
    work: Work,
) -> Result<Option<Finished>, DbErr> {
    let row = finished::Entity::find_by_id((work.order.get(), work.job))
        .one(connection)
        .await?;
    Ok(row.and_then(read_finished))
}

/// Marks a job as done; false where it was done already, by any technician.
pub async fn finish(transaction: &WriteTransaction, finished: &Finished) -> Result<bool, DbErr> {
    let row = finished::Model::from(finished);
    let inserted = finished::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await?;
    Ok(inserted == 1)
}

/// A job is not done after all; false where it was not anyway.
pub async fn reopen(transaction: &WriteTransaction, work: Work) -> Result<bool, DbErr> {
    let deleted = finished::Entity::delete_by_id((work.order.get(), work.job))
        .exec(transaction)
        .await?;
    Ok(deleted.rows_affected == 1)
}

/// What the shop finished since then.
pub async fn finished_since(
    connection: &impl ConnectionTrait,
    since: Timestamp,
) -> Result<Vec<Finished>, DbErr> {
    let rows = finished::Entity::find()
        .filter(finished::Column::FinishedAt.gte(since.as_millisecond()))
        .all(connection)
        .await?;
    Ok(rows.into_iter().filter_map(read_finished).collect())
}

/// Jobs of these orders that are done, by order and job.
pub async fn finished_on(
    connection: &impl ConnectionTrait,
    orders: &[RoNumber],
) -> Result<Vec<Finished>, DbErr> {
    let mut jobs = Vec::new();
    for some in orders.chunks(BATCH_SIZE) {
        let rows = finished::Entity::find()
            .filter(finished::Column::RoNumber.is_in(some.iter().map(|number| number.get())))
            .all(connection)
            .await?;
        jobs.extend(rows.into_iter().filter_map(read_finished));
    }
    jobs.sort_by_key(|finished| finished.work);
    Ok(jobs)
}

impl From<&Finished> for finished::Model {
    fn from(finished: &Finished) -> Self {
        Self {
            ro_number: finished.work.order.get(),
            job_number: finished.work.job,
            technician: finished.technician,
            finished_at: finished.at.as_millisecond(),
        }
    }
}

pub(super) fn read_finished(row: finished::Model) -> Option<Finished> {
    Some(Finished {
        work: Work {
            order: RoNumber::try_from(row.ro_number).ok()?,
            job: row.job_number,
        },
        technician: row.technician,
        at: time(row.finished_at),
    })
}
