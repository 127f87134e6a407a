//! How many connections, sessions and bytes of bodies the server holds at once, and which of them make
//! room when it is full.
//!
//! - `open_files`: the process's limit, divided among sessions and connections.
//! - `crowds`: places by whose they are. Such places have `connections`, which are the HTTP connections,
//!   and `arriving_bodies`, which are the bodies that have not arrived whole.

pub(crate) mod arriving_bodies;
pub(crate) mod connections;
pub(crate) mod crowds;
pub mod open_files;
