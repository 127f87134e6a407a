//! Links sent by mail, with which somebody without a password, or who has forgotten it, sets one.
//! The only SQL about them. The token is a random secret of which the database keeps the SHA-256
//! alone.
//!
//! Each attempt to send a mail has a link of its own, since nobody can tell whether an attempt that
//! broke off arrived. All of them are good until a newer mail was sent; the first that is used ends
//! the others.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel, QueryFilter,
};
use sha2::{Digest, Sha256};

use crate::identity::provider::{LinkPurpose, ProviderError};
use crate::identity::sessions::id_tokens::random_bytes;
use crate::moments::now_ms;
use row::{Column, Entity, Model};

/// Milliseconds.
pub(in crate::identity) const HOUR: i64 = 60 * 60 * 1_000;

/// Milliseconds for which one that is too old is still told from one that never was.
const RETENTION: i64 = 30 * 24 * HOUR;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "mail_links")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub hash: String,
        #[sea_orm(column_type = "Text")]
        pub uid: String,
        #[sea_orm(column_type = "Text")]
        pub purpose: String,
        pub created_at: i64,
        pub expires_at: i64,
        /// The mail it is in.
        #[sea_orm(column_type = "Text", nullable)]
        pub mail: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// A new token for a mail. The account must be there.
pub(in crate::identity) async fn make(
    writer: &impl ConnectionTrait,
    uid: &str,
    purpose: LinkPurpose,
    mail: &str,
) -> Result<String, DbErr> {
    let token = URL_SAFE_NO_PAD.encode(random_bytes());
    let now = now_ms();
    let lasts = match purpose {
        LinkPurpose::PasswordReset => HOUR,
        LinkPurpose::Invitation => 7 * 24 * HOUR,
    };
    let row = Model {
        hash: hash(&token),
        uid: uid.to_owned(),
        purpose: purpose.name().to_owned(),
        created_at: now,
        expires_at: now + lasts,
        mail: Some(mail.to_owned()),
    };
    Entity::insert(row.into_active_model())
        .exec_without_returning(writer)
        .await?;
    Ok(token)
}

/// To go with a mail that was sent: its links take the place of those in older ones.
pub(in crate::identity) async fn delete_older_than(
    writer: &impl ConnectionTrait,
    uid: &str,
    purpose: LinkPurpose,
    mail: &str,
) -> Result<(), DbErr> {
    let is_other = Column::Mail.is_null().or(Column::Mail.ne(mail));
    Entity::delete_many()
        .filter(Column::Uid.eq(uid))
        .filter(Column::Purpose.eq(purpose.name()))
        .filter(is_other)
        .exec(writer)
        .await?;
    Ok(())
}

/// Whose link it is, which stays as it is. `InvalidLink`, `ExpiredLink`.
pub(in crate::identity) async fn holder(
    reader: &impl ConnectionTrait,
    token: &str,
) -> Result<String, ProviderError> {
    match Entity::find_by_id(hash(token)).one(reader).await? {
        None => Err(ProviderError::InvalidLink),
        Some(link) if link.expires_at <= now_ms() => Err(ProviderError::ExpiredLink),
        Some(link) => Ok(link.uid),
    }
}

/// Whether its holder has had no password before.
pub(in crate::identity) async fn is_invitation(
    reader: &impl ConnectionTrait,
    token: &str,
) -> Result<bool, DbErr> {
    let link = Entity::find_by_id(hash(token)).one(reader).await?;
    Ok(link.is_some_and(|link| link.purpose == LinkPurpose::Invitation.name()))
}

/// Uses a link up. Of two who do it at once, one is told that it is gone: `InvalidLink`.
pub(in crate::identity) async fn take(
    writer: &impl ConnectionTrait,
    token: &str,
) -> Result<(), ProviderError> {
    let deletion = Entity::delete_by_id(hash(token)).exec(writer).await?;
    if deletion.rows_affected == 0 {
        return Err(ProviderError::InvalidLink);
    }
    Ok(())
}

/// To go with every change of a password.
pub(in crate::identity) async fn delete_all_of(
    writer: &impl ConnectionTrait,
    uid: &str,
) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::Uid.eq(uid))
        .exec(writer)
        .await?;
    Ok(())
}

/// Deletes what nobody will ask about any more.
pub(in crate::identity) async fn sweep(writer: &impl ConnectionTrait) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::ExpiresAt.lte(now_ms() - RETENTION))
        .exec(writer)
        .await?;
    Ok(())
}

fn hash(token: &str) -> String {
    format!("{:x}", Sha256::digest(token))
}
