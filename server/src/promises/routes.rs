//! The call about promises.

use std::collections::HashSet;
use std::sync::Arc;

use actix_web::http::header::ContentType;
use actix_web::web::Bytes;
use actix_web::{HttpResponse, get, web};
use dispatch_actors::promise::PromiseRisk;
use dispatch_actors::repair_order::RoNumber;

use super::api_types::{Promise, PromisesAnswer};
use super::judged_shop::JudgedShop;
use super::state::PromisesState;
use crate::error::ApiError;
use crate::identity::{Caller, Visibility};

/// Every open order with a promised time: whether it will be ready, why perhaps not, and the figures of which that is
/// made, for screens to put into words. A technician who is neither Admin nor Owner sees the orders they are on, and of
/// whoever else is on them nothing.
#[utoipa::path(
    operation_id = "promises",
    tag = "repair orders",
    responses(
        (status = 200, body = PromisesAnswer),
    )
)]
#[get("/api/repair-orders/promises")]
pub async fn promises(
    caller: Caller,
    state: web::Data<PromisesState>,
) -> Result<HttpResponse, ApiError> {
    let judged = state.judged.now(&state).await?;
    let visibility = caller.visibility();
    let encode = || encoded(&judged, visibility, &state);
    let body = match visibility {
        Visibility::Shop => judged.encoded(state.names.generation(), encode)?,
        Visibility::Own(_) => encode()?,
    };
    Ok(HttpResponse::Ok()
        .content_type(ContentType::json())
        .body(body))
}

fn encoded(
    judged: &JudgedShop,
    visibility: Visibility,
    state: &PromisesState,
) -> Result<Bytes, ApiError> {
    let shop = &judged.shop;
    let answer = PromisesAnswer {
        ok: true,
        result: visible(judged, visibility, state),
        now: shop.now,
        shop_hours: state.hours.to_string(),
        seq: shop.seq,
        generation: Arc::clone(&shop.generation),
    };
    let text = serde_json::to_vec(&answer).map_err(|error| {
        tracing::error!(%error, "the promises were not written");
        ApiError::unavailable()
    });
    text.map(Bytes::from)
}

fn visible(judged: &JudgedShop, visibility: Visibility, state: &PromisesState) -> Vec<Promise> {
    let own = judged.shop.orders.iter().filter(|order| match visibility {
        Visibility::Shop => true,
        Visibility::Own(own) => own.is_some_and(|own| order.has_technician(own)),
    });
    let own: HashSet<RoNumber> = own.map(|order| order.number).collect();
    let risks = judged.risks.iter().filter(|one| own.contains(&one.order));
    let promise = |one: &PromiseRisk| Promise::visible(one.clone(), visibility, &state.names);
    risks.map(promise).collect()
}
