//! Who hashes a password next: those who are known first, then strangers, and among each of them one
//! site after another, so that nobody's crowd is in front of anybody else. Knows no passwords.

use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::waiting::{Waiter, WaitingLane};
use crate::http::address::{network, site};
use crate::identity::sign_in::devices::DeviceId;

/// 19 MiB and a core each, for the whole process.
const MAX_HASHING: usize = 2;

/// About 800 hashes on two cores; a person who waits longer has given up.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(10);

/// After so many known requesters a stranger has a turn, so that strangers can sign in although a
/// known device never stops.
const MAX_KNOWN_IN_A_ROW: u32 = 3;

static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Who a password is hashed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requester {
    lane: Lane,
    pub(super) site: u64,
    pub(super) network: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    Known,
    Strangers,
}

impl Requester {
    pub(in crate::identity) fn stranger(address: IpAddr) -> Self {
        Self {
            lane: Lane::Strangers,
            site: key(site(address)),
            network: key(network(address)),
        }
    }

    pub(in crate::identity) fn known_device(device: &DeviceId) -> Self {
        Self::known_requester(device)
    }

    /// Somebody who is signed in, or holds a link that was mailed.
    pub(in crate::identity) fn account(name: &str) -> Self {
        Self::known_requester(name)
    }

    /// The operator of the server.
    pub(in crate::identity) fn operator() -> Self {
        Self::known_requester("operator")
    }

    fn known_requester(whom: impl Hash) -> Self {
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
pub(in crate::identity) struct QueueFull;

/// The one of this process.
pub(in crate::identity) static QUEUE: HashQueue = HashQueue::new();

/// How busy a queue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashQueueLoad {
    /// Passwords that are being hashed.
    pub hashing: usize,
    /// Requests that wait, of known devices and people who are signed in.
    pub known: usize,
    pub strangers: usize,
    /// Requests that were turned away since the process began.
    pub turned_away: u64,
}

/// Of the queue of this process.
pub fn hash_queue_load() -> HashQueueLoad {
    QUEUE.load()
}

#[derive(Debug)]
pub(in crate::identity) struct HashQueue(Mutex<State>);

#[derive(Debug)]
struct State {
    hashing: usize,
    known_in_a_row: u32,
    known_lane: WaitingLane,
    strangers: WaitingLane,
    next: u64,
    turned_away: u64,
}

/// Permission to hash, until it is dropped.
#[derive(Debug)]
pub(in crate::identity) struct HashPermit(&'static HashQueue);

impl Drop for HashPermit {
    fn drop(&mut self) {
        self.0.release();
    }
}

impl HashQueue {
    pub(in crate::identity) const fn new() -> Self {
        Self(Mutex::new(State {
            hashing: 0,
            known_in_a_row: 0,
            known_lane: WaitingLane::new(),
            strangers: WaitingLane::new(),
            next: 0,
            turned_away: 0,
        }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn load(&self) -> HashQueueLoad {
        let state = self.lock();
        HashQueueLoad {
            hashing: state.hashing,
            known: state.known_lane.count,
            strangers: state.strangers.count,
            turned_away: state.turned_away,
        }
    }

    /// Waits for a permit. Dropping the future leaves the queue.
    pub(in crate::identity) async fn enter(
        &'static self,
        requester: Requester,
    ) -> Result<HashPermit, QueueFull> {
        let (id, mut permit) = {
            let mut state = self.lock();
            if state.hashing < MAX_HASHING {
                state.hashing += 1;
                return Ok(HashPermit(self));
            }
            state.wait(requester)
        };
        let _entry = QueueEntry {
            queue: self,
            requester,
            id,
        };
        match timeout(QUEUE_TIMEOUT, &mut permit).await {
            Ok(Ok(place)) => Ok(place),
            // Displaced, or too late.
            _ => {
                self.lock().turned_away += 1;
                Err(QueueFull)
            }
        }
    }

    /// Passes a permit on to the next request, or frees it when none waits.
    fn release(&'static self) {
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
            match waiter.permit_sender.send(HashPermit(self)) {
                Ok(()) => return,
                // Gave up just now; the next has this place.
                Err(place) => std::mem::forget(place),
            }
        }
    }
}

/// A waiting request; leaves the queue when it is dropped.
struct QueueEntry {
    queue: &'static HashQueue,
    requester: Requester,
    id: u64,
}

impl Drop for QueueEntry {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state
            .lane(self.requester.lane)
            .remove(self.requester, self.id);
    }
}

impl State {
    fn lane(&mut self, lane: Lane) -> &mut WaitingLane {
        match lane {
            Lane::Known => &mut self.known_lane,
            Lane::Strangers => &mut self.strangers,
        }
    }

    fn wait(&mut self, requester: Requester) -> (u64, oneshot::Receiver<HashPermit>) {
        let (permit_sender, receiver) = oneshot::channel();
        let id = self.next;
        self.next += 1;
        self.lane(requester.lane)
            .push(requester, Waiter { id, permit_sender });
        (id, receiver)
    }

    fn next_waiter(&mut self) -> Option<Waiter> {
        let is_strangers_turn = self.known_in_a_row >= MAX_KNOWN_IN_A_ROW;
        if is_strangers_turn && let Some(waiter) = self.strangers.pop() {
            self.known_in_a_row = 0;
            return Some(waiter);
        }
        if let Some(waiter) = self.known_lane.pop() {
            self.known_in_a_row = self.known_in_a_row.saturating_add(1);
            return Some(waiter);
        }
        self.known_in_a_row = 0;
        self.strangers.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::super::waiting::{MAX_WAITING, MAX_WAITING_OF_SITE};
    use super::*;

    fn queue() -> &'static HashQueue {
        Box::leak(Box::new(HashQueue::new()))
    }

    fn stranger(address: &str) -> Requester {
        Requester::stranger(address.parse().unwrap())
    }

    fn known_device(number: u8) -> Requester {
        Requester::known_device(&DeviceId::of_test(number))
    }

    /// One that waits in it, and how it ends.
    type Entry = tokio::task::JoinHandle<Result<HashPermit, QueueFull>>;

    async fn enter(queue: &'static HashQueue, requester: Requester) -> Entry {
        let entry = tokio::spawn(queue.enter(requester));
        tokio::task::yield_now().await;
        entry
    }

    /// All places taken.
    async fn busy_queue() -> (&'static HashQueue, Vec<HashPermit>) {
        let queue = queue();
        let mut places = Vec::new();
        for _ in 0..MAX_HASHING {
            places.push(queue.enter(stranger("192.0.2.1")).await.unwrap());
        }
        (queue, places)
    }

    /// In which order those who wait have their turns.
    async fn order(mut places: Vec<HashPermit>, entries: Vec<(&str, Entry)>) -> Vec<String> {
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
    async fn sites_take_turns_and_so_do_the_networks_of_a_site() {
        let (queue, mut places) = busy_queue().await;
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
        let (queue, mut places) = busy_queue().await;
        let kept = places.pop();
        let mut entries = Vec::new();
        for _ in 0..2 {
            entries.push(("stranger", enter(queue, stranger("192.0.2.1")).await));
        }
        for device in 0..5 {
            entries.push(("known", enter(queue, known_device(device)).await));
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
        let (queue, places) = busy_queue().await;
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
        assert_eq!(queue.load().turned_away, 2);
        // The next comes from nowhere in particular, too.
        let other = enter(queue, stranger("198.51.100.2")).await;
        assert!(!newcomer.is_finished() && !other.is_finished());
        // Whoever is known has room of their own.
        let known_entry = enter(queue, known_device(1)).await;
        assert!(!known_entry.is_finished());
        // Those who are left let go of their places at once.
        drop(crowds);
        drop(places);
        for entry in [newcomer, other, known_entry] {
            entry.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn a_request_that_gives_up_leaves_the_queue() {
        let (queue, places) = busy_queue().await;
        let waiter = enter(queue, stranger("192.0.2.1")).await;
        let stays = enter(queue, stranger("192.0.2.1")).await;
        waiter.abort();
        assert!(waiter.await.err().is_some_and(|error| error.is_cancelled()));
        assert_eq!(queue.lock().strangers.count, 1);
        drop(places);
        drop(stays.await.unwrap().unwrap());
        let load = queue.load();
        assert_eq!((load.hashing, load.strangers, load.turned_away), (0, 0, 0));
    }
}
