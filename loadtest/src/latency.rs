//! How measured times are spread: a histogram of microseconds, three digits exact, whatever their
//! number.

use hdrhistogram::Histogram;
use serde::Serialize;

use crate::clock::Micros;

/// Ten minutes; what took longer counts as that.
const MAX_MICROSECONDS: u64 = 600_000_000;
const DIGITS: u8 = 3;

#[derive(Clone, Debug)]
pub struct Latencies(Histogram<u64>);

/// In milliseconds; all zero when nothing was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Latency {
    pub p50: f64,
    pub p90: f64,
    pub p99: f64,
    pub p999: f64,
    pub max: f64,
}

impl Latencies {
    pub fn new() -> Self {
        let histogram = Histogram::new_with_bounds(1, MAX_MICROSECONDS, DIGITS);
        Self(histogram.expect("one to ten minutes with three digits is what a histogram can hold"))
    }

    /// Less than nothing counts as nothing: two clocks of one machine may differ by as much.
    pub fn record(&mut self, micros: Micros) {
        self.0.saturating_record(micros.max(0).unsigned_abs());
    }

    /// Takes in what was measured elsewhere.
    pub fn add(&mut self, others: &Self) {
        // Histograms of the same bounds always fit.
        let _ = self.0.add(&others.0);
    }

    pub fn count(&self) -> u64 {
        self.0.len()
    }

    pub fn spread(&self) -> Latency {
        let at = |percent: f64| self.0.value_at_percentile(percent) as f64 / 1_000.0;
        Latency {
            p50: at(50.0),
            p90: at(90.0),
            p99: at(99.0),
            p999: at(99.9),
            max: self.0.max() as f64 / 1_000.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_exact_to_three_digits() {
        let mut latencies = Latencies::new();
        for millisecond in (1..=1_000).rev() {
            latencies.record(millisecond * 1_000);
        }
        let spread = latencies.spread();
        let near = |value: f64, due: f64| (value - due).abs() <= due / 500.0;
        assert!(near(spread.p50, 500.0), "{spread:?}");
        assert!(near(spread.p99, 990.0), "{spread:?}");
        assert!(near(spread.p999, 999.0), "{spread:?}");
        assert!(near(spread.max, 1_000.0), "{spread:?}");
    }

    #[test]
    fn without_measurements_latencies_are_zero_and_negative_ones_count_as_zero() {
        assert_eq!(Latencies::new().spread(), Latency::default());
        let mut latencies = Latencies::new();
        latencies.record(-1_500);
        latencies.record(i64::MAX);
        assert_eq!(latencies.count(), 2);
        assert!(latencies.spread().p50 <= 0.001);
        assert!(latencies.spread().max <= 601_000.0);
    }
}
