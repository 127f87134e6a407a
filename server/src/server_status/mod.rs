//! What owners should know of the machine before it stops the work: disks that fill up, backups that are not written.

mod api_types;
mod disk_space;
mod disk_watch;
mod own_backups;
pub mod routes;

pub use api_types::{DiskSpace, ServerStatusChangedEvent};
pub use disk_space::LowDiskLimit;
pub use disk_watch::{DiskWatch, follow};
pub use own_backups::OwnBackups;
