//! Whose account a provider's subject is. The only SQL about it.

use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, IntoActiveModel};

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

/// One that is there already stays.
pub(super) async fn add(
    writer: &impl ConnectionTrait,
    issuer: &str,
    subject: &str,
    uid: &str,
) -> Result<(), DbErr> {
    let row = row::Model {
        issuer: issuer.to_owned(),
        subject: subject.to_owned(),
        uid: uid.to_owned(),
    };
    row::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(writer)
        .await?;
    Ok(())
}
