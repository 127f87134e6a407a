//! What taps make of a clock, and what entries add up to. Pure: no database, no clock of its own.
//!
//! `entry` (a stretch on the clock), `chain` (what a tap does), `totals` (clocked hours,
//! efficiency), `sold_shares` (whose the sold hours of a job are).

mod chain;
mod entry;
mod sold_shares;
#[cfg(test)]
mod tests;
mod totals;

pub use chain::{Action, Chain, ClockRefusal, TapEffect, TapTime};
pub use entry::{Entry, MAX_SHIFT, Work};
pub use sold_shares::{FinishedWork, clocked_by_job};
pub use totals::{Calendar, Clocked, Efficiency, flagged, midnight, monday, together};
