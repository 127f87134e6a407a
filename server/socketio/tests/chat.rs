//! The example: a client that was away receives what it missed, on a WebSocket.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

#[path = "../examples/chat.rs"]
mod chat;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

fn start() -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async {
            chat::serve(listener, b"key").unwrap().await.unwrap();
        });
    });
    address
}

struct Client(WebSocketStream<TcpStream>);

impl Client {
    /// Connected; what CONNECT was answered with.
    async fn connect(address: SocketAddr, auth: &Value) -> (Self, Value) {
        let tcp = TcpStream::connect(address).await.unwrap();
        let url = format!("ws://{address}/socket.io/?EIO=4&transport=websocket");
        let (stream, _) = tokio_tungstenite::client_async(url, tcp).await.unwrap();
        let mut client = Self(stream);
        assert!(client.packet().await.starts_with('0'));
        client.send(&format!("40{auth}")).await;
        let answer = client.packet().await;
        let answer = serde_json::from_str(answer.strip_prefix("40").unwrap()).unwrap();
        (client, answer)
    }

    async fn send(&mut self, packet: &str) {
        self.0.send(Message::text(packet)).await.unwrap();
    }

    async fn packet(&mut self) -> String {
        let packet = self.0.next().await.unwrap().unwrap();
        packet.into_text().unwrap().as_str().to_owned()
    }

    /// The next event that has this name.
    async fn event(&mut self, name: &str) -> Value {
        loop {
            let packet = self.packet().await;
            let Some(list) = packet.strip_prefix("42") else {
                continue;
            };
            let list: Value = serde_json::from_str(list).unwrap();
            if list[0] == name {
                return list;
            }
        }
    }

    async fn say(&mut self, text: &str) {
        self.send(&format!("421{}", json!(["say", text]))).await;
        while self.packet().await != "431[true]" {}
    }
}

#[tokio::test]
async fn a_client_that_reconnects_receives_missed_events_once_and_in_order() {
    let address = start();
    let (mut ann, _) = Client::connect(address, &json!({ "name": "Ann" })).await;
    let (mut bob, answer) = Client::connect(address, &json!({ "name": "Bob" })).await;
    bob.event("welcome").await;
    ann.say("first").await;
    let heard = bob.event("said").await;
    assert_eq!(
        heard,
        json!(["said", { "name": "Ann", "text": "first" }, "1"])
    );
    drop(bob);

    for text in ["second", "third"] {
        ann.say(text).await;
    }
    let pid = &answer["pid"];
    let back = json!({ "name": "Bob", "pid": pid, "offset": heard[2] });
    let (mut bob, answer) = Client::connect(address, &back).await;
    assert_eq!(&answer["pid"], pid);
    for (number, text) in [("2", "second"), ("3", "third")] {
        let heard = bob.event("said").await;
        assert_eq!(
            (&heard[1]["text"], &heard[2]),
            (&json!(text), &json!(number))
        );
    }
    assert_eq!(bob.event("welcome").await[1], 3);
    ann.say("fourth").await;
    assert_eq!(bob.event("said").await[2], "4");
}

#[tokio::test]
async fn another_users_name_does_not_recover_a_session() {
    let address = start();
    let (mut ann, answer) = Client::connect(address, &json!({ "name": "Ann" })).await;
    ann.say("first").await;
    let stolen = json!({ "name": "Eve", "pid": answer["pid"], "offset": "1" });
    let (mut eve, answer_to_eve) = Client::connect(address, &stolen).await;
    assert_ne!(answer_to_eve["pid"], answer["pid"]);
    assert_eq!(eve.event("said").await[2], "1", "she begins anew");
}
