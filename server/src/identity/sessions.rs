//! Sign-in sessions: a signed-in browser each. The only SQL about them. The refresh token is a
//! random secret of which the database keeps the SHA-256 alone.

use std::collections::HashSet;
use std::net::IpAddr;

use dispatch_actors::store::Store;
use jiff::Timestamp;
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel, Order,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, SqlErr,
};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::client::Client;
use super::cookie_key::{CookieKey, Signed};
use super::devices::{DeviceRecognition, SignedInDevice};
use super::email::Email;
use super::notices::{NoticeKind, queue_notice};
use super::provider::Verified;
use super::tokens::random_bytes;
use super::{accounts, devices, trail, two_factor};
use crate::audit::{self, AuditEvent, AuditKind, Origin};
use crate::http::address::network;
use row::{Column, Entity, Model};

/// Milliseconds; slides forward with every refresh.
pub(crate) const SESSION_TTL: i64 = 30 * 24 * 60 * 60 * 1_000;

/// Milliseconds within which a session that was started begins, or is gone: whatever ended the process in
/// between, none is left that nobody was told of. Longer than any provider is waited for.
const START_TTL: i64 = 2 * 60 * 1_000;

/// Milliseconds after signing in, however often it was refreshed.
const MAX_SESSION_AGE: i64 = 90 * 24 * 60 * 60 * 1_000;

/// Of one account: a shop's tablets may share one.
pub(super) const MAX_SESSIONS: usize = 100;

/// Bytes of a session's id in a refresh token.
const SESSION_ID: usize = 16;

/// Of the time at which it was made.
const TIME: usize = size_of::<i64>();

/// Milliseconds for which a token that was traded is taken once more.
const STILL_GOOD: i64 = 30_000;

/// Tokens of a session that were traded and are kept; one from before is known by its signature alone.
const TRADED_KEPT: u64 = 20;

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

mod token {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "refresh_tokens")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub hash: String,
        #[sea_orm(column_type = "Text")]
        pub session: String,
        pub created_at: i64,
        pub replaced_at: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) use row::Model as Kept;

pub(super) struct Session {
    pub(super) id: String,
    pub(super) uid: String,
    pub(super) provider_grant: Option<String>,
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

/// What became of somebody who was let in.
pub(super) enum Started {
    /// It is there, and nobody has its refresh token before [`begin`] has said so.
    Session {
        session: Session,
        refresh_token: String,
    },
    /// The account is gone meanwhile.
    NoAccount,
    /// The account has a second factor meanwhile, and no code was given.
    LacksCode,
}

/// A session that is begun where nothing speaks against it once it is there.
pub(super) async fn start(
    store: &Store,
    key: &CookieKey,
    verified: &Verified,
    client: &Client,
) -> Result<Started, DbErr> {
    let uid = &verified.uid;
    let now = now();
    let row = Model {
        id: Uuid::new_v4().to_string(),
        uid: uid.clone(),
        created_at: now,
        expires_at: now + START_TTL,
        last_used_at: now,
        user_agent: client.user_agent.clone(),
        address: Some(client.address.to_string()),
        provider_grant: verified.grant.clone(),
    };
    let session = Session::from(row.clone());
    let transaction = store.begin_write().await?;
    let inserted = Entity::insert(row.into_active_model())
        .exec_without_returning(&transaction)
        .await;
    if let Err(error) = inserted {
        return match error.sql_err() {
            Some(SqlErr::ForeignKeyConstraintViolation(_)) => Ok(Started::NoAccount),
            _ => Err(error),
        };
    }
    // After the session, for which whoever turns it on just now holds the account: what is read is
    // what there is then.
    if verified.lacks_code && two_factor::state(&transaction, uid).await? == two_factor::State::On {
        return Ok(Started::LacksCode);
    }
    let refresh_token = add_token(&transaction, key, &session.id).await?;
    transaction.commit().await?;
    Ok(Started::Session {
        session,
        refresh_token,
    })
}

/// A session that was started and is to go on: its browser is known from now on, the audit trail has it,
/// and its holder is told of a new device. Also gives the sessions that were ended to make room: an
/// account that has [`MAX_SESSIONS`] loses the one that was used longest ago. None where it was ended
/// since it was started.
pub(super) async fn begin(
    store: &Store,
    key: &CookieKey,
    verified: &Verified,
    session: &str,
    client: &Client,
) -> Result<Option<(SignedInDevice, Vec<String>)>, DbErr> {
    let Verified { uid, email, .. } = verified;
    let transaction = store.begin_write().await?;
    // Whoever ends all sessions of the account and forgets its devices was here before, or comes after.
    accounts::hold(&transaction, uid).await?;
    let held = Entity::find_by_id(session)
        .filter(Column::ExpiresAt.gt(now()))
        .lock_exclusive()
        .one(&transaction)
        .await?;
    let Some(held) = held else {
        return Ok(None);
    };
    Entity::update_many()
        .col_expr(
            Column::ExpiresAt,
            Expr::value(held.created_at + SESSION_TTL),
        )
        .filter(Column::Id.eq(session))
        .exec(&transaction)
        .await?;
    let displaced = displace(&transaction, uid, session).await?;
    let is_new_place = is_new_place(&transaction, uid, session, client).await?;
    let cookie = client.device.as_deref();
    let device = devices::remember(key, &transaction, (uid, email), cookie).await?;
    let is_new_place = is_new_place && device.recognition == DeviceRecognition::New;
    if is_new_place {
        queue_notice(&transaction, email, NoticeKind::NewDevice).await?;
    }
    let event = trail::signed_in(verified, is_new_place);
    let recorded = audit::record(&transaction, event).await?;
    transaction.commit().await?;
    recorded.announce();
    Ok(Some((device, displaced)))
}

/// Whether an account that was signed in before has no other session in the network of this one. At its
/// very first sign-in every place is new.
async fn is_new_place(
    writer: &impl ConnectionTrait,
    uid: &str,
    session: &str,
    client: &Client,
) -> Result<bool, DbErr> {
    let mut others = all_of(writer, uid).await?;
    // Of two that begin at once in a new place, the first finds the other only started.
    let is_begun = |other: &Model| other.expires_at > other.created_at + START_TTL;
    others.retain(|other| other.id != session && is_begun(other));
    if others.is_empty() {
        return devices::has_any(writer, uid).await;
    }
    let here = network(client.address);
    let is_here = |other: &Model| {
        let address = other.address.as_deref().unwrap_or_default();
        address.parse().is_ok_and(|other| network(other) == here)
    };
    Ok(!others.iter().any(is_here))
}

/// Ends those of an account for which there is no room beside the newest.
async fn displace(
    writer: &impl ConnectionTrait,
    uid: &str,
    newest: &str,
) -> Result<Vec<String>, DbErr> {
    let others: Vec<String> = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::Uid.eq(uid))
        .filter(Column::Id.ne(newest))
        .order_by_desc(Column::LastUsedAt)
        .order_by_asc(Column::Id)
        .into_tuple()
        .all(writer)
        .await?;
    let displaced: Vec<String> = others.into_iter().skip(MAX_SESSIONS - 1).collect();
    if !displaced.is_empty() {
        Entity::delete_many()
            .filter(Column::Id.is_in(displaced.iter().map(String::as_str)))
            .exec(writer)
            .await?;
        delete_tokens(writer, displaced.iter().map(String::as_str)).await?;
    }
    Ok(displaced)
}

/// What a refresh token says by its signature, whether its session is there or not.
pub(super) struct SignedToken {
    pub(super) session: Uuid,
    /// Milliseconds.
    created_at: i64,
}

/// None for what was made up, and for those from before tokens were signed.
pub(super) fn signed_token(key: &CookieKey, refresh_token: &str) -> Option<SignedToken> {
    let signed = key.verify(Signed::RefreshToken, refresh_token, "")?;
    let (session, rest) = signed.split_at_checked(SESSION_ID)?;
    Some(SignedToken {
        session: Uuid::from_slice(session).ok()?,
        created_at: i64::from_be_bytes(rest.get(..TIME)?.try_into().ok()?),
    })
}

/// Whether the database is older than a token, as a restored one is: it knows none of the token's session
/// that is as new.
pub(super) async fn is_older_than(
    reader: &impl ConnectionTrait,
    token: &SignedToken,
) -> Result<bool, DbErr> {
    let newer = token::Entity::find()
        .filter(token::Column::Session.eq(token.session.to_string()))
        .filter(token::Column::CreatedAt.gte(token.created_at))
        .count(reader)
        .await?;
    Ok(newer == 0)
}

async fn add_token(
    writer: &impl ConnectionTrait,
    key: &CookieKey,
    session: &str,
) -> Result<String, DbErr> {
    let id = Uuid::parse_str(session).unwrap_or_default();
    let created_at = now();
    let signed = [
        &id.as_bytes()[..],
        &created_at.to_be_bytes(),
        &random_bytes(),
    ]
    .concat();
    let refresh_token = key.sign(Signed::RefreshToken, &signed, "");
    let row = token::Model {
        hash: hash(&refresh_token),
        session: session.to_owned(),
        created_at,
        replaced_at: None,
    };
    token::Entity::insert(row.into_active_model())
        .exec_without_returning(writer)
        .await?;
    Ok(refresh_token)
}

/// What became of a refresh token.
pub(super) enum Traded {
    /// For this one.
    For(String),
    /// It had been traded before, and not just now: somebody else has it.
    Twice,
    /// Its session has ended, or there never was one.
    Unknown,
}

/// Trades a refresh token for another and gives its session the full time again. The one before is
/// good for a little longer: two tabs may ask at once, and an answer may be lost.
pub(super) async fn trade(
    store: &Store,
    key: &CookieKey,
    refresh_token: &str,
    client: &Client,
) -> Result<Traded, DbErr> {
    let transaction = store.begin_write().await?;
    let Some(kept) = token::Entity::find_by_id(hash(refresh_token))
        .one(&transaction)
        .await?
    else {
        return Ok(Traded::Unknown);
    };
    // Held on PostgreSQL, so that of two who trade at once the second sees what the first did.
    let session = Entity::find_by_id(&kept.session)
        .filter(Column::ExpiresAt.gt(now()))
        .lock_exclusive()
        .one(&transaction)
        .await?;
    let kept = token::Entity::find_by_id(&kept.hash)
        .one(&transaction)
        .await?;
    let (Some(session), Some(kept)) = (session, kept) else {
        return Ok(Traded::Unknown);
    };
    let now = now();
    match kept.replaced_at {
        Some(replaced_at) if now - replaced_at > STILL_GOOD => {
            return Ok(Traded::Twice);
        }
        Some(_) => {}
        // Whoever uses one of two that were given for the same token has no need of the other.
        None => {
            token::Entity::update_many()
                .col_expr(token::Column::ReplacedAt, Expr::value(now))
                .filter(token::Column::Session.eq(&session.id))
                .filter(token::Column::ReplacedAt.is_null())
                .exec(&transaction)
                .await?;
        }
    }
    let refresh_token = add_token(&transaction, key, &session.id).await?;
    forget_tokens(&transaction, &session.id, now).await?;
    let expires_at = Ord::min(now + SESSION_TTL, session.created_at + MAX_SESSION_AGE);
    Entity::update_many()
        .col_expr(Column::ExpiresAt, Expr::value(expires_at))
        .col_expr(Column::LastUsedAt, Expr::value(now))
        .col_expr(Column::UserAgent, Expr::value(client.user_agent.clone()))
        .col_expr(Column::Address, Expr::value(client.address.to_string()))
        .filter(Column::Id.eq(&session.id))
        .exec(&transaction)
        .await?;
    transaction.commit().await?;
    Ok(Traded::For(refresh_token))
}

/// Of those that were traded, and are not good any longer, only the last are kept.
async fn forget_tokens(
    writer: &impl ConnectionTrait,
    session: &str,
    now: i64,
) -> Result<(), DbErr> {
    let last = Query::select()
        .column(token::Column::Hash)
        .from(token::Entity)
        .and_where(token::Column::Session.eq(session))
        .and_where(token::Column::ReplacedAt.is_not_null())
        .order_by(token::Column::ReplacedAt, Order::Desc)
        .order_by(token::Column::Hash, Order::Asc)
        .limit(TRADED_KEPT)
        .to_owned();
    token::Entity::delete_many()
        .filter(token::Column::Session.eq(session))
        .filter(token::Column::ReplacedAt.lt(now - STILL_GOOD))
        .filter(token::Column::Hash.not_in_subquery(last))
        .exec(writer)
        .await?;
    Ok(())
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

/// Those of a user, the last used first.
pub(super) async fn all_of(reader: &impl ConnectionTrait, uid: &str) -> Result<Vec<Kept>, DbErr> {
    Entity::find()
        .filter(Column::Uid.eq(uid))
        .filter(Column::ExpiresAt.gt(now()))
        .order_by_desc(Column::LastUsedAt)
        .order_by_asc(Column::Id)
        .all(reader)
        .await
}

/// Sessions asked about in one statement: databases take some ten thousand values.
const BATCH_SIZE: usize = 10_000;

/// Those of the sessions that have ended or expired.
pub(super) async fn ended_of(
    reader: &impl ConnectionTrait,
    ids: &[String],
) -> Result<Vec<String>, DbErr> {
    let mut ended = Vec::new();
    for ids in ids.chunks(BATCH_SIZE) {
        let running: HashSet<String> = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::Id.is_in(ids.iter().map(String::as_str)))
            .filter(Column::ExpiresAt.gt(now()))
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
pub(super) async fn unused_since(
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
pub(super) async fn are_used_from(
    reader: &impl ConnectionTrait,
    email: &Email,
    address: IpAddr,
) -> Result<bool, DbErr> {
    let addresses: Vec<Option<String>> = Entity::find()
        .select_only()
        .column(Column::Address)
        .filter(Column::Uid.in_subquery(accounts::uid_of(email)))
        .filter(Column::ExpiresAt.gt(now()))
        .into_tuple()
        .all(reader)
        .await?;
    let mut used = addresses.iter().flatten();
    Ok(used.any(|used| {
        let used = used.parse::<IpAddr>();
        used.is_ok_and(|used| network(used) == network(address))
    }))
}

/// With which the provider is asked from now on.
pub(super) async fn set_grant(
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

/// The session of a refresh token, also of one that was traded for another.
pub(super) async fn of_token(
    reader: &impl ConnectionTrait,
    refresh_token: &str,
) -> Result<Option<Session>, DbErr> {
    let Some(kept) = token::Entity::find_by_id(hash(refresh_token))
        .one(reader)
        .await?
    else {
        return Ok(None);
    };
    live(reader, &kept.session).await
}

pub(super) async fn end(writer: &impl ConnectionTrait, id: &str) -> Result<(), DbErr> {
    Entity::delete_by_id(id).exec(writer).await?;
    delete_tokens(writer, [id]).await
}

async fn delete_tokens<'a>(
    writer: &impl ConnectionTrait,
    sessions: impl IntoIterator<Item = &'a str>,
) -> Result<(), DbErr> {
    token::Entity::delete_many()
        .filter(token::Column::Session.is_in(sessions))
        .exec(writer)
        .await?;
    Ok(())
}

/// Ends every session of a user, but for one that may be kept, and gives their ids.
pub(super) async fn end_all_of(
    writer: &impl ConnectionTrait,
    uid: &str,
    but: Option<&str>,
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
    Entity::delete_many()
        .filter(Column::Id.is_in(ended.iter().map(String::as_str)))
        .exec(writer)
        .await?;
    delete_tokens(writer, ended.iter().map(String::as_str)).await?;
    Ok(ended)
}

/// Ends every session there is, and gives their ids.
pub(super) async fn end_all(store: &Store) -> Result<Vec<String>, DbErr> {
    let transaction = store.begin_write().await?;
    let ids = Entity::find()
        .select_only()
        .column(Column::Id)
        .into_tuple()
        .all(&transaction)
        .await?;
    Entity::delete_many().exec(&transaction).await?;
    token::Entity::delete_many().exec(&transaction).await?;
    // Only the command line can ask for it.
    let event = AuditEvent::with_origin(AuditKind::SessionEnded, &Origin::command_line())
        .with_detail("all of everybody");
    let recorded = audit::record(&transaction, event).await?;
    transaction.commit().await?;
    recorded.announce();
    Ok(ids)
}

/// Deletes what has expired.
pub(super) async fn sweep(writer: &impl ConnectionTrait) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::ExpiresAt.lte(now()))
        .exec(writer)
        .await?;
    let running = Query::select().column(Column::Id).from(Entity).to_owned();
    token::Entity::delete_many()
        .filter(
            token::Column::Session
                .not_in_subquery(running)
                .or(token::Column::ReplacedAt.lte(now() - SESSION_TTL)),
        )
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
