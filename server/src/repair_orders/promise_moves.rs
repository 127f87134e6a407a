//! How often the promise of an order was moved, and how far.

use actix_web::{get, web};
use dispatch_actors::repair_order::{RepairOrder, RoNumber, promise_moves};
use dispatch_actors::store::{Channel, Event};
use dispatch_actors::supervisor::Failure;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::api_types::By;
use super::state::RepairOrdersState;
use crate::answer::Answer;
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path};
use crate::ids::RoNumberInPath;

/// What was promised of an order, and how that changed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromiseHistory {
    /// As far as the order's events go back; null where nothing was promised.
    #[schema(required)]
    first_promised: Option<Timestamp>,
    /// What is promised now.
    #[schema(required)]
    promised_date_time: Option<Timestamp>,
    /// Milliseconds from the first to the present; negative where it is earlier now. Null where one of them is not there.
    #[schema(required)]
    later_ms: Option<i64>,
    /// The oldest first.
    moves: Vec<MovedPromise>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovedPromise {
    from: Timestamp,
    #[schema(required)]
    to: Option<Timestamp>,
    at: Timestamp,
    by: By,
    channel: Channel,
}

/// How often the promised time of an order was moved, by whom, and how far it is from what was said first. A time that is
/// named for the first time is no move.
#[utoipa::path(
    operation_id = "promise_moves",
    tag = "history",
    params(("roNumber" = inline(RoNumberInPath), Path)),
    responses(
        (status = 200, body = Answer<PromiseHistory>),
        (status = 404, body = ErrorBody),
    )
)]
#[get("/api/repair-orders/{roNumber}/promise-moves")]
pub async fn promise_history(
    _: Caller,
    state: web::Data<RepairOrdersState>,
    Path(number): Path<RoNumber>,
) -> Result<web::Json<Answer<PromiseHistory>>, ApiError> {
    let order = state.store.load(number).await?;
    let order = order.ok_or_else(|| ApiError::from(&Failure::Unknown(number)))?;
    let events = state.store.events_from(number, 0).await?;
    Ok(web::Json(Answer::new(history(&order, &events))))
}

fn history(order: &RepairOrder, events: &[Event]) -> PromiseHistory {
    let found = promise_moves(events.iter().map(|event| (event, &event.change)));
    // Of an order whose old events were deleted, what it has is all that is known.
    let first = found.first.or(order.promised_at);
    let later = first.zip(order.promised_at);
    let moves = found.moves.into_iter();
    PromiseHistory {
        first_promised: first,
        promised_date_time: order.promised_at,
        later_ms: later.map(|(first, now)| now.as_millisecond() - first.as_millisecond()),
        moves: moves
            .map(|(moved, event)| MovedPromise {
                from: moved.from,
                to: moved.to,
                at: event.at,
                by: By::from(event),
                channel: event.by.channel,
            })
            .collect(),
    }
}
