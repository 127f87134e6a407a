//! What a run prints: a table for people, or JSON.

use std::fmt;

use serde::Serialize;

/// Milliseconds; the middle, the slowest hundredth's border, and the slowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Latency {
    pub p50: f64,
    pub p99: f64,
    pub max: f64,
}

impl Latency {
    /// From microseconds, in any order.
    pub fn of(mut microseconds: Vec<i64>) -> Self {
        microseconds.sort_unstable();
        // Nearest rank: the smallest value that at least this share of all does not exceed.
        let rank = |share: usize| {
            let index = (microseconds.len() * share).div_ceil(100).saturating_sub(1);
            microseconds
                .get(index)
                .map_or(0.0, |&us| us as f64 / 1_000.0)
        };
        Self {
            p50: rank(50),
            p99: rank(99),
            max: rank(100),
        }
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "p50 {:>8.1}   p99 {:>8.1}   max {:>8.1}",
            self.p50, self.p99, self.max
        )
    }
}

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub readers: usize,
    pub writers: usize,
    pub seconds: f64,
    pub acknowledged_changes: usize,
    pub failed_requests: usize,
    /// Events the readers were to get, their own writers' and everybody else's.
    pub events: usize,
    pub deliveries_expected: usize,
    pub deliveries_made: usize,
    pub missing: usize,
    pub repeated: usize,
    pub out_of_order: usize,
    pub differing_orders: usize,
    pub disconnected_readers: usize,
    pub request_ms: Latency,
    /// From the server's decision to the reader, so the commit is in it.
    pub decision_to_delivery_ms: Latency,
    /// From the writer's answer to the reader; negative when the reader was first.
    pub answer_to_delivery_ms: Latency,
    /// One line for each reader at fault.
    pub faults: Vec<String>,
}

impl Report {
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty() && self.failed_requests == 0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self.acknowledged_changes as f64 / self.seconds.max(f64::EPSILON);
        writeln!(f, "readers                      {:>10}", self.readers)?;
        writeln!(f, "writers                      {:>10}", self.writers)?;
        writeln!(
            f,
            "acknowledged changes         {:>10}   {rate:.0} a second",
            self.acknowledged_changes
        )?;
        writeln!(
            f,
            "failed requests              {:>10}",
            self.failed_requests
        )?;
        writeln!(f, "events                       {:>10}", self.events)?;
        writeln!(
            f,
            "deliveries expected          {:>10}",
            self.deliveries_expected
        )?;
        writeln!(
            f,
            "deliveries made              {:>10}",
            self.deliveries_made
        )?;
        writeln!(
            f,
            "missing / repeated / late    {:>10}",
            format!(
                "{} / {} / {}",
                self.missing, self.repeated, self.out_of_order
            )
        )?;
        writeln!(f, "request, ms                  {}", self.request_ms)?;
        writeln!(
            f,
            "decision to delivery, ms     {}",
            self.decision_to_delivery_ms
        )?;
        writeln!(
            f,
            "answer to delivery, ms       {}",
            self.answer_to_delivery_ms
        )?;
        for fault in &self.faults {
            writeln!(f, "FAULT: {fault}")?;
        }
        if self.is_sound() {
            write!(
                f,
                "Every reader got every event once, in order, and shows what the server shows."
            )
        } else {
            write!(f, "FAILED")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_nearest_ranks() {
        let latency = Latency::of((1..=1_000).rev().map(|ms| ms * 1_000).collect());
        assert_eq!(
            latency,
            Latency {
                p50: 500.0,
                p99: 990.0,
                max: 1_000.0
            }
        );
        assert_eq!(
            Latency::of(vec![7_000]),
            Latency {
                p50: 7.0,
                p99: 7.0,
                max: 7.0
            }
        );
        assert_eq!(Latency::of(vec![]), Latency::default());
    }
}
