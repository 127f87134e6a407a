//! Deleting closed orders and their events once they were kept for long enough, some rows at a time.
//!
//! The log has gaps then, up to an event that is written down first (`pruned_to`): whoever was away since
//! before it loads the list again instead of being told what they missed. The newest event is never
//! deleted, nor any that is younger than what clients are resumed from; the counter goes on as before.

use jiff::Timestamp;
use sea_orm::sea_query::{Expr, LockBehavior, LockType, Query, SelectStatement};
use sea_orm::{ColumnTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect};

use super::read::orders_of;
use super::rows::{event_log, events, order_search, repair_orders};
use super::{Seq, Store, StoreError, WriteTransaction};
use crate::repair_order::RepairOrder;

/// Orders of one step; those of a shop have some ten to twenty events each.
const ORDERS_PER_STEP: u64 = 10;

/// Events of one step.
const EVENTS_PER_STEP: u64 = 200;

/// What one step deletes of.
#[derive(Clone, Copy, Debug)]
pub enum PrunedPart {
    /// Closed orders with everything of them.
    Orders,
    /// The events of closed orders, which stay.
    Events,
}

/// Of which orders, and up to which event.
#[derive(Clone, Copy, Debug)]
pub struct PruneLimits {
    /// Orders that were closed later are left alone, and so are those to which something happened after
    /// `up_to`.
    pub closed_before: Timestamp,
    pub up_to: Seq,
}

/// What one step deleted.
#[derive(Debug, Default)]
pub struct PrunedRows {
    /// As they were.
    pub orders: Vec<RepairOrder>,
    pub events: u64,
}

impl Store {
    /// The newest event that is older than `since`, and neither the newest of the log nor one that this
    /// process still announces.
    pub async fn newest_event_before(&self, since: Timestamp) -> Result<Seq, StoreError> {
        let first_younger: Option<Option<Seq>> = events::Entity::find()
            .select_only()
            .column_as(events::Column::Seq.min(), "first")
            .filter(events::Column::At.gte(since.as_millisecond()))
            .into_tuple()
            .one(self.reader())
            .await?;
        let newest = self.status().announced().seq - 1;
        let older = first_younger.flatten().map_or(newest, |first| first - 1);
        Ok(Ord::min(older, newest).clamp(0, Seq::MAX))
    }

    /// Whether a step would find something to delete.
    pub async fn has_prunable(
        &self,
        part: PrunedPart,
        limits: PruneLimits,
    ) -> Result<bool, StoreError> {
        let first = repair_orders::Entity::find()
            .select_only()
            .column(repair_orders::Column::Number)
            .filter(repair_orders::Column::Number.in_subquery(prunable(part, limits, 1)))
            .into_tuple::<i64>()
            .one(self.reader())
            .await?;
        Ok(first.is_some())
    }

    /// Writes down that events up to this one may be missing from now on. To be called, and some seconds to
    /// be waited, before any is deleted: other servers read it once a second.
    pub async fn allow_gaps(&self, up_to: Seq) -> Result<(), StoreError> {
        if self.status().pruned_to() >= up_to {
            return Ok(());
        }
        let transaction = self.begin_write().await?;
        event_log::Entity::update_many()
            .col_expr(event_log::Column::PrunedTo, Expr::value(up_to))
            .filter(event_log::Column::Id.eq(1))
            .filter(event_log::Column::PrunedTo.lt(up_to))
            .exec(&transaction)
            .await?;
        transaction.commit().await?;
        self.status().set_pruned_to(up_to);
        Ok(())
    }
}

/// Deletes the rows of one step, the orders first that were closed first. Gives nothing where nothing is
/// left to delete.
pub async fn prune_step(
    transaction: &WriteTransaction,
    part: PrunedPart,
    limits: PruneLimits,
) -> Result<PrunedRows, StoreError> {
    // An order that somebody changes at this moment is left for another time.
    let numbers: Vec<i64> = repair_orders::Entity::find()
        .select_only()
        .column(repair_orders::Column::Number)
        .filter(repair_orders::Column::Number.in_subquery(prunable(part, limits, ORDERS_PER_STEP)))
        .filter(repair_orders::Column::ClosedAt.lt(limits.closed_before.as_millisecond()))
        .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
        .into_tuple()
        .all(transaction)
        .await?;
    if numbers.is_empty() {
        return Ok(PrunedRows::default());
    }
    let events = delete_events(transaction, &numbers, limits.up_to).await?;
    let orders = match part {
        PrunedPart::Orders => delete_orders(transaction, numbers).await?,
        PrunedPart::Events => Vec::new(),
    };
    Ok(PrunedRows { orders, events })
}

/// Numbers of orders of which something can be deleted.
fn prunable(part: PrunedPart, limits: PruneLimits, count: u64) -> SelectStatement {
    use repair_orders::{Column, Entity};
    let of_order = |condition| {
        Query::select()
            .expr(Expr::val(1))
            .from(events::Entity)
            .and_where(
                Expr::col((events::Entity, events::Column::RoNumber))
                    .equals((Entity, Column::Number)),
            )
            .and_where(condition)
            .to_owned()
    };
    let younger = of_order(Expr::col(events::Column::Seq).gt(limits.up_to));
    let mut select = Query::select()
        .column(Column::Number)
        .from(Entity)
        .and_where(Expr::col(Column::ClosedAt).lt(limits.closed_before.as_millisecond()))
        .and_where(Expr::exists(younger).not())
        .order_by(Column::ClosedAt, sea_orm::Order::Asc)
        .limit(count)
        .to_owned();
    if let PrunedPart::Events = part {
        let any = of_order(Expr::col(events::Column::Seq).lte(limits.up_to));
        select.and_where(Expr::exists(any));
    }
    select
}

/// The oldest of them, as many as a step may.
async fn delete_events(
    transaction: &WriteTransaction,
    numbers: &[i64],
    up_to: Seq,
) -> Result<u64, StoreError> {
    let seqs: Vec<Seq> = events::Entity::find()
        .select_only()
        .column(events::Column::Seq)
        .filter(events::Column::RoNumber.is_in(numbers.iter().copied()))
        // One that came in this moment keeps its order.
        .filter(events::Column::Seq.lte(up_to))
        .order_by_asc(events::Column::RoNumber)
        .order_by_asc(events::Column::Version)
        .limit(EVENTS_PER_STEP)
        .into_tuple()
        .all(transaction)
        .await?;
    if seqs.is_empty() {
        return Ok(0);
    }
    let deleted = events::Entity::delete_many()
        .filter(events::Column::Seq.is_in(seqs))
        .exec(transaction)
        .await?;
    Ok(deleted.rows_affected)
}

/// Those of which no event is left.
async fn delete_orders(
    transaction: &WriteTransaction,
    mut numbers: Vec<i64>,
) -> Result<Vec<RepairOrder>, StoreError> {
    let unfinished: Vec<i64> = events::Entity::find()
        .select_only()
        .column(events::Column::RoNumber)
        .distinct()
        .filter(events::Column::RoNumber.is_in(numbers.iter().copied()))
        .into_tuple()
        .all(transaction)
        .await?;
    numbers.retain(|number| !unfinished.contains(number));
    let orders = orders_of(transaction, &numbers).await?;
    order_search::Entity::delete_many()
        .filter(order_search::Column::RoNumber.is_in(numbers.iter().copied()))
        .exec(transaction)
        .await?;
    // Their jobs, operations and technicians go with them.
    repair_orders::Entity::delete_many()
        .filter(repair_orders::Column::Number.is_in(numbers))
        .exec(transaction)
        .await?;
    Ok(orders)
}
