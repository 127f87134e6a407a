//! The `loadtest` binary: puts a running server under load and checks what it promised.
//!
//! Exit code 0 when every promise was kept, 1 when one was broken, 2 when the test could not be
//! made: wrong options, no server, no sign-in.

mod checker;
mod cli;
mod clock;
mod desk;
mod fanout;
mod order;
mod ranges;
mod reader;
mod report;
mod socket;
mod spread;
mod target;
mod trouble;
mod writer;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};
use report::Report;
use trouble::Trouble;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Fails only when one is installed already, which is as good. The HTTP client wants one even
    // where it never speaks TLS.
    let _ = rustls::crypto::ring::default_provider().install_default();

    let json = match &cli.command {
        Command::Fanout(options) => options.json,
    };
    match run(cli.command) {
        Ok(report) => tell(&report, json),
        Err(trouble) => {
            // Nobody left to tell when standard error is closed.
            let _ = writeln!(std::io::stderr(), "loadtest: {trouble}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Result<Report, Trouble> {
    // One thread: what is left of a small machine is the server's.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Trouble::Machine(error.to_string()))?;
    runtime.block_on(async {
        match command {
            Command::Fanout(options) => fanout::run(&options).await,
        }
    })
}

fn tell(report: &Report, json: bool) -> ExitCode {
    let text = if json {
        format!("{:#}\n", serde_json::json!(report))
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
