//! The table of ended sessions: why each ended, for as long as a browser keeps its refresh token, and told to nobody
//! but who shows that token.

use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cookie_key::CookieKey;
use super::refresh_tokens::{self, GoodToken, good_tokens_of, signed_token};
use super::store::SESSION_TTL;
use crate::moments::now_ms;
use row::{Column, Entity, Model};

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SessionEndCause {
    /// Its own person ended it, here or from another device.
    SignedOut,
    /// An owner did, or whoever runs the server.
    EndedByOwner,
    /// A role, or the technician, of its person was changed or taken away.
    RightsChanged,
    PasswordChanged,
    SecondFactorChanged,
    AccountRemoved,
    /// It was not used for 30 days, or began 90 days ago.
    Expired,
}

impl SessionEndCause {
    const ALL: [Self; 7] = [
        Self::SignedOut,
        Self::EndedByOwner,
        Self::RightsChanged,
        Self::PasswordChanged,
        Self::SecondFactorChanged,
        Self::AccountRemoved,
        Self::Expired,
    ];

    /// As it is written on the wire and in the database.
    fn name(self) -> &'static str {
        match self {
            Self::SignedOut => "signed-out",
            Self::EndedByOwner => "ended-by-owner",
            Self::RightsChanged => "rights-changed",
            Self::PasswordChanged => "password-changed",
            Self::SecondFactorChanged => "second-factor-changed",
            Self::AccountRemoved => "account-removed",
            Self::Expired => "expired",
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.name() == name)
    }
}

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "ended_sessions")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub hash: String,
        #[sea_orm(column_type = "Text")]
        pub cause: String,
        pub expires_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// To be called before the tokens of the sessions are deleted, in the same transaction. Of a session's tokens those are
/// kept that a browser may still use.
pub(super) async fn keep_cause(
    writer: &impl ConnectionTrait,
    sessions: &[String],
    cause: SessionEndCause,
) -> Result<(), DbErr> {
    let now = now_ms();
    let tokens = good_tokens_of(writer, sessions, now).await?;
    let rows = tokens.into_iter().filter_map(|token| {
        let GoodToken { hash, created_at } = token;
        let expires_at = created_at + SESSION_TTL;
        let row = Model {
            hash,
            cause: cause.name().to_owned(),
            expires_at,
        };
        (expires_at > now).then(|| row.into_active_model())
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return Ok(());
    }
    Entity::insert_many(rows)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(writer)
        .await?;
    Ok(())
}

/// Why the session of a refresh token ended, which is refused; none where that is not known.
pub(in crate::identity) async fn cause_of_end(
    reader: &impl ConnectionTrait,
    key: &CookieKey,
    refresh_token: &str,
) -> Result<Option<SessionEndCause>, DbErr> {
    let hash = refresh_tokens::hash(refresh_token);
    let ended = Entity::find_by_id(hash).filter(Column::ExpiresAt.gt(now_ms()));
    if let Some(ended) = ended.one(reader).await? {
        return Ok(SessionEndCause::of_name(&ended.cause));
    }
    let is_old = signed_token(key, refresh_token).is_some_and(|signed| signed.has_expired());
    let has_expired = is_old || refresh_tokens::has_expired(reader, refresh_token).await?;
    Ok(has_expired.then_some(SessionEndCause::Expired))
}

/// Deletes what no browser can ask for any more.
pub(super) async fn sweep(writer: &impl ConnectionTrait) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::ExpiresAt.lte(now_ms()))
        .exec(writer)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_kept_as_it_is_written_on_the_wire() {
        for cause in SessionEndCause::ALL {
            assert_eq!(serde_json::json!(cause), cause.name());
            assert_eq!(SessionEndCause::of_name(cause.name()), Some(cause));
        }
    }
}
