//! What a shop says which questions a story is asked about jobs of an operation code: the table, and the
//! calls about it.

use actix_web::{get, put, web};
use dispatch_actors::store::Store;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::state::TechStoryState;
use crate::answer::{Answer, DONE, Done};
use crate::calls::Calls;
use crate::change_request::fields;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;
use crate::skills::{
    MAX_PATTERNS, OpcodePattern, OpcodePatternText, PatternMap, too_many_patterns,
};
use crate::staff::Permission;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "story_kinds")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub pattern: String,
        #[sea_orm(column_type = "Text")]
        pub kind: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub fn configure(routes: &mut Calls<'_>) {
    routes.service(list).service(put_kind);
}

/// The kinds of jobs that there are, and which of them a shop has named for an operation code.
#[derive(Serialize, ToSchema)]
pub struct StoryKinds {
    pub kinds: Vec<String>,
    /// By pattern.
    pub codes: Vec<StoryKindOfCode>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StoryKindOfCode {
    /// An opcode, or with a `*` at the end the beginning of some; in capitals, and any case is met.
    pub pattern: String,
    pub kind: String,
}

#[derive(Deserialize, ToSchema)]
pub struct PutStoryKind {
    /// An opcode, or with a `*` at the end the beginning of some; any case.
    pub pattern: OpcodePatternText,
    /// Null: what the interviewer goes by without an entry.
    // Left out it is refused: nobody deletes an entry by a field that was forgotten.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    pub kind: Option<StoryKindName>,
}

/// The name of a kind, as it was sent.
#[derive(Deserialize)]
#[serde(transparent)]
pub struct StoryKindName(String);

impl PartialSchema for StoryKindName {
    fn schema() -> RefOr<Schema> {
        let name = ObjectBuilder::new().schema_type(Type::String);
        name.enum_values(Some(dispatch_stories::kinds())).into()
    }
}

impl ToSchema for StoryKindName {}

/// Which questions are asked about jobs of an operation code, where the shop says so.
#[utoipa::path(
    operation_id = "story_kinds",
    tag = "tech stories",
    responses(
        (status = 200, body = Answer<StoryKinds>),
        (status = 403, body = ErrorBody, description = "The caller has no role"),
    )
)]
#[get("/api/story-kinds")]
pub async fn list(
    caller: Caller,
    state: web::Data<TechStoryState>,
) -> Result<web::Json<Answer<StoryKinds>>, ApiError> {
    caller.require(Permission::EditJobs)?;
    let codes = all(&state.store).await?.into_iter();
    let result = StoryKinds {
        kinds: dispatch_stories::kinds()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        codes: codes
            .map(|row| StoryKindOfCode {
                pattern: row.pattern,
                kind: row.kind,
            })
            .collect(),
    };
    Ok(web::Json(Answer::new(result)))
}

/// Says which questions are asked about jobs of these operation codes, whatever was said before; or with null
/// leaves it to the interviewer again.
#[utoipa::path(
    operation_id = "put_story_kind",
    tag = "tech stories",
    request_body = PutStoryKind,
    responses(
        (status = 200, body = Done),
        (status = 400, body = ErrorBody, description = "`invalid-opcode-pattern`, or there is no such kind, or there are 1,000 patterns"),
        (status = 403, body = ErrorBody),
    )
)]
#[put("/api/story-kinds")]
pub async fn put_kind(
    caller: Caller,
    state: web::Data<TechStoryState>,
    body: web::Json<Map<String, Value>>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageOpcodeRules)?;
    let PutStoryKind { pattern, kind } = fields(body.into_inner())?;
    let pattern = OpcodePattern::parse(&pattern)?;
    let store = &state.store;
    match kind {
        Some(StoryKindName(kind)) => set_kind(store, pattern, kind).await?,
        None => {
            let row = row::Entity::delete_by_id(pattern.as_str().to_owned());
            row.exec(store.writer()).await?;
        }
    }
    state.changes.announce();
    Ok(web::Json(DONE))
}

async fn set_kind(store: &Store, pattern: OpcodePattern, kind: String) -> Result<(), ApiError> {
    let kinds = dispatch_stories::kinds();
    if !kinds.contains(&kind.as_str()) {
        return Err(ApiError::invalid(format!(
            "There is no such kind; there are {}",
            kinds.join(", ")
        )));
    }
    let others = row::Entity::find().filter(row::Column::Pattern.ne(pattern.as_str()));
    if others.count(store.reader()).await? >= MAX_PATTERNS as u64 {
        return Err(too_many_patterns());
    }
    let row = row::Model {
        pattern: pattern.as_str().to_owned(),
        kind,
    };
    let again = OnConflict::column(row::Column::Pattern)
        .update_column(row::Column::Kind)
        .to_owned();
    row::Entity::insert(row.into_active_model())
        .on_conflict(again)
        .exec_without_returning(store.writer())
        .await?;
    Ok(())
}

/// By the letters, whatever a database's own order is.
async fn all(store: &Store) -> Result<Vec<row::Model>, DbErr> {
    let mut rows = row::Entity::find().all(store.reader()).await?;
    rows.sort_by(|a, b| a.pattern.cmp(&b.pattern));
    Ok(rows)
}

/// What the shop says of an operation code: what its own pattern says, else the longest beginning.
pub async fn kind_of_code(store: &Store, code: &str) -> Result<Option<String>, DbErr> {
    let mut kinds = PatternMap::default();
    for row in row::Entity::find().all(store.reader()).await? {
        kinds.insert(&row.pattern, row.kind);
    }
    Ok(kinds.of(code).cloned())
}
