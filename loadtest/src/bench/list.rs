//! What the list costs the server, in processor time, when something changed and when nothing did.

use std::time::{Duration, Instant};

use clap::{Args, value_parser};

use super::Output;
use super::figures::{Figures, median, milliseconds};
use crate::desk::{Desk, Fetched, Outcome};
use crate::error::LoadTestError;
use crate::order::{Change, List, Order};
use crate::process::Process;
use crate::target::Target;

/// Goals, in milliseconds of the server's processor time.
const CHANGED_MS: f64 = 10.0;
const UNCHANGED_MS: f64 = 0.2;

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub target: Target,

    /// The server's process
    #[arg(long, value_name = "PID")]
    pub pid: u32,

    /// Length of a round's two parts with lists; a short one is as coarse as the process's clock,
    /// which counts hundredths of a second
    #[arg(long, value_name = "SECONDS", default_value_t = 4, value_parser = value_parser!(u64).range(1..=600))]
    pub seconds: u64,

    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=100))]
    pub rounds: u32,

    #[command(flatten)]
    pub output: Output,
}

/// The same number of requests, or of changes, and what they took.
struct Sample {
    count: u32,
    cpu: Duration,
    /// From asking to the last byte.
    waited: Duration,
    last: Option<Fetched>,
}

struct Rounds(Vec<Sample>);

/// A desk's changes and lists, one after the other.
pub struct ListWork<'a> {
    desk: &'a Desk,
    orders: Vec<Order>,
    next: usize,
    etag: Option<String>,
}

struct Measuring<'a> {
    work: ListWork<'a>,
    server: Process,
}

pub async fn run(options: &Options) -> Result<Figures, LoadTestError> {
    let desk = Desk::sign_in(&options.target.url, &options.target.sign_in).await?;
    let work = ListWork::begin(&desk).await?;
    let open = work.orders.len();
    let mut measuring = Measuring {
        work,
        server: Process(options.pid),
    };
    let length = Duration::from_secs(options.seconds);
    let mut changed = Rounds(Vec::new());
    let mut changes = Rounds(Vec::new());
    let mut unchanged = Rounds(Vec::new());
    for _ in 0..options.rounds {
        let sample = measuring.changed(length).await?;
        changes.0.push(measuring.changes(sample.count).await?);
        changed.0.push(sample);
        unchanged.0.push(measuring.unchanged(length).await?);
    }

    let mut figures = Figures::new(format!(
        "list: {open} open ROs, processor time of the server, {} rounds of {} s",
        options.rounds, options.seconds
    ));
    let cpu = changed.cpu_ms();
    figures.goal(
        "processor time of one change and the list after it",
        milliseconds(cpu),
        format!("under {CHANGED_MS} ms"),
        cpu < CHANGED_MS,
    );
    figures.value(
        "processor time of a change alone",
        milliseconds(changes.cpu_ms()),
    );
    figures.value(
        "changed list: waited for",
        milliseconds(changed.waited_ms()),
    );
    figures.value("changed list: on the wire, gzip", changed.wire());
    let cpu = unchanged.cpu_ms();
    figures.goal(
        format!(
            "processor time of an unchanged list ({})",
            unchanged.answer()
        ),
        milliseconds(cpu),
        format!("under {UNCHANGED_MS} ms"),
        cpu < UNCHANGED_MS,
    );
    figures.value(
        "unchanged list: waited for",
        milliseconds(unchanged.waited_ms()),
    );
    figures.value("unchanged list: on the wire", unchanged.wire());
    figures.value(
        "lists asked for, changed and unchanged",
        format!("{} and {}", changed.count(), unchanged.count()),
    );
    Ok(figures)
}

impl Measuring<'_> {
    /// One order changes before each list.
    async fn changed(&mut self, length: Duration) -> Result<Sample, LoadTestError> {
        let until = Instant::now() + length;
        let before = self.server.cpu()?;
        let (mut count, mut waited, mut last) = (0, Duration::ZERO, None);
        while Instant::now() < until {
            self.work.change().await?;
            let started = Instant::now();
            let fetched = self.work.fetch().await?;
            waited += started.elapsed();
            if !fetched.modified {
                return Err(LoadTestError::Unexpected {
                    what: "the list after a change",
                    why: "it said that nothing had changed".to_owned(),
                });
            }
            count += 1;
            last = Some(fetched);
        }
        let cpu = self.server.cpu()?.saturating_sub(before);
        if cpu.is_zero() {
            return Err(LoadTestError::Options(format!(
                "process {} did nothing meanwhile: --pid is that of another",
                self.server.0
            )));
        }
        Ok(Sample {
            count,
            cpu,
            waited,
            last,
        })
    }

    async fn changes(&mut self, count: u32) -> Result<Sample, LoadTestError> {
        let before = self.server.cpu()?;
        let started = Instant::now();
        for _ in 0..count {
            self.work.change().await?;
        }
        Ok(Sample {
            count,
            cpu: self.server.cpu()?.saturating_sub(before),
            waited: started.elapsed(),
            last: None,
        })
    }

    async fn unchanged(&mut self, length: Duration) -> Result<Sample, LoadTestError> {
        // The changes before are not this list's.
        self.work.fetch().await?;
        let started = Instant::now();
        let before = self.server.cpu()?;
        let (mut count, mut last) = (0, None);
        while started.elapsed() < length {
            last = Some(self.work.fetch().await?);
            count += 1;
        }
        Ok(Sample {
            count,
            cpu: self.server.cpu()?.saturating_sub(before),
            waited: started.elapsed(),
            last,
        })
    }
}

impl<'a> ListWork<'a> {
    pub async fn begin(desk: &'a Desk) -> Result<Self, LoadTestError> {
        let List { orders, .. } = desk.list().await?;
        if orders.is_empty() {
            return Err(LoadTestError::Options("no repair order is open".to_owned()));
        }
        Ok(Self {
            desk,
            orders: orders.into_values().collect(),
            next: 0,
            etag: None,
        })
    }

    pub async fn fetch(&mut self) -> Result<Fetched, LoadTestError> {
        let fetched = self.desk.fetch_list(self.etag.as_deref()).await?;
        if fetched.modified {
            self.etag.clone_from(&fetched.etag);
        }
        Ok(fetched)
    }

    /// Status and priority in turn, through all orders.
    pub async fn change(&mut self) -> Result<(), LoadTestError> {
        let place = self.next % self.orders.len();
        let order = &self.orders[place];
        let change: Change = if self.next.is_multiple_of(2) {
            order.other_status()
        } else {
            order.other_priority()
        };
        self.next += 1;
        match self.desk.change(order, change, None).await {
            Outcome::Acknowledged { order: now, .. } => {
                self.orders[place] = now;
                Ok(())
            }
            other => Err(LoadTestError::Unexpected {
                what: "a change",
                why: format!("{other:?}"),
            }),
        }
    }
}

impl Rounds {
    fn cpu_ms(&self) -> f64 {
        self.each_ms(|sample| sample.cpu)
    }

    fn waited_ms(&self) -> f64 {
        self.each_ms(|sample| sample.waited)
    }

    /// The median of the rounds, of one request each.
    fn each_ms(&self, of: fn(&Sample) -> Duration) -> f64 {
        let each = |sample: &Sample| of(sample).as_secs_f64() * 1_000.0 / f64::from(sample.count);
        median(self.0.iter().map(each).collect())
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|sample| sample.count).sum()
    }

    fn last(&self) -> Option<&Fetched> {
        self.0.last()?.last.as_ref()
    }

    fn answer(&self) -> &'static str {
        match self.last() {
            Some(Fetched {
                modified: false, ..
            }) => "304",
            _ => "200, sent whole",
        }
    }

    fn wire(&self) -> String {
        let bytes = self.last().map_or(0, |fetched| fetched.bytes);
        match bytes {
            ..10_000 => format!("{bytes} bytes"),
            _ => format!("{:.0} kB", bytes as f64 / 1_000.0),
        }
    }
}
