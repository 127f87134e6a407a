//! The entries of technicians: reading, beginning, ending and changing them.

use std::collections::{HashMap, HashSet};

use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use dispatch_actors::store::{Store, WriteTransaction};
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel,
    QueryFilter, QueryOrder, QuerySelect, SqlErr,
};

use super::entities::{BATCH_SIZE, entry};
use crate::clocks::arithmetic::{Chain, Entry};

/// What other servers hear.
pub const TOPIC: &str = "clocks";

/// A transaction that changes clocks. One at a time, in whichever process: what an entry must not
/// overlap is seen by reading the others.
pub async fn begin(store: &Store) -> Result<WriteTransaction, DbErr> {
    let transaction = store.begin_exclusive("clock_entries").await?;
    transaction.notify_other_servers(TOPIC, "").await?;
    Ok(transaction)
}

/// Whether another process was quicker.
pub fn is_overtaken(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}

/// Entries that count.
fn counting() -> sea_orm::Select<entry::Entity> {
    entry::Entity::find().filter(entry::Column::DeletedAt.is_null())
}

/// The running entries of all technicians.
pub async fn running(
    connection: &impl ConnectionTrait,
) -> Result<HashMap<TechnicianId, Entry>, DbErr> {
    let rows = counting()
        .filter(entry::Column::EndedAt.is_null())
        .all(connection)
        .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.technician, row.into()))
        .collect())
}

/// What a technician's next tap is decided on.
pub async fn chain(
    connection: &impl ConnectionTrait,
    technician: TechnicianId,
) -> Result<Chain, DbErr> {
    let own = || counting().filter(entry::Column::Technician.eq(technician));
    let running = own()
        .filter(entry::Column::EndedAt.is_null())
        .one(connection)
        .await?;
    let last = own()
        .filter(entry::Column::EndedAt.is_not_null())
        .order_by_desc(entry::Column::EndedAt)
        .one(connection)
        .await?;
    let entries: Vec<Entry> = running.into_iter().chain(last).map(Entry::from).collect();
    Ok(Chain::of(&entries))
}

/// A technician's entries with a part in the time since `since`, the oldest first.
pub async fn since(
    connection: &impl ConnectionTrait,
    technician: TechnicianId,
    since: Timestamp,
) -> Result<Vec<Entry>, DbErr> {
    let rows = counting()
        .filter(entry::Column::Technician.eq(technician))
        .filter(ends_after(since))
        .order_by_asc(entry::Column::StartedAt)
        .order_by_asc(entry::Column::Id)
        .all(connection)
        .await?;
    Ok(rows.into_iter().map(Entry::from).collect())
}

/// Everybody's entries with a part in the time since `since`, of those that began no earlier than `begun`.
pub async fn of_shop_since(
    connection: &impl ConnectionTrait,
    begun: Timestamp,
    since: Timestamp,
) -> Result<Vec<(TechnicianId, Entry)>, DbErr> {
    let rows = counting()
        .filter(entry::Column::StartedAt.gte(begun.as_millisecond()))
        .filter(ends_after(since))
        .all(connection)
        .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.technician, Entry::from(row)))
        .collect())
}

/// Those of these technicians who began an entry at `since` or later.
pub async fn technicians_since(
    connection: &impl ConnectionTrait,
    technicians: &[TechnicianId],
    since: Timestamp,
) -> Result<HashSet<TechnicianId>, DbErr> {
    let mut there = HashSet::new();
    // By name, so that the index of a technician's entries is read from `since` on.
    for some in technicians.chunks(BATCH_SIZE) {
        let rows: Vec<TechnicianId> = counting()
            .select_only()
            .column(entry::Column::Technician)
            .distinct()
            .filter(entry::Column::Technician.is_in(some.iter().copied()))
            .filter(entry::Column::StartedAt.gte(since.as_millisecond()))
            .into_tuple()
            .all(connection)
            .await?;
        there.extend(rows);
    }
    Ok(there)
}

fn ends_after(moment: Timestamp) -> Condition {
    Condition::any()
        .add(entry::Column::EndedAt.is_null())
        .add(entry::Column::EndedAt.gt(moment.as_millisecond()))
}

/// A technician's entries with a part in the time between, the newest first; those that were
/// deleted, too.
pub async fn between(
    connection: &impl ConnectionTrait,
    technician: TechnicianId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<entry::Model>, DbErr> {
    entry::Entity::find()
        .filter(entry::Column::Technician.eq(technician))
        .filter(ends_after(from))
        .filter(entry::Column::StartedAt.lt(to.as_millisecond()))
        .order_by_desc(entry::Column::StartedAt)
        .order_by_desc(entry::Column::Id)
        .all(connection)
        .await
}

/// A technician's entry that counts.
pub async fn one(
    connection: &impl ConnectionTrait,
    technician: TechnicianId,
    id: i64,
) -> Result<Option<entry::Model>, DbErr> {
    counting()
        .filter(entry::Column::Id.eq(id))
        .filter(entry::Column::Technician.eq(technician))
        .one(connection)
        .await
}

/// These entries, also deleted ones.
pub async fn entries_of(
    connection: &impl ConnectionTrait,
    ids: &[i64],
) -> Result<Vec<entry::Model>, DbErr> {
    let mut entries = Vec::new();
    for some in ids.chunks(BATCH_SIZE) {
        let rows = entry::Entity::find().filter(entry::Column::Id.is_in(some.iter().copied()));
        entries.extend(rows.all(connection).await?);
    }
    Ok(entries)
}

/// A technician's entries on jobs of these orders.
pub async fn on_orders_of(
    connection: &impl ConnectionTrait,
    technician: TechnicianId,
    orders: &[RoNumber],
) -> Result<Vec<Entry>, DbErr> {
    let mut entries = Vec::new();
    for some in orders.chunks(BATCH_SIZE) {
        let rows = counting()
            .filter(entry::Column::Technician.eq(technician))
            .filter(entry::Column::RoNumber.is_in(some.iter().map(|number| number.get())))
            .all(connection)
            .await?;
        entries.extend(rows.into_iter().map(Entry::from));
    }
    Ok(entries)
}

/// The entries on these orders, each with its technician, the oldest first.
pub async fn on_orders(
    connection: &impl ConnectionTrait,
    orders: &[RoNumber],
) -> Result<Vec<(TechnicianId, Entry)>, DbErr> {
    let mut entries = Vec::new();
    for some in orders.chunks(BATCH_SIZE) {
        let rows = counting()
            .filter(entry::Column::RoNumber.is_in(some.iter().map(|number| number.get())))
            .all(connection)
            .await?;
        entries.extend(
            rows.into_iter()
                .map(|row| (row.technician, Entry::from(row))),
        );
    }
    entries.sort_by_key(|(_, entry)| entry.started_at);
    Ok(entries)
}

/// Those of these orders on which a clock has run.
pub async fn clocked_of(
    connection: &impl ConnectionTrait,
    orders: &[RoNumber],
) -> Result<Vec<RoNumber>, DbErr> {
    let mut clocked = Vec::new();
    for some in orders.chunks(BATCH_SIZE) {
        let numbers: Vec<Option<i64>> = counting()
            .select_only()
            .column(entry::Column::RoNumber)
            .distinct()
            .filter(entry::Column::RoNumber.is_in(some.iter().map(|number| number.get())))
            .into_tuple()
            .all(connection)
            .await?;
        let numbers = numbers.into_iter().flatten();
        clocked.extend(numbers.filter_map(|number| RoNumber::try_from(number).ok()));
    }
    Ok(clocked)
}

/// The newest entry with a job.
pub async fn last_with_job(
    connection: &impl ConnectionTrait,
    technician: TechnicianId,
) -> Result<Option<entry::Model>, DbErr> {
    counting()
        .filter(entry::Column::Technician.eq(technician))
        .filter(entry::Column::RoNumber.is_not_null())
        .order_by_desc(entry::Column::StartedAt)
        .order_by_desc(entry::Column::Id)
        .one(connection)
        .await
}

/// Ends what runs; false where another process has ended it.
pub async fn end(transaction: &WriteTransaction, id: i64, at: Timestamp) -> Result<bool, DbErr> {
    end_with(transaction, id, at, false).await
}

/// The same, because the order was closed.
pub async fn end_by_closing(
    transaction: &WriteTransaction,
    id: i64,
    at: Timestamp,
) -> Result<bool, DbErr> {
    end_with(transaction, id, at, true).await
}

async fn end_with(
    transaction: &WriteTransaction,
    id: i64,
    at: Timestamp,
    by_closing: bool,
) -> Result<bool, DbErr> {
    let ended = entry::Entity::update_many()
        .set(entry::ActiveModel {
            ended_at: Set(Some(at.as_millisecond())),
            ended_by_closing: Set(by_closing),
            ..Default::default()
        })
        .filter(entry::Column::Id.eq(id))
        .filter(entry::Column::EndedAt.is_null())
        .filter(entry::Column::DeletedAt.is_null())
        .exec(transaction)
        .await?;
    Ok(ended.rows_affected == 1)
}

/// Begins an entry, which runs unless it has an end; gives its number. The index refuses a second
/// running entry, which [`is_overtaken`] recognizes.
pub async fn insert(
    transaction: &WriteTransaction,
    technician: TechnicianId,
    entry: &Entry,
    corrected_at: Option<Timestamp>,
) -> Result<i64, DbErr> {
    let highest = highest(transaction).await?;
    let row = row(highest + 1, technician, entry, corrected_at);
    let id = row.id;
    entry::Entity::insert(row.into_active_model())
        .exec_without_returning(transaction)
        .await?;
    Ok(id)
}

pub(super) async fn highest(transaction: &WriteTransaction) -> Result<i64, DbErr> {
    let highest: Option<i64> = entry::Entity::find()
        .select_only()
        .column(entry::Column::Id)
        .order_by_desc(entry::Column::Id)
        .into_tuple()
        .one(transaction)
        .await?;
    Ok(highest.unwrap_or(0))
}

pub(super) fn row(
    id: i64,
    technician: TechnicianId,
    entry: &Entry,
    corrected_at: Option<Timestamp>,
) -> entry::Model {
    entry::Model {
        id,
        technician,
        started_at: entry.started_at.as_millisecond(),
        ended_at: entry.ended_at.map(Timestamp::as_millisecond),
        ro_number: entry.work.map(|work| work.order.get()),
        job_number: entry.work.map(|work| work.job),
        corrected_at: corrected_at.map(Timestamp::as_millisecond),
        deleted_at: None,
        ended_by_closing: false,
    }
}

/// Writes an entry over.
pub async fn update(transaction: &WriteTransaction, row: entry::Model) -> Result<(), DbErr> {
    entry::Entity::update(row.into_active_model().reset_all())
        .exec(transaction)
        .await?;
    Ok(())
}
