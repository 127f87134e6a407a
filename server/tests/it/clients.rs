//! The clients that other programs bring, unmodified: the official one in Node, and those of Python
//! and Rust, which others wrote.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use tokio::time::timeout;

use crate::fixture::{Server, WAIT_TIMEOUT, plain_orders};

const CHANGES: i64 = 100;

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs a client with the server's address, a token, the number of changes and perhaps a transport.
/// It prints a line of JSON after its `hello`, and another with the events that it received once it
/// has all changes; makes the changes in between. Gives the second line.
async fn sees_every_change_in_order(client: &[&Path], transport: Option<&str>) -> Value {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(10)).await;
    let mut client = Command::new(client[0])
        .args(&client[1..])
        .args([&server.url(""), &owner.token, &CHANGES.to_string()])
        .args(transport)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap_or_else(|error| panic!("{client:?} does not run: {error}"));
    let mut client_lines = BufReader::new(client.stdout.take().unwrap()).lines();
    let mut next = async || -> Value {
        let line = timeout(WAIT_TIMEOUT, client_lines.next_line())
            .await
            .expect("the client says something");
        serde_json::from_str(&line.unwrap().expect("the client runs")).unwrap()
    };

    assert_eq!(next().await["seq"], 10);
    for change in 0..CHANGES {
        owner.make_one_change(change % 10 + 1).await;
    }
    let heard = next().await;
    let expected: Vec<i64> = (11..=10 + CHANGES).collect();
    assert_eq!(heard["seqs"], Value::from(expected), "{heard}");
    let ended = timeout(WAIT_TIMEOUT, client.wait())
        .await
        .expect("the client ends");
    assert!(ended.unwrap().success());
    heard
}

async fn in_node(transport: Option<&str>, then: &str) {
    assert!(
        checkout()
            .join("web/node_modules/socket.io-client/package.json")
            .exists(),
        "the official client is not installed: run `npm ci` in web"
    );
    let script = checkout().join("server/tests/clients/node-client.mjs");
    let client = [Path::new("node"), &script];
    let heard = sees_every_change_in_order(&client, transport).await;
    let last = (10 + CHANGES).to_string();
    let offset = heard["offset"].as_str().unwrap();
    assert!(
        offset.starts_with(&format!("{last}-")),
        "presence is nothing to resume from: {offset}"
    );
    assert_eq!(heard["transport"], then);
}

async fn in_python(transport: Option<&str>, then: &str) {
    let python = checkout().join("target/python/bin/python");
    assert!(
        python.exists(),
        "there is no {}: run `make tools`",
        python.display()
    );
    let script = checkout().join("server/tests/clients/python-client.py");
    let heard = sees_every_change_in_order(&[&python, &script], transport).await;
    assert_eq!(heard["transport"], then);
}

async fn in_rust(transport: Option<&str>) {
    let client = checkout().join("target/rust-client/debug/rust-client");
    assert!(
        client.exists(),
        "there is no {}: run `make tools`",
        client.display()
    );
    sees_every_change_in_order(&[&client], transport).await;
}

#[tokio::test]
async fn the_official_client_polls_and_upgrades_and_sees_every_change_in_order() {
    in_node(None, "websocket").await;
}

#[tokio::test]
async fn the_official_client_on_a_websocket_alone_sees_every_change_in_order() {
    in_node(Some("websocket"), "websocket").await;
}

#[tokio::test]
async fn the_official_client_behind_a_proxy_without_websockets_sees_every_change_in_order() {
    in_node(Some("polling"), "polling").await;
}

#[tokio::test]
async fn the_python_client_polls_and_upgrades_and_sees_every_change_in_order() {
    in_python(None, "websocket").await;
}

#[tokio::test]
async fn the_python_client_on_a_websocket_alone_sees_every_change_in_order() {
    in_python(Some("websocket"), "websocket").await;
}

#[tokio::test]
async fn the_python_client_that_only_polls_sees_every_change_in_order() {
    in_python(Some("polling"), "polling").await;
}

#[tokio::test]
async fn the_rust_client_polls_and_upgrades_and_sees_every_change_in_order() {
    in_rust(None).await;
}

#[tokio::test]
async fn the_rust_client_on_a_websocket_alone_sees_every_change_in_order() {
    in_rust(Some("websocket")).await;
}
