//! The table of refresh tokens. A token is a random secret, signed here, of which the database keeps
//! the SHA-256 alone.

use dispatch_actors::store::Store;
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel, Order,
    PaginatorTrait, QueryFilter, QuerySelect,
};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::cookie_key::{CookieKey, Signed};
use super::id_tokens::random_bytes;
use super::store::{Column, Entity, MAX_SESSION_AGE, SESSION_TTL, Session, live};
use crate::identity::Client;
use crate::moments::now_ms;

/// The bytes of a session id in a refresh token.
const SESSION_ID_BYTES: usize = 16;

/// The bytes of the time at which a refresh token was made.
const TIME_BYTES: usize = size_of::<i64>();

/// Milliseconds for which a replaced token is accepted again.
const REUSE_GRACE: i64 = 30_000;

/// Replaced tokens of a session that are stored. Older ones are known by their signatures alone.
const MAX_REPLACED_TOKENS: u64 = 20;

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

/// What a refresh token says by its signature, whether its session is there or not.
pub(in crate::identity) struct SignedToken {
    pub(in crate::identity) session: Uuid,
    /// Milliseconds.
    created_at: i64,
}

impl SignedToken {
    /// Whether no browser keeps it any more.
    pub(super) fn has_expired(&self) -> bool {
        self.created_at.saturating_add(SESSION_TTL) <= now_ms()
    }
}

/// None for what was made up, and for those from before tokens were signed.
pub(in crate::identity) fn signed_token(
    key: &CookieKey,
    refresh_token: &str,
) -> Option<SignedToken> {
    let signed = key.verify(Signed::RefreshToken, refresh_token, "")?;
    let (session, rest) = signed.split_at_checked(SESSION_ID_BYTES)?;
    Some(SignedToken {
        session: Uuid::from_slice(session).ok()?,
        created_at: i64::from_be_bytes(rest.get(..TIME_BYTES)?.try_into().ok()?),
    })
}

/// Whether the database is older than a token, as a restored one is: it knows none of the token's session
/// that is as new.
pub(in crate::identity) async fn is_older_than(
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

pub(super) async fn add_token(
    writer: &impl ConnectionTrait,
    key: &CookieKey,
    session: &str,
) -> Result<String, DbErr> {
    let id = Uuid::parse_str(session).unwrap_or_default();
    let created_at = now_ms();
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

/// The result of exchanging a refresh token.
pub(in crate::identity) enum TokenExchange {
    /// The token that replaces it.
    Replaced(String),
    /// It was exchanged before, longer than the grace period ago: somebody else has it.
    Reused,
    /// Its session has ended, or there never was one.
    Unknown,
}

/// Exchanges a refresh token for another and gives its session the full time again. The previous
/// token is good for a little longer: two tabs may ask at once, and an answer may be lost.
pub(in crate::identity) async fn exchange(
    store: &Store,
    key: &CookieKey,
    refresh_token: &str,
    client: &Client,
) -> Result<TokenExchange, DbErr> {
    let transaction = store.begin_write().await?;
    let Some(kept) = token::Entity::find_by_id(hash(refresh_token))
        .one(&transaction)
        .await?
    else {
        return Ok(TokenExchange::Unknown);
    };
    // Held on PostgreSQL, so that of two who exchange at once the second sees what the first did.
    let session = Entity::find_by_id(&kept.session)
        .filter(Column::ExpiresAt.gt(now_ms()))
        .lock_exclusive()
        .one(&transaction)
        .await?;
    let kept = token::Entity::find_by_id(&kept.hash)
        .one(&transaction)
        .await?;
    let (Some(session), Some(kept)) = (session, kept) else {
        return Ok(TokenExchange::Unknown);
    };
    let now = now_ms();
    match kept.replaced_at {
        Some(replaced_at) if now - replaced_at > REUSE_GRACE => {
            return Ok(TokenExchange::Reused);
        }
        Some(_) => {}
        // A client that uses one of two replacements has no need of the other.
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
    Ok(TokenExchange::Replaced(refresh_token))
}

/// Deletes all but the newest of the replaced tokens that are no longer good.
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
        .limit(MAX_REPLACED_TOKENS)
        .to_owned();
    token::Entity::delete_many()
        .filter(token::Column::Session.eq(session))
        .filter(token::Column::ReplacedAt.lt(now - REUSE_GRACE))
        .filter(token::Column::Hash.not_in_subquery(last))
        .exec(writer)
        .await?;
    Ok(())
}

/// The session of a refresh token, also of one that was traded for another.
pub(in crate::identity) async fn of_token(
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

/// A token that a browser may use: it was not replaced, or only just now.
pub(super) struct GoodToken {
    pub(super) hash: String,
    /// Milliseconds.
    pub(super) created_at: i64,
}

pub(super) async fn good_tokens_of(
    reader: &impl ConnectionTrait,
    sessions: &[String],
    now: i64,
) -> Result<Vec<GoodToken>, DbErr> {
    let is_good = token::Column::ReplacedAt
        .is_null()
        .or(token::Column::ReplacedAt.gt(now - REUSE_GRACE));
    let tokens = token::Entity::find()
        .filter(token::Column::Session.is_in(sessions.iter().map(String::as_str)))
        .filter(is_good)
        .all(reader)
        .await?;
    let good = tokens.into_iter().map(|token| GoodToken {
        hash: token.hash,
        created_at: token.created_at,
    });
    Ok(good.collect())
}

/// Whether the session of a token has expired and is not deleted yet.
pub(super) async fn has_expired(
    reader: &impl ConnectionTrait,
    refresh_token: &str,
) -> Result<bool, DbErr> {
    let kept = token::Entity::find_by_id(hash(refresh_token))
        .one(reader)
        .await?;
    let Some(kept) = kept else { return Ok(false) };
    let session = Entity::find_by_id(kept.session).one(reader).await?;
    Ok(session.is_some_and(|session| session.expires_at <= now_ms()))
}

pub(super) async fn delete_tokens<'a>(
    writer: &impl ConnectionTrait,
    sessions: impl IntoIterator<Item = &'a str>,
) -> Result<(), DbErr> {
    token::Entity::delete_many()
        .filter(token::Column::Session.is_in(sessions))
        .exec(writer)
        .await?;
    Ok(())
}

/// The token is random and long, so that a fast hash without salt is enough.
pub(super) fn hash(refresh_token: &str) -> String {
    format!("{:x}", Sha256::digest(refresh_token))
}

/// Deletes the tokens of every session.
pub(super) async fn delete_all_tokens(writer: &impl ConnectionTrait) -> Result<(), DbErr> {
    token::Entity::delete_many().exec(writer).await?;
    Ok(())
}

/// Deletes the tokens of sessions that are gone, and those that were replaced long ago.
pub(super) async fn sweep_tokens(writer: &impl ConnectionTrait) -> Result<(), DbErr> {
    let running = Query::select().column(Column::Id).from(Entity).to_owned();
    token::Entity::delete_many()
        .filter(
            token::Column::Session
                .not_in_subquery(running)
                .or(token::Column::ReplacedAt.lte(now_ms() - SESSION_TTL)),
        )
        .exec(writer)
        .await?;
    Ok(())
}
