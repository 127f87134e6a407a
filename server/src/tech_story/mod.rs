//! Tech stories: an interview about one job that ends in a story for the warranty claim, and what
//! the job's story was before.
//!
//! - The interview: `routes` -> `interviews`, `store` (those that go on), `access` (who may write),
//!   `state` (what the calls work with).
//! - Who interviews: `interview` (the trait, and the built-in one, which is `dispatch_stories`) or
//!   `language_model`; `options` chooses one.
//! - The story: `versions`, `api_types` (shapes). What it may state is held by `dispatch_stories`
//!   and `fact_check`; `injection` tests that with texts that mean to be instructions.

mod access;
pub mod api_types;
#[cfg(test)]
mod injection;
mod interview;
mod interviews;
mod language_model;
mod options;
pub mod routes;
mod state;
mod store;
mod story_kinds;
pub mod versions;

pub use access::{MAX_CAUSE_CHARS, MAX_NOTES_CHARS, MAX_VALUE_CHARS};
use access::{order_with_job, require_writer};
pub use interviews::conversations::TechStories;
pub use language_model::call_counts::StoryCallCounts;
pub use options::{StoryOptions, StoryOptionsError};
pub use state::TechStoryState;
