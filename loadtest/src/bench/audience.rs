//! Open screens: sockets that take everything and look at nothing, on a thread of their own, so
//! that what they cost is not added to what a desk waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::future::join_all;
use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::runtime::Builder;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep};

use crate::error::LoadTestError;
use crate::skim::{Event, Kind, Packet, skim};
use crate::target::Address;
use crate::ws_frames::{Ended, NotOpened, WsConnection};

/// Sockets that connect at the same time.
const JOINING: usize = 32;

/// How often it is looked at whether more is coming.
const LOOK: Duration = Duration::from_millis(50);

/// The same where what is measured ends with what comes.
const SHORT_LOOK: Duration = Duration::from_millis(1);

/// What has not come by then does not come.
const SILENCE: Duration = Duration::from_secs(10);

pub struct Audience {
    heard: Arc<AtomicU64>,
    stop: watch::Sender<bool>,
    thread: JoinHandle<Vec<Ended>>,
}

/// What all of them together got.
#[derive(Debug)]
pub struct Heard {
    pub changes: u64,
    /// Why sockets were of no more use, one for each.
    pub lost: Vec<Ended>,
}

impl Audience {
    /// Comes back when all are connected and signed in.
    pub async fn join(address: &Address, token: &str, readers: u32) -> Result<Self, LoadTestError> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| LoadTestError::Machine(error.to_string()))?;
        let heard = Arc::new(AtomicU64::new(0));
        let (stop, stopped) = watch::channel(false);
        let (joined, all_joined) = oneshot::channel();
        let thread = {
            let (address, token, heard) = (address.clone(), token.to_owned(), heard.clone());
            thread::spawn(move || {
                runtime.block_on(async {
                    let sockets = match connect(&address, &token, readers).await {
                        Ok(sockets) => sockets,
                        Err(error) => {
                            // The caller waits for it, or has gone.
                            let _ = joined.send(Err(error));
                            return Vec::new();
                        }
                    };
                    let _ = joined.send(Ok(()));
                    let listening = sockets
                        .into_iter()
                        .map(|socket| listen(socket, &heard, stopped.clone()));
                    join_all(listening).await.into_iter().flatten().collect()
                })
            })
        };
        all_joined
            .await
            .map_err(|_| LoadTestError::Machine("the readers' thread ended".to_owned()))??;
        Ok(Self {
            heard,
            stop,
            thread,
        })
    }

    /// Changes that all of them together have heard.
    pub fn heard(&self) -> u64 {
        self.heard.load(Ordering::Relaxed)
    }

    /// Waits until all of them together have heard so many.
    pub async fn hear(&self, changes: u64) -> Result<(), LoadTestError> {
        let (mut heard, mut since) = (self.heard(), Instant::now());
        while heard < changes {
            sleep(SHORT_LOOK).await;
            let now_heard = self.heard();
            if now_heard != heard {
                (heard, since) = (now_heard, Instant::now());
            } else if since.elapsed() > SILENCE {
                return Err(LoadTestError::Unexpected {
                    what: "the screens",
                    why: format!(
                        "they heard {heard} changes of {changes}, and then none for {} s",
                        SILENCE.as_secs()
                    ),
                });
            }
        }
        Ok(())
    }

    /// Waits until nothing has come for as long as `quiet`, and leaves.
    pub async fn leave(self, quiet: Duration) -> Result<Heard, LoadTestError> {
        let mut heard = self.heard();
        let mut since = Instant::now();
        while since.elapsed() < quiet {
            sleep(LOOK).await;
            let now_heard = self.heard();
            if now_heard != heard {
                heard = now_heard;
                since = Instant::now();
            }
        }
        // An error says that all have ended already.
        let _ = self.stop.send(true);
        let lost = self
            .thread
            .join()
            .map_err(|_| LoadTestError::Machine("the readers' thread broke down".to_owned()))?;
        Ok(Heard {
            changes: heard,
            lost,
        })
    }
}

async fn connect(
    address: &Address,
    token: &str,
    readers: u32,
) -> Result<Vec<WsConnection>, LoadTestError> {
    stream::iter(0..readers)
        .map(|_| sign_in(address, token))
        .buffered(JOINING)
        .try_collect()
        .await
}

async fn sign_in(address: &Address, token: &str) -> Result<WsConnection, LoadTestError> {
    let unreachable = |why| LoadTestError::Unreachable {
        address: address.to_string(),
        why,
    };
    let mut connection = match WsConnection::open(address, None).await {
        Ok(connection) => connection,
        Err(NotOpened::Busy) => return Err(unreachable("it answered 503".to_owned())),
        Err(NotOpened::Failed(why)) => return Err(unreachable(why)),
    };
    let connect = format!("40{}", serde_json::json!({ "token": token }));
    connection.send(&connect).await.map_err(unreachable)?;
    let mut answer = None;
    while answer.is_none() {
        let take = |packet: &[u8]| match skim(packet) {
            Some(Packet::Connected { .. }) => answer = Some(Ok(())),
            Some(Packet::Refused(why)) => answer = Some(Err(why.to_owned())),
            _ => {}
        };
        connection.next(take).await.map_err(unreachable)?;
    }
    match answer {
        Some(Err(answer)) => Err(LoadTestError::Refused {
            what: "a reader's CONNECT",
            answer,
        }),
        _ => Ok(connection),
    }
}

async fn listen(
    mut connection: WsConnection,
    heard: &AtomicU64,
    mut stop: watch::Receiver<bool>,
) -> Option<Ended> {
    loop {
        let (mut ping, mut disconnected) = (false, false);
        let take = |packet: &[u8]| match skim(packet) {
            Some(Packet::Event(Event {
                kind: Kind::Modified(_),
                ..
            })) => {
                heard.fetch_add(1, Ordering::Relaxed);
            }
            Some(Packet::Ping) => ping = true,
            Some(Packet::Disconnected) => disconnected = true,
            _ => {}
        };
        tokio::select! {
            came = connection.next(take) => if let Err(ended) = came {
                return Some(ended);
            },
            // An error says that nobody is left to stop us, which is as good.
            _ = stop.wait_for(|stop| *stop) => break,
        }
        if disconnected {
            return Some("the server disconnected it".to_owned());
        }
        if ping && let Err(ended) = connection.send("3").await {
            return Some(ended);
        }
    }
    connection.close().await;
    None
}
