//! The accounts table: who can sign in. The only SQL about it. A hosted provider's users have a row
//! here too, without a password, so that sessions have somebody they belong to.

use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;
use sea_orm::sea_query::{Expr, OnConflict, Query, SelectStatement};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QuerySelect, SqlErr,
};
use uuid::Uuid;

use super::email::Email;
use super::passwords::{IMPORTED, PasswordHash};
use super::provider::ProviderError;
use row::{Column, Entity};

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "accounts")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub uid: String,
        #[sea_orm(column_type = "Text")]
        pub email: String,
        /// Empty where there is none: invited and not yet in, or another provider's.
        #[sea_orm(column_type = "Text")]
        pub password_hash: String,
        pub created_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) use row::Model as Account;

pub(super) async fn by_uid(
    reader: &impl ConnectionTrait,
    uid: &str,
) -> Result<Option<Account>, DbErr> {
    Entity::find_by_id(uid).one(reader).await
}

/// Until the transaction ends, no session of theirs begins.
pub(super) async fn lock(transaction: &WriteTransaction, uid: &str) -> Result<(), DbErr> {
    Entity::find_by_id(uid)
        .lock_exclusive()
        .one(transaction)
        .await?;
    Ok(())
}

pub(super) async fn by_email(
    reader: &impl ConnectionTrait,
    email: &Email,
) -> Result<Option<Account>, DbErr> {
    Entity::find()
        .filter(Column::Email.eq(email.as_str()))
        .one(reader)
        .await
}

/// For statements about what belongs to an account.
pub(super) fn uid_of(email: &Email) -> SelectStatement {
    Query::select()
        .column(Column::Uid)
        .from(Entity)
        .and_where(Column::Email.eq(email.as_str()))
        .to_owned()
}

/// For statements about what belongs to nobody.
pub(super) fn emails() -> SelectStatement {
    Query::select()
        .column(Column::Email)
        .from(Entity)
        .to_owned()
}

pub(super) async fn count(reader: &impl ConnectionTrait) -> Result<u64, DbErr> {
    Entity::find().count(reader).await
}

/// Gives the user id. `EmailInUse` when there is one already.
pub(super) async fn add(
    writer: &impl ConnectionTrait,
    email: &Email,
    password: Option<&PasswordHash>,
) -> Result<String, ProviderError> {
    let uid = Uuid::new_v4().to_string();
    Entity::insert(row_of(&uid, email, password).into_active_model())
        .exec_without_returning(writer)
        .await
        .map_err(|error| match error.sql_err() {
            Some(SqlErr::UniqueConstraintViolation(_)) => ProviderError::EmailInUse,
            _ => error.into(),
        })?;
    Ok(uid)
}

/// Makes an account without a password, unless there is one with this email.
pub(super) async fn add_invited(writer: &impl ConnectionTrait, email: &Email) -> Result<(), DbErr> {
    let uid = Uuid::new_v4().to_string();
    Entity::insert(row_of(&uid, email, None).into_active_model())
        .on_conflict(OnConflict::column(Column::Email).do_nothing().to_owned())
        .exec_without_returning(writer)
        .await?;
    Ok(())
}

/// The row of a hosted provider's user, made at their first sign-in; their email may have changed.
pub(super) async fn upsert(
    writer: &impl ConnectionTrait,
    uid: &str,
    email: &Email,
) -> Result<(), DbErr> {
    Entity::insert(row_of(uid, email, None).into_active_model())
        .on_conflict(
            OnConflict::column(Column::Uid)
                .update_column(Column::Email)
                .to_owned(),
        )
        .exec_without_returning(writer)
        .await?;
    Ok(())
}

/// An account of another provider, with its user id and the hash it had there (empty: none).
pub(super) async fn insert_imported(
    writer: &impl ConnectionTrait,
    uid: &str,
    email: &Email,
    password_hash: &str,
) -> Result<(), DbErr> {
    let account = Account {
        password_hash: password_hash.to_owned(),
        ..row_of(uid, email, None)
    };
    Entity::insert(account.into_active_model())
        .exec_without_returning(writer)
        .await?;
    Ok(())
}

/// Another password in place of the one whose hash is `before`, whatever it is when none is given.
/// False when the account is gone, or its password has changed meanwhile.
pub(super) async fn set_password(
    writer: &impl ConnectionTrait,
    uid: &str,
    password: &PasswordHash,
    before: Option<&str>,
) -> Result<bool, DbErr> {
    let mut update = Entity::update_many()
        .col_expr(Column::PasswordHash, Expr::value(password.as_str()))
        .filter(Column::Uid.eq(uid));
    if let Some(before) = before {
        update = update.filter(Column::PasswordHash.eq(before));
    }
    Ok(update.exec(writer).await?.rows_affected > 0)
}

/// The hash of some account that still has one of another kind than ours.
pub(super) async fn an_imported_hash(
    reader: &impl ConnectionTrait,
) -> Result<Option<String>, DbErr> {
    let account = Entity::find()
        .filter(Column::PasswordHash.starts_with(IMPORTED))
        .one(reader)
        .await?;
    Ok(account.map(|account| account.password_hash))
}

/// Takes sessions, links and second factor along.
pub(super) async fn delete(writer: &impl ConnectionTrait, uid: &str) -> Result<(), DbErr> {
    Entity::delete_by_id(uid).exec(writer).await?;
    Ok(())
}

fn row_of(uid: &str, email: &Email, password: Option<&PasswordHash>) -> Account {
    Account {
        uid: uid.to_owned(),
        email: email.as_str().to_owned(),
        password_hash: password.map_or_else(String::new, |hash| hash.as_str().to_owned()),
        created_at: Timestamp::now().as_millisecond(),
    }
}
