//! A reader: one screen that listens, comes back when its connection ends, and resumes if the
//! server lets it. What it receives goes to its check at once; nothing is kept.

mod coming;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use rand::Rng;
use rand::seq::IndexedRandom;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::backoff::BackOff;
use crate::checker::Hearing;
use crate::reader_context::{ReaderContext, count};
use crate::ws_frames::{Ended, NotOpened, WsConnection};
use coming::Coming;

/// The server ticks every 5 s: after three that did not come it is gone.
pub const SILENCE: Duration = Duration::from_secs(16);

/// A screen whose last message is older than this is not live.
const FRESH: Duration = Duration::from_secs(10);

/// To connect; `socket.io-client` gives up after as long.
pub const OPENED: Duration = Duration::from_secs(20);

/// How long an order is open on a screen, and for how long none is.
const LOOKS: Duration = Duration::from_secs(2);

/// What a reader shall do; one for a group of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConnectionControl {
    /// Reads nothing, though it stays connected.
    pub stuck: bool,
    /// Rises: drops its connection without a word and comes back.
    pub drops: u32,
    /// Leaves.
    pub is_closed: bool,
}

/// What kind of reader it is.
#[derive(Clone, Debug, Default)]
pub struct Role {
    /// Comes back when the connection ends; otherwise that is a fault.
    pub returns: bool,
    /// Hears only what concerns this technician.
    pub technician: Option<i64>,
    /// Bytes that the kernel is asked to keep for it.
    pub buffer: Option<u32>,
    /// Now and then somebody opens an order on it, and leaves it.
    pub opens: bool,
    /// Whether its deliveries are measured.
    pub measured: bool,
}

/// What others may see of a reader.
pub struct State {
    pub role: Role,
    pub hearing: RefCell<Hearing>,
    /// Signed in, and has what it missed.
    pub live: Cell<bool>,
    /// Of the last message that came.
    pub heard_at: Cell<Option<Instant>>,
    /// What the last `hello` or tick said: the server has read the database lately.
    pub is_read: Cell<bool>,
    /// Why it listens no more, when that was not our wish.
    pub ended: RefCell<Option<Ended>>,
}

impl State {
    pub fn new(role: Role) -> Self {
        Self {
            hearing: RefCell::new(Hearing::new(role.technician.is_none())),
            role,
            live: Cell::new(false),
            heard_at: Cell::new(None),
            is_read: Cell::new(false),
            ended: RefCell::new(None),
        }
    }

    /// Whether its screen says that it is live, as the page decides it.
    pub fn says_live(&self) -> bool {
        let heard = self.heard_at.get();
        let is_fresh = heard.is_some_and(|heard| heard.elapsed() <= FRESH);
        self.live.get() && self.is_read.get() && is_fresh
    }

    /// Nobody needs to wait for it any more.
    pub fn has_ended(&self) -> bool {
        self.ended.borrow().is_some()
    }
}

pub struct Reader {
    context: Rc<ReaderContext>,
    state: Rc<State>,
    controls: watch::Receiver<ConnectionControl>,
    backoff: BackOff,
    resume: Resume,
    /// When its connection was lost.
    away_since: Option<i64>,
    /// The order that somebody has open on it, and when that changes next.
    looking_at: Option<i64>,
    next_look: Instant,
}

/// What a reconnect tells the server, and where this connection is.
#[derive(Default)]
struct Resume {
    pid: Option<String>,
    offset: String,
    /// Has received a `hello` at all.
    joined: bool,
}

/// Where a connection is between its opening and the stream.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    Opening,
    /// Signed in to a new session: `hello` comes first.
    Hello,
    /// Signed in to the old one: what was missed comes, then `hello`.
    Replay,
    /// Has to load the list, which must be as new as this.
    Reload(i64),
    Live,
}

/// What is to be sent after what has come.
enum Reply {
    Connect,
    Pong,
}

/// Why a connection is over.
enum Over {
    /// It may come back.
    Lost(Ended),
    /// It is asked to come back.
    Busy,
    /// It may not: the server does not want it.
    Refused(Ended),
    Dropped,
    Gone,
}

impl Reader {
    pub fn new(
        context: Rc<ReaderContext>,
        state: Rc<State>,
        controls: watch::Receiver<ConnectionControl>,
    ) -> Self {
        Self {
            context,
            state,
            controls,
            backoff: BackOff::default(),
            resume: Resume::default(),
            away_since: None,
            looking_at: None,
            next_look: Instant::now() + LOOKS,
        }
    }

    /// Runs until it is stopped, or its connection ends and it is not to reconnect.
    pub async fn listen(mut self) {
        loop {
            let over = self.connection().await;
            self.state.live.set(false);
            self.away_since.get_or_insert(self.context.clock.now());
            match over {
                Over::Gone => return,
                Over::Dropped | Over::Busy => {}
                // It never connected: its waiter learns that at once.
                Over::Lost(_) if self.state.role.returns && self.resume.joined => {}
                Over::Lost(why) | Over::Refused(why) => {
                    *self.state.ended.borrow_mut() = Some(why);
                    return;
                }
            }
            let delay = self.backoff.next(&mut *self.context.rng.borrow_mut());
            tokio::select! {
            () = sleep(delay) => {}
            _ = self.controls.wait_for(|control| control.is_closed) => return,
            }
        }
    }

    async fn connection(&mut self) -> Over {
        let context = self.context.clone();
        // The first time in turn; a reader that reconnects does so as real clients do.
        let join_permit = match self.resume.joined {
            false => context.joining.acquire().await.ok(),
            true => None,
        };
        let opening = WsConnection::open(&context.address, self.state.role.buffer);
        let mut connection = match timeout(OPENED, opening).await {
            Ok(Ok(connection)) => connection,
            Ok(Err(NotOpened::Busy)) => {
                count(&context.tallies.busy);
                return Over::Busy;
            }
            Ok(Err(NotOpened::Failed(why))) => {
                count(&context.tallies.failed);
                return Over::Lost(why);
            }
            Err(_) => {
                count(&context.tallies.failed);
                return Over::Lost("the server did not answer".to_owned());
            }
        };
        let drops = self.controls.borrow_and_update().drops;
        // Nobody has anything open on a new session.
        self.looking_at = None;
        let mut stage = Stage::Opening;
        while stage != Stage::Live {
            if let Err(over) = self.step(&mut connection, &mut stage, drops).await {
                return self.leave(connection, over).await;
            }
        }
        if let Some(since) = self.away_since.take()
            && self.resume.joined
        {
            let away = context.clock.now() - since;
            context.returns.borrow_mut().record(away);
        }
        // Joined: the next may have its turn.
        drop(join_permit);
        loop {
            if let Err(over) = self.step(&mut connection, &mut stage, drops).await {
                return self.leave(connection, over).await;
            }
        }
    }

    async fn leave(&self, connection: WsConnection, over: Over) -> Over {
        match over {
            Over::Dropped => connection.reset(),
            Over::Gone => connection.close().await,
            Over::Lost(_) | Over::Busy | Over::Refused(_) => {}
        }
        over
    }

    /// Waits for what comes next, from the server or from the scenario.
    async fn step(
        &mut self,
        connection: &mut WsConnection,
        stage: &mut Stage,
        drops: u32,
    ) -> Result<(), Over> {
        let mut replies = Vec::new();
        let mut refused = None;
        let is_looking = self.state.role.opens && *stage == Stage::Live;
        let (context, state, resume, backoff) = (
            &self.context,
            &self.state,
            &mut self.resume,
            &mut self.backoff,
        );
        let mut coming = Coming {
            context,
            state,
            resume,
            backoff,
            stage,
            at: None,
        };
        tokio::select! {
        came = connection.next(|packet| {
        if refused.is_none() {
        refused = coming.take(packet, &mut replies).err();
        }
        }) => came.map_err(Over::Lost)?,
        changed = self.controls.changed() => {
        // An error means that no sender is left.
        if changed.is_err() || self.controls.borrow().is_closed {
        return Err(Over::Gone);
        }
        return self.obey(drops).await;
        }
        () = sleep_until(self.next_look), if is_looking => {
        let look = self.look();
        return connection.send(&look).await.map_err(Over::Lost);
        }
        () = sleep(SILENCE) => {
        let why = format!("nothing came for {} s", SILENCE.as_secs());
        return Err(Over::Lost(why));
        }
        }
        if let Some(over) = refused {
            return Err(over);
        }
        for reply in replies {
            let sent = match reply {
                Reply::Connect => connection.send(&self.connect()).await,
                Reply::Pong => connection.send("3").await,
            };
            sent.map_err(Over::Lost)?;
        }
        if let Stage::Reload(hello) = *stage {
            let list = self.context.list_since(hello).await;
            let list = list.map_err(|error| Over::Lost(error.to_string()))?;
            let places = &mut self.context.places.borrow_mut();
            self.state.hearing.borrow_mut().load(&list, places);
            *stage = Stage::Live;
        }
        self.state.live.set(*stage == Stage::Live);
        Ok(())
    }

    async fn obey(&mut self, drops: u32) -> Result<(), Over> {
        if self.controls.borrow_and_update().stuck {
            let freed = self
                .controls
                .wait_for(|control| !control.stuck || control.is_closed)
                .await;
            if freed.is_err() {
                return Err(Over::Gone);
            }
        }
        let control = *self.controls.borrow_and_update();
        match control {
            ConnectionControl {
                is_closed: true, ..
            } => Err(Over::Gone),
            ConnectionControl {
                drops: drop_count, ..
            } if drop_count != drops => Err(Over::Dropped),
            _ => Ok(()),
        }
    }

    /// Opens any order, or leaves the one that is open.
    fn look(&mut self) -> String {
        let rng = &mut *self.context.rng.borrow_mut();
        self.next_look = Instant::now() + LOOKS.mul_f64(rng.random_range(0.5..1.5));
        let (event, number) = match self.looking_at.take() {
            Some(number) => ("RO_LEAVE", number),
            None => {
                let places = self.context.places.borrow();
                let number = places.numbers().choose(rng).copied().unwrap_or(1);
                self.looking_at = Some(number);
                ("RO_OPEN", number)
            }
        };
        format!("42{}", json!([event, { "roNumber": number }]))
    }

    fn connect(&self) -> String {
        let mut auth = json!({ "token": self.context.desk.token() });
        if let Some(technician) = self.state.role.technician {
            auth["scope"] = json!({ "technician": technician });
        }
        if let Some(pid) = &self.resume.pid {
            auth["pid"] = json!(pid);
            auth["offset"] = json!(self.resume.offset);
        }
        format!("40{auth}")
    }
}

#[cfg(test)]
mod tests;
