//! A Socket.IO client: as much of Engine.IO v4 and Socket.IO v5 on a WebSocket as a reader needs.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::clock::{Clock, Micros};
use crate::target::Address;
use crate::trouble::{Trouble, root_cause};

/// The server ticks every 5 s: after three that did not come it is gone.
const SILENCE: Duration = Duration::from_secs(16);
const GOODBYE: Duration = Duration::from_secs(1);

pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    clock: Clock,
}

/// An event, and when its frame had come.
#[derive(Debug)]
pub struct Heard {
    pub at: Micros,
    pub event: Event,
}

#[derive(Debug)]
pub enum Event {
    Hello(Progress),
    Tick(Progress),
    Modified(Modified),
    /// None that a reader needs.
    Other,
}

/// How far the stream is.
#[derive(Debug, Deserialize)]
pub struct Progress {
    pub seq: i64,
}

/// A change; without a number it is only a client's hint.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Modified {
    pub seq: Option<i64>,
    pub ro_number: i64,
    #[serde(default)]
    pub version: i64,
    pub timestamp: Option<Timestamp>,
    #[serde(default)]
    pub rows: Vec<RowVersion>,
}

#[derive(Debug, Deserialize)]
pub struct RowVersion {
    pub version: i64,
}

/// Why a connection is of no more use, for people.
pub type Ended = String;

impl Socket {
    /// Connected and signed in. May take as long as the server likes: the caller limits it.
    pub async fn connect(address: &Address, token: &str, clock: Clock) -> Result<Self, Trouble> {
        let unreachable = |why: String| Trouble::Unreachable {
            address: address.to_string(),
            why,
        };
        let tcp = TcpStream::connect(address.authority())
            .await
            .map_err(|error| unreachable(error.to_string()))?;
        tcp.set_nodelay(true)
            .map_err(|error| Trouble::Machine(error.to_string()))?;
        let (stream, _) = client_async(address.websocket(), tcp)
            .await
            .map_err(|error| unreachable(root_cause(&error)))?;
        let mut socket = Self { stream, clock };
        socket.greet(token).await?;
        Ok(socket)
    }

    async fn greet(&mut self, token: &str) -> Result<(), Trouble> {
        const WHAT: &str = "a reader's CONNECT";
        let unexpected = |why| Trouble::Unexpected { what: WHAT, why };
        let open = self.packet().await.map_err(unexpected)?.1;
        if !open.starts_with('0') {
            return Err(unexpected(format!("its first packet is {open}")));
        }
        let connect = format!("40{}", json!({ "token": token }));
        self.send(connect).await.map_err(unexpected)?;
        let answer = self.packet().await.map_err(unexpected)?.1;
        match answer.strip_prefix("44") {
            Some(refusal) => Err(Trouble::Refused {
                what: WHAT,
                answer: refusal.to_owned(),
            }),
            None if answer.starts_with("40") => Ok(()),
            None => Err(unexpected(answer)),
        }
    }

    /// The next event. Dropping the future loses none.
    pub async fn next(&mut self) -> Result<Heard, Ended> {
        loop {
            let (at, packet) = self.packet().await?;
            if let Some(event) = packet.strip_prefix("42") {
                let event = read(event).map_err(|error| {
                    format!("the server sent an event that cannot be read: {error}")
                })?;
                return Ok(Heard { at, event });
            }
            if packet.starts_with("41") {
                return Err("the server disconnected it".to_owned());
            }
        }
    }

    /// Whether the next packet is a change, without a look at what is in it.
    pub async fn skim(&mut self) -> Result<bool, Ended> {
        let (_, packet) = self.packet().await?;
        if packet.starts_with("41") {
            return Err("the server disconnected it".to_owned());
        }
        Ok(packet.starts_with(r#"42["RO_MODIFIED""#))
    }

    /// The next packet but pings, which are answered.
    async fn packet(&mut self) -> Result<(Micros, String), Ended> {
        loop {
            let message = timeout(SILENCE, self.stream.next())
                .await
                .map_err(|_| format!("the server was silent for {} s", SILENCE.as_secs()))?;
            let at = self.clock.now();
            match message {
                Some(Ok(Message::Text(text))) if text.as_str() == "2" => {
                    self.send("3".to_owned()).await?;
                }
                Some(Ok(Message::Text(text))) => return Ok((at, text.as_str().to_owned())),
                // The library answers a WebSocket ping itself.
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_) | Message::Frame(_))) => {
                    return Err("the server sent a binary frame".to_owned());
                }
                Some(Ok(Message::Close(_))) | None => {
                    return Err("the server closed the connection".to_owned());
                }
                Some(Err(error)) => return Err(root_cause(&error)),
            }
        }
    }

    async fn send(&mut self, packet: String) -> Result<(), Ended> {
        timeout(SILENCE, self.stream.send(Message::text(packet)))
            .await
            .map_err(|_| "the server took nothing more".to_owned())?
            .map_err(|error| root_cause(&error))
    }

    pub async fn close(mut self) {
        // It is over either way.
        let _ = timeout(GOODBYE, self.stream.close(None)).await;
    }
}

/// `["RO_MODIFIED",{..},"812"]`: the last argument is the offset, which only a reconnect needs.
fn read(arguments: &str) -> Result<Event, serde_json::Error> {
    let arguments: Vec<&RawValue> = serde_json::from_str(arguments)?;
    let (name, payload) = match arguments.as_slice() {
        [name, payload, ..] => (name.get(), payload.get()),
        _ => return Ok(Event::Other),
    };
    match name {
        r#""RO_MODIFIED""# => serde_json::from_str(payload).map(Event::Modified),
        r#""hello""# => serde_json::from_str(payload).map(Event::Hello),
        r#""tick""# => serde_json::from_str(payload).map(Event::Tick),
        _ => Ok(Event::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_read_with_what_the_check_needs() {
        let text = r#"["RO_MODIFIED",{"type":"RO_MODIFIED","roNumber":7,"action":"CLOSED",
            "timestamp":"2026-11-21T05:00:00.250Z","version":4,"seq":812,
            "by":{"uid":"u","name":"n"},"rows":[{"version":5,"vehicle":"x"}]},"812"]"#;
        let Event::Modified(modified) = read(text).unwrap() else {
            panic!("no change");
        };
        assert_eq!((modified.seq, modified.ro_number), (Some(812), 7));
        assert_eq!((modified.version, modified.rows[0].version), (4, 5));
        let millisecond = modified.timestamp.unwrap().as_millisecond();
        assert_eq!(millisecond % 1_000, 250);
    }

    #[test]
    fn hello_and_tick_tell_how_far_the_stream_is() {
        let hello = read(r#"["hello",{"seq":3,"now":"2026-11-21T05:00:00Z"},"3"]"#).unwrap();
        assert!(matches!(hello, Event::Hello(Progress { seq: 3 })));
        let tick = read(r#"["tick",{"seq":4,"now":"2026-11-21T05:00:00Z"},"4"]"#).unwrap();
        assert!(matches!(tick, Event::Tick(Progress { seq: 4 })));
    }

    #[test]
    fn other_events_and_hints_do_not_disturb() {
        let presence = read(r#"["RO_PRESENCE",{"roNumber":7,"people":[]}]"#).unwrap();
        assert!(matches!(presence, Event::Other));
        let hint = read(r#"["RO_MODIFIED",{"roNumber":7,"action":"STATUS_CHANGED"}]"#).unwrap();
        assert!(matches!(hint, Event::Modified(Modified { seq: None, .. })));
    }
}
