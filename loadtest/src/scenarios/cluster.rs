//! Several servers on one database: what is changed at one must come to the readers of all, and how much later it comes
//! to those at another server. In the end nothing is lost, nothing was done twice, and all servers answer the same. Nobody
//! else may change anything meanwhile.

use std::time::Duration;

use clap::{Args, value_parser};

use super::agreement::judge_servers;
use super::{ANSWER_TIMEOUT, CommonOptions, Meter, Run, changes, orders, steady};
use crate::error::LoadTestError;
use crate::report::{Report, newest};
use crate::target::{Address, Target};
use crate::writer::{WritePolicy, WriteSchedule, write_together};

/// Until the last change has been started.
const WITHIN: Duration = Duration::from_secs(600);

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The server at which changes are made
    #[command(flatten)]
    pub target: Target,

    /// Another server on the same database; can be repeated
    #[arg(long = "other", value_name = "URL", required = true)]
    pub others: Vec<Address>,

    /// The first server's process: also tell its processor time and memory
    #[arg(long, value_name = "PID")]
    pub pid: Option<u32>,

    /// Readers at each server
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = value_parser!(u32).range(1..=5_000))]
    pub readers: u32,

    /// Writers that work at the same time, each on repair orders of its own
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u32).range(1..=500))]
    pub writers: u32,

    /// Changes that all writers make together
    #[arg(long, value_name = "N", default_value_t = 1_500, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub changes: u32,

    /// Changes a second that all writers make together [default: as fast as they are acknowledged]
    #[arg(long, value_name = "N", value_parser = super::rate)]
    pub rate: Option<f64>,

    #[command(flatten)]
    pub common: CommonOptions,
}

pub async fn run(options: &Options) -> Result<Report, LoadTestError> {
    let Target { url, sign_in } = &options.target;
    let seed = options.common.seed;
    let mut here = Run::begin(url, sign_in, seed).await?;
    let mut elsewhere = Vec::new();
    for other in &options.others {
        elsewhere.push(Run::begin(other, sign_in, seed).await?);
    }
    let mut report = Report::new(format!(
        "{}: {} servers with {} readers each, {} writers at the first",
        here.address,
        1 + elsewhere.len(),
        options.readers,
        options.writers
    ));
    for run in elsewhere.iter_mut().chain([&mut here]) {
        run.crowd.join(options.readers, &steady()).await?;
    }
    let start = here.open(&mut report.faults).await?;
    for run in &elsewhere {
        run.open(&mut report.faults).await?;
    }

    let meter = Meter::start(options.pid, &here.context)?;
    let policy = WritePolicy {
        batch_size: 1,
        retries_until_answered: false,
    };
    let schedule = WriteSchedule::new(options.changes, options.rate, WITHIN);
    let writing = orders(&start, None, options.writers)?.into_iter();
    let writers = options.writers as usize;
    let written = write_together(&here.desk, here.clock, &schedule, writing, writers, policy).await;
    let top = newest(&written);
    for run in elsewhere.iter().chain([&here]) {
        run.crowd.all_heard(top, ANSWER_TIMEOUT).await;
    }
    if let Some(meter) = meter {
        meter.stop(&here.context, changes(&written), &mut report)?;
    }
    report.written(&written, Some(options.changes));
    report.latency(
        "commitToDeliveryMs",
        "commit to delivery at the same server",
        &here.context.next_phase(),
    );
    let mut at_others = crate::latency::Latencies::new();
    for run in &elsewhere {
        at_others.add(&run.context.next_phase());
    }
    report.latency(
        "commitToOtherServersMs",
        "commit to delivery at other servers",
        &at_others,
    );
    for run in elsewhere {
        // Every reader there has what the list there says; the events are counted once, below.
        let mut checked = Report::new(String::new());
        run.end(&mut checked, &written, &start).await?;
        report.faults.extend(checked.faults);
    }
    let servers: Vec<Address> = std::iter::once(url)
        .chain(&options.others)
        .cloned()
        .collect();
    judge_servers(&servers, sign_in, &written, &start, &mut report).await?;
    here.end(&mut report, &written, &start).await?;
    Ok(report)
}
