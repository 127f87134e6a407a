//! The memory of request bodies that have not arrived whole, in all threads together, by where they
//! come from. When all of it is taken, the crowd that holds the most loses its newest body, so that a
//! client that never ends its bodies does not keep others from sending theirs.

use std::collections::HashMap;
use std::future::pending;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dispatch_actors::counts::Counter;
use tokio::sync::oneshot;

use crate::capacity::crowds::{Crowds, Holder, PlaceNumber};
use crate::limits::ARRIVING_BODIES;

/// Bytes are counted in blocks of this size, since a place in a crowd costs memory, too.
const BLOCK: usize = 16 * 1024;

/// There is no room for a body, or it had to give up what it had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoRoom;

type BodyNumber = u64;

/// Shared by all threads: clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct ArrivingBodies(Arc<Mutex<HeldBodies>>);

#[derive(Debug)]
struct HeldBodies {
    max_blocks: usize,
    /// Each with the number of its body.
    blocks: Crowds<BodyNumber>,
    bodies: HashMap<BodyNumber, HeldBody>,
    next: BodyNumber,
    turned_away: Arc<Counter>,
}

#[derive(Debug)]
struct HeldBody {
    blocks: Vec<PlaceNumber>,
    turned_away: oneshot::Sender<()>,
}

impl Default for ArrivingBodies {
    fn default() -> Self {
        Self::new(ARRIVING_BODIES, Arc::default())
    }
}

impl ArrivingBodies {
    /// `max`: bytes of all bodies together. `turned_away` counts the bodies for which that was too little.
    pub(crate) fn new(max: usize, turned_away: Arc<Counter>) -> Self {
        Self(Arc::new(Mutex::new(HeldBodies {
            max_blocks: max / BLOCK,
            blocks: Crowds::default(),
            bodies: HashMap::new(),
            next: 0,
            turned_away,
        })))
    }

    /// A body from this address, which holds nothing yet.
    pub(crate) fn begin(&self, address: IpAddr) -> ArrivingBody {
        ArrivingBody {
            bodies: self.clone(),
            address,
            room: None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HeldBodies> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldBodies {
    fn begin(&mut self) -> Room {
        let number = self.next;
        self.next += 1;
        let (sender, turned_away) = oneshot::channel();
        let body = HeldBody {
            blocks: Vec::new(),
            turned_away: sender,
        };
        self.bodies.insert(number, body);
        Room {
            number,
            blocks: 0,
            turned_away,
        }
    }

    /// One more block for a body. Another body makes room where another crowd holds more.
    fn add_block(&mut self, number: BodyNumber, holder: Holder) -> Result<(), NoRoom> {
        if !self.bodies.contains_key(&number) {
            return Err(NoRoom);
        }
        if self.blocks.len() >= self.max_blocks {
            self.turned_away.increment();
            let displaced = self.blocks.displaced_for(&holder);
            let displaced = displaced.map(|(_, body)| *body).ok_or(NoRoom)?;
            if let Some(body) = self.remove(displaced) {
                // It may have arrived whole this moment.
                let _ = body.turned_away.send(());
            }
        }
        let block = self.blocks.insert(holder, number);
        if let Some(body) = self.bodies.get_mut(&number) {
            body.blocks.push(block);
        }
        Ok(())
    }

    /// None when it was turned away.
    fn remove(&mut self, number: BodyNumber) -> Option<HeldBody> {
        let body = self.bodies.remove(&number)?;
        for block in &body.blocks {
            self.blocks.remove(*block);
        }
        Some(body)
    }
}

/// A body that has not arrived whole. Its room is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct ArrivingBody {
    bodies: ArrivingBodies,
    address: IpAddr,
    /// None until it holds anything.
    room: Option<Room>,
}

#[derive(Debug)]
struct Room {
    number: BodyNumber,
    blocks: usize,
    turned_away: oneshot::Receiver<()>,
}

impl ArrivingBody {
    /// Counts so many bytes in all. After an error it is to be dropped.
    pub(crate) fn hold(&mut self, bytes: usize) -> Result<(), NoRoom> {
        let blocks = bytes.div_ceil(BLOCK);
        if blocks <= self.room.as_ref().map_or(0, |room| room.blocks) {
            return Ok(());
        }
        let holder = Holder::address(self.address);
        let mut bodies = self.bodies.lock();
        let room = self.room.get_or_insert_with(|| bodies.begin());
        while room.blocks < blocks {
            bodies.add_block(room.number, holder.clone())?;
            room.blocks += 1;
        }
        Ok(())
    }

    /// Waits until another body takes its room.
    pub(crate) async fn turned_away(&mut self) {
        match &mut self.room {
            Some(room) => {
                // An error says the same: nobody holds anything for it.
                let _ = (&mut room.turned_away).await;
            }
            None => pending().await,
        }
    }
}

impl Drop for ArrivingBody {
    fn drop(&mut self) {
        if let Some(room) = &self.room {
            self.bodies.lock().remove(room.number);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    /// Room for four blocks, and who was turned away.
    fn four_blocks() -> (ArrivingBodies, Arc<Counter>) {
        let turned_away = Arc::new(Counter::default());
        let bodies = ArrivingBodies::new(4 * BLOCK, Arc::clone(&turned_away));
        (bodies, turned_away)
    }

    fn begin(bodies: &ArrivingBodies, address: &str) -> ArrivingBody {
        bodies.begin(address.parse().unwrap())
    }

    fn is_turned_away(body: &mut ArrivingBody) -> bool {
        body.turned_away().now_or_never().is_some()
    }

    fn blocks(bodies: &ArrivingBodies) -> usize {
        bodies.lock().blocks.len()
    }

    #[test]
    fn one_address_holds_all_room_only_until_another_needs_some() {
        let (bodies, turned_away) = four_blocks();
        let mut first = begin(&bodies, "192.0.2.1");
        first.hold(4 * BLOCK).unwrap();
        let mut second = begin(&bodies, "192.0.2.1");
        assert_eq!(second.hold(1), Err(NoRoom));
        assert!(!is_turned_away(&mut first));
        let mut other = begin(&bodies, "192.0.2.2");
        other.hold(1).unwrap();
        assert!(is_turned_away(&mut first) && !is_turned_away(&mut other));
        assert_eq!((blocks(&bodies), turned_away.get()), (1, 2));
    }

    #[test]
    fn the_site_that_holds_the_most_loses_its_newest_body() {
        let (bodies, _) = four_blocks();
        let mut older = begin(&bodies, "2001:db8:1:1::1");
        let mut newer = begin(&bodies, "2001:db8:1:2::1");
        let mut elsewhere = begin(&bodies, "2001:db8:2:1::1");
        older.hold(1).unwrap();
        newer.hold(BLOCK + 1).unwrap();
        elsewhere.hold(1).unwrap();
        let mut newcomer = begin(&bodies, "192.0.2.1");
        newcomer.hold(1).unwrap();
        assert!(is_turned_away(&mut newer));
        assert!(!is_turned_away(&mut older) && !is_turned_away(&mut elsewhere));
        assert_eq!(blocks(&bodies), 3);
    }

    #[test]
    fn never_more_is_held_than_there_is_room_for() {
        let (bodies, _) = four_blocks();
        let mut held = Vec::new();
        for round in 1..6 {
            for last in 0..20 {
                let mut body = begin(&bodies, &format!("192.0.2.{last}"));
                if body.hold(round * BLOCK).is_ok() {
                    held.push(body);
                }
                assert!(blocks(&bodies) <= 4);
            }
        }
        drop(held);
        assert_eq!(blocks(&bodies), 0);
        assert!(bodies.lock().bodies.is_empty());
    }

    #[test]
    fn a_body_that_was_turned_away_gets_no_room_and_frees_none_of_others() {
        let (bodies, turned_away) = four_blocks();
        let mut first = begin(&bodies, "192.0.2.1");
        first.hold(4 * BLOCK).unwrap();
        let mut other = begin(&bodies, "192.0.2.2");
        other.hold(4 * BLOCK).unwrap();
        assert_eq!(first.hold(5 * BLOCK), Err(NoRoom));
        drop(first);
        assert_eq!((blocks(&bodies), turned_away.get()), (4, 1));
        assert!(!is_turned_away(&mut other));
    }
}
