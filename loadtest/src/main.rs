//! The `loadtest` binary: puts a running server under load and checks what it promised.
//!
//! Exit code 0 when every promise was kept, 1 when one was broken, 2 when the test could not be
//! made: wrong options, no server, no sign-in.
//!
//! - What is run: `cli`, `scenarios`, `bench` (the product's figures), `run` (several of these with their servers).
//! - `compare_api`: what differs in the HTTP API of two builds.
//! - Readers: `crowd` (all of them) -> `reader` (one) -> `checker` (judges as it hears), `picture` (its
//!   screen), `reader_context` (what they share), `backoff`; `ws_frames` and `skim` read frames by hand.
//! - Boards: `wall` (all of them), `board` (one).
//! - Writers: `writer`, `desk` (a signed-in desk's calls), `http`, `order`.
//! - Faults: `faults`, `proxy`, `settled_changes` (what every live screen must show by then), `error`.
//! - The server: `server`, `target`, `process` (its processor time and memory), `work_folder`; several: `example_cluster`.
//! - Results: `latency`, `spread`, `report`, `ranges`, `rows`, `clock`.

mod backoff;
mod bench;
mod board;
mod checker;
mod cli;
mod clock;
mod compare_api;
mod crowd;
mod desk;
mod error;
mod example_cluster;
mod faults;
mod http;
mod latency;
mod order;
mod picture;
mod process;
mod proxy;
mod ranges;
mod reader;
mod reader_context;
mod report;
mod rows;
mod run;
mod scenarios;
mod server;
mod settled_changes;
mod skim;
mod spread;
mod target;
mod wall;
mod work_folder;
mod writer;
mod ws_frames;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::LocalSet;

use bench::Figures;
use cli::{Cli, Command};
use compare_api::Comparison;
use error::LoadTestError;
use report::Report;
use scenarios::{
    CommonOptions, chaos, cluster, cluster_write, day, fanout, slow, storm, torture, write,
};

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Fails only when one is installed already, which is as good. The HTTP client wants one even
    // where it never speaks TLS.
    let _ = rustls::crypto::ring::default_provider().install_default();

    match run_command(cli.command) {
        Ok(Outcome::Report(report, json)) => tell(&report, json),
        Ok(Outcome::Figures(figures)) => {
            let _ = std::io::stdout().write_all(figures.table().as_bytes());
            ExitCode::SUCCESS
        }
        Ok(Outcome::Goals(figures)) => {
            let _ = std::io::stdout().write_all(figures.table().as_bytes());
            ExitCode::from(u8::from(!figures.meets_every_goal()))
        }
        Ok(Outcome::Printed(is_good)) => ExitCode::from(u8::from(!is_good)),
        Ok(Outcome::Comparison(comparison)) => {
            let _ = std::io::stdout().write_all(comparison.text.as_bytes());
            ExitCode::from(u8::from(!comparison.is_same))
        }
        Err(error) => {
            // Nobody left to tell when standard error is closed.
            let _ = writeln!(std::io::stderr(), "loadtest: {error}");
            ExitCode::from(2)
        }
    }
}

enum Outcome {
    /// And whether it is wanted as JSON.
    Report(Box<Report>, bool),
    Figures(Figures),
    /// And a goal that was missed is a failure.
    Goals(Figures),
    /// It has printed what it measured; whether all was well.
    Printed(bool),
    /// And a difference that is not accepted is a failure.
    Comparison(Comparison),
}

fn run_command(command: Command) -> Result<Outcome, LoadTestError> {
    // One thread: what is left of a small machine is the server's.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| LoadTestError::Machine(error.to_string()))?;
    LocalSet::new().block_on(&runtime, async {
        // What was started is stopped when its end is not waited for any more.
        tokio::select! {
            outcome = run_to_its_end(command) => outcome,
            error = interruption() => Err(error),
        }
    })
}

/// By a terminal or an administrator.
async fn interruption() -> LoadTestError {
    let mut signals = match (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
    ) {
        (Ok(interrupt), Ok(terminate)) => (interrupt, terminate),
        (Err(error), _) | (_, Err(error)) => return LoadTestError::Machine(error.to_string()),
    };
    tokio::select! {
        _ = signals.0.recv() => {}
        _ = signals.1.recv() => {}
    }
    LoadTestError::Interrupted
}

async fn run_to_its_end(command: Command) -> Result<Outcome, LoadTestError> {
    let is_judged = matches!(command, Command::Admission(_));
    let (figures, output) = match command {
        Command::Fanout(options) => {
            let report = fanout::run(&options).await?;
            return reported(report, &options.server.common);
        }
        Command::Cluster(options) => {
            let report = cluster::run(&options).await?;
            return reported(report, &options.common);
        }
        Command::ClusterWrite(options) => {
            let report = cluster_write::run(&options).await?;
            return reported(report, &options.common);
        }
        Command::Write(options) => {
            let report = write::run(&options).await?;
            return reported(report, &options.server.common);
        }
        Command::Storm(options) => {
            let report = storm::run(&options).await?;
            return reported(report, &options.server.common);
        }
        Command::Slow(options) => {
            let report = slow::run(&options).await?;
            return reported(report, &options.server.common);
        }
        Command::Day(options) => {
            let report = day::run(&options).await?;
            return reported(report, &options.server.common);
        }
        Command::Chaos(options) => {
            let report = chaos::run(&options).await?;
            return reported(report, &options.common);
        }
        Command::Torture(options) => {
            let report = torture::run(&options).await?;
            return reported(report, &options.common);
        }
        Command::CompareApi(options) => {
            return compare_api::run(&options).await.map(Outcome::Comparison);
        }
        Command::Run(options) => return run::run(&options).await.map(Outcome::Printed),
        Command::Rows(options) => return rows::run(&options).await.map(Outcome::Figures),
        Command::Year(options) => return bench::year::run(&options).map(Outcome::Figures),
        Command::Promise(options) => (bench::promise::run(&options)?, options.output),
        Command::Changes(options) => (bench::changes::run(&options).await?, options.output),
        Command::List(options) => (bench::list::run(&options).await?, options.output),
        Command::Start(options) => (bench::start::run(&options).await?, options.output),
        Command::Import(options) => (bench::import::run(&options).await?, options.output),
        Command::Pruning(options) => (bench::pruning::run(&options).await?, options.output),
        Command::Search(options) => (bench::search::run(&options).await?, options.output),
        Command::SignIn(options) => (bench::sign_in::run(&options).await?, options.output),
        Command::Admission(options) => (bench::admission::run(&options).await?, options.output),
    };
    if let Some(path) = output.markdown {
        let unwritable = |error| LoadTestError::Machine(format!("{}: {error}", path.display()));
        figures.append_rows(&path).map_err(unwritable)?;
    }
    Ok(match is_judged {
        true => Outcome::Goals(figures),
        false => Outcome::Figures(figures),
    })
}

fn reported(report: Report, common: &CommonOptions) -> Result<Outcome, LoadTestError> {
    Ok(Outcome::Report(Box::new(report), common.json))
}

fn tell(report: &Report, json: bool) -> ExitCode {
    let text = if json {
        format!("{:#}\n", report.json())
    } else {
        report.table()
    };
    // A closed pipe is the reader's wish; the exit code still tells.
    let _ = std::io::stdout().write_all(text.as_bytes());
    for fault in &report.faults {
        let _ = writeln!(std::io::stderr(), "loadtest: {fault}");
    }
    if report.faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}
