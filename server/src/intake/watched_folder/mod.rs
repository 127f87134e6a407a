//! The watched folder.
//!
//! - `watcher`: finds files, imports and moves them. `moved_files`: those that somebody wrote to afterwards.
//! - `intake_folder`: the folder, without repair orders; `file_names`, `file_stamp`, `rejects_writer`.
//! - `watch_log`: what the log says.

mod file_names;
mod file_stamp;
mod intake_folder;
mod moved_files;
mod rejects_writer;
mod watch_log;
mod watcher;

pub use intake_folder::{FILING_FOLDERS, IntakeFolder, IntakeFolderError, own_folder_at};
pub use watcher::watch;
