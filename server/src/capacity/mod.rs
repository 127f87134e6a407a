//! How many connections and sessions the server holds at once, and which of them make room when it
//! is full.
//!
//! - `open_files`: the process's limit, divided among sessions and connections.
//! - `crowds`: places by whose they are; `connections`: the HTTP connections, which have such places.

pub(crate) mod connections;
pub(crate) mod crowds;
pub mod open_files;
