//! Measurements as a whole: they make the data folders, start the servers that are measured, and run
//! this program's own scenarios against them, each in a process of its own.
//!
//! - `load`: the server and its peers in turn; `round_figures` holds what the rounds measured.
//! - `bench`: the product's figures.
//! - `compare`: two builds of the server, at once and in turn.
//! - `cluster`: several servers on one PostgreSQL.
//! - `chaos_cluster`: servers and databases of `examples/cluster` die.
//! - `torture`: faults on SQLite and on a PostgreSQL of its own (`postgres_cluster`).
//! - `children`: the processes; `shop`: a data folder with orders and accounts; `machine`: where it was measured.

mod bench;
mod chaos_cluster;
mod children;
mod cluster;
mod compare;
mod load;
mod machine;
mod postgres_cluster;
mod round_figures;
mod shop;
mod torture;

use clap::{Args, Subcommand};

use crate::error::LoadTestError;

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
    /// The product's figures on this machine, SQLite on disk, as text and as a Markdown table
    ///
    /// Without a name: changes, list, year and import, in a quarter of an hour at most. Desk and
    /// portal need Chromium and web/node_modules; sign-in and admission say nothing of speed. Exit
    /// code 1 when a figure could not be measured or admission missed a goal, never because of a
    /// slow one.
    Bench(bench::Options),
    /// What work costs two builds of the server, SQLite on disk, asked in turn
    ///
    /// Both run at once, with the same repair orders: a machine whose speed changes is as slow for both. Exit code 1
    /// when something could not be measured, never because of a slow figure.
    Compare(compare::Options),
    /// Three servers on one PostgreSQL: when a change at one is at the others
    ///
    /// Exit code 1 when a promise was broken, never because of a slow figure.
    Cluster(cluster::Options),
    /// Servers of a cluster are killed, and its primary fails, under writers, readers and a technician
    ///
    /// The cluster is that of examples/cluster: servers behind HAProxy, a PostgreSQL and its synchronous
    /// standby. Exit code 1 when a promise was broken.
    ChaosCluster(chaos_cluster::Options),
    /// Disk, database and server break again and again, under readers and writers
    ///
    /// Exit code 1 when a promise was broken, 2 when a database could not be tested.
    Torture(torture::Options),
}

/// Whether all of it was measured and every promise kept.
pub async fn run(options: &Options) -> Result<bool, LoadTestError> {
    match &options.measurement {
        Measurement::Load(options) => load::run(options).await,
        Measurement::Bench(options) => bench::run(options).await,
        Measurement::ChaosCluster(options) => chaos_cluster::run(options).await,
        Measurement::Compare(options) => compare::run(options).await,
        Measurement::Cluster(options) => cluster::run(options).await,
        Measurement::Torture(options) => torture::run(options).await,
    }
}
