//! How long a search of all orders takes, open and closed, as a desk waits for it. It judges nothing.

use std::time::Instant;

use clap::{Args, value_parser};

use super::Output;
use super::figures::{Figures, median, milliseconds};
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::target::Target;

/// What is typed, from what nearly every order has to what none has.
const SEARCHES: [(&str, &str); 6] = [
    ("one letter", "a"),
    ("a make", "honda"),
    ("a make and a technician", "honda mar"),
    ("the beginning of a number", "#1234"),
    ("part of a VIN", "hgcv1f"),
    ("what no order has", "zzzz"),
];

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub target: Target,

    /// Searches of each kind, in turn
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u32).range(1..=100_000))]
    pub rounds: u32,

    #[command(flatten)]
    pub output: Output,
}

pub async fn run(options: &Options) -> Result<Figures, LoadTestError> {
    let desk = Desk::sign_in(&options.target.url, &options.target.sign_in).await?;
    let mut times = SEARCHES.map(|_| Vec::new());
    let mut found = SEARCHES.map(|_| 0);
    for _ in 0..options.rounds {
        for (index, (_, words)) in SEARCHES.iter().enumerate() {
            let started = Instant::now();
            found[index] = desk.search(words).await?;
            times[index].push(started.elapsed().as_secs_f64() * 1_000.0);
        }
    }
    let mut figures = Figures::new(format!("search: {} of each kind, in turn", options.rounds));
    for (index, (kind, _)) in SEARCHES.iter().enumerate() {
        let slowest = times[index].iter().copied().fold(0.0, f64::max);
        let value = format!(
            "{}, slowest {}, {} on the first page",
            milliseconds(median(times[index].clone())),
            milliseconds(slowest),
            found[index]
        );
        figures.value(format!("search for {kind}: waited for"), value);
    }
    Ok(figures)
}
