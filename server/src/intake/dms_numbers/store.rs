//! What the dealer system's numbers mean here, and where numbers came that mean nobody: the only
//! SQL about both.

use dispatch_actors::repair_order::{StageId, TechnicianId};
use dispatch_actors::store::Store;
use dispatch_intake::TechnicianSource;
use jiff::Timestamp;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder};

use super::dms_number::{DmsNumber, NumberKind, NumberMeaning};
use super::notes::Note;

/// Of one statement: six values each, and PostgreSQL binds 65,535 at most.
const MAX_ROWS: usize = 1_000;

mod matched {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "intake_matches")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub kind: String,
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub number: String,
        pub technician: Option<i64>,
        /// The advisor's, or the stage's id.
        #[sea_orm(column_type = "Text", nullable)]
        pub name: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

mod unmatched {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "intake_unmatched")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub kind: String,
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub number: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub ro_number: i64,
        #[sea_orm(column_type = "Text", nullable)]
        pub name: Option<String>,
        #[sea_orm(column_type = "Text", nullable)]
        pub source: Option<String>,
        pub seen_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Every match, by kind and number.
pub(super) async fn matches(store: &Store) -> Result<Vec<(DmsNumber, NumberMeaning)>, DbErr> {
    let rows = matched::Entity::find()
        .order_by_asc(matched::Column::Kind)
        .order_by_asc(matched::Column::Number)
        .all(store.reader())
        .await?;
    Ok(rows.into_iter().filter_map(read_match).collect())
}

fn read_match(row: matched::Model) -> Option<(DmsNumber, NumberMeaning)> {
    let number = number(&row.kind, row.number)?;
    let meaning = match number.kind {
        NumberKind::Technician => NumberMeaning::Technician(row.technician?),
        NumberKind::Advisor => NumberMeaning::Advisor(row.name?),
        NumberKind::Stage => NumberMeaning::Stage(StageId::from(row.name?.as_str())),
    };
    Some((number, meaning))
}

/// In place of what the number meant before.
pub(super) async fn put_match(
    store: &Store,
    number: &DmsNumber,
    meaning: &NumberMeaning,
) -> Result<(), DbErr> {
    let (technician, name): (Option<TechnicianId>, _) = match meaning {
        NumberMeaning::Technician(technician) => (Some(*technician), None),
        NumberMeaning::Advisor(name) => (None, Some(name.clone())),
        NumberMeaning::Stage(stage) => (None, Some(stage.to_string())),
    };
    let row = matched::Model {
        kind: number.kind.name().to_owned(),
        number: number.text.clone(),
        technician,
        name,
    };
    matched::Entity::insert(row.into_active_model())
        .on_conflict(
            OnConflict::columns([matched::Column::Kind, matched::Column::Number])
                .update_columns([matched::Column::Technician, matched::Column::Name])
                .to_owned(),
        )
        .exec_without_returning(store.writer())
        .await?;
    Ok(())
}

/// False when there was none.
pub(super) async fn delete_match(store: &Store, number: &DmsNumber) -> Result<bool, DbErr> {
    let deleted = matched::Entity::delete_many()
        .filter(matched::Column::Kind.eq(number.kind.name()))
        .filter(matched::Column::Number.eq(&number.text))
        .exec(store.writer())
        .await?;
    Ok(deleted.rows_affected > 0)
}

/// Every unmatched number of every order, the newest orders first.
pub(super) async fn notes(store: &Store) -> Result<Vec<Note>, DbErr> {
    let rows = unmatched::Entity::find()
        .order_by_desc(unmatched::Column::RoNumber)
        .all(store.reader())
        .await?;
    Ok(rows.into_iter().filter_map(read_note).collect())
}

/// Those of these orders.
pub(super) async fn notes_of_orders(store: &Store, orders: &[i64]) -> Result<Vec<Note>, DbErr> {
    let rows = unmatched::Entity::find()
        .filter(unmatched::Column::RoNumber.is_in(orders.iter().copied()))
        .all(store.reader())
        .await?;
    Ok(rows.into_iter().filter_map(read_note).collect())
}

pub(super) async fn notes_of(store: &Store, number: &DmsNumber) -> Result<Vec<Note>, DbErr> {
    let rows = unmatched::Entity::find()
        .filter(unmatched::Column::Kind.eq(number.kind.name()))
        .filter(unmatched::Column::Number.eq(&number.text))
        .order_by_asc(unmatched::Column::RoNumber)
        .all(store.reader())
        .await?;
    Ok(rows.into_iter().filter_map(read_note).collect())
}

fn read_note(row: unmatched::Model) -> Option<Note> {
    Some(Note {
        number: number(&row.kind, row.number)?,
        order: row.ro_number.try_into().ok()?,
        name: row.name,
        source: row.source.as_deref().and_then(TechnicianSource::from_name),
        seen_at: Timestamp::from_millisecond(row.seen_at).ok()?,
    })
}

/// No two of the same number and order.
pub(super) async fn put_notes(store: &Store, notes: &[Note]) -> Result<(), DbErr> {
    use unmatched::Column::{Kind, Name, Number, RoNumber, SeenAt, Source};
    for notes in notes.chunks(MAX_ROWS) {
        let rows = notes.iter().map(|note| {
            unmatched::Model {
                kind: note.number.kind.name().to_owned(),
                number: note.number.text.clone(),
                ro_number: note.order.get(),
                name: note.name.clone(),
                source: note.source.map(|source| source.name().to_owned()),
                seen_at: note.seen_at.as_millisecond(),
            }
            .into_active_model()
        });
        unmatched::Entity::insert_many(rows)
            .on_conflict(
                OnConflict::columns([Kind, Number, RoNumber])
                    .update_columns([Name, Source, SeenAt])
                    .to_owned(),
            )
            .exec_without_returning(store.writer())
            .await?;
    }
    Ok(())
}

pub(super) async fn delete_notes(
    store: &Store,
    number: &DmsNumber,
    orders: &[i64],
) -> Result<(), DbErr> {
    for orders in orders.chunks(MAX_ROWS) {
        unmatched::Entity::delete_many()
            .filter(unmatched::Column::Kind.eq(number.kind.name()))
            .filter(unmatched::Column::Number.eq(&number.text))
            .filter(unmatched::Column::RoNumber.is_in(orders.iter().copied()))
            .exec(store.writer())
            .await?;
    }
    Ok(())
}

fn number(kind: &str, text: String) -> Option<DmsNumber> {
    let kind = NumberKind::from_name(kind)?;
    Some(DmsNumber { kind, text })
}
