//! Accounts and staff documents out of what Firebase Authentication and Firestore export. The files are
//! parsed where they are; the one writer imports their entries and leaves alone what is there already,
//! so that importing again is safe.
//!
//! Reads files and asks no hosted provider: a build without those imports, too.

mod entry;
mod export;
mod hash_config;
mod import;

pub use entry::{Document, Entry, EntryContent, Outcome};
pub use export::{Export, ExportError};
pub use hash_config::{HashConfig, HashConfigError};
pub use import::{BATCH_SIZE, HostedImport, import_entries};
