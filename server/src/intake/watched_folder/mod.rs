//! The watched folder.
//!
//! - `watcher`: finds files, imports and moves them. `file_queue`: which of them now; `read_file`: the import of one;
//!   `take_error`: why one stays. `moved_files`: those that somebody wrote to afterwards.
//! - `intake_folder`: the folder, without repair orders; `file_names`, `file_stamp`, `rejects_writer`. `folder_calls`: what
//!   is done in it, on a thread of its own, since a network may be away.
//! - `watch_log`: what the log says; `folder_health`: what people are told.

mod file_names;
mod file_queue;
mod file_stamp;
mod folder_calls;
mod folder_health;
mod intake_folder;
mod moved_files;
mod read_file;
mod rejects_writer;
mod take_error;
mod watch_log;
mod watcher;

pub use folder_health::{FolderHealth, FolderReport};
pub use intake_folder::{FILING_FOLDERS, IntakeFolder, IntakeFolderError, own_folder_at};
pub use watcher::watch;
