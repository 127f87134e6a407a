//! Which orders a client says it has open: read, limited, and sent to the broadcaster one after the
//! other in the order they came, from the moment the session has joined. What is acknowledged counts.

use std::collections::VecDeque;
use std::num::NonZeroU32;

use actix_socketio::Event;
use dispatch_actors::broadcaster::PresenceUpdate;
use dispatch_actors::repair_order::RoNumber;
use dispatch_actors::supervisor::Failure;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use super::state::SocketState;
use crate::error::{ApiError, ErrorCode};
use crate::repair_orders::api_types::RoOpen;

/// Orders a session may open: everybody is sent each of them.
const OPENS_PER_SECOND: NonZeroU32 = non_zero(5);
const OPENS_BURST: NonZeroU32 = non_zero(10);

/// More than a client may send in a second, so that only a server in trouble has so many waiting.
const MAX_WAITING: usize = 64;

const fn non_zero(count: u32) -> NonZeroU32 {
    match NonZeroU32::new(count) {
        Some(count) => count,
        None => NonZeroU32::MIN,
    }
}

/// `RO_OPEN` or `RO_LEAVE`.
pub(super) struct PresenceRequest {
    pub(super) number: RoNumber,
    pub(super) opens: bool,
    /// The client's number for the acknowledgement it wants.
    pub(super) ack: Option<i64>,
}

#[derive(Default)]
pub(super) struct PresenceRequests {
    /// Made when the first order is opened: most screens open none.
    opens: Option<Box<DefaultDirectRateLimiter>>,
    waiting: VecDeque<PresenceRequest>,
    /// The session has joined, and none is on its way.
    is_ready: bool,
}

impl PresenceRequests {
    /// Takes an event a client sent. 400 `invalid-request`, 429 `too-many-requests`.
    pub(super) fn accept(&mut self, event: &Event, opens: bool) -> Result<(), ApiError> {
        let number = read(event)?;
        // Leaving is not limited: a refusal would show a person at an order who is gone. Leaving an
        // order that was not opened is not announced.
        let limiter = self.opens.get_or_insert_with(|| {
            let quota = Quota::per_second(OPENS_PER_SECOND).allow_burst(OPENS_BURST);
            Box::new(RateLimiter::direct(quota))
        });
        let too_often = opens && limiter.check().is_err();
        if too_often || self.waiting.len() >= MAX_WAITING {
            return Err(ApiError::new(
                ErrorCode::TooManyRequests,
                "Too many orders opened at once; wait a second and open it again",
            ));
        }
        let ack = event.ack;
        self.waiting
            .push_back(PresenceRequest { number, opens, ack });
        Ok(())
    }

    /// The next one to be sent, if one may be; [`Self::set_ready`] follows it.
    pub(super) fn take_next(&mut self) -> Option<PresenceRequest> {
        let next = self.is_ready.then(|| self.waiting.pop_front()).flatten();
        self.is_ready &= next.is_none();
        next
    }

    /// The session has joined, or the last one has arrived.
    pub(super) fn set_ready(&mut self) {
        self.is_ready = true;
    }
}

/// Waits for room with the broadcaster. 404 `unknown-repair-order` when there is no such order.
pub(super) async fn update_presence(
    state: &SocketState,
    update: PresenceUpdate,
) -> Result<(), ApiError> {
    if update.person.is_some() && !order_exists(state, update.number).await? {
        return Err(ApiError::from(&Failure::Unknown(update.number)));
    }
    let updated = state.broadcaster.send(update).await;
    updated.map_err(|_| ApiError::unavailable())
}

async fn order_exists(state: &SocketState, number: RoNumber) -> Result<bool, ApiError> {
    // Closed orders are not in the snapshot.
    Ok(state.snapshot.get(number).is_some() || state.store.load(number).await?.is_some())
}

fn read(event: &Event) -> Result<RoNumber, ApiError> {
    let opened: Option<RoOpen> = match event.arguments()[..] {
        [argument] => serde_json::from_str(argument.get()).ok(),
        _ => None,
    };
    let opened =
        opened.ok_or_else(|| ApiError::invalid("Send an object with roNumber, a number"))?;
    RoNumber::try_from(opened.ro_number).map_err(|refused| ApiError::invalid(refused.to_string()))
}
