//! The calls about the job clock: who is on it, a technician's own, and taps.

use crate::calls::Calls;
use actix_web::{HttpResponse, get, post, web};
use dispatch_actors::repair_order::TechnicianId;
use jiff::Timestamp;

use super::api_types::{ClockEntry, ClockOn, ClocksNow, Days, Tap, TechnicianClock};
use super::arithmetic::{Action, Work};
use super::corrections::work;
use super::state::ClocksState;
use super::taps::TapRequest;
use super::{correction_routes, order_time, proposal_routes};
use crate::answer::Answer;
use crate::change_request::{ChangeRequest, execute, run_detached};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::{Caller, Path};
use crate::ids::{JobNumber, JobNumberInBody, RoNumberInBody, TechnicianIdInPath};
use crate::staff::Permission;

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(clocks)
        .service(clock)
        .service(tap)
        .service(entries)
        .service(order_time::time_on_order)
        .configure(correction_routes::configure)
        .configure(proposal_routes::configure);
}

/// Everybody who is on the clock. A technician who is neither Owner nor Admin sees only themselves.
#[utoipa::path(
    operation_id = "clocks",
    tag = "clocks",
    responses(
        (status = 200, body = Answer<ClocksNow>),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/clocks")]
pub async fn clocks(
    caller: Caller,
    state: web::Data<ClocksState>,
) -> Result<web::Json<Answer<ClocksNow>>, ApiError> {
    let visibility = caller.visibility();
    let now = Timestamp::now();
    let running = state.clocks.running();
    let mut clocks: Vec<ClockOn> = running
        .into_iter()
        .filter(|(technician, _)| visibility.shows_technician(*technician))
        .map(|(technician_id, running)| ClockOn {
            technician_id,
            running: running.view(now, &state.shop.time_zone()),
        })
        .collect();
    clocks.sort_by_key(|on| on.technician_id);
    Ok(web::Json(Answer::new(ClocksNow { now, clocks })))
}

/// A technician's clock. A technician who is neither Owner nor Admin sees only their own.
#[utoipa::path(
    operation_id = "clock",
    tag = "clocks",
    params(("id" = inline(TechnicianIdInPath), Path)),
    responses(
        (status = 200, body = Answer<TechnicianClock>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician"),
    )
)]
#[get("/api/technicians/{id}/clock")]
pub async fn clock(
    caller: Caller,
    state: web::Data<ClocksState>,
    Path(technician): Path<TechnicianId>,
) -> Result<web::Json<Answer<TechnicianClock>>, ApiError> {
    caller.visibility().require_technician(technician)?;
    require_known_technician(&state, technician).await?;
    let result = state.clocks.of(technician).await?;
    Ok(web::Json(Answer::new(result)))
}

/// Clocks in or out, begins, stops, finishes or reopens a job, or undoes the last tap: the technician's own clock; Owner and
/// Admin change any technician's. A tap that changes nothing succeeds.
#[utoipa::path(
    operation_id = "tap_clock",
    tag = "clocks",
    params(
        ("id" = inline(TechnicianIdInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = Tap,
    responses(
        (status = 200, body = Answer<TechnicianClock>),
        (status = 400, body = ErrorBody, description = "clock-in-future, clock-too-old, clock-ends-before-it-begins, or unreadable"),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician, unknown-repair-order, unknown-job"),
        (status = 409, body = ErrorBody, description = "clock-overlaps, not-assigned, closed, nothing-to-undo, cannot-undo, idempotency-key-reused"),
    )
)]
#[post("/api/technicians/{id}/clock")]
pub async fn tap(
    caller: Caller,
    state: web::Data<ClocksState>,
    Path(technician): Path<TechnicianId>,
    request: ChangeRequest<Tap>,
) -> Result<HttpResponse, ApiError> {
    require_self_or_corrector(&caller, technician)?;
    require_known_technician(&state, technician).await?;
    let (action, at) = tapped(request.body)?;
    let store = state.store.clone();
    execute(&store, &caller.uid, request.key, async |keeper| {
        run_detached(async move {
            match action {
                Some(action) => {
                    let tap_request = TapRequest {
                        technician,
                        action,
                        at,
                    };
                    state.clocks.tap(tap_request, &keeper).await
                }
                None => state.clocks.undo_tap(technician, &keeper).await,
            }
        })
        .await
    })
    .await
}

/// A technician's entries of these days, the newest first, those that were deleted included.
#[utoipa::path(
    operation_id = "clock_entries",
    tag = "clocks",
    params(("id" = inline(TechnicianIdInPath), Path), Days),
    responses(
        (status = 200, body = Answer<Vec<ClockEntry>>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician"),
    )
)]
#[get("/api/technicians/{id}/clock/entries")]
pub async fn entries(
    caller: Caller,
    state: web::Data<ClocksState>,
    Path(technician): Path<TechnicianId>,
    days: web::Query<Days>,
) -> Result<web::Json<Answer<Vec<ClockEntry>>>, ApiError> {
    require_self_or_corrector(&caller, technician)?;
    require_known_technician(&state, technician).await?;
    let (from, to) = state
        .clocks
        .days(days.from.as_deref(), days.to.as_deref())?;
    let result = state.clocks.entries(technician, from, to).await?;
    Ok(web::Json(Answer::new(result)))
}

/// What was tapped, none to undo the last tap; and when, if that was not now.
fn tapped(request: Tap) -> Result<(Option<Action>, Option<Timestamp>), ApiError> {
    let (action, at) = match request {
        Tap::ClockIn { at } => (Action::ClockIn, at),
        Tap::ClockOut { at } => (Action::ClockOut, at),
        Tap::Start {
            ro_number,
            job_number,
            at,
        } => (Action::Start(job_of(&ro_number, &job_number)?), at),
        Tap::Finish {
            ro_number,
            job_number,
            at,
        } => (Action::Finish(job_of(&ro_number, &job_number)?), at),
        Tap::Reopen {
            ro_number,
            job_number,
            at,
        } => (Action::Reopen(job_of(&ro_number, &job_number)?), at),
        Tap::Stop {
            ro_number,
            job_number,
            at,
        } => {
            let order = ro_number.map(|order| order.parse()).transpose()?;
            let job = self::job_number(job_number)?;
            (Action::Stop(work(order, job)?), at)
        }
        Tap::Undo {} => return Ok((None, None)),
    };
    let at = at.map(|at| at.parse("at")).transpose()?;
    Ok((Some(action), at))
}

pub(super) fn job_number(sent: Option<JobNumberInBody>) -> Result<Option<i32>, ApiError> {
    sent.map(|job| job.parse().map(|JobNumber(job)| job))
        .transpose()
}

fn job_of(order: &RoNumberInBody, job: &JobNumberInBody) -> Result<Work, ApiError> {
    Ok(Work {
        order: order.parse()?,
        job: job.parse()?.0,
    })
}

/// 403 `forbidden` unless the caller is this technician, Owner or Admin.
fn require_self_or_corrector(caller: &Caller, technician: TechnicianId) -> Result<(), ApiError> {
    let own = caller.is_technician(technician);
    if own || caller.may(Permission::CorrectClocks) {
        return Ok(());
    }
    Err(ApiError::forbidden(
        "A clock is its technician's own; another's is for Owner and Admin",
    ))
}

pub(super) async fn require_known_technician(
    state: &ClocksState,
    technician: TechnicianId,
) -> Result<(), ApiError> {
    if state.directory.names().knows(technician) || state.directory.exists(technician).await? {
        return Ok(());
    }
    // Technicians that only the dealer's system knows.
    let on_an_order = state.snapshot.read(|open| {
        let mut orders = open.orders.values();
        orders.any(|order| order.has_technician(technician))
    });
    if on_an_order {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::UnknownTechnician,
        format!("Technician {technician} is not known"),
    ))
}
