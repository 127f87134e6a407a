//! What deleting old rows does to whoever works beside it: changes at a steady rate, by turns on a server that
//! keeps everything and on one that deletes.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep};

use super::Output;
use super::figures::{Figures, median, milliseconds};
use crate::clock::Clock;
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::server::{Server, free_address};
use crate::spread::Spread;
use crate::target::{Address, SignIn};
use crate::writer::{PLAIN_WRITES, WriteSchedule, write_together};

/// How much longer a change may take while old rows are deleted, at the 99th percentile.
const MAX_RATIO: f64 = 1.5;

/// The shortest term that a server takes.
const DELETES: &str = "62";
const KEEPS: &str = "forever";

/// Until the first row is deleted; a server waits some seconds before it begins.
const BEGIN_TIMEOUT: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(200);

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The server's binary
    #[arg(long, value_name = "FILE")]
    pub server: PathBuf,

    /// The data folder it is started on: with closed repair orders that are old enough, of which some are
    /// deleted in each round
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,

    #[command(flatten)]
    pub sign_in: SignIn,

    /// Changes a second
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u32).range(1..=10_000))]
    pub rate: u32,

    /// Writers that share them
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u32).range(1..=500))]
    pub writers: u32,

    /// Length of a round
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = value_parser!(u64).range(1..=600))]
    pub seconds: u64,

    /// Rounds with each server
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=100))]
    pub rounds: u32,

    #[command(flatten)]
    pub output: Output,
}

struct Round {
    request_ms: Spread,
    /// Rows deleted in its time.
    deleted: f64,
}

pub async fn run(options: &Options) -> Result<Figures, LoadTestError> {
    let clock = Clock::start();
    let (mut keeping, mut deleting) = (Vec::new(), Vec::new());
    for number in 0..options.rounds {
        // By turns the first, so that other load on the machine affects both.
        let mut order = [KEEPS, DELETES];
        if number % 2 == 1 {
            order.reverse();
        }
        for term in order {
            let round = round(options, clock, term).await?;
            match term {
                KEEPS => keeping.push(round),
                _ => deleting.push(round),
            }
        }
    }
    let mut figures = Figures::new(format!(
        "pruning: {} changes a second, {} rounds of {} s with each server",
        options.rate, options.rounds, options.seconds
    ));
    let of =
        |rounds: &[Round], value: fn(&Round) -> f64| median(rounds.iter().map(value).collect());
    let spread = |rounds: &[Round]| {
        let p50 = of(rounds, |round| round.request_ms.p50);
        let p99 = of(rounds, |round| round.request_ms.p99);
        (
            p99,
            format!("{} and {}", milliseconds(p50), milliseconds(p99)),
        )
    };
    let ((before, kept), (beside, deleted)) = (spread(&keeping), spread(&deleting));
    figures.value("a change, nothing deleted: p50 and p99", kept);
    figures.value("a change, old rows deleted: p50 and p99", deleted);
    let rate = of(&deleting, |round| round.deleted) / options.seconds as f64;
    figures.value("orders and events deleted a second", format!("{rate:.0}"));
    let ratio = beside / before.max(f64::MIN_POSITIVE);
    figures.goal(
        "p99 beside deleting",
        format!("{ratio:.2} times"),
        format!("at most {MAX_RATIO} times"),
        ratio <= MAX_RATIO,
    );
    Ok(figures)
}

async fn round(options: &Options, clock: Clock, term: &str) -> Result<Round, LoadTestError> {
    let (address, metrics) = two_free_addresses().await?;
    let metrics_at = metrics.authority();
    let more = [
        "--keep-closed-orders-days",
        term,
        "--metrics-listen",
        &metrics_at,
    ];
    let server = Server::start(&options.server, &options.data_dir, &address, &more).await?;
    let desk = Desk::sign_in(&address, &options.sign_in).await?;
    let orders = desk.list().await?.orders;
    if term == DELETES {
        until_deleting(&metrics).await?;
    }
    let before = deleted_rows(&metrics).await?;
    let within = Duration::from_secs(options.seconds);
    let schedule = WriteSchedule::new(u32::MAX, Some(options.rate.into()), within);
    let writers = options.writers as usize;
    let orders = orders.into_values();
    let written = write_together(&desk, clock, &schedule, orders, writers, PLAIN_WRITES).await;
    let deleted = deleted_rows(&metrics).await? - before;
    server.stop().await?;
    if let Some(why) = written.iter().find_map(|written| written.failures.first()) {
        return Err(LoadTestError::Unexpected {
            what: "a change",
            why: why.clone(),
        });
    }
    if term == DELETES && deleted == 0.0 {
        return Err(LoadTestError::Options(
            "nothing was left to delete in a round: give a data folder with more old orders"
                .to_owned(),
        ));
    }
    let acknowledged = written.into_iter().flat_map(|written| written.acknowledged);
    let requests = acknowledged.map(|ack| ack.answered - ack.sent).collect();
    Ok(Round {
        request_ms: Spread::of(requests),
        deleted,
    })
}

/// The first is held meanwhile, or it would be the second, too.
async fn two_free_addresses() -> Result<(Address, Address), LoadTestError> {
    let first = free_address().await?;
    let held = TcpListener::bind(first.authority()).await;
    let held = held.map_err(|error| LoadTestError::Machine(format!("a free port: {error}")))?;
    let second = free_address().await?;
    drop(held);
    Ok((first, second))
}

async fn until_deleting(metrics: &Address) -> Result<(), LoadTestError> {
    let deadline = Instant::now() + BEGIN_TIMEOUT;
    while deleted_rows(metrics).await? == 0.0 {
        if Instant::now() >= deadline {
            return Err(LoadTestError::Options(
                "the server deletes nothing: the data folder has no closed orders that are older than \
                 its shortest term"
                    .to_owned(),
            ));
        }
        sleep(LOOK).await;
    }
    Ok(())
}

/// Since the server was started.
async fn deleted_rows(metrics: &Address) -> Result<f64, LoadTestError> {
    let failed = |error: reqwest::Error| LoadTestError::Machine(format!("its metrics: {error}"));
    let url = format!("http://{}/metrics", metrics.authority());
    let answer = reqwest::get(url).await.map_err(failed)?;
    let text = answer.text().await.map_err(failed)?;
    let samples = text
        .lines()
        .filter(|line| line.starts_with("dispatch_pruned_rows_total{"));
    let values = samples.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
    Ok(values.sum())
}
