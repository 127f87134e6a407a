//! Who hashes a password next: those who are known first, then strangers, and among each of them one
//! site after another, so that nobody's crowd is in front of anybody else. Knows no passwords.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::devices::DeviceId;
use crate::http::address::{network, site};

/// 19 MiB and a core each, for the whole process.
const PLACES: usize = 2;

/// About 800 hashes on two cores; whoever waits longer has given up.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(10);

/// That wait in a lane at most: as many as are hashed in [`QUEUE_TIMEOUT`].
const MAX_WAITING: usize = 800;

/// Of one site, in a lane.
const MAX_WAITING_OF_SITE: usize = 200;

/// After so many who are known a stranger has a turn: people sign in although somebody whose device is
/// known never stops.
const KNOWN_IN_A_ROW: u32 = 3;

static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Who a password is hashed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requester {
    lane: Lane,
    site: u64,
    network: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    Known,
    Strangers,
}

impl Requester {
    pub(super) fn stranger(address: IpAddr) -> Self {
        Self {
            lane: Lane::Strangers,
            site: key(site(address)),
            network: key(network(address)),
        }
    }

    pub(super) fn known_device(device: &DeviceId) -> Self {
        Self::known(device)
    }

    /// Somebody who is signed in, or holds a link that was mailed.
    pub(super) fn account(name: &str) -> Self {
        Self::known(name)
    }

    /// Whoever runs the server.
    pub(super) fn operator() -> Self {
        Self::known("operator")
    }

    fn known(whom: impl Hash) -> Self {
        Self {
            lane: Lane::Known,
            site: key(whom),
            network: 0,
        }
    }
}

fn key(whom: impl Hash) -> u64 {
    HASHER.hash_one(whom)
}

/// Too many wait already, or for too long.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct QueueFull;

/// The one of this process.
pub(super) static QUEUE: HashQueue = HashQueue::new();

#[derive(Debug)]
pub(super) struct HashQueue(Mutex<State>);

#[derive(Debug)]
struct State {
    hashing: usize,
    known_in_a_row: u32,
    known: Waiting,
    strangers: Waiting,
    next: u64,
}

/// Leave to hash, until it is dropped.
#[derive(Debug)]
pub(super) struct Place(&'static HashQueue);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.pass_on();
    }
}

impl HashQueue {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(State {
            hashing: 0,
            known_in_a_row: 0,
            known: Waiting::new(),
            strangers: Waiting::new(),
            next: 0,
        }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place. Whoever gives up waiting leaves the queue.
    pub(super) async fn enter(&'static self, requester: Requester) -> Result<Place, QueueFull> {
        let (id, mut placed) = {
            let mut state = self.lock();
            if state.hashing < PLACES {
                state.hashing += 1;
                return Ok(Place(self));
            }
            state.wait(requester)
        };
        let _leaves = Leaves {
            queue: self,
            requester,
            id,
        };
        match timeout(QUEUE_TIMEOUT, &mut placed).await {
            Ok(Ok(place)) => Ok(place),
            // Displaced, or too late.
            _ => Err(QueueFull),
        }
    }

    /// Gives a place to the next, and takes it back when nobody waits.
    fn pass_on(&'static self) {
        loop {
            let next = {
                let mut state = self.lock();
                let next = state.next_waiter();
                if next.is_none() {
                    state.hashing -= 1;
                }
                next
            };
            let Some(waiter) = next else { return };
            match waiter.placed.send(Place(self)) {
                Ok(()) => return,
                // Gave up just now; the next has this place.
                Err(place) => std::mem::forget(place),
            }
        }
    }
}

/// Takes whoever waits off the queue when their request is gone.
struct Leaves {
    queue: &'static HashQueue,
    requester: Requester,
    id: u64,
}

impl Drop for Leaves {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.lane(self.requester.lane).remove(self);
    }
}

impl State {
    fn lane(&mut self, lane: Lane) -> &mut Waiting {
        match lane {
            Lane::Known => &mut self.known,
            Lane::Strangers => &mut self.strangers,
        }
    }

    fn wait(&mut self, requester: Requester) -> (u64, oneshot::Receiver<Place>) {
        let (placed, receiver) = oneshot::channel();
        let id = self.next;
        self.next += 1;
        self.lane(requester.lane)
            .push(requester, Waiter { id, placed });
        (id, receiver)
    }

    fn next_waiter(&mut self) -> Option<Waiter> {
        let is_strangers_turn = self.known_in_a_row >= KNOWN_IN_A_ROW;
        if is_strangers_turn && let Some(waiter) = self.strangers.pop() {
            self.known_in_a_row = 0;
            return Some(waiter);
        }
        if let Some(waiter) = self.known.pop() {
            self.known_in_a_row = self.known_in_a_row.saturating_add(1);
            return Some(waiter);
        }
        self.known_in_a_row = 0;
        self.strangers.pop()
    }
}

#[derive(Debug)]
struct Waiter {
    id: u64,
    /// Dropped, it tells that there is no room.
    placed: oneshot::Sender<Place>,
}

/// Those who wait, by their sites in the order in which these have their turns, and in each by its
/// networks alike.
#[derive(Debug)]
struct Waiting {
    sites: VecDeque<Site>,
    count: usize,
}

#[derive(Debug)]
struct Site {
    key: u64,
    networks: VecDeque<Network>,
    count: usize,
}

#[derive(Debug)]
struct Network {
    key: u64,
    waiters: VecDeque<Waiter>,
}

impl Waiting {
    const fn new() -> Self {
        Self {
            sites: VecDeque::new(),
            count: 0,
        }
    }

    /// When there is no room, the newest leaves of the network with the most that wait, in the site
    /// with the most.
    fn push(&mut self, requester: Requester, waiter: Waiter) {
        let at = self.position(requester.site).unwrap_or_else(|| {
            self.sites.push_back(Site {
                key: requester.site,
                networks: VecDeque::new(),
                count: 0,
            });
            self.sites.len() - 1
        });
        self.sites[at].push(requester.network, waiter);
        self.count += 1;
        if self.sites[at].count > MAX_WAITING_OF_SITE {
            self.displace_from(at);
        } else if self.count > MAX_WAITING {
            let sites = self.sites.iter().enumerate();
            let crowded = sites.max_by_key(|(_, site)| (site.count, site.newest()));
            if let Some(at) = crowded.map(|(at, _)| at) {
                self.displace_from(at);
            }
        }
    }

    fn pop(&mut self) -> Option<Waiter> {
        let mut site = self.sites.pop_front()?;
        let waiter = site.pop();
        if site.count > 0 {
            self.sites.push_back(site);
        }
        self.count -= usize::from(waiter.is_some());
        waiter
    }

    fn displace_from(&mut self, at: usize) {
        let site = &mut self.sites[at];
        let networks = site.networks.iter().enumerate();
        let crowded = networks.max_by_key(|(_, network)| (network.waiters.len(), network.newest()));
        let Some(network) = crowded.map(|(at, _)| at) else {
            return;
        };
        let newest = site.networks[network].waiters.len() - 1;
        self.take(at, network, newest);
    }

    fn remove(&mut self, gone: &Leaves) {
        let Some(at) = self.position(gone.requester.site) else {
            return;
        };
        let networks = &self.sites[at].networks;
        let found = networks
            .iter()
            .position(|network| network.key == gone.requester.network)
            .and_then(|network| {
                let mut waiters = networks[network].waiters.iter();
                let waiter = waiters.position(|waiter| waiter.id == gone.id)?;
                Some((network, waiter))
            });
        if let Some((network, waiter)) = found {
            self.take(at, network, waiter);
        }
    }

    fn take(&mut self, at: usize, network: usize, waiter: usize) {
        let site = &mut self.sites[at];
        site.networks[network].waiters.remove(waiter);
        if site.networks[network].waiters.is_empty() {
            site.networks.remove(network);
        }
        site.count -= 1;
        if site.count == 0 {
            self.sites.remove(at);
        }
        self.count -= 1;
    }

    fn position(&self, site: u64) -> Option<usize> {
        self.sites.iter().position(|waiting| waiting.key == site)
    }
}

impl Site {
    fn push(&mut self, network: u64, waiter: Waiter) {
        self.count += 1;
        let mut networks = self.networks.iter_mut();
        match networks.find(|waiting| waiting.key == network) {
            Some(waiting) => waiting.waiters.push_back(waiter),
            None => self.networks.push_back(Network {
                key: network,
                waiters: VecDeque::from([waiter]),
            }),
        }
    }

    fn pop(&mut self) -> Option<Waiter> {
        let mut network = self.networks.pop_front()?;
        let waiter = network.waiters.pop_front();
        if !network.waiters.is_empty() {
            self.networks.push_back(network);
        }
        self.count -= usize::from(waiter.is_some());
        waiter
    }

    fn newest(&self) -> Option<u64> {
        self.networks.iter().filter_map(Network::newest).max()
    }
}

impl Network {
    fn newest(&self) -> Option<u64> {
        self.waiters.back().map(|waiter| waiter.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue() -> &'static HashQueue {
        Box::leak(Box::new(HashQueue::new()))
    }

    fn stranger(address: &str) -> Requester {
        Requester::stranger(address.parse().unwrap())
    }

    fn known(number: u8) -> Requester {
        Requester::known_device(&DeviceId::of_test(number))
    }

    /// One that waits in it, and how it ends.
    type Entry = tokio::task::JoinHandle<Result<Place, QueueFull>>;

    async fn enter(queue: &'static HashQueue, requester: Requester) -> Entry {
        let entry = tokio::spawn(queue.enter(requester));
        tokio::task::yield_now().await;
        entry
    }

    /// All places taken.
    async fn busy() -> (&'static HashQueue, Vec<Place>) {
        let queue = queue();
        let mut places = Vec::new();
        for _ in 0..PLACES {
            places.push(queue.enter(stranger("192.0.2.1")).await.unwrap());
        }
        (queue, places)
    }

    /// In which order those who wait have their turns.
    async fn order(mut places: Vec<Place>, entries: Vec<(&str, Entry)>) -> Vec<String> {
        places.truncate(1);
        let mut place = places.pop();
        let mut waiting = entries;
        let mut order = Vec::new();
        while !waiting.is_empty() {
            drop(place.take());
            while !waiting.iter().any(|(_, entry)| entry.is_finished()) {
                tokio::task::yield_now().await;
            }
            let next = waiting.iter().position(|(_, entry)| entry.is_finished());
            let (name, entry) = waiting.remove(next.unwrap());
            place = Some(entry.await.unwrap().unwrap());
            order.push(name.to_owned());
        }
        order
    }

    #[tokio::test]
    async fn sites_have_their_turns_and_networks_in_them_theirs() {
        let (queue, mut places) = busy().await;
        let kept = places.pop();
        let mut entries = Vec::new();
        for (name, address) in [
            ("a", "192.0.2.1"),
            ("a", "192.0.2.1"),
            ("a", "192.0.2.1"),
            ("b one", "2001:db8:1:1::1"),
            ("b one", "2001:db8:1:1::1"),
            ("b two", "2001:db8:1:2::1"),
            ("c", "192.0.2.3"),
        ] {
            entries.push((name, enter(queue, stranger(address)).await));
        }
        let order = order(places, entries).await;
        drop(kept);
        assert_eq!(order, ["a", "b one", "c", "a", "b two", "a", "b one"]);
    }

    #[tokio::test]
    async fn known_devices_come_first_and_strangers_are_not_forgotten() {
        let (queue, mut places) = busy().await;
        let kept = places.pop();
        let mut entries = Vec::new();
        for _ in 0..2 {
            entries.push(("stranger", enter(queue, stranger("192.0.2.1")).await));
        }
        for device in 0..5 {
            entries.push(("known", enter(queue, known(device)).await));
        }
        let order = order(places, entries).await;
        drop(kept);
        assert_eq!(
            order,
            [
                "known", "known", "known", "stranger", "known", "known", "stranger"
            ]
        );
    }

    #[tokio::test]
    async fn a_full_queue_turns_the_newest_of_the_greatest_crowd_away() {
        let (queue, places) = busy().await;
        let mut crowds = Vec::new();
        for site in 0..MAX_WAITING / MAX_WAITING_OF_SITE {
            let address = format!("192.0.2.{site}");
            for _ in 0..MAX_WAITING_OF_SITE {
                crowds.push(enter(queue, stranger(&address)).await);
            }
        }
        assert!(!crowds.iter().any(Entry::is_finished));
        let more = enter(queue, stranger("192.0.2.0")).await;
        assert_eq!(more.await.unwrap().err(), Some(QueueFull));
        let newcomer = enter(queue, stranger("198.51.100.1")).await;
        let displaced = crowds.pop().unwrap();
        assert_eq!(displaced.await.unwrap().err(), Some(QueueFull));
        // The next comes from nowhere in particular, too.
        let other = enter(queue, stranger("198.51.100.2")).await;
        assert!(!newcomer.is_finished() && !other.is_finished());
        // Whoever is known has room of their own.
        let known = enter(queue, known(1)).await;
        assert!(!known.is_finished());
        // Those who are left let go of their places at once.
        drop(crowds);
        drop(places);
        for entry in [newcomer, other, known] {
            entry.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn whoever_gives_up_leaves_the_queue() {
        let (queue, places) = busy().await;
        let gone = enter(queue, stranger("192.0.2.1")).await;
        let stays = enter(queue, stranger("192.0.2.1")).await;
        gone.abort();
        assert!(gone.await.err().is_some_and(|gone| gone.is_cancelled()));
        assert_eq!(queue.lock().strangers.count, 1);
        drop(places);
        drop(stays.await.unwrap().unwrap());
        let state = queue.lock();
        assert_eq!((state.hashing, state.strangers.count), (0, 0));
    }
}
