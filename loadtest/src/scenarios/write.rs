//! How many changes a second are made durable, each answered before its writer asks for the next,
//! and what one costs the server.

use std::time::Duration;

use clap::{Args, value_parser};

use super::{ANSWER_TIMEOUT, Meter, Run, ServerOptions, changes, orders, steady};
use crate::error::LoadTestError;
use crate::report::{Report, newest};
use crate::writer::{PLAIN_WRITES, WriteSchedule, write_together};

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub server: ServerOptions,

    /// Writers that work at the same time, each on repair orders of its own
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = value_parser!(u32).range(1..=500))]
    pub writers: u32,

    /// Open repair orders that are changed [default: all]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=100_000))]
    pub orders: Option<u32>,

    /// How long they write
    #[arg(long, value_name = "SECONDS", default_value_t = 6, value_parser = value_parser!(u64).range(1..=600))]
    pub seconds: u64,

    /// Readers that listen
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(..=1_000))]
    pub readers: u32,
}

pub async fn run(options: &Options) -> Result<Report, LoadTestError> {
    let ServerOptions {
        target,
        pid,
        common,
    } = &options.server;
    let mut run = Run::begin(&target.url, &target.sign_in, common.seed).await?;
    let mut report = Report::new(format!("{}: {} writers", run.address, options.writers));
    run.crowd.join(options.readers, &steady()).await?;
    let start = run.open(&mut report.faults).await?;
    let orders = orders(&start, options.orders, options.writers)?;
    report.value("orders", "repair orders", orders.len());

    let meter = Meter::start(*pid, &run.context)?;
    let schedule = WriteSchedule::new(u32::MAX, None, Duration::from_secs(options.seconds));
    let (orders, writers) = (orders.into_iter(), options.writers as usize);
    let written = write_together(
        &run.desk,
        run.clock,
        &schedule,
        orders,
        writers,
        PLAIN_WRITES,
    )
    .await;
    run.crowd.all_heard(newest(&written), ANSWER_TIMEOUT).await;
    if let Some(meter) = meter {
        meter.stop(&run.context, changes(&written), &mut report)?;
    }
    report.written(&written, None);
    let context = run.context.clone();
    run.end(&mut report, &written, &start).await?;
    report.latency(
        "commitToDeliveryMs",
        "commit to delivery",
        &context.next_phase(),
    );
    Ok(report)
}
