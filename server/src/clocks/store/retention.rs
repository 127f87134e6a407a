//! Deleting entries that were kept for long enough, and the finished jobs of orders that are deleted.

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, QueryFilter,
    QueryOrder, QuerySelect,
};

use super::entities::{correction, entry, finished, proposal};
use super::finished_jobs::{Finished, read_finished};
use crate::clocks::arithmetic::Entry;

/// Ended before this moment, and on no order that is open or was closed later. The newest entry stays, since
/// the next one gets the number after it.
fn old(before: Timestamp) -> Condition {
    let before = before.as_millisecond();
    let highest = Query::select()
        .expr(Expr::col(entry::Column::Id).max())
        .from(entry::Entity)
        .to_owned();
    let needed = Query::select()
        .column("number")
        .from("repair_orders")
        .cond_where(
            Condition::any()
                .add(Expr::col("closed_at").is_null())
                .add(Expr::col("closed_at").gte(before)),
        )
        .to_owned();
    let of_order = Condition::any()
        .add(entry::Column::RoNumber.is_null())
        .add(entry::Column::RoNumber.not_in_subquery(needed));
    Condition::all()
        .add(entry::Column::EndedAt.lt(before))
        .add(Expr::col(entry::Column::Id).not_in_subquery(highest))
        .add(of_order)
}

pub async fn has_old_entries(
    connection: &impl ConnectionTrait,
    before: Timestamp,
) -> Result<bool, DbErr> {
    let one = entry::Entity::find().filter(old(before)).one(connection);
    Ok(one.await?.is_some())
}

/// Deletes some with their corrections, and gives them. One that was taken out before has no time in it.
pub async fn delete_old_entries(
    transaction: &WriteTransaction,
    before: Timestamp,
    limit: u64,
) -> Result<Vec<(TechnicianId, Entry)>, DbErr> {
    let rows = entry::Entity::find()
        .filter(old(before))
        .order_by_asc(entry::Column::Id)
        .limit(limit)
        .all(transaction)
        .await?;
    let ids = || rows.iter().map(|row| row.id);
    correction::Entity::delete_many()
        .filter(correction::Column::Entry.is_in(ids()))
        .exec(transaction)
        .await?;
    proposal::Entity::delete_many()
        .filter(proposal::Column::Entry.is_in(ids()))
        .exec(transaction)
        .await?;
    entry::Entity::delete_many()
        .filter(entry::Column::Id.is_in(ids()))
        .exec(transaction)
        .await?;
    let entry = |row: entry::Model| {
        let mut entry = Entry::from(&row);
        if row.deleted_at.is_some() {
            entry.ended_at = Some(entry.started_at);
        }
        (row.technician, entry)
    };
    Ok(rows.into_iter().map(entry).collect())
}

/// Deletes the finished jobs of these orders, and gives them.
pub async fn delete_finished(
    transaction: &WriteTransaction,
    numbers: &[i64],
) -> Result<Vec<Finished>, DbErr> {
    let of_orders = || finished::Column::RoNumber.is_in(numbers.iter().copied());
    let rows = finished::Entity::find()
        .filter(of_orders())
        .all(transaction)
        .await?;
    finished::Entity::delete_many()
        .filter(of_orders())
        .exec(transaction)
        .await?;
    Ok(rows.into_iter().filter_map(read_finished).collect())
}
