//! The tables of boards, and the only SQL about them.

use dispatch_actors::store::{Store, WriteTransaction};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter, QuerySelect,
};

use super::api_types::Screen;
use super::entities::{board, ended};
use crate::settings;

/// Counts the changes of all boards, so that another process sees that there was one.
const GENERATION: &str = "boards-generation";

/// What other servers hear.
pub const TOPIC: &str = "boards";

/// A transaction that changes boards: one at a time, in whichever process, and each is seen by all.
pub async fn begin(store: &Store) -> Result<WriteTransaction, DbErr> {
    let transaction = store.begin_write().await?;
    let stored = settings::hold(&transaction, GENERATION).await?;
    let before: u64 = stored.and_then(|text| text.parse().ok()).unwrap_or(0);
    let next = before.wrapping_add(1).to_string();
    settings::set(&transaction, GENERATION, &next).await?;
    transaction.notify_other_servers(TOPIC, "").await?;
    Ok(transaction)
}

/// Makes what [`begin`] needs.
pub async fn prepare(store: &Store) -> Result<(), DbErr> {
    settings::get_or_set(store, GENERATION, "0".to_owned()).await?;
    Ok(())
}

pub async fn generation(store: &Store) -> Result<Option<String>, DbErr> {
    settings::peek(store, GENERATION).await
}

pub async fn all(connection: &impl ConnectionTrait) -> Result<Vec<board::Model>, DbErr> {
    board::Entity::find().all(connection).await
}

pub async fn count(connection: &impl ConnectionTrait) -> Result<u64, DbErr> {
    board::Entity::find().count(connection).await
}

pub async fn one(
    connection: &impl ConnectionTrait,
    id: &str,
) -> Result<Option<board::Model>, DbErr> {
    board::Entity::find_by_id(id).one(connection).await
}

/// Nobody else changes it until the transaction ends.
pub async fn find_locked(
    transaction: &WriteTransaction,
    id: &str,
) -> Result<Option<board::Model>, DbErr> {
    board::Entity::find_by_id(id)
        .lock_exclusive()
        .one(transaction)
        .await
}

pub async fn by_token(store: &Store, hash: &str) -> Result<Option<board::Model>, DbErr> {
    board::Entity::find()
        .filter(board::Column::TokenHash.eq(hash))
        .one(store.reader())
        .await
}

pub async fn insert(transaction: &WriteTransaction, board: board::Model) -> Result<(), DbErr> {
    board::Entity::insert(board.into_active_model())
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

pub async fn update(transaction: &WriteTransaction, board: board::Model) -> Result<(), DbErr> {
    board::Entity::update(board.into_active_model().reset_all())
        .exec(transaction)
        .await?;
    Ok(())
}

pub async fn delete(transaction: &WriteTransaction, id: &str) -> Result<(), DbErr> {
    board::Entity::delete_by_id(id).exec(transaction).await?;
    Ok(())
}

/// A token is no longer valid.
pub async fn end(transaction: &WriteTransaction, hash: &str, now: i64) -> Result<(), DbErr> {
    let row = ended::Model {
        hash: hash.to_owned(),
        ended_at: now,
    };
    ended::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

pub async fn has_ended(connection: &impl ConnectionTrait, hash: &str) -> Result<bool, DbErr> {
    let found = ended::Entity::find_by_id(hash).one(connection).await?;
    Ok(found.is_some())
}

/// A board showed its token for the first time.
pub async fn mark_used(store: &Store, hash: &str, now: i64) -> Result<(), DbErr> {
    board::Entity::update_many()
        .col_expr(board::Column::TokenUsedAt, Expr::value(now))
        .filter(board::Column::TokenHash.eq(hash))
        .filter(board::Column::TokenUsedAt.is_null())
        .exec(store.writer())
        .await?;
    Ok(())
}

/// When a board was last seen, and what it reported of itself.
pub struct Seen {
    pub id: String,
    pub at: i64,
    pub version: Option<String>,
    pub screen: Option<Screen>,
}

pub async fn write_last_seen(store: &Store, mut all: Vec<Seen>) -> Result<(), DbErr> {
    // In one order: two processes wait for each other in none.
    all.sort_by(|a, b| a.id.cmp(&b.id));
    let transaction = store.begin_write().await?;
    for seen in all {
        let mut update = board::Entity::update_many()
            .col_expr(board::Column::LastSeenAt, Expr::value(seen.at))
            .filter(board::Column::Id.eq(seen.id))
            // Another server may have seen it later.
            .filter(
                board::Column::LastSeenAt
                    .is_null()
                    .or(board::Column::LastSeenAt.lt(seen.at)),
            );
        if let Some(version) = seen.version {
            update = update.col_expr(board::Column::Version, Expr::value(version));
        }
        if let Some(Screen { width, height }) = seen.screen {
            update = update
                .col_expr(board::Column::ScreenWidth, Expr::value(width))
                .col_expr(board::Column::ScreenHeight, Expr::value(height));
        }
        update.exec(&transaction).await?;
    }
    transaction.commit().await
}
