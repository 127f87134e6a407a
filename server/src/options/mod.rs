//! What the binary is started with.
//!
//! - `cli`: the command line; `environment`: variables that are mistyped; `options_file`: the file.
//! - `suggestions`: what is said of an option that is mistyped.
//! - `config`: what the server runs with, from all three.

pub mod cli;
pub mod config;
pub mod environment;
pub mod options_file;
pub mod suggestions;
