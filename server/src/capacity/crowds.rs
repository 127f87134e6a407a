//! Scarce places, by their holder: when all are taken, the largest crowd loses one, so that one that
//! takes all of them does not keep others out.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;
use std::sync::LazyLock;

use smallvec::SmallVec;

use crate::http::address::{network, site};

static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Whose a place is, from the largest crowd that it counts in to the smallest. Hashes, so that long
/// names take no more memory than short ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Holder(SmallVec<[u64; 3]>);

impl Holder {
    /// Counted by site, in it by network, and in that by address.
    pub(crate) fn address(address: IpAddr) -> Self {
        let crowds = [site(address), network(address), address.to_canonical()];
        Self(crowds.iter().map(key).collect())
    }

    /// Counted by account, and in it by sign-in session, or whatever else has two names.
    pub(crate) fn names(account: &str, sign_in: &str) -> Self {
        Self([account, sign_in].iter().map(key).collect())
    }
}

fn key(whom: impl Hash) -> u64 {
    HASHER.hash_one(whom)
}

/// The number of a place: one taken later has a higher one.
pub(crate) type PlaceNumber = u64;

/// All that are taken, each with what ends it. Everything takes logarithmic time.
#[derive(Debug)]
pub(crate) struct Crowds<T> {
    next: PlaceNumber,
    places: HashMap<PlaceNumber, (Holder, T)>,
    all: Crowd,
}

impl<T> Default for Crowds<T> {
    fn default() -> Self {
        Self {
            next: 0,
            places: HashMap::new(),
            all: Crowd::default(),
        }
    }
}

impl<T> Crowds<T> {
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn insert(&mut self, holder: Holder, place: T) -> PlaceNumber {
        let number = self.next;
        self.next += 1;
        self.all.insert(&holder.0, number);
        self.places.insert(number, (holder, place));
        number
    }

    /// None when it was given up.
    pub(crate) fn remove(&mut self, number: PlaceNumber) -> Option<T> {
        let (holder, place) = self.places.remove(&number)?;
        self.all.remove(&holder.0, number);
        Some(place)
    }

    /// The newest of the greatest crowd: of its greatest part, and so on. Of equals the one with the
    /// newest, so that nobody takes turns with others.
    pub(crate) fn newest_of_greatest(&self) -> Option<(PlaceNumber, &T)> {
        let number = self.all.newest_of_greatest()?;
        self.places.get(&number).map(|(_, place)| (number, place))
    }

    /// How many the greatest crowd has.
    pub(crate) fn greatest(&self) -> usize {
        self.all.by_size.last().map_or(0, |(size, ..)| *size)
    }

    /// Which place is displaced for one more of `newcomer`: one of the largest crowd, where that is
    /// larger than the newcomer's own; none where the newcomer's has as many.
    pub(crate) fn displaced_for(&self, newcomer: &Holder) -> Option<(PlaceNumber, &T)> {
        let number = self.all.displaced_for(&newcomer.0)?;
        self.places.get(&number).map(|(_, place)| (number, place))
    }
}

#[derive(Debug, Default)]
struct Crowd {
    places: BTreeSet<PlaceNumber>,
    parts: HashMap<u64, Crowd>,
    /// Size, newest place and key of each part.
    by_size: BTreeSet<(usize, PlaceNumber, u64)>,
}

impl Crowd {
    fn insert(&mut self, holder: &[u64], number: PlaceNumber) {
        self.change(holder, &|places: &mut BTreeSet<PlaceNumber>| {
            places.insert(number);
        });
    }

    fn remove(&mut self, holder: &[u64], number: PlaceNumber) {
        self.change(holder, &|places: &mut BTreeSet<PlaceNumber>| {
            places.remove(&number);
        });
    }

    fn change(&mut self, holder: &[u64], change: &impl Fn(&mut BTreeSet<PlaceNumber>)) {
        change(&mut self.places);
        let Some((key, rest)) = holder.split_first() else {
            return;
        };
        let part = self.parts.entry(*key).or_default();
        self.by_size.remove(&part.rank(*key));
        part.change(rest, change);
        if part.places.is_empty() {
            self.parts.remove(key);
        } else {
            self.by_size.insert(part.rank(*key));
        }
    }

    fn rank(&self, key: u64) -> (usize, PlaceNumber, u64) {
        let newest = self.places.last().copied().unwrap_or_default();
        (self.places.len(), newest, key)
    }

    fn displaced_for(&self, newcomer: &[u64]) -> Option<PlaceNumber> {
        let (key, rest) = newcomer.split_first()?;
        let own = self.parts.get(key);
        let (size, _, greatest) = self.by_size.last()?;
        if *size > own.map_or(0, |own| own.places.len()) {
            return self.parts.get(greatest)?.newest_of_greatest();
        }
        own?.displaced_for(rest)
    }

    fn newest_of_greatest(&self) -> Option<PlaceNumber> {
        match self.by_size.last() {
            Some((_, _, key)) => self.parts.get(key)?.newest_of_greatest(),
            None => self.places.last().copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(address: &str) -> Holder {
        Holder::address(address.parse().unwrap())
    }

    fn crowds(addresses: &[&'static str]) -> Crowds<&'static str> {
        let mut crowds = Crowds::default();
        for address in addresses {
            crowds.insert(holder(address), *address);
        }
        crowds
    }

    #[test]
    fn the_largest_site_loses_a_place_in_its_largest_network_at_its_largest_address() {
        let mut crowds = crowds(&[
            "2001:db8:1:1::1",
            "2001:db8:1:1::1",
            "2001:db8:1:1::2",
            "2001:db8:1:2::1",
            "2001:db8:1:2::2",
            "192.0.2.1",
            "192.0.2.1",
            "192.0.2.1",
            "192.0.2.1",
        ]);
        assert_eq!(crowds.greatest(), 5);
        let order: Vec<&str> = std::iter::from_fn(|| {
            let (number, address) = crowds.newest_of_greatest()?;
            let address = *address;
            crowds.remove(number);
            Some(address)
        })
        .collect();
        assert_eq!(
            order[..4],
            [
                "2001:db8:1:1::1",
                "192.0.2.1",
                "2001:db8:1:2::2",
                "192.0.2.1"
            ]
        );
        assert_eq!(order.len(), 9);
        assert!(crowds.all.parts.is_empty() && crowds.all.by_size.is_empty());
    }

    #[test]
    fn a_newcomer_displaces_only_an_address_that_has_more() {
        let crowds = crowds(&["192.0.2.1", "192.0.2.1", "192.0.2.2"]);
        let displaced = |address| crowds.displaced_for(&holder(address)).map(|(at, _)| at);
        assert_eq!(displaced("192.0.2.1"), None);
        assert_eq!(displaced("192.0.2.2"), Some(1));
        assert_eq!(displaced("192.0.2.3"), Some(1));
        assert_eq!(crowds.len(), 3);
    }

    #[test]
    fn a_displaced_session_is_not_removed_twice() {
        let mut crowds = crowds(&["192.0.2.1"]);
        assert_eq!(crowds.remove(0), Some("192.0.2.1"));
        assert_eq!(crowds.remove(0), None);
        assert_eq!(crowds.len(), 0);
    }
}
