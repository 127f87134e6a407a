//! Which sites the screens are in that show a code: when there are too many, the site with the most
//! loses one, so that a new screen has a place.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use crate::http::address::site;

/// Screens that may show a code at once.
pub const MAX_OPEN_PAIRINGS: usize = 1_000;

#[derive(Default)]
pub struct OpenPairings(Mutex<Vec<OpenPairing>>);

struct OpenPairing {
    site: IpAddr,
    id_hash: String,
    /// Milliseconds since 1970.
    expires_at: i64,
}

impl OpenPairings {
    /// `now`: in milliseconds since 1970, as `expires_at`.
    pub fn add(&self, address: IpAddr, id_hash: &str, expires_at: i64, now: i64) {
        self.with(|open| {
            open.retain(|pairing| pairing.expires_at > now);
            open.push(OpenPairing {
                site: site(address),
                id_hash: id_hash.to_owned(),
                expires_at,
            });
        });
    }

    /// The screen has become a board, or its pairing was withdrawn.
    pub fn remove(&self, id_hash: &str) {
        self.with(|open| open.retain(|pairing| pairing.id_hash != id_hash));
    }

    /// The pairing that makes room for a new one from this address; none where pairings are open that
    /// this process does not know, of which the oldest goes: they are from before it was started, or
    /// another server's. Of a site it is the oldest, whose code was most likely typed long ago or never
    /// will be.
    pub fn displaced_by(&self, address: IpAddr) -> Option<String> {
        let newcomer = site(address);
        self.with(|open| {
            if open.len() < MAX_OPEN_PAIRINGS {
                return None;
            }
            let mut counts: HashMap<IpAddr, usize> = HashMap::new();
            for pairing in open.iter() {
                *counts.entry(pairing.site).or_default() += 1;
            }
            let most = counts.values().copied().max().unwrap_or_default();
            let own = counts.get(&newcomer).copied().unwrap_or_default();
            // No site drives another's out to have more than that one.
            let is_of_fullest = own > 0 && own + 1 >= most;
            let position = open.iter().position(|pairing| match is_of_fullest {
                true => pairing.site == newcomer,
                false => counts.get(&pairing.site) == Some(&most),
            });
            position.map(|oldest| open.remove(oldest).id_hash)
        })
    }

    fn with<T>(&self, change: impl FnOnce(&mut Vec<OpenPairing>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(site: usize) -> IpAddr {
        let site = u16::try_from(site).expect("a test has few sites");
        IpAddr::from([0x2001, 0xdb8, site, 0, 0, 0, 0, 1])
    }

    /// `id_hash` is the site and a number.
    fn full(sites: &[(usize, usize)]) -> OpenPairings {
        let open = OpenPairings::default();
        for (site, count) in sites {
            for number in 0..*count {
                open.add(address(*site), &format!("{site}/{number}"), 10, 0);
            }
        }
        open
    }

    #[test]
    fn the_site_with_the_most_pairings_loses_one() {
        let open = full(&[(1, 3), (2, MAX_OPEN_PAIRINGS - 3)]);
        assert_eq!(open.displaced_by(address(3)).as_deref(), Some("2/0"));
        open.add(address(3), "3/0", 10, 0);
        assert_eq!(open.displaced_by(address(1)).as_deref(), Some("2/1"));
        open.add(address(1), "1/3", 10, 0);
        let of_fullest = open.displaced_by(address(2));
        assert_eq!(of_fullest.as_deref(), Some("2/2"), "one of its own");
    }

    #[test]
    fn a_new_screen_gets_a_place_when_all_sites_have_equally_many() {
        let single: Vec<_> = (0..MAX_OPEN_PAIRINGS).map(|site| (site, 1)).collect();
        let open = full(&single);
        let newcomer = address(MAX_OPEN_PAIRINGS);
        assert_eq!(open.displaced_by(newcomer).as_deref(), Some("0/0"));
        open.add(newcomer, "newcomer", 10, 0);
        assert_eq!(open.displaced_by(newcomer).as_deref(), Some("newcomer"));

        let open = full(&[(1, MAX_OPEN_PAIRINGS / 2), (2, MAX_OPEN_PAIRINGS / 2)]);
        assert_eq!(open.displaced_by(address(2)).as_deref(), Some("2/0"));
        open.add(address(2), "2/new", 10, 0);
        assert_eq!(open.displaced_by(address(3)).as_deref(), Some("1/0"));
    }

    #[test]
    fn pairings_unknown_to_this_process_are_displaced_first() {
        let open = full(&[(1, MAX_OPEN_PAIRINGS - 1)]);
        assert_eq!(open.displaced_by(address(1)), None);
        open.add(address(1), "1/new", 10, 0);
        open.remove("1/new");
        assert_eq!(open.displaced_by(address(1)), None);
    }

    #[test]
    fn expired_pairings_use_no_memory() {
        let open = OpenPairings::default();
        for now in 0..100 {
            open.add(address(1), &now.to_string(), now + 10, now);
        }
        assert_eq!(open.with(|open| open.len()), 10);
    }
}
