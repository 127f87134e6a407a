//! What a program counts of its own work, for whoever wants to watch it: an atomic addition each, read
//! at any time. Knows nobody who reads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Bounds for times, in microseconds: from what nobody notices to what everybody has given up on.
pub const TIME_BOUNDS: &[u64] = &[
    1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    10_000_000,
];

/// How often something happened since the process began.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    pub fn increment(&self) {
        self.add(1);
    }

    pub fn add(&self, count: u64) {
        self.0.fetch_add(count, Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// How many there are now.
#[derive(Debug, Default)]
pub struct Gauge(AtomicU64);

impl Gauge {
    pub fn increment(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// After an [`Self::increment`].
    pub fn decrement(&self) {
        self.0.fetch_sub(1, Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// How many values there were up to each bound. A time is counted in microseconds.
#[derive(Debug)]
pub struct Histogram {
    bounds: &'static [u64],
    /// One for each bound, and one for what is above all of them.
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
}

/// A [`Histogram`] as it was at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistogramReading {
    pub bounds: &'static [u64],
    /// Of the values above the bound before and not above this one; the last one has no bound.
    pub counts: Vec<u64>,
    pub sum: u64,
}

impl Histogram {
    /// `bounds`: ascending.
    pub fn new(bounds: &'static [u64]) -> Self {
        Self {
            bounds,
            counts: (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect(),
            sum: AtomicU64::new(0),
        }
    }

    pub fn of_times() -> Self {
        Self::new(TIME_BOUNDS)
    }

    pub fn observe(&self, value: u64) {
        let place = self.bounds.partition_point(|bound| *bound < value);
        self.counts[place].fetch_add(1, Relaxed);
        self.sum.fetch_add(value, Relaxed);
    }

    pub fn observe_time(&self, time: Duration) {
        self.observe(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    pub fn read(&self) -> HistogramReading {
        HistogramReading {
            bounds: self.bounds,
            counts: self
                .counts
                .iter()
                .map(|count| count.load(Relaxed))
                .collect(),
            sum: self.sum.load(Relaxed),
        }
    }
}

impl HistogramReading {
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_counted_below_the_first_bound_that_is_not_below_it() {
        let sizes = Histogram::new(&[1, 4, 16]);
        for size in [1, 2, 4, 5, 17, 1_000] {
            sizes.observe(size);
        }
        let reading = sizes.read();
        assert_eq!(reading.counts, [1, 2, 1, 2]);
        assert_eq!((reading.count(), reading.sum), (6, 1_029));
    }

    #[test]
    fn a_time_is_counted_in_microseconds() {
        let times = Histogram::of_times();
        times.observe_time(Duration::from_millis(3));
        let reading = times.read();
        assert_eq!((reading.counts[2], reading.sum), (1, 3_000));
    }
}
