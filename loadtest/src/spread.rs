//! How a measured time is spread. All values are kept and sorted: they are few enough, and unlike
//! a histogram of durations they may be negative.

use serde::Serialize;

use crate::clock::Micros;

/// In milliseconds; all zero when nothing was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    pub p50: f64,
    pub p99: f64,
    pub max: f64,
}

impl Spread {
    pub fn of(mut values: Vec<Micros>) -> Self {
        values.sort_unstable();
        Self {
            p50: milliseconds(percentile(&values, 50)),
            p99: milliseconds(percentile(&values, 99)),
            max: milliseconds(percentile(&values, 100)),
        }
    }
}

/// The smallest value that `percent` of all values do not exceed.
fn percentile(sorted: &[Micros], percent: usize) -> Micros {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0)
}

fn milliseconds(micros: Micros) -> f64 {
    micros as f64 / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let spread = Spread::of((1..=200).rev().map(|n| n * 1_000).collect());
        assert_eq!((spread.p50, spread.p99, spread.max), (100.0, 198.0, 200.0));
    }

    #[test]
    fn negative_values_count_and_no_values_give_zero() {
        assert_eq!(Spread::of(vec![-1_500, 500, 0]).p50, 0.0);
        assert_eq!(Spread::of(vec![-1_500]).max, -1.5);
        assert_eq!(Spread::of(vec![]), Spread::default());
    }
}
