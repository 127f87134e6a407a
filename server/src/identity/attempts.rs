//! How often one may try to sign in: few times for an email, so that nobody can guess a password,
//! and many for an address, because a whole shop sits behind one.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use actix_web::http::StatusCode;
use governor::clock::DefaultClock;
use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::state::keyed::{DashMapStateStore, ShrinkableKeyedStateStore};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::email::Email;
use crate::error::ApiError;

/// At once; then one every six seconds.
const PER_EMAIL: NonZeroU32 = number(10);
const PER_EMAIL_A_MINUTE: NonZeroU32 = number(10);
/// At once; then two a second.
const PER_ADDRESS: NonZeroU32 = number(100);
const PER_ADDRESS_A_SECOND: NonZeroU32 = number(2);

/// After so many attempts the entries that are full again are dropped, which bounds the memory.
const SWEEP_EVERY: u32 = 256;

const fn number(count: u32) -> NonZeroU32 {
    match NonZeroU32::new(count) {
        Some(count) => count,
        None => NonZeroU32::MIN,
    }
}

pub(super) struct Attempts {
    by_address: DefaultKeyedRateLimiter<IpAddr>,
    by_email: RateLimiter<Email, Tries, DefaultClock>,
    tries: Tries,
    counted: AtomicU32,
}

impl Attempts {
    pub(super) fn new() -> Self {
        let tries = Tries::default();
        let per_address = Quota::per_second(PER_ADDRESS_A_SECOND).allow_burst(PER_ADDRESS);
        let per_email = Quota::per_minute(PER_EMAIL_A_MINUTE).allow_burst(PER_EMAIL);
        Self {
            by_address: RateLimiter::dashmap(per_address),
            by_email: RateLimiter::new(per_email, tries.clone(), DefaultClock::default()),
            tries,
            counted: AtomicU32::new(0),
        }
    }

    /// Counts an attempt; 429 `too-many-requests` when it is one too many.
    pub(super) fn count(&self, address: IpAddr, email: Option<&Email>) -> Result<(), ApiError> {
        if self.counted.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            self.by_address.retain_recent();
            self.by_email.retain_recent();
        }
        let allowed = self.by_address.check_key(&network(address)).is_ok()
            && email.is_none_or(|email| self.by_email.check_key(email).is_ok());
        if allowed { Ok(()) } else { Err(too_many()) }
    }

    /// Whoever knows the password does not guess: an account that several tablets share may sign
    /// in on all of them.
    pub(super) fn succeeded(&self, email: &Email) {
        self.tries.0.remove(email);
    }
}

fn too_many() -> ApiError {
    ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        "too-many-requests",
        "Too many attempts to sign in; wait a few seconds and try again",
    )
}

/// One subscriber has a whole /64 of IPv6 addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
    }
}

/// governor's own store, shared so that a success can take an entry out of it.
#[derive(Clone, Default)]
struct Tries(Arc<DashMapStateStore<Email>>);

impl StateStore for Tries {
    type Key = Email;

    fn measure_and_replace<T, F, E>(&self, key: &Email, f: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        self.0.measure_and_replace(key, f)
    }
}

impl ShrinkableKeyedStateStore<Email> for Tries {
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
    fn an_email_has_ten_tries_from_wherever_they_come() {
        let attempts = Attempts::new();
        let ann = email("ann@example.com");
        for last in 0..10 {
            attempts.count(address(last), Some(&ann)).unwrap();
        }
        let refused = attempts.count(address(99), Some(&ann)).unwrap_err();
        assert_eq!(
            (refused.status.as_u16(), refused.code),
            (429, "too-many-requests")
        );
        attempts
            .count(address(99), Some(&email("bob@example.com")))
            .unwrap();
    }

    #[test]
    fn a_success_gives_the_email_its_tries_back() {
        let attempts = Attempts::new();
        let ann = email("ann@example.com");
        for _ in 0..30 {
            attempts.count(address(1), Some(&ann)).unwrap();
            attempts.succeeded(&ann);
        }
    }

    #[test]
    fn an_address_has_a_hundred_tries_whatever_the_emails() {
        let attempts = Attempts::new();
        for person in 0..100 {
            attempts
                .count(address(1), Some(&email(&format!("p{person}@example.com"))))
                .unwrap();
        }
        assert!(attempts.count(address(1), None).is_err());
        assert!(attempts.count(address(2), None).is_ok());
    }

    #[test]
    fn addresses_of_one_ipv6_subscriber_count_as_one() {
        let parse = |text: &str| network(text.parse().unwrap());
        assert_eq!(parse("2001:db8:1:2:3:4:5:6"), parse("2001:db8:1:2::1"));
        assert_ne!(parse("2001:db8:1:2::1"), parse("2001:db8:1:3::1"));
        assert_eq!(parse("::ffff:192.0.2.1"), address(1));
    }
}
