//! What owners should know of the server and its machine, before it stops the work: disks that fill up, backups that are
//! not written, files from other systems that are not read.

mod api_types;
mod database_check;
mod disk_space;
mod disk_watch;
mod intake_status;
mod lost_file;
mod other_servers;
mod own_backups;
pub mod routes;
mod running_server;

pub use api_types::{DiskContents, DiskSpace, IntakeStatus, ServerStatusChangedEvent};
pub use database_check::DatabaseCheck;
pub use disk_space::{FULL_BYTES, LowDiskLimit, MB, is_full};
pub use disk_watch::{DiskWatch, follow};
pub use intake_status::follow_intake;
pub use lost_file::follow_file;
pub use own_backups::OwnBackups;
pub use running_server::RunningServer;
