//! The server is killed and started again every few seconds, under writers who insist and readers
//! who come back. Nothing acknowledged may be lost, and nothing may come twice.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tokio::time::{Instant, sleep};

use super::{CommonOptions, RETURN, Recovery, Run, orders, returning};
use crate::error::LoadTestError;
use crate::report::Report;
use crate::server::{Server, free_address};
use crate::target::{Address, SignIn};
use crate::writer::{WritePolicy, WriteSchedule, write_together};

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The server's binary
    #[arg(long, value_name = "FILE")]
    pub server: PathBuf,

    /// The data folder it is started on; its open repair orders are changed
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,

    /// Start it as a demo that stands still, which fills an empty folder
    #[arg(long)]
    pub demo: bool,

    #[command(flatten)]
    pub sign_in: SignIn,

    #[command(flatten)]
    pub common: CommonOptions,

    #[command(flatten)]
    pub recovery: Recovery,

    /// Readers that come back each time
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u32).range(1..=15_000))]
    pub readers: u32,

    /// Writers that work at the same time, each on repair orders of its own
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u32).range(1..=500))]
    pub writers: u32,

    /// Changes a second that all writers make together, while there is a server
    #[arg(long, value_name = "N", default_value = "50", value_parser = super::rate)]
    pub rate: f64,

    /// How long the server lives on average; no life is shorter than half of it
    #[arg(long, value_name = "SECONDS", default_value_t = 4.0, value_parser = seconds)]
    pub every: f64,

    /// Kill it no more often than this [default: until the time is over]
    #[arg(long, value_name = "N")]
    pub kills: Option<u32>,

    /// How long it goes on
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = value_parser!(u64).range(1..=86_400))]
    pub seconds: u64,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.2..=3_600.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number from 0.2 to 3600".to_owned()),
    }
}

/// A server that is killed and started again.
struct KilledServer<'a> {
    options: &'a Options,
    address: &'a Address,
    rng: StdRng,
    server: Server,
    kills: u32,
    slowest_start: Duration,
}

pub async fn run(options: &Options) -> Result<Report, LoadTestError> {
    let address = free_address().await?;
    let mut killed_server = KilledServer {
        server: start(options, &address).await?,
        options,
        address: &address,
        rng: StdRng::seed_from_u64(options.common.seed),
        kills: 0,
        slowest_start: Duration::ZERO,
    };
    let mut run = Run::begin(&address, &options.sign_in, options.common.seed).await?;
    let mut report = Report::new(format!(
        "{address}: {} readers, {} writers, {} s, seed {}",
        options.readers, options.writers, options.seconds, options.common.seed
    ));
    run.crowd.join(options.readers, &returning()).await?;
    let first = run.open(&mut report.faults).await?;

    let length = Duration::from_secs(options.seconds);
    let schedule = WriteSchedule::new(u32::MAX, Some(options.rate), length);
    let policy = WritePolicy {
        batch_size: 1,
        retries_until_answered: true,
    };
    let (writing, writers) = (orders(&first, None, options.writers)?, options.writers);
    let (writing, writers) = (writing.into_iter(), writers as usize);
    let writing = write_together(&run.desk, run.clock, &schedule, writing, writers, policy);
    let (written, killed) = tokio::join!(writing, killed_server.live(length));
    killed_server = killed?;
    run.crowd.all_back(RETURN).await;

    report.value("kills", "kills", killed_server.kills);
    report.value(
        "slowestStartSeconds",
        "slowest start, seconds",
        killed_server.slowest_start.as_secs_f64(),
    );
    report.written(&written, None);
    let context = run.context.clone();
    let others = run.end(&mut report, &written, &first).await?;
    if others > 0 {
        let fault = "events that no answer was about: something was done twice";
        report.faults.push(format!("{others} {fault}"));
    }
    report.came_back(&context.tallies, options.recovery.must_recover);
    report.latency("awayMs", "away", &context.returns.borrow());
    killed_server.server.stop().await?;
    Ok(report)
}

async fn start(options: &Options, address: &Address) -> Result<Server, LoadTestError> {
    let demo: &[&str] = if options.demo { &["--demo=still"] } else { &[] };
    Server::start(&options.server, &options.data_dir, address, demo).await
}

impl KilledServer<'_> {
    /// Dies and comes back until that time is over.
    async fn live(mut self, length: Duration) -> Result<Self, LoadTestError> {
        let until = Instant::now() + length;
        loop {
            let life = self.options.every * self.rng.random_range(0.5..1.5);
            let life = Duration::from_secs_f64(life);
            let enough = self.options.kills.is_some_and(|kills| self.kills >= kills);
            if enough || Instant::now() + life > until {
                return Ok(self);
            }
            sleep(life).await;
            self.server.kill().await?;
            self.kills += 1;
            let started = Instant::now();
            self.server = start(self.options, self.address).await?;
            self.slowest_start = self.slowest_start.max(started.elapsed());
        }
    }
}
