//! The rows of one customer: finding the orders, giving out all of them, and taking the customer out of the
//! events of orders from which they were erased.

use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, LikeExpr, OnConflict};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::read::event;
use super::rows::{events, idempotency_records, jobs, pending_erasures, repair_orders};
use super::{Event, Store, StoreError};
use crate::repair_order::{RoNumber, Version};
use crate::text::{folded, like_part};

/// Events that are read and rewritten at a time.
const EVENTS_PER_STEP: u64 = 200;

/// An order as one finds out whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderOfCustomer {
    pub number: RoNumber,
    /// The dealer's own text for the number, where it is not the digits alone.
    pub dms_number: Option<String>,
    pub customer: String,
    pub vin: String,
    pub vehicle: String,
    pub is_open: bool,
}

/// Number, the dealer's own text for it, customer, VIN, vehicle and when it was closed.
type OrderRow = (i64, Option<String>, String, String, String, Option<i64>);

impl OrderOfCustomer {
    /// None where the row's number is no RO number.
    fn of_row((number, dms_number, customer, vin, vehicle, closed_at): OrderRow) -> Option<Self> {
        Some(Self {
            number: RoNumber::try_from(number).ok()?,
            dms_number,
            customer,
            vin,
            vehicle,
            is_open: closed_at.is_none(),
        })
    }
}

/// Which orders are looked for: those that have all of what is given.
#[derive(Clone, Debug, Default)]
pub struct CustomerSearch {
    /// The whole name, whatever the case and the accents of its letters.
    pub name: Option<String>,
    pub vin: Option<String>,
    pub numbers: Vec<RoNumber>,
}

impl CustomerSearch {
    fn finds(&self, order: &OrderOfCustomer) -> bool {
        let same = |wanted: &Option<String>, text: &str| match wanted {
            Some(wanted) => folded(wanted.trim()) == folded(text.trim()),
            None => true,
        };
        let has_number = self.numbers.is_empty() || self.numbers.contains(&order.number);
        has_number && same(&self.name, &order.customer) && same(&self.vin, &order.vin)
    }
}

impl Store {
    /// Orders as the search finds them, by number. Reads every order there is.
    pub async fn orders_of_customer(
        &self,
        search: &CustomerSearch,
    ) -> Result<Vec<OrderOfCustomer>, StoreError> {
        use repair_orders::Column;
        let mut query = repair_orders::Entity::find().select_only().columns([
            Column::Number,
            Column::DmsNumber,
            Column::Customer,
            Column::Vin,
            Column::Vehicle,
            Column::ClosedAt,
        ]);
        if !search.numbers.is_empty() {
            let numbers = search.numbers.iter().map(|number| number.get());
            query = query.filter(Column::Number.is_in(numbers));
        }
        let rows: Vec<OrderRow> = query
            .order_by_asc(Column::Number)
            .into_tuple()
            .all(self.reader())
            .await?;
        let orders = rows.into_iter().filter_map(OrderOfCustomer::of_row);
        Ok(orders.filter(|order| search.finds(order)).collect())
    }

    /// Orders whose texts or events have one of these texts, by number. Reads every event there is.
    pub async fn orders_that_mention(&self, texts: &[String]) -> Result<Vec<i64>, StoreError> {
        let mut numbers = Vec::new();
        let any_of = |columns: &[Expr]| {
            let mut any = Condition::any();
            for text in texts {
                for column in columns {
                    any = any.add(column.clone().like(mentions(text)));
                }
            }
            any
        };
        let in_events = any_of(&[Expr::col(events::Column::Change)]);
        let found: Vec<i64> = events::Entity::find()
            .select_only()
            .column(events::Column::RoNumber)
            .distinct()
            .filter(in_events)
            .into_tuple()
            .all(self.reader())
            .await?;
        numbers.extend(found);
        let in_jobs = any_of(&[
            Expr::col(jobs::Column::Concern),
            Expr::col(jobs::Column::Cause),
            Expr::col(jobs::Column::BriefTechNotes),
            Expr::col(jobs::Column::TechStory),
        ]);
        let found: Vec<i64> = jobs::Entity::find()
            .select_only()
            .column(jobs::Column::RoNumber)
            .distinct()
            .filter(in_jobs)
            .into_tuple()
            .all(self.reader())
            .await?;
        numbers.extend(found);
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    /// Writes down which orders are being erased, so that a server that is killed meanwhile carries on.
    pub async fn begin_erasure(&self, numbers: &[RoNumber]) -> Result<(), DbErr> {
        let rows = numbers.iter().map(|number| {
            pending_erasures::Model {
                ro_number: number.get(),
            }
            .into_active_model()
        });
        let known = OnConflict::new().do_nothing().to_owned();
        pending_erasures::Entity::insert_many(rows)
            .on_conflict(known)
            .exec_without_returning(self.writer())
            .await?;
        Ok(())
    }

    pub async fn pending_erasures(&self) -> Result<Vec<RoNumber>, DbErr> {
        let rows = pending_erasures::Entity::find().all(self.reader()).await?;
        let numbers = rows
            .into_iter()
            .map(|row| RoNumber::try_from(row.ro_number));
        Ok(numbers.filter_map(Result::ok).collect())
    }

    pub async fn end_erasure(&self, number: RoNumber) -> Result<(), DbErr> {
        pending_erasures::Entity::delete_by_id(number.get())
            .exec(self.writer())
            .await?;
        Ok(())
    }

    /// Takes the customer out of the events of an order up to this version, and out of the answers that are
    /// kept of requests about it. Gives how many events there were. Some rows at a time: changes of other
    /// orders come in between.
    pub async fn erase_from_events(
        &self,
        number: RoNumber,
        up_to: Version,
    ) -> Result<u64, StoreError> {
        let mut count = 0;
        let mut last = 0;
        loop {
            let transaction = self.begin_write().await?;
            let rows = events::Entity::find()
                .filter(events::Column::RoNumber.eq(number.get()))
                .filter(events::Column::Version.gt(last))
                .filter(events::Column::Version.lte(up_to))
                .order_by_asc(events::Column::Version)
                .limit(EVENTS_PER_STEP)
                .all(&transaction)
                .await?;
            let Some(newest) = rows.last() else {
                break;
            };
            last = newest.version;
            for row in rows {
                count += 1;
                erase_from(&transaction, event(row)?).await?;
            }
            transaction.commit().await?;
        }
        self.forget_answers(number).await?;
        Ok(count)
    }

    /// Answers that have a row of the order in them. A request that is sent again is answered anew then.
    async fn forget_answers(&self, number: RoNumber) -> Result<(), DbErr> {
        use idempotency_records::{Column, Entity};
        let number = number.get();
        let mut any = Condition::any();
        for behind in [",", "}", "]", "\""] {
            for before in [":", ": ", "\""] {
                any = any.add(Column::Answer.contains(format!("{before}{number}{behind}")));
            }
        }
        Entity::delete_many()
            .filter(any)
            .exec(self.writer())
            .await?;
        Ok(())
    }
}

async fn erase_from(transaction: &impl ConnectionTrait, event: Event) -> Result<(), StoreError> {
    let known = event.change.without_customer();
    if known == event.change {
        return Ok(());
    }
    let change = serde_json::to_string(&known).map_err(|error| StoreError::Damaged {
        number: event.number.get(),
        what: error.to_string(),
    })?;
    let row = events::ActiveModel {
        seq: Set(event.seq),
        change: Set(change),
        ..Default::default()
    };
    events::Entity::update(row).exec(transaction).await?;
    Ok(())
}

/// Also inside of JSON, where a quotation mark is written with a backslash.
fn mentions(text: &str) -> LikeExpr {
    let quoted = serde_json::Value::from(text).to_string();
    LikeExpr::new(like_part(quoted.trim_matches('"'))).escape('\\')
}
