//! Repair orders from another program, over HTTP.

use std::pin::pin;
use std::time::Duration;

use actix_web::dev::Decompress;
use actix_web::error::PayloadError;
use actix_web::http::header::CONTENT_ENCODING;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, post, web};
use bytes::Bytes;
use dispatch_intake::{FormatChoice, Reject, UnknownFormat};
use futures_util::{Stream, StreamExt, stream};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use super::keys::IntakeKey;
use super::state::IntakeState;
use super::take::{Progress, Stopped, Taking};
use super::{key_routes, match_routes};
use crate::error::{ApiError, ErrorBody, ErrorCode};

/// Refused rows that an answer lists, and the bytes they may have together: the rows come from
/// outside and are as long as they like.
const REJECTS: usize = 1_000;
const REJECTED_BYTES: usize = 4 * 1024 * 1024;

/// Warnings that an answer lists.
const WARNINGS: usize = 1_000;

/// Bytes that are taken in at once.
const PIECE: usize = 64 * 1024;

/// Compressed bytes that are unpacked at once: deflate makes a thousand of one at most.
const PACKED_PIECE: usize = 1024;

/// A sender that says nothing for so long has gone.
const SILENCE: Duration = Duration::from_secs(60);

/// The one call whose body may be packed.
pub(crate) const PACKED_BODIES: &str = "/api/intake/repair-orders";

pub fn configure(app: &mut ServiceConfig) {
    app.service(take_in)
        .service(key_routes::make)
        .service(key_routes::list)
        .service(key_routes::revoke)
        .service(match_routes::unmatched)
        .service(match_routes::matches)
        .service(match_routes::make)
        .service(match_routes::forget);
}

/// How the body is to be taken. A word that is not known is refused: a mistyped `dryRun` would
/// import.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Question {
    /// auto, json, csv, cdk or star. Where it is auto or missing, the Content-Type says it, else
    /// the first characters.
    #[param(required = false, schema_with = format_schema)]
    format: Option<String>,
    /// Say what would be created, changed, left and refused, and do nothing.
    #[param(required = false)]
    dry_run: bool,
}

fn format_schema() -> Schema {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(["auto", "json", "csv", "cdk", "star"]))
        .into()
}

#[derive(Serialize, ToSchema)]
pub struct TakenAnswer {
    /// False when a row was refused.
    ok: bool,
    result: TakenIn,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
    /// `some-refused`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<&'static str>,
}

/// Counts of repair orders; of refused ones, rows.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakenIn {
    created: usize,
    changed: usize,
    unchanged: usize,
    refused: usize,
    /// The first 1,000 refused rows, fewer when they are long.
    rejects: Vec<RefusedRow>,
    rejects_not_listed: usize,
    /// What was left out of rows that were taken, in sentences; the first 1,000.
    warnings: Vec<String>,
    warnings_not_listed: usize,
    /// Bytes of the refused rows that are listed.
    #[serde(skip)]
    listed: usize,
}

/// A row that was not taken.
#[derive(Serialize, ToSchema)]
pub struct RefusedRow {
    /// `line 7`, `entry 3`.
    place: String,
    /// Our name of the field at fault; `row` where the row as a whole cannot be read.
    field: String,
    /// A sentence that says what to do.
    reason: String,
    /// The row whole, as it came.
    row: String,
}

impl TakenIn {
    fn list(&mut self, rejects: Vec<Reject>, warnings: Vec<String>) {
        self.refused += rejects.len();
        for reject in rejects {
            self.listed += reject.raw.len();
            if self.rejects.len() < REJECTS && self.listed <= REJECTED_BYTES {
                self.rejects.push(RefusedRow {
                    place: reject.place,
                    field: reject.field,
                    reason: reject.reason,
                    row: reject.raw,
                });
            } else {
                self.rejects_not_listed += 1;
            }
        }
        let room = WARNINGS - self.warnings.len();
        self.warnings_not_listed += warnings.len().saturating_sub(room);
        self.warnings.extend(warnings.into_iter().take(room));
    }
}

/// Takes repair orders in, as they arrive: what came before a connection broke off is kept. The
/// body is JSON, one JSON object a line, or CSV, of any length; it may be packed with gzip. The
/// same orders again change nothing.
#[utoipa::path(
    operation_id = "take_in_repair_orders",
    tag = "intake",
    security(("intakeKey" = [])),
    params(Question),
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
pub async fn take_in(
    key: IntakeKey,
    request: HttpRequest,
    state: web::Data<IntakeState>,
    question: web::Query<Question>,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let format = format_of(question.format.as_deref())?;
    let file_name = file_name(&request)?;
    let mut chunks = pin!(chunks(&request, body)?);
    let mut taking = Taking::new(&state, file_name, format, question.dry_run).by(key.author());
    let mut taken = TakenIn::default();
    loop {
        let next = tokio::time::timeout(SILENCE, chunks.next()).await;
        let chunk = match next {
            Ok(None) => break,
            Ok(Some(Ok(chunk))) => chunk,
            Ok(Some(Err(_))) | Err(_) => return Err(broken_off(taking.progress())),
        };
        for piece in chunk.chunks(PIECE) {
            let fed = taking.feed(piece).await;
            fed.map_err(|why| stopped(&why, taking.progress()))?;
            taken.list(taking.rejects(), taking.warnings());
        }
    }
    let finished = taking.finish().await;
    let summary = finished.map_err(|why| stopped(&why, taking.progress()))?;
    taken.list(summary.rejects, summary.warnings);
    taken.created = summary.created;
    taken.changed = summary.changed;
    taken.unchanged = summary.unchanged;
    let refused = taken.refused;
    Ok(HttpResponse::Ok().json(TakenAnswer {
        ok: refused == 0,
        result: taken,
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

fn format_of(asked: Option<&str>) -> Result<FormatChoice, ApiError> {
    let Some(name) = asked else {
        return Ok(FormatChoice::Auto);
    };
    name.parse().map_err(|unknown: UnknownFormat| {
        ApiError::new(ErrorCode::InvalidFormat, unknown.to_string())
    })
}

/// What a file of this content would be called: the ending says what the header says.
fn file_name(request: &HttpRequest) -> Result<&'static str, ApiError> {
    let kind = request.content_type().trim().to_ascii_lowercase();
    match kind.as_str() {
        "application/json" => Ok("request.json"),
        "application/x-ndjson" => Ok("request.ndjson"),
        "text/csv" => Ok("request.csv"),
        kind if kind.starts_with("multipart/") => Err(ApiError::invalid(
            "Send the file itself as the body, not a form with the file in it",
        )),
        _ => Ok("request"),
    }
}

/// The body as it comes, unpacked. A few bytes can hold millions: they are unpacked a few at a
/// time, and no more of them while those are taken in.
fn chunks(
    request: &HttpRequest,
    body: web::Payload,
) -> Result<impl Stream<Item = Result<Bytes, PayloadError>> + use<>, ApiError> {
    let encoding = request.headers().get(CONTENT_ENCODING);
    let encoding = encoding.map_or("identity", |value| value.to_str().unwrap_or_default());
    let piece = match encoding.trim().to_ascii_lowercase().as_str() {
        "identity" => usize::MAX,
        "gzip" | "deflate" => PACKED_PIECE,
        _ => {
            return Err(ApiError::invalid(
                "Send the body as it is, or packed with gzip",
            ));
        }
    };
    let pieces = body.flat_map(move |chunk| {
        let pieces = match chunk {
            Ok(mut chunk) => {
                let mut pieces = Vec::with_capacity(chunk.len().div_ceil(piece));
                while !chunk.is_empty() {
                    pieces.push(Ok(chunk.split_to(piece.min(chunk.len()))));
                }
                pieces
            }
            Err(error) => vec![Err(error)],
        };
        stream::iter(pieces)
    });
    Ok(Decompress::from_headers(pieces, request.headers()))
}

fn broken_off(progress: Progress) -> ApiError {
    ApiError::invalid(format!(
        "The request did not arrive whole; please send it again{}",
        so_far(progress)
    ))
}

fn stopped(why: &Stopped, progress: Progress) -> ApiError {
    match why {
        Stopped::Unreadable(why) => ApiError::new(
            ErrorCode::UnreadableFile,
            format!("{why}{}", so_far(progress)),
        ),
        Stopped::Unavailable => ApiError {
            error: "The server could not save all of it just now; please send the whole again"
                .to_owned(),
            ..ApiError::unavailable().with(json!({ "progress": progress }))
        },
    }
}

/// What is done stays done, and is told.
fn so_far(progress: Progress) -> String {
    let taken = progress.created + progress.changed + progress.unchanged;
    if taken == 0 {
        return String::new();
    }
    format!(". {taken} repair orders before it were taken in")
}
