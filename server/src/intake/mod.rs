//! Repair orders from other systems: the command line, the API and the watched folder bring files,
//! `dispatch-intake` reads them, and each record goes to its order like any other change.
//!
//! - Ways in: `routes` (HTTP) with `api_types`, `request_body`, `keys` and `key_routes`; `watched_folder`.
//! - `file_import`: a file, a few records at a time; `record_import`: one record.
//! - `dms_numbers`: the people that the dealer system's numbers stand for.
//! - `state`: what all of them work with; `counts`: what became of rows.

mod api_types;
mod counts;
pub mod dms_numbers;
mod file_import;
pub mod key_routes;
pub mod keys;
mod record_import;
mod request_body;
pub mod routes;
mod state;
mod untabbed_statuses;
pub mod watched_folder;

pub use counts::IntakeCounts;
pub use file_import::{FileImport, ImportError, ImportProgress, ImportSummary};
pub use state::IntakeState;
