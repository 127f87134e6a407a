//! The calls about skills: the list, adding to it, changing it, and giving technicians theirs.

use crate::calls::Calls;
use actix_web::{HttpResponse, delete, get, patch, post, web};
use serde_json::{Map, Value};

use super::api_types::{
    AddSkills, ChangeSkill, DeleteOptions, GiveSkills, SkillDone, SkillEntry, SkillGift,
    SkillRefused, SkillResult,
};
use super::state::SkillsState;
use super::{ListedSkill, Skill, SkillKind, SkillLevel, SkillName};
use crate::answer::{Answer, BatchAnswer, DONE, Done};
use crate::change_request::{
    BatchOptions, ChangeRequest, IdempotencyRecords, Refusals, answer_batch, check_batch_size,
    execute_batch, fields,
};
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path};
use crate::ids::{SkillId, SkillIdInPath};
use crate::staff::Permission;

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(list)
        .service(add)
        .service(change)
        .service(delete)
        .service(give);
}

/// Every skill, the highest level first, then by name.
#[utoipa::path(
    operation_id = "skills",
    tag = "skills",
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
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = AddSkills,
    responses(
        (status = 200, body = BatchAnswer<SkillResult>),
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
            let done = |skill| SkillDone::new(None, skill);
            state.skills.add(entry.read()?, &keeper, done).await
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

/// Gives a skill another name, level or kind, or several of them.
#[utoipa::path(
    operation_id = "change_skill",
    tag = "skills",
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
    let kind = body.skill_kind.as_ref();
    let kind = kind.map(|kind| SkillKind::parse(&kind.0)).transpose()?;
    let (name, level) = (name.transpose()?, level.transpose()?);
    let result = state.skills.change(id, name.as_ref(), level, kind);
    let result = result.await?;
    Ok(web::Json(Answer::new(result)))
}

/// Deletes a skill that nobody has and no rule asks for; with `evenIfUsed` others, too.
#[utoipa::path(
    operation_id = "delete_skill",
    tag = "skills",
    params(("idSkill" = inline(SkillIdInPath), Path), DeleteOptions),
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
    how: web::Query<DeleteOptions>,
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
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = GiveSkills,
    responses(
        (status = 200, body = BatchAnswer<SkillResult>),
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
