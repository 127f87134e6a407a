//! How long old rows are kept, and deleting them beside the desk: closed orders with their events, receipts of
//! assignments and clock entries. The audit trail and interviews delete their own rows, for as long as these
//! terms say.
//!
//! A step is one short transaction with a bounded number of rows, then there is a pause several times as long:
//! a change waits for one step at most. Nothing of an open order is deleted. Of several servers on one
//! database one deletes at a time (`lease`). What a report may still ask of the deleted rows is added to
//! `daily_totals` in the step that deletes them.
//!
//! Rows are old by the machine's clock, and nothing is deleted while that may be wrong (`machine_clock`).
//!
//! `terms`: for how long; `pruning`: the task; `steps`: what each step deletes; `counts`: how much it was.

mod counts;
mod daily_totals;
mod lease;
mod machine_clock;
mod pruning;
mod steps;
mod terms;

pub use counts::PrunedCounts;
pub use machine_clock::{ClockReading, MachineClock};
pub use pruning::Pruning;
pub use terms::{KeepDays, RetentionTerms};
