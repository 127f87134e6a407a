//! Who may write about a job, and how much.

use dispatch_actors::repair_order::{Refusal, RepairOrder, RoNumber};
use dispatch_actors::supervisor::Failure;

use super::state::TechStoryState;
use crate::error::ApiError;
use crate::identity::Caller;
use crate::staff::Permission;

/// Characters of a value that is given with an answer.
pub const MAX_VALUE_CHARS: usize = 500;

/// Characters of what is entered before the first question.
pub const MAX_CAUSE_CHARS: usize = 4_000;

pub const MAX_NOTES_CHARS: usize = 8_000;

/// The order, which has this job.
pub(super) async fn order_with_job(
    state: &TechStoryState,
    number: RoNumber,
    job_number: i32,
) -> Result<RepairOrder, ApiError> {
    let order = state.store.load(number).await?;
    let order = order.ok_or_else(|| ApiError::from(&Failure::Unknown(number)))?;
    if !order.jobs.iter().any(|job| job.job_number == job_number) {
        let refusal = Refusal::UnknownJob { number, job_number };
        return Err((&Failure::Refused(refusal)).into());
    }
    Ok(order)
}

/// 403 `forbidden` for who has no role, and for who works by the portal where they are not on the
/// order.
pub(super) fn require_writer(caller: &Caller, order: &RepairOrder) -> Result<(), ApiError> {
    caller.require(Permission::EditJobs)?;
    caller.visibility().require_own(order)
}
