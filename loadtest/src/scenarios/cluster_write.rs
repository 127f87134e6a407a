//! How many changes a second servers on one database make durable together, and which processes that keeps busy. In the
//! end nothing is lost, nothing was done twice, and all servers answer the same. Nobody else may change anything meanwhile.

use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use futures_util::future::join_all;

use super::agreement::judge_servers;
use super::{CommonOptions, Run, orders, this};
use crate::error::LoadTestError;
use crate::faults::children;
use crate::process::Process;
use crate::report::Report;
use crate::target::{Address, Target};
use crate::writer::{PLAIN_WRITES, WriteSchedule, Written, write_together};

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub target: Target,

    /// Another server on the same database; can be repeated
    #[arg(long = "other", value_name = "URL")]
    pub others: Vec<Address>,

    /// A server's process; can be repeated
    #[arg(long = "pid", value_name = "PID", required = true)]
    pub servers: Vec<u32>,

    /// The first of PostgreSQL's processes
    #[arg(long, value_name = "PID")]
    pub postgres: u32,

    /// Writers of all servers together, each on repair orders of its own
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = value_parser!(u32).range(1..=500))]
    pub writers: u32,

    /// How long they write
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = value_parser!(u64).range(1..=600))]
    pub seconds: u64,

    #[command(flatten)]
    pub common: CommonOptions,
}

pub async fn run(options: &Options) -> Result<Report, LoadTestError> {
    let Target { url, sign_in } = &options.target;
    let mut runs = Vec::new();
    for address in std::iter::once(url).chain(&options.others) {
        runs.push(Run::begin(address, sign_in, options.common.seed).await?);
    }
    let mut report = Report::new(format!(
        "{} servers on one PostgreSQL, {} writers",
        runs.len(),
        options.writers
    ));
    let start = runs[0].open(&mut report.faults).await?;
    let all = orders(&start, None, options.writers)?;
    let shares = all.chunks(all.len().div_ceil(runs.len()));

    let clock = runs[0].clock;
    let used_before = Used::until_now(options)?;
    let schedule = WriteSchedule::new(u32::MAX, None, Duration::from_secs(options.seconds));
    let writing = runs
        .iter()
        .zip(shares)
        .enumerate()
        .map(|(place, (run, share))| {
            let (all, servers) = (options.writers as usize, runs.len());
            // The first ones have one more where they cannot be shared evenly.
            let writers = all / servers + usize::from(place < all % servers);
            let share = share.iter().cloned();
            write_together(&run.desk, clock, &schedule, share, writers, PLAIN_WRITES)
        });
    let written: Vec<Written> = join_all(writing).await.into_iter().flatten().collect();
    Used::until_now(options)?.report(&used_before, &mut report);

    report.written(&written, None);
    let servers: Vec<Address> = std::iter::once(url)
        .chain(&options.others)
        .cloned()
        .collect();
    judge_servers(&servers, sign_in, &written, &start, &mut report).await?;
    Ok(report)
}

/// Processor time until a moment.
struct Used {
    at: Instant,
    servers: Duration,
    postgres: Duration,
    own: Duration,
}

impl Used {
    fn until_now(options: &Options) -> Result<Self, LoadTestError> {
        let servers = options.servers.iter().map(|&id| Process(id).cpu());
        // PostgreSQL's come and go: one that has ended since they were listed is left out.
        let postgres = children(options.postgres)?.into_iter();
        let postgres = postgres.filter_map(|id| Process(id).cpu().ok());
        Ok(Self {
            at: Instant::now(),
            servers: servers.sum::<Result<_, _>>()?,
            postgres: postgres.sum(),
            own: this().cpu()?,
        })
    }

    fn report(&self, before: &Self, report: &mut Report) {
        let took = (self.at - before.at).as_secs_f64();
        let cores =
            |used: Duration, before: Duration| used.saturating_sub(before).as_secs_f64() / took;
        for (key, what, used) in [
            (
                "serverCores",
                "cores that the servers used",
                cores(self.servers, before.servers),
            ),
            (
                "postgresCores",
                "cores that PostgreSQL used",
                cores(self.postgres, before.postgres),
            ),
            (
                "loadCores",
                "cores that this program used",
                cores(self.own, before.own),
            ),
        ] {
            report.value(key, what, used);
        }
    }
}
