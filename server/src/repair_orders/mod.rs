//! The repair-order API: the list, one order, and the desk's changes.
//!
//! - Reading: `reads`, `list` (the open orders, encoded piece by piece), `search` (closed ones, too), `history`,
//!   `promise_moves`.
//! - Changing: `changes` (status, priority, closing, a job's texts), `assignments` (dispatch), `stages` (stage and holds),
//!   `customer_calls`, `undo`;
//!   `execute` executes what they ask, entry by entry, each once.
//! - `state`: what the calls work with; `api_types`: rows and messages as clients see them.

pub mod api_types;
pub mod assignments;
pub mod changes;
pub mod customer_calls;
pub mod execute;
mod field_changes;
pub mod history;
mod list;
mod list_encoding;
pub mod promise_moves;
pub mod reads;
pub mod search;
pub mod stages;
mod state;
pub mod undo;

pub use list::List;
pub use state::{OrderWriter, RepairOrdersState};
