//! The `dispatch` binary: reads the command line, does what it says, and tells a person in one
//! line when it cannot (exit code 2; 1 when an import refused rows).

mod program;

use std::io::Write;
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::{CommandFactory, Parser};
use dispatch_server::files::folder_handle::make_files_private;
use dispatch_server::log_lines;
use dispatch_server::options::cli::{Cli, Command};
use dispatch_server::options::config::ReportOptions;
use dispatch_server::options::{environment, suggestions};
use dispatch_server::traces::TraceExport;
use tracing_subscriber::EnvFilter;

/// `dispatch` alone shows the help.
const MISSING_COMMAND: ErrorKind = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

fn main() -> ExitCode {
    make_files_private();
    let parsed = Cli::try_parse();
    // Help and version, whatever the environment: who mistyped a variable reads there what it is called.
    if let Err(error) = &parsed
        && (!error.use_stderr() || error.kind() == MISSING_COMMAND)
    {
        error.exit();
    }
    let foreign_variables = match environment::check(&Cli::command(), std::env::vars_os()) {
        Ok(foreign) => foreign,
        Err(bad) => return exit_with_error(&bad.to_string()),
    };
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            return exit_with_error(&format!("{}; see dispatch --help", option_error(&error)));
        }
    };
    // A line of actix_http's is one of anybody's who sends what is no request, and tells no more.
    let (reports, quiet) = match &cli.command {
        Command::Serve(serve) => (
            ReportOptions::new(serve),
            "info,sqlx=warn,sea_orm_migration=warn,tracing_actix_web=error,actix_server=warn,actix_http=off",
        ),
        _ => (ReportOptions::default(), "warn"),
    };
    // Fails only when one is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let traces = match reports.otlp_endpoint.as_ref().map(TraceExport::start) {
        None => None,
        Some(Ok(started)) => Some(started),
        Some(Err(error)) => return exit_with_error(&error.to_string()),
    };
    let (trace_export, trace_layer) = traces.unzip();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(quiet));
    log_lines::start(reports.log_format, filter, trace_layer);
    log_lines::log_panics();
    if !foreign_variables.is_empty() {
        tracing::warn!("not options of dispatch: {}", foreign_variables.join(", "));
    }

    let system = actix_web::rt::System::new();
    let runtime = system.block_on(async { tokio::runtime::Handle::current() });
    // A task that is dropped with the system while it reads hands its connection back to the pool,
    // which starts a task, and would panic without a runtime.
    let entered = runtime.enter();
    let done = system.block_on(async {
        // A task of its own: the future of `block_on` is polled with every task of its thread that wakes, for each message
        // of each session, and a server's waits for signals among others.
        let done = actix_web::rt::spawn(program::commands::run(cli.command)).await;
        let done = done.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        // An actor that never had its turn would be started when it is dropped, where there is no
        // runtime any more, and panic.
        tokio::task::yield_now().await;
        done
    });
    drop(system);
    drop(entered);
    if let Some(export) = trace_export {
        export.stop();
    }
    match done {
        Ok(code) => code,
        Err(sentence) => exit_with_error(&sentence),
    }
}

/// One line on standard error.
fn exit_with_error(sentence: &str) -> ExitCode {
    // Nobody left to tell when standard error is closed.
    let _ = writeln!(std::io::stderr(), "dispatch: {}", one_line(sentence));
    ExitCode::from(2)
}

fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    log_lines::one_line(&words.join(" "))
}

/// What is wrong with the options, without the usage below it.
fn option_error(error: &clap::Error) -> String {
    let arguments: Vec<_> = std::env::args_os().collect();
    if let Some(sentence) = suggestions::unknown_argument(error, &Cli::command(), &arguments) {
        return one_line(&sentence);
    }
    let text = error.to_string();
    let what = text.split("\n\nUsage:").next().unwrap_or_default();
    let what = what.split("\n\nFor more").next().unwrap_or_default();
    let what = suggestions::in_plain_words(&one_line(what.trim_start_matches("error: ")));
    match environment::source_of(error, &Cli::command(), &arguments) {
        None => what,
        Some((variable, false)) => format!("{variable}: {what}"),
        Some((variable, true)) => {
            let value = error.get(ContextKind::InvalidValue);
            let value = value.map(ToString::to_string).unwrap_or_default();
            format!("{variable}: {}", what.replace(&value, "..."))
        }
    }
}
