//! What somebody has set up for themselves: an object that their pages make and read, kept whole, so that it is
//! there on every screen they sign in at.

use actix_web::{HttpResponse, get, put, web};
use row::{Column, Entity, Model};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::calls::Calls;
use crate::change_request::{ChangeRequest, execute, fields};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::{Caller, Identity};
use crate::ids::ExpectedVersion;

/// Bytes of a kept object as JSON.
const MAX_BYTES: usize = 16 * 1024;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "preferences")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub uid: String,
        pub version: i64,
        #[sea_orm(column_type = "Text")]
        pub value: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) fn configure(app: &mut Calls<'_>) {
    app.service(read).service(change);
}

#[derive(Serialize, ToSchema)]
pub struct Preferences {
    /// Raised with every change; 0 where nothing has ever been kept.
    version: i64,
    #[schema(value_type = std::collections::HashMap<String, Value>)]
    value: Map<String, Value>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreferencesChange {
    /// The version that it was made of. Where another screen has changed it since, nothing is written.
    #[serde(default)]
    #[schema(required = false)]
    expected_version: ExpectedVersion,
    /// At most 16 kB as JSON.
    #[schema(value_type = std::collections::HashMap<String, Value>)]
    value: Map<String, Value>,
}

/// What the caller has set up for themselves.
#[utoipa::path(
    tag = "own account",
    operation_id = "preferences",
    responses((status = 200, body = Answer<Preferences>))
)]
#[get("/api/me/preferences")]
pub async fn read(
    caller: Caller,
    identity: web::Data<Identity>,
) -> Result<web::Json<Answer<Preferences>>, ApiError> {
    let preferences = kept(identity.inner.store.reader(), &caller.uid).await?;
    Ok(web::Json(Answer::new(preferences)))
}

/// Keeps them in place of those of before.
#[utoipa::path(
    tag = "own account",
    operation_id = "changePreferences",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = PreferencesChange,
    responses(
        (status = 200, body = Answer<Preferences>),
        (status = 409, body = ErrorBody, description = "`stale-version`: another screen has changed them, `current` is what they are now; `idempotency-key-reused`"),
    )
)]
#[put("/api/me/preferences")]
pub async fn change(
    caller: Caller,
    identity: web::Data<Identity>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    let change: PreferencesChange = fields(request.body)?;
    let text = kept_text(&change.value)?;
    let store = &identity.inner.store;
    execute(store, &caller.uid, request.key, async |keeper| {
        let transaction = store.begin_write().await?;
        let version = match change.expected_version.0 {
            Some(version) => version,
            None => kept(&transaction, &caller.uid).await?.version,
        };
        if !write(&transaction, &caller.uid, version, text).await? {
            let current = kept(&transaction, &caller.uid).await?;
            return Err(changed_since(&current));
        }
        let preferences = Preferences {
            version: version.saturating_add(1),
            value: change.value,
        };
        keeper.keep(&transaction, &preferences).await?;
        transaction.commit().await?;
        Ok(preferences)
    })
    .await
}

/// 400 `invalid-request`.
fn kept_text(value: &Map<String, Value>) -> Result<String, ApiError> {
    let text = json!(value).to_string();
    if text.len() > MAX_BYTES {
        let kilobytes = MAX_BYTES / 1_024;
        return Err(ApiError::invalid(format!(
            "value is larger than {kilobytes} kB"
        )));
    }
    Ok(text)
}

/// 409, with what there is now.
fn changed_since(current: &Preferences) -> ApiError {
    ApiError::new(
        ErrorCode::StaleVersion,
        "Your preferences were changed on another screen in the meantime",
    )
    .with(json!({ "current": current }))
}

async fn kept(reader: &impl ConnectionTrait, uid: &str) -> Result<Preferences, ApiError> {
    let row = Entity::find_by_id(uid.to_owned()).one(reader).await?;
    let (version, value) = row.map_or((0, String::new()), |row| (row.version, row.value));
    Ok(Preferences {
        version,
        value: serde_json::from_str(&value).unwrap_or_default(),
    })
}

/// False where the version is another.
async fn write(
    transaction: &impl ConnectionTrait,
    uid: &str,
    version: i64,
    value: String,
) -> Result<bool, ApiError> {
    let written = if version == 0 {
        let row = Model {
            uid: uid.to_owned(),
            version: 1,
            value,
        };
        Entity::insert(row.into_active_model())
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(transaction)
            .await?
    } else {
        let updated = Entity::update_many()
            .col_expr(Column::Version, Expr::value(version.saturating_add(1)))
            .col_expr(Column::Value, Expr::value(value))
            .filter(Column::Uid.eq(uid))
            .filter(Column::Version.eq(version))
            .exec(transaction)
            .await?;
        updated.rows_affected
    };
    Ok(written == 1)
}
