//! What happened to an order.

use actix_web::{get, web};
use dispatch_actors::repair_order::{Action, RepairOrder, RoNumber, StageRules};
use dispatch_actors::store::{Channel, Event};
use dispatch_actors::supervisor::Failure;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::api_types::By;
use super::field_changes::{FieldChange, shown};
use super::state::RepairOrdersState;
use super::undo::{may_undo, undo};
use crate::answer::Answer;
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path};
use crate::ids::RoNumberInPath;

/// Entries of a page unless the caller says otherwise, and at most.
const DEFAULT_PAGE_SIZE: u64 = 100;

const MAX_PAGE_SIZE: u64 = 500;

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// Only what came before this version: the last one of the page before.
    #[param(minimum = 1)]
    before: Option<i64>,
    /// Entries at most, 100 unless said.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<i64>,
}

/// One change of the order: an event of the log.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    seq: i64,
    /// The order's version after it.
    version: i64,
    action: Action,
    by: By,
    channel: Channel,
    at: Timestamp,
    /// What changed, field by field.
    changes: Vec<FieldChange>,
    /// Entries with the same request were made, and are undone, together; an import has none.
    #[schema(required)]
    request: Option<String>,
    /// Whether the caller may undo it now.
    undoable: bool,
}

/// Who changed the order, when, from what to what, and by which channel; newest first. A technician
/// who is neither Owner nor Admin reads the stories of their own orders only.
#[utoipa::path(
    tag = "history",
    params(("roNumber" = inline(RoNumberInPath), Path), Page),
    responses(
        (status = 200, body = Answer<Vec<HistoryEntry>>),
        (status = 404, body = ErrorBody),
    )
)]
#[get("/api/repair-orders/{roNumber}/history")]
pub async fn history(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    Path(number): Path<RoNumber>,
    page: web::Query<Page>,
) -> Result<web::Json<Answer<Vec<HistoryEntry>>>, ApiError> {
    let limit = match page.limit {
        None => DEFAULT_PAGE_SIZE,
        Some(limit) => u64::try_from(limit)
            .ok()
            .filter(|limit| (1..=MAX_PAGE_SIZE).contains(limit))
            .ok_or_else(|| ApiError::invalid(format!("limit must be 1 to {MAX_PAGE_SIZE}")))?,
    };
    if page.before.is_some_and(|before| before < 1) {
        return Err(ApiError::invalid("before must be a version, 1 or more"));
    }
    let order = state.store.load(number).await?;
    let order = order.ok_or_else(|| unknown(number))?;
    let events = state.store.history(number, page.before, limit).await?;
    let visibility = caller.visibility();
    let rules = state.store.stage_rules().current();
    // What is older than this page may have been touched again on a newer one.
    let newest = page.before.is_none();
    let result = events
        .iter()
        .map(|event| HistoryEntry {
            seq: event.seq,
            version: event.version,
            action: event.action(),
            by: By::from(event),
            channel: event.by.channel,
            at: event.at,
            changes: shown(visibility, &order, event, &state.names),
            request: event.request.clone(),
            undoable: newest && is_undoable(&caller, (&order, &rules), &events, event),
        })
        .collect();
    Ok(web::Json(Answer::new(result)))
}

/// `events`: the order's newest, newest first.
fn is_undoable(
    caller: &Caller,
    (order, rules): (&RepairOrder, &StageRules),
    events: &[Event],
    event: &Event,
) -> bool {
    let Some(request) = &event.request else {
        return false;
    };
    let ours = events
        .iter()
        .filter(|other| other.request.as_ref() == Some(request));
    may_undo(caller, ours, |_| Some(order)).is_ok()
        && events
            .first()
            .is_some_and(|newest| newest.version == order.version)
        && order
            .decide(&undo(request, events.iter().rev()), rules, event.at)
            .is_ok()
}

fn unknown(number: RoNumber) -> ApiError {
    (&Failure::Unknown(number)).into()
}
