//! Everybody's connection ends at the same moment, and everybody comes back.

use std::time::Duration;

use clap::{Args, value_parser};
use tokio::time::{Instant, sleep};

use super::{Meter, RETURN, Recovery, Run, ServerOptions, changes, orders, returning};
use crate::crowd::Group;
use crate::error::LoadTestError;
use crate::report::Report;
use crate::writer::{PLAIN_WRITES, WriteSchedule, write_together};

/// Before it and after it changes go on for a moment.
const CALM: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(10);

/// However often it happens, this is over by then.
const MAX_DURATION: Duration = Duration::from_secs(24 * 3_600);

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub server: ServerOptions,

    #[command(flatten)]
    pub recovery: Recovery,

    /// Readers whose connections end
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = value_parser!(u32).range(1..=15_000))]
    pub readers: u32,

    /// Writers that work at the same time, each on repair orders of its own
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u32).range(1..=500))]
    pub writers: u32,

    /// Changes a second that go on meanwhile
    #[arg(long, value_name = "N", default_value = "4", value_parser = super::rate)]
    pub rate: f64,

    /// How often it happens
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=100))]
    pub times: u32,
}

pub async fn run(options: &Options) -> Result<Report, LoadTestError> {
    let ServerOptions {
        target,
        pid,
        common,
    } = &options.server;
    let mut run = Run::begin(&target.url, &target.sign_in, common.seed).await?;
    let mut report = Report::new(format!(
        "{}: {} readers lose their connections at once",
        run.address, options.readers
    ));
    let everybody = run.crowd.join(options.readers, &returning()).await?;
    let start = run.open(&mut report.faults).await?;
    let orders = orders(&start, None, options.writers)?.into_iter();

    let meter = Meter::start(*pid, &run.context)?;
    let schedule = WriteSchedule::new(u32::MAX, Some(options.rate), MAX_DURATION);
    let writers = options.writers as usize;
    let writing = write_together(
        &run.desk,
        run.clock,
        &schedule,
        orders,
        writers,
        PLAIN_WRITES,
    );
    let storming = async {
        let mut slowest = Duration::ZERO;
        for _ in 0..options.times {
            sleep(CALM).await;
            slowest = slowest.max(storm(&run, everybody).await);
        }
        sleep(CALM).await;
        schedule.stop();
        slowest
    };
    let (written, slowest) = tokio::join!(writing, storming);
    if let Some(meter) = meter {
        meter.stop(&run.context, changes(&written), &mut report)?;
    }
    report.value(
        "secondsUntilAllBack",
        "seconds until the last was back",
        slowest.as_secs_f64(),
    );
    report.written(&written, None);
    let context = run.context.clone();
    run.end(&mut report, &written, &start).await?;
    report.came_back(&context.tallies, options.recovery.must_recover);
    report.latency("awayMs", "away", &context.returns.borrow());
    Ok(report)
}

/// From the moment until the last is back and has what it missed, or [`RETURN`].
async fn storm(run: &Run, everybody: Group) -> Duration {
    let tally = || run.context.returns.borrow().count();
    let due = tally() + run.crowd.len() as u64;
    let since = Instant::now();
    run.crowd.tell(everybody, |control| control.drops += 1);
    while tally() < due && since.elapsed() < RETURN {
        sleep(LOOK).await;
    }
    since.elapsed()
}
