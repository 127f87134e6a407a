//! Orders that another program has locked in PostgreSQL: a locked row blocks changes of that order,
//! and of no other.
//!
//! A group that meets a locked row waits for it once (`lock_timeout`), then is written order by order
//! without those that are locked; groups with such an order are not tried together for a while.

use std::collections::HashSet;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use sea_orm::sea_query::{LockBehavior, LockType};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, QueryFilter, QuerySelect,
};

use super::rows::repair_orders::{Column, Entity};
use super::{Decision, Store};
use crate::repair_order::RoNumber;

/// How long a group with an order that was locked is not tried together.
const REMEMBERED: Duration = Duration::from_secs(10);

impl Store {
    /// Whether an order of the group was found locked a moment ago.
    pub(super) fn holds_locked(&self, group: &[Decision]) -> bool {
        let mut locked = self.locked.lock().unwrap_or_else(PoisonError::into_inner);
        if locked.is_empty() {
            return false;
        }
        locked.retain(|_, found| found.elapsed() < REMEMBERED);
        let mut numbers = group.iter().map(|decision| decision.after.number);
        numbers.any(|number| locked.contains_key(&number))
    }

    /// Those of the group's orders that another program holds now; the others are held by this
    /// transaction from here on. SQLite locks no rows.
    pub(super) async fn find_locked(
        &self,
        transaction: &impl ConnectionTrait,
        group: &[Decision],
    ) -> Result<HashSet<RoNumber>, DbErr> {
        if transaction.get_database_backend() != DbBackend::Postgres {
            return Ok(HashSet::new());
        }
        let numbers = || group.iter().map(|decision| decision.after.number);
        let changed = numbers().map(RoNumber::get);
        let of_group = Entity::find()
            .select_only()
            .column(Column::Number)
            .filter(Column::Number.is_in(changed));
        let there: Vec<i64> = of_group.clone().into_tuple().all(transaction).await?;
        let free: HashSet<i64> = of_group
            .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
            .into_tuple()
            .all(transaction)
            .await?
            .into_iter()
            .collect();
        let is_locked = |number: &RoNumber| {
            // An order that is not there yet cannot be locked.
            there.contains(&number.get()) && !free.contains(&number.get())
        };
        let found: HashSet<RoNumber> = numbers().filter(is_locked).collect();
        let mut locked = self.locked.lock().unwrap_or_else(PoisonError::into_inner);
        for number in &found {
            locked.insert(*number, Instant::now());
        }
        Ok(found)
    }
}
