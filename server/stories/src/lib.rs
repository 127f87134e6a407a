//! Stories of warranty claims, without IO: what is asked about a job, the story and the claim that come
//! of it, and what they may state.
//!
//! - `interview`: what an interviewer is given and what it says. `built_in`: the interviewer that needs
//!   no language model.
//! - `claim`: what a claim's form has fields for, read from what was entered.
//! - `facts`: of the facts that a story states, those that none of its inputs states. `statements`: work
//!   without a source, contradictions and what is missing.
//! - `words`, `shorthand`, `clauses`: how technicians' texts are read.

mod built_in;
mod claim;
mod clauses;
mod facts;
mod interview;
#[cfg(test)]
mod jobs;
mod language;
mod shorthand;
mod statements;
mod words;

pub use built_in::{headed, kinds, reply};
pub use claim::claim;
pub use facts::{FactKind, Inputs, Subject, UnsupportedFact, unconfirmed, unsupported_facts};
pub use interview::{Interview, MAX_QUESTIONS, Reply};
pub use language::Language;
