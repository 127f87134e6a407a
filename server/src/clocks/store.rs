//! The tables of the job clock, and the only SQL about them.

use std::collections::HashMap;

use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use dispatch_actors::store::{Store, WriteTransaction};
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel,
    QueryFilter, QueryOrder, QuerySelect, SqlErr,
};

use super::api_types::ClockTimes;
use super::arithmetic::{Chain, Entry, Work};

/// An IN list stays well below what the databases accept.
const AT_ONCE: usize = 1_000;

pub mod entry {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "clock_entries")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub technician: i64,
        pub started_at: i64,
        pub ended_at: Option<i64>,
        pub ro_number: Option<i64>,
        pub job_number: Option<i32>,
        pub corrected_at: Option<i64>,
        pub deleted_at: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

mod correction {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "clock_corrections")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub entry: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub place: i32,
        pub at: i64,
        #[sea_orm(column_type = "Text")]
        pub by_uid: String,
        #[sea_orm(column_type = "Text")]
        pub by_name: String,
        #[sea_orm(column_type = "Text")]
        pub reason: String,
        #[sea_orm(column_type = "Text", nullable)]
        pub before: Option<String>,
        #[sea_orm(column_type = "Text", nullable)]
        pub after: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

mod finished {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "finished_jobs")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub ro_number: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub job_number: i32,
        pub technician: i64,
        pub finished_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// A job that is done, and who said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    pub work: Work,
    pub technician: TechnicianId,
    pub at: Timestamp,
}

/// An entry as it was corrected.
#[derive(Clone, Debug)]
pub struct Correction {
    pub at: Timestamp,
    pub by_uid: String,
    pub by_name: String,
    pub reason: String,
    pub before: Option<ClockTimes>,
    pub after: Option<ClockTimes>,
}

/// A transaction that changes clocks. One at a time, in whichever process: what an entry must not
/// overlap is seen by reading the others.
pub async fn begin(store: &Store) -> Result<WriteTransaction, DbErr> {
    store.begin_exclusive("clock_entries").await
}

/// Whether another process was quicker.
pub fn is_lost(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}

/// Entries that count.
fn counting() -> sea_orm::Select<entry::Entity> {
    entry::Entity::find().filter(entry::Column::DeletedAt.is_null())
}

/// Everybody's that run.
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

/// An entry, also one that was deleted.
pub async fn any(
    connection: &impl ConnectionTrait,
    id: i64,
) -> Result<Option<entry::Model>, DbErr> {
    entry::Entity::find_by_id(id).one(connection).await
}

/// A technician's entries on jobs of these orders.
pub async fn on_orders_of(
    connection: &impl ConnectionTrait,
    technician: TechnicianId,
    orders: &[RoNumber],
) -> Result<Vec<Entry>, DbErr> {
    let mut entries = Vec::new();
    for some in orders.chunks(AT_ONCE) {
        let rows = counting()
            .filter(entry::Column::Technician.eq(technician))
            .filter(entry::Column::RoNumber.is_in(some.iter().map(|number| number.get())))
            .all(connection)
            .await?;
        entries.extend(rows.into_iter().map(Entry::from));
    }
    Ok(entries)
}

/// Everybody's entries on these orders, the oldest first.
pub async fn on_orders(
    connection: &impl ConnectionTrait,
    orders: &[RoNumber],
) -> Result<Vec<Entry>, DbErr> {
    let mut entries = Vec::new();
    for some in orders.chunks(AT_ONCE) {
        let rows = counting()
            .filter(entry::Column::RoNumber.is_in(some.iter().map(|number| number.get())))
            .all(connection)
            .await?;
        entries.extend(rows.into_iter().map(Entry::from));
    }
    entries.sort_by_key(|entry| entry.started_at);
    Ok(entries)
}

/// Ends what runs; false where another process has ended it.
pub async fn end(transaction: &WriteTransaction, id: i64, at: Timestamp) -> Result<bool, DbErr> {
    let ended = entry::Entity::update_many()
        .set(entry::ActiveModel {
            ended_at: Set(Some(at.as_millisecond())),
            ..Default::default()
        })
        .filter(entry::Column::Id.eq(id))
        .filter(entry::Column::EndedAt.is_null())
        .filter(entry::Column::DeletedAt.is_null())
        .exec(transaction)
        .await?;
    Ok(ended.rows_affected == 1)
}

/// Begins an entry, which runs unless it has an end; gives its number. What its index refuses, a
/// second one that runs, [`is_lost`].
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

async fn highest(transaction: &WriteTransaction) -> Result<i64, DbErr> {
    let highest: Option<i64> = entry::Entity::find()
        .select_only()
        .column(entry::Column::Id)
        .order_by_desc(entry::Column::Id)
        .into_tuple()
        .one(transaction)
        .await?;
    Ok(highest.unwrap_or(0))
}

fn row(
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
    }
}

/// Writes an entry over.
pub async fn update(transaction: &WriteTransaction, row: entry::Model) -> Result<(), DbErr> {
    entry::Entity::update(row.into_active_model().reset_all())
        .exec(transaction)
        .await?;
    Ok(())
}

/// Adds to the trail of an entry.
pub async fn correct(
    transaction: &WriteTransaction,
    entry: i64,
    correction: &Correction,
) -> Result<(), DbErr> {
    let places: Vec<i32> = correction::Entity::find()
        .select_only()
        .column(correction::Column::Place)
        .filter(correction::Column::Entry.eq(entry))
        .into_tuple()
        .all(transaction)
        .await?;
    let json = |times: &Option<ClockTimes>| {
        let text = times.as_ref().map(serde_json::to_string).transpose();
        text.map_err(|error| DbErr::Custom(error.to_string()))
    };
    let row = correction::Model {
        entry,
        place: places.into_iter().max().unwrap_or(0) + 1,
        at: correction.at.as_millisecond(),
        by_uid: correction.by_uid.clone(),
        by_name: correction.by_name.clone(),
        reason: correction.reason.clone(),
        before: json(&correction.before)?,
        after: json(&correction.after)?,
    };
    correction::Entity::insert(row.into_active_model())
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

/// The trails of these entries, the oldest correction first.
pub async fn trails(
    connection: &impl ConnectionTrait,
    entries: &[i64],
) -> Result<HashMap<i64, Vec<Correction>>, DbErr> {
    let mut trails: HashMap<i64, Vec<Correction>> = HashMap::new();
    let times = |json: Option<String>| {
        let times = json.as_deref().map(serde_json::from_str).transpose();
        times.map_err(|error| DbErr::Custom(format!("a correction is damaged: {error}")))
    };
    for some in entries.chunks(AT_ONCE) {
        let rows = correction::Entity::find()
            .filter(correction::Column::Entry.is_in(some.iter().copied()))
            .order_by_asc(correction::Column::Entry)
            .order_by_asc(correction::Column::Place)
            .all(connection)
            .await?;
        for row in rows {
            trails.entry(row.entry).or_default().push(Correction {
                at: time(row.at),
                by_uid: row.by_uid,
                by_name: row.by_name,
                reason: row.reason,
                before: times(row.before)?,
                after: times(row.after)?,
            });
        }
    }
    Ok(trails)
}

/// Who finished a job, if anybody has.
pub async fn finisher(
    connection: &impl ConnectionTrait,
    work: Work,
) -> Result<Option<TechnicianId>, DbErr> {
    let row = finished::Entity::find_by_id((work.order.get(), work.job))
        .one(connection)
        .await?;
    Ok(row.map(|row| row.technician))
}

/// A job is done; false where it was already, whoever said so.
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

/// What a technician finished since then.
pub async fn finished_by(
    connection: &impl ConnectionTrait,
    technician: TechnicianId,
    since: Timestamp,
) -> Result<Vec<Finished>, DbErr> {
    let rows = finished::Entity::find()
        .filter(finished::Column::Technician.eq(technician))
        .filter(finished::Column::FinishedAt.gte(since.as_millisecond()))
        .all(connection)
        .await?;
    Ok(rows.into_iter().filter_map(finished).collect())
}

/// Jobs of these orders that are done, by order and job.
pub async fn finished_on(
    connection: &impl ConnectionTrait,
    orders: &[RoNumber],
) -> Result<Vec<Finished>, DbErr> {
    let mut jobs = Vec::new();
    for some in orders.chunks(AT_ONCE) {
        let rows = finished::Entity::find()
            .filter(finished::Column::RoNumber.is_in(some.iter().map(|number| number.get())))
            .all(connection)
            .await?;
        jobs.extend(rows.into_iter().filter_map(finished));
    }
    jobs.sort_by_key(|finished| finished.work);
    Ok(jobs)
}

/// Fills clocks that nobody has used yet, for a shop that is made up; leaves others as they are.
pub async fn begin_with(
    store: &Store,
    entries: &[(TechnicianId, Entry)],
    finished: &[Finished],
) -> Result<(), DbErr> {
    let transaction = begin(store).await?;
    if highest(&transaction).await? > 0 {
        return transaction.rollback().await;
    }
    let rows: Vec<_> = (1..)
        .zip(entries)
        .map(|(id, (technician, entry))| row(id, *technician, entry, None).into_active_model())
        .collect();
    for some in rows.chunks(AT_ONCE / 10) {
        entry::Entity::insert_many(some.to_vec())
            .exec_without_returning(&transaction)
            .await?;
    }
    let rows: Vec<_> = finished
        .iter()
        .map(|finished| finished::Model::from(finished).into_active_model())
        .collect();
    for some in rows.chunks(AT_ONCE / 10) {
        finished::Entity::insert_many(some.to_vec())
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(&transaction)
            .await?;
    }
    transaction.commit().await
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

fn finished(row: finished::Model) -> Option<Finished> {
    Some(Finished {
        work: Work {
            order: RoNumber::try_from(row.ro_number).ok()?,
            job: row.job_number,
        },
        technician: row.technician,
        at: time(row.finished_at),
    })
}

impl From<&entry::Model> for Entry {
    fn from(row: &entry::Model) -> Self {
        let order = row.ro_number.map(RoNumber::try_from);
        let work = order.zip(row.job_number).and_then(|(order, job)| {
            let order = order.ok()?;
            Some(Work { order, job })
        });
        Self {
            id: row.id,
            started_at: time(row.started_at),
            ended_at: row.ended_at.map(time),
            work,
            corrected: row.corrected_at.is_some(),
        }
    }
}

impl From<entry::Model> for Entry {
    fn from(row: entry::Model) -> Self {
        Self::from(&row)
    }
}

/// The database keeps milliseconds. What is no moment of any calendar nobody has written.
fn time(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use dispatch_actors::testing::Throwaway;

    use super::*;

    fn at(milliseconds: i64) -> Timestamp {
        time(milliseconds)
    }

    fn entry_from(started_at: i64) -> Entry {
        Entry {
            id: 0,
            started_at: at(started_at),
            ended_at: None,
            work: None,
            corrected: false,
        }
    }

    async fn a_second_clock_is_refused(database: Throwaway) {
        let store = database.store().await;
        // As if nothing kept two processes apart.
        let transaction = store.begin_write().await.unwrap();
        let first = insert(&transaction, 11, &entry_from(1_000), None).await;
        let first = first.unwrap();
        insert(&transaction, 12, &entry_from(1_000), None)
            .await
            .unwrap();
        transaction.commit().await.unwrap();

        let transaction = store.begin_write().await.unwrap();
        let second = insert(&transaction, 11, &entry_from(2_000), None).await;
        assert!(is_lost(&second.unwrap_err()));
        transaction.rollback().await.unwrap();

        let transaction = store.begin_write().await.unwrap();
        assert!(end(&transaction, first, at(3_000)).await.unwrap());
        assert!(
            !end(&transaction, first, at(4_000)).await.unwrap(),
            "somebody was quicker"
        );
        let next = insert(&transaction, 11, &entry_from(3_000), None).await;
        transaction.commit().await.unwrap();
        let chain = chain(store.reader(), 11).await.unwrap();
        assert_eq!(chain.running.map(|entry| entry.id), next.ok());
        assert_eq!(chain.last.and_then(|entry| entry.ended_at), Some(at(3_000)));

        // One that was deleted runs no more.
        let mut row = any(store.reader(), chain.running.unwrap().id)
            .await
            .unwrap()
            .unwrap();
        row.deleted_at = Some(4_000);
        let transaction = begin(&store).await.unwrap();
        update(&transaction, row).await.unwrap();
        insert(&transaction, 11, &entry_from(5_000), None)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let running = running(store.reader()).await.unwrap();
        assert_eq!(running[&11].started_at, at(5_000));
        assert_eq!(running.len(), 2);
    }

    #[tokio::test]
    async fn a_second_clock_that_runs_is_refused_by_the_database() {
        a_second_clock_is_refused(Throwaway::sqlite()).await;
    }

    #[tokio::test]
    async fn a_second_clock_that_runs_is_refused_by_the_database_on_postgres() {
        a_second_clock_is_refused(Throwaway::postgres().await).await;
    }

    async fn a_job_is_done_once(database: Throwaway) {
        let store = database.store().await;
        let work = Work {
            order: RoNumber::try_from(71).unwrap(),
            job: 1,
        };
        let by = |technician| Finished {
            work,
            technician,
            at: at(1_000),
        };
        let transaction = begin(&store).await.unwrap();
        assert!(finish(&transaction, &by(11)).await.unwrap());
        assert!(!finish(&transaction, &by(12)).await.unwrap());
        assert_eq!(finisher(&transaction, work).await.unwrap(), Some(11));
        assert!(reopen(&transaction, work).await.unwrap());
        assert!(!reopen(&transaction, work).await.unwrap());
        assert_eq!(finisher(&transaction, work).await.unwrap(), None);
        transaction.commit().await.unwrap();
    }

    #[tokio::test]
    async fn a_job_is_done_by_whoever_said_so_first() {
        a_job_is_done_once(Throwaway::sqlite()).await;
    }

    #[tokio::test]
    async fn a_job_is_done_by_whoever_said_so_first_on_postgres() {
        a_job_is_done_once(Throwaway::postgres().await).await;
    }
}
