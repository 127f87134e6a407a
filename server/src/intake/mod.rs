//! Repair orders from other systems: the command line, the API and the watched folder bring files,
//! `dispatch-intake` reads them, and each record goes to its order like any other change.
//!
//! - Ways in: `routes` (HTTP) with `keys` and `key_routes`; `watch` and `folder`.
//! - `take`: the records of a file, a few at a time; `state`: what all of them work with.
//! - Numbers of technicians and advisors: `matching`, `match_rows`, `notes`, `match_routes`,
//!   `corrections`.

mod corrections;
pub mod folder;
pub mod key_routes;
pub mod keys;
pub mod match_routes;
mod match_rows;
pub mod matching;
pub mod notes;
pub mod routes;
mod state;
mod take;
pub mod watch;

pub use state::IntakeState;
pub use take::{Progress, Stopped, Summary, Taking};
