//! The calls about the organisation: who sits in which level, and the levels themselves.

use crate::calls::Calls;
use actix_web::{HttpResponse, delete, get, patch, post, web};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::Technician;
use super::organisation::Level;
use super::state::TechniciansState;
use crate::answer::{Answer, DONE, Done};
use crate::change_request::{ChangeRequest, double_option, execute, fields};
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path};
use crate::ids::{LevelId, LevelIdInPath, LevelPositionInBody};
use crate::limits;
use crate::staff::Permission;
use crate::text::OneLine;

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(show)
        .service(add)
        .service(change)
        .service(delete);
}

/// A level and who sits in it.
#[derive(Serialize, ToSchema)]
pub struct OrganisationLevel {
    #[serde(flatten)]
    level: Level,
    /// By name.
    technicians: Vec<Technician>,
}

#[derive(Serialize, ToSchema)]
pub struct Chart {
    /// From the top.
    levels: Vec<OrganisationLevel>,
    /// Who sits in none, by name.
    unplaced: Vec<Technician>,
}

#[derive(Deserialize, ToSchema)]
pub struct NewLevel {
    /// 1 to 100 characters; no other level's, also not in another case.
    name: OneLine,
    /// From the top, 1 the first; at the bottom where it is left out or beyond it.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    position: Option<LevelPositionInBody>,
}

/// A field that is not sent stays unchanged.
#[derive(Deserialize, ToSchema)]
pub struct LevelFields {
    /// 1 to 100 characters; no other level's, also not in another case.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    name: Option<OneLine>,
    /// From the top, 1 the first; at the bottom where it is beyond it.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    position: Option<LevelPositionInBody>,
}

/// The levels from the top, with who sits in them, and who sits in none.
#[utoipa::path(
    operation_id = "organisation",
    tag = "technicians",
    responses(
        (status = 200, body = Answer<Chart>),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/organisation")]
pub async fn show(
    _: Caller,
    state: web::Data<TechniciansState>,
) -> Result<web::Json<Answer<Chart>>, ApiError> {
    let levels = state.organisation.levels().await?;
    let mut unplaced = state.technicians.all(state.directory.names()).await?;
    let levels = levels
        .into_iter()
        .map(|level| {
            let sits = |technician: &mut Technician| technician.id_level == Some(level.id_level);
            OrganisationLevel {
                technicians: unplaced.extract_if(.., sits).collect(),
                level,
            }
        })
        .collect();
    Ok(web::Json(Answer::new(Chart { levels, unplaced })))
}

/// Adds a level; those below it move down.
#[utoipa::path(
    operation_id = "add_level",
    tag = "technicians",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = NewLevel,
    responses(
        (status = 200, body = Answer<Level>),
        (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "`level-exists`: there is a level of that name"),
    )
)]
#[post("/api/organisation/levels")]
pub async fn add(
    caller: Caller,
    state: web::Data<TechniciansState>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageTechnicians)?;
    let new: NewLevel = fields(request.body)?;
    let name = level_name(&new.name)?;
    let position = new.position.map(|position| position.parse()).transpose()?;
    execute(&state.store, &caller.uid, request.key, async |keeper| {
        state.organisation.add(&name, position, &keeper).await
    })
    .await
}

/// Gives a level another name, another place, or both.
#[utoipa::path(
    operation_id = "change_level",
    tag = "technicians",
    params(
        ("idLevel" = inline(LevelIdInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = LevelFields,
    responses(
        (status = 200, body = Answer<Level>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-level`"),
        (status = 409, body = ErrorBody, description = "`level-exists`: there is another level of that name"),
    )
)]
#[patch("/api/organisation/levels/{idLevel}")]
pub async fn change(
    caller: Caller,
    state: web::Data<TechniciansState>,
    Path(id): Path<LevelId>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageTechnicians)?;
    let change: LevelFields = fields(request.body)?;
    let name = change.name.as_deref().map(level_name).transpose()?;
    let position = change
        .position
        .map(|position| position.parse())
        .transpose()?;
    execute(&state.store, &caller.uid, request.key, async |keeper| {
        let organisation = &state.organisation;
        organisation
            .change(id, name.as_deref(), position, &keeper)
            .await
    })
    .await
}

/// Deletes a level in which nobody sits; those below it move up.
#[utoipa::path(
    operation_id = "delete_level",
    tag = "technicians",
    params(("idLevel" = inline(LevelIdInPath), Path)),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-level`"),
        (status = 409, body = ErrorBody, description = "`level-in-use`: technicians sit in it"),
    )
)]
#[delete("/api/organisation/levels/{idLevel}")]
pub async fn delete(
    caller: Caller,
    state: web::Data<TechniciansState>,
    Path(id): Path<LevelId>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageTechnicians)?;
    state.organisation.delete(id).await?;
    Ok(web::Json(DONE))
}

fn level_name(text: &str) -> Result<String, ApiError> {
    limits::short_text("The level's name", text)
}
