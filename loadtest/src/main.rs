//! Simulated desks and readers against a running server, and the check that nobody missed
//! anything. Exit code 0: everything arrived; 1: something did not; 2: the test could not be run.

mod api;
mod check;
mod fanout;
mod reader;
mod report;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Load and convergence tests for a running dispatch server on this machine.
#[derive(Parser)]
#[command(name = "loadtest", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    scenario: Scenario,
}

#[derive(Subcommand)]
enum Scenario {
    /// Readers listen while writers change repair orders; every reader must get every event once,
    /// in order, and end with the picture that the server has.
    Fanout(fanout::Options),
}

/// Why a test could not be run.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    #[error("'{0}' is not on this machine: the load test only speaks to loopback addresses")]
    NotHere(String),
    #[error("'{0}' is not an address such as http://127.0.0.1:8080")]
    BadUrl(String),
    #[error("the server refused: {0}")]
    Refused(String),
    #[error("the server did not answer: {0}")]
    Unanswered(String),
    #[error("{0}")]
    Options(&'static str),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Fails only when one is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return told(&Trouble::Unanswered(error.to_string())),
    };
    match runtime.block_on(async {
        match cli.scenario {
            Scenario::Fanout(options) => fanout::run(options).await,
        }
    }) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(trouble) => told(&trouble),
    }
}

fn told(trouble: &Trouble) -> ExitCode {
    eprintln!("loadtest: {trouble}");
    ExitCode::from(2)
}
