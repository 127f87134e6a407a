//! What a client says it did to an order: read, limited, and handed to the broadcaster for the
//! others.

use std::num::NonZeroU32;

use actix_web::http::StatusCode;
use dispatch_actors::broadcaster::Hint;
use dispatch_actors::presence::Person;
use dispatch_actors::repair_order::RoNumber;
use dispatch_actors::supervisor::Failure;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use super::looks::is_known;
use super::socket_io::Event;
use crate::app::Services;
use crate::error::ApiError;
use crate::repair_orders::wire::RoNotice;

/// Notices a client may send in a second: more than people do.
const PER_SECOND: NonZeroU32 = match NonZeroU32::new(10) {
    Some(count) => count,
    None => NonZeroU32::MIN,
};

/// The limit of one session's notices; made with the first.
#[derive(Default)]
pub(super) struct Notices {
    limiter: Option<Box<DefaultDirectRateLimiter>>,
}

impl Notices {
    /// Takes an event a client sent. 400 `invalid-request`, 429 `too-many-requests`.
    pub(super) fn take(&mut self, event: &Event, by: &Person) -> Result<Hint, ApiError> {
        let limiter = self
            .limiter
            .get_or_insert_with(|| Box::new(RateLimiter::direct(Quota::per_second(PER_SECOND))));
        if limiter.check().is_err() {
            return Err(ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too-many-requests",
                "Too many notices at once; wait a second",
            ));
        }
        read(event, by)
    }
}

fn read(event: &Event, by: &Person) -> Result<Hint, ApiError> {
    let said: Option<RoNotice> = match event.arguments()[..] {
        [argument] => serde_json::from_str(argument.get()).ok(),
        _ => None,
    };
    let said = said.ok_or_else(|| {
        ApiError::invalid(
            "Send an object with roNumber, a number, and action, such as TECH_ASSIGNED",
        )
    })?;
    let number = RoNumber::try_from(said.ro_number)
        .map_err(|refused| ApiError::invalid(refused.to_string()))?;
    Ok(Hint {
        number,
        action: said.action,
        technician: said.tech_id,
        by: by.clone(),
    })
}

/// 404 `unknown-repair-order`.
pub(super) async fn pass_on(services: &Services, hint: Hint) -> Result<(), ApiError> {
    if !is_known(services, hint.number).await? {
        return Err(ApiError::from(&Failure::Unknown(hint.number)));
    }
    let passed_on = services.broadcaster.send(hint).await;
    passed_on.map_err(|_| ApiError::unavailable())
}
