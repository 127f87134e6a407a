//! The event log as people ask for it: what happened to one order, what one request did, and how
//! much is going on.

use jiff::Timestamp;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, EntityTrait, ExprTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
};

use super::read::event;
use super::rows::events;
use super::{Event, Seq, Store, StoreError};
use crate::repair_order::{RoNumber, Version};

/// How much was changed since some moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromQueryResult)]
pub struct Activity {
    pub updates: i64,
    pub repair_orders: i64,
}

impl Store {
    /// Events of one order, newest first, at most `limit`; with `before`, those that made a lower
    /// version.
    pub async fn history(
        &self,
        number: RoNumber,
        before: Option<Version>,
        limit: u64,
    ) -> Result<Vec<Event>, StoreError> {
        let mut query = events::Entity::find().filter(events::Column::RoNumber.eq(number.get()));
        if let Some(before) = before {
            query = query.filter(events::Column::Version.lt(before));
        }
        let rows = query
            .order_by_desc(events::Column::Version)
            .limit(limit)
            .all(self.reader())
            .await?;
        rows.into_iter().map(event).collect()
    }

    /// Events of one order from a version on, oldest first.
    pub async fn events_from(
        &self,
        number: RoNumber,
        version: Version,
    ) -> Result<Vec<Event>, StoreError> {
        let rows = events::Entity::find()
            .filter(events::Column::RoNumber.eq(number.get()))
            .filter(events::Column::Version.gte(version))
            .order_by_asc(events::Column::Version)
            .all(self.reader())
            .await?;
        rows.into_iter().map(event).collect()
    }

    /// Everything one request did, to whichever orders, oldest first.
    pub async fn events_of_request(&self, request: &str) -> Result<Vec<Event>, StoreError> {
        let rows = events::Entity::find()
            .filter(events::Column::Request.eq(request))
            .order_by_asc(events::Column::Seq)
            .all(self.reader())
            .await?;
        rows.into_iter().map(event).collect()
    }

    /// One event by its number.
    pub async fn event(&self, seq: Seq) -> Result<Option<Event>, StoreError> {
        let row = events::Entity::find_by_id(seq).one(self.reader()).await?;
        row.map(event).transpose()
    }

    /// How much was changed at `since` or later.
    pub async fn activity(&self, since: Timestamp) -> Result<Activity, StoreError> {
        let activity = events::Entity::find()
            .select_only()
            .column_as(events::Column::Seq.count(), "updates")
            .column_as(
                Expr::col(events::Column::RoNumber).count_distinct(),
                "repair_orders",
            )
            .filter(events::Column::At.gte(since.as_millisecond()))
            .into_model::<Activity>()
            .one(self.reader())
            .await?;
        Ok(activity.unwrap_or_default())
    }
}
