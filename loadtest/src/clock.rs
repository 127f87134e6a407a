//! One clock for everything a run measures: steps of the machine's clock during it do not count.

use std::time::Instant;

use jiff::Timestamp;

/// Microseconds since 1970.
pub type Micros = i64;

#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    started_at: Micros,
}

impl Clock {
    pub fn start() -> Self {
        Self {
            started: Instant::now(),
            started_at: Timestamp::now().as_microsecond(),
        }
    }

    pub fn now(&self) -> Micros {
        // 2^63 microseconds are 292,000 years.
        self.started_at + self.started.elapsed().as_micros() as Micros
    }
}
