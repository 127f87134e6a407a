//! The table of named views, and the only SQL about it. Whoever may not see a view is told that there is none.

use dispatch_actors::store::{Store, WriteTransaction};
use row::{Column, Entity, Model};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel,
    QueryFilter,
};
use serde_json::json;
use uuid::Uuid;

use super::api_types::{NamedView, NamedViewFields, NewNamedView};
use crate::change_request::AnswerKeeper;
use crate::error::{ApiError, ErrorCode};
use crate::identity::Caller;
use crate::limits::short_text;
use crate::repair_orders::api_types::By;
use crate::staff::Permission;
use crate::text::folded;

/// Of one author: more are not found again.
const MAX_VIEWS: usize = 50;

/// Characters of a query.
const MAX_QUERY_LENGTH: usize = 2_000;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "named_views")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub id: String,
        #[sea_orm(column_type = "Text")]
        pub author_uid: String,
        #[sea_orm(column_type = "Text")]
        pub author_name: String,
        #[sea_orm(column_type = "Text")]
        pub name: String,
        #[sea_orm(column_type = "Text")]
        pub name_key: String,
        #[sea_orm(column_type = "Text")]
        pub query: String,
        pub shared: bool,
        pub version: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Those that somebody sees: their own first, then others', each by name.
pub async fn visible_to(store: &Store, caller: &Caller) -> Result<Vec<NamedView>, DbErr> {
    let is_visible = Column::AuthorUid
        .eq(caller.uid.as_str())
        .or(Column::Shared.eq(true));
    let mut rows = Entity::find()
        .filter(is_visible)
        .all(store.reader())
        .await?;
    rows.sort_by_cached_key(|row| {
        let is_others = row.author_uid != caller.uid;
        (is_others, row.name_key.clone(), row.id.clone())
    });
    Ok(rows.into_iter().map(NamedView::from).collect())
}

/// 409 `view-exists`, `too-many-views`.
pub async fn add(
    store: &Store,
    caller: &Caller,
    new: NewNamedView,
    keeper: &AnswerKeeper,
) -> Result<NamedView, ApiError> {
    let name = short_text("The view's name", &new.name)?;
    let row = Model {
        id: Uuid::new_v4().to_string(),
        author_uid: caller.uid.clone(),
        author_name: caller.name.clone(),
        name_key: folded(&name),
        name,
        query: checked_query(new.query)?,
        shared: new.shared,
        version: 1,
    };
    let transaction = begin(store).await?;
    let others = all_of(&transaction, &caller.uid).await?;
    if others.len() >= MAX_VIEWS {
        return Err(ApiError::new(
            ErrorCode::TooManyViews,
            format!("You have {MAX_VIEWS} views already; delete one that you do not use"),
        ));
    }
    require_new_name(&row, &others)?;
    Entity::insert(row.clone().into_active_model())
        .exec_without_returning(&transaction)
        .await?;
    written(transaction, row, keeper).await
}

/// 404 `unknown-view`, 403 for others' views, 409 `stale-version` and `view-exists`.
pub async fn change(
    store: &Store,
    caller: &Caller,
    id: &str,
    fields: NamedViewFields,
    keeper: &AnswerKeeper,
) -> Result<NamedView, ApiError> {
    let transaction = begin(store).await?;
    let mut row = find_or_404(&transaction, caller, id).await?;
    if row.author_uid != caller.uid {
        return Err(ApiError::forbidden(format!(
            "Only {} can change this view",
            row.author_name
        )));
    }
    let expected = fields.expected_version.0;
    if expected.is_some_and(|expected| expected != row.version) {
        return Err(changed_since(row));
    }
    if let Some(name) = fields.name {
        row.name = short_text("The view's name", &name)?;
        row.name_key = folded(&row.name);
        let others = all_of(&transaction, &caller.uid).await?;
        require_new_name(&row, &others)?;
    }
    if let Some(query) = fields.query {
        row.query = checked_query(query)?;
    }
    row.shared = fields.shared.unwrap_or(row.shared);
    row.author_name = caller.name.clone();
    row.version = row.version.saturating_add(1);
    Entity::update(row.clone().into_active_model().reset_all())
        .exec(&transaction)
        .await?;
    written(transaction, row, keeper).await
}

/// One's own; of others' those that are shared, by whom a role permits it. 404 `unknown-view`, 403.
pub async fn delete(store: &Store, caller: &Caller, id: &str) -> Result<(), ApiError> {
    let transaction = begin(store).await?;
    let row = find_or_404(&transaction, caller, id).await?;
    if row.author_uid != caller.uid {
        caller.require(Permission::DeleteSharedViews)?;
    }
    Entity::delete_by_id(row.id).exec(&transaction).await?;
    Ok(transaction.commit().await?)
}

/// One change of the table at a time: names and numbers are compared with the author's other views.
async fn begin(store: &Store) -> Result<WriteTransaction, DbErr> {
    store.begin_exclusive("named_views").await
}

async fn all_of(connection: &impl ConnectionTrait, uid: &str) -> Result<Vec<Model>, DbErr> {
    Entity::find()
        .filter(Column::AuthorUid.eq(uid))
        .all(connection)
        .await
}

async fn find_or_404(
    transaction: &WriteTransaction,
    caller: &Caller,
    id: &str,
) -> Result<Model, ApiError> {
    let row = Entity::find_by_id(id).one(transaction).await?;
    row.filter(|row| row.shared || row.author_uid == caller.uid)
        .ok_or_else(|| ApiError::new(ErrorCode::UnknownView, "There is no such view any more"))
}

async fn written(
    transaction: WriteTransaction,
    row: Model,
    keeper: &AnswerKeeper,
) -> Result<NamedView, ApiError> {
    let view = NamedView::from(row);
    keeper.keep(&transaction, &view).await?;
    transaction.commit().await?;
    Ok(view)
}

fn require_new_name(row: &Model, others: &[Model]) -> Result<(), ApiError> {
    let is_taken = |other: &&Model| other.id != row.id && other.name_key == row.name_key;
    match others.iter().find(is_taken) {
        Some(other) => Err(ApiError::new(
            ErrorCode::ViewExists,
            format!("You already have a view called {}", other.name),
        )),
        None => Ok(()),
    }
}

fn checked_query(query: String) -> Result<String, ApiError> {
    if query.len() > MAX_QUERY_LENGTH {
        return Err(ApiError::invalid(format!(
            "query is longer than {MAX_QUERY_LENGTH} characters"
        )));
    }
    if !query.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(ApiError::invalid(
            "query is not that of an address: it is plain characters without spaces",
        ));
    }
    Ok(query)
}

/// 409, with what there is now.
fn changed_since(row: Model) -> ApiError {
    ApiError::new(
        ErrorCode::StaleVersion,
        "This view was changed on another screen in the meantime",
    )
    .with(json!({ "current": NamedView::from(row) }))
}

impl From<Model> for NamedView {
    fn from(row: Model) -> Self {
        Self {
            view_id: row.id,
            name: row.name,
            query: row.query,
            shared: row.shared,
            version: row.version,
            author: By {
                uid: row.author_uid,
                name: row.author_name,
            },
        }
    }
}
