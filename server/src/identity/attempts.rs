//! How often one may try: few times for an account, so that nobody can guess a password or a code,
//! and more often from an address, because a whole shop sits behind one. Who goes on trying waits
//! longer and longer.

use std::hash::{BuildHasher, Hash, RandomState};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::state::keyed::{DashMapStateStore, ShrinkableKeyedStateStore};
use governor::{Quota, RateLimiter};

use super::email::Email;
use crate::error::ApiError;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// So many at once, and the same number again in so many seconds, evenly. Of several the first that
/// is used up refuses: the waits grow from the first's to the last's.
pub(crate) type Tiers = [(u32, u64)];

/// Passwords for one account: a wait of 6 s after 10 wrong ones, 2 min after 30, 15 min after 100.
const PASSWORDS_OF_ACCOUNT: &Tiers = &[(10, MINUTE), (30, HOUR), (100, DAY)];
/// Passwords from one address, whatever the accounts.
const PASSWORDS_FROM_ADDRESS: &Tiers = &[(100, 50), (600, HOUR), (2_000, DAY)];
/// Of a million codes three are right at a time.
const CODES_OF_ACCOUNT: &Tiers = &[(5, 5 * MINUTE), (20, 2 * HOUR), (50, DAY)];
const MAILS_TO_ACCOUNT: &Tiers = &[(3, HOUR), (10, DAY)];
const MAILS_FROM_ADDRESS: &Tiers = &[(20, HOUR)];

/// After so many attempts the entries that are full again are dropped.
const SWEEP_EVERY: u32 = 256;

/// Accounts, or addresses, that are remembered. When there are more, unknown ones wait: it bounds
/// the memory, and forgetting somebody who guesses would help them.
const MOST_KEYS: usize = 100_000;
const WHEN_FULL: Duration = Duration::from_secs(30);

pub(super) struct Attempts {
    hasher: RandomState,
    passwords_of_account: Limit,
    passwords_from_address: Limit,
    codes_of_account: Limit,
    mails_to_account: Limit,
    mails_from_address: Limit,
    counted: AtomicU32,
}

impl Attempts {
    /// `raised`: so many passwords at once at least, for measuring.
    pub(super) fn new(raised: Option<NonZeroU32>) -> Self {
        let limit = |tiers| Limit::new(tiers, None);
        Self {
            hasher: RandomState::new(),
            passwords_of_account: Limit::new(PASSWORDS_OF_ACCOUNT, raised),
            passwords_from_address: Limit::new(PASSWORDS_FROM_ADDRESS, raised),
            codes_of_account: limit(CODES_OF_ACCOUNT),
            mails_to_account: limit(MAILS_TO_ACCOUNT),
            mails_from_address: limit(MAILS_FROM_ADDRESS),
            counted: AtomicU32::new(0),
        }
    }

    /// Counts a password that is tried from an address.
    pub(super) fn address(&self, address: IpAddr) -> Result<(), ApiError> {
        self.sweep();
        self.passwords_from_address
            .take(self.key(network(address)))
            .map_err(ApiError::too_many)
    }

    /// Counts a password that is tried for an account, whether there is one or not.
    pub(super) fn account(&self, email: &Email) -> Result<(), ApiError> {
        self.passwords_of_account
            .take(self.key(email))
            .map_err(ApiError::too_many)
    }

    /// The same for an address from which the account has signed in: its holder has tries of their
    /// own there, however many somebody else has used up.
    pub(super) fn account_at_home(&self, email: &Email, address: IpAddr) -> Result<(), ApiError> {
        self.passwords_of_account
            .take(self.key((email, network(address))))
            .map_err(ApiError::too_many)
    }

    /// Counts a password that somebody who is signed in gives once more.
    pub(super) fn own_password(&self, uid: &str) -> Result<(), ApiError> {
        self.sweep();
        self.passwords_of_account
            .take(self.key(("own", uid)))
            .map_err(ApiError::too_many)
    }

    /// Whoever knows the password does not guess: an account that several tablets share may sign
    /// in on all of them, and a shop's people from one address.
    pub(super) fn right_password(&self, email: &Email, address: IpAddr, at_home: bool) {
        let network = network(address);
        self.passwords_from_address.give_back(self.key(network));
        let key = if at_home {
            self.key((email, network))
        } else {
            self.key(email)
        };
        self.passwords_of_account.give_back(key);
    }

    pub(super) fn right_own_password(&self, uid: &str) {
        self.passwords_of_account.give_back(self.key(("own", uid)));
    }

    /// Counts a code of the second factor.
    pub(super) fn code(&self, uid: &str) -> Result<(), ApiError> {
        self.sweep();
        self.codes_of_account
            .take(self.key(uid))
            .map_err(ApiError::too_many)
    }

    pub(super) fn right_code(&self, uid: &str) {
        self.codes_of_account.give_back(self.key(uid));
    }

    /// Counts a mail that somebody asks for.
    pub(super) fn mail(&self, address: IpAddr, email: &Email) -> Result<(), ApiError> {
        self.sweep();
        self.mails_from_address
            .take(self.key(network(address)))
            .and_then(|()| self.mails_to_account.take(self.key(email)))
            .map_err(ApiError::too_many)
    }

    /// A number for whom it counts, so that long names take no more memory than short ones.
    fn key(&self, whom: impl Hash) -> u64 {
        self.hasher.hash_one(whom)
    }

    fn sweep(&self) {
        if self.counted.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY != SWEEP_EVERY - 1 {
            return;
        }
        for limit in [
            &self.passwords_of_account,
            &self.passwords_from_address,
            &self.codes_of_account,
            &self.mails_to_account,
            &self.mails_from_address,
        ] {
            limit.sweep();
        }
    }
}

/// One subscriber has a whole /64 of IPv6 addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
    }
}

/// Tiers that are asked in turn.
pub(crate) struct Limit(Vec<Tier>);

struct Tier {
    limiter: RateLimiter<u64, Kept, DefaultClock>,
    kept: Kept,
    /// In which one try comes back.
    interval: Duration,
}

impl Limit {
    pub(crate) fn new(tiers: &Tiers, raised: Option<NonZeroU32>) -> Self {
        let raised = raised.map_or(0, NonZeroU32::get);
        let tier = |&(number, seconds): &(u32, u64)| {
            let interval = Duration::from_secs(seconds) / number;
            let burst = NonZeroU32::new(number.max(raised)).unwrap_or(NonZeroU32::MIN);
            let kept = Kept::default();
            Some(Tier {
                limiter: RateLimiter::new(
                    Quota::with_period(interval)?.allow_burst(burst),
                    kept.clone(),
                    DefaultClock::default(),
                ),
                kept,
                interval,
            })
        };
        Self(tiers.iter().filter_map(tier).collect())
    }

    /// How long to wait when it is one too many. What a tier refuses does not count in the next.
    pub(crate) fn take(&self, key: u64) -> Result<(), Duration> {
        for tier in &self.0 {
            if tier.kept.0.len() >= MOST_KEYS && !tier.kept.0.contains_key(&key) {
                return Err(WHEN_FULL);
            }
            tier.limiter.check_key(&key).map_err(|refused| {
                let now = tier.limiter.clock().now();
                refused.wait_time_from(now)
            })?;
        }
        Ok(())
    }

    pub(crate) fn give_back(&self, key: u64) {
        for tier in &self.0 {
            tier.kept.give_back(key, tier.interval);
        }
    }

    pub(crate) fn sweep(&self) {
        self.0.iter().for_each(|tier| tier.limiter.retain_recent());
    }
}

/// governor's own store, shared so that a try can be given back.
#[derive(Clone, Default)]
struct Kept(Arc<DashMapStateStore<u64>>);

impl Kept {
    /// What is kept is when all tries will be back.
    fn give_back(&self, key: u64, interval: Duration) {
        let earlier = |kept: Option<Nanos>| match kept {
            Some(back) => Ok(((), back.saturating_sub(interval.into()))),
            None => Err(()),
        };
        if self.0.contains_key(&key) {
            // Nothing to give back is no error.
            let _ = self.0.measure_and_replace(&key, earlier);
        }
    }
}

impl StateStore for Kept {
    type Key = u64;

    fn measure_and_replace<T, F, E>(&self, key: &u64, f: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        self.0.measure_and_replace(key, f)
    }
}

impl ShrinkableKeyedStateStore<u64> for Kept {
    fn retain_recent(&self, drop_below: Nanos) {
        self.0.retain_recent(drop_below);
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn email(text: &str) -> Email {
        Email::parse(text).unwrap()
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(192, 0, 2, last))
    }

    #[test]
    fn an_account_has_ten_tries_from_wherever_they_come() {
        let attempts = Attempts::new(None);
        let ann = email("ann@example.com");
        for _ in 0..10 {
            attempts.account(&ann).unwrap();
        }
        let refused = attempts.account(&ann).unwrap_err();
        assert_eq!(
            (refused.status.as_u16(), refused.code, refused.retry_after),
            (429, "too-many-requests", Some(6))
        );
        attempts.account(&email("bob@example.com")).unwrap();
    }

    #[test]
    fn where_the_account_has_signed_in_it_has_tries_of_its_own() {
        let attempts = Attempts::new(None);
        let ann = email("ann@example.com");
        while attempts.account(&ann).is_ok() {}
        for _ in 0..10 {
            attempts.account_at_home(&ann, address(1)).unwrap();
        }
        attempts.account_at_home(&ann, address(1)).unwrap_err();
        attempts.account_at_home(&ann, address(2)).unwrap();
    }

    #[test]
    fn a_success_gives_its_try_back_and_no_more() {
        let attempts = Attempts::new(None);
        let ann = email("ann@example.com");
        for _ in 0..300 {
            attempts.address(address(1)).unwrap();
            attempts.account(&ann).unwrap();
            attempts.right_password(&ann, address(1), false);
        }
        while attempts.account(&ann).is_ok() {}
        attempts.right_password(&ann, address(1), false);
        attempts.account(&ann).unwrap();
        attempts.account(&ann).unwrap_err();
    }

    #[test]
    fn an_address_has_a_hundred_tries_whatever_the_accounts() {
        let attempts = Attempts::new(None);
        for _ in 0..100 {
            attempts.address(address(1)).unwrap();
        }
        assert!(attempts.address(address(1)).is_err());
        assert!(attempts.address(address(2)).is_ok());
    }

    #[test]
    fn the_next_tier_waits_longer() {
        let limit = Limit::new(&[(1_000, 1), (30, HOUR), (100, DAY)], None);
        let mut tried = 0;
        let wait = loop {
            match limit.take(1) {
                Ok(()) => tried += 1,
                Err(wait) => break wait,
            }
        };
        assert_eq!((tried, wait.as_secs_f64().round()), (30, 120.0));
        let limit = Limit::new(&[(1_000, 1), (1_000, 1), (100, DAY)], None);
        let mut tried = 0;
        let wait = loop {
            match limit.take(1) {
                Ok(()) => tried += 1,
                Err(wait) => break wait,
            }
        };
        assert_eq!((tried, wait.as_secs_f64().round()), (100, 864.0));
    }

    #[test]
    fn mails_and_codes_are_few() {
        let attempts = Attempts::new(None);
        let ann = email("ann@example.com");
        let mails = (0..20).filter(|&last| attempts.mail(address(last), &ann).is_ok());
        assert_eq!(mails.count(), 3);
        let people = (0..50).map(|number| email(&format!("p{number}@example.com")));
        let mails = people.filter(|email| attempts.mail(address(99), email).is_ok());
        assert_eq!(mails.count(), 20);
        let codes = (0..50).filter(|_| attempts.code("ann").is_ok());
        assert_eq!(codes.count(), 5);
        attempts.right_code("ann");
        attempts.code("ann").unwrap();
    }

    #[test]
    fn what_is_remembered_is_bounded_and_whoever_guesses_is_not_forgotten() {
        let limit = Limit::new(&[(1, DAY)], None);
        limit.take(0).unwrap();
        for key in 1..MOST_KEYS as u64 + 1_000 {
            let _ = limit.take(key);
        }
        limit.sweep();
        assert_eq!(limit.0[0].kept.0.len(), MOST_KEYS);
        assert!(
            limit.take(0).unwrap_err() > WHEN_FULL,
            "a day, not a moment"
        );
        assert_eq!(limit.take(u64::MAX), Err(WHEN_FULL));
    }

    #[test]
    fn raised_for_measuring_it_lets_as_many_through() {
        let attempts = Attempts::new(NonZeroU32::new(5_000));
        let ann = email("ann@example.com");
        for _ in 0..5_000 {
            attempts.address(address(1)).unwrap();
            attempts.account(&ann).unwrap();
        }
        attempts.account(&ann).unwrap_err();
    }

    #[test]
    fn addresses_of_one_ipv6_subscriber_count_as_one() {
        let parse = |text: &str| network(text.parse().unwrap());
        assert_eq!(parse("2001:db8:1:2:3:4:5:6"), parse("2001:db8:1:2::1"));
        assert_ne!(parse("2001:db8:1:2::1"), parse("2001:db8:1:3::1"));
        assert_eq!(parse("::ffff:192.0.2.1"), address(1));
    }
}
