//! The local socket: `dispatch import`, `user`, `token-key` and `customer` beside a running server hand their work
//! to it, so that it stays the one writer and everything is announced.
//!
//! It is HTTP on a Unix socket in the data folder that only the folder's owner can open.
//!
//! - `server`: listens, and has the short calls; `imports`, `users` and `customers` have theirs.

mod customers;
mod imports;
mod server;
mod users;

pub use imports::{ImportEvent, ImportRequest, ImportStream};
pub use server::{ControlAnswer, ControlState, TokenKeyRotation, listen, socket_path};
pub use users::{ListedUser, UserChange, change_user, list_users};
