//! How long who worked on the jobs of an order.

use std::collections::BTreeMap;

use actix_web::{get, web};
use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::state::ClocksState;
use super::store;
use crate::answer::Answer;
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path};
use crate::ids::RoNumberInPath;

/// A technician's time on a job of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ClockedOnJob)]
pub struct OnJob {
    job_number: i32,
    technician_id: i64,
    technician_name: String,
    /// Milliseconds.
    #[schema(minimum = 0)]
    clocked_ms: i64,
}

/// Who clocked how long on each job of an order up to now, by job; none where nobody did. A technician who is neither
/// Owner nor Admin sees only their own time.
#[utoipa::path(
    operation_id = "time_on_order",
    tag = "clocks",
    params(("roNumber" = inline(RoNumberInPath), Path)),
    responses(
        (status = 200, body = Answer<Vec<OnJob>>),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/repair-orders/{roNumber}/clocked-time")]
pub async fn time_on_order(
    caller: Caller,
    state: web::Data<ClocksState>,
    Path(number): Path<RoNumber>,
) -> Result<web::Json<Answer<Vec<OnJob>>>, ApiError> {
    let visibility = caller.visibility();
    let now = Timestamp::now();
    let entries = store::on_orders(state.store.reader(), &[number]).await?;
    let mut times: BTreeMap<(i32, TechnicianId), SignedDuration> = BTreeMap::new();
    for (technician, entry) in entries {
        let Some(work) = entry
            .work
            .filter(|_| visibility.shows_technician(technician))
        else {
            continue;
        };
        let ended = entry.ended_at.unwrap_or(now);
        *times.entry((work.job, technician)).or_default() += ended.duration_since(entry.started_at);
    }
    let names = state.directory.names();
    let times = times.into_iter();
    let result = times.map(|((job_number, technician_id), time)| OnJob {
        job_number,
        technician_id,
        technician_name: names.of(technician_id, None),
        clocked_ms: i64::try_from(time.as_millis()).unwrap_or(i64::MAX).max(0),
    });
    Ok(web::Json(Answer::new(result.collect())))
}
