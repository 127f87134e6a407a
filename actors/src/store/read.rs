//! Reading orders and events back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use sea_orm::{
    AccessMode, ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, IsolationLevel,
    QueryFilter, QueryOrder, QuerySelect, TransactionOptions,
};

use super::head::head;
use super::pools::Transaction;
use super::rows::{
    event_log, events, job_assignments, jobs, operations, repair_orders, technician_assignments,
};
use super::{Author, Channel, Event, OpenOrders, Seq, Store, StoreError};
use crate::repair_order::{
    AssignedTechnician, Job, JobAssignment, Operation, RepairOrder, RoNumber, SoldHours, Version,
};

pub(super) const REGULAR: &str = "Regular";
pub(super) const ETL: &str = "ETL";

/// An IN list stays well below what SQLite accepts.
pub(super) const MAX_NUMBERS_PER_QUERY: usize = 1_000;

impl Store {
    pub async fn load(&self, number: RoNumber) -> Result<Option<RepairOrder>, StoreError> {
        let snapshot = self.snapshot().await?;
        let heads = repair_orders::Entity::find_by_id(number.get())
            .all(&snapshot)
            .await?;
        Ok(assemble(&snapshot, heads, &[number.get()]).await?.pop())
    }

    /// The existing ones of these orders, open or closed, by number.
    pub async fn load_all(&self, numbers: &[RoNumber]) -> Result<Vec<RepairOrder>, StoreError> {
        let numbers: Vec<i64> = numbers.iter().map(|number| number.get()).collect();
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        let snapshot = self.snapshot().await?;
        orders_of(&snapshot, &numbers).await
    }

    /// Which version of an order there is; none where there is no such order.
    pub async fn version(&self, number: RoNumber) -> Result<Option<Version>, StoreError> {
        let version = repair_orders::Entity::find_by_id(number.get())
            .select_only()
            .column(repair_orders::Column::Version)
            .into_tuple()
            .one(self.reader())
            .await?;
        Ok(version)
    }

    /// The order, and the event number it is true for.
    pub async fn load_at(
        &self,
        number: RoNumber,
    ) -> Result<(Option<RepairOrder>, Seq), StoreError> {
        let snapshot = self.snapshot().await?;
        let seq = top(&snapshot).await?;
        let heads = repair_orders::Entity::find_by_id(number.get())
            .all(&snapshot)
            .await?;
        Ok((
            assemble(&snapshot, heads, &[number.get()]).await?.pop(),
            seq,
        ))
    }

    /// Every open order, by number.
    pub async fn open_orders(&self) -> Result<OpenOrders, StoreError> {
        let snapshot = self.snapshot().await?;
        let head = head(&snapshot).await?;
        let heads = repair_orders::Entity::find()
            .filter(repair_orders::Column::ClosedAt.is_null())
            .order_by_asc(repair_orders::Column::Number)
            .all(&snapshot)
            .await?;
        let numbers: Vec<i64> = heads.iter().map(|head| head.number).collect();
        let orders = assemble(&snapshot, heads, &numbers).await?;
        Ok(OpenOrders { orders, head })
    }

    /// Which of these orders are open.
    pub async fn open_among(
        &self,
        numbers: &BTreeSet<RoNumber>,
    ) -> Result<BTreeSet<RoNumber>, StoreError> {
        let numbers: Vec<i64> = numbers.iter().map(|number| number.get()).collect();
        let mut open = BTreeSet::new();
        for some in numbers.chunks(MAX_NUMBERS_PER_QUERY) {
            let rows: Vec<i64> = repair_orders::Entity::find()
                .select_only()
                .column(repair_orders::Column::Number)
                .filter(repair_orders::Column::Number.is_in(some.iter().copied()))
                .filter(repair_orders::Column::ClosedAt.is_null())
                .into_tuple()
                .all(self.reader())
                .await?;
            open.extend(
                rows.into_iter()
                    .filter_map(|number| RoNumber::try_from(number).ok()),
            );
        }
        Ok(open)
    }

    pub async fn is_empty(&self) -> Result<bool, StoreError> {
        Ok(self.top().await? == 0)
    }

    /// The number of the newest event.
    pub async fn top(&self) -> Result<Seq, StoreError> {
        top(self.reader()).await
    }

    /// The newest event of one order: who changed it last.
    pub async fn last_event(&self, number: RoNumber) -> Result<Option<Event>, StoreError> {
        let row = events::Entity::find()
            .filter(events::Column::RoNumber.eq(number.get()))
            .order_by_desc(events::Column::Version)
            .one(self.reader())
            .await?;
        row.map(event).transpose()
    }

    /// Events after `seq`, oldest first, at most `limit`.
    pub async fn events_after(&self, seq: Seq, limit: u64) -> Result<Vec<Event>, StoreError> {
        let rows = events::Entity::find()
            .filter(events::Column::Seq.gt(seq))
            .order_by_asc(events::Column::Seq)
            .limit(limit)
            .all(self.reader())
            .await?;
        rows.into_iter().map(event).collect()
    }

    /// Reads that must fit together happen in one transaction that sees one moment.
    pub(super) async fn snapshot(&self) -> Result<Transaction, StoreError> {
        let reader = self.reader();
        let options = match reader.get_database_backend() {
            DbBackend::Postgres => TransactionOptions {
                isolation_level: Some(IsolationLevel::RepeatableRead),
                access_mode: Some(AccessMode::ReadOnly),
                ..TransactionOptions::default()
            },
            _ => TransactionOptions::default(),
        };
        Ok(reader.begin(options).await?)
    }
}

pub(super) async fn top<C: ConnectionTrait>(connection: &C) -> Result<Seq, StoreError> {
    let row = event_log::Entity::find_by_id(1).one(connection).await?;
    row.map(|row| row.top).ok_or_else(|| StoreError::Damaged {
        number: 0,
        what: "the event counter is gone".to_owned(),
    })
}

/// The existing ones of these orders, by number.
pub(super) async fn orders_of(
    snapshot: &impl ConnectionTrait,
    numbers: &[i64],
) -> Result<Vec<RepairOrder>, StoreError> {
    let mut heads = Vec::with_capacity(numbers.len());
    for some in numbers.chunks(MAX_NUMBERS_PER_QUERY) {
        let rows = repair_orders::Entity::find()
            .filter(repair_orders::Column::Number.is_in(some.iter().copied()))
            .all(snapshot)
            .await?;
        heads.extend(rows);
    }
    assemble(snapshot, heads, numbers).await
}

/// Puts whole orders together from their rows, by number. `numbers` are the heads' own.
pub(super) async fn assemble(
    snapshot: &impl ConnectionTrait,
    heads: Vec<repair_orders::Model>,
    numbers: &[i64],
) -> Result<Vec<RepairOrder>, StoreError> {
    let mut orders = BTreeMap::new();
    for head in heads {
        orders.insert(head.number, RepairOrder::try_from(head)?);
    }
    for numbers in numbers.chunks(MAX_NUMBERS_PER_QUERY) {
        let rows = jobs::Entity::find()
            .filter(Condition::all().add(jobs::Column::RoNumber.is_in(numbers.iter().copied())))
            .order_by_asc(jobs::Column::JobNumber)
            .all(snapshot)
            .await?;
        for row in rows {
            if let Some(order) = orders.get_mut(&row.ro_number) {
                Arc::make_mut(&mut order.jobs).push(Job {
                    job_number: row.job_number,
                    concern: row.concern,
                    cause: row.cause,
                    brief_tech_notes: row.brief_tech_notes,
                    tech_story: row.tech_story,
                    operations: Vec::new(),
                    assignments: Vec::new(),
                });
            }
        }
        let rows = operations::Entity::find()
            .filter(operations::Column::RoNumber.is_in(numbers.iter().copied()))
            .order_by_asc(operations::Column::Position)
            .all(snapshot)
            .await?;
        for row in rows {
            if let Some(job) = job_of(&mut orders, row.ro_number, row.job_number) {
                job.operations.push(Operation {
                    operation_code: row.code,
                    operation_description: row.description,
                    sold_hours: row.sold_hundredths.and_then(SoldHours::from_hundredths),
                });
            }
        }
        let rows = job_assignments::Entity::find()
            .filter(job_assignments::Column::RoNumber.is_in(numbers.iter().copied()))
            .order_by_asc(job_assignments::Column::Position)
            .all(snapshot)
            .await?;
        for row in rows {
            if let Some(job) = job_of(&mut orders, row.ro_number, row.job_number) {
                job.assignments.push(JobAssignment {
                    source: row.source,
                    first_name: row.first_name,
                });
            }
        }
        let rows = technician_assignments::Entity::find()
            .filter(technician_assignments::Column::RoNumber.is_in(numbers.iter().copied()))
            .order_by_asc(technician_assignments::Column::Position)
            .all(snapshot)
            .await?;
        for row in rows {
            if let Some(order) = orders.get_mut(&row.ro_number) {
                let technician = AssignedTechnician {
                    technician: row.technician,
                    name: row.name,
                };
                match row.source.as_str() {
                    ETL => order.etl_technicians.push(technician),
                    _ => order.regular_technicians.push(technician),
                }
            }
        }
    }
    Ok(orders.into_values().collect())
}

fn job_of(
    orders: &mut BTreeMap<i64, RepairOrder>,
    number: i64,
    job_number: i32,
) -> Option<&mut Job> {
    let order = orders.get_mut(&number)?;
    Arc::make_mut(&mut order.jobs)
        .iter_mut()
        .find(|job| job.job_number == job_number)
}

pub(super) fn event(row: events::Model) -> Result<Event, StoreError> {
    let damaged = |what: &str| StoreError::Damaged {
        number: row.ro_number,
        what: format!("event {}: {what}", row.seq),
    };
    Ok(Event {
        seq: row.seq,
        number: RoNumber::try_from(row.ro_number).map_err(|_| damaged("its number"))?,
        version: row.version,
        request: row.request,
        change: serde_json::from_str(&row.change).map_err(|error| damaged(&error.to_string()))?,
        by: Author {
            channel: Channel::from_name(&row.channel).ok_or_else(|| damaged("its channel"))?,
            uid: row.by_uid,
            name: row.by_name,
        },
        at: time(row.at).ok_or_else(|| StoreError::Damaged {
            number: row.ro_number,
            what: format!("event {}: its time", row.seq),
        })?,
    })
}

pub(super) fn time(milliseconds: i64) -> Option<Timestamp> {
    Timestamp::from_millisecond(milliseconds).ok()
}
