//! Backups of a shop whose database is a SQLite file, and the way back to one.
//!
//! A backup is one file, as of one moment, for the server's user alone. It is written beside the running server,
//! read whole, and only then given its name. The server writes them itself where a folder is configured (`schedule.rs`),
//! before it changes the schema of a database (`before_migration.rs`), and where the database's file is lost
//! (`lost_file.rs`). Where the options say so a backup is encrypted
//! (`encryption`), and the newest one of the folder is copied to an S3-compatible store (`offsite`). Both are the feature
//! `offsite-backups`.

mod before_migration;
mod copy;
mod database_file;
mod encryption;
mod error;
mod lost_file;
mod new_file;
mod offsite;
mod passphrase;
mod restore;
mod retention;
mod schedule;

pub use before_migration::{copy_before_migration, newest_before_migration};
pub use copy::{Backup, write};
pub use encryption::Encryption;
pub use error::{BackupError, ContentsSentence, DamagedDatabase, OffsiteLeftOut};
pub use lost_file::{copy_lost_file, newest_rescued_copy};
pub use offsite::{
    AccessKeys, OffsiteError, OffsiteState, S3Location, S3LocationError, S3Store, StoredBackup,
};
pub use passphrase::{Passphrase, PassphraseError};
pub use restore::restore;
pub use retention::KeptBackups;
pub use schedule::{BackupSchedule, BackupState, Backups};
