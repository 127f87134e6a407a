//! Single values that belong to the database: kept there so that every machine serving it agrees.

use sea_orm::sea_query::OnConflict;
use sea_orm::{DbErr, EntityTrait, IntoActiveModel};

use dispatch_actors::store::Store;

mod setting {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "settings")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub name: String,
        #[sea_orm(column_type = "Text")]
        pub value: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub async fn get(store: &Store, name: &str) -> Result<Option<String>, DbErr> {
    let row = setting::Entity::find_by_id(name.to_owned())
        .one(store.writer())
        .await?;
    Ok(row.map(|row| row.value))
}

/// Sets a value unless there is one, and gives the one that stands: of two processes that start at
/// once, both get the first one's.
pub async fn get_or_set(store: &Store, name: &str, value: String) -> Result<String, DbErr> {
    let row = setting::Model {
        name: name.to_owned(),
        value: value.clone(),
    };
    setting::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(store.writer())
        .await?;
    Ok(get(store, name).await?.unwrap_or(value))
}
