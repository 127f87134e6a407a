//! One reader in twenty stops reading: what the others notice of it, and what it costs the server.

use std::time::Duration;

use clap::{Args, value_parser};
use tokio::time::sleep;

use super::{ANSWER_TIMEOUT, RETURN, Recovery, Run, ServerOptions, orders, returning, steady};
use crate::error::LoadTestError;
use crate::latency::Latencies;
use crate::order::Order;
use crate::process::Process;
use crate::reader::Role;
use crate::report::{Report, newest};
use crate::writer::{PLAIN_WRITES, WriteSchedule, Written, write_together};

/// One of how many.
const STUCK: u32 = 20;

/// Bytes that a stuck reader's kernel takes before it takes no more; it doubles them.
const BUFFER: u32 = 2_048;

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub server: ServerOptions,

    #[command(flatten)]
    pub recovery: Recovery,

    /// Readers, of whom one in twenty stops reading
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = value_parser!(u32).range(20..=15_000))]
    pub readers: u32,

    /// Writers that work at the same time, each on repair orders of its own
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u32).range(1..=500))]
    pub writers: u32,

    /// Changes a second
    #[arg(long, value_name = "N", default_value = "20", value_parser = super::rate)]
    pub rate: f64,

    /// Length of each of the two phases, all reading and some stuck
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = value_parser!(u64).range(1..=600))]
    pub seconds: u64,
}

pub async fn run(options: &Options) -> Result<Report, LoadTestError> {
    let ServerOptions {
        target,
        pid,
        common,
    } = &options.server;
    let mut run = Run::begin(&target.url, &target.sign_in, common.seed).await?;
    let stuck = options.readers / STUCK;
    let mut report = Report::new(format!(
        "{}: {} readers, {stuck} of them stop reading",
        run.address, options.readers
    ));
    run.crowd.join(options.readers - stuck, &steady()).await?;
    let role = Role {
        buffer: Some(BUFFER),
        measured: false,
        ..returning()
    };
    let stopping = run.crowd.join(stuck, &role).await?;
    let start = run.open(&mut report.faults).await?;
    let mut shares: Vec<Order> = orders(&start, None, options.writers)?;

    let first = phase(options, &run, &mut shares).await?;
    run.crowd.all_heard(newest(&first), ANSWER_TIMEOUT).await;
    let without = run.context.next_phase();

    let memory = |what: &'static str| {
        pid.map(|pid| Ok::<_, LoadTestError>((what, Process(pid).memory()?.resident)))
            .transpose()
    };
    let mut resident = vec![memory("residentAtStartKb")?];
    run.crowd.tell(stopping, |control| control.stuck = true);
    let middle = async {
        sleep(Duration::from_secs(options.seconds) / 2).await;
        memory("residentInTheMiddleKb")
    };
    let (second, middle) = tokio::join!(phase(options, &run, &mut shares), middle);
    resident.push(middle?);
    resident.push(memory("residentAtTheEndKb")?);
    let with = run.context.next_phase();

    run.crowd.tell(stopping, |control| control.stuck = false);
    // Those that were cut find out, and come back.
    sleep(Duration::from_secs(1)).await;
    run.crowd.all_back(RETURN).await;

    let mut written = first;
    for (writer, then) in written.iter_mut().zip(second?) {
        writer.resume(then);
    }
    report.value("stuckReaders", "stuck readers", stuck);
    for (key, kilobytes) in resident.into_iter().flatten() {
        report.value(key, description_of(key), kilobytes);
    }
    report.value(
        "p99Ratio",
        "p99 with them to without",
        ratio(&with, &without),
    );
    report.written(&written, None);
    let context = run.context.clone();
    run.end(&mut report, &written, &start).await?;
    report.came_back(&context.tallies, options.recovery.must_recover);
    report.latency("allReadingMs", "delivery, all reading", &without);
    report.latency("someStuckMs", "delivery, some stuck", &with);
    Ok(report)
}

fn description_of(key: &str) -> &'static str {
    match key {
        "residentAtStartKb" => "server resident at first, kB",
        "residentInTheMiddleKb" => "server resident then, kB",
        _ => "server resident at last, kB",
    }
}

fn ratio(with: &Latencies, without: &Latencies) -> f64 {
    with.spread().p99 / without.spread().p99.max(0.001)
}

/// Changes at the rate that was asked for; `orders` are then as they have become.
async fn phase(
    options: &Options,
    run: &Run,
    orders: &mut Vec<Order>,
) -> Result<Vec<Written>, LoadTestError> {
    let length = Duration::from_secs(options.seconds);
    let schedule = WriteSchedule::new(u32::MAX, Some(options.rate), length);
    let (writers, shares) = (options.writers as usize, std::mem::take(orders).into_iter());
    let written = write_together(
        &run.desk,
        run.clock,
        &schedule,
        shares,
        writers,
        PLAIN_WRITES,
    )
    .await;
    *orders = run.desk.list().await?.orders.into_values().collect();
    Ok(written)
}
