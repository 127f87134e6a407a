//! Known devices: browsers in which an account has signed in before. A cookie says so, which survives
//! sign-out. It is no credential: it gives guesses of its own, which strangers cannot use up, and a
//! place before them where passwords wait to be hashed. The only SQL about known devices.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sea_orm::sea_query::{Expr, OnConflict, Query};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, Order, PaginatorTrait,
    QueryFilter, SqlErr,
};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::device_cookie::{TTL_DAYS, claimed_id, entries, with_id};
use crate::identity::sessions::cookie_key::CookieKey;
use crate::identity::sessions::id_tokens::random_bytes;
use crate::identity::{Email, accounts};
use crate::moments::now_ms;
use row::{Column, Entity, Model};

/// Devices of an account: each of the tablets of such a shop, and each again when its cookies were
/// cleared. The one used longest ago is forgotten.
const MAX_DEVICES: u64 = 200;

pub(super) const ID: usize = 16;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "known_devices")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub hash: String,
        #[sea_orm(column_type = "Text")]
        pub uid: String,
        pub created_at: i64,
        pub used_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Whether an account has signed in before in a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceRecognition {
    Known,
    New,
}

/// What a browser's cookie is to be after a sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedInDevice {
    pub recognition: DeviceRecognition,
    /// For [`cookie`].
    pub value: String,
}

/// A browser's id for one account.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::identity) struct DeviceId(pub(super) Vec<u8>);

impl DeviceId {
    fn new() -> Self {
        Self(random_bytes()[..ID].to_vec())
    }

    /// The same again for the same session, so that whoever drops cookies makes no more of them.
    fn of_session(session: &str) -> Self {
        Self(Sha256::digest(session)[..ID].to_vec())
    }

    #[cfg(test)]
    pub(in crate::identity) fn of_test(number: u8) -> Self {
        Self(vec![number; ID])
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn hash(&self) -> String {
        format!("{:x}", Sha256::digest(&self.0))
    }
}

/// Whether the account with this email is known there.
pub(in crate::identity) async fn is_known(
    reader: &impl ConnectionTrait,
    id: &DeviceId,
    email: &Email,
) -> Result<bool, DbErr> {
    let found = Entity::find_by_id(id.hash())
        .filter(Column::Uid.in_subquery(accounts::uid_of(email)))
        .count(reader)
        .await?;
    Ok(found > 0)
}

/// A device of this browser on which somebody signed in, whoever that was. Its id is chance: who has it
/// was given it.
pub(in crate::identity) async fn any_known(
    reader: &impl ConnectionTrait,
    cookie: Option<&str>,
) -> Result<Option<Uuid>, DbErr> {
    let ids: Vec<DeviceId> = entries(cookie)
        .filter_map(|entry| URL_SAFE_NO_PAD.decode(entry).ok())
        .filter_map(|bytes| Some(DeviceId(bytes.get(..ID)?.to_vec())))
        .collect();
    if ids.is_empty() {
        return Ok(None);
    }
    let found = Entity::find()
        .filter(Column::Hash.is_in(ids.iter().map(DeviceId::hash)))
        .all(reader)
        .await?;
    let stored_id = ids
        .iter()
        .find(|id| found.iter().any(|row| row.hash == id.hash()));
    Ok(stored_id.and_then(|id| Uuid::from_slice(&id.0).ok()))
}

/// Whether an account is known anywhere.
pub(in crate::identity) async fn has_any(
    reader: &impl ConnectionTrait,
    uid: &str,
) -> Result<bool, DbErr> {
    let found = Entity::find()
        .filter(Column::Uid.eq(uid))
        .count(reader)
        .await?;
    Ok(found > 0)
}

/// The account has signed in there.
pub(in crate::identity) async fn remember(
    key: &CookieKey,
    writer: &impl ConnectionTrait,
    (uid, email): (&str, &Email),
    cookie: Option<&str>,
) -> Result<SignedInDevice, DbErr> {
    let claimed = claimed_id(key, cookie, email);
    let recognized_id = match claimed {
        Some(id) if is_known(writer, &id, email).await? => Some(id),
        _ => None,
    };
    let recognition = match recognized_id {
        Some(_) => DeviceRecognition::Known,
        None => DeviceRecognition::New,
    };
    let id = recognized_id.unwrap_or_else(DeviceId::new);
    save(writer, &id, uid).await?;
    Ok(SignedInDevice {
        recognition,
        value: with_id(key, cookie, email, &id),
    })
}

/// The account goes on being signed in there. For a browser without a cookie, as when it signed in before
/// there were any: what it is to be.
pub(in crate::identity) async fn remember_signed_in(
    key: &CookieKey,
    writer: &impl ConnectionTrait,
    (uid, email): (&str, &Email),
    session: &str,
    cookie: Option<&str>,
) -> Result<Option<String>, DbErr> {
    if let Some(id) = claimed_id(key, cookie, email) {
        Entity::update_many()
            .col_expr(Column::UsedAt, Expr::value(now_ms()))
            .filter(Column::Hash.eq(id.hash()))
            .filter(Column::Uid.eq(uid))
            .exec(writer)
            .await?;
        return Ok(None);
    }
    let id = DeviceId::of_session(session);
    save(writer, &id, uid).await?;
    Ok(Some(with_id(key, cookie, email, &id)))
}

/// Forgets every device of an account whose password or second factor has changed. This browser stays
/// known, by another id.
pub(in crate::identity) async fn replace_all(
    key: &CookieKey,
    writer: &impl ConnectionTrait,
    (uid, email): (&str, &Email),
    cookie: Option<&str>,
) -> Result<String, DbErr> {
    forget_all(writer, uid).await?;
    let id = DeviceId::new();
    save(writer, &id, uid).await?;
    Ok(with_id(key, cookie, email, &id))
}

/// Every device of the account is unknown from here on.
pub(in crate::identity) async fn forget_all(
    writer: &impl ConnectionTrait,
    uid: &str,
) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::Uid.eq(uid))
        .exec(writer)
        .await?;
    Ok(())
}

/// This one is.
pub(in crate::identity) async fn forget(
    key: &CookieKey,
    writer: &impl ConnectionTrait,
    cookie: &str,
    email: &Email,
) -> Result<(), DbErr> {
    if let Some(id) = claimed_id(key, Some(cookie), email) {
        Entity::delete_by_id(id.hash()).exec(writer).await?;
    }
    Ok(())
}

async fn save(writer: &impl ConnectionTrait, id: &DeviceId, uid: &str) -> Result<(), DbErr> {
    // A hosted provider's user who has never signed in has none. Asked first: on PostgreSQL a statement
    // that fails takes its whole transaction along.
    if accounts::by_uid(writer, uid).await?.is_none() {
        return Ok(());
    }
    let now = now_ms();
    let row = Model {
        hash: id.hash(),
        uid: uid.to_owned(),
        created_at: now,
        used_at: now,
    };
    let on_conflict = OnConflict::column(Column::Hash)
        .update_column(Column::UsedAt)
        .to_owned();
    let inserted = Entity::insert(row.into_active_model())
        .on_conflict(on_conflict)
        .exec_without_returning(writer)
        .await;
    if let Err(error) = inserted {
        return match error.sql_err() {
            // The account is gone meanwhile.
            Some(SqlErr::ForeignKeyConstraintViolation(_)) => Ok(()),
            _ => Err(error),
        };
    }
    let newest = Query::select()
        .column(Column::Hash)
        .from(Entity)
        .and_where(Column::Uid.eq(uid))
        .order_by(Column::UsedAt, Order::Desc)
        .order_by(Column::Hash, Order::Asc)
        .limit(MAX_DEVICES)
        .to_owned();
    Entity::delete_many()
        .filter(Column::Uid.eq(uid))
        .filter(Column::Hash.not_in_subquery(newest))
        .exec(writer)
        .await?;
    Ok(())
}

/// Deletes those whose cookie is gone by now.
pub(in crate::identity) async fn sweep(writer: &impl ConnectionTrait) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::UsedAt.lt(now_ms() - TTL_DAYS * 24 * 60 * 60 * 1_000))
        .exec(writer)
        .await?;
    Ok(())
}
