//! The cars that a technician is done with, and the stories that are still to be written.

use std::collections::HashSet;

use actix_web::{get, web};
use dispatch_actors::repair_order::{Job, RepairOrder, RoNumber, TechnicianId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::state::TechniciansState;
use crate::answer::Answer;
use crate::clocks::Work;
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path};
use crate::ids::TechnicianIdInPath;

const DEFAULT_DAYS: u32 = 14;
const MAX_DAYS: u32 = 90;

/// A technician closes some hundred orders in 90 days.
const MAX_ORDERS: u64 = 1_000;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ClosedWithin {
    /// Closed within so many days; 14 without it.
    #[param(nullable = false, minimum = 1, maximum = 90)]
    days: Option<u32>,
}

/// A closed order that a technician is on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ClosedOrderOfTechnician)]
pub struct ClosedOrder {
    repair_order_number: i64,
    /// The dealer system's text for the number, where it is not just its digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    display_number: Option<String>,
    #[serde(rename = "vehicleVIN")]
    vehicle_vin: String,
    vehicle: String,
    customer: String,
    closed_date_time: Timestamp,
    jobs: Vec<ClosedJob>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosedJob {
    job_number: i32,
    /// Of the first operation; empty where there is none.
    opcode: String,
    concern: String,
    /// The technician clocked time on it, or marked it as done.
    worked_on: bool,
    has_story: bool,
}

/// The closed orders of the last days that a technician is on, the newest first. A technician who is neither Admin nor
/// Owner sees only their own.
#[utoipa::path(
    operation_id = "closed_orders_of_technician",
    tag = "technicians",
    params(("id" = inline(TechnicianIdInPath), Path), ClosedWithin),
    responses(
        (status = 200, body = Answer<Vec<ClosedOrder>>),
        (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/technicians/{id}/closed-orders")]
pub async fn closed_orders(
    caller: Caller,
    state: web::Data<TechniciansState>,
    Path(technician): Path<TechnicianId>,
    within: web::Query<ClosedWithin>,
) -> Result<web::Json<Answer<Vec<ClosedOrder>>>, ApiError> {
    caller.require_sight_of(technician)?;
    let days = within.days.unwrap_or(DEFAULT_DAYS);
    if !(1..=MAX_DAYS).contains(&days) {
        return Err(ApiError::invalid(format!("days must be 1 to {MAX_DAYS}")));
    }
    let since = Timestamp::now() - SignedDuration::from_hours(i64::from(days) * 24);
    let store = &state.store;
    let orders = store
        .closed_of_technician(technician, since, MAX_ORDERS)
        .await?;
    let numbers: Vec<RoNumber> = orders.iter().map(|order| order.number).collect();
    let worked_on = state.clocks.worked_on(technician, &numbers).await?;
    let closed = orders
        .iter()
        .filter_map(|order| ClosedOrder::new(order, &worked_on));
    Ok(web::Json(Answer::new(closed.collect())))
}

impl ClosedOrder {
    fn new(order: &RepairOrder, worked_on: &HashSet<Work>) -> Option<Self> {
        let job = |job: &Job| ClosedJob {
            job_number: job.job_number,
            opcode: job
                .operations
                .first()
                .map(|one| one.operation_code.clone())
                .unwrap_or_default(),
            concern: job.concern.clone(),
            worked_on: worked_on.contains(&Work {
                order: order.number,
                job: job.job_number,
            }),
            has_story: !job.tech_story.trim().is_empty(),
        };
        Some(Self {
            repair_order_number: order.number.get(),
            display_number: order.dms_number.clone(),
            vehicle_vin: order.header.vin.clone(),
            vehicle: order.header.vehicle.clone(),
            customer: order.header.customer.clone(),
            closed_date_time: order.closed_at?,
            jobs: order.jobs.iter().map(job).collect(),
        })
    }
}
