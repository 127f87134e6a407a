//! The clients that other programs bring, unmodified: the official one in Node, and Python's.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use tokio::time::timeout;

use crate::fixture::{PATIENCE, Server, plain_orders};

const CHANGES: i64 = 100;

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs a client that prints a line of JSON when it has said hello, and another with what it heard
/// once it heard `CHANGES` changes; makes the changes in between. Gives the second line.
async fn sees_every_change_in_order(program: &Path, script: &str) -> Value {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(10)).await;
    let script = checkout().join("server/tests/clients").join(script);
    let mut client = Command::new(program)
        .arg(&script)
        .args([&server.url(""), &owner.token, &CHANGES.to_string()])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap_or_else(|error| panic!("{} does not run: {error}", program.display()));
    let mut said = BufReader::new(client.stdout.take().unwrap()).lines();
    let mut next = async || -> Value {
        let line = timeout(PATIENCE, said.next_line())
            .await
            .expect("the client says something");
        serde_json::from_str(&line.unwrap().expect("the client runs")).unwrap()
    };

    let hello = next().await;
    assert_eq!(
        (&hello["seq"], &hello["transport"]),
        (&Value::from(10), &Value::from("websocket"))
    );
    for change in 0..CHANGES {
        owner.make_one_change(change % 10 + 1).await;
    }
    let heard = next().await;
    let expected: Vec<i64> = (11..=10 + CHANGES).collect();
    assert_eq!(heard["seqs"], Value::from(expected), "{heard}");
    let ended = timeout(PATIENCE, client.wait())
        .await
        .expect("the client ends");
    assert!(ended.unwrap().success());
    heard
}

#[tokio::test]
async fn the_official_client_in_node_sees_every_change_in_order() {
    assert!(
        checkout()
            .join("web/node_modules/socket.io-client/package.json")
            .exists(),
        "the official client is not installed: run `npm ci` in web"
    );
    let heard = sees_every_change_in_order(Path::new("node"), "node-client.mjs").await;
    let last = (10 + CHANGES).to_string();
    assert_eq!(heard["offset"], last, "presence is nothing to resume from");
}

#[tokio::test]
async fn the_python_client_sees_every_change_in_order() {
    let python = checkout().join("target/python/bin/python");
    assert!(
        python.exists(),
        "there is no {}: run `make tools`",
        python.display()
    );
    sees_every_change_in_order(&python, "python-client.py").await;
}
