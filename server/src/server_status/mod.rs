//! What owners should know of the machine before it stops the work: disks that fill up.

mod api_types;
mod disk_space;
mod disk_watch;
pub mod routes;

pub use api_types::ServerStatusChangedEvent;
pub use disk_space::LowDiskLimit;
pub use disk_watch::{DiskWatch, follow};
