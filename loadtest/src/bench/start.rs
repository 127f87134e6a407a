//! How long a server takes to start on the database it has, and how much memory it then needs.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use tokio::time::sleep;

use super::Output;
use super::audience::Audience;
use super::figures::{Figures, median, megabytes, milliseconds};
use crate::clock::Clock;
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::process::Memory;
use crate::server::{Server, free_address};
use crate::target::{Address, SignIn};
use crate::writer::{PLAIN_WRITES, WriteSchedule, write_together};

const READY_MS: f64 = 300.0;
/// In kilobytes of 1,024.
const MEMORY: u64 = 120 * 1_024;

const START_TIMEOUT: Duration = Duration::from_secs(60);
/// After it is ready, and after work, until memory is looked at.
const REST: Duration = Duration::from_millis(500);

const WRITERS: usize = 4;
/// Lists fetched by the screens that open: more than one, so that what a list leaves shows.
const LISTS: u32 = 10;

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The server's binary
    #[arg(long, value_name = "FILE")]
    pub server: PathBuf,

    /// The data folder it is started on; its open repair orders are changed
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,

    #[command(flatten)]
    pub sign_in: SignIn,

    /// Starts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=100))]
    pub rounds: u32,

    /// Open screens after each start
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u32).range(..=10_000))]
    pub readers: u32,

    /// Changes that they hear
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = value_parser!(u32).range(..=1_000_000))]
    pub changes: u32,

    #[command(flatten)]
    pub output: Output,
}

struct Round {
    ready: Duration,
    started: Memory,
    worked: Memory,
    open: usize,
}

pub async fn run(options: &Options) -> Result<Figures, LoadTestError> {
    let clock = Clock::start();
    let mut rounds = Vec::new();
    for _ in 0..options.rounds {
        rounds.push(round(options, clock).await?);
    }
    let open = rounds.last().map_or(0, |round| round.open);
    let mut figures = Figures::new(format!(
        "start: {open} open ROs, {} starts, files in the system's cache",
        options.rounds
    ));
    let of = |value: fn(&Round) -> f64| median(rounds.iter().map(value).collect());
    let ready = of(|round| round.ready.as_secs_f64() * 1_000.0);
    let slowest = rounds.iter().map(|round| round.ready).max();
    figures.goal(
        "from start to ready",
        milliseconds(ready),
        format!("under {READY_MS} ms"),
        ready < READY_MS,
    );
    figures.value(
        "slowest start",
        milliseconds(slowest.unwrap_or_default().as_secs_f64() * 1_000.0),
    );
    let mut memory = |what: String, kilobytes: f64| {
        let kilobytes = kilobytes as u64;
        let value = megabytes(kilobytes);
        figures.goal(what, value, "under 120 MB", kilobytes < MEMORY);
    };
    memory(
        "memory after start".to_owned(),
        of(|round| round.started.resident as f64),
    );
    let work = format!(
        "memory after {LISTS} lists and {} changes before {} screens",
        options.changes, options.readers
    );
    memory(work, of(|round| round.worked.resident as f64));
    memory(
        "memory at most, until then".to_owned(),
        of(|round| round.worked.peak as f64),
    );
    Ok(figures)
}

async fn round(options: &Options, clock: Clock) -> Result<Round, LoadTestError> {
    let address = free_address().await?;
    let began = Instant::now();
    let server = Server::start(&options.server, &options.data_dir, &address, &[]).await?;
    let process = server.process();
    let ready = began.elapsed();

    sleep(REST).await;
    let started = process.memory()?;
    let open = work(options, &address, clock).await?;
    let worked = process.memory()?;
    server.stop().await?;
    Ok(Round {
        ready,
        started,
        worked,
        open,
    })
}

/// Screens open, get their lists and hear changes. How many orders are open.
async fn work(options: &Options, address: &Address, clock: Clock) -> Result<usize, LoadTestError> {
    let desk = Desk::sign_in(address, &options.sign_in).await?;
    let screens = Audience::join(address, desk.token(), options.readers).await?;
    for _ in 0..LISTS {
        desk.fetch_list(None).await?;
    }
    let orders = desk.list().await?.orders;
    let open = orders.len();
    let schedule = WriteSchedule::new(options.changes, None, START_TIMEOUT);
    let written = write_together(
        &desk,
        clock,
        &schedule,
        orders.into_values(),
        WRITERS,
        PLAIN_WRITES,
    )
    .await;
    if let Some(why) = written.iter().find_map(|written| written.failures.first()) {
        return Err(LoadTestError::Unexpected {
            what: "a change",
            why: why.clone(),
        });
    }
    let heard = screens.leave(REST).await?;
    if let Some(why) = heard.lost.first() {
        return Err(LoadTestError::Unexpected {
            what: "an open screen",
            why: why.clone(),
        });
    }
    Ok(open)
}
