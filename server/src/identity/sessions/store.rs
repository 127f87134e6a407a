//! The table of sign-in sessions: a signed-in browser each.

use std::collections::HashSet;
use std::net::IpAddr;

use dispatch_actors::store::Store;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::ended_sessions::{self, SessionEndCause, keep_cause};
use super::refresh_tokens::{self, delete_tokens};
use crate::audit::{self, AuditEvent, AuditKind, Origin};
use crate::http::address::network;
use crate::identity::{Email, accounts};
use crate::moments::now_ms;
pub(super) use row::{Column, Entity, Model};

/// Milliseconds; slides forward with every refresh.
pub(crate) const SESSION_TTL: i64 = 30 * 24 * 60 * 60 * 1_000;

/// Milliseconds after signing in, however often it was refreshed.
pub(super) const MAX_SESSION_AGE: i64 = 90 * 24 * 60 * 60 * 1_000;

/// Sessions asked about in one statement: databases take some ten thousand values.
const BATCH_SIZE: usize = 10_000;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "sign_in_sessions")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub id: String,
        #[sea_orm(column_type = "Text")]
        pub uid: String,
        pub created_at: i64,
        pub expires_at: i64,
        pub last_used_at: i64,
        #[sea_orm(column_type = "Text", nullable)]
        pub user_agent: Option<String>,
        #[sea_orm(column_type = "Text", nullable)]
        pub address: Option<String>,
        #[sea_orm(column_type = "Text", nullable)]
        pub provider_grant: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(in crate::identity) use row::Model as SessionRow;

pub(in crate::identity) struct Session {
    pub(in crate::identity) id: String,
    pub(in crate::identity) uid: String,
    pub(in crate::identity) provider_grant: Option<String>,
}

impl From<Model> for Session {
    fn from(row: Model) -> Self {
        Self {
            id: row.id,
            uid: row.uid,
            provider_grant: row.provider_grant,
        }
    }
}

/// The session of an id that has neither ended nor expired.
pub(in crate::identity) async fn live(
    reader: &impl ConnectionTrait,
    id: &str,
) -> Result<Option<Session>, DbErr> {
    let row = Entity::find_by_id(id)
        .filter(Column::ExpiresAt.gt(now_ms()))
        .one(reader)
        .await?;
    Ok(row.map(Session::from))
}

/// Those of a user, the last used first.
pub(in crate::identity) async fn all_of(
    reader: &impl ConnectionTrait,
    uid: &str,
) -> Result<Vec<SessionRow>, DbErr> {
    Entity::find()
        .filter(Column::Uid.eq(uid))
        .filter(Column::ExpiresAt.gt(now_ms()))
        .order_by_desc(Column::LastUsedAt)
        .order_by_asc(Column::Id)
        .all(reader)
        .await
}

/// Those of the sessions that have ended or expired.
pub(in crate::identity) async fn ended_of(
    reader: &impl ConnectionTrait,
    ids: &[String],
) -> Result<Vec<String>, DbErr> {
    let mut ended = Vec::new();
    for ids in ids.chunks(BATCH_SIZE) {
        let running: HashSet<String> = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::Id.is_in(ids.iter().map(String::as_str)))
            .filter(Column::ExpiresAt.gt(now_ms()))
            .into_tuple()
            .all(reader)
            .await?
            .into_iter()
            .collect();
        ended.extend(ids.iter().filter(|id| !running.contains(*id)).cloned());
    }
    Ok(ended)
}

/// Those of the sessions that have been given no ID token since (milliseconds).
pub(in crate::identity) async fn unused_since(
    reader: &impl ConnectionTrait,
    ids: &[String],
    since: i64,
) -> Result<Vec<String>, DbErr> {
    let mut unused = Vec::new();
    for ids in ids.chunks(BATCH_SIZE) {
        let some: Vec<String> = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::Id.is_in(ids.iter().map(String::as_str)))
            .filter(Column::LastUsedAt.lt(since))
            .into_tuple()
            .all(reader)
            .await?;
        unused.extend(some);
    }
    Ok(unused)
}

/// Whether a session of this account is used from there. One statement, with or without an account.
pub(in crate::identity) async fn are_used_from(
    reader: &impl ConnectionTrait,
    email: &Email,
    address: IpAddr,
) -> Result<bool, DbErr> {
    let addresses: Vec<Option<String>> = Entity::find()
        .select_only()
        .column(Column::Address)
        .filter(Column::Uid.in_subquery(accounts::uid_of(email)))
        .filter(Column::ExpiresAt.gt(now_ms()))
        .into_tuple()
        .all(reader)
        .await?;
    let mut addresses = addresses.iter().flatten();
    Ok(addresses.any(|used_address| {
        let used_address = used_address.parse::<IpAddr>();
        used_address.is_ok_and(|used_address| network(used_address) == network(address))
    }))
}

/// With which the provider is asked from now on.
pub(in crate::identity) async fn set_grant(
    writer: &impl ConnectionTrait,
    id: &str,
    grant: Option<String>,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::ProviderGrant, Expr::value(grant))
        .filter(Column::Id.eq(id))
        .exec(writer)
        .await?;
    Ok(())
}

/// Without a cause where there is none that its holder could be told.
pub(in crate::identity) async fn end(
    writer: &impl ConnectionTrait,
    id: &str,
    cause: Option<SessionEndCause>,
) -> Result<(), DbErr> {
    if let Some(cause) = cause {
        keep_cause(writer, &[id.to_owned()], cause).await?;
    }
    Entity::delete_by_id(id).exec(writer).await?;
    delete_tokens(writer, [id]).await
}

/// Ends every session of a user, but for one that may be kept, and gives their ids.
pub(in crate::identity) async fn end_all_of(
    writer: &impl ConnectionTrait,
    uid: &str,
    but: Option<&str>,
    cause: SessionEndCause,
) -> Result<Vec<String>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Uid.eq(uid))
        .all(writer)
        .await?;
    let ended: Vec<String> = rows
        .into_iter()
        .map(|row| row.id)
        .filter(|id| Some(id.as_str()) != but)
        .collect();
    keep_cause(writer, &ended, cause).await?;
    Entity::delete_many()
        .filter(Column::Id.is_in(ended.iter().map(String::as_str)))
        .exec(writer)
        .await?;
    delete_tokens(writer, ended.iter().map(String::as_str)).await?;
    Ok(ended)
}

/// Ends every session there is, and gives their ids.
pub(in crate::identity) async fn end_all(store: &Store) -> Result<Vec<String>, DbErr> {
    let transaction = store.begin_write().await?;
    let ids = Entity::find()
        .select_only()
        .column(Column::Id)
        .into_tuple()
        .all(&transaction)
        .await?;
    Entity::delete_many().exec(&transaction).await?;
    refresh_tokens::delete_all_tokens(&transaction).await?;
    // Only the command line can ask for it.
    let event = AuditEvent::with_origin(AuditKind::SessionEnded, &Origin::command_line())
        .with_detail("all of everybody");
    let recorded = audit::record(&transaction, event).await?;
    transaction.commit().await?;
    recorded.announce();
    Ok(ids)
}

/// Deletes what has expired.
pub(in crate::identity) async fn sweep(writer: &impl ConnectionTrait) -> Result<(), DbErr> {
    let now = now_ms();
    let expired: Vec<String> = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::ExpiresAt.lte(now))
        .into_tuple()
        .all(writer)
        .await?;
    for expired in expired.chunks(BATCH_SIZE) {
        keep_cause(writer, expired, SessionEndCause::Expired).await?;
        Entity::delete_many()
            .filter(Column::Id.is_in(expired.iter().map(String::as_str)))
            // One that another server, whose clock is behind, has prolonged since goes on.
            .filter(Column::ExpiresAt.lte(now))
            .exec(writer)
            .await?;
    }
    refresh_tokens::sweep_tokens(writer).await?;
    ended_sessions::sweep(writer).await
}
