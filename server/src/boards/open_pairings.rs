//! Which sites the screens are in that show a code: when there are too many, the site with the most
//! gives one up, and nobody else.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use crate::identity::site;

#[derive(Default)]
pub struct OpenPairings(Mutex<Vec<OpenPairing>>);

struct OpenPairing {
    site: IpAddr,
    id_hash: String,
    /// Milliseconds since 1970.
    expires_at: i64,
}

/// What is to go so that one more may come.
#[derive(Debug, PartialEq, Eq)]
pub enum Displaced {
    Pairing(String),
    /// Whoever comes is of the site with the most.
    Newcomer,
    /// None of this process's is open, so any other.
    Oldest,
}

impl OpenPairings {
    pub fn add(&self, address: IpAddr, id_hash: &str, expires_at: i64) {
        self.with(|open| {
            open.push(OpenPairing {
                site: site(address),
                id_hash: id_hash.to_owned(),
                expires_at,
            });
        });
    }

    /// `now`: in milliseconds since 1970.
    pub fn displace_for(&self, address: IpAddr, now: i64) -> Displaced {
        let newcomer = site(address);
        self.with(|open| {
            open.retain(|pairing| pairing.expires_at > now);
            if open.is_empty() {
                return Displaced::Oldest;
            }
            let mut counts: HashMap<IpAddr, usize> = HashMap::from([(newcomer, 1)]);
            for pairing in open.iter() {
                *counts.entry(pairing.site).or_default() += 1;
            }
            let most = counts.values().copied().max().unwrap_or_default();
            if counts.get(&newcomer) == Some(&most) {
                return Displaced::Newcomer;
            }
            let of_most = |pairing: &OpenPairing| counts.get(&pairing.site) == Some(&most);
            match open.iter().rposition(of_most) {
                Some(newest) => Displaced::Pairing(open.remove(newest).id_hash),
                None => Displaced::Newcomer,
            }
        })
    }

    fn with<T>(&self, change: impl FnOnce(&mut Vec<OpenPairing>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_site_with_the_most_gives_one_up() {
        let open = OpenPairings::default();
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        assert_eq!(
            open.displace_for(address("192.0.2.1"), 0),
            Displaced::Oldest
        );
        open.add(address("192.0.2.1"), "a shop's", 10);
        for (number, expires_at) in [(1, 20), (2, 20), (3, 5)] {
            let of_one_site = address(&format!("2001:db8:1:{number}::1"));
            open.add(of_one_site, &format!("a flood's {number}"), expires_at);
        }
        let again = open.displace_for(address("2001:db8:1:4::1"), 0);
        assert_eq!(again, Displaced::Newcomer);
        let other = open.displace_for(address("192.0.2.2"), 5);
        assert_eq!(other, Displaced::Pairing("a flood's 2".to_owned()));
        // One each: whoever comes now waits.
        let other = open.displace_for(address("192.0.2.2"), 5);
        assert_eq!(other, Displaced::Newcomer);
        // Both have expired.
        assert_eq!(
            open.displace_for(address("192.0.2.2"), 20),
            Displaced::Oldest
        );
    }
}
