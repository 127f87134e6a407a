//! The machine's clock, by which rows are old, and whether it can be believed. One that is years ahead, as a wrong
//! hardware clock or hypervisor makes it, would make the whole history old at once.
//!
//! The rule: a clock that is more than 30 days ahead of the last sign of life is doubted for a day, and nothing is deleted
//! by it. The last sign of life is the newest change that was in the database at the start, and from then on the
//! last moment at which the clock was believed. A clock that is set right is believed at once. After a day any clock is:
//! the shop was closed for so long. What is changed under a wrong clock has that clock's time, so that the next start
//! believes it.
//!
//! It must not know what is deleted.

use std::fmt;
use std::time::{Duration, Instant};

use dispatch_actors::store::{Store, StoreError};
use jiff::{SignedDuration, Timestamp};

/// Longer than the holidays of a shop.
const MAX_SILENCE_DAYS: i64 = 30;
const MAX_SILENCE: SignedDuration = SignedDuration::from_hours(24 * MAX_SILENCE_DAYS);

/// Time for somebody to notice, and for NTP to answer.
const DOUBT_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// How the log shows a moment: the error is of days at least.
const DATE: &str = "%Y-%m-%d";

/// Asked before rows are deleted by their age.
pub struct MachineClock {
    store: Store,
    /// None until it is read for the first time.
    trust: Option<ClockTrust>,
}

/// What the clock says, and whether rows may be deleted by it.
#[derive(Clone, Copy, Debug)]
pub enum ClockReading {
    Believed(Timestamp),
    Doubted(DoubtedClock),
}

/// A clock that is too far ahead. Its text is for the log.
#[derive(Clone, Copy, Debug)]
pub struct DoubtedClock {
    now: Timestamp,
    last_sign: Timestamp,
}

/// What is known of the clock.
#[derive(Clone, Copy, Debug)]
struct ClockTrust {
    last_sign: Timestamp,
    /// None while it is believed.
    doubted_since: Option<Instant>,
}

impl MachineClock {
    pub fn new(store: Store) -> Self {
        Self { store, trust: None }
    }

    /// To be called first when the server starts, before anything is changed under this clock.
    pub async fn read(&mut self) -> Result<ClockReading, StoreError> {
        let mut trust = match self.trust {
            Some(trust) => trust,
            None => ClockTrust {
                last_sign: last_sign_in(&self.store).await?,
                doubted_since: None,
            },
        };
        let reading = trust.judge(Timestamp::now(), Instant::now());
        self.trust = Some(trust);
        Ok(reading)
    }
}

/// The newest change; the present in a shop without one, which has nothing to lose. A database that is younger than its
/// newest change was filled with what is old, and its making is the newer sign.
async fn last_sign_in(store: &Store) -> Result<Timestamp, StoreError> {
    let Some(newest) = store.event(store.top().await?).await? else {
        return Ok(Timestamp::now());
    };
    Ok(newest.at.max(store.created_at().await?))
}

impl ClockTrust {
    /// `now`: by the clock; `instant`: the same moment by the process's own time, which nobody sets.
    fn judge(&mut self, now: Timestamp, instant: Instant) -> ClockReading {
        let is_near = now.duration_since(self.last_sign) <= MAX_SILENCE;
        let since = self.doubted_since.unwrap_or(instant);
        if is_near || instant.duration_since(since) >= DOUBT_TIME {
            // A clock that is behind, as without a battery, is set right later, and that is no jump.
            self.last_sign = self.last_sign.max(now);
            self.doubted_since = None;
            return ClockReading::Believed(now);
        }
        self.doubted_since = Some(since);
        ClockReading::Doubted(DoubtedClock {
            now,
            last_sign: self.last_sign,
        })
    }
}

impl fmt::Display for DoubtedClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "by this machine's clock it is {}, more than {MAX_SILENCE_DAYS} days after the last sign of life of this shop, \
             {}: for a day no old orders, events, receipts, clock entries, interviews or answers are deleted. Check the \
             clock (timedatectl); if it is right, because the shop was closed for that long, nothing is to be done",
            self.now.strftime(DATE),
            self.last_sign.strftime(DATE),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(60 * 60);

    fn trust(last_sign: &str) -> ClockTrust {
        ClockTrust {
            last_sign: last_sign.parse().unwrap(),
            doubted_since: None,
        }
    }

    fn is_believed(trust: &mut ClockTrust, now: &str, instant: Instant) -> bool {
        let now: Timestamp = now.parse().unwrap();
        matches!(trust.judge(now, instant), ClockReading::Believed(at) if at == now)
    }

    #[test]
    fn a_clock_that_is_years_ahead_at_the_start_is_doubted_until_it_is_set_right() {
        let (mut trust, start) = (trust("2026-11-24T18:00:00Z"), Instant::now());
        assert!(!is_believed(&mut trust, "2031-11-25T07:00:00Z", start));
        assert!(!is_believed(
            &mut trust,
            "2031-11-25T08:00:00Z",
            start + HOUR
        ));
        assert!(is_believed(
            &mut trust,
            "2026-11-25T09:00:00Z",
            start + 2 * HOUR
        ));
    }

    #[test]
    fn a_clock_that_stays_ahead_for_a_day_is_right_after_a_long_closing() {
        let (mut trust, start) = (trust("2026-11-24T18:00:00Z"), Instant::now());
        assert!(!is_believed(&mut trust, "2027-01-05T07:00:00Z", start));
        let almost = start + 23 * HOUR;
        assert!(!is_believed(&mut trust, "2027-01-06T06:00:00Z", almost));
        let day = start + 24 * HOUR;
        assert!(is_believed(&mut trust, "2027-01-06T07:00:00Z", day));
        let next = day + HOUR;
        assert!(is_believed(&mut trust, "2027-01-06T08:00:00Z", next));
    }

    #[test]
    fn holidays_are_no_reason_for_doubt() {
        let mut trust = trust("2026-12-18T18:00:00Z");
        let now = Instant::now();
        assert!(is_believed(&mut trust, "2027-01-11T07:00:00Z", now));
    }

    #[test]
    fn a_clock_that_jumps_while_the_server_runs_is_doubted() {
        let (mut trust, start) = (trust("2026-11-24T18:00:00Z"), Instant::now());
        assert!(is_believed(&mut trust, "2026-11-25T07:00:00Z", start));
        let later = start + 100 * HOUR;
        assert!(!is_believed(&mut trust, "2126-11-29T11:00:00Z", later));
    }

    #[test]
    fn a_clock_that_begins_in_1970_and_is_set_right_is_believed() {
        let (mut trust, start) = (trust("2026-11-24T18:00:00Z"), Instant::now());
        assert!(is_believed(&mut trust, "1970-01-01T00:00:09Z", start));
        assert!(is_believed(
            &mut trust,
            "2026-11-25T07:00:00Z",
            start + HOUR
        ));
    }
}
