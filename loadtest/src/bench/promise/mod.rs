//! How early and how rightly the promise risk warns, on simulated years that are replayed as a shop would have known
//! them, beside the plain rule that warns of whatever is promised soon. It judges nothing.
//!
//! The years are worked out by `sample_shop`, which draws chances that the rule knows nothing of. The rule's constants
//! were chosen on [`TUNING_SEED`] alone.

mod pass;
mod replay;
mod scores;

use clap::{Args, value_parser};
use dispatch_actors::sample_shop::{SampleShop, Scripts, WorkedYear};
use jiff::civil::date;
use jiff::tz::TimeZone;

use super::Output;
use super::figures::Figures;
use crate::error::LoadTestError;
use replay::replay;
use scores::{Rule, Scores};

/// On which the constants of the rule were chosen.
const TUNING_SEED: u64 = 1;

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The years, by their seeds; 1 is the one on which the rule was tuned
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [TUNING_SEED, 4389, 77])]
    pub seeds: Vec<u64>,

    /// Days of each year
    #[arg(long, value_name = "N", default_value_t = 364, value_parser = value_parser!(i32).range(7..=3_660))]
    pub days: i32,

    /// Open orders of the pass that is timed
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = value_parser!(u32).range(1..=100_000))]
    pub orders: u32,

    #[command(flatten)]
    pub output: Output,
}

pub fn run(options: &Options) -> Result<Figures, LoadTestError> {
    let mut figures = Figures::new(format!("promise: {} days of each seed", options.days));
    for seed in &options.seeds {
        let year = year(*seed, options.days)?;
        let judged = replay(&year);
        let title = match *seed {
            TUNING_SEED => format!("seed {seed} (tuned on)"),
            _ => format!("seed {seed}"),
        };
        let late = judged.iter().filter(|one| one.is_late()).count();
        let count = format!("{} ready, {late} of them late", judged.len());
        figures.value(format!("{title}: promised orders"), count);
        for rule in Rule::ALL {
            let scores = Scores::of(&judged, rule);
            figures.value(format!("{title}: {}", rule.name()), scores.sentence());
        }
        for (reason, count) in scores::by_reason(&judged) {
            figures.value(format!("{title}: warned first because {reason:?}"), count);
        }
        let unwarned = scores::on_time_and_late(&judged);
        figures.value(
            format!("{title}: on time an hour before, and late"),
            unwarned,
        );
    }
    let (title, value) = pass::measure(options.orders)?;
    figures.value(title, value);
    Ok(figures)
}

fn year(seed: u64, days: i32) -> Result<WorkedYear, LoadTestError> {
    let zone = TimeZone::get("America/Chicago")
        .map_err(|error| LoadTestError::Machine(error.to_string()))?;
    let first = date(2026, 1, 5);
    let now = first.at(12, 0, 0, 0).to_zoned(zone.clone());
    let now = now.map_err(|error| LoadTestError::Machine(error.to_string()))?;
    let shop = SampleShop::in_zone(seed, 100, now.timestamp(), zone, Scripts::Shipped);
    Ok(shop.worked_year(seed, first, days))
}
