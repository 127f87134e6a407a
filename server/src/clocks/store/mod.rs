//! The tables of the job clock, and the only SQL about them.
//!
//! `entities` (the tables), `entries` (stretches on the clock), `corrections` (their trails),
//! `finished_jobs`, `seed` (a sample shop), `retention` and `customer` (what goes, and whose it is).

mod corrections;
mod customer;
mod entities;
mod entries;
mod finished_jobs;
mod retention;
mod seed;
#[cfg(test)]
mod tests;

pub use corrections::{Correction, correct, trails};
pub use customer::{erase_reasons, rows_of_orders};
pub use entities::entry;
pub use entries::{
    any, begin, between, chain, end, insert, is_overtaken, on_orders, on_orders_of, one, running,
    since, update,
};
pub use finished_jobs::{Finished, finish, finished_by, finished_on, finisher, reopen};
pub use retention::{delete_finished, delete_old_entries, has_old_entries};
pub use seed::begin_with;
