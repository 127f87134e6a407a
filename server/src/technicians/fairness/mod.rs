//! Who got how much of which work this week: `week` (reads the log) -> `membership` (since when somebody is on an
//! order) and `ledger` (what that adds up to), both without IO; `routes` (the call), `api_types` (its shapes). The
//! suggestion goes by it where all else is equal.

pub(super) mod api_types;
pub(super) mod ledger;
mod membership;
pub mod routes;
mod week;

pub use week::Fairness;
pub(super) use week::WeekLedger;
