//! A reader: hears the stream and writes down what came, without judging it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use crate::clock::{Clock, Micros};
use crate::socket::{Ended, Event, Heard, Modified, Socket};
use crate::target::Address;
use crate::trouble::Trouble;

/// To connect, sign in and hear `hello`.
const JOIN: Duration = Duration::from_secs(20);

/// How often progress is looked at while waiting for the last deliveries.
const LOOK: Duration = Duration::from_millis(20);

pub struct Reader {
    socket: Socket,
    frontier: Frontier,
    log: Log,
}

/// What one reader heard, in the order it came.
#[derive(Debug, Default)]
pub struct Log {
    /// What `hello` said: every later event has a higher number.
    pub hello: i64,
    pub receipts: Vec<Receipt>,
    /// Ticks that promised events which had not come.
    pub early_ticks: Vec<i64>,
    /// Why it heard no more, when that was not our wish.
    pub ended: Option<Ended>,
}

/// One delivery of one event.
#[derive(Clone, Copy, Debug)]
pub struct Receipt {
    pub seq: i64,
    pub at: Micros,
    /// The event's own timestamp.
    pub stamped: Option<Micros>,
    pub number: i64,
    /// The order's version in this message's rows.
    pub version: i64,
    /// Without rows it is on no list any more.
    pub open: bool,
}

impl Reader {
    /// Comes back when `hello` was heard.
    pub async fn join(address: &Address, token: &str, clock: Clock) -> Result<Self, Trouble> {
        const WHAT: &str = "a reader's `hello`";
        let late = |_| Trouble::Unexpected {
            what: WHAT,
            why: format!("it did not come within {} s", JOIN.as_secs()),
        };
        let join = async {
            let mut socket = Socket::connect(address, token, clock).await?;
            let unexpected = |why| Trouble::Unexpected { what: WHAT, why };
            match socket.next().await.map_err(unexpected)?.event {
                Event::Hello(hello) => Ok(Self::new(socket, hello.seq)),
                other => Err(unexpected(format!("first came {other:?}"))),
            }
        };
        timeout(JOIN, join).await.map_err(late)?
    }

    fn new(socket: Socket, hello: i64) -> Self {
        Self {
            socket,
            frontier: Frontier::new(hello),
            log: Log {
                hello,
                ..Log::default()
            },
        }
    }

    pub fn hello(&self) -> i64 {
        self.log.hello
    }

    /// The number up to which nothing is missing, for as long as the reader listens.
    pub fn progress(&self) -> Progress {
        Progress(self.frontier.upto.clone())
    }

    /// Listens until `stop` is set, or until the connection ends.
    pub async fn listen(mut self, mut stop: watch::Receiver<bool>) -> Log {
        let ended = loop {
            tokio::select! {
                heard = self.socket.next() => match heard {
                    Ok(heard) => self.note(heard),
                    Err(ended) => break Some(ended),
                },
                // An error says that nobody is left to stop us, which is as good.
                _ = stop.wait_for(|stop| *stop) => break None,
            }
        };
        self.frontier.end();
        self.socket.close().await;
        Log { ended, ..self.log }
    }

    fn note(&mut self, Heard { at, event }: Heard) {
        match event {
            Event::Modified(modified) => {
                if let Some(receipt) = receipt(at, &modified) {
                    self.frontier.pass(receipt.seq);
                    self.log.receipts.push(receipt);
                }
            }
            Event::Tick(tick) if tick.seq > self.frontier.upto() => {
                self.log.early_ticks.push(tick.seq);
            }
            Event::Tick(_) | Event::Hello(_) | Event::Other => {}
        }
    }
}

fn receipt(at: Micros, modified: &Modified) -> Option<Receipt> {
    let rows = modified.rows.iter().map(|row| row.version).max();
    Some(Receipt {
        seq: modified.seq?,
        at,
        stamped: modified
            .timestamp
            .map(|timestamp| timestamp.as_microsecond()),
        number: modified.ro_number,
        version: rows.unwrap_or(modified.version),
        open: rows.is_some(),
    })
}

/// Up to where a reader has heard every event, whatever the order they came in.
struct Frontier {
    upto: Arc<AtomicI64>,
    ahead: BTreeSet<i64>,
}

impl Frontier {
    fn new(hello: i64) -> Self {
        Self {
            upto: Arc::new(AtomicI64::new(hello)),
            ahead: BTreeSet::new(),
        }
    }

    fn upto(&self) -> i64 {
        self.upto.load(Ordering::Relaxed)
    }

    fn pass(&mut self, seq: i64) {
        let mut upto = self.upto();
        if seq > upto {
            self.ahead.insert(seq);
        }
        while self.ahead.remove(&(upto + 1)) {
            upto += 1;
        }
        self.upto.store(upto, Ordering::Relaxed);
    }

    /// Nobody needs to wait for this reader any more.
    fn end(&self) {
        self.upto.store(i64::MAX, Ordering::Relaxed);
    }
}

pub struct Progress(Arc<AtomicI64>);

/// Waits until every reader has heard everything up to `seq`, or none has come closer to it for as
/// long as `patience`.
pub async fn all_heard(readers: &[Progress], seq: i64, patience: Duration) {
    let mut behind = i64::MAX;
    let mut since = Instant::now();
    loop {
        let now_behind = readers
            .iter()
            .map(|reader| seq.saturating_sub(reader.0.load(Ordering::Relaxed)).max(0))
            .sum();
        if now_behind < behind {
            behind = now_behind;
            since = Instant::now();
        }
        if behind == 0 || since.elapsed() > patience {
            return;
        }
        sleep(LOOK).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frontier_stops_at_a_gap_and_jumps_when_it_is_filled() {
        let mut frontier = Frontier::new(10);
        for seq in [11, 13, 14, 11, 9] {
            frontier.pass(seq);
        }
        assert_eq!(frontier.upto(), 11);
        frontier.pass(12);
        assert_eq!(frontier.upto(), 14);
    }

    #[tokio::test]
    async fn waiting_ends_when_nobody_comes_closer() {
        let stuck = Frontier::new(10);
        let readers = [Progress(stuck.upto.clone())];
        all_heard(&readers, 12, Duration::from_millis(30)).await;
        assert_eq!(stuck.upto(), 10);
        stuck.end();
        all_heard(&readers, 12, Duration::MAX).await;
    }
}
