//! The only SQL about receipts.

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::{Event, Seq, Store, WriteTransaction};
use jiff::Timestamp;
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel,
    QueryFilter, QueryOrder, QuerySelect,
};
use serde_json::{Value, json};

use super::api_types::Receipt;
use super::book::{AssignmentSelector, Key, ReceiptBook};
use crate::repair_orders::api_types::By;
use crate::technician_names::TechnicianNames;

pub use receipt::Model as Row;
use receipt::{Column, Entity};

/// Rows in one statement: an insert of so many stays below what SQLite accepts.
const BATCH_SIZE: usize = 200;

mod receipt {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "assignment_receipts")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub ro_number: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub technician: i64,
        pub seq: i64,
        pub assigned_at: i64,
        #[sea_orm(column_type = "Text")]
        pub by_uid: String,
        #[sea_orm(column_type = "Text")]
        pub by_name: String,
        pub sent_at: Option<i64>,
        pub delivered_at: Option<i64>,
        pub seen_at: Option<i64>,
        pub accepted_at: Option<i64>,
        pub handed_back_at: Option<i64>,
        #[sea_orm(column_type = "Text", nullable)]
        pub reason: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

impl Row {
    pub fn begun(event: &Event, technician: TechnicianId) -> Self {
        Self {
            ro_number: event.number.get(),
            technician,
            seq: event.seq,
            assigned_at: event.at.as_millisecond(),
            by_uid: event.by.uid.clone(),
            by_name: event.by.name.clone(),
            sent_at: None,
            delivered_at: None,
            seen_at: None,
            accepted_at: None,
            handed_back_at: None,
            reason: None,
        }
    }

    /// When it was written last.
    pub fn changed_at(&self) -> i64 {
        let later = [
            self.sent_at,
            self.delivered_at,
            self.seen_at,
            self.accepted_at,
            self.handed_back_at,
        ];
        let later = later.into_iter().flatten();
        later.fold(self.assigned_at, Ord::max)
    }

    pub fn key(&self) -> Key {
        (self.ro_number, self.technician)
    }
}

impl Receipt {
    pub fn of(row: Row, names: &TechnicianNames) -> Self {
        let time = |at: i64| Timestamp::from_millisecond(at).unwrap_or_default();
        Self {
            ro_number: row.ro_number,
            technician_id: row.technician,
            portal_enabled: names.has_portal(row.technician),
            assigned_at: time(row.assigned_at),
            assigned_by: By {
                uid: row.by_uid,
                name: row.by_name,
            },
            seq: row.seq,
            sent_at: row.sent_at.map(time),
            delivered_at: row.delivered_at.map(time),
            seen_at: row.seen_at.map(time),
            accepted_at: row.accepted_at.map(time),
            handed_back_at: row.handed_back_at.map(time),
            reason: row.reason,
        }
    }
}

/// Of open orders, all of them or one technician's, by order and technician.
pub async fn of_open_orders(
    store: &Store,
    technician: Option<TechnicianId>,
) -> Result<Vec<Row>, DbErr> {
    let open = Query::select()
        .column("number")
        .from("repair_orders")
        .and_where(Expr::col("closed_at").is_null())
        .to_owned();
    let mut rows = Entity::find().filter(Column::RoNumber.in_subquery(open));
    if let Some(technician) = technician {
        rows = rows.filter(Column::Technician.eq(technician));
    }
    rows.order_by_asc(Column::RoNumber)
        .order_by_asc(Column::Technician)
        .all(store.reader())
        .await
}

/// Those with these keys that there are.
pub async fn of_keys(store: &Store, keys: &[Key]) -> Result<Vec<Row>, DbErr> {
    let mut rows = Vec::new();
    for keys in keys.chunks(BATCH_SIZE) {
        let numbers = keys.iter().map(|(number, _)| *number);
        let some = Entity::find()
            .filter(Column::RoNumber.is_in(numbers))
            .all(store.reader())
            .await?;
        rows.extend(some.into_iter().filter(|row| keys.contains(&row.key())));
    }
    Ok(rows)
}

/// A technician's, of these events.
pub async fn of_events(
    store: &Store,
    technician: TechnicianId,
    seqs: &[Seq],
) -> Result<Vec<Row>, DbErr> {
    let mut rows = Vec::new();
    for seqs in seqs.chunks(BATCH_SIZE) {
        let some = Entity::find()
            .filter(Column::Technician.eq(technician))
            .filter(Column::Seq.is_in(seqs.iter().copied()))
            .all(store.reader());
        rows.extend(some.await?);
    }
    Ok(rows)
}

/// Of open orders, those that were sent to no screen or browser, and that began after `since`.
pub async fn unsent(store: &Store, since: i64) -> Result<Vec<Row>, DbErr> {
    let rows = of_open_orders(store, None).await?;
    Ok(rows
        .into_iter()
        .filter(|row| row.sent_at.is_none() && row.handed_back_at.is_none())
        .filter(|row| row.assigned_at > since)
        .collect())
}

/// What is known of these orders, and of these assignments.
pub async fn book(
    transaction: &WriteTransaction,
    numbers: &[i64],
    meant: &[(TechnicianId, AssignmentSelector)],
) -> Result<ReceiptBook, DbErr> {
    let mut numbers = numbers.to_vec();
    let mut ranges = Vec::new();
    for (technician, meant) in meant {
        match meant {
            AssignmentSelector::Order(number) => numbers.push(*number),
            AssignmentSelector::Events(first, last) => ranges.push(
                Condition::all()
                    .add(Column::Technician.eq(*technician))
                    .add(Column::Seq.between(*first, *last)),
            ),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    let mut rows = Vec::new();
    for numbers in numbers.chunks(BATCH_SIZE) {
        let some = Entity::find().filter(Column::RoNumber.is_in(numbers.iter().copied()));
        rows.extend(some.all(transaction).await?);
    }
    for range in ranges {
        rows.extend(Entity::find().filter(range).all(transaction).await?);
    }
    Ok(ReceiptBook::new(rows))
}

pub async fn write(transaction: &WriteTransaction, book: &ReceiptBook) -> Result<(), DbErr> {
    let changed: Vec<Key> = book.changed().collect();
    for keys in changed.chunks(BATCH_SIZE) {
        let mut these = Condition::any();
        for (number, technician) in keys {
            these = these.add(
                Condition::all()
                    .add(Column::RoNumber.eq(*number))
                    .add(Column::Technician.eq(*technician)),
            );
        }
        Entity::delete_many()
            .filter(these)
            .exec(transaction)
            .await?;
    }
    let written: Vec<Row> = book.written().cloned().collect();
    for rows in written.chunks(BATCH_SIZE) {
        let rows = rows.iter().cloned().map(IntoActiveModel::into_active_model);
        Entity::insert_many(rows)
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

/// How far the log has been read, held until the transaction ends: of two processes that serve one
/// database, each event is written by one.
pub async fn position(connection: &impl ConnectionTrait) -> Result<Option<Seq>, DbErr> {
    let text = crate::settings::hold(connection, POSITION).await?;
    Ok(text.and_then(|text| text.parse().ok()))
}

pub async fn move_to(connection: &impl ConnectionTrait, position: Seq) -> Result<(), DbErr> {
    crate::settings::set(connection, POSITION, &position.to_string()).await
}

/// Events from before the first start make no receipts.
pub async fn begin_at(store: &Store, top: Seq) -> Result<Seq, DbErr> {
    let kept = crate::settings::get_or_set(store, POSITION, top.to_string()).await?;
    Ok(kept.parse().unwrap_or(top))
}

const POSITION: &str = "receipts-read-to";

/// Given before this moment, of orders that were closed before it.
fn old(before: Timestamp) -> Condition {
    let before = before.as_millisecond();
    let needed = Query::select()
        .column("number")
        .from("repair_orders")
        .cond_where(
            Condition::any()
                .add(Expr::col("closed_at").is_null())
                .add(Expr::col("closed_at").gte(before)),
        )
        .to_owned();
    Condition::all()
        .add(Column::AssignedAt.lt(before))
        .add(Column::RoNumber.not_in_subquery(needed))
}

pub async fn has_old(connection: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    let one = Entity::find().filter(old(before)).one(connection);
    Ok(one.await?.is_some())
}

/// Deletes some of those that were kept for long enough; gives how many.
pub async fn delete_old(
    transaction: &WriteTransaction,
    before: Timestamp,
    limit: u64,
) -> Result<u64, DbErr> {
    let rows = Entity::find().filter(old(before)).limit(limit);
    let numbers: Vec<i64> = rows
        .all(transaction)
        .await?
        .iter()
        .map(|row| row.ro_number)
        .collect();
    // All of an order's are as old as its closing at least.
    delete_of_orders(transaction, &numbers).await
}

pub async fn delete_of_orders(
    transaction: &WriteTransaction,
    numbers: &[i64],
) -> Result<u64, DbErr> {
    let deleted = Entity::delete_many()
        .filter(Column::RoNumber.is_in(numbers.iter().copied()))
        .exec(transaction)
        .await?;
    Ok(deleted.rows_affected)
}

/// The receipts of these orders, as JSON.
pub async fn rows_of_orders(store: &Store, orders: &[i64]) -> Result<Vec<Value>, DbErr> {
    let mut found = Vec::new();
    for some in orders.chunks(BATCH_SIZE) {
        let rows = Entity::find().filter(Column::RoNumber.is_in(some.iter().copied()));
        found.extend(rows.all(store.reader()).await?);
    }
    let time = |at: i64| Timestamp::from_millisecond(at).unwrap_or_default();
    let shown = |row: Row| {
        json!({
            "roNumber": row.ro_number,
            "technicianId": row.technician,
            "assignedAt": time(row.assigned_at),
            "handedBackAt": row.handed_back_at.map(time),
            "reason": row.reason,
        })
    };
    Ok(found.into_iter().map(shown).collect())
}

/// Takes away why technicians handed this order back.
pub async fn erase_reasons(connection: &impl ConnectionTrait, order: i64) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::Reason, Expr::value(None::<String>))
        .filter(Column::RoNumber.eq(order))
        .filter(Column::Reason.is_not_null())
        .exec(connection)
        .await?;
    Ok(())
}
