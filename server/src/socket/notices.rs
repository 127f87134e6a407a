//! What a client says it did to an order: read, limited, held against what its person may do, and
//! handed to the broadcaster for the others.

use std::num::NonZeroU32;
use std::sync::Arc;

use actix_socketio::Event;
use actix_web::http::StatusCode;
use dispatch_actors::broadcaster::Hint;
use dispatch_actors::presence::Person;
use dispatch_actors::repair_order::{Action, Change, RepairOrder, RoNumber};
use dispatch_actors::supervisor::Failure;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use super::state::SocketState;
use crate::error::{ApiError, ErrorCode};
use crate::identity::{Caller, Visibility};
use crate::repair_orders::api_types::RoNotice;
use crate::staff::{Permission, Role};

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
                ErrorCode::TooManyRequests,
                "Too many notices at once; wait a second",
            ));
        }
        read(event, by)
    }
}

fn read(event: &Event, by: &Person) -> Result<Hint, ApiError> {
    let notice: Option<RoNotice> = match event.arguments()[..] {
        [argument] => serde_json::from_str(argument.get()).ok(),
        _ => None,
    };
    let notice = notice.ok_or_else(|| {
        ApiError::invalid(
            "Send an object with roNumber, a number, and action, such as TECH_ASSIGNED",
        )
    })?;
    let number = RoNumber::try_from(notice.ro_number)
        .map_err(|refused| ApiError::invalid(refused.to_string()))?;
    Ok(Hint {
        number,
        action: notice.action,
        technician: notice.tech_id,
        by: by.clone(),
    })
}

/// The changes that a client may announce as made. A lost role closes the socket; a new role leaves
/// it open, so the roles are read again before a notice is refused.
pub(super) struct Rights {
    roles: Vec<Role>,
    visibility: Visibility,
    /// None for a board.
    sign_in: Option<String>,
}

impl Rights {
    /// A board's: it only listens.
    pub(super) const NONE: Self = Self {
        roles: Vec::new(),
        visibility: Visibility::Own(None),
        sign_in: None,
    };

    pub(super) fn of(caller: &Caller) -> Self {
        Self {
            roles: caller.roles.clone(),
            visibility: caller.visibility(),
            sign_in: Some(caller.session_id.clone()),
        }
    }

    /// A caller who may make a change may announce it. 403 `forbidden`.
    /// `was_own`: the order is their own, or was until its last change.
    fn require(&self, hint: &Hint, order: &RepairOrder, was_own: bool) -> Result<(), ApiError> {
        let permission = match hint.action {
            // A priority follows the status by itself, so the caller who sets the status announces
            // both.
            Action::StatusChanged | Action::PriorityChanged => Permission::ChangeStatus,
            Action::JobChanged => {
                self.visibility.require_own(order)?;
                Permission::EditJobs
            }
            Action::StageChanged
            | Action::HoldStarted
            | Action::HoldChanged
            | Action::HoldEnded => {
                self.visibility.require_own_to_move(order)?;
                Permission::ChangeStages
            }
            Action::CustomerCalled => {
                self.visibility.require_own_to_move(order)?;
                Permission::CallCustomers
            }
            // An order is handed back by its technician.
            Action::TechUnassigned if was_own => Permission::ChangeStatus,
            Action::TechAssigned | Action::TechUnassigned => Permission::Dispatch,
            Action::Created
            | Action::Imported
            | Action::Closed
            | Action::Reopened
            | Action::CustomerErased
            | Action::WorkReported => Permission::CloseRepairOrders,
        };
        if permission.granted_to(&self.roles) {
            Ok(())
        } else {
            Err(ApiError::forbidden(permission.refusal()))
        }
    }

    fn hands_back(&self, hint: &Hint) -> bool {
        let is_own = |own| hint.action == Action::TechUnassigned && hint.technician == Some(own);
        matches!(self.visibility, Visibility::Own(Some(own)) if is_own(own))
    }
}

/// 403 `forbidden`, 404 `unknown-repair-order`.
pub(super) async fn pass_on(
    state: &SocketState,
    rights: &Rights,
    hint: Hint,
) -> Result<(), ApiError> {
    let order = match state.snapshot.get(hint.number) {
        Some(order) => order,
        // Closed orders are not in the snapshot.
        None => {
            let closed = state.store.load(hint.number).await?;
            Arc::new(closed.ok_or_else(|| ApiError::from(&Failure::Unknown(hint.number)))?)
        }
    };
    match (check(state, rights, &hint, &order).await, &rights.sign_in) {
        (Err(refused), Some(sign_in)) if refused.status == StatusCode::FORBIDDEN => {
            let now = state.identity.caller_of_session(sign_in).await?;
            check(state, &Rights::of(&now), &hint, &order).await?;
        }
        (checked, _) => checked?,
    }
    let passed_on = state.broadcaster.send(hint).await;
    passed_on.map_err(|_| ApiError::unavailable())
}

async fn check(
    state: &SocketState,
    rights: &Rights,
    hint: &Hint,
    order: &RepairOrder,
) -> Result<(), ApiError> {
    let was_own = match rights.hands_back(hint) {
        true => {
            hint.technician.is_some_and(|own| order.has_technician(own))
                || was_taken_from(state, hint).await?
        }
        false => false,
    };
    rights.require(hint, order, was_own)
}

/// Whether the order's last change took it from this technician.
async fn was_taken_from(state: &SocketState, hint: &Hint) -> Result<bool, ApiError> {
    let last = state.store.last_event(hint.number).await?;
    Ok(last.is_some_and(|last| {
        matches!(last.change, Change::TechnicianUnassigned { technician, .. }
            if hint.technician == Some(technician))
    }))
}
