//! One simulated screen: a Socket.IO client that notes every event it gets, and when.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use dispatch_actors::store::Seq;
use futures_util::{SinkExt, StreamExt};
use jiff::Timestamp;
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::Trouble;
use crate::api::Row;

const HANDSHAKE: Duration = Duration::from_secs(30);

/// An event as a reader got it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub seq: Seq,
    pub number: i64,
    /// The version of the rows that came with it; none when the order left the list.
    pub version: Option<i64>,
    /// When the server decided the change, and when it was here; microseconds since 1970.
    pub decided_us: i64,
    pub arrived_us: i64,
}

/// What a reader has at the end.
#[derive(Debug, Default)]
pub struct Record {
    pub hello: Seq,
    pub seen: Vec<Seen>,
    /// The connection ended before it was told to.
    pub disconnected: bool,
}

/// A reader at work.
pub struct Reader {
    reached: Arc<AtomicI64>,
    done: Arc<AtomicBool>,
    task: JoinHandle<Record>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Modified {
    ro_number: i64,
    timestamp: Timestamp,
    seq: Seq,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Pulse {
    seq: Seq,
}

enum Event {
    Hello(Seq),
    Tick(Seq),
    Modified(Modified),
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

impl Reader {
    /// Connects, signs in, and waits for `hello`; from then on it listens by itself.
    pub async fn connect(url: &str, token: &str) -> Result<Self, Trouble> {
        let mut socket = timeout(HANDSHAKE, handshake(url, token))
            .await
            .map_err(|_| Trouble::Unanswered("no hello within 30 s".to_owned()))??;
        let hello = loop {
            match next_event(&mut socket).await {
                Some(Event::Hello(seq)) => break seq,
                Some(_) => {}
                None => {
                    return Err(Trouble::Unanswered(
                        "the stream closed before hello".to_owned(),
                    ));
                }
            }
        };
        let reached = Arc::new(AtomicI64::new(hello));
        let done = Arc::new(AtomicBool::new(false));
        let task = tokio::spawn(listen(socket, hello, reached.clone(), done.clone()));
        Ok(Self {
            reached,
            done,
            task,
        })
    }

    /// The highest event number it has heard of.
    pub fn reached(&self) -> Seq {
        self.reached.load(Ordering::Relaxed)
    }

    pub fn has_ended(&self) -> bool {
        self.task.is_finished()
    }

    pub async fn finish(self) -> Record {
        self.done.store(true, Ordering::Relaxed);
        self.task.await.unwrap_or(Record {
            disconnected: true,
            ..Record::default()
        })
    }
}

async fn handshake(url: &str, token: &str) -> Result<Socket, Trouble> {
    let lost =
        |error: tokio_tungstenite::tungstenite::Error| Trouble::Unanswered(error.to_string());
    let (mut socket, _) = connect_async(url).await.map_err(lost)?;
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream
            .set_nodelay(true)
            .map_err(|error| Trouble::Unanswered(error.to_string()))?;
    }
    let connect = format!("40{}", serde_json::json!({ "token": token }));
    socket.send(Message::text(connect)).await.map_err(lost)?;
    while let Some(message) = socket.next().await {
        let message = message.map_err(lost)?;
        let text = message.to_text().unwrap_or_default();
        if text.starts_with("40") {
            return Ok(socket);
        }
        if text.starts_with("44") {
            return Err(Trouble::Refused(text.to_owned()));
        }
    }
    Err(Trouble::Unanswered(
        "the stream closed during the handshake".to_owned(),
    ))
}

async fn listen(
    mut socket: Socket,
    hello: Seq,
    reached: Arc<AtomicI64>,
    done: Arc<AtomicBool>,
) -> Record {
    let mut record = Record {
        hello,
        ..Record::default()
    };
    while !done.load(Ordering::Relaxed) {
        let Ok(event) = timeout(Duration::from_millis(200), next_event(&mut socket)).await else {
            continue;
        };
        let arrived_us = Timestamp::now().as_microsecond();
        match event {
            Some(Event::Modified(modified)) => {
                reached.fetch_max(modified.seq, Ordering::Relaxed);
                record.seen.push(Seen {
                    seq: modified.seq,
                    number: modified.ro_number,
                    version: modified.rows.iter().map(|row| row.version).max(),
                    decided_us: modified.timestamp.as_microsecond(),
                    arrived_us,
                });
            }
            Some(Event::Tick(seq) | Event::Hello(seq)) => {
                reached.fetch_max(seq, Ordering::Relaxed);
            }
            None => {
                record.disconnected = true;
                return record;
            }
        }
    }
    record
}

/// The next Socket.IO event, answering pings on the way; none when the connection has ended.
async fn next_event(socket: &mut Socket) -> Option<Event> {
    loop {
        let message = socket.next().await?.ok()?;
        let text = message.to_text().unwrap_or_default();
        match text.as_bytes() {
            [b'2'] => socket.send(Message::text("3")).await.ok()?,
            [b'4', b'2', ..] => {
                if let Some(event) = event(&text[2..]) {
                    return Some(event);
                }
            }
            [b'4', b'1', ..] => return None,
            _ => {}
        }
    }
}

fn event(text: &str) -> Option<Event> {
    let (name, _) = text.strip_prefix("[\"")?.split_once('"')?;
    match name {
        "RO_MODIFIED" => {
            let (_, modified, _): (&str, Modified, &str) = serde_json::from_str(text).ok()?;
            Some(Event::Modified(modified))
        }
        "hello" | "tick" => {
            let (_, pulse, _): (&str, Pulse, &str) = serde_json::from_str(text).ok()?;
            Some(if name == "hello" {
                Event::Hello(pulse.seq)
            } else {
                Event::Tick(pulse.seq)
            })
        }
        _ => None,
    }
}
