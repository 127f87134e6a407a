//! Measurements as a whole: makes the data folders, starts the servers that are measured and runs
//! this program's own scenarios against them, each in a process of its own.

mod children;
mod load;
mod machine;
mod shop;
mod table;

use clap::{Args, Subcommand};

use crate::trouble::Trouble;

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(subcommand)]
    measurement: Measurement,
}

#[derive(Clone, Debug, Subcommand)]
enum Measurement {
    /// The server under load, beside its peers where they can be built
    ///
    /// All scenarios take about a quarter of an hour. Exit code 1 when a promise was broken or a
    /// figure could not be measured, never because of a slow one.
    Load(load::Options),
}

/// Whether all of it was measured and every promise kept.
pub fn run(options: &Options) -> Result<bool, Trouble> {
    match &options.measurement {
        Measurement::Load(options) => load::run(options),
    }
}
