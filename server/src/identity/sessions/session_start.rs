//! Starts a session in the database: first as one that nobody has the token of, then for good.

use dispatch_actors::store::Store;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect, SqlErr,
};
use uuid::Uuid;

use super::cookie_key::CookieKey;
use super::refresh_tokens::{add_token, delete_tokens};
use super::store::{Column, Entity, Model, SESSION_TTL, Session, all_of};
use crate::audit;
use crate::http::address::network;
use crate::identity::account_mails::notices::{NoticeKind, queue_notice};
use crate::identity::provider::Verified;
use crate::identity::sign_in::devices::{self, DeviceRecognition, SignedInDevice};
use crate::identity::{Client, accounts, trail, two_factor};
use crate::moments::now_ms;

/// Milliseconds within which a started session must be activated, else it expires. So a process that
/// dies in between leaves no session behind that nobody was notified of. Longer than any provider's timeout.
const START_TTL: i64 = 2 * 60 * 1_000;

/// Of one account: a shop's tablets may share one.
pub(in crate::identity) const MAX_SESSIONS: usize = 100;

/// The result of starting a session for a person who was admitted.
pub(in crate::identity) enum SessionStart {
    /// It is there, and nobody has its refresh token before [`activate`] has said so.
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
pub(in crate::identity) async fn start(
    store: &Store,
    key: &CookieKey,
    verified: &Verified,
    client: &Client,
) -> Result<SessionStart, DbErr> {
    let uid = &verified.uid;
    let now = now_ms();
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
            Some(SqlErr::ForeignKeyConstraintViolation(_)) => Ok(SessionStart::NoAccount),
            _ => Err(error),
        };
    }
    // After the session, for which whoever turns it on just now holds the account: what is read is
    // what there is then.
    if verified.lacks_code && two_factor::state(&transaction, uid).await? == two_factor::State::On {
        return Ok(SessionStart::LacksCode);
    }
    let refresh_token = add_token(&transaction, key, &session.id).await?;
    transaction.commit().await?;
    Ok(SessionStart::Session {
        session,
        refresh_token,
    })
}

/// A session that was started and is to go on: its browser is known from now on, the audit trail has it,
/// and its holder is told of a new device. Also gives the sessions that were ended to make room: an
/// account that has [`MAX_SESSIONS`] loses the one that was used longest ago. None where it was ended
/// since it was started.
pub(in crate::identity) async fn activate(
    store: &Store,
    key: &CookieKey,
    verified: &Verified,
    session: &str,
    client: &Client,
) -> Result<Option<(SignedInDevice, Vec<String>)>, DbErr> {
    let Verified { uid, email, .. } = verified;
    let transaction = store.begin_write().await?;
    // Whoever ends all sessions of the account and forgets its devices was here before, or comes after.
    accounts::lock(&transaction, uid).await?;
    let existing = Entity::find_by_id(session)
        .filter(Column::ExpiresAt.gt(now_ms()))
        .lock_exclusive()
        .one(&transaction)
        .await?;
    let Some(existing) = existing else {
        return Ok(None);
    };
    Entity::update_many()
        .col_expr(
            Column::ExpiresAt,
            Expr::value(existing.created_at + SESSION_TTL),
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
