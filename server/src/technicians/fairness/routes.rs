//! The call about who was given how much.

use actix_web::{get, web};
use dispatch_actors::repair_order::TechnicianId;

use super::super::Technician;
use super::super::state::TechniciansState;
use super::api_types::{FairnessLedger, Given, TechnicianWeek};
use crate::answer::Answer;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;
use crate::staff::Permission;

/// How much of which work each technician was given this week, beside those who were on the clock in it.
#[utoipa::path(
    operation_id = "fairness",
    tag = "technicians",
    responses(
        (status = 200, body = Answer<FairnessLedger>),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/fairness")]
pub async fn fairness(
    caller: Caller,
    state: web::Data<TechniciansState>,
) -> Result<web::Json<Answer<FairnessLedger>>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let technicians = state.technicians.all(state.directory.names()).await?;
    let ids: Vec<TechnicianId> = technicians.iter().map(|one| one.id_technician).collect();
    let week = state.fairness.this_week(&ids).await?;
    let technician = |one: Technician| TechnicianWeek {
        on_clock: week.on_clock.contains(&one.id_technician),
        given: Given::from(&week.given_to(one.id_technician)),
        id_technician: one.id_technician,
        display_name: one.display_name,
    };
    Ok(web::Json(Answer::new(FairnessLedger {
        since: week.since,
        on_clock: week.team.count,
        average_hours: week.team.average_hours(),
        jobs_without_hours: week.team.jobs_without_hours,
        technicians: technicians.into_iter().map(technician).collect(),
    })))
}
