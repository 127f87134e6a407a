//! The people that the dealer system's numbers of technicians and advisors stand for, and the stages that its names
//! stand for.
//!
//! - `dms_number`: a number, and its meaning. `matches`: the matches, which imports resolve numbers with;
//!   `match_table`: the same in memory.
//! - `notes`: the orders of unmatched numbers, for the desk. `corrections`: what a new match does to them.
//! - `routes` with `api_types`; `store` (SQL).

mod api_types;
mod corrections;
mod dms_number;
mod match_table;
mod matches;
mod notes;
pub mod routes;
mod store;

pub use match_table::NamedStage;
pub use matches::NumberMatches;
