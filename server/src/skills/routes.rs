//! The calls about skills: the list, adding to it, changing it, and giving technicians theirs.

use actix_web::{HttpResponse, delete, get, patch, post, web};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::openapi::schema::{ObjectBuilder, Schema};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use super::state::SkillsState;
use super::{ListedSkill, Skill, SkillLevel, SkillLevelInBody, SkillName};
use crate::answer::{Answer, DONE, Done};
use crate::change_request::{
    BatchOptions, ChangeRequest, IdempotencyRecords, Refusals, answer_batch, check_batch_size,
    double_option, entries_schema, execute_batch, fields, with_numbers,
};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::{Caller, Path};
use crate::ids::{SkillId, SkillIdInBody, SkillIdInPath, TechnicianIdInBody};
use crate::staff::Permission;
use crate::text::OneLine;

pub fn configure(routes: &mut ServiceConfig) {
    routes
        .service(list)
        .service(add)
        .service(change)
        .service(delete)
        .service(give);
}

#[derive(Deserialize, ToSchema)]
pub struct AddSkills {
    #[schema(schema_with = skill_entries)]
    data: Vec<SkillEntry>,
}

fn skill_entries() -> Schema {
    entries_schema("SkillEntry", ObjectBuilder::new())
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", from = "Map<String, Value>")]
pub struct SkillEntry {
    /// 1 to 100 characters, not counting spaces around it; no other skill's, also not in another
    /// case.
    #[schema(value_type = OneLine, required)]
    skill_name: Option<Value>,
    /// A whole number from 0 to 1,000,000.
    skill_level: SkillLevelInBody,
}

/// What is not sent stays as it is.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeSkill {
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    skill_name: Option<OneLine>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    skill_level: Option<SkillLevelInBody>,
}

#[derive(Deserialize, ToSchema)]
pub struct GiveSkills {
    #[schema(schema_with = skill_gifts)]
    data: Vec<SkillGift>,
}

fn skill_gifts() -> Schema {
    let readable = with_numbers(ObjectBuilder::new(), &["idTechnician", "idSkill"]);
    entries_schema("SkillGift", readable)
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillGift {
    id_technician: TechnicianIdInBody,
    id_skill: SkillIdInBody,
}

/// An entry that was carried out.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillDone {
    /// Always true.
    ok: bool,
    /// The technician who has it now; only where skills are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    id_technician: Option<i64>,
    #[serde(flatten)]
    skill: Skill,
}

impl SkillDone {
    fn new(id_technician: Option<i64>, skill: Skill) -> Self {
        Self {
            ok: true,
            id_technician,
            skill,
        }
    }
}

/// An entry that changed nothing, why, and which one it was.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillRefused {
    /// Always false.
    ok: bool,
    error: String,
    code: ErrorCode,
    /// As it was sent; only where skills are added.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    skill_name: Option<String>,
    /// Only where skills are given, and if it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    id_technician: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum SkillResult {
    Done(SkillDone),
    Refused(SkillRefused),
}

/// What became of each entry, in their order.
#[derive(Serialize, ToSchema)]
pub struct SkillResultsAnswer {
    /// False when an entry of several was refused.
    ok: bool,
    result: Vec<SkillResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<&'static str>,
}

/// Every skill, the highest level first, then by name.
#[utoipa::path(
    operation_id = "skills",
    tag = "skills",
    security(("idToken" = [])),
    responses(
        (status = 200, body = Answer<Vec<ListedSkill>>),
    )
)]
#[get("/api/repair-orders/skills")]
pub async fn list(
    _: Caller,
    state: web::Data<SkillsState>,
) -> Result<web::Json<Answer<Vec<ListedSkill>>>, ApiError> {
    let result = state.skills.listed().await?;
    Ok(web::Json(Answer::new(result)))
}

/// Adds skills: one answers with its own status, several with 200 and a result each.
#[utoipa::path(
    operation_id = "add_skills",
    tag = "skills",
    security(("idToken" = [])),
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = AddSkills,
    responses(
        (status = 200, body = SkillResultsAnswer),
        (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "There is a skill of that name"),
    )
)]
#[post("/api/repair-orders/skills")]
pub async fn add(
    caller: Caller,
    state: web::Data<SkillsState>,
    request: ChangeRequest<AddSkills>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageSkills)?;
    let entries = check_batch_size(request.body.data)?;
    let names: Vec<_> = entries
        .iter()
        .map(|entry| entry.name().map(str::to_owned))
        .collect();
    let records = IdempotencyRecords::open(&state.store, &caller.uid, request.key).await?;
    let results = execute_batch(
        &records,
        entries,
        BatchOptions::one_by_one(Refusals::Retried),
        async |entry: SkillEntry, keeper| {
            let (name, level) = entry.read()?;
            let done = |skill| SkillDone::new(None, skill);
            state.skills.add(&name, level, &keeper, done).await
        },
    );
    answer_batch(results.await, |place, error| SkillRefused {
        ok: false,
        error: error.error,
        code: error.code,
        skill_name: names[place].clone(),
        id_technician: None,
    })
}

/// Each is read for itself, whatever is in it.
impl From<Map<String, Value>> for SkillEntry {
    fn from(mut entry: Map<String, Value>) -> Self {
        Self {
            skill_name: entry.remove("skillName"),
            skill_level: SkillLevelInBody(entry.remove("skillLevel").unwrap_or_default()),
        }
    }
}

impl SkillEntry {
    fn name(&self) -> Option<&str> {
        self.skill_name.as_ref().and_then(Value::as_str)
    }

    fn read(&self) -> Result<(SkillName, SkillLevel), ApiError> {
        let is_missing = |value: &Value| match value {
            Value::Null => true,
            Value::String(text) => text.trim().is_empty(),
            _ => false,
        };
        let name = self.skill_name.as_ref().unwrap_or(&Value::Null);
        if is_missing(name) || is_missing(&self.skill_level.0) {
            return Err(ApiError::new(
                ErrorCode::IncompleteSkill,
                "Please fill in both skill name and level",
            ));
        }
        Ok((
            SkillName::parse(name.as_str().unwrap_or_default())?,
            SkillLevel::parse(&self.skill_level)?,
        ))
    }
}

/// Gives a skill another name, another level, or both.
#[utoipa::path(
    operation_id = "change_skill",
    tag = "skills",
    security(("idToken" = [])),
    params(("idSkill" = inline(SkillIdInPath), Path)),
    request_body = ChangeSkill,
    responses(
        (status = 200, body = Answer<Skill>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "There is no such skill"),
        (status = 409, body = ErrorBody, description = "There is another skill of that name"),
    )
)]
#[patch("/api/repair-orders/skills/{idSkill}")]
pub async fn change(
    caller: Caller,
    state: web::Data<SkillsState>,
    Path(SkillId(id)): Path<SkillId>,
    body: web::Json<Map<String, Value>>,
) -> Result<web::Json<Answer<Skill>>, ApiError> {
    caller.require(Permission::ManageSkills)?;
    let body: ChangeSkill = fields(body.into_inner())?;
    let name = body.skill_name.as_deref().map(SkillName::parse);
    let level = body.skill_level.as_ref().map(SkillLevel::parse);
    let (name, level) = (name.transpose()?, level.transpose()?);
    let result = state.skills.change(id, name.as_ref(), level).await?;
    Ok(web::Json(Answer::new(result)))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct HowToDelete {
    /// Technicians who have it have it no more then, and rules that ask for it are gone.
    #[serde(default)]
    #[param(required = false)]
    even_if_used: bool,
}

/// Deletes a skill that nobody has and no rule asks for; others, too, if that is said.
#[utoipa::path(
    operation_id = "delete_skill",
    tag = "skills",
    security(("idToken" = [])),
    params(("idSkill" = inline(SkillIdInPath), Path), HowToDelete),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "There is no such skill"),
        (status = 409, body = ErrorBody, description = "`skill-in-use`: technicians have it, or rules ask for it"),
    )
)]
#[delete("/api/repair-orders/skills/{idSkill}")]
pub async fn delete(
    caller: Caller,
    state: web::Data<SkillsState>,
    Path(SkillId(id)): Path<SkillId>,
    how: web::Query<HowToDelete>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageSkills)?;
    state.skills.delete(id, how.even_if_used).await?;
    Ok(web::Json(DONE))
}

/// Gives each technician a skill in place of those they have: the one that is shown as theirs.
/// One entry answers with its own status, several with 200 and a result each.
#[utoipa::path(
    operation_id = "give_skills",
    tag = "skills",
    security(("idToken" = [])),
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = GiveSkills,
    responses(
        (status = 200, body = SkillResultsAnswer),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "There is no such technician or skill"),
        (status = 409, body = ErrorBody, description = "idempotency-key-reused"),
    )
)]
#[post("/api/repair-orders/technician-skills")]
pub async fn give(
    caller: Caller,
    state: web::Data<SkillsState>,
    request: ChangeRequest<GiveSkills>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageUsers)?;
    let entries = check_batch_size(request.body.data)?;
    let technicians: Vec<_> = entries
        .iter()
        .map(|entry| entry.id_technician.parse().ok())
        .collect();
    let records = IdempotencyRecords::open(&state.store, &caller.uid, request.key).await?;
    let results = execute_batch(
        &records,
        entries,
        BatchOptions::one_by_one(Refusals::Retried),
        async |entry: SkillGift, keeper| {
            let technician = entry.id_technician.parse()?;
            let skill = entry.id_skill.parse()?.0;
            let done = |skill| SkillDone::new(Some(technician), skill);
            let technicians = &state.technicians;
            technicians
                .set_skill(technician, skill, &keeper, done)
                .await
        },
    );
    answer_batch(results.await, |place, error| SkillRefused {
        ok: false,
        error: error.error,
        code: error.code,
        skill_name: None,
        id_technician: technicians[place],
    })
}
