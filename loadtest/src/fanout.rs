//! Some write, many listen: every reader must hear every change, once and in order.

use std::time::Duration;

use futures_util::future::join_all;
use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::sync::watch;

use crate::checker::{Truth, Verdict, check};
use crate::cli::Fanout;
use crate::clock::Clock;
use crate::desk::Desk;
use crate::order::List;
use crate::reader::{Log, Progress, Reader, all_heard};
use crate::report::{Report, Run};
use crate::trouble::Trouble;
use crate::writer::{Turns, Written, write_together};

/// Readers that connect at the same time; all at once would be another test.
const JOINING: usize = 32;

/// How long readers may stand still before what they have not heard counts as missing.
const PATIENCE: Duration = Duration::from_secs(10);

pub async fn run(options: &Fanout) -> Result<Report, Trouble> {
    options.check()?;
    let clock = Clock::start();
    let desk = Desk::sign_in(&options.target.url, &options.target.who).await?;

    let readers = join(options, &desk, clock).await?;
    let hello = readers.iter().map(Reader::hello).max().unwrap_or(0);
    let progress: Vec<Progress> = readers.iter().map(Reader::progress).collect();
    let (stop, stopped) = watch::channel(false);
    let listening: Vec<_> = readers
        .into_iter()
        .map(|reader| tokio::spawn(reader.listen(stopped.clone())))
        .collect();

    let start = desk.list().await?;
    let written = write_all(options, &desk, clock, &start).await?;
    let acknowledged = newest(&written);
    let end = desk.list().await?;
    let top = end.seq.max(acknowledged);
    all_heard(&progress, top, PATIENCE).await;

    // Every reader has its own handle; they stop, or have ended already.
    let _ = stop.send(true);
    let mut logs: Vec<Log> = Vec::with_capacity(listening.len());
    for log in join_all(listening).await {
        logs.push(log.map_err(|error| Trouble::Machine(error.to_string()))?);
    }
    let truth = Truth {
        start: &start,
        end: &end,
        top,
    };
    let verdicts: Vec<Verdict> = logs.iter().map(|log| check(log, &truth)).collect();

    let mut faults = Vec::new();
    faults.extend(older(&start, hello, "was told by hello"));
    faults.extend(older(&end, acknowledged, "had been acknowledged"));
    Ok(Report::new(Run {
        url: options.target.url.to_string(),
        changes_wanted: options.changes,
        written: &written,
        logs: &logs,
        verdicts: &verdicts,
        faults,
    }))
}

/// Every reader, past its `hello`.
async fn join(options: &Fanout, desk: &Desk, clock: Clock) -> Result<Vec<Reader>, Trouble> {
    stream::iter(0..options.readers)
        .map(|_| Reader::join(&options.target.url, desk.token(), clock))
        .buffered(JOINING)
        .try_collect()
        .await
}

/// All changes, by writers that share the open orders among them.
async fn write_all(
    options: &Fanout,
    desk: &Desk,
    clock: Clock,
    start: &List,
) -> Result<Vec<Written>, Trouble> {
    let writers = options.writers as usize;
    if start.orders.len() < writers {
        return Err(Trouble::Options(format!(
            "{writers} writers need a repair order each, and {} are open",
            start.orders.len()
        )));
    }
    let turns = Turns::new(options.changes, options.rate, options.within());
    let orders = start.orders.values().cloned();
    Ok(write_together(desk, clock, &turns, orders, writers).await)
}

/// The highest event number that was acknowledged.
fn newest(written: &[Written]) -> i64 {
    written
        .iter()
        .flat_map(|written| &written.acknowledged)
        .map(|acknowledged| acknowledged.last)
        .max()
        .unwrap_or(0)
}

/// A list must know of everything that anybody was told before it was asked for.
fn older(list: &List, seq: i64, told: &str) -> Option<String> {
    (list.seq < seq).then(|| {
        format!(
            "a list of repair orders was true for event {}, but event {seq} {told} before",
            list.seq
        )
    })
}
