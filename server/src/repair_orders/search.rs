//! Searching all orders, closed ones too, by what the list shows of them.

use std::cmp::Reverse;

use actix_web::{get, web};
use dispatch_actors::repair_order::{DisplayedStatus, RepairOrder};
use dispatch_actors::store::{FoundPlace, SearchedWord};
use dispatch_actors::text::one_line;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::state::RepairOrdersState;
use crate::answer::Answer;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;
use crate::technician_names::TechnicianNames;

/// Orders of a page unless the caller says otherwise, and at most.
const DEFAULT_PAGE_SIZE: u64 = 50;
const MAX_PAGE_SIZE: u64 = 100;

/// Each is looked for in every order.
const MAX_WORDS: usize = 8;
const MAX_CHARS: usize = 100;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OrderSearch {
    /// Words in any order, each part of a number, customer, vehicle, VIN, tag number, opcode, technician or advisor,
    /// whatever the letters' case and accents and the punctuation inside a word. A word that begins with `#` is the
    /// beginning of an RO number. Of more than eight words the longest count; where there is none, nothing is found.
    #[serde(default)]
    #[param(
        required = true,
        min_length = 1,
        max_length = 100,
        example = "honda miller"
    )]
    q: String,
    /// Only closed orders, or only open ones; both without it.
    #[param(nullable = false)]
    closed: Option<bool>,
    /// What the page before gave as `next`.
    #[param(nullable = false, pattern = r"^-?[0-9]{1,15}\.[0-9]{1,16}$")]
    cursor: Option<String>,
    /// 50 without it.
    #[param(nullable = false, minimum = 1, maximum = 100)]
    limit: Option<u64>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FoundRepairOrders)]
pub struct FoundOrders {
    /// The newest first.
    orders: Vec<FoundOrder>,
    /// To ask for those after these with; null when there are none.
    #[schema(required)]
    next: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FoundRepairOrder)]
pub struct FoundOrder {
    repair_order_number: i64,
    /// The dealer system's text for the number, where it is not just its digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    display_number: Option<String>,
    #[serde(rename = "vehicleVIN")]
    vehicle_vin: String,
    vehicle: String,
    /// Of the hat or key tag, by which the car is found on the lot; absent where it has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    tag_number: String,
    customer: String,
    advisor: String,
    /// What they are called, each once: the desk's technicians first, then the dealer system's.
    technicians: Vec<String>,
    status: DisplayedStatus,
    create_date_time: Timestamp,
    /// Null: it is open.
    #[schema(required)]
    closed_date_time: Option<Timestamp>,
}

/// Orders that have all these words, open or closed, the newest first.
#[utoipa::path(
    operation_id = "search_repair_orders",
    tag = "repair orders",
    params(OrderSearch),
    responses(
        (status = 200, body = Answer<FoundOrders>),
        (status = 400, body = ErrorBody),
    )
)]
#[get("/api/repair-orders/search")]
pub async fn search(
    _: Caller,
    state: web::Data<RepairOrdersState>,
    search: web::Query<OrderSearch>,
) -> Result<web::Json<Answer<FoundOrders>>, ApiError> {
    let words = words(&search.q, &state.names)?;
    let behind = search.cursor.as_deref().map(place).transpose()?;
    let limit = search.limit.unwrap_or(DEFAULT_PAGE_SIZE);
    if !(1..=MAX_PAGE_SIZE).contains(&limit) {
        let sentence = format!("limit must be 1 to {MAX_PAGE_SIZE}");
        return Err(ApiError::invalid(sentence));
    }
    // One more shows whether there is another page.
    let mut found = state
        .store
        .search(&words, search.closed, behind, limit + 1)
        .await?;
    let is_last = found.len() as u64 <= limit;
    found.truncate(limit as usize);
    let last = found.last().filter(|_| !is_last);
    let next = last.map(|order| format!("{}.{}", order.opened_at.as_millisecond(), order.number));
    let orders = found.into_iter();
    let orders = orders.map(|order| FoundOrder::new(order, &state.names));
    Ok(web::Json(Answer::new(FoundOrders {
        orders: orders.collect(),
        next,
    })))
}

/// 400 `invalid-request`.
fn words(typed: &str, names: &TechnicianNames) -> Result<Vec<SearchedWord>, ApiError> {
    if !(1..=MAX_CHARS).contains(&typed.chars().count()) {
        let sentence = format!("q must be 1 to {MAX_CHARS} characters");
        return Err(ApiError::invalid(sentence));
    }
    let technicians = names.all();
    let text = one_line(typed).replace('#', " #");
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_by_key(|word| Reverse(word.len()));
    words.truncate(MAX_WORDS);
    let words = words.into_iter();
    let words = words.filter_map(|word| SearchedWord::new(word, &technicians));
    Ok(words.collect())
}

/// 400 `invalid-request`.
fn place(cursor: &str) -> Result<FoundPlace, ApiError> {
    let place = cursor.split_once('.').and_then(|(opened_at, number)| {
        Some(FoundPlace {
            opened_at: opened_at.parse().ok()?,
            number: number.parse().ok()?,
        })
    });
    place.ok_or_else(|| ApiError::invalid("cursor must be what the page before gave as next"))
}

impl FoundOrder {
    fn new(order: RepairOrder, names: &TechnicianNames) -> Self {
        let status = order.displayed_status();
        let assigned = order
            .regular_technicians
            .iter()
            .chain(&order.etl_technicians);
        let mut technicians: Vec<String> = Vec::new();
        for one in assigned {
            let name = names.of(one.technician, one.name.as_deref());
            if !technicians.contains(&name) {
                technicians.push(name);
            }
        }
        Self {
            repair_order_number: order.number.get(),
            display_number: order.dms_number,
            vehicle_vin: order.header.vin,
            vehicle: order.header.vehicle,
            tag_number: order.header.tag_number,
            customer: order.header.customer,
            advisor: order.header.advisor,
            technicians,
            status,
            create_date_time: order.opened_at,
            closed_date_time: order.closed_at,
        }
    }
}
