//! Writers: change repair orders, one after the other, and note what was acknowledged.

use std::cell::Cell;
use std::collections::VecDeque;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::{Instant, sleep_until};

use crate::clock::{Clock, Micros};
use crate::desk::{Desk, Outcome};
use crate::order::{Change, Order};

/// Tries for one change: in a busy shop somebody else may be quicker several times.
const TRIES: usize = 10;

/// A writer that fails this often in a row stops: the server is gone.
const GIVE_UP: usize = 3;

/// The changes that all writers make together, handed out one by one when they are due.
pub struct Turns {
    left: Cell<u32>,
    due: Cell<Instant>,
    pause: Duration,
    until: Instant,
}

impl Turns {
    pub fn new(count: u32, rate: Option<f64>, within: Duration) -> Self {
        let now = Instant::now();
        Self {
            left: Cell::new(count),
            due: Cell::new(now),
            pause: rate.map_or(Duration::ZERO, |rate| Duration::from_secs_f64(1.0 / rate)),
            until: now + within,
        }
    }

    /// No turn is begun from now on.
    pub fn stop(&self) {
        self.left.set(0);
    }

    /// Waits for the next turn; false when there is none left or it is too late for one.
    async fn take(&self) -> bool {
        if self.left.get() == 0 || Instant::now() > self.until {
            return false;
        }
        self.left.set(self.left.get() - 1);
        let due = self.due.get();
        // From when it was due, not from now: a slow answer must not lower the rate.
        self.due.set(due + self.pause);
        sleep_until(due).await;
        true
    }
}

/// What one writer did.
#[derive(Debug, Default)]
pub struct Written {
    pub acknowledged: Vec<Acknowledged>,
    /// Tries that met an order which somebody else had just changed or closed.
    pub overtaken: usize,
    /// What was said to the changes that failed.
    pub failures: Vec<String>,
}

/// Events `first` to `last` are durable: the server has said so.
#[derive(Clone, Copy, Debug)]
pub struct Acknowledged {
    pub first: i64,
    pub last: i64,
    pub sent: Micros,
    pub answered: Micros,
}

struct Writer<'a> {
    desk: &'a Desk,
    clock: Clock,
    /// The one that waited longest is next.
    orders: VecDeque<Order>,
    written: Written,
}

/// `writers` at the same time, each on its share of `orders`, until there are no turns left.
pub async fn write_together(
    desk: &Desk,
    clock: Clock,
    turns: &Turns,
    orders: impl Iterator<Item = Order>,
    writers: usize,
) -> Vec<Written> {
    let mut shares: Vec<Vec<Order>> = vec![Vec::new(); writers];
    for (place, order) in orders.enumerate() {
        shares[place % writers].push(order);
    }
    let writing = shares
        .into_iter()
        .map(|share| write(desk, clock, turns, share));
    join_all(writing).await
}

/// Takes turns until there are none, on `orders` that no other writer has.
async fn write(desk: &Desk, clock: Clock, turns: &Turns, orders: Vec<Order>) -> Written {
    let mut writer = Writer {
        desk,
        clock,
        orders: orders.into(),
        written: Written::default(),
    };
    let mut failed = 0;
    while failed < GIVE_UP && turns.take().await {
        match writer.change_one().await {
            Ok(()) => failed = 0,
            Err(failure) => {
                failed += 1;
                writer.written.failures.push(failure);
            }
        }
    }
    writer.written
}

impl Writer<'_> {
    async fn change_one(&mut self) -> Result<(), String> {
        for _ in 0..TRIES {
            let Some(order) = self.orders.pop_front() else {
                return Err("all repair orders of a writer were closed".to_owned());
            };
            let sent = self.clock.now();
            match self.desk.change(&order, self.choose(&order)).await {
                Outcome::Acknowledged { first, last, order } => {
                    self.written.acknowledged.push(Acknowledged {
                        first,
                        last,
                        sent,
                        answered: self.clock.now(),
                    });
                    self.orders.extend(order);
                    return Ok(());
                }
                Outcome::Stale(current) => {
                    self.written.overtaken += 1;
                    if let Some(current) = current {
                        self.orders.push_front(current);
                    }
                }
                Outcome::Closed => self.written.overtaken += 1,
                Outcome::Failed(why) => {
                    self.orders.push_back(order);
                    return Err(why);
                }
            }
        }
        Err(format!("others were quicker {TRIES} times in a row"))
    }

    /// Status and priority in turn.
    fn choose(&self, order: &Order) -> Change {
        if self.written.acknowledged.len().is_multiple_of(2) {
            order.other_status()
        } else {
            order.other_priority()
        }
    }
}
