//! Orders by what people remember of them, closed ones too: words in any order, each part of one of the order's
//! texts. These are kept folded in a row of their own, which is written with the order. Every search reads all of
//! them: those of years are some megabytes, which either database reads in milliseconds, and both find the same.

use std::cmp::Reverse;
use std::iter::once;

use sea_orm::sea_query::{Expr, LikeExpr, OnConflict, Query};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, ExprTrait,
    IntoActiveModel, QueryFilter, QueryOrder, QuerySelect,
};

use super::read::{assemble, orders_of};
use super::rows::order_search::{Column, Entity, Model};
use super::rows::{repair_orders, technician_assignments};
use super::write::in_blocks;
use super::{Store, StoreError};
use crate::repair_order::{Change, RepairOrder, TechnicianId};
use crate::text::{folded, like_part};

/// Begins an order's numbers, so that a word can ask for a number's beginning.
const NUMBER_SIGN: &str = "#";

/// Often not typed: "F-150" is also found as "f150", and "O'Brien" as "obrien".
const OPTIONAL_PUNCTUATION: [char; 4] = ['\'', '.', '/', '-'];

/// Orders of an older build that are read at a time.
const FILLED_AT_ONCE: u64 = 500;

/// One word of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedWord {
    text: String,
    /// Those whose names have it: what they are called is no text of the order.
    technicians: Vec<TechnicianId>,
}

/// The last order of a page: the next one begins behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundPlace {
    /// In milliseconds.
    pub opened_at: i64,
    pub number: i64,
}

impl SearchedWord {
    /// `technicians`: everybody by name. None where nothing is left of a word that can be looked for.
    pub fn new(typed: &str, technicians: &[(TechnicianId, String)]) -> Option<Self> {
        let text = folded(&typed.replace(NUMBER_SIGN, ""));
        if text.is_empty() {
            return None;
        }
        if typed.starts_with(NUMBER_SIGN) {
            let text = format!("{NUMBER_SIGN}{text}");
            let technicians = Vec::new();
            return Some(Self { text, technicians });
        }
        let called_so = |(_, name): &&(TechnicianId, String)| {
            searchable_lines(name, "").any(|line| line.contains(&text))
        };
        let technicians = technicians.iter().filter(called_so);
        let technicians = technicians.map(|(id, _)| *id).collect();
        Some(Self { text, technicians })
    }

    fn condition(&self) -> Condition {
        let pattern = LikeExpr::new(like_part(&self.text)).escape('\\');
        let mut any = Condition::any().add(Column::Texts.like(pattern));
        if !self.technicians.is_empty() {
            use technician_assignments::Column as Assigned;
            let theirs = Query::select()
                .column(Assigned::RoNumber)
                .from(technician_assignments::Entity)
                .and_where(Assigned::Technician.is_in(self.technicians.iter().copied()))
                .to_owned();
            any = any.add(Column::RoNumber.in_subquery(theirs));
        }
        any
    }
}

/// Asked of each order that has the words, one by one: a list of all that are closed would be as long as the search.
fn closed_condition(closed: bool) -> Condition {
    use repair_orders::Column as Order;
    let open = Query::select()
        .column(Order::Number)
        .from(repair_orders::Entity)
        .and_where(Order::ClosedAt.is_null())
        .to_owned();
    let this_closed = Query::select()
        .column(Order::Number)
        .from(repair_orders::Entity)
        .and_where(
            Expr::col((repair_orders::Entity, Order::Number)).equals((Entity, Column::RoNumber)),
        )
        .and_where(Order::ClosedAt.is_not_null())
        .to_owned();
    Condition::all().add(match closed {
        true => Expr::exists(this_closed),
        // Of these there are few.
        false => Column::RoNumber.in_subquery(open),
    })
}

impl Store {
    /// Orders that have every word, the newest first, at most `limit`; none where there is no word. `closed`: only
    /// closed ones, or only open ones; both without it.
    pub async fn search(
        &self,
        words: &[SearchedWord],
        closed: Option<bool>,
        behind: Option<FoundPlace>,
        limit: u64,
    ) -> Result<Vec<RepairOrder>, StoreError> {
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let snapshot = self.snapshot().await?;
        let mut query = Entity::find().select_only().column(Column::RoNumber);
        if let Some(FoundPlace { opened_at, number }) = behind {
            let same_time = Column::OpenedAt
                .eq(opened_at)
                .and(Column::RoNumber.lt(number));
            query = query.filter(Column::OpenedAt.lt(opened_at).or(same_time));
        }
        for word in words {
            query = query.filter(word.condition());
        }
        if let Some(closed) = closed {
            query = query.filter(closed_condition(closed));
        }
        let numbers: Vec<i64> = query
            .order_by_desc(Column::OpenedAt)
            .order_by_desc(Column::RoNumber)
            .limit(limit)
            .into_tuple()
            .all(&snapshot)
            .await?;
        let mut orders = orders_of(&snapshot, &numbers).await?;
        orders.sort_by_key(|order| Reverse((order.opened_at, order.number)));
        Ok(orders)
    }
}

/// Whether an order is found by other words after a change. Of technicians only a name that came with the order is
/// one of its texts.
pub(super) fn changes_texts(change: &Change) -> bool {
    match change {
        Change::TechnicianAssigned { name, .. } | Change::TechnicianUnassigned { name, .. } => {
            name.is_some()
        }
        Change::Created { .. } | Change::Imported { .. } | Change::CustomerErased { .. } => true,
        _ => false,
    }
}

/// With the rows of the orders, which are there already.
pub(super) async fn write_texts(
    transaction: &impl ConnectionTrait,
    orders: &[&RepairOrder],
) -> Result<(), DbErr> {
    for block in in_blocks(orders.to_vec()) {
        let rows = block.into_iter().map(|order| {
            let row = Model {
                ro_number: order.number.get(),
                opened_at: order.opened_at.as_millisecond(),
                texts: texts(order),
            };
            row.into_active_model()
        });
        let replaced = OnConflict::columns([Column::OpenedAt, Column::RoNumber])
            .update_column(Column::Texts)
            .to_owned();
        Entity::insert_many(rows)
            .on_conflict(replaced)
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

/// For the orders that an older build wrote: all of them, or none are left.
pub(super) async fn fill(transaction: &DatabaseTransaction) -> Result<(), StoreError> {
    if Entity::find().one(transaction).await?.is_some() {
        return Ok(());
    }
    let mut last = 0;
    loop {
        let heads = repair_orders::Entity::find()
            .filter(repair_orders::Column::Number.gt(last))
            .order_by_asc(repair_orders::Column::Number)
            .limit(FILLED_AT_ONCE)
            .all(transaction)
            .await?;
        let numbers: Vec<i64> = heads.iter().map(|head| head.number).collect();
        let Some(newest) = numbers.last() else {
            return Ok(());
        };
        last = *newest;
        let orders = assemble(transaction, heads, &numbers).await?;
        let orders: Vec<&RepairOrder> = orders.iter().collect();
        write_texts(transaction, &orders).await?;
    }
}

/// A line each, so that no word is found across two. The stories are not among them: not everybody may read them.
fn texts(order: &RepairOrder) -> String {
    let number = order.number.to_string();
    let numbers = [Some(&number), order.dms_number.as_ref()];
    let numbers = numbers.into_iter().flatten();
    let numbers = numbers.flat_map(|number| searchable_lines(number, NUMBER_SIGN));
    let header = order.header.named().map(|(_, text)| text.as_str());
    let operations = order.jobs.iter().flat_map(|job| &job.operations);
    let opcodes = operations.map(|operation| operation.operation_code.as_str());
    let technicians = order
        .regular_technicians
        .iter()
        .chain(&order.etl_technicians);
    let names = technicians.filter_map(|assigned| assigned.name.as_deref());
    let texts = header
        .chain(opcodes)
        .chain(names)
        .filter(|text| !text.is_empty());
    let lines: Vec<String> = numbers
        .chain(texts.flat_map(|text| searchable_lines(text, "")))
        .collect();
    lines.join("\n")
}

/// The text, and where it has punctuation that people leave out, the text without it.
fn searchable_lines(text: &str, sign: &str) -> impl Iterator<Item = String> + use<> {
    let whole = folded(&text.replace(NUMBER_SIGN, " ").replace('\n', " "));
    let joined = whole.replace(OPTIONAL_PUNCTUATION, "");
    let joined = (joined != whole).then(|| format!("{sign}{joined}"));
    once(format!("{sign}{whole}")).chain(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_begins_with_the_number_sign_asks_for_a_number() {
        let technicians = [(5, "Zoë Quist".to_owned())];
        let word = |typed: &str| SearchedWord::new(typed, &technicians);
        let found = |text: &str, technicians: &[TechnicianId]| {
            Some(SearchedWord {
                text: text.to_owned(),
                technicians: technicians.to_vec(),
            })
        };
        assert_eq!(word("#40646"), found("#40646", &[]));
        assert_eq!(word("ZOE"), found("zoe", &[5]));
        assert_eq!(word("##"), None);
        assert_eq!(word("a#b"), found("ab", &[]));
    }
}
