//! What all readers of a run share: where they connect, what they measure together, and the list,
//! which those who need it load once for all who come at the same time.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::StdRng;
use tokio::sync::{Mutex, Semaphore};
use tokio::time::sleep;

use crate::clock::Clock;
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::latency::Latencies;
use crate::order::List;
use crate::picture::Places;
use crate::target::Address;

/// Readers that connect for the first time at once; all together would be another test.
const JOINING: usize = 32;

/// A list that could not be had is asked for again.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);
const TRIES: u32 = 300;

pub struct ReaderContext {
    pub address: Address,
    pub clock: Clock,
    pub desk: Rc<Desk>,
    pub rng: RefCell<StdRng>,
    pub places: RefCell<Places>,
    /// From an event's own timestamp to a reader's having it.
    pub deliveries: RefCell<Latencies>,
    /// From losing a connection to having what was missed meanwhile.
    pub returns: RefCell<Latencies>,
    /// Events and ticks, of all readers and boards.
    pub frames: Cell<u64>,
    pub tallies: Tallies,
    pub joining: Semaphore,
    /// While the last list is read, pictures stand still.
    pub held_back: Cell<bool>,
    list: Mutex<Option<Rc<List>>>,
}

/// How readers fared, all together.
#[derive(Debug, Default)]
pub struct Tallies {
    /// Connections after the first that ended up signed in.
    pub reconnects: Cell<u64>,
    /// Of these, those that the server resumed.
    pub recovered: Cell<u64>,
    /// Of these, those that had to load the list again.
    pub reloads: Cell<u64>,
    /// Lists that were fetched for them.
    pub lists: Cell<u64>,
    /// Tries that were answered 503, and those that failed otherwise.
    pub busy: Cell<u64>,
    pub failed: Cell<u64>,
}

pub fn count(tally: &Cell<u64>) {
    tally.set(tally.get() + 1);
}

impl ReaderContext {
    pub fn new(address: &Address, desk: &Rc<Desk>, clock: Clock, seed: u64) -> Rc<Self> {
        Rc::new(Self {
            address: address.clone(),
            clock,
            desk: desk.clone(),
            rng: RefCell::new(StdRng::seed_from_u64(seed)),
            places: RefCell::default(),
            deliveries: RefCell::new(Latencies::new()),
            returns: RefCell::new(Latencies::new()),
            frames: Cell::new(0),
            tallies: Tallies::default(),
            joining: Semaphore::new(JOINING),
            held_back: Cell::new(false),
            list: Mutex::new(None),
        })
    }

    /// A list that is true for `seq` or later.
    pub async fn list_since(&self, seq: i64) -> Result<Rc<List>, LoadTestError> {
        let mut newest = self.list.lock().await;
        if let Some(list) = &*newest
            && list.seq >= seq
        {
            return Ok(list.clone());
        }
        let mut tries = 0;
        let list = loop {
            match self.desk.list().await {
                // Of several servers another one may have answered, which is not as far.
                Ok(list) if list.seq >= seq || tries == TRIES => break Rc::new(list),
                Err(error) if tries == TRIES => return Err(error),
                Ok(_) | Err(_) => tries += 1,
            }
            sleep(RETRY_INTERVAL).await;
        };
        count(&self.tallies.lists);
        *newest = Some(list.clone());
        Ok(list)
    }

    /// Latencies from now on are counted anew; those until now.
    pub fn next_phase(&self) -> Latencies {
        self.deliveries.replace(Latencies::new())
    }
}
