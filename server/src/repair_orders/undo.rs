//! Taking changes back.

use std::collections::BTreeMap;

use actix_web::{HttpResponse, post, web};
use dispatch_actors::repair_order::{
    Change, Command, Refusal, RepairOrder, RoNumber, Undo, Version,
};
use dispatch_actors::store::{Channel, Event};
use dispatch_actors::supervisor::Failure;
use serde::Deserialize;
use utoipa::ToSchema;

use super::api_types::Refusals;
use super::execute::{ChangeEntry, ChangeExecutor, EntryResult};
use super::state::RepairOrdersState;
use crate::answer::BatchAnswer;
use crate::change_request::ChangeRequest;
use crate::error::{ApiError, ErrorCode};
use crate::identity::{Caller, Path};
use crate::ids::{ExpectedVersion, RoNumberInPath, UndoneEvent};
use crate::moments::now;
use crate::staff::Permission;

/// Events that are looked through for the caller's last change.
const MAX_EVENTS: u64 = 500;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoRequest {
    #[serde(default)]
    #[schema(required = false)]
    seq: UndoneEvent,
    /// The version the caller has seen; a newer one refuses it.
    #[serde(default)]
    #[schema(required = false)]
    expected_version: ExpectedVersion,
}

/// Takes a change back: one's own or, for Owner and Admin, anybody's, as long as nothing newer
/// touched the same field. A batch dispatch is taken back on all its orders, each with a result of
/// its own; a refused one stays as it is.
#[utoipa::path(
    operation_id = "take_back",
    tag = "history",
    params(
        ("roNumber" = inline(RoNumberInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = Option<UndoRequest>,
    responses(
        (status = 200, body = BatchAnswer<EntryResult>),
        Refusals,
    )
)]
#[post("/api/repair-orders/{roNumber}/undo")]
pub async fn undo_change(
    caller: Caller,
    state: web::Data<RepairOrdersState>,
    Path(number): Path<RoNumber>,
    request: ChangeRequest<UndoRequest>,
) -> Result<HttpResponse, ApiError> {
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key)
        .await?
        .as_undo();
    let seq = request.body.seq.0;
    let mut is_permitted = false;
    let find = async {
        let id = target(&state, &caller, number, seq).await?;
        is_permitted = true;
        Ok::<_, ApiError>(id)
    };
    let id = executor.subject(find).await?;
    let events = state.store.events_of_request(&id).await?;
    let mut firsts: BTreeMap<RoNumber, Version> = BTreeMap::new();
    for event in &events {
        firsts.entry(event.number).or_insert(event.version);
    }
    // It broke off before, when the caller may have been permitted more.
    if !is_permitted && !executor.were_answered(firsts.len()) {
        require_undo(&state, &caller, &events).await?;
    }
    let mut changes = Vec::with_capacity(firsts.len());
    for (of, first) in firsts {
        let since = state.store.events_from(of, first).await?;
        let newest_version = since.last().map(|event| event.version);
        let expected = request.body.expected_version.0.filter(|_| of == number);
        changes.push(ChangeEntry {
            number: Ok(of),
            command: Ok(undo(&id, since.iter())),
            // Whatever comes in between may have touched the same field.
            expected_version: newest_version
                .map(|newest_version| expected.unwrap_or(newest_version).min(newest_version)),
        });
    }
    executor.execute_all(changes).await
}

/// The request whose changes the caller means, once they may take them back.
async fn target(
    state: &RepairOrdersState,
    caller: &Caller,
    number: RoNumber,
    seq: Option<i64>,
) -> Result<String, ApiError> {
    let event = event(state, caller, number, seq).await?;
    let Some(id) = event.request else {
        let refusal = match event.by.channel {
            Channel::Clock => Refusal::CannotUndoWork,
            _ => Refusal::CannotUndoImport,
        };
        return Err((&Failure::Refused(refusal)).into());
    };
    let events = state.store.events_of_request(&id).await?;
    require_undo(state, caller, &events).await?;
    Ok(id)
}

/// 403 `forbidden` where the caller may not take back all of these.
async fn require_undo(
    state: &RepairOrdersState,
    caller: &Caller,
    events: &[Event],
) -> Result<(), ApiError> {
    let mut numbers: Vec<RoNumber> = events.iter().map(|event| event.number).collect();
    numbers.dedup();
    let orders = state.store.load_all(&numbers).await?;
    let order = |number| orders.iter().find(|order| order.number == number);
    may_undo(caller, events.iter(), order)
}

/// The event that the caller means.
async fn event(
    state: &RepairOrdersState,
    caller: &Caller,
    number: RoNumber,
    seq: Option<i64>,
) -> Result<Event, ApiError> {
    if let Some(seq) = seq {
        let event = state.store.event(seq).await?;
        return event.filter(|event| event.number == number).ok_or_else(|| {
            ApiError::new(
                ErrorCode::UnknownEvent,
                format!("Repair order {number} has no event {seq}"),
            )
        });
    }
    let newest = state.store.history(number, None, MAX_EVENTS).await?;
    if newest.is_empty() {
        return Err((&Failure::Unknown(number)).into());
    }
    newest
        .into_iter()
        .find(|event| event.request.is_some() && is_theirs(caller, event))
        .filter(|event| event.by.channel != Channel::Undo)
        .ok_or_else(|| {
            ApiError::new(
                ErrorCode::NothingToUndo,
                format!("There is nothing of yours to undo on repair order {number}"),
            )
        })
}

fn is_theirs(caller: &Caller, event: &Event) -> bool {
    event.by.uid == caller.uid || caller.may(Permission::UndoOthers)
}

/// Taking back needs what making it needs, on the orders as they are now.
pub(super) fn may_undo<'a>(
    caller: &Caller,
    events: impl Iterator<Item = &'a Event> + Clone,
    order: impl Fn(RoNumber) -> Option<&'a RepairOrder>,
) -> Result<(), ApiError> {
    let with_status = events
        .clone()
        .any(|event| matches!(event.change, Change::StatusChanged { .. }));
    for event in events {
        if !is_theirs(caller, event) {
            return Err(ApiError::forbidden(Permission::UndoOthers.refusal()));
        }
        match (&event.change, order(event.number)) {
            (Change::JobEdited { .. }, Some(order)) => caller.visibility().require_own(order)?,
            (change, Some(order)) if change.is_of_person_on_stage() => {
                caller.visibility().require_own_to_move(order)?;
            }
            _ => {}
        }
        caller.require(match event.change {
            Change::StatusChanged { .. } => Permission::ChangeStatus,
            Change::PriorityChanged { .. } if with_status => Permission::ChangeStatus,
            Change::PriorityChanged { .. } => Permission::ChangePriority,
            Change::TechnicianAssigned { .. } | Change::TechnicianUnassigned { .. } => {
                Permission::Dispatch
            }
            Change::JobEdited { .. } => Permission::EditJobs,
            Change::Closed { .. } | Change::Reopened { .. } => Permission::CloseRepairOrders,
            // A move that followed by itself follows from the opposite, too.
            Change::StageChanged { .. } if !event.change.is_of_person_on_stage() => continue,
            Change::StageChanged { .. }
            | Change::HoldStarted { .. }
            | Change::HoldChanged { .. }
            | Change::HoldEnded { .. } => Permission::ChangeStages,
            Change::CustomerCalled { .. } => Permission::CallCustomers,
            // Refused by the order itself.
            Change::Created { .. }
            | Change::Imported { .. }
            | Change::CustomerErased { .. }
            | Change::WorkReported { .. } => continue,
        })?;
    }
    Ok(())
}

/// `events`: of one order from the request's first on, oldest first.
pub(super) fn undo<'a>(request: &str, events: impl Iterator<Item = &'a Event>) -> Command {
    let mut undo = Undo {
        changes: Vec::new(),
        since: Vec::new(),
        at: now(),
    };
    for event in events {
        if event.request.as_deref() == Some(request) {
            undo.changes.push(event.change.clone());
        } else if !undo.changes.is_empty() {
            undo.since.push(event.change.clone());
        }
    }
    Command::Undo(Box::new(undo))
}
