//! What each technician's last tap changed, so that it can be undone.

use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter};

use super::entities::{entry, last_tap, time};
use super::finished_jobs::{self, Finished};
use super::proposals::delete_proposal;
use crate::clocks::arithmetic::Work;

/// What a tap changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastTap {
    pub technician: TechnicianId,
    pub tapped_at: Timestamp,
    /// When it arrived, by this server's clock.
    pub kept_at: Timestamp,
    pub ended_entry: Option<i64>,
    pub begun_entry: Option<i64>,
    /// The job that it marked as done or as not done, and how that was before.
    pub marked: Option<(Work, Option<Finished>)>,
}

pub async fn keep_tap(transaction: &WriteTransaction, tap: &LastTap) -> Result<(), DbErr> {
    forget_tap(transaction, tap.technician).await?;
    let (work, before) = tap.marked.unzip();
    let before = before.flatten();
    let row = last_tap::Model {
        technician: tap.technician,
        tapped_at: tap.tapped_at.as_millisecond(),
        kept_at: tap.kept_at.as_millisecond(),
        ended_entry: tap.ended_entry,
        begun_entry: tap.begun_entry,
        ro_number: work.map(|work| work.order.get()),
        job_number: work.map(|work| work.job),
        finisher_before: before.map(|before| before.technician),
        finished_at_before: before.map(|before| before.at.as_millisecond()),
    };
    last_tap::Entity::insert(row.into_active_model())
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

pub async fn forget_tap(
    transaction: &WriteTransaction,
    technician: TechnicianId,
) -> Result<(), DbErr> {
    last_tap::Entity::delete_by_id(technician)
        .exec(transaction)
        .await?;
    Ok(())
}

pub async fn last_tap(
    transaction: &WriteTransaction,
    technician: TechnicianId,
) -> Result<Option<LastTap>, DbErr> {
    let row = last_tap::Entity::find_by_id(technician)
        .one(transaction)
        .await?;
    Ok(row.map(LastTap::from))
}

/// Makes everything as it was before the tap. False where something changed since: the transaction is then to be rolled
/// back.
pub async fn undo_tap(transaction: &WriteTransaction, tap: &LastTap) -> Result<bool, DbErr> {
    let tapped_at = tap.tapped_at.as_millisecond();
    if let Some(id) = tap.begun_entry {
        let deleted = entry::Entity::delete_many()
            .filter(entry::Column::Id.eq(id))
            .filter(entry::Column::StartedAt.eq(tapped_at))
            .filter(entry::Column::EndedAt.is_null())
            .filter(entry::Column::CorrectedAt.is_null())
            .exec(transaction)
            .await?;
        if deleted.rows_affected == 0 {
            return Ok(false);
        }
        // The next entry may get its number.
        delete_proposal(transaction, id).await?;
    }
    if let Some(id) = tap.ended_entry {
        let resumed = entry::Entity::update_many()
            .col_expr(entry::Column::EndedAt, None::<i64>.into())
            .filter(entry::Column::Id.eq(id))
            .filter(entry::Column::EndedAt.eq(tapped_at))
            .filter(entry::Column::CorrectedAt.is_null())
            .exec(transaction)
            .await?;
        if resumed.rows_affected == 0 {
            return Ok(false);
        }
    }
    let Some((work, before)) = tap.marked else {
        return Ok(true);
    };
    let is_done = finished_jobs::finished_job(transaction, work).await?;
    let is_as_tapped = match before {
        // It was marked as not done.
        Some(_) => is_done.is_none(),
        None => is_done
            .is_some_and(|mark| mark.technician == tap.technician && mark.at == tap.tapped_at),
    };
    if !is_as_tapped {
        return Ok(false);
    }
    match before {
        Some(before) => finished_jobs::finish(transaction, &before).await,
        None => finished_jobs::reopen(transaction, work).await,
    }
}

impl From<last_tap::Model> for LastTap {
    fn from(row: last_tap::Model) -> Self {
        let order = row.ro_number.map(RoNumber::try_from).and_then(Result::ok);
        let work = order.zip(row.job_number);
        let work = work.map(|(order, job)| Work { order, job });
        let before = row.finisher_before.zip(row.finished_at_before);
        Self {
            technician: row.technician,
            tapped_at: time(row.tapped_at),
            kept_at: time(row.kept_at),
            ended_entry: row.ended_entry,
            begun_entry: row.begun_entry,
            marked: work.map(|work| {
                let before = before.map(|(technician, at)| Finished {
                    work,
                    technician,
                    at: time(at),
                });
                (work, before)
            }),
        }
    }
}
