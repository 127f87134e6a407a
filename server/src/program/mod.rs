//! What the `dispatch` binary does for each command.
//!
//! - `commands`: every command, and what it prints.
//! - `customer` (exporting and erasing one), `import` (repair orders) and `staff_import` (accounts and staff records): files.
//! - `hangups` (SIGHUP) and `service_manager` (systemd): what is beside a server.
//! - `writer`: who writes for a command: the running server, or this process. `file_chunks`: a file, as it is
//!   read.

pub mod commands;
mod customer;
mod file_chunks;
mod hangups;
mod import;
mod service_manager;
mod staff_import;
mod writer;
