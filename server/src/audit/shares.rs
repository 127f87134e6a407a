//! Tokens that come back evenly, and of which each neighbourhood of addresses has a part.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::{Duration, Instant};

/// Of one neighbourhood, a quarter of the lines of a minute and of the rows of three hours.
pub(super) const MAX_OF_NEIGHBOURHOOD: u32 = 150;

/// The first of a neighbourhood, which have half of the lines and of the rows to themselves.
const FIRST_OF_NEIGHBOURHOOD: u32 = 10;

/// The addresses that one provider has: a /16 of IPv4, a /32 of IPv6.
pub(super) fn neighbourhood(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() >> 16 << 16)),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 96 << 96)),
    }
}

/// A token bucket of which each neighbourhood may take a share.
pub(super) struct Shares {
    tokens: Tokens,
    period: Duration,
    began: Instant,
    /// In this period; no longer than there are tokens.
    counts: HashMap<IpAddr, u32>,
}

impl Shares {
    pub(super) fn new(tokens: (u32, Duration), now: Instant) -> Self {
        Self {
            tokens: Tokens::new(tokens, now),
            period: tokens.1,
            began: now,
            counts: HashMap::new(),
        }
    }

    pub(super) fn has_one(&mut self, neighbourhood: IpAddr, now: Instant) -> bool {
        if now.saturating_duration_since(self.began) >= self.period {
            self.began = now;
            self.counts = HashMap::new();
        }
        let count = self.counts.get(&neighbourhood).copied().unwrap_or_default();
        let reserve = match count < FIRST_OF_NEIGHBOURHOOD {
            true => 0,
            false => self.tokens.capacity / 2,
        };
        count < MAX_OF_NEIGHBOURHOOD && self.tokens.left(now) > reserve
    }

    pub(super) fn take(&mut self, neighbourhood: IpAddr, now: Instant) -> bool {
        let has_one = self.has_one(neighbourhood, now) && self.tokens.take(now);
        if has_one {
            *self.counts.entry(neighbourhood).or_default() += 1;
        }
        has_one
    }
}

/// A token bucket: so many at once, and the same number again in a period, evenly.
pub(super) struct Tokens {
    capacity: u32,
    interval: Duration,
    left: u32,
    counted_at: Instant,
}

impl Tokens {
    pub(super) fn new((capacity, period): (u32, Duration), now: Instant) -> Self {
        Self {
            capacity,
            interval: period / capacity,
            left: capacity,
            counted_at: now,
        }
    }

    pub(super) fn take(&mut self, now: Instant) -> bool {
        let is_there = self.left(now) > 0;
        self.left = self.left.saturating_sub(1);
        is_there
    }

    fn left(&mut self, now: Instant) -> u32 {
        let elapsed = now.saturating_duration_since(self.counted_at);
        let back =
            (elapsed.as_nanos() / self.interval.as_nanos().max(1)).min(u128::from(self.capacity));
        let back = u32::try_from(back).unwrap_or(self.capacity);
        self.left = self.left.saturating_add(back).min(self.capacity);
        self.counted_at = match self.left == self.capacity {
            true => now,
            false => self.counted_at + self.interval * back,
        };
        self.left
    }
}
