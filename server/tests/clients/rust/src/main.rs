//! Rust's Socket.IO client, unmodified: rust-client URL TOKEN COUNT [websocket]
//!
//! Prints {seq} at hello, then {seqs} once it heard COUNT changes. Polls first and upgrades, as it
//! does by default, or is on a WebSocket alone.

use std::sync::mpsc;

use rust_socketio::{ClientBuilder, Payload, TransportType};
use serde_json::{Value, json};

fn first(payload: Payload) -> Value {
    match payload {
        Payload::Text(mut arguments) => arguments.remove(0),
        other => panic!("{other:?} and no text"),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, token, count, transport @ ..] = &arguments[..] else {
        panic!("rust-client URL TOKEN COUNT [websocket]");
    };
    let count: usize = count.parse().expect("a number of changes");
    let (heard, changes) = mpsc::channel();
    let mut builder = ClientBuilder::new(format!("{url}/ws/"))
        .auth(json!({ "token": token }))
        .reconnect(false)
        .on("hello", |payload, _| {
            println!("{}", json!({ "seq": first(payload)["seq"] }));
        })
        .on("RO_MODIFIED", move |payload, _| {
            // The main thread may have heard enough.
            let _ = heard.send(first(payload)["seq"].clone());
        });
    if transport.first().is_some_and(|name| name == "websocket") {
        builder = builder.transport_type(TransportType::Websocket);
    }
    let client = builder.connect().expect("the server lets it in");
    let seqs: Vec<Value> = changes.iter().take(count).collect();
    println!("{}", json!({ "seqs": seqs }));
    client.disconnect().expect("it can leave");
}
