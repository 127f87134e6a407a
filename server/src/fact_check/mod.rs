//! Nothing invented: of the facts that a finished story states (numbers, part numbers, codes,
//! mileages, dates), those that stand in none of its inputs. Somebody has to confirm them before
//! the story is saved. Pure.
//!
//! An input is what was on the order, what was entered, and what was asked and answered by Yes: a
//! question that was answered by No has confirmed nothing.
//!
//! `unsupported` compares a story with its inputs; `facts` are found in a text by its `words`,
//! `quantities` and `days`; `subject` is what the order says; `confirmation` is what has to be
//! confirmed before a story is saved; `api_types` are the shapes.

mod api_types;
mod confirmation;
mod days;
mod facts;
mod quantities;
mod subject;
mod unsupported;
mod words;

pub use api_types::{Unconfirmed, UnsupportedFact};
pub use confirmation::{provenance_by_hand, require_confirmed};
pub use subject::Subject;
pub use unsupported::{Inputs, states_code, states_number, unconfirmed, unsupported_facts};
