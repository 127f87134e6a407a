//! Receipts: whether the technician who was given an order knows of it. (The kept answers of
//! requests are idempotency records, in the store of `dispatch_actors`.)
//!
//! They follow the log and never hold up a change: one task reads what was assigned after the last
//! event that it has handled (which is stored, so that nothing is lost or announced twice over a
//! restart) and writes it together with what screens say meanwhile, one transaction at a time. What
//! a screen says of an assignment that is not written yet waits for it: the log is read first.
//!
//! `inbox` is what that task is sent, `follow` is the task, `book` decides what becomes of a
//! receipt, without IO; `other_servers` tells sessions of what another server wrote, `push_turns` which server
//! tells a technician's browsers; `store` has the table, `state` what the calls and the task work with,
//! `routes` the calls, `api_types` the shapes.

pub mod api_types;
mod book;
mod follow;
mod inbox;
mod other_servers;
mod push_turns;
pub mod routes;
mod state;
mod store;

use book::Key;
pub use book::{AssignmentSelector, Reached};
pub use follow::follow;
pub use inbox::{AssignmentEvent, Receipts, UNSENT_WINDOW, require_staff};
use inbox::{ReachReport, ReportQueue};
pub use state::ReceiptsState;
pub use store::{Row, delete_of_orders, delete_old, erase_reasons, has_old, rows_of_orders};
