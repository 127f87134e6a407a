//! How long a search of all orders takes, open and closed, as a desk waits for it. It judges nothing.

use std::time::Instant;

use clap::{Args, value_parser};

use super::Output;
use super::figures::{Figures, median, milliseconds};
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::target::Target;

/// What is typed, from what nearly every order has to what none has.
pub const SEARCHES: [(&str, &str); 6] = [
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
    let mut figures = Figures::new(format!("search: {} of each kind, in turn", options.rounds));
    for (orders, closed) in [("all orders", None), ("closed orders", Some(true))] {
        let mut first = SEARCHES.map(|_| PageTimes::default());
        let mut second = SEARCHES.map(|_| PageTimes::default());
        for _ in 0..options.rounds {
            for (index, (_, words)) in SEARCHES.iter().enumerate() {
                let next = first[index].measure(&desk, words, closed, None).await?;
                if let Some(next) = next {
                    second[index]
                        .measure(&desk, words, closed, Some(&next))
                        .await?;
                }
            }
        }
        for (index, (kind, _)) in SEARCHES.iter().enumerate() {
            let pages = [("first", &first[index]), ("second", &second[index])];
            for (page, times) in pages {
                if !times.milliseconds.is_empty() {
                    let title = format!("search of {orders} for {kind}, {page} page: waited for");
                    figures.value(title, times.sentence());
                }
            }
        }
    }
    Ok(figures)
}

/// How long one page of one kind of search took.
#[derive(Default)]
struct PageTimes {
    milliseconds: Vec<f64>,
    /// On the page that came last; nobody changes the orders meanwhile.
    orders: usize,
}

impl PageTimes {
    /// Where the page after it begins.
    async fn measure(
        &mut self,
        desk: &Desk,
        words: &str,
        closed: Option<bool>,
        page: Option<&str>,
    ) -> Result<Option<String>, LoadTestError> {
        let started = Instant::now();
        let found = desk.search(words, closed, page).await?;
        self.milliseconds
            .push(started.elapsed().as_secs_f64() * 1_000.0);
        self.orders = found.orders;
        Ok(found.next)
    }

    fn sentence(&self) -> String {
        let slowest = self.milliseconds.iter().copied().fold(0.0, f64::max);
        format!(
            "{}, slowest {}, {} on the page",
            milliseconds(median(self.milliseconds.clone())),
            milliseconds(slowest),
            self.orders
        )
    }
}
