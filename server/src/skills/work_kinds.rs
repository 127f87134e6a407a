//! Which kind of work an operation code is, where the shop says so: the setting, and the calls about it. The code of a
//! dealer's system says it to people who know the system, and nothing else does.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::{get, put, web};
use dispatch_actors::repair_order::Job;
use dispatch_actors::store::Store;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::rule_book::{
    MAX_PATTERNS, OpcodePattern, OpcodePatternText, PatternMap, too_many_patterns,
};
use super::rules::TABLE;
use super::state::SkillsState;
use crate::answer::{Answer, DONE, Done};
use crate::calls::Calls;
use crate::change_request::fields;
use crate::change_signal::ChangeSignal;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;
use crate::settings;
use crate::staff::Permission;

/// JSON: kinds by pattern.
const SETTING: &str = "work-kinds";

/// What jobs of an operation code are, besides what they ask of a technician.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum CodeKind {
    /// A fault is looked for.
    Diagnosis,
    /// The manufacturer pays.
    Warranty,
    /// Sold at a fixed price, such as an oil change.
    Menu,
}

/// What the shop says of its operation codes, made fit for asking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkKindBook(PatternMap<CodeKind>);

impl WorkKindBook {
    pub fn new<'a>(kinds: impl IntoIterator<Item = (&'a str, CodeKind)>) -> Self {
        let mut book = PatternMap::default();
        for (pattern, kind) in kinds {
            book.insert(pattern, kind);
        }
        Self(book)
    }

    /// The kinds of a job: those of its operations, each once.
    pub fn of_job(&self, job: &Job) -> BTreeSet<CodeKind> {
        let codes = job.operations.iter();
        let kinds = codes.filter_map(|operation| self.0.of(&operation.operation_code));
        kinds.copied().collect()
    }
}

#[derive(Clone)]
pub struct WorkKinds {
    store: Store,
    changes: ChangeSignal,
}

type ByPattern = BTreeMap<String, CodeKind>;

/// What was written by a newer version and cannot be read counts as nothing said.
fn read(text: Option<&str>) -> ByPattern {
    let kinds = text.map(serde_json::from_str).transpose();
    kinds.unwrap_or_default().unwrap_or_default()
}

impl WorkKinds {
    pub(crate) fn new(store: Store, changes: ChangeSignal) -> Self {
        Self { store, changes }
    }

    async fn all(&self) -> Result<ByPattern, ApiError> {
        let text = settings::peek(&self.store, SETTING).await?;
        Ok(read(text.as_deref()))
    }

    pub async fn book(&self) -> Result<WorkKindBook, ApiError> {
        let kinds = self.all().await?;
        let kinds = kinds.iter().map(|(pattern, kind)| (&**pattern, *kind));
        Ok(WorkKindBook::new(kinds))
    }

    /// None: nothing is said of these codes any more.
    async fn set(&self, pattern: &OpcodePattern, kind: Option<CodeKind>) -> Result<(), ApiError> {
        let transaction = self.store.begin_exclusive(TABLE).await?;
        let text = settings::hold(&transaction, SETTING).await?;
        let mut kinds = read(text.as_deref());
        match kind {
            Some(kind) => drop(kinds.insert(pattern.as_str().to_owned(), kind)),
            None => drop(kinds.remove(pattern.as_str())),
        }
        if kinds.len() > MAX_PATTERNS {
            return Err(too_many_patterns());
        }
        let text = serde_json::to_string(&kinds).map_err(|error| {
            tracing::error!(%error, "the kinds of work were not written");
            ApiError::unavailable()
        })?;
        settings::put(&transaction, SETTING, &text).await?;
        self.changes.commit(transaction).await?;
        Ok(())
    }
}

pub fn configure(routes: &mut Calls<'_>) {
    routes.service(list).service(put_kind);
}

/// An operation code, and which kind of work its jobs are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WorkKindOfCode {
    /// An opcode, or with a `*` at the end the beginning of some; in capitals, and any case is met.
    pub pattern: String,
    pub kind: CodeKind,
}

#[derive(Deserialize, ToSchema)]
pub struct PutWorkKind {
    /// An opcode, or with a `*` at the end the beginning of some; any case.
    pub pattern: OpcodePatternText,
    /// Null: none of them.
    // Left out it is refused: nobody deletes an entry by a field that was forgotten.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    pub kind: Option<CodeKind>,
}

/// Which operation codes are diagnosis, warranty or menu work, by pattern. Of those that meet a code the longest counts;
/// of other codes nobody knows it.
#[utoipa::path(
    operation_id = "work_kinds",
    tag = "skills",
    responses(
        (status = 200, body = Answer<Vec<WorkKindOfCode>>),
    )
)]
#[get("/api/work-kinds")]
pub async fn list(
    _: Caller,
    state: web::Data<SkillsState>,
) -> Result<web::Json<Answer<Vec<WorkKindOfCode>>>, ApiError> {
    let kinds = state.work_kinds.all().await?.into_iter();
    let kinds = kinds.map(|(pattern, kind)| WorkKindOfCode { pattern, kind });
    Ok(web::Json(Answer::new(kinds.collect())))
}

/// Says which kind of work these operation codes are, whatever was said before; or with null that they are none of these.
#[utoipa::path(
    operation_id = "put_work_kind",
    tag = "skills",
    request_body = PutWorkKind,
    responses(
        (status = 200, body = Done),
        (status = 400, body = ErrorBody, description = "`invalid-opcode-pattern`, or there is no such kind, or there are 1,000 patterns"),
        (status = 403, body = ErrorBody),
    )
)]
#[put("/api/work-kinds")]
pub async fn put_kind(
    caller: Caller,
    state: web::Data<SkillsState>,
    body: web::Json<Map<String, Value>>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageOpcodeRules)?;
    let PutWorkKind { pattern, kind } = fields(body.into_inner())?;
    let pattern = OpcodePattern::parse(&pattern)?;
    state.work_kinds.set(&pattern, kind).await?;
    Ok(web::Json(DONE))
}
