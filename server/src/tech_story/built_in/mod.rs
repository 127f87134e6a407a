//! The built-in interviewer: it asks what a warranty auditor would ask about a concern of this
//! kind, and puts the story together from what was entered and answered, and from nothing else.
//! Pure.
//!
//! `interviewer` (which question comes next), `catalogue` (the questions), `notes` (what the notes
//! answer already), `compose` (the story).

mod catalogue;
mod compose;
mod interviewer;
mod notes;
#[cfg(test)]
mod tests;

pub use interviewer::BuiltIn;
