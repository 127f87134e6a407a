//! Sign-in sessions: a signed-in browser each. The only SQL about them. The refresh token is a
//! random secret of which the database keeps the SHA-256 alone.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, SqlErr,
};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::tokens::random_bytes;
use row::{Column, Entity, Model};

/// Milliseconds; slides forward with every refresh.
pub(crate) const LASTS: i64 = 30 * 24 * 60 * 60 * 1_000;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "sign_in_sessions")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub id: String,
        #[sea_orm(column_type = "Text")]
        pub uid: String,
        #[sea_orm(column_type = "Text")]
        pub refresh_hash: String,
        pub created_at: i64,
        pub expires_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) struct Session {
    pub(super) id: String,
    pub(super) uid: String,
}

impl From<Model> for Session {
    fn from(row: Model) -> Self {
        Self {
            id: row.id,
            uid: row.uid,
        }
    }
}

/// A new session and its refresh token; none when the account is gone meanwhile.
pub(super) async fn start(
    writer: &impl ConnectionTrait,
    uid: &str,
) -> Result<Option<(Session, String)>, DbErr> {
    let refresh_token = URL_SAFE_NO_PAD.encode(random_bytes());
    let now = now();
    let row = Model {
        id: Uuid::new_v4().to_string(),
        uid: uid.to_owned(),
        refresh_hash: hash(&refresh_token),
        created_at: now,
        expires_at: now + LASTS,
    };
    let session = Session::from(row.clone());
    match Entity::insert(row.into_active_model())
        .exec_without_returning(writer)
        .await
    {
        Ok(_) => Ok(Some((session, refresh_token))),
        Err(error) => match error.sql_err() {
            Some(SqlErr::ForeignKeyConstraintViolation(_)) => Ok(None),
            _ => Err(error),
        },
    }
}

/// The session of an id that has neither ended nor expired.
pub(super) async fn live(
    reader: &impl ConnectionTrait,
    id: &str,
) -> Result<Option<Session>, DbErr> {
    let row = Entity::find_by_id(id)
        .filter(Column::ExpiresAt.gt(now()))
        .one(reader)
        .await?;
    Ok(row.map(Session::from))
}

/// The session of a refresh token that has neither ended nor expired.
pub(super) async fn of_token(
    reader: &impl ConnectionTrait,
    refresh_token: &str,
) -> Result<Option<Session>, DbErr> {
    let row = Entity::find()
        .filter(Column::RefreshHash.eq(hash(refresh_token)))
        .filter(Column::ExpiresAt.gt(now()))
        .one(reader)
        .await?;
    Ok(row.map(Session::from))
}

/// Gives the session its full time again; false when it ended meanwhile.
pub(super) async fn slide(writer: &impl ConnectionTrait, id: &str) -> Result<bool, DbErr> {
    let updated = Entity::update_many()
        .col_expr(Column::ExpiresAt, Expr::value(now() + LASTS))
        .filter(Column::Id.eq(id))
        .exec(writer)
        .await?;
    Ok(updated.rows_affected > 0)
}

pub(super) async fn end(writer: &impl ConnectionTrait, id: &str) -> Result<(), DbErr> {
    Entity::delete_by_id(id).exec(writer).await?;
    Ok(())
}

/// Ends every session of a user and gives their ids. The caller holds the account's row, so that
/// no session can start in between.
pub(super) async fn end_all_of(
    writer: &impl ConnectionTrait,
    uid: &str,
) -> Result<Vec<String>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Uid.eq(uid))
        .all(writer)
        .await?;
    Entity::delete_many()
        .filter(Column::Uid.eq(uid))
        .exec(writer)
        .await?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

/// Deletes what has expired.
pub(super) async fn sweep(writer: &impl ConnectionTrait) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::ExpiresAt.lte(now()))
        .exec(writer)
        .await?;
    Ok(())
}

/// The token is random and long, so that a fast hash without salt is enough.
fn hash(refresh_token: &str) -> String {
    format!("{:x}", Sha256::digest(refresh_token))
}

fn now() -> i64 {
    Timestamp::now().as_millisecond()
}
