//! Some write, many listen: every reader must hear every change, once and in order.

use std::time::Duration;

use clap::{Args, value_parser};
use tokio::time::sleep;

use super::{Meter, Run, ServerOptions, changes, orders, steady};
use crate::error::LoadTestError;
use crate::process::Process;
use crate::report::Report;
use crate::writer::{WritePolicy, WriteSchedule, write_together};

/// Readers that come and go before memory is looked at, so that what a server takes once for all is
/// not counted as theirs.
const WARM: u32 = 300;

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub server: ServerOptions,

    /// Readers that listen
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u32).range(1..=15_000))]
    pub readers: u32,

    /// Writers that work at the same time, each on repair orders of its own
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u32).range(1..=500))]
    pub writers: u32,

    /// Changes that all writers make together
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub changes: u32,

    /// Changes a second that all writers make together [default: as fast as they are acknowledged]
    #[arg(long, value_name = "N", value_parser = super::rate)]
    pub rate: Option<f64>,

    /// Changes in one request
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=100))]
    pub burst: u32,

    /// Start no change after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = value_parser!(u64).range(1..=3_000))]
    pub within: u64,

    /// With --pid: seconds that readers are left alone before the server's memory is looked at; 0
    /// does not look at it
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = value_parser!(u64).range(..=600))]
    pub settle: u64,
}

impl Options {
    /// What single options cannot tell: whether they make a test together.
    pub fn check(&self) -> Result<(), LoadTestError> {
        let seconds = self.rate.map_or(0.0, |rate| f64::from(self.changes) / rate);
        if seconds > self.within as f64 {
            return Err(LoadTestError::Options(format!(
                "at this --rate {} changes take {seconds:.0} s; --within is {} s",
                self.changes, self.within
            )));
        }
        Ok(())
    }
}

pub async fn run(options: &Options) -> Result<Report, LoadTestError> {
    options.check()?;
    let ServerOptions {
        target,
        pid,
        common,
    } = &options.server;
    let mut run = Run::begin(&target.url, &target.sign_in, common.seed).await?;
    let mut report = Report::new(format!(
        "{}: {} readers, {} writers",
        run.address, options.readers, options.writers
    ));
    match pid {
        Some(pid) if options.settle > 0 => {
            let session_bytes = sessions(options, &mut run, Process(*pid)).await?;
            report.value("bytesPerSession", "bytes per idle session", session_bytes);
        }
        _ => drop(run.crowd.join(options.readers, &steady()).await?),
    }
    let start = run.open(&mut report.faults).await?;

    let meter = Meter::start(*pid, &run.context)?;
    let policy = WritePolicy {
        batch_size: options.burst as usize,
        retries_until_answered: false,
    };
    let within = Duration::from_secs(options.within);
    let schedule = WriteSchedule::new(options.changes, options.rate, within);
    let writing = orders(&start, None, options.writers)?.into_iter();
    let writers = options.writers as usize;
    let written = write_together(&run.desk, run.clock, &schedule, writing, writers, policy).await;
    let top = crate::report::newest(&written);
    run.crowd.all_heard(top, super::ANSWER_TIMEOUT).await;
    if let Some(meter) = meter {
        meter.stop(&run.context, changes(&written), &mut report)?;
    }

    report.written(&written, Some(options.changes));
    let context = run.context.clone();
    run.end(&mut report, &written, &start).await?;
    report.latency(
        "commitToDeliveryMs",
        "commit to delivery",
        &context.next_phase(),
    );
    Ok(report)
}

/// All join; the bytes that each of them costs while nothing happens.
async fn sessions(options: &Options, run: &mut Run, server: Process) -> Result<f64, LoadTestError> {
    let settle = Duration::from_secs(options.settle);
    run.desk.list().await?;
    let warm = WARM.min(options.readers);
    let group = run.crowd.join(warm, &steady()).await?;
    run.crowd.tell(group, |control| control.is_closed = true);
    run.crowd.forget();
    sleep(settle).await;
    let before = server.resident_bytes()?;
    run.crowd.join(options.readers, &steady()).await?;
    sleep(settle).await;
    let after = server.resident_bytes()?;
    Ok((after as f64 - before as f64) / f64::from(options.readers))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Command};

    fn fanout(options: &[&str]) -> Result<Options, clap::Error> {
        let line = ["loadtest", "fanout"].iter().chain(options);
        Cli::try_parse_from(line).map(|cli| match cli.command {
            Command::Fanout(options) => options,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn other_machines_are_refused() {
        let error = fanout(&["--url", "http://192.0.2.1:8080"]).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("this machine"), "{error}");
    }

    #[test]
    fn a_run_that_cannot_end_in_time_is_refused() {
        let options = fanout(&["--changes", "500", "--rate", "0.5"]).unwrap();
        let refusal = options.check().unwrap_err().to_string();
        assert!(refusal.contains("1000 s"), "{refusal}");
        assert!(fanout(&["--rate", "0"]).is_err());
        assert!(fanout(&["--rate", "NaN"]).is_err());
    }
}
