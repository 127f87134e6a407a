//! What is below the server breaks again and again, under writers who insist and readers who come
//! back. Nothing acknowledged may be lost, and nobody's screen may be wrong while it says that it
//! is live.
//!
//! - `servers`: what is broken, killed and started again.
//! - `screens`: what every reader shows, held against what was acknowledged.

pub(super) mod screens;
mod servers;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use clap::{Args, value_parser};

use self::screens::ScreenChecks;
use self::servers::TorturedServers;
use super::{CommonOptions, RETURN, Run, orders, returning};
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::report::Report;
use crate::settled_changes::SettledChanges;
use crate::target::SignIn;
use crate::writer::{Acknowledged, WritePolicy, WriteSchedule, Written, write_together};

/// Faults of one kind that are written out.
const MAX_SHOWN_FAULTS: usize = 10;

/// Longer than any rounds take.
const MAX_DURATION: Duration = Duration::from_secs(86_400);

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The server's binary
    #[arg(long, value_name = "FILE")]
    pub server: PathBuf,

    /// An empty folder for its data: a demo that stands still
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,

    #[command(flatten)]
    pub faulty: FaultyStorage,

    #[command(flatten)]
    pub sign_in: SignIn,

    #[command(flatten)]
    pub common: CommonOptions,

    /// Faults, one after the other
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub rounds: u32,

    /// Readers that come back each time
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..=1_000))]
    pub readers: u32,

    /// Writers that work at the same time, each on repair orders of its own
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u32).range(1..=100))]
    pub writers: u32,

    /// Changes a second that all writers make together, while they can
    #[arg(long, value_name = "N", default_value = "50", value_parser = super::rate)]
    pub rate: f64,

    /// How long a screen may be without an acknowledged change while it says that it is live
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = value_parser!(u64).range(1..=600))]
    pub grace_seconds: u64,
}

#[derive(Clone, Debug, Args)]
#[group(required = true, multiple = true)]
pub struct FaultyStorage {
    /// The library of server/tests/faulty-io.c: SQLite in the data folder has the faults
    #[arg(long, value_name = "FILE", conflicts_with_all = ["database_url", "postgres_pid"])]
    pub faulty_io: Option<PathBuf>,

    /// An empty PostgreSQL database, which has the faults
    #[arg(long, value_name = "URL", requires = "postgres_pid")]
    pub database_url: Option<String>,

    /// The first of PostgreSQL's processes
    #[arg(long, value_name = "PID", requires = "database_url")]
    pub postgres_pid: Option<u32>,
}

pub async fn run(options: &Options) -> Result<Report, LoadTestError> {
    let seed = options.common.seed;
    let created = std::fs::create_dir_all(&options.data_dir);
    created.map_err(|error| LoadTestError::Machine(error.to_string()))?;
    let servers = TorturedServers::open(options).await?;
    let writers_address = servers.writers_address().clone();
    let mut run = Run::begin_apart(
        servers.readers_address(),
        &writers_address,
        &options.sign_in,
        seed,
    )
    .await?;
    let mut report = Report::new(format!(
        "{}: {} rounds, {} readers, {} writers, seed {seed}",
        servers.readers_address(),
        options.rounds,
        options.readers,
        options.writers
    ));
    run.crowd.join(options.readers, &returning()).await?;
    let first = run.open(&mut report.faults).await?;

    let settled = Rc::new(SettledChanges::new(Duration::from_secs(
        options.grace_seconds,
    )));
    let schedule =
        WriteSchedule::new(u32::MAX, Some(options.rate), MAX_DURATION).noted_in(&settled);
    let policy = WritePolicy {
        batch_size: 1,
        retries_until_answered: true,
    };
    let (writing, writers) = (orders(&first, None, options.writers)?, options.writers);
    let (writing, writers) = (writing.into_iter(), writers as usize);
    let writing = write_together(&run.desk, run.clock, &schedule, writing, writers, policy);
    let mut screens = ScreenChecks::new(run.crowd.each(), &run.context, &settled);
    let breaking = async {
        let broken = servers.break_things(options).await;
        schedule.stop();
        broken
    };
    let (written, broken) = tokio::select! {
        () = screens.watch() => return Err(LoadTestError::Machine("the clock stopped".to_owned())),
        worked = async { tokio::join!(writing, breaking) } => worked,
    };
    let (servers, made) = broken?;
    for (fault, times) in made {
        report.value(fault, fault, times);
    }
    screens.tell(&mut report);

    // What was acknowledged is there after another death.
    run.crowd.all_back(RETURN).await;
    let servers = servers.die().await?;
    run.crowd.all_back(RETURN).await;
    let lost = find_lost_changes(&run.desk, &written).await?;
    report.value("lost", "acknowledged and lost", lost.len());
    report.faults.extend(shortened(lost));
    report.written(&written, None);
    let overtaken: usize = written.iter().map(|written| written.overtaken).sum();
    if overtaken > 0 {
        let fault = "requests that were sent again were taken for others";
        report.faults.push(format!("{overtaken} {fault}"));
    }
    let context = run.context.clone();
    let others = run.end(&mut report, &written, &first).await?;
    if others > 0 {
        let fault = "events that no answer was about: something was done twice";
        report.faults.push(format!("{others} {fault}"));
    }
    report.came_back(&context.tallies, false);
    report.latency("awayMs", "away", &context.returns.borrow());
    servers.stop().await?;
    Ok(report)
}

pub(super) fn shortened(mut faults: Vec<String>) -> Vec<String> {
    if faults.len() > MAX_SHOWN_FAULTS {
        let more = faults.split_off(MAX_SHOWN_FAULTS).len();
        faults.push(format!("{more} more of these"));
    }
    faults
}

/// Acknowledged changes that are in no history, or newer than their order's row on the list.
pub(super) async fn find_lost_changes(
    desk: &Desk,
    written: &[Written],
) -> Result<Vec<String>, LoadTestError> {
    let mut by_order: BTreeMap<i64, Vec<&Acknowledged>> = BTreeMap::new();
    for acknowledged in written.iter().flat_map(|written| &written.acknowledged) {
        by_order
            .entry(acknowledged.number)
            .or_default()
            .push(acknowledged);
    }
    let mut lost = Vec::new();
    let list = desk.list().await?;
    for (number, acknowledged) in by_order {
        // None of these changes closes an order.
        let listed = list.orders.get(&number).map(|order| order.version);
        let newest = acknowledged.iter().map(|change| change.version).max();
        if listed < newest {
            lost.push(format!(
                "order {number}: version {newest:?} was acknowledged, the list has {listed:?}"
            ));
        }
        let history = desk.history(number).await?;
        for change in acknowledged {
            let (version, last) = (change.version, change.last);
            match history.get(&version) {
                Some(seq) if *seq == last => {}
                kept => lost.push(format!(
                    "order {number}: version {version} was acknowledged as event {last}, its history has {kept:?}"
                )),
            }
        }
    }
    Ok(lost)
}
