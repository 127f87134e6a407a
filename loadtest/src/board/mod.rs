//! A board on a wall: one screen with a token of its own, which keeps the cards that it receives,
//! reconnects when its connection ends, and checks once in a while whether its picture is current.
//! `cards` is what is on it.

mod cards;

pub use cards::BoardPicture;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use self::cards::{CardEvent, ShownCards, Technician};
use crate::backoff::BackOff;
use crate::http::Post;
use crate::reader::{ConnectionControl, OPENED, SILENCE};
use crate::reader_context::{ReaderContext, count};
use crate::skim::{Packet, skim};
use crate::wall::{Ask, Token};
use crate::ws_frames::{Ended, NotOpened, WsConnection};

/// How often a board asks whether it is right.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);

#[derive(Deserialize)]
struct Seq {
    seq: i64,
}

#[derive(Deserialize)]
struct Verdict {
    same: Option<bool>,
}

/// What others may see of a board.
#[derive(Default)]
pub struct State {
    /// Has received `hello` and has its picture.
    pub live: Cell<bool>,
    /// The newest event that it knows.
    pub seq: Cell<i64>,
    /// Checks that were answered with yes or no.
    pub checks: Cell<u64>,
    shown: RefCell<ShownCards>,
    /// What was wrong.
    pub faults: RefCell<Vec<String>>,
}

impl State {
    /// Whether it shows what it should.
    pub fn shows(&self, picture: &BoardPicture) -> bool {
        self.shown.borrow().lines() == picture.shown().lines()
    }
}

pub struct Board {
    context: Rc<ReaderContext>,
    ask: Rc<Ask>,
    token: Token,
    state: Rc<State>,
    controls: watch::Receiver<ConnectionControl>,
    backoff: BackOff,
    pid: Option<String>,
    offset: Option<String>,
    checked: Instant,
}

/// Why a connection is over.
enum Over {
    /// It comes back.
    Lost,
    Gone,
    /// What no server may do.
    Wrong(Ended),
}

impl From<Ended> for Over {
    fn from(why: Ended) -> Self {
        Self::Wrong(why)
    }
}

impl Board {
    pub fn new(
        context: &Rc<ReaderContext>,
        ask: &Rc<Ask>,
        token: Token,
        state: &Rc<State>,
        controls: watch::Receiver<ConnectionControl>,
    ) -> Self {
        Self {
            context: Rc::clone(context),
            ask: Rc::clone(ask),
            token,
            state: Rc::clone(state),
            controls,
            backoff: BackOff::default(),
            pid: None,
            offset: None,
            checked: Instant::now(),
        }
    }

    /// Runs until it is stopped. Everything else that ends it is a fault, except a lost connection.
    pub async fn run(mut self) {
        loop {
            let over = self.connection().await;
            self.state.live.set(false);
            match over {
                Over::Lost => {}
                Over::Gone => return,
                Over::Wrong(why) => return self.state.faults.borrow_mut().push(why),
            }
            let delay = self.backoff.next(&mut *self.context.rng.borrow_mut());
            tokio::select! {
            () = sleep(delay) => {}
            _ = self.controls.wait_for(|control| control.is_closed) => return,
            }
        }
    }

    async fn connection(&mut self) -> Over {
        let opened = match timeout(OPENED, WsConnection::open(&self.context.address, None)).await {
            Ok(opened) => opened,
            Err(_) => Err(NotOpened::Failed("the server did not answer".to_owned())),
        };
        let mut connection = match opened {
            Ok(connection) => connection,
            Err(NotOpened::Busy) => {
                count(&self.context.tallies.busy);
                return Over::Lost;
            }
            Err(NotOpened::Failed(_)) => {
                count(&self.context.tallies.failed);
                return Over::Lost;
            }
        };
        let drops = self.controls.borrow_and_update().drops;
        let over = loop {
            if let Err(over) = self.step(&mut connection, drops).await {
                break over;
            }
        };
        match over {
            Over::Gone => connection.close().await,
            // Without a word, as a cable that is pulled.
            Over::Lost | Over::Wrong(_) => connection.reset(),
        }
        over
    }

    async fn step(&mut self, connection: &mut WsConnection, drops: u32) -> Result<(), Over> {
        let mut came: Vec<Vec<u8>> = Vec::new();
        tokio::select! {
        next = connection.next(|packet| came.push(packet.to_vec())) => next.map_err(|_| Over::Lost)?,
        changed = self.controls.changed() => {
        let control = *self.controls.borrow_and_update();
        return match control {
        // An error means that no sender is left.
        _ if changed.is_err() || control.is_closed => Err(Over::Gone),
        ConnectionControl { drops: drop_count, .. } if drop_count != drops => Err(Over::Lost),
        _ => Ok(()),
        };
        }
        () = sleep(SILENCE) => return Err(Over::Lost),
        }
        for packet in came {
            self.take(&packet, connection).await?;
        }
        Ok(())
    }

    async fn take(&mut self, packet: &[u8], connection: &mut WsConnection) -> Result<(), Over> {
        let text = || String::from_utf8_lossy(&packet[..packet.len().min(80)]).into_owned();
        match skim(packet).ok_or_else(|| format!("a board was sent {}", text()))? {
            Packet::Open => {
                self.backoff.reset();
                connection
                    .send(&self.connect())
                    .await
                    .map_err(|_| Over::Lost)?;
            }
            Packet::Ping => connection.send("3").await.map_err(|_| Over::Lost)?,
            Packet::Connected { pid } => self.connected(pid),
            Packet::Event(event) => {
                let offset = event.offset.map(str::to_owned);
                self.hear(&packet[2..]).await?;
                // Behind what it belongs to: a resume begins after what was taken.
                self.offset = offset.or(self.offset.take());
            }
            Packet::Refused(_) | Packet::Disconnected | Packet::Other => {
                return Err(Over::Wrong(format!("the server said {}", text())));
            }
        }
        Ok(())
    }

    fn connect(&self) -> String {
        let mut auth = json!({
        "token": self.token.token,
        "scope": { "board": self.token.board_id },
        });
        if let Some((pid, offset)) = self.pid.as_ref().zip(self.offset.as_ref()) {
            auth["pid"] = json!(pid);
            auth["offset"] = json!(offset);
        }
        format!("40{auth}")
    }

    fn connected(&mut self, pid: Option<&str>) {
        let tallies = &self.context.tallies;
        let again = self.pid.is_some();
        if again {
            count(&tallies.reconnects);
        }
        if again && self.pid.as_deref() == pid {
            count(&tallies.recovered);
            return;
        }
        if again {
            count(&tallies.reloads);
        }
        self.pid = pid.map(str::to_owned);
        self.offset = None;
    }

    async fn hear(&mut self, list: &[u8]) -> Result<(), Ended> {
        let unreadable = |error: serde_json::Error| format!("a message cannot be read: {error}");
        let event: Vec<Box<RawValue>> = serde_json::from_slice(list).map_err(unreadable)?;
        let [name, payload, ..] = event.as_slice() else {
            return Err("a message without a payload came".to_owned());
        };
        let state = &self.state;
        count(&self.context.frames);
        match name.get() {
            // Also where it was resumed: what changed without an event is not replayed.
            r#""hello""# | r#""BOARD_SETTINGS""# => self.load().await?,
            r#""tick""# => {
                let Seq { seq } = serde_json::from_str(payload.get()).map_err(unreadable)?;
                state.seq.set(state.seq.get().max(seq));
                if self.checked.elapsed() >= CHECK_INTERVAL {
                    self.check().await?;
                }
            }
            r#""BOARD_CARD""# => {
                let card: CardEvent = serde_json::from_str(payload.get()).map_err(unreadable)?;
                // One that was under way while the picture came is older than it.
                if card.seq >= state.seq.get() {
                    let is_strange = state.shown.borrow_mut().put(&card);
                    state.seq.set(card.seq);
                    if is_strange {
                        self.load().await?;
                    }
                }
            }
            r#""BOARD_CLOCK""# => {
                let clock: Technician = serde_json::from_str(payload.get()).map_err(unreadable)?;
                let technicians = &mut state.shown.borrow_mut().technicians;
                technicians.insert(clock.id, clock);
            }
            other => return Err(format!("a board heard {other}")),
        }
        Ok(())
    }

    async fn load(&self) -> Result<(), Ended> {
        let picture = self.ask.picture(&self.token).await?;
        self.state.shown.replace(picture.shown());
        self.state.seq.set(picture.seq);
        self.state.live.set(true);
        Ok(())
    }

    async fn check(&mut self) -> Result<(), Ended> {
        let state = &self.state;
        let body = json!({
        "seq": state.seq.get(),
        "checksum": state.shown.borrow().checksum(),
        "shows": { "orders": state.shown.borrow().cards.len(), "pages": 1, "page": 1 },
        })
        .to_string();
        let post = Post {
            path: "/api/board/check",
            token: &self.token.token,
            headers: &[],
            body: body.as_bytes(),
            content_type: "application/json",
        };
        let Verdict { same } = self.ask.post(&post).await?;
        // Neither yes nor no: one of the two knows newer events. Asked again after the next tick.
        if let Some(same) = same {
            self.checked = Instant::now();
            state.checks.set(state.checks.get() + 1);
            if !same {
                let fault = "a board showed something else than the server".to_owned();
                state.faults.borrow_mut().push(fault);
            }
        }
        Ok(())
    }
}
