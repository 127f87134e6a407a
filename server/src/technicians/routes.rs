//! The calls about the shop's list of technicians: who is on it, hiring and removing them, and
//! their skills.

use crate::calls::Calls;
use actix_web::{HttpResponse, delete, get, patch, post, put, web};
use dispatch_actors::repair_order::TechnicianId;
use serde_json::{Map, Value};

use super::Technician;
use super::api_types::{GivenSkill, TechnicianFields, TechnicianToAdd};
use super::state::TechniciansState;
use crate::answer::{Answer, DONE, Done};
use crate::change_request::{ChangeRequest, execute, fields};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::{Caller, Path};
use crate::ids::{NewTechnicianId, SkillId, SkillIdInPath, TechnicianIdInPath};
use crate::skills::SkillLevel;
use crate::staff::Permission;
use crate::text;

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(super::workload::assignments::one)
        .service(super::workload::closed_orders::closed_orders)
        .service(add)
        .service(change)
        .service(delete)
        .service(give)
        .service(take);
}

/// Every technician, by name.
#[utoipa::path(
    operation_id = "technicians",
    tag = "technicians",
    responses(
        (status = 200, body = Answer<Vec<Technician>>),
    )
)]
#[get("/api/repair-orders/technicians")]
pub async fn list(
    _: Caller,
    state: web::Data<TechniciansState>,
) -> Result<web::Json<Answer<Vec<Technician>>>, ApiError> {
    let result = state.technicians.all(state.directory.names()).await?;
    Ok(web::Json(Answer::new(result)))
}

/// Puts somebody on the shop's list of technicians.
#[utoipa::path(
    operation_id = "add_technician",
    tag = "technicians",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = TechnicianToAdd,
    responses(
        (status = 200, body = Answer<Technician>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-level`"),
        (status = 409, body = ErrorBody, description = "`technician-exists`: the number is somebody's"),
    )
)]
#[post("/api/technicians")]
pub async fn add(
    caller: Caller,
    state: web::Data<TechniciansState>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageTechnicians)?;
    let hire: TechnicianToAdd = fields(request.body)?;
    let NewTechnicianId(id) = hire.id_technician.parse()?;
    let patch = TechnicianFields {
        display_name: Some(hire.display_name),
        specialty: hire.specialty,
        daily_hours: hire.daily_hours,
        id_level: hire.id_level,
    };
    let patch = patch.read()?;
    let called = portal_name(&state, id).await?;
    let technicians = &state.technicians;
    let answer = execute(&state.store, &caller.uid, request.key, async |keeper| {
        technicians.add(id, patch, called, &keeper).await
    })
    .await?;
    state.directory.reload().await?;
    Ok(answer)
}

/// Changes what the shop's list has of a technician.
#[utoipa::path(
    operation_id = "change_technician",
    tag = "technicians",
    params(
        ("id" = inline(TechnicianIdInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = TechnicianFields,
    responses(
        (status = 200, body = Answer<Technician>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-technician`, `unknown-level`"),
        (status = 409, body = ErrorBody, description = "idempotency-key-reused"),
    )
)]
#[patch("/api/technicians/{id}")]
pub async fn change(
    caller: Caller,
    state: web::Data<TechniciansState>,
    Path(id): Path<TechnicianId>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageTechnicians)?;
    let patch = fields::<TechnicianFields>(request.body)?.read()?;
    let called = portal_name(&state, id).await?;
    let technicians = &state.technicians;
    let answer = execute(&state.store, &caller.uid, request.key, async |keeper| {
        technicians.change(id, patch, called, &keeper).await
    })
    .await?;
    state.directory.reload().await?;
    Ok(answer)
}

/// Takes somebody off the shop's list of technicians. What they did stays in the history.
#[utoipa::path(
    operation_id = "delete_technician",
    tag = "technicians",
    params(("id" = inline(TechnicianIdInPath), Path)),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-technician`"),
        (status = 409, body = ErrorBody, description = "`technician-in-use`: they are on open orders, or an account is theirs"),
    )
)]
#[delete("/api/technicians/{id}")]
pub async fn delete(
    caller: Caller,
    state: web::Data<TechniciansState>,
    Path(id): Path<TechnicianId>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageTechnicians)?;
    if !state.directory.exists(id).await? {
        return Err(super::store::unknown(id));
    }
    refuse_in_use(&state, id).await?;
    state.technicians.remove(id).await?;
    state.directory.reload().await?;
    Ok(web::Json(DONE))
}

/// 409 `technician-in-use`. A technician assigned to an order at this very moment stays on it: like
/// any technician whom only an order knows, they are then shown by their number.
async fn refuse_in_use(state: &TechniciansState, id: TechnicianId) -> Result<(), ApiError> {
    let orders = state.snapshot.read(|open| {
        let orders = open.orders.values();
        let on = orders.filter(|order| order.has_technician(id));
        on.count()
    });
    let accounts = state.staff.all().await?.into_iter();
    let mut theirs = accounts.filter(|document| document.technician_id == Some(id));
    let sentence = match (orders, theirs.next()) {
        (0, None) => return Ok(()),
        (1, _) => "1 open order has this technician: give it to somebody else first".to_owned(),
        (2.., _) => {
            format!("{orders} open orders have this technician: give them to somebody else first")
        }
        (0, Some(document)) => format!(
            "The account of {} is linked to this technician: delete it or its link first",
            text::quotable(&document.id)
        ),
    };
    Err(ApiError::new(ErrorCode::TechnicianInUse, sentence))
}

/// Gives a technician a skill beside those they have, or another level in it.
#[utoipa::path(
    operation_id = "give_skill",
    tag = "skills",
    params(
        ("id" = inline(TechnicianIdInPath), Path),
        ("idSkill" = inline(SkillIdInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = GivenSkill,
    responses(
        (status = 200, body = Answer<Technician>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-technician`, `unknown-skill`"),
        (status = 409, body = ErrorBody, description = "idempotency-key-reused"),
    )
)]
#[put("/api/technicians/{id}/skills/{idSkill}")]
pub async fn give(
    caller: Caller,
    state: web::Data<TechniciansState>,
    Path((id, skill)): Path<(TechnicianId, SkillId)>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageSkills)?;
    let skill_body: GivenSkill = fields(request.body)?;
    let level = skill_body
        .level
        .as_ref()
        .map(SkillLevel::parse)
        .transpose()?;
    let called = portal_name(&state, id).await?;
    let technicians = &state.technicians;
    execute(&state.store, &caller.uid, request.key, async |keeper| {
        technicians
            .give_skill(id, skill, level, called, &keeper)
            .await
    })
    .await
}

/// Takes a skill from a technician; nothing changes where they do not have it.
#[utoipa::path(
    operation_id = "take_skill",
    tag = "skills",
    params(
        ("id" = inline(TechnicianIdInPath), Path),
        ("idSkill" = inline(SkillIdInPath), Path),
    ),
    responses(
        (status = 200, body = Answer<Technician>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-technician`, `unknown-skill`"),
    )
)]
#[delete("/api/technicians/{id}/skills/{idSkill}")]
pub async fn take(
    caller: Caller,
    state: web::Data<TechniciansState>,
    Path((id, skill)): Path<(TechnicianId, SkillId)>,
) -> Result<web::Json<Answer<Technician>>, ApiError> {
    caller.require(Permission::ManageSkills)?;
    let called = portal_name(&state, id).await?;
    let result = state.technicians.take_skill(id, skill, called).await?;
    Ok(web::Json(Answer::new(result)))
}

/// What their account calls them, if they have one.
async fn portal_name(
    state: &TechniciansState,
    id: TechnicianId,
) -> Result<Option<String>, ApiError> {
    Ok(state.directory.portal_names().await?.remove(&id))
}
