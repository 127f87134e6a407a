//! The calls about the job clock: who is on it, a technician's own, taps, and corrections.

use actix_web::http::StatusCode;
use actix_web::{delete, get, patch, post, web};
use dispatch_actors::repair_order::TechnicianId;

use super::wire::{
    ChangeClockEntry, ClockEntriesAnswer, ClockEntryAnswer, ClocksAnswer, Days, DeleteClockEntry,
    NewClockEntry, Tap, TechnicianClockAnswer,
};
use crate::app::Services;
use crate::change_request::ChangeRequest;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;
use crate::numerals::IdText;
use crate::staff::Permission;
use crate::text;

pub fn configure(routes: &mut web::ServiceConfig) {
    routes
        .service(clocks)
        .service(clock)
        .service(tap)
        .service(entries)
        .service(add)
        .service(change)
        .service(delete_entry);
}

fn later() -> ApiError {
    ApiError::new(
        StatusCode::NOT_IMPLEMENTED,
        "not-implemented",
        "This is not there yet",
    )
}

/// Everybody who is on the clock.
#[utoipa::path(
    operation_id = "clocks",
    tag = "clocks",
    security(("idToken" = [])),
    responses(
        (status = 200, body = ClocksAnswer),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/clocks")]
pub async fn clocks(
    caller: Caller,
    _services: web::Data<Services>,
) -> Result<web::Json<ClocksAnswer>, ApiError> {
    on_the_staff(&caller)?;
    Err(later())
}

/// A technician's clock. Who is a technician and neither Owner nor Admin sees their own.
#[utoipa::path(
    operation_id = "clock",
    tag = "clocks",
    security(("idToken" = [])),
    params(("id" = IdText, Path, description = "The technician's number")),
    responses(
        (status = 200, body = TechnicianClockAnswer),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician"),
    )
)]
#[get("/api/technicians/{id}/clock")]
pub async fn clock(
    caller: Caller,
    services: web::Data<Services>,
    id: web::Path<String>,
) -> Result<web::Json<TechnicianClockAnswer>, ApiError> {
    on_the_staff(&caller)?;
    let technician = technician_number(&id)?;
    if caller.is_only_technician() && caller.technician_id != Some(technician) {
        return Err(ApiError::forbidden(
            "A technician sees their own clock; all clocks are for Owner and Admin",
        ));
    }
    known(&services, technician).await?;
    Err(later())
}

/// Clocks in or out, begins, stops, finishes or reopens a job: the technician's own clock, for Owner
/// and Admin anybody's. What is so already stays so.
#[utoipa::path(
    operation_id = "tap_clock",
    tag = "clocks",
    security(("idToken" = [])),
    params(
        ("id" = IdText, Path, description = "The technician's number"),
        crate::openapi::IdempotencyKeyHeader,
    ),
    request_body = Tap,
    responses(
        (status = 200, body = TechnicianClockAnswer),
        (status = 400, body = ErrorBody, description = "clock-in-future, clock-too-old, clock-ends-before-it-begins, or unreadable"),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician, unknown-repair-order, unknown-job"),
        (status = 409, body = ErrorBody, description = "clock-overlaps, not-assigned, closed, idempotency-key-reused"),
    )
)]
#[post("/api/technicians/{id}/clock")]
pub async fn tap(
    caller: Caller,
    services: web::Data<Services>,
    id: web::Path<String>,
    _request: ChangeRequest<Tap>,
) -> Result<web::Json<TechnicianClockAnswer>, ApiError> {
    let technician = technician_number(&id)?;
    own_or_boss(&caller, technician)?;
    known(&services, technician).await?;
    Err(later())
}

/// A technician's entries of these days, the newest first, those that were deleted included.
#[utoipa::path(
    operation_id = "clock_entries",
    tag = "clocks",
    security(("idToken" = [])),
    params(("id" = IdText, Path, description = "The technician's number"), Days),
    responses(
        (status = 200, body = ClockEntriesAnswer),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician"),
    )
)]
#[get("/api/technicians/{id}/clock/entries")]
pub async fn entries(
    caller: Caller,
    services: web::Data<Services>,
    id: web::Path<String>,
    _days: web::Query<Days>,
) -> Result<web::Json<ClockEntriesAnswer>, ApiError> {
    let technician = technician_number(&id)?;
    own_or_boss(&caller, technician)?;
    known(&services, technician).await?;
    Err(later())
}

/// Adds an entry that is missing.
#[utoipa::path(
    operation_id = "add_clock_entry",
    tag = "clocks",
    security(("idToken" = [])),
    params(
        ("id" = IdText, Path, description = "The technician's number"),
        crate::openapi::IdempotencyKeyHeader,
    ),
    request_body = NewClockEntry,
    responses(
        (status = 200, body = ClockEntryAnswer),
        (status = 400, body = ErrorBody, description = "clock-in-future, clock-ends-before-it-begins, or unreadable"),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician, unknown-repair-order, unknown-job"),
        (status = 409, body = ErrorBody, description = "clock-overlaps, idempotency-key-reused"),
    )
)]
#[post("/api/technicians/{id}/clock/entries")]
pub async fn add(
    caller: Caller,
    services: web::Data<Services>,
    id: web::Path<String>,
    _request: ChangeRequest<NewClockEntry>,
) -> Result<web::Json<ClockEntryAnswer>, ApiError> {
    caller.require(Permission::CorrectClocks)?;
    let technician = technician_number(&id)?;
    known(&services, technician).await?;
    Err(later())
}

/// Corrects an entry: when it began, when it ended, on what it was.
#[utoipa::path(
    operation_id = "change_clock_entry",
    tag = "clocks",
    security(("idToken" = [])),
    params(
        ("id" = IdText, Path, description = "The technician's number"),
        ("entryId" = IdText, Path, description = "The entry's number"),
        crate::openapi::IdempotencyKeyHeader,
    ),
    request_body = ChangeClockEntry,
    responses(
        (status = 200, body = ClockEntryAnswer),
        (status = 400, body = ErrorBody, description = "clock-in-future, clock-ends-before-it-begins, or unreadable"),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician, unknown-entry, unknown-repair-order, unknown-job"),
        (status = 409, body = ErrorBody, description = "clock-overlaps, idempotency-key-reused"),
    )
)]
#[patch("/api/technicians/{id}/clock/entries/{entryId}")]
pub async fn change(
    caller: Caller,
    services: web::Data<Services>,
    path: web::Path<(String, String)>,
    _request: ChangeRequest<ChangeClockEntry>,
) -> Result<web::Json<ClockEntryAnswer>, ApiError> {
    caller.require(Permission::CorrectClocks)?;
    let technician = technician_number(&path.0)?;
    known(&services, technician).await?;
    Err(later())
}

/// Takes an entry out: it counts no more, and is shown as deleted.
#[utoipa::path(
    operation_id = "delete_clock_entry",
    tag = "clocks",
    security(("idToken" = [])),
    params(
        ("id" = IdText, Path, description = "The technician's number"),
        ("entryId" = IdText, Path, description = "The entry's number"),
        crate::openapi::IdempotencyKeyHeader,
    ),
    request_body = DeleteClockEntry,
    responses(
        (status = 200, body = ClockEntryAnswer),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician, unknown-entry"),
        (status = 409, body = ErrorBody, description = "idempotency-key-reused"),
    )
)]
#[delete("/api/technicians/{id}/clock/entries/{entryId}")]
pub async fn delete_entry(
    caller: Caller,
    services: web::Data<Services>,
    path: web::Path<(String, String)>,
    _request: ChangeRequest<DeleteClockEntry>,
) -> Result<web::Json<ClockEntryAnswer>, ApiError> {
    caller.require(Permission::CorrectClocks)?;
    let technician = technician_number(&path.0)?;
    known(&services, technician).await?;
    Err(later())
}

/// 403 `forbidden` for whom no role lets in.
fn on_the_staff(caller: &Caller) -> Result<(), ApiError> {
    if caller.roles.is_empty() {
        return Err(ApiError::forbidden(
            "Seeing clocks needs a role; ask an owner to give you one",
        ));
    }
    Ok(())
}

/// 403 `forbidden` for whoever is neither this technician nor Owner or Admin.
fn own_or_boss(caller: &Caller, technician: TechnicianId) -> Result<(), ApiError> {
    let own = caller.is_technician(technician);
    if own || caller.may(Permission::CorrectClocks) {
        return Ok(());
    }
    Err(ApiError::forbidden(
        "A clock is its technician's own; another's is for Owner and Admin",
    ))
}

async fn known(services: &Services, technician: TechnicianId) -> Result<(), ApiError> {
    if services.names.knows(technician) || services.technicians.exists(technician).await? {
        return Ok(());
    }
    // Whom only the dealer's system knows.
    let on_an_order = services.snapshot.look(|open| {
        let mut orders = open.orders.values();
        orders.any(|order| order.has_technician(technician))
    });
    if on_an_order {
        return Ok(());
    }
    Err(ApiError::not_found(
        "unknown-technician",
        format!("Technician {technician} is not known"),
    ))
}

fn technician_number(text: &str) -> Result<TechnicianId, ApiError> {
    text.trim().parse().map_err(|_| {
        let text = text::quotable(text);
        ApiError::invalid(format!("'{text}' is not a technician's number"))
    })
}
