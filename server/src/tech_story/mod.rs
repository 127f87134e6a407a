//! Tech stories: an interview about one job that ends in a story for the warranty claim, and what
//! the job's story was before.
//!
//! - The interview: `routes` -> `interviews`, `store` (those that go on), `access` (who may write),
//!   `state` (what the calls work with).
//! - Who interviews: `interview` (the trait), `built_in` or `language_model`; `options` chooses one.
//! - The story: `versions`, `api_types` (shapes). Its facts are held against its inputs by
//!   `fact_check`; `injection` tests that with texts that mean to be instructions.

mod access;
pub mod api_types;
mod built_in;
#[cfg(test)]
mod injection;
mod interview;
mod interviews;
mod language_model;
mod options;
pub mod routes;
mod state;
mod store;
pub mod versions;

pub use access::{MAX_CAUSE_CHARS, MAX_NOTES_CHARS, MAX_QUESTIONS};
use access::{order_with_job, require_writer};
pub use interviews::conversations::TechStories;
pub use language_model::call_counts::StoryCallCounts;
pub use options::{StoryOptions, StoryOptionsError};
pub use state::TechStoryState;
