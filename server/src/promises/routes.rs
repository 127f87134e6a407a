//! The call about promises.

use std::collections::HashSet;

use actix_web::{get, web};
use dispatch_actors::promise::PromiseRisk;
use dispatch_actors::repair_order::RoNumber;

use super::api_types::{Promise, PromisesAnswer};
use super::known_shop::KnownShop;
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
) -> Result<web::Json<PromisesAnswer>, ApiError> {
    let shop = KnownShop::read(&state).await?;
    // Of thousands of orders it takes longer than others should wait for this thread.
    let judged = web::block(move || (shop.risks(), shop)).await;
    let (judged, shop) = judged.map_err(|error| {
        tracing::error!(%error, "the promises were not judged");
        ApiError::unavailable()
    })?;
    Ok(web::Json(PromisesAnswer {
        ok: true,
        result: visible(judged, &shop, caller.visibility(), &state),
        now: shop.now,
        shop_hours: state.hours.to_string(),
        seq: shop.seq,
        generation: shop.generation,
    }))
}

fn visible(
    judged: Vec<PromiseRisk>,
    shop: &KnownShop,
    visibility: Visibility,
    state: &PromisesState,
) -> Vec<Promise> {
    let own = shop.orders.iter().filter(|order| match visibility {
        Visibility::Shop => true,
        Visibility::Own(own) => own.is_some_and(|own| order.has_technician(own)),
    });
    let own: HashSet<RoNumber> = own.map(|order| order.number).collect();
    let judged = judged.into_iter().filter(|one| own.contains(&one.order));
    let promise = |one: PromiseRisk| Promise::visible(one, visibility, &state.names);
    judged.map(promise).collect()
}
