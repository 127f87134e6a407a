//! How often something may be done, counted by whatever has a number: an address, the network it is in,
//! the site that network is a part of. A limit is this process's own, or one of all servers of a database: see
//! [`super::shared_limits`].

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::{Quota, RateLimiter};

use super::shared_limits::{AttemptChange, SharedCounter};

pub(crate) const MINUTE: u64 = 60;
pub(crate) const HOUR: u64 = 60 * MINUTE;
pub(crate) const DAY: u64 = 24 * HOUR;

/// So many at once, and the same number again in so many seconds, evenly. Of several the first that
/// is used up refuses: the waits grow from the first's to the last's.
pub(crate) type Tiers = [(u32, u64)];

/// Keys of one generation. It fills a table of 32,768 slots, half a megabyte.
const GENERATION: usize = 28_000;

/// Tiers that are asked in turn.
pub(crate) struct Limit {
    tiers: Arc<Tiered>,
    /// Tells other servers what is counted here; none where the limit is this process's own.
    shared: Option<SharedCounter>,
}

pub(super) struct Tiered(Vec<Tier>);

struct Tier {
    limiter: RateLimiter<u64, RecentKeys, DefaultClock>,
    keys: RecentKeys,
    /// In which one try comes back.
    interval: Duration,
    /// What the times of `keys` are counted from.
    start: <DefaultClock as Clock>::Instant,
}

impl Limit {
    /// This process's own. `raised`: so many at once at least, for measuring.
    pub(crate) fn new(tiers: &Tiers, raised: Option<NonZeroU32>) -> Self {
        Self {
            tiers: Arc::new(Tiered::new(tiers, raised)),
            shared: None,
        }
    }

    pub(super) fn shared(tiers: Arc<Tiered>, shared: Option<SharedCounter>) -> Self {
        Self { tiers, shared }
    }

    /// How long to wait when it is one too many. What a tier refuses does not count in the next.
    pub(crate) fn take(&self, key: u64) -> Result<(), Duration> {
        self.tiers.take(key)?;
        self.publish(key, AttemptChange::Counted);
        Ok(())
    }

    pub(crate) fn refund(&self, key: u64) {
        self.tiers.refund(key);
        self.publish(key, AttemptChange::Refunded);
    }

    fn publish(&self, key: u64, change: AttemptChange) {
        if let Some(shared) = &self.shared {
            shared.publish(key, change);
        }
    }
}

impl Tiered {
    pub(super) fn new(tiers: &Tiers, raised: Option<NonZeroU32>) -> Self {
        let raised = raised.map_or(0, NonZeroU32::get);
        let tier = |&(number, seconds): &(u32, u64)| {
            let interval = Duration::from_secs(seconds) / number;
            let burst = NonZeroU32::new(number.max(raised)).unwrap_or(NonZeroU32::MIN);
            let keys = RecentKeys::default();
            let limiter = RateLimiter::new(
                Quota::with_period(interval)?.allow_burst(burst),
                keys.clone(),
                DefaultClock::default(),
            );
            // After the limiter's own, so that no try is a moment too late for one that was counted elsewhere.
            let start = limiter.clock().now();
            Some(Tier {
                limiter,
                keys,
                interval,
                start,
            })
        };
        Self(tiers.iter().filter_map(tier).collect())
    }

    fn take(&self, key: u64) -> Result<(), Duration> {
        for tier in &self.0 {
            tier.limiter.check_key(&key).map_err(|refused| {
                let now = tier.limiter.clock().now();
                refused.wait_time_from(now)
            })?;
        }
        Ok(())
    }

    /// A try that another server let through: counted also where it is one too many here, as two servers may let
    /// through the last one at once.
    pub(super) fn count_elsewhere(&self, key: u64) {
        for tier in &self.0 {
            let now = tier.limiter.clock().now().duration_since(tier.start);
            tier.keys.count(key, now.into(), tier.interval);
        }
    }

    pub(super) fn refund(&self, key: u64) {
        for tier in &self.0 {
            tier.keys.refund(key, tier.interval);
        }
    }
}

/// A try, by what it counts and for whom.
pub(crate) type Count<'a> = (&'a Limit, u64);

/// All of them, or none where one refuses.
pub(crate) fn take_all<'a>(counts: Vec<Count<'a>>) -> Result<Vec<Count<'a>>, Duration> {
    for (at, (limit, key)) in counts.iter().enumerate() {
        if let Err(wait) = limit.tiers.take(*key) {
            // Nobody else has heard of them.
            for (limit, key) in &counts[..at] {
                limit.tiers.refund(*key);
            }
            return Err(wait);
        }
    }
    for (limit, key) in &counts {
        limit.publish(*key, AttemptChange::Counted);
    }
    Ok(counts)
}

pub(crate) fn refund(counts: &[Count<'_>]) {
    counts.iter().for_each(|(limit, key)| limit.refund(*key));
}

/// When all tries of a key will be back. A full table forgets the keys that nobody has asked for
/// longest and refuses none: whoever wants to be forgotten must be silent while others are counted
/// tens of thousands of times, each of them by its own network.
#[derive(Clone, Default)]
struct RecentKeys(Arc<Mutex<Generations>>);

/// Whoever is asked for moves to the younger one. When that is full it becomes the older, and what
/// was the older until then is forgotten.
#[derive(Default)]
struct Generations {
    younger: HashMap<u64, Nanos>,
    older: HashMap<u64, Nanos>,
}

impl RecentKeys {
    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `now`: since the limiter's start.
    fn count(&self, key: u64, now: Nanos, interval: Duration) {
        let mut generations = self.lock();
        let back = generations.recall(key).map_or(now, |back| back.max(now));
        generations.keep(key, back + Nanos::from(interval));
    }

    fn refund(&self, key: u64, interval: Duration) {
        let mut generations = self.lock();
        // Nothing to give back is no error.
        if let Some(back) = generations.recall(key) {
            generations.keep(key, back.saturating_sub(interval.into()));
        }
    }
}

impl Generations {
    fn recall(&mut self, key: u64) -> Option<Nanos> {
        match self.older.remove(&key) {
            Some(back) => {
                self.keep(key, back);
                Some(back)
            }
            None => self.younger.get(&key).copied(),
        }
    }

    fn keep(&mut self, key: u64, back: Nanos) {
        if self.younger.len() >= GENERATION && !self.younger.contains_key(&key) {
            self.older = std::mem::take(&mut self.younger);
        }
        self.younger.insert(key, back);
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.younger.len() + self.older.len()
    }
}

impl StateStore for RecentKeys {
    type Key = u64;

    fn measure_and_replace<T, F, E>(&self, key: &u64, f: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut generations = self.lock();
        let (outcome, back) = f(generations.recall(*key))?;
        generations.keep(*key, back);
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_tier_waits_longer() {
        for (tiers, due) in [
            (&[(1_000, 1), (30, HOUR), (100, DAY)], (30, 120.0)),
            (&[(1_000, 1), (1_000, 1), (100, DAY)], (100, 864.0)),
        ] {
            let limit = Limit::new(tiers, None);
            let mut tried = 0;
            let wait = loop {
                match limit.take(1) {
                    Ok(()) => tried += 1,
                    Err(wait) => break wait,
                }
            };
            assert_eq!((tried, wait.as_secs_f64().round()), due);
        }
    }

    #[test]
    fn a_full_table_forgets_the_oldest_and_refuses_nobody() {
        let limit = Limit::new(&[(1, DAY)], None);
        let (silent, busy) = (u64::MAX, u64::MAX - 1);
        limit.take(silent).unwrap();
        limit.take(busy).unwrap();
        for key in 0..4 * GENERATION as u64 {
            limit.take(key).unwrap();
            // Whoever goes on guessing is not forgotten.
            limit.take(busy).unwrap_err();
            assert!(limit.tiers.0[0].keys.lock().len() <= 2 * GENERATION);
        }
        limit.take(silent).unwrap();
        limit.take(busy).unwrap_err();
    }

    #[test]
    fn a_refunded_try_can_be_taken_again() {
        let limit = Limit::new(&[(2, DAY)], None);
        limit.refund(1);
        limit.take(1).unwrap();
        limit.take(1).unwrap();
        limit.take(1).unwrap_err();
        limit.refund(1);
        limit.take(1).unwrap();
        limit.take(1).unwrap_err();
    }

    #[test]
    fn a_try_that_was_let_through_elsewhere_counts_even_where_it_is_one_too_many() {
        let limit = Limit::new(&[(2, DAY)], None);
        limit.take(1).unwrap();
        limit.tiers.count_elsewhere(1);
        limit.take(1).unwrap_err();
        limit.tiers.count_elsewhere(1);
        // Two are to be given back before one is free.
        limit.refund(1);
        limit.take(1).unwrap_err();
        limit.refund(1);
        limit.take(1).unwrap();
        limit.take(1).unwrap_err();
        limit.tiers.count_elsewhere(2);
        limit.take(2).unwrap();
        limit.take(2).unwrap_err();
    }
}
