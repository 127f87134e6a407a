//! Nothing invented: of the facts that a finished story states (numbers, part numbers, codes, mileages,
//! dates, work), those that stand in none of its inputs, and what contradicts itself or is missing.
//! Somebody has to confirm or mend them before the story is saved.
//!
//! An input is what was on the order, what was entered, and what was asked and answered by Yes: a
//! question that was answered by No has confirmed nothing.
//!
//! `unsupported` compares a story with its inputs; `facts` are found in a text by its `words`,
//! `quantities` and `days`; `subject` is what the order says.

mod days;
#[expect(
    clippy::module_inception,
    reason = "what is found in a text is called so"
)]
mod facts;
mod quantities;
mod subject;
mod unsupported;
mod words;

pub use facts::{FactValue, facts};
pub use subject::Subject;
pub use unsupported::{
    FactKind, Inputs, UnsupportedFact, is_part_number, states_code, unconfirmed, unsupported_facts,
};
