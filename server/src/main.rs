//! The `dispatch` binary: reads the command line, does what it says, and tells a person in one
//! line when it cannot (exit code 2; 1 when an import refused rows).

mod commands;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use dispatch_server::cli::{Cli, Command};
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let quiet = if matches!(cli.command, Command::Serve(_)) {
        "info,sqlx=warn,sea_orm_migration=warn,tracing_actix_web=error,actix_server=warn"
    } else {
        "warn"
    };
    tracing_subscriber::fmt()
        .with_env_filter(
            EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(quiet)),
        )
        .with_writer(std::io::stderr)
        .init();
    // Fails only when one is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();

    match actix_web::rt::System::new().block_on(commands::run(cli.command)) {
        Ok(code) => code,
        Err(sentence) => {
            // Nobody left to tell when standard error is closed.
            let _ = writeln!(
                std::io::stderr(),
                "dispatch: {}",
                sentence.replace('\n', " ")
            );
            ExitCode::from(2)
        }
    }
}
