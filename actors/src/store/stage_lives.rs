//! Orders as totals of time in stages are made of them (`stage_totals`): read in pieces, so that those of some days
//! are never in memory at once.

use std::collections::HashMap;

use jiff::Timestamp;
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};

use super::closed::lives_of;
use super::read::time;
use super::rows::{events, repair_orders};
use super::{Store, StoreError};
use crate::repair_order::{Action, RoNumber};
use crate::stage_totals::OrderLife;

/// Orders whose events are in memory at once; those of a shop have some ten to twenty each.
const ORDERS_PER_PIECE: usize = 200;

/// Events that say nothing of stages, technicians or reopening are left in the database.
const OF_A_STAY: [Action; 6] = [
    Action::Created,
    Action::StageChanged,
    Action::TechAssigned,
    Action::TechUnassigned,
    Action::Imported,
    Action::Reopened,
];

type Head = (i64, i64, Option<i64>, String);

impl Store {
    /// Hands over every order that was open at some time between, by number, all as they were at one moment of the log.
    pub async fn each_open_between(
        &self,
        from: Timestamp,
        to: Timestamp,
        mut each: impl FnMut(&OrderLife),
    ) -> Result<(), StoreError> {
        use repair_orders::Column;
        let snapshot = self.snapshot().await?;
        let heads: Vec<Head> = open_between(from, to)
            .select_only()
            .columns([
                Column::Number,
                Column::OpenedAt,
                Column::ClosedAt,
                Column::Advisor,
            ])
            .order_by_asc(Column::Number)
            .into_tuple()
            .all(&snapshot)
            .await?;
        for heads in heads.chunks(ORDERS_PER_PIECE) {
            for order in piece(&snapshot, heads).await? {
                each(&order);
            }
        }
        Ok(())
    }

    /// The latest closing of an order that was open at some time between and whose first events were deleted since;
    /// none where all orders have theirs.
    pub async fn last_closing_without_events(
        &self,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError> {
        use repair_orders::{Column, Entity};
        let created = Query::select()
            .expr(Expr::val(1))
            .from(events::Entity)
            .and_where(
                Expr::col((events::Entity, events::Column::RoNumber))
                    .equals((Entity, Column::Number)),
            )
            .and_where(Expr::col((events::Entity, events::Column::Version)).eq(1))
            .to_owned();
        let latest: Option<Option<i64>> = open_between(from, to)
            .select_only()
            .column_as(Column::ClosedAt.max(), "latest")
            .filter(Condition::all().add(Expr::exists(created).not()))
            .into_tuple()
            .one(self.reader())
            .await?;
        Ok(latest.flatten().and_then(time))
    }
}

fn open_between(from: Timestamp, to: Timestamp) -> Select<repair_orders::Entity> {
    use repair_orders::Column;
    let closed_later = Column::ClosedAt.gt(from.as_millisecond());
    let still_open = Column::ClosedAt.is_null();
    repair_orders::Entity::find()
        .filter(Column::OpenedAt.lt(to.as_millisecond()))
        .filter(Condition::any().add(still_open).add(closed_later))
}

async fn piece(
    snapshot: &impl ConnectionTrait,
    heads: &[Head],
) -> Result<Vec<OrderLife>, StoreError> {
    let numbers: Vec<i64> = heads.iter().map(|(number, ..)| *number).collect();
    let mut lives = HashMap::new();
    lives_of(snapshot, &numbers, &OF_A_STAY, &mut lives).await?;
    let order = |(number, opened_at, closed_at, advisor): &Head| {
        let damaged = |what: &str| StoreError::Damaged {
            number: *number,
            what: what.to_owned(),
        };
        let at = |at: i64| time(at).ok_or_else(|| damaged("when it was opened or closed"));
        let number = RoNumber::try_from(*number).map_err(|_| damaged("its number"))?;
        Ok(OrderLife {
            number,
            opened_at: at(*opened_at)?,
            closed_at: closed_at.map(at).transpose()?,
            advisor: advisor.clone(),
            events: lives.remove(&number).unwrap_or_default(),
        })
    };
    heads.iter().map(order).collect()
}
