//! Tech stories: an interview about one job that ends in a story for the warranty claim, and what
//! the job's story was before.
//!
//! - The interview: `routes` -> `conversations` (each turn is asked once), `turns` (a turn compared
//!   with what is known), `store` (interviews that go on), `limits`, `stream` (watched replies), `state` (what the calls work
//!   with).
//! - Who interviews: `interview` (the trait), `built_in`; `remote` (a language model) with `gemini`,
//!   `openai`, `prompt`, `said` (its reply), `server_sent`; `options` chooses one.
//! - The story: `versions`, `api_types` (shapes). Its facts are held against its inputs by `fact_check`;
//!   `injection` tests that with texts that mean to be instructions.

use dispatch_actors::repair_order::{Refusal, RepairOrder, RoNumber};
use dispatch_actors::supervisor::Failure;

use crate::error::ApiError;
use crate::identity::Caller;
use crate::staff::Permission;

pub mod api_types;
mod built_in;
mod conversations;
mod gemini;
#[cfg(test)]
mod injection;
mod interview;
mod limits;
mod openai;
mod options;
mod prompt;
mod remote;
pub mod routes;
mod said;
mod server_sent;
mod state;
mod store;
mod stream;
mod turns;
pub mod versions;

pub use conversations::TechStories;
pub use options::{BadStories, StoryOptions};
pub use state::TechStoryState;

/// Questions of one interview.
pub const MOST_QUESTIONS: usize = 12;

/// Characters of what is entered before the first question.
pub const LONGEST_CAUSE: usize = 4_000;
pub const LONGEST_NOTES: usize = 8_000;

/// The order, which has this job.
async fn order_with_job(
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
fn may_write_about(caller: &Caller, order: &RepairOrder) -> Result<(), ApiError> {
    caller.require(Permission::EditJobs)?;
    caller.visibility().require_own(order)
}
