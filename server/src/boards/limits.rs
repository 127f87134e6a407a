//! How often screens and those who pair them may try, at all servers of the database together.

use std::net::IpAddr;

use crate::error::ApiError;
use crate::http::address::{network, site};
use crate::identity::{Limit, MINUTE, SharedLimits, take_all};

pub struct Limits {
    shared: SharedLimits,
    codes_of_user: Limit,
    codes_from_address: Limit,
    first_codes_of_user: Limit,
    codes_of_all: Limit,
    links_from_address: Limit,
    tokens_from_address: Limit,
    pairings_from_address: Limit,
    pairings_from_site: Limit,
    first_pairings_from_site: Limit,
    pairings_of_all: Limit,
}

/// In a minute. These are not counted with those of all others, so that nobody can use up the first
/// attempts of others.
const FIRST: u32 = 2;

impl Limits {
    pub(crate) fn new(shared: &SharedLimits) -> Self {
        let limit = |name, number| shared.limit(name, &[(number, MINUTE)], None);
        Self {
            codes_of_user: limit("board-codes-of-user", 10),
            codes_from_address: limit("board-codes-from-address", 10),
            first_codes_of_user: limit("first-board-codes-of-user", FIRST),
            codes_of_all: limit("board-codes-of-all", 30),
            links_from_address: limit("board-links-from-address", 30),
            tokens_from_address: limit("board-tokens-from-address", 30),
            pairings_from_address: limit("pairings-from-address", 20),
            pairings_from_site: limit("pairings-from-site", 60),
            first_pairings_from_site: limit("first-pairings-from-site", FIRST),
            pairings_of_all: limit("pairings-of-all", 200),
            shared: shared.clone(),
        }
    }

    /// Counts a code that somebody types. While too many were wrong a right one is refused, too:
    /// nobody learns which it is.
    pub fn code(&self, uid: &str, address: IpAddr) -> Result<(), ApiError> {
        let user = self.shared.key(&[uid.as_bytes()]);
        let network = self.shared.key_of_address(network(address));
        take_all(vec![
            (&self.codes_of_user, user),
            (&self.codes_from_address, network),
        ])
        .and_then(|_| {
            let first = self.first_codes_of_user.take(user);
            first.or_else(|_| self.codes_of_all.take(0))
        })
        .map_err(ApiError::too_many)
    }

    /// A person who reads codes from screens does not guess.
    pub fn right_code(&self, uid: &str, address: IpAddr) {
        let user = self.shared.key(&[uid.as_bytes()]);
        self.codes_of_user.refund(user);
        self.first_codes_of_user.refund(user);
        self.codes_from_address
            .refund(self.shared.key_of_address(network(address)));
        self.codes_of_all.refund(0);
    }

    /// Counts a link that was not made here.
    pub fn wrong_link(&self, address: IpAddr) -> Result<(), ApiError> {
        let network = self.shared.key_of_address(network(address));
        let permit = self.links_from_address.take(network);
        permit.map_err(ApiError::too_many)
    }

    /// Counts a token that is not known here, before anybody looks it up.
    pub fn unknown_token(&self, address: IpAddr) -> Result<(), ApiError> {
        let network = self.shared.key_of_address(network(address));
        let permit = self.tokens_from_address.take(network);
        permit.map_err(ApiError::too_many)
    }

    /// Gives the try back: it belongs to a board, or once did.
    pub fn real_token(&self, address: IpAddr) {
        let network = self.shared.key_of_address(network(address));
        self.tokens_from_address.refund(network);
    }

    /// Counts a screen that wants to be a board.
    pub fn pairing(&self, address: IpAddr) -> Result<(), ApiError> {
        let (site, network) = (
            self.shared.key_of_address(site(address)),
            self.shared.key_of_address(network(address)),
        );
        take_all(vec![
            (&self.pairings_from_site, site),
            (&self.pairings_from_address, network),
        ])
        .and_then(|_| {
            let first = self.first_pairings_from_site.take(site);
            first.or_else(|_| self.pairings_of_all.take(0))
        })
        .map_err(ApiError::too_many)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(192, 0, 2, last))
    }

    #[test]
    fn after_ten_wrong_codes_a_user_and_an_address_are_blocked() {
        let limits = Limits::new(&SharedLimits::of_test());
        for _ in 0..10 {
            limits.code("ann", address(1)).unwrap();
        }
        assert_eq!(
            limits.code("ann", address(2)).unwrap_err().code.as_str(),
            "too-many-requests"
        );
        limits.code("bob", address(1)).unwrap_err();
        limits.code("bob", address(2)).unwrap();
    }

    #[test]
    fn after_thirty_wrong_codes_only_a_first_attempt_of_a_user_and_address_is_allowed() {
        let limits = Limits::new(&SharedLimits::of_test());
        let users = (0..20_u8).flat_map(|user| [user; 10]);
        let guesses = users.map(|n| limits.code(&format!("user {n}"), address(n)));
        let first = 20 * FIRST as usize;
        assert_eq!(guesses.filter(Result::is_ok).count(), first + 30);
        limits.code("ann", address(100)).unwrap();
    }

    #[test]
    fn one_site_cannot_stop_another_from_pairing() {
        let limits = Limits::new(&SharedLimits::of_test());
        let of_one_site = |n: u16| IpAddr::from([0x2001, 0xdb8, 1, n, 0, 0, 0, 1]);
        let flood = (0..u16::MAX).map(|n| limits.pairing(of_one_site(n)));
        let through = flood.filter(Result::is_ok).count();
        assert!((60..100).contains(&through), "{through}");
        let flood = (0..100_u8).flat_map(|n| [n; 30]);
        let flood = flood.map(|n| limits.pairing(address(n)));
        assert!(flood.filter(Result::is_ok).count() < 500);
        limits.pairing(address(200)).unwrap();
    }

    #[test]
    fn right_codes_do_not_count() {
        let limits = Limits::new(&SharedLimits::of_test());
        for _ in 0..200 {
            limits.code("ann", address(1)).unwrap();
            limits.right_code("ann", address(1));
        }
    }
}
