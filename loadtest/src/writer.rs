//! Writers: change repair orders, one after the other, and note what was acknowledged.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::{Instant, sleep, sleep_until};

use crate::clock::{Clock, Micros};
use crate::desk::{Desk, Outcome};
use crate::order::{Change, Order};
use crate::settled_changes::SettledChanges;

/// Tries for one change: in a busy shop somebody else may be quicker several times.
const TRIES: usize = 10;

/// A writer that fails this often in a row stops: the server is gone.
const GIVE_UP: usize = 3;

/// How long a lost answer is asked for again, and how often: a server that was killed is back by
/// then.
const ASK_AGAIN: Duration = Duration::from_secs(60);
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// How writers write.
#[derive(Clone, Copy, Debug)]
pub struct WritePolicy {
    /// Orders changed in one request.
    pub batch_size: usize,
    /// A request without an answer is sent again with its key until it has one.
    pub retries_until_answered: bool,
}

/// One order a request, and a lost answer is a failure.
pub const PLAIN_WRITES: WritePolicy = WritePolicy {
    batch_size: 1,
    retries_until_answered: false,
};

/// The changes that all writers make together, handed out one by one when they are due.
pub struct WriteSchedule {
    left: Cell<u32>,
    due: Cell<Instant>,
    pause: Duration,
    until: Instant,
    settled: Option<Rc<SettledChanges>>,
}

impl WriteSchedule {
    pub fn new(count: u32, rate: Option<f64>, within: Duration) -> Self {
        let now = Instant::now();
        Self {
            left: Cell::new(count),
            due: Cell::new(now),
            pause: rate.map_or(Duration::ZERO, |rate| Duration::from_secs_f64(1.0 / rate)),
            until: now + within,
            settled: None,
        }
    }

    /// What is acknowledged is noted there at once.
    pub fn noted_in(self, settled: &Rc<SettledChanges>) -> Self {
        Self {
            settled: Some(settled.clone()),
            ..self
        }
    }

    fn note(&self, acknowledged: &Acknowledged) {
        if let Some(settled) = &self.settled {
            settled.note(acknowledged);
        }
    }

    /// No turn is begun from now on.
    pub fn stop(&self) {
        self.left.set(0);
    }

    /// Waits for the next `count` turns, which are one; false when there is none left or it is too
    /// late for one.
    async fn take(&self, count: u32) -> bool {
        let due = self.due.get();
        if self.left.get() == 0 || Instant::now().max(due) > self.until {
            return false;
        }
        self.left.set(self.left.get().saturating_sub(count));
        // From when it was due, not from now: a slow answer must not lower the rate.
        self.due.set(due + self.pause * count);
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
    /// The answers to the changes that failed.
    pub failures: Vec<String>,
    /// Requests that were sent again, because their answer was lost.
    pub asked_again: usize,
}

impl Written {
    /// What the same writer did then.
    pub fn resume(&mut self, then: Self) {
        self.acknowledged.extend(then.acknowledged);
        self.overtaken += then.overtaken;
        self.failures.extend(then.failures);
        self.asked_again += then.asked_again;
    }
}

/// Events `first` to `last` are durable: the server has said so.
#[derive(Clone, Copy, Debug)]
pub struct Acknowledged {
    pub number: i64,
    /// Of the order after event `last`.
    pub version: i64,
    pub first: i64,
    pub last: i64,
    pub sent: Micros,
    pub answered: Micros,
}

struct Writer<'a> {
    desk: &'a Desk,
    clock: Clock,
    policy: WritePolicy,
    /// The one that waited longest is next.
    orders: VecDeque<Order>,
    requests: usize,
    /// With the number of the request its idempotency key.
    name: String,
    written: Written,
}

/// `writers` at the same time, each on its share of `orders`, until there are no turns left.
pub async fn write_together(
    desk: &Desk,
    clock: Clock,
    schedule: &WriteSchedule,
    orders: impl Iterator<Item = Order>,
    writers: usize,
    policy: WritePolicy,
) -> Vec<Written> {
    let mut shares: Vec<Vec<Order>> = vec![Vec::new(); writers];
    for (place, order) in orders.enumerate() {
        shares[place % writers].push(order);
    }
    let writing = (0_usize..).zip(shares).map(|(place, share)| {
        let writer = Writer {
            desk,
            clock,
            policy,
            orders: share.into(),
            requests: 0,
            // Unlike that of any run before on the same server.
            name: format!("loadtest-{}-{place}", clock.now()),
            written: Written::default(),
        };
        writer.write(schedule)
    });
    join_all(writing).await
}

impl Writer<'_> {
    /// Takes turns until there are none, on orders that no other writer has.
    async fn write(mut self, schedule: &WriteSchedule) -> Written {
        let count = u32::try_from(self.policy.batch_size).unwrap_or(1);
        let mut failed = 0;
        while failed < GIVE_UP && schedule.take(count).await {
            match self.take_turn(schedule).await {
                Ok(()) => failed = 0,
                Err(failure) => {
                    failed += 1;
                    self.written.failures.push(failure);
                }
            }
        }
        self.written
    }

    async fn take_turn(&mut self, schedule: &WriteSchedule) -> Result<(), String> {
        for _ in 0..TRIES {
            let mut orders = Vec::with_capacity(self.policy.batch_size);
            while orders.len() < self.policy.batch_size
                && let Some(order) = self.orders.pop_front()
            {
                orders.push(order);
            }
            if orders.is_empty() {
                return Err("all repair orders of a writer were closed".to_owned());
            }
            if self.change(&orders, schedule).await? {
                return Ok(());
            }
        }
        Err(format!("others were quicker {TRIES} times in a row"))
    }

    /// One request; whether anything was changed.
    async fn change(&mut self, orders: &[Order], schedule: &WriteSchedule) -> Result<bool, String> {
        let changes: Vec<(&Order, Change)> = orders
            .iter()
            .map(|order| (order, self.choose(order)))
            .collect();
        self.requests += 1;
        let sent = self.clock.now();
        let outcomes = match self.ask(&changes).await {
            Ok(outcomes) => outcomes,
            Err(why) => {
                self.orders.extend(orders.iter().cloned());
                return Err(why);
            }
        };
        let answered = self.clock.now();
        let (mut changed, mut failed) = (false, None);
        for (order, outcome) in orders.iter().zip(outcomes) {
            match outcome {
                Outcome::Acknowledged { first, last, order } => {
                    changed = true;
                    let acknowledged = Acknowledged {
                        number: order.number,
                        version: order.version,
                        first,
                        last,
                        sent,
                        answered,
                    };
                    self.written.acknowledged.push(acknowledged);
                    schedule.note(&acknowledged);
                    self.orders.push_back(order);
                }
                Outcome::Stale(current) => {
                    self.written.overtaken += 1;
                    if let Some(current) = current {
                        self.orders.push_front(current);
                    }
                }
                Outcome::Closed => self.written.overtaken += 1,
                Outcome::Failed(why) | Outcome::Unknown(why) => {
                    self.orders.push_back(order.clone());
                    failed = Some(why);
                }
            }
        }
        failed.map_or(Ok(changed), Err)
    }

    /// As often as it takes, if the policy says so.
    async fn ask(&mut self, changes: &[(&Order, Change)]) -> Result<Vec<Outcome>, String> {
        if !self.policy.retries_until_answered {
            return self.desk.change_together(changes, None).await;
        }
        let key = format!("{}-{}", self.name, self.requests);
        let until = Instant::now() + ASK_AGAIN;
        loop {
            let outcome = self.desk.change_together(changes, Some(&key)).await;
            let why = match outcome {
                Ok(outcomes) => match outcomes.iter().find_map(unknown) {
                    None => return Ok(outcomes),
                    Some(why) => why,
                },
                Err(why) => why,
            };
            if Instant::now() > until {
                return Err(format!("no answer for {} s: {why}", ASK_AGAIN.as_secs()));
            }
            self.written.asked_again += 1;
            sleep(RETRY_INTERVAL).await;
        }
    }

    /// Status and priority in turn.
    fn choose(&self, order: &Order) -> Change {
        if self.requests.is_multiple_of(2) {
            order.other_status()
        } else {
            order.other_priority()
        }
    }
}

fn unknown(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Unknown(why) => Some(why.clone()),
        _ => None,
    }
}
