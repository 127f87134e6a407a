//! N readers, W writers: everything that is acknowledged reaches every reader.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use dispatch_actors::repair_order::Status;
use dispatch_actors::store::Seq;
use futures_util::future::join_all;
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;

use crate::Trouble;
use crate::api::Api;
use crate::check::{self, Faults, Picture};
use crate::reader::{Reader, Record};
use crate::report::{Latency, Report};

/// Readers that connect at once.
const CONNECTING: usize = 32;

/// Without progress for this long, what is missing is missing.
const PATIENCE: Duration = Duration::from_secs(10);

/// Event numbers named in a fault; the count says the rest.
const NAMED: usize = 10;

#[derive(Args)]
pub struct Options {
    /// Where the server listens; this machine only
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    url: String,

    #[arg(long, env = "LOADTEST_EMAIL", default_value = "owner@example.com")]
    email: String,

    #[arg(
        long,
        env = "LOADTEST_PASSWORD",
        default_value = "dispatch-demo",
        hide_env_values = true
    )]
    password: String,

    /// Screens that listen
    #[arg(long, default_value_t = 50)]
    readers: usize,

    /// Desks that change orders, each waiting for its answer before the next change
    #[arg(long, default_value_t = 4)]
    writers: usize,

    /// Changes in all
    #[arg(long, default_value_t = 500)]
    changes: usize,

    /// Changes a second in all [default: as fast as they are acknowledged]
    #[arg(long)]
    rate: Option<f64>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What a writer noted.
#[derive(Default)]
struct Written {
    /// By the event number of each acknowledged change: when its answer came, microseconds.
    answered_us: HashMap<Seq, i64>,
    requests_us: Vec<i64>,
    failures: Vec<String>,
}

/// False when a reader missed something or a change was refused.
pub async fn run(options: Options) -> Result<bool, Trouble> {
    if options.readers == 0 || options.writers == 0 || options.changes == 0 {
        return Err(Trouble::Options(
            "--readers, --writers and --changes must be at least 1",
        ));
    }
    if options
        .rate
        .is_some_and(|rate| !(rate > 0.0 && rate.is_finite()))
    {
        return Err(Trouble::Options("--rate must be above 0"));
    }
    let api = Api::sign_in(&options.url, &options.email, &options.password).await?;
    let stream = api.stream();
    let readers: Vec<Reader> = stream::iter(0..options.readers)
        .map(|_| Reader::connect(&stream, api.token()))
        .buffer_unordered(CONNECTING)
        .try_collect()
        .await?;
    // Every reader has said hello: this list is at least as new, and theirs to start from.
    let first = check::picture(&api.list().await?.result);

    let began = Instant::now();
    let written = write(&options, &api, &first).await;
    let seconds = began.elapsed().as_secs_f64();

    let last = api.list().await?;
    wait_until(&readers, last.seq).await;
    let records = join_all(readers.into_iter().map(Reader::finish)).await;

    let last_picture = check::picture(&last.result);
    let faults: Vec<Faults> = records
        .iter()
        .map(|record| check::check(record, &first, &last_picture, last.seq))
        .collect();
    let report = report(&options, seconds, &written, &records, &faults, last.seq);
    if options.json {
        println!("{}", serde_json::json!(report));
    } else {
        println!("{report}");
    }
    Ok(report.is_sound())
}

async fn write(options: &Options, api: &Api, first: &Picture) -> Vec<Written> {
    let mut numbers: Vec<i64> = first.keys().copied().collect();
    numbers.sort_unstable();
    let begun = Arc::new(AtomicUsize::new(0));
    let pause = options
        .rate
        .map(|rate| Duration::from_secs_f64(options.writers as f64 / rate));
    join_all((0..options.writers).map(|writer| {
        let api = api.clone();
        let begun = begun.clone();
        // Every writer has orders of its own, so that each of its changes changes something.
        let mine: Vec<i64> = numbers
            .iter()
            .skip(writer)
            .step_by(options.writers)
            .copied()
            .collect();
        let changes = options.changes;
        async move {
            let work = tokio::spawn(write_mine(api, mine, begun, changes, pause));
            work.await.unwrap_or_else(|error| Written {
                failures: vec![error.to_string()],
                ..Written::default()
            })
        }
    }))
    .await
}

async fn write_mine(
    api: Api,
    mine: Vec<i64>,
    begun: Arc<AtomicUsize>,
    changes: usize,
    pause: Option<Duration>,
) -> Written {
    let mut written = Written::default();
    if mine.is_empty() {
        return written;
    }
    let mut due = tokio::time::Instant::now();
    for turn in 0.. {
        if begun.fetch_add(1, Ordering::Relaxed) >= changes {
            break;
        }
        if let Some(pause) = pause {
            tokio::time::sleep_until(due).await;
            due += pause;
        }
        // Round by round another status, Waiting every second time, so that the priority changes too.
        let round = turn / mine.len();
        let status = if round.is_multiple_of(2) {
            Status::Waiting
        } else {
            [Status::Drop, Status::Used, Status::Pdi][round / 2 % 3]
        };
        let sent = Instant::now();
        match api.change_status(mine[turn % mine.len()], status).await {
            Ok(seq) => {
                let now = Timestamp::now().as_microsecond();
                written
                    .requests_us
                    .push(sent.elapsed().as_micros().try_into().unwrap_or(i64::MAX));
                // None: it was so already, as it came from the dealer's system.
                if let Some(seq) = seq {
                    written.answered_us.insert(seq, now);
                }
            }
            Err(trouble) => written.failures.push(trouble.to_string()),
        }
    }
    written
}

/// Until every reader has heard of `top`, or none gets any further.
async fn wait_until(readers: &[Reader], top: Seq) {
    let mut progress: Seq = 0;
    let mut since = Instant::now();
    loop {
        let reached: Vec<Seq> = readers
            .iter()
            .filter(|reader| !reader.has_ended())
            .map(Reader::reached)
            .collect();
        if reached.iter().all(|&seq| seq >= top) {
            return;
        }
        let sum = reached.iter().sum();
        if sum != progress {
            progress = sum;
            since = Instant::now();
        } else if since.elapsed() > PATIENCE {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn report(
    options: &Options,
    seconds: f64,
    written: &[Written],
    records: &[Record],
    faults: &[Faults],
    top: Seq,
) -> Report {
    let answered: HashMap<Seq, i64> = written
        .iter()
        .flat_map(|w| w.answered_us.iter().map(|(k, v)| (*k, *v)))
        .collect();
    let seen = || {
        records
            .iter()
            .flat_map(|record| &record.seen)
            .filter(|event| event.seq <= top)
    };
    let expected = |record: &Record| usize::try_from(top - record.hello).unwrap_or(0);
    let sum = |count: fn(&Faults) -> usize| faults.iter().map(count).sum::<usize>();
    let failures = written.iter().flat_map(|w| &w.failures);
    let mut lines: Vec<String> = failures
        .clone()
        .take(NAMED)
        .map(|failure| format!("a change failed: {failure}"))
        .collect();
    lines.extend(
        faults
            .iter()
            .enumerate()
            .filter(|(_, faults)| !faults.is_sound())
            .map(|(index, faults)| fault_line(index, faults)),
    );
    Report {
        readers: options.readers,
        writers: options.writers,
        seconds,
        acknowledged_changes: answered.len(),
        failed_requests: failures.count(),
        events: records.iter().map(expected).max().unwrap_or(0),
        deliveries_expected: records.iter().map(expected).sum(),
        deliveries_made: seen().count(),
        missing: sum(|faults| faults.missing.len()),
        repeated: sum(|faults| faults.repeated.len()),
        out_of_order: sum(|faults| faults.out_of_order.len()),
        differing_orders: sum(|faults| faults.differing.len()),
        disconnected_readers: sum(|faults| usize::from(faults.disconnected)),
        request_ms: Latency::of(
            written
                .iter()
                .flat_map(|w| w.requests_us.iter().copied())
                .collect(),
        ),
        decision_to_delivery_ms: Latency::of(
            seen()
                .map(|event| event.arrived_us - event.decided_us)
                .collect(),
        ),
        answer_to_delivery_ms: Latency::of(
            seen()
                .filter_map(|event| {
                    answered
                        .get(&event.seq)
                        .map(|answered| event.arrived_us - answered)
                })
                .collect(),
        ),
        faults: lines,
    }
}

fn fault_line(reader: usize, faults: &Faults) -> String {
    let some = |what: &str, numbers: &[i64]| {
        let named: Vec<String> = numbers.iter().take(NAMED).map(i64::to_string).collect();
        let more = if numbers.len() > NAMED { ", ..." } else { "" };
        (!numbers.is_empty())
            .then(|| format!("{what} {} ({}{more})", numbers.len(), named.join(", ")))
    };
    let told: Vec<String> = [
        faults.disconnected.then(|| "was disconnected".to_owned()),
        some("missed events:", &faults.missing),
        some("got events twice:", &faults.repeated),
        some("got events late:", &faults.out_of_order),
        some("shows orders otherwise than the server:", &faults.differing),
    ]
    .into_iter()
    .flatten()
    .collect();
    format!("reader {reader} {}", told.join("; "))
}
