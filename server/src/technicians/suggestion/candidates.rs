//! Who could take an order, or a batch of them: the call that gathers what [`super::ranking`]
//! judges by.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use actix_web::{get, web};
use dispatch_actors::repair_order::{Refusal, RepairOrder, RoNumber, TechnicianId};
use dispatch_actors::supervisor::Failure;
use jiff::Timestamp;
use serde::Deserialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::super::Technician;
use super::super::fairness::WeekLedger;
use super::super::state::TechniciansState;
use super::super::workload::load::{ClockTimes, is_promised_before, loads, technicians_on};
use super::ranking::{Candidate, Person, rank};
use crate::answer::Answer;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;
use crate::staff::Permission;
use crate::typed_params::ParseText;

/// Orders that may be asked about at once.
const MAX_ORDERS: usize = 200;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CandidatesQuery {
    // A caller without permission learns that before they learn what is missing.
    #[serde(default)]
    ro_numbers: String,
}

/// RO numbers in an address.
pub struct RoNumbersText;

impl PartialSchema for RoNumbersText {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let text = text.description(Some("RO numbers, 1 to 200, with commas between them"));
        let text = text.pattern(Some("^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,199}$"));
        text.examples(["104217,104218"]).into()
    }
}

impl ToSchema for RoNumbersText {}

/// Who could take these open orders, the best first, with the reasons. Of several orders everything
/// is asked for that one of them asks for. Nobody is assigned by it.
#[utoipa::path(
    operation_id = "candidates",
    tag = "technicians",
    params(("roNumbers" = RoNumbersText, Query)),
    responses(
        (status = 200, body = Answer<Vec<Candidate>>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-repair-order`"),
        (status = 409, body = ErrorBody, description = "`repair-order-closed`"),
    )
)]
#[get("/api/repair-orders/candidates")]
pub async fn candidates(
    caller: Caller,
    state: web::Data<TechniciansState>,
    what: web::Query<CandidatesQuery>,
) -> Result<web::Json<Answer<Vec<Candidate>>>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let numbers = ro_numbers(&what.ro_numbers)?;
    let orders = open_orders(&state, numbers).await?;
    let orders: Vec<&RepairOrder> = orders.iter().map(|order| &**order).collect();
    let open: Vec<Arc<RepairOrder>> = state
        .snapshot
        .read(|open| open.orders.values().cloned().collect());
    // The orders need not be assigned yet, and may have been closed in between.
    let assigned = open
        .iter()
        .filter(|order| !technicians_on(order).is_empty());
    let concerned = assigned.map(|order| order.number);
    let concerned: BTreeSet<RoNumber> = concerned
        .chain(orders.iter().map(|order| order.number))
        .collect();
    let clocks = ClockTimes::now(&state.clocks, concerned.into_iter()).await?;
    let technicians = state.technicians.all(state.directory.names()).await?;
    let listed: Vec<TechnicianId> = technicians.iter().map(|one| one.id_technician).collect();
    let week = state.fairness.this_week(&listed).await?;
    let promise = latest_promise(&orders);
    let people = people(&state, technicians, &open, (&clocks, &week), promise).await?;
    let rules = state.opcode_rules.book().await?;
    Ok(web::Json(Answer::new(rank(
        &orders, people, &rules, &clocks, week.team,
    ))))
}

fn ro_numbers(text: &str) -> Result<BTreeSet<RoNumber>, ApiError> {
    let texts: Vec<&str> = text.split(',').collect();
    if texts.len() > MAX_ORDERS {
        return Err(ApiError::invalid(format!(
            "{} RO numbers were named; name at most {MAX_ORDERS} at once",
            texts.len()
        )));
    }
    texts.into_iter().map(RoNumber::parse_text).collect()
}

/// 404 `unknown-repair-order`, 409 `repair-order-closed`.
async fn open_orders(
    state: &TechniciansState,
    numbers: BTreeSet<RoNumber>,
) -> Result<Vec<Arc<RepairOrder>>, ApiError> {
    let mut orders = Vec::with_capacity(numbers.len());
    for number in numbers {
        match state.snapshot.get(number) {
            Some(order) => orders.push(order),
            None => orders.push(Arc::new(stored_order(state, number).await?)),
        }
    }
    Ok(orders)
}

/// Not in memory: it is closed, or another server has imported or reopened it a moment ago.
async fn stored_order(state: &TechniciansState, number: RoNumber) -> Result<RepairOrder, ApiError> {
    let failure = match state.store.load(number).await? {
        Some(order) if order.closed_at.is_none() => return Ok(order),
        Some(_) => Failure::Refused(Refusal::Closed(number)),
        None => Failure::Unknown(number),
    };
    Err(ApiError::from(&failure))
}

/// When the last of these orders is promised; none where one of them has no promise.
fn latest_promise(orders: &[&RepairOrder]) -> Option<Timestamp> {
    let promises = orders.iter().map(|order| order.promised_at);
    promises.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// Everybody on the shop's list. Without a promise everything that they have in hand comes before.
async fn people(
    state: &TechniciansState,
    technicians: Vec<Technician>,
    open: &[Arc<RepairOrder>],
    (clocks, week): (&ClockTimes, &WeekLedger),
    promise: Option<Timestamp>,
) -> Result<Vec<Person>, ApiError> {
    let portals = state.directory.portal_names().await?;
    let portals: HashSet<TechnicianId> = portals.into_keys().collect();
    let all = open.iter().map(|order| &**order);
    let is_due = |order: &&RepairOrder| match (order.promised_at, promise) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(theirs), Some(ours)) => theirs <= ours,
    };
    let tomorrow = state.clocks.end_of_today()?;
    let is_due_today = |order: &&RepairOrder| is_promised_before(order, tomorrow);
    let days = state.days_left(&technicians).await?;
    let due = loads(all.clone().filter(is_due), clocks);
    let due_today = loads(all.clone().filter(is_due_today), clocks);
    let loads = loads(all, clocks);
    let person = |technician: Technician| {
        let id = technician.id_technician;
        Person {
            load: loads.get(&id).copied().unwrap_or_default(),
            due: due.get(&id).copied().unwrap_or_default(),
            due_today: due_today.get(&id).copied().unwrap_or_default(),
            hours_left_today: days.of(id),
            portal_enabled: portals.contains(&id),
            clock: clocks.of(id).state,
            given: week.given_to(id),
            technician,
        }
    };
    Ok(technicians.into_iter().map(person).collect())
}
