//! Closed orders as figures are made of them: when each was closed, and what its life was.

use std::cmp::Reverse;
use std::collections::HashMap;

use jiff::Timestamp;
use sea_orm::sea_query::Query;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::read::{MAX_NUMBERS_PER_QUERY, time, top};
use super::rows::{events, repair_orders, technician_assignments};
use super::{Seq, Store, StoreError};
use crate::repair_order::{
    Action, Change, DisplayedStatus, RepairOrder, RoNumber, TechnicianId, Version,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedOrder {
    pub number: RoNumber,
    pub version: Version,
    pub closed_at: Timestamp,
    /// The displayed one.
    pub status: DisplayedStatus,
}

/// Closed orders, and the event number they are true for.
#[derive(Clone, Debug)]
pub struct ClosedOrders {
    pub orders: Vec<ClosedOrder>,
    pub seq: Seq,
}

/// What happened to an order's status and technicians and when the log got it, oldest first; begins
/// with its `Created`.
pub type Life = Vec<(Timestamp, Change)>;

/// Events that say nothing of status, technicians, opening or closing are left in the database.
const OF_A_LIFE: [Action; 7] = [
    Action::Created,
    Action::StatusChanged,
    Action::TechAssigned,
    Action::TechUnassigned,
    Action::Imported,
    Action::Closed,
    Action::Reopened,
];

impl Store {
    /// Orders that are closed, and were so at `since` or later.
    pub async fn closed_since(&self, since: Timestamp) -> Result<ClosedOrders, StoreError> {
        use repair_orders::Column;
        let snapshot = self.snapshot().await?;
        let seq = top(&snapshot).await?;
        let rows: Vec<(i64, i64, i64, String, Option<String>)> = repair_orders::Entity::find()
            .select_only()
            .columns([
                Column::Number,
                Column::Version,
                Column::ClosedAt,
                Column::CustomerStatus,
                Column::AppCustomerStatus,
            ])
            .filter(Column::ClosedAt.gte(since.as_millisecond()))
            .into_tuple()
            .all(&snapshot)
            .await?;
        let order = |row: (i64, i64, i64, String, Option<String>)| {
            let (number, version, closed_at, dealer_system, desk) = row;
            let damaged = |what: &str| StoreError::Damaged {
                number,
                what: what.to_owned(),
            };
            let desk = desk.map(|status| status.parse());
            let desk = desk.transpose().map_err(|()| damaged("its status"))?;
            Ok(ClosedOrder {
                number: RoNumber::try_from(number).map_err(|_| damaged("its number"))?,
                version,
                closed_at: time(closed_at).ok_or_else(|| damaged("when it was closed"))?,
                status: DisplayedStatus::of(desk, &dealer_system),
            })
        };
        let orders: Result<_, StoreError> = rows.into_iter().map(order).collect();
        Ok(ClosedOrders {
            orders: orders?,
            seq,
        })
    }

    /// The orders that this technician is on and that were closed at `since` or later, the newest first.
    pub async fn closed_of_technician(
        &self,
        technician: TechnicianId,
        since: Timestamp,
        limit: u64,
    ) -> Result<Vec<RepairOrder>, StoreError> {
        use repair_orders::Column;
        let own = Query::select()
            .column(technician_assignments::Column::RoNumber)
            .from(technician_assignments::Entity)
            .and_where(technician_assignments::Column::Technician.eq(technician))
            .to_owned();
        let numbers: Vec<i64> = repair_orders::Entity::find()
            .select_only()
            .column(Column::Number)
            .filter(Column::ClosedAt.gte(since.as_millisecond()))
            .filter(Column::Number.in_subquery(own))
            .order_by_desc(Column::ClosedAt)
            .order_by_desc(Column::Number)
            .limit(limit)
            .into_tuple()
            .all(self.reader())
            .await?;
        let numbers = numbers
            .into_iter()
            .filter_map(|number| RoNumber::try_from(number).ok());
        let mut orders = self.load_all(&numbers.collect::<Vec<_>>()).await?;
        // One may have been reopened meanwhile.
        orders.retain(|order| order.closed_at.is_some());
        orders.sort_by_key(|order| Reverse((order.closed_at, order.number)));
        Ok(orders)
    }

    /// The lives of these orders, by number.
    pub async fn lives(&self, numbers: &[RoNumber]) -> Result<HashMap<RoNumber, Life>, StoreError> {
        let mut lives = HashMap::new();
        let numbers: Vec<i64> = numbers.iter().map(|number| number.get()).collect();
        for numbers in numbers.chunks(MAX_NUMBERS_PER_QUERY) {
            lives_of(self.reader(), numbers, &OF_A_LIFE, &mut lives).await?;
        }
        Ok(lives)
    }
}

/// Adds the events of these orders, of these kinds. At most `MAX_NUMBERS_PER_QUERY` orders.
pub(super) async fn lives_of(
    connection: &impl ConnectionTrait,
    numbers: &[i64],
    actions: &[Action],
    lives: &mut HashMap<RoNumber, Life>,
) -> Result<(), StoreError> {
    use events::Column;
    let rows: Vec<(i64, i64, String)> = events::Entity::find()
        .select_only()
        .columns([Column::RoNumber, Column::At, Column::Change])
        .filter(Column::RoNumber.is_in(numbers.iter().copied()))
        .filter(Column::Action.is_in(actions.iter().map(|action| action.name())))
        .order_by_asc(Column::RoNumber)
        .order_by_asc(Column::Version)
        .into_tuple()
        .all(connection)
        .await?;
    for (number, at, change) in rows {
        let damaged = |what: String| StoreError::Damaged { number, what };
        let at = time(at).ok_or_else(|| damaged("the time of an event".to_owned()))?;
        let change = serde_json::from_str(&change);
        let change = change.map_err(|error| damaged(error.to_string()))?;
        let number = RoNumber::try_from(number);
        let number = number.map_err(|error| damaged(error.to_string()))?;
        lives.entry(number).or_default().push((at, change));
    }
    Ok(())
}
