//! Reading repair orders.

use std::sync::Arc;

use actix_web::http::header::{self, ContentEncoding, ContentType, HeaderMap};
use actix_web::{HttpRequest, HttpResponse, get, web};
use dispatch_actors::repair_order::RoNumber;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::api_types::{Details, Row, rows};
use super::list::Coding;
use super::state::RepairOrdersState;
use crate::answer::Answer;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::{Caller, Path};
use crate::ids::RoNumberInPath;

/// Orders in one answer of `next-batch`.
const BATCH_SIZE: usize = 500;

/// What counts as activity.
const ACTIVITY: SignedDuration = SignedDuration::from_mins(5);

/// Rows, the event number they are true for, and which log that is.
#[derive(Serialize, ToSchema)]
#[schema(as = RowsAnswer)]
pub struct RowsAnswer {
    /// Always true.
    ok: bool,
    result: Vec<Row>,
    seq: i64,
    /// As in `hello` and `tick`: rows of another generation replace everything that was known before.
    #[schema(value_type = String)]
    generation: Arc<str>,
}

/// Every open repair order, one row per technician. Its ETag changes with the list: a request
/// that names it in `If-None-Match` is answered 304 while nothing has changed.
#[utoipa::path(
    tag = "repair orders",
    params(("If-None-Match" = Option<String>, Header, description = "The ETag of the list the caller has")),
    responses(
        (status = 200, body = RowsAnswer),
        (status = 304, description = "The caller's list is the newest"),
    )
)]
#[get("/api/repair-orders")]
pub async fn list(
    _: Caller,
    request: HttpRequest,
    state: web::Data<RepairOrdersState>,
) -> Result<HttpResponse, ApiError> {
    let etag = state.list.etag();
    if etag_matches(request.headers(), &etag) {
        return Ok(HttpResponse::NotModified()
            .insert_header((header::ETAG, etag))
            .insert_header((header::VARY, "Accept-Encoding"))
            .finish());
    }
    let (coding, encoding) = if takes_gzip(request.headers()) {
        (Coding::Gzip, ContentEncoding::Gzip)
    } else {
        // Already decided: the middleware must not compress it after all.
        (Coding::Identity, ContentEncoding::Identity)
    };
    let (etag, body) = match state.list.ready(coding) {
        Some(ready) => ready,
        None => {
            let list = state.list.clone();
            let encoded = web::block(move || list.encode(coding)).await;
            encoded.map_err(|error| {
                tracing::error!(%error, "the list was not encoded");
                ApiError::unavailable()
            })?
        }
    };
    Ok(HttpResponse::Ok()
        .insert_header(encoding)
        .insert_header((header::ETAG, etag))
        .insert_header((header::VARY, "Accept-Encoding"))
        // A program that keeps it asks with its tag; a browser on a shared tablet keeps no customers.
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type(ContentType::json())
        .body(body))
}

fn etag_matches(headers: &HeaderMap, etag: &str) -> bool {
    headers
        .get_all(header::IF_NONE_MATCH)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|values| values.split(','))
        .any(|candidate| candidate.trim() == etag || candidate.trim() == "*")
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|values| values.split(','))
        .any(|coding| {
            let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
            matches!(name.trim(), "gzip" | "x-gzip" | "*")
                && !matches!(
                    quality.trim().trim_start_matches("q="),
                    "0" | "0.0" | "0.00" | "0.000"
                )
        })
}

/// Open repair orders from a number on, at most 500: what is new since the last one a client has.
#[utoipa::path(
    tag = "repair orders",
    params(("roNumber" = inline(RoNumberInPath), Path, description = "The lowest RO number; the last one the caller has, plus 1")),
    responses(
        (status = 200, body = RowsAnswer),
    )
)]
#[get("/api/repair-orders/next-batch/{roNumber}")]
pub async fn next_batch(
    _: Caller,
    state: web::Data<RepairOrdersState>,
    Path(from): Path<RoNumber>,
) -> Result<web::Json<RowsAnswer>, ApiError> {
    let (seq, generation, orders) = state.snapshot.read(|open| {
        let orders = open.orders.range(from..).take(BATCH_SIZE);
        let orders: Vec<_> = orders.map(|(_, order)| order.clone()).collect();
        (open.position.seq, Arc::clone(open.generation), orders)
    });
    let stages = state.store.stage_rules().current();
    Ok(web::Json(RowsAnswer {
        ok: true,
        result: orders
            .iter()
            .flat_map(|order| rows(order, &state.names, &stages))
            .collect(),
        seq,
        generation,
    }))
}

/// How much was changed in the last five minutes; clients look more often when it is much.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ActivityMetrics)]
pub struct ActivityMetrics {
    /// Events: changes of whatever kind, imports included.
    total_updates: i64,
    /// Repair orders they were made on.
    #[serde(rename = "uniqueROsUpdated")]
    unique_ros_updated: i64,
}

/// How much was changed in the last five minutes.
#[utoipa::path(
    tag = "repair orders",
    responses(
        (status = 200, body = Answer<ActivityMetrics>),
    )
)]
#[get("/api/repair-orders/activity-metrics")]
pub async fn activity_metrics(
    _: Caller,
    state: web::Data<RepairOrdersState>,
) -> Result<web::Json<Answer<ActivityMetrics>>, ApiError> {
    let activity = state.store.activity(Timestamp::now() - ACTIVITY).await?;
    Ok(web::Json(Answer::new(ActivityMetrics {
        total_updates: activity.updates,
        unique_ros_updated: activity.repair_orders,
    })))
}

/// The rows of one repair order; none when it is closed.
#[utoipa::path(
    tag = "repair orders",
    params(("roNumber" = inline(RoNumberInPath), Path)),
    responses(
        (status = 200, body = RowsAnswer),
        (status = 404, body = ErrorBody),
    )
)]
#[get("/api/repair-orders/specific/{roNumber}")]
pub async fn specific(
    _: Caller,
    state: web::Data<RepairOrdersState>,
    Path(number): Path<RoNumber>,
) -> Result<web::Json<RowsAnswer>, ApiError> {
    let generation = state.store.status().generation();
    let (order, seq) = state.store.load_at(number).await?;
    let order = order.ok_or_else(|| unknown(number))?;
    Ok(web::Json(RowsAnswer {
        ok: true,
        result: rows(&order, &state.names, &state.store.stage_rules().current()),
        seq,
        generation,
    }))
}

/// One repair order with its jobs, open or closed. A technician who is neither Owner nor Admin
/// reads the stories of their own orders only.
#[utoipa::path(
    tag = "repair orders",
    params(("roNumber" = inline(RoNumberInPath), Path)),
    responses(
        (status = 200, body = Answer<Details>),
        (status = 404, body = ErrorBody),
    )
)]
#[get("/api/repair-orders/{roNumber}")]
pub async fn details(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    Path(number): Path<RoNumber>,
) -> Result<web::Json<Answer<Details>>, ApiError> {
    let order = state
        .store
        .load(number)
        .await?
        .ok_or_else(|| unknown(number))?;
    Ok(web::Json(Answer::new(Details::new(
        order,
        caller.visibility(),
        &state.store.stage_rules().current(),
    ))))
}

fn unknown(number: RoNumber) -> ApiError {
    ApiError::new(
        ErrorCode::UnknownRepairOrder,
        format!("Repair order {number} is not known"),
    )
}
