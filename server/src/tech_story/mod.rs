//! Tech stories: an interview about one job that ends in a story for the warranty claim, and what
//! the job's story was before.
//!
//! - The interview: `routes` -> `conversations` (each turn is asked once), `turns` (a turn compared
//!   with what is known), `store` (interviews that go on), `limits`, `stream` (watched replies),
//!   `turn_locks`, `access` (who may write), `state` (what the calls work with).
//! - Who interviews: `interview` (the trait), `built_in`; `remote` (a language model) with
//!   `gemini`, `openai`, `prompt`, `reply_parser` (its reply), `server_sent`; `options` chooses one.
//! - The story: `versions`, `api_types` (shapes). Its facts are held against its inputs by
//!   `fact_check`; `injection` tests that with texts that mean to be instructions.

mod access;
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
mod reply_parser;
pub mod routes;
mod server_sent;
mod state;
mod store;
mod stream;
mod turn_locks;
mod turns;
pub mod versions;

pub use access::{MAX_CAUSE_CHARS, MAX_NOTES_CHARS, MAX_QUESTIONS};
use access::{order_with_job, require_writer};
pub use conversations::TechStories;
pub use options::{StoryOptions, StoryOptionsError};
pub use state::TechStoryState;
