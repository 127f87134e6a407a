//! The stream: everything that sessions receive goes through one task, so that all get the same
//! order, and a new one gets its `hello` before the first event after it.

use std::time::Duration;

use serde::Deserialize;
use socketioxide::extract::{SocketRef, TryData};
use socketioxide::handler::ConnectHandler;
use socketioxide::layer::SocketIoLayer;
use socketioxide::{BroadcastError, SocketIo};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval};

use crate::TOKEN;
use crate::api_types::{EntryResult, Progress, RoModified};
use crate::shop::now;

const TICK: Duration = Duration::from_secs(5);

/// Packets that wait for a session. The default, 128, loses events in a burst of changes: what does
/// not fit is dropped. Room that is not used takes no memory.
const QUEUE: usize = 16_384;

/// Every session that has its `hello`.
const LISTENING: &str = "listening";

/// What happened, in the order of commits.
pub enum News {
    Joined(SocketRef),
    Changed(Announcement),
}

/// Durable events, and who waits for them to be announced.
pub struct Announcement {
    pub events: Vec<RoModified>,
    pub results: Vec<EntryResult>,
    pub answer: oneshot::Sender<Vec<EntryResult>>,
}

#[derive(Clone)]
pub struct Announcer(UnboundedSender<News>);

impl Announcer {
    pub fn announce(&self, announcement: Announcement) {
        self.tell(News::Changed(announcement));
    }

    fn tell(&self, message: News) {
        // No session is left to receive it when the server ends.
        let _ = self.0.send(message);
    }
}

pub fn announcer() -> (Announcer, UnboundedReceiver<News>) {
    let (sender, receiver) = unbounded_channel();
    (Announcer(sender), receiver)
}

#[derive(Debug, Deserialize)]
struct Auth {
    token: String,
}

/// The layer that answers `/ws`. There is no connection state recovery to leave on or off.
pub fn layer(announcer: Announcer) -> (SocketIoLayer, SocketIo) {
    let (layer, io) = SocketIo::builder()
        .req_path("/ws")
        .max_buffer_size(QUEUE)
        .build_layer();
    let joined = async move |socket: SocketRef| announcer.tell(News::Joined(socket));
    io.ns("/", joined.with(authenticate));
    (layer, io)
}

async fn authenticate(TryData(auth): TryData<Auth>) -> Result<(), &'static str> {
    match auth {
        Ok(auth) if auth.token == TOKEN => Ok(()),
        _ => Err("Sign in again"),
    }
}

pub struct Broadcaster {
    io: SocketIo,
    seq: i64,
}

impl Broadcaster {
    pub fn new(io: SocketIo, seq: i64) -> Self {
        Self { io, seq }
    }

    pub async fn run(mut self, mut messages: UnboundedReceiver<News>) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
            biased;
            Some(message) = messages.recv() => match message {
            News::Joined(socket) => self.greet(&socket),
            News::Changed(announcement) => self.announce(announcement).await,
            },
            _ = ticks.tick() => {
            log_failure(self.io.to(LISTENING).emit("tick", &self.progress()).await);
            }
            }
        }
    }

    fn greet(&self, socket: &SocketRef) {
        // It fails where the session has ended already.
        if socket.emit("hello", &self.progress()).is_ok() {
            socket.join(LISTENING);
        }
    }

    async fn announce(&mut self, announcement: Announcement) {
        for event in announcement.events {
            self.seq = event.seq;
            let offset = event.seq.to_string();
            let everybody = self.io.to(LISTENING);
            log_failure(everybody.emit("RO_MODIFIED", &(event, offset)).await);
        }
        // The caller may have gone.
        let _ = announcement.answer.send(announcement.results);
    }

    /// With the offset, which clients take from the last argument.
    fn progress(&self) -> (Progress, String) {
        let seq = self.seq;
        (Progress { seq, now: now() }, seq.to_string())
    }
}

/// A session whose queue is full misses something, and nobody else would say so.
fn log_failure(sent: Result<(), BroadcastError>) {
    if let Err(error) = sent {
        eprintln!("a session missed an event: {error}");
    }
}
