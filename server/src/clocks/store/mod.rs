//! The tables of the job clock, and the only SQL about them.
//!
//! `entities` (the tables), `entries` (stretches on the clock), `corrections` (their trails),
//! `finished_jobs`, `last_taps`, `proposals`, `seed` (a sample shop), `retention` and `customer` (what goes, and whose it is).

mod corrections;
mod customer;
mod entities;
mod entries;
mod finished_jobs;
mod last_taps;
mod proposals;
mod retention;
mod seed;
#[cfg(test)]
mod tests;

pub use corrections::{Correction, correct, trails};
pub use customer::{erase_reasons, rows_of_orders};
pub use entities::entry;
pub use entries::{
    TOPIC, begin, between, chain, clocked_of, end, end_by_closing, entries_of, insert,
    is_overtaken, last_with_job, of_shop_since, on_orders, on_orders_of, one, running, since,
    technicians_since, update,
};
pub use finished_jobs::{Finished, finish, finished_job, finished_on, finished_since, reopen};
pub use last_taps::{LastTap, forget_tap, keep_tap, last_tap, undo_tap};
pub use proposals::{Proposal, all_proposals, delete_proposal, proposals_of, replace_proposal};
pub use retention::{delete_finished, delete_old_entries, has_old_entries};
pub use seed::begin_with;
