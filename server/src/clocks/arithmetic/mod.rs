//! What taps make of a clock, and what entries add up to. Pure: no database, no clock of its own.
//!
//! `entry` (a stretch on the clock), `chain` (what a tap does), `totals` (clocked hours,
//! efficiency).

mod chain;
mod entry;
#[cfg(test)]
mod tests;
mod totals;

pub use chain::{Action, Chain, ClockRefusal, TapEffect, TapTime};
pub use entry::{Entry, MAX_SHIFT, Work};
pub use totals::{Calendar, Clocked, Efficiency, flagged, midnight, monday, together};
