//! The table of screens that show a code, and the only SQL about it.

use dispatch_actors::store::{Store, WriteTransaction};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QueryOrder,
};

use crate::boards::entities::pairing;

/// False where the code is another screen's already.
pub async fn insert(store: &Store, row: pairing::Model) -> Result<bool, DbErr> {
    let inserted = pairing::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(store.writer())
        .await?;
    Ok(inserted > 0)
}

/// Screens that show a code.
pub async fn count_waiting(store: &Store) -> Result<u64, DbErr> {
    let waiting = pairing::Entity::find().filter(pairing::Column::Board.is_null());
    waiting.count(store.reader()).await
}

/// Unless it has become a board.
pub async fn withdraw(store: &Store, id_hash: &str) -> Result<(), DbErr> {
    pairing::Entity::delete_by_id(id_hash)
        .filter(pairing::Column::Board.is_null())
        .exec(store.writer())
        .await?;
    Ok(())
}

/// The id of the one that has waited longest.
pub async fn oldest_waiting(store: &Store) -> Result<Option<String>, DbErr> {
    let oldest = pairing::Entity::find()
        .filter(pairing::Column::Board.is_null())
        .order_by_asc(pairing::Column::ExpiresAt)
        .one(store.writer())
        .await?;
    Ok(oldest.map(|oldest| oldest.id_hash))
}

pub async fn find(store: &Store, id_hash: &str) -> Result<Option<pairing::Model>, DbErr> {
    pairing::Entity::find_by_id(id_hash)
        .one(store.reader())
        .await
}

/// A screen that shows this code and is not a board yet.
pub async fn find_by_code(
    transaction: &WriteTransaction,
    code: &str,
    now: i64,
) -> Result<Option<pairing::Model>, DbErr> {
    pairing::Entity::find()
        .filter(pairing::Column::Code.eq(code))
        .filter(pairing::Column::ExpiresAt.gt(now))
        .filter(pairing::Column::Board.is_null())
        .order_by_asc(pairing::Column::IdHash)
        .one(transaction)
        .await
}

pub async fn claim(transaction: &WriteTransaction, row: pairing::Model) -> Result<(), DbErr> {
    pairing::Entity::update(row.into_active_model().reset_all())
        .exec(transaction)
        .await?;
    Ok(())
}

/// Forgets pairings that are too old.
pub async fn delete_expired(store: &Store, now: i64) -> Result<(), DbErr> {
    pairing::Entity::delete_many()
        .filter(pairing::Column::ExpiresAt.lte(now))
        .exec(store.writer())
        .await?;
    Ok(())
}
