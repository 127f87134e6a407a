//! Repair orders from another program, over HTTP.

use std::pin::pin;
use std::time::{Duration, Instant};

use crate::calls::Calls;
use actix_web::{HttpRequest, HttpResponse, post, web};
use dispatch_intake::{FormatChoice, UnknownFormat};
use futures_util::StreamExt;
use serde_json::json;

use super::api_types::{ImportQuery, TakenAnswer, TakenIn};
use super::file_import::{FileImport, ImportError, ImportProgress};
use super::keys::IntakeKey;
use super::request_body::{chunks, file_name};
use super::state::IntakeState;
use super::{dms_numbers, key_routes};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::log_lines;

/// Bytes that are imported at once.
const CHUNK_SIZE: usize = 64 * 1024;

/// A client that sends nothing for this long is gone.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// A file may arrive for an hour; a key that is revoked meanwhile ends it.
const KEY_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The one call whose body may be packed.
pub(crate) const PACKED_BODIES: &str = "/api/intake/repair-orders";

pub fn configure(app: &mut Calls<'_>) {
    app.service(import_repair_orders)
        .service(key_routes::make)
        .service(key_routes::list)
        .service(key_routes::revoke)
        .service(dms_numbers::routes::unmatched)
        .service(dms_numbers::routes::matches)
        .service(dms_numbers::routes::make)
        .service(dms_numbers::routes::forget);
}

/// Takes repair orders in, as they arrive: what came before a connection broke off is kept. The
/// body is JSON, one JSON object a line, or CSV, of any length; it may be packed with gzip. The
/// same orders again change nothing.
#[utoipa::path(
    operation_id = "take_in_repair_orders",
    tag = "intake",
    security(("intakeKey" = [])),
    params(ImportQuery),
    request_body(
        content(
            (serde_json::Value = "application/json"),
            (String = "application/x-ndjson"),
            (String = "text/csv"),
        ),
        description = "Repair orders, in one of the formats"
    ),
    responses(
        (status = 200, body = TakenAnswer),
        (status = 400, body = ErrorBody, description = "The file as a whole cannot be read"),
        (status = 401, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "too-many-requests"),
        (status = 503, body = ErrorBody),
    )
)]
#[post("/api/intake/repair-orders")]
pub async fn import_repair_orders(
    key: IntakeKey,
    request: HttpRequest,
    state: web::Data<IntakeState>,
    query: web::Query<ImportQuery>,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let format = parse_format(query.format.as_deref())?;
    let file_name = file_name(&request)?;
    let mut key_checked = Instant::now();
    let _turn = state.keys.turn(&key).await?;
    let mut chunks = pin!(chunks(&request, body)?);
    let mut import =
        FileImport::new(&state, file_name, format, query.dry_run).with_author(key.author());
    let mut result = TakenIn::default();
    loop {
        let next = tokio::time::timeout(IDLE_TIMEOUT, chunks.next()).await;
        let chunk = match next {
            Ok(None) => break,
            Ok(Some(Ok(chunk))) => chunk,
            Ok(Some(Err(_))) | Err(_) => return Err(broken_off(import.progress())),
        };
        if key_checked.elapsed() >= KEY_CHECK_INTERVAL {
            state.keys.require(&key).await?;
            key_checked = Instant::now();
        }
        for piece in chunk.chunks(CHUNK_SIZE) {
            let fed = import.feed(piece).await;
            fed.map_err(|error| import_error(&error, import.progress()))?;
            result.list(import.take_rejects(), import.take_warnings());
        }
    }
    state.keys.require(&key).await?;
    let finished = import.finish().await;
    let summary = finished.map_err(|error| import_error(&error, import.progress()))?;
    result.list(summary.rejects, summary.warnings);
    result.created = summary.created;
    result.changed = summary.changed;
    result.unchanged = summary.unchanged;
    let refused = result.refused;
    // A program that sends each order by itself would fill the log with what went well.
    if refused > 0 && !query.dry_run {
        let by = log_lines::name(&key.author().name);
        let progress = import.progress();
        tracing::info!("an import over HTTP, by the key {by}: {progress}");
    }
    Ok(HttpResponse::Ok().json(TakenAnswer {
        ok: refused == 0,
        result,
        error: (refused > 0).then(|| {
            let (rows, were) = if refused == 1 {
                ("row", "was")
            } else {
                ("rows", "were")
            };
            format!("{refused} {rows} {were} refused; correct and send them again")
        }),
        code: (refused > 0).then_some("some-refused"),
    }))
}

fn parse_format(name: Option<&str>) -> Result<FormatChoice, ApiError> {
    let Some(name) = name else {
        return Ok(FormatChoice::Auto);
    };
    name.parse().map_err(|unknown: UnknownFormat| {
        ApiError::new(ErrorCode::InvalidFormat, unknown.to_string())
    })
}

fn broken_off(progress: ImportProgress) -> ApiError {
    ApiError::invalid(format!(
        "The request did not arrive whole; please send it again{}",
        so_far(progress)
    ))
}

fn import_error(error: &ImportError, progress: ImportProgress) -> ApiError {
    match error {
        ImportError::Unreadable(why) => ApiError::new(
            ErrorCode::UnreadableFile,
            format!("{why}{}", so_far(progress)),
        ),
        ImportError::Unavailable => ApiError {
            error: "The server could not save all of it just now; please send the whole again"
                .to_owned(),
            ..ApiError::unavailable().with(json!({ "progress": progress }))
        },
    }
}

/// Imported records stay, and the answer has their number.
fn so_far(progress: ImportProgress) -> String {
    let imported = progress.created + progress.changed + progress.unchanged;
    if imported == 0 {
        return String::new();
    }
    format!(". {imported} repair orders before it were taken in")
}
