//! Files and folders that the server keeps, other than the database.
//!
//! - `folder_handle`: a folder that is opened once, so that nobody exchanges it on the way.
//! - `folder_retention`: deletes old files of a folder.
//! - `user_names`: what the machine calls whoever owns them.
//! - The data folder: `lock` (one server for each), `log_mark` (how far the log was).

pub mod folder_handle;
pub mod folder_retention;
pub mod lock;
pub(crate) mod log_mark;
pub mod user_names;
