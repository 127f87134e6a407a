//! Whose account a provider's subject is. The only SQL about it.

use dispatch_actors::store::Store;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter};

use crate::audit::{self, Actor, AuditEvent, AuditKind};
use crate::identity::account_mails::notices::{NoticeKind, queue_notice};
use crate::identity::accounts;
use crate::identity::email::Email;
use crate::identity::sign_in::devices;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "oidc_identities")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub issuer: String,
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub subject: String,
        #[sea_orm(column_type = "Text")]
        pub uid: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The user id. Gone with the account.
pub(super) async fn find(
    reader: &impl ConnectionTrait,
    issuer: &str,
    subject: &str,
) -> Result<Option<String>, DbErr> {
    let key = (issuer.to_owned(), subject.to_owned());
    let row = row::Entity::find_by_id(key).one(reader).await?;
    Ok(row.map(|row| row.uid))
}

/// Whether the account is anybody's at a provider.
pub(super) async fn has_any(reader: &impl ConnectionTrait, uid: &str) -> Result<bool, DbErr> {
    let row = row::Entity::find()
        .filter(row::Column::Uid.eq(uid))
        .one(reader)
        .await?;
    Ok(row.is_some())
}

/// Links an account to a provider's subject, of which its holder is told where the account was used
/// before. One that is there already stays.
pub(super) async fn link_account(
    store: &Store,
    issuer: &str,
    subject: &str,
    uid: &str,
) -> Result<(), DbErr> {
    let transaction = store.begin_write().await?;
    if !add(&transaction, issuer, subject, uid).await? {
        return Ok(());
    }
    let account = accounts::by_uid(&transaction, uid).await?;
    let email = account.as_ref().map_or("", |account| &account.email);
    let has_password = account
        .as_ref()
        .is_some_and(|account| !account.password_hash.is_empty());
    if let Ok(email) = Email::parse(email)
        && (has_password || devices::has_any(&transaction, uid).await?)
    {
        queue_notice(&transaction, &email, NoticeKind::ProviderLinked).await?;
    }
    let event = AuditEvent::done(AuditKind::ProviderLinked)
        .by(Actor::person(uid, email))
        .about(uid, email)
        .with_detail(issuer);
    let recorded = audit::record(&transaction, event).await?;
    transaction.commit().await?;
    recorded.announce();
    Ok(())
}

/// False when it was there already.
async fn add(
    writer: &impl ConnectionTrait,
    issuer: &str,
    subject: &str,
    uid: &str,
) -> Result<bool, DbErr> {
    let row = row::Model {
        issuer: issuer.to_owned(),
        subject: subject.to_owned(),
        uid: uid.to_owned(),
    };
    let inserted = row::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(writer)
        .await?;
    Ok(inserted > 0)
}
