//! Single values that belong to the database: kept there so that every machine serving it agrees.

use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect,
};

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

/// The same without waiting for whoever writes: what was committed a moment ago may be missing.
pub async fn peek(store: &Store, name: &str) -> Result<Option<String>, DbErr> {
    let row = setting::Entity::find_by_id(name.to_owned())
        .one(store.reader())
        .await?;
    Ok(row.map(|row| row.value))
}

/// The same as a part of what is being written; on PostgreSQL nobody else writes it until that ends.
pub async fn hold(connection: &impl ConnectionTrait, name: &str) -> Result<Option<String>, DbErr> {
    let row = setting::Entity::find_by_id(name.to_owned())
        .lock_exclusive()
        .one(connection)
        .await?;
    Ok(row.map(|row| row.value))
}

/// Writes over a value that is there.
pub async fn set(connection: &impl ConnectionTrait, name: &str, value: &str) -> Result<(), DbErr> {
    setting::Entity::update_many()
        .col_expr(setting::Column::Value, Expr::value(value))
        .filter(setting::Column::Name.eq(name))
        .exec(connection)
        .await?;
    Ok(())
}

/// Writes a value, whether there is one or not.
pub async fn put(connection: &impl ConnectionTrait, name: &str, value: &str) -> Result<(), DbErr> {
    let row = setting::Model {
        name: name.to_owned(),
        value: value.to_owned(),
    };
    let write_over = OnConflict::column(setting::Column::Name)
        .update_column(setting::Column::Value)
        .to_owned();
    setting::Entity::insert(row.into_active_model())
        .on_conflict(write_over)
        .exec_without_returning(connection)
        .await?;
    Ok(())
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
