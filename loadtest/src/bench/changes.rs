//! How many changes a second are made durable, each answered before its writer asks for the next.

use std::time::Duration;

use clap::{Args, value_parser};

use super::Output;
use super::figures::{Figures, median, milliseconds, seconds};
use crate::clock::Clock;
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::spread::Spread;
use crate::target::{Address, Target};
use crate::writer::{Acknowledged, PLAIN_WRITES, WriteSchedule, write_together};

const RATIO: f64 = 2.5;

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub target: Target,

    /// A second server on this machine with the same orders, one that commits each change by
    /// itself; the two are measured in turn
    #[arg(long, value_name = "URL")]
    pub against: Option<Address>,

    /// Open repair orders that are changed
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = value_parser!(u32).range(1..=100_000))]
    pub orders: u32,

    /// Writers that work at the same time, each on repair orders of its own
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = value_parser!(u32).range(1..=500))]
    pub writers: u32,

    /// Length of a round
    #[arg(long, value_name = "SECONDS", default_value_t = 6, value_parser = value_parser!(u64).range(1..=600))]
    pub seconds: u64,

    /// Rounds with each server
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=100))]
    pub rounds: u32,

    #[command(flatten)]
    pub output: Output,
}

/// One server and what its rounds came to.
struct Side {
    desk: Desk,
    rounds: Vec<Round>,
}

struct Round {
    per_second: f64,
    request_ms: Spread,
}

pub async fn run(options: &Options) -> Result<Figures, LoadTestError> {
    if options.writers > options.orders {
        let (writers, orders) = (options.writers, options.orders);
        return Err(LoadTestError::Options(format!(
            "{writers} writers need a repair order each, and --orders is {orders}"
        )));
    }
    let clock = Clock::start();
    let addresses = [Some(&options.target.url), options.against.as_ref()];
    let mut sides = Vec::new();
    for address in addresses.into_iter().flatten() {
        sides.push(Side {
            desk: Desk::sign_in(address, &options.target.sign_in).await?,
            rounds: Vec::new(),
        });
    }
    let mut places: Vec<usize> = (0..sides.len()).collect();
    for _ in 0..options.rounds {
        for &place in &places {
            let round = round(options, &sides[place].desk, clock).await?;
            sides[place].rounds.push(round);
        }
        // The two take turns at being first, so that other load on the machine affects both.
        places.reverse();
    }

    let mut figures = Figures::new(format!(
        "changes: {} writers on {} ROs, {} rounds of {} s",
        options.writers, options.orders, options.rounds, options.seconds
    ));
    let (grouped, single) = (sides.first(), sides.get(1));
    let mut rates = Vec::new();
    for (side, how) in [(grouped, "group commit"), (single, "a commit each")] {
        let Some(side) = side else { continue };
        rates.push(tell(&mut figures, side, how));
    }
    if let [grouped, single] = rates[..] {
        let ratio = grouped / single.max(f64::MIN_POSITIVE);
        figures.goal(
            "what group commit brings",
            format!("{ratio:.2} times"),
            format!("at least {RATIO} times"),
            ratio >= RATIO,
        );
    }
    Ok(figures)
}

async fn round(options: &Options, desk: &Desk, clock: Clock) -> Result<Round, LoadTestError> {
    let list = desk.list().await?;
    let wanted = options.orders as usize;
    if list.orders.len() < wanted {
        let open = list.orders.len();
        return Err(LoadTestError::Options(format!(
            "{wanted} repair orders are to be changed, and {open} are open"
        )));
    }
    let schedule = WriteSchedule::new(u32::MAX, None, Duration::from_secs(options.seconds));
    let orders = list.orders.into_values().take(wanted);
    let writers = options.writers as usize;
    let written = write_together(desk, clock, &schedule, orders, writers, PLAIN_WRITES).await;
    if let Some(why) = written.iter().find_map(|written| written.failures.first()) {
        return Err(LoadTestError::Unexpected {
            what: "a change",
            why: why.clone(),
        });
    }
    let done: Vec<Acknowledged> = written
        .into_iter()
        .flat_map(|written| written.acknowledged)
        .collect();
    let first = done.iter().map(|ack| ack.sent).min().unwrap_or(0);
    let last = done.iter().map(|ack| ack.answered).max().unwrap_or(0);
    let requests = done.iter().map(|ack| ack.answered - ack.sent).collect();
    Ok(Round {
        per_second: done.len() as f64 / seconds(last - first).max(0.001),
        request_ms: Spread::of(requests),
    })
}

/// The median of the rates.
fn tell(figures: &mut Figures, side: &Side, how: &str) -> f64 {
    let of = |value: fn(&Round) -> f64| median(side.rounds.iter().map(value).collect());
    let per_second = of(|round| round.per_second);
    let rounds: Vec<String> = side
        .rounds
        .iter()
        .map(|round| format!("{:.0}", round.per_second))
        .collect();
    figures.value(
        format!("durable changes a second, {how}"),
        format!("{per_second:.0}"),
    );
    figures.value(format!("rounds, {how}"), rounds.join(", "));
    figures.value(
        format!("request, {how}: p50 and p99"),
        format!(
            "{} and {}",
            milliseconds(of(|round| round.request_ms.p50)),
            milliseconds(of(|round| round.request_ms.p99))
        ),
    );
    per_second
}
