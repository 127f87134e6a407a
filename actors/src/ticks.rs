//! The moments at which looks are taken that come again and again: the same ones for all that have one period, so
//! that an idle server wakes a few times a second, and not once for each of them.

use std::sync::LazyLock;
use std::time::Duration;

use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep_until};

/// All periods are counted from here.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Ticks at once, and then at the moments of this period. A look that takes longer skips some.
pub fn ticks(period: Duration) -> Interval {
    let mut ticks = interval_at(last_tick(period), period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    ticks
}

/// Sleeps to the next moment of this period, which is at most one period away.
pub async fn next_tick(period: Duration) {
    sleep_until(last_tick(period) + period).await;
}

/// The period's moment that is now, or less than one period ago.
fn last_tick(period: Duration) -> Instant {
    let start = *START;
    let now = Instant::now();
    let since_tick = now.duration_since(start).as_nanos() % period.as_nanos();
    now - Duration::from_nanos(u64::try_from(since_tick).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    const PERIOD: Duration = Duration::from_millis(20);

    fn is_in_step(one: Instant, other: Instant) -> bool {
        let apart = one.max(other) - one.min(other);
        apart.as_nanos().is_multiple_of(PERIOD.as_nanos())
    }

    #[tokio::test]
    async fn whatever_has_the_same_period_ticks_at_the_same_moments() {
        let mut one = ticks(PERIOD);
        let first = one.tick().await;
        assert!(first <= Instant::now(), "the first tick comes at once");
        sleep(Duration::from_millis(7)).await;
        let mut other = ticks(PERIOD);
        for _ in 0..3 {
            assert!(is_in_step(other.tick().await, first));
            assert!(is_in_step(one.tick().await, first));
        }
        // Longer than two periods.
        sleep(Duration::from_millis(47)).await;
        one.tick().await;
        assert!(
            is_in_step(one.tick().await, first),
            "also after a long look"
        );
    }

    #[tokio::test]
    async fn the_next_tick_is_at_most_a_period_away_and_never_the_last_one() {
        for _ in 0..3 {
            let last = last_tick(PERIOD);
            assert!(last <= Instant::now());
            next_tick(PERIOD).await;
            assert!(last.elapsed() >= PERIOD);
        }
    }

    #[test]
    fn moments_of_a_longer_period_are_among_those_of_a_shorter_one() {
        assert!(is_in_step(last_tick(4 * PERIOD), last_tick(PERIOD)));
    }
}
