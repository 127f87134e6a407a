//! Reading repair orders.

use actix_web::{get, web};
use dispatch_actors::repair_order::RoNumber;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{Details, Row, rows};
use crate::app::Services;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;

/// Rows, and the event number they are true for.
#[derive(Serialize, ToSchema)]
#[schema(as = RowsAnswer)]
pub struct RowsAnswer {
    /// Always true.
    ok: bool,
    result: Vec<Row>,
    seq: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = DetailsAnswer)]
pub struct DetailsAnswer {
    /// Always true.
    ok: bool,
    result: Details,
}

/// Every open repair order, one row per technician.
#[utoipa::path(
    tag = "repair orders",
    security(("idToken" = [])),
    responses(
        (status = 200, body = RowsAnswer),
        (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody),
    )
)]
#[get("/api/repair-orders")]
pub async fn list(
    _: Caller,
    services: web::Data<Services>,
) -> Result<web::Json<RowsAnswer>, ApiError> {
    let open = services.store.open_orders().await?;
    let names = &services.names;
    let result = open
        .orders
        .iter()
        .flat_map(|order| rows(order, names))
        .collect();
    Ok(web::Json(RowsAnswer {
        ok: true,
        result,
        seq: open.seq,
    }))
}

/// The rows of one repair order; none when it is closed.
#[utoipa::path(
    tag = "repair orders",
    security(("idToken" = [])),
    params(("roNumber" = String, Path, description = "RO number")),
    responses(
        (status = 200, body = RowsAnswer),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody),
    )
)]
#[get("/api/repair-orders/specific/{roNumber}")]
pub async fn specific(
    _: Caller,
    services: web::Data<Services>,
    number: web::Path<String>,
) -> Result<web::Json<RowsAnswer>, ApiError> {
    let number = ro_number(&number)?;
    let (order, seq) = services.store.load_at(number).await?;
    let order = order.ok_or_else(|| unknown(number))?;
    Ok(web::Json(RowsAnswer {
        ok: true,
        result: rows(&order, &services.names),
        seq,
    }))
}

/// One repair order with its jobs, open or closed.
#[utoipa::path(
    tag = "repair orders",
    security(("idToken" = [])),
    params(("roNumber" = String, Path, description = "RO number")),
    responses(
        (status = 200, body = DetailsAnswer),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody),
    )
)]
#[get("/api/repair-orders/{roNumber}")]
pub async fn details(
    _: Caller,
    services: web::Data<Services>,
    number: web::Path<String>,
) -> Result<web::Json<DetailsAnswer>, ApiError> {
    let number = ro_number(&number)?;
    let order = services
        .store
        .load(number)
        .await?
        .ok_or_else(|| unknown(number))?;
    Ok(web::Json(DetailsAnswer {
        ok: true,
        result: order.into(),
    }))
}

pub(super) fn ro_number(text: &str) -> Result<RoNumber, ApiError> {
    text.parse::<RoNumber>().map_err(|why| {
        ApiError::new(
            actix_web::http::StatusCode::BAD_REQUEST,
            "invalid-ro-number",
            capitalised(&why.to_string()),
        )
    })
}

fn unknown(number: RoNumber) -> ApiError {
    ApiError::not_found(
        "unknown-repair-order",
        format!("Repair order {number} is not known"),
    )
}

fn capitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}
