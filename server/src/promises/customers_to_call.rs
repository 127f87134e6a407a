//! The call about which of an advisor's customers are to be called, and why.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use actix_web::{get, web};
use dispatch_actors::call_list::{ReasonToCall, reasons_to_call, urgency};
use dispatch_actors::promise::{PromiseRisk, Risk};
use dispatch_actors::repair_order::{CallReason, Refusal, RepairOrder, RoNumber, StageRules};
use dispatch_actors::supervisor::Failure;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::api_types::Promise;
use super::state::PromisesState;
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Visibility};
use crate::staff::Permission;

const MAX_ADVISOR_CHARS: usize = 200;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfAdvisor {
    /// The advisor as orders name them; upper and lower case are the same. Without it, whoever is called as the caller is.
    #[param(nullable = false, min_length = 1, max_length = 200)]
    advisor: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CustomersToCallAnswer)]
pub struct CustomersToCallAnswer {
    /// Always true.
    ok: bool,
    /// The most urgent first; those who were called about everything last.
    result: Vec<CustomerToCall>,
    /// Whose customers they are, as orders name the advisor; null where no open order names the caller.
    #[schema(required)]
    advisor: Option<String>,
    /// Whom the open orders name, by name.
    advisors: Vec<AdvisorOrders>,
    /// The moment for which it is true.
    now: Timestamp,
    /// The number of the newest event that is in it.
    seq: i64,
    /// The log that has this event, as in `hello` and `tick`.
    #[schema(value_type = String)]
    generation: Arc<str>,
}

/// An advisor, and how many open orders are theirs.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdvisorOrders {
    name: String,
    orders: u32,
}

/// An order whose customer is to be called, or was called about all of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerToCall {
    ro_number: i64,
    /// Of the order, for which it is true.
    version: i64,
    /// Why, the most urgent first; at least one.
    reasons: Vec<CallReasonEntry>,
    /// Its promise, with the figures that explain it; null where nothing was promised.
    #[schema(required)]
    promise: Option<Promise>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReasonToCall)]
pub struct CallReasonEntry {
    reason: CallReason,
    /// The promised time of a promise, or since when approval is waited for or the car is ready.
    since: Timestamp,
    /// When the customer was called about it; null where they are still to be.
    #[schema(required)]
    called_at: Option<Timestamp>,
}

impl From<ReasonToCall> for CallReasonEntry {
    fn from(reason: ReasonToCall) -> Self {
        Self {
            reason: reason.reason,
            since: reason.since,
            called_at: reason.called_at,
        }
    }
}

/// The customers of an advisor who are to be called: the promise is late or at risk, their approval is waited for, or the
/// car is ready. A customer who was called about it is listed as such until something of that changes.
#[utoipa::path(
    operation_id = "customers_to_call",
    tag = "repair orders",
    params(OfAdvisor),
    responses(
        (status = 200, body = CustomersToCallAnswer),
        (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "`stages-off`"),
    )
)]
#[get("/api/customers-to-call")]
pub async fn customers_to_call(
    caller: Caller,
    state: web::Data<PromisesState>,
    query: web::Query<OfAdvisor>,
) -> Result<web::Json<CustomersToCallAnswer>, ApiError> {
    caller.require(Permission::CallCustomers)?;
    let rules = state.stages.current();
    if !rules.is_on {
        return Err((&Failure::Refused(Refusal::StagesOff)).into());
    }
    let asked = query.into_inner().advisor;
    if asked
        .as_ref()
        .is_some_and(|name| name.chars().count() > MAX_ADVISOR_CHARS)
    {
        let sentence = format!("advisor has more than {MAX_ADVISOR_CHARS} characters");
        return Err(ApiError::invalid(sentence));
    }
    let judged = state.judged.now(&state).await?;
    let (shop, visibility) = (&judged.shop, caller.visibility());
    let mut orders = shop.orders.clone();
    orders.retain(|order| match visibility {
        Visibility::Shop => true,
        Visibility::Own(own) => own.is_some_and(|own| order.has_technician(own)),
    });
    let advisors = advisors(&orders);
    let advisor = find_advisor(&advisors, asked.as_deref().unwrap_or(&caller.name));
    let listed = advisor.as_ref().map_or_else(Vec::new, |advisor| {
        listed(&orders, &judged.risks, advisor, (&rules, shop.now))
    });
    let customer = |listed: Listed| listed.into_customer(visibility, &state);
    Ok(web::Json(CustomersToCallAnswer {
        ok: true,
        result: listed.into_iter().map(customer).collect(),
        advisor,
        advisors,
        now: shop.now,
        seq: shop.seq,
        generation: Arc::clone(&shop.generation),
    }))
}

struct Listed {
    order: Arc<RepairOrder>,
    reasons: Vec<ReasonToCall>,
    judged: Option<PromiseRisk>,
}

fn listed(
    orders: &[Arc<RepairOrder>],
    judged: &[PromiseRisk],
    advisor: &str,
    (rules, now): (&StageRules, Timestamp),
) -> Vec<Listed> {
    let judged: HashMap<RoNumber, &PromiseRisk> =
        judged.iter().map(|one| (one.order, one)).collect();
    let theirs = orders
        .iter()
        .filter(|order| is_same(&order.header.advisor, advisor));
    let mut listed: Vec<Listed> = theirs
        .map(|order| {
            let judged = judged.get(&order.number).copied().cloned();
            let risk: Option<&Risk> = judged.as_ref().map(|one| &one.risk);
            Listed {
                reasons: reasons_to_call(order, risk, rules, now),
                order: Arc::clone(order),
                judged,
            }
        })
        .filter(|one| !one.reasons.is_empty())
        .collect();
    listed.sort_by_key(|one| urgency(one.order.number, &one.reasons));
    listed
}

impl Listed {
    fn into_customer(self, visibility: Visibility, state: &PromisesState) -> CustomerToCall {
        CustomerToCall {
            ro_number: self.order.number.get(),
            version: self.order.version,
            reasons: self
                .reasons
                .into_iter()
                .map(CallReasonEntry::from)
                .collect(),
            promise: self
                .judged
                .map(|one| Promise::visible(one, visibility, &state.names)),
        }
    }
}

/// The names differ in their letters' case and in spaces around them alone.
fn is_same(name: &str, other: &str) -> bool {
    name.trim().to_lowercase() == other.trim().to_lowercase()
}

fn advisors(orders: &[Arc<RepairOrder>]) -> Vec<AdvisorOrders> {
    let mut found: BTreeMap<String, AdvisorOrders> = BTreeMap::new();
    for order in orders {
        let name = order.header.advisor.trim();
        if name.is_empty() {
            continue;
        }
        let advisor = found
            .entry(name.to_lowercase())
            .or_insert_with(|| AdvisorOrders {
                name: name.to_owned(),
                orders: 0,
            });
        advisor.orders += 1;
    }
    found.into_values().collect()
}

fn find_advisor(advisors: &[AdvisorOrders], asked: &str) -> Option<String> {
    let found = advisors.iter().find(|one| is_same(&one.name, asked));
    found.map(|one| one.name.clone())
}
