//! The calls about skills: the list, adding to it, changing it, and giving technicians theirs.

use actix_web::{HttpResponse, delete, get, patch, post, web};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{IntoParams, PartialSchema, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use super::{ListedSkill, Skill, SkillLevel, SkillName};
use crate::app::Services;
use crate::change_request::{ChangeRequest, Keep, Receipts, fields, given};
use crate::entries::{self, ENTRIES, counted};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::Caller;
use crate::numerals::{self, IdText, Numeral};
use crate::repair_orders::technician;
use crate::staff::Permission;
use crate::text;

pub fn configure(routes: &mut ServiceConfig) {
    routes
        .service(list)
        .service(add)
        .service(change)
        .service(delete)
        .service(give);
}

#[derive(Serialize, ToSchema)]
pub struct SkillsAnswer {
    /// Always true.
    ok: bool,
    result: Vec<ListedSkill>,
}

#[derive(Deserialize, ToSchema)]
pub struct AddSkills {
    #[schema(schema_with = skill_entries)]
    data: Vec<SkillEntry>,
}

fn skill_entries() -> Schema {
    numerals::entries_of("SkillEntry", ObjectBuilder::new(), ENTRIES)
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", from = "Map<String, Value>")]
pub struct SkillEntry {
    /// 1 to 100 characters, not counting spaces around it; no other skill's, also not in another
    /// case.
    #[schema(schema_with = numerals::line_schema, required)]
    skill_name: Option<Value>,
    /// A whole number from 0 to 1,000,000.
    #[schema(schema_with = numerals::skill_level_schema, required)]
    skill_level: Value,
}

/// What is not sent stays as it is.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeSkill {
    #[serde(default, deserialize_with = "given")]
    #[schema(schema_with = numerals::line_schema, required = false)]
    skill_name: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[schema(schema_with = numerals::skill_level_schema, required = false)]
    skill_level: Option<Value>,
}

#[derive(Serialize, ToSchema)]
pub struct SkillAnswer {
    /// Always true.
    ok: bool,
    result: Skill,
}

#[derive(Serialize, ToSchema)]
pub struct SkillDeletedAnswer {
    /// Always true.
    ok: bool,
    /// Always null.
    #[schema(value_type = Option<bool>, required)]
    result: (),
}

#[derive(Deserialize, ToSchema)]
pub struct GiveSkills {
    #[schema(schema_with = skill_gifts)]
    data: Vec<SkillGift>,
}

fn skill_gifts() -> Schema {
    let readable = numerals::with_numerals(ObjectBuilder::new(), &["idTechnician", "idSkill"]);
    numerals::entries_of("SkillGift", readable, ENTRIES)
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillGift {
    #[schema(schema_with = numerals::technician_schema)]
    id_technician: Numeral,
    #[schema(schema_with = numerals::technician_schema)]
    id_skill: Numeral,
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

#[derive(Serialize)]
#[serde(untagged)]
pub enum SkillResult {
    Done(SkillDone),
    /// As it was answered the first time.
    Again(Value),
    Refused(SkillRefused),
}

impl PartialSchema for SkillResult {
    fn schema() -> RefOr<Schema> {
        OneOfBuilder::new()
            .item(Ref::from_schema_name("SkillDone"))
            .item(Ref::from_schema_name("SkillRefused"))
            .into()
    }
}

impl ToSchema for SkillResult {}

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
        (status = 200, body = SkillsAnswer),
    )
)]
#[get("/api/repair-orders/skills")]
pub async fn list(
    _: Caller,
    services: web::Data<Services>,
) -> Result<web::Json<SkillsAnswer>, ApiError> {
    let result = services.skills.listed().await?;
    Ok(web::Json(SkillsAnswer { ok: true, result }))
}

/// Adds skills: one answers with its own status, several with 200 and a result each.
#[utoipa::path(
    operation_id = "add_skills",
    tag = "skills",
    security(("idToken" = [])),
    params(crate::openapi::IdempotencyKeyHeader),
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
    services: web::Data<Services>,
    request: ChangeRequest<AddSkills>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageSkills)?;
    let entries = counted(request.body.data)?;
    let receipts = Receipts::of(&services.store, &caller.uid, request.key).await?;
    let mut results = Vec::with_capacity(entries.len());
    for (place, entry) in (0..).zip(entries) {
        let done = |skill: &Skill| SkillDone {
            ok: true,
            id_technician: None,
            skill: skill.clone(),
        };
        let added = once(&receipts, place, done, async |receipt| {
            let (name, level) = entry.read()?;
            services.skills.add(&name, level, receipt).await
        });
        results.push(added.await.map_err(|error| Failed {
            error,
            skill_name: entry.name().map(str::to_owned),
            id_technician: None,
        }));
    }
    answer(results)
}

/// Carries an entry out and keeps its answer, or gives the answer it was given before.
async fn once(
    receipts: &Receipts,
    place: i32,
    done: impl Fn(&Skill) -> SkillDone + Sync,
    carry_out: impl AsyncFnOnce(Option<Keep<'_, Skill>>) -> Result<Skill, ApiError>,
) -> Result<SkillResult, ApiError> {
    let again = |answer: &str| serde_json::from_str(answer).ok().map(SkillResult::Again);
    if let Some(answer) = receipts.answer(place).and_then(again) {
        return Ok(answer);
    }
    let write = |skill: &Skill| serde_json::json!(done(skill)).to_string();
    let keep = receipts.key(place).map(|key| Keep {
        key,
        answer: &write,
    });
    match carry_out(keep).await {
        Ok(skill) => Ok(SkillResult::Done(done(&skill))),
        // The same request may have been under way at the same time.
        Err(error) => {
            let meanwhile = receipts.answer_meanwhile(place).await?;
            meanwhile.as_deref().and_then(again).ok_or(error)
        }
    }
}

/// Each is read for itself, whatever is in it.
impl From<Map<String, Value>> for SkillEntry {
    fn from(mut entry: Map<String, Value>) -> Self {
        Self {
            skill_name: entry.remove("skillName"),
            skill_level: entry.remove("skillLevel").unwrap_or_default(),
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
        if is_missing(name) || is_missing(&self.skill_level) {
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
    params(("idSkill" = IdText, Path, description = "The skill's number")),
    request_body = ChangeSkill,
    responses(
        (status = 200, body = SkillAnswer),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "There is no such skill"),
        (status = 409, body = ErrorBody, description = "There is another skill of that name"),
    )
)]
#[patch("/api/repair-orders/skills/{idSkill}")]
pub async fn change(
    caller: Caller,
    services: web::Data<Services>,
    id: web::Path<String>,
    body: web::Json<Map<String, Value>>,
) -> Result<web::Json<SkillAnswer>, ApiError> {
    caller.require(Permission::ManageSkills)?;
    let id = skill_number(&id)?;
    let body: ChangeSkill = fields(body.into_inner())?;
    let name = body.skill_name.as_deref().map(SkillName::parse);
    let level = body.skill_level.as_ref().map(SkillLevel::parse);
    let (name, level) = (name.transpose()?, level.transpose()?);
    let result = services.skills.change(id, name.as_ref(), level).await?;
    Ok(web::Json(SkillAnswer { ok: true, result }))
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
    params(("idSkill" = IdText, Path, description = "The skill's number"), HowToDelete),
    responses(
        (status = 200, body = SkillDeletedAnswer),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "There is no such skill"),
        (status = 409, body = ErrorBody, description = "`skill-in-use`: technicians have it, or rules ask for it"),
    )
)]
#[delete("/api/repair-orders/skills/{idSkill}")]
pub async fn delete(
    caller: Caller,
    services: web::Data<Services>,
    id: web::Path<String>,
    how: web::Query<HowToDelete>,
) -> Result<web::Json<SkillDeletedAnswer>, ApiError> {
    caller.require(Permission::ManageSkills)?;
    let id = skill_number(&id)?;
    services.skills.delete(id, how.even_if_used).await?;
    Ok(web::Json(SkillDeletedAnswer {
        ok: true,
        result: (),
    }))
}

/// Gives each technician a skill in place of those they have: the one that is shown as theirs.
/// One entry answers with its own status, several with 200 and a result each.
#[utoipa::path(
    operation_id = "give_skills",
    tag = "skills",
    security(("idToken" = [])),
    params(crate::openapi::IdempotencyKeyHeader),
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
    services: web::Data<Services>,
    request: ChangeRequest<GiveSkills>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageUsers)?;
    let entries = counted(request.body.data)?;
    let receipts = Receipts::of(&services.store, &caller.uid, request.key).await?;
    let mut results = Vec::with_capacity(entries.len());
    for (place, entry) in (0..).zip(entries) {
        let whose = technician(&entry.id_technician);
        let done = |skill: &Skill| SkillDone {
            ok: true,
            id_technician: whose.as_ref().ok().copied(),
            skill: skill.clone(),
        };
        let given = once(&receipts, place, done, async |receipt| {
            let technician = technician(&entry.id_technician)?;
            let skill = skill_number(&entry.id_skill.text())?;
            let technicians = &services.technicians;
            technicians.set_skill(technician, skill, receipt).await
        });
        results.push(given.await.map_err(|error| Failed {
            error,
            skill_name: None,
            id_technician: technician(&entry.id_technician).ok(),
        }));
    }
    answer(results)
}

pub(crate) fn skill_number(text: &str) -> Result<i64, ApiError> {
    text.trim().parse().map_err(|_| {
        let text = text::quotable(text);
        ApiError::invalid(format!("'{text}' is not a skill's number"))
    })
}

/// Why an entry was refused, and what it was about.
struct Failed {
    error: ApiError,
    skill_name: Option<String>,
    id_technician: Option<i64>,
}

fn answer(results: Vec<Result<SkillResult, Failed>>) -> Result<HttpResponse, ApiError> {
    let mut about = Vec::with_capacity(results.len());
    let results = results
        .into_iter()
        .map(|result| match result {
            Ok(done) => {
                about.push((None, None));
                Ok(done)
            }
            Err(failed) => {
                about.push((failed.skill_name, failed.id_technician));
                Err(failed.error)
            }
        })
        .collect();
    entries::answer(results, |place, error| {
        let (skill_name, id_technician) = about[place].clone();
        SkillResult::Refused(SkillRefused {
            ok: false,
            error: error.error,
            code: error.code,
            skill_name,
            id_technician,
        })
    })
}
