//! The subscribed browsers, and the only SQL about them. A subscription belongs to one sign-in session
//! and ends with it.

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::Store;
use jiff::Timestamp;
use sea_orm::sea_query::{Expr, OnConflict, Query, SelectStatement};
use sea_orm::{
    ColumnTrait, Condition, DbErr, EntityTrait, ExprTrait, IntoActiveModel, QueryFilter, SqlErr,
};

pub use subscription::Model as Subscription;
use subscription::{Column, Entity};

mod subscription {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "push_subscriptions")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub endpoint: String,
        #[sea_orm(column_type = "Text")]
        pub p256dh: String,
        #[sea_orm(column_type = "Text")]
        pub auth: String,
        pub technician: i64,
        #[sea_orm(column_type = "Text")]
        pub session: String,
        pub created_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// What became of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    Kept,
    /// The session has ended meanwhile.
    SessionEnded,
    /// The endpoint is a browser's that has other keys.
    OtherKeys,
}

/// In place of what the session or the endpoint had before: a browser has one. A tablet that changes
/// hands keeps its endpoint and its keys; a person who has learned the endpoint alone cannot take it
/// over while the session that it belongs to runs.
pub async fn put(store: &Store, subscription: Subscription) -> Result<Put, DbErr> {
    let transaction = store.begin_write().await?;
    let before = Entity::find_by_id(&subscription.endpoint)
        .filter(runs())
        .one(&transaction)
        .await?;
    let has_other_keys = |before: &Subscription| {
        before.session != subscription.session
            && (&before.p256dh, &before.auth) != (&subscription.p256dh, &subscription.auth)
    };
    if before.as_ref().is_some_and(has_other_keys) {
        transaction.rollback().await?;
        return Ok(Put::OtherKeys);
    }
    Entity::delete_many()
        .filter(Column::Session.eq(&subscription.session))
        .filter(Column::Endpoint.ne(&subscription.endpoint))
        .exec(&transaction)
        .await?;
    let put = Entity::insert(subscription.into_active_model())
        .on_conflict(
            OnConflict::column(Column::Endpoint)
                .update_columns([
                    Column::P256dh,
                    Column::Auth,
                    Column::Technician,
                    Column::Session,
                    Column::CreatedAt,
                ])
                .to_owned(),
        )
        .exec_without_returning(&transaction)
        .await;
    match put {
        Ok(_) => transaction.commit().await.map(|()| Put::Kept),
        Err(error) => match error.sql_err() {
            Some(SqlErr::ForeignKeyConstraintViolation(_)) => Ok(Put::SessionEnded),
            _ => Err(error),
        },
    }
}

/// Of this session, if it is one of its.
pub async fn remove(store: &Store, endpoint: &str, session: &str) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::Endpoint.eq(endpoint))
        .filter(Column::Session.eq(session))
        .exec(store.writer())
        .await?;
    Ok(())
}

/// The push service has dropped it; a new subscription of the browser from meanwhile stays.
pub async fn forget(store: &Store, subscription: &Subscription) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::Endpoint.eq(&subscription.endpoint))
        .filter(Column::P256dh.eq(&subscription.p256dh))
        .exec(store.writer())
        .await?;
    Ok(())
}

/// A technician's subscriptions whose sign-in sessions still run.
pub async fn of(store: &Store, technician: TechnicianId) -> Result<Vec<Subscription>, DbErr> {
    Entity::find()
        .filter(Column::Technician.eq(technician))
        .filter(runs())
        .all(store.reader())
        .await
}

/// Whether it is still there, as it was, and its sign-in session still runs.
pub async fn is_there(store: &Store, subscription: &Subscription) -> Result<bool, DbErr> {
    let there = Entity::find_by_id(&subscription.endpoint)
        .filter(runs())
        .one(store.reader())
        .await?;
    Ok(there.is_some_and(|there| there == *subscription))
}

fn runs() -> Condition {
    Condition::all().add(Column::Session.in_subquery(running_sessions()))
}

/// An expired session is deleted some time later.
fn running_sessions() -> SelectStatement {
    Query::select()
        .column("id")
        .from("sign_in_sessions")
        .and_where(Expr::col("expires_at").gt(Timestamp::now().as_millisecond()))
        .to_owned()
}
