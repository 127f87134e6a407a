//! From polling to a WebSocket, and what may go wrong in between.

use std::time::{Duration, Instant};

use futures_util::SinkExt;
use tokio::time::sleep;
use tokio_tungstenite::tungstenite::Message;

use crate::fixture::{Packet, Poller, ProtocolFixture, Wire, ok_answer};

const ECHO: &str = "/engine.io/";
const A_WHILE: Duration = Duration::from_millis(100);

/// A session that polls, and the WebSocket that has shown that it works.
async fn probed(server: &ProtocolFixture) -> (Poller, Wire) {
    let poller = server.poller(ECHO).await;
    let mut wire = server.probe(ECHO, &poller.sid).await;
    wire.send("2probe").await;
    assert_eq!(wire.text().await, "3probe");
    (poller, wire)
}

async fn upgraded(server: &ProtocolFixture) -> (Poller, Wire) {
    let (poller, mut wire) = probed(server).await;
    wire.send("5").await;
    wire.send("4up").await;
    assert_eq!(wire.text().await, "4up");
    (poller, wire)
}

#[tokio::test]
async fn a_session_goes_from_polling_to_a_websocket() {
    let server = ProtocolFixture::patient().await;
    let (poller, mut wire) = probed(&server).await;
    let noop = poller.get().await;
    assert_eq!(noop, (200, "6".to_owned()), "a poll ends at once");
    wire.send("5").await;
    wire.send("4hello").await;
    assert_eq!(wire.text().await, "4hello");
    wire.send_bytes(&[1, 2]).await;
    assert_eq!(wire.bytes().await, [1, 2]);
}

#[tokio::test]
async fn a_poll_that_waits_ends_when_the_websocket_works() {
    let server = ProtocolFixture::patient().await;
    let poller = server.poller(ECHO).await;
    let (polled, mut wire) = tokio::join!(poller.get(), async {
        sleep(A_WHILE).await;
        let mut wire = server.probe(ECHO, &poller.sid).await;
        wire.send("2probe").await;
        assert_eq!(wire.text().await, "3probe");
        wire
    });
    assert_eq!(polled, (200, "6".to_owned()));
    wire.send("5").await;
    wire.send("4hello").await;
    assert_eq!(wire.text().await, "4hello");
}

#[tokio::test]
async fn polls_before_the_probe_end_but_not_so_fast_that_a_client_spins() {
    let server = ProtocolFixture::patient().await;
    let poller = server.poller(ECHO).await;
    let mut wire = server.probe(ECHO, &poller.sid).await;
    let begun = Instant::now();
    for _ in 0..5 {
        assert_eq!(poller.get().await, (200, "6".to_owned()));
    }
    assert!(begun.elapsed() >= A_WHILE * 5);
    wire.send("2probe").await;
    wire.send("5").await;
    wire.send("4hello").await;
    assert_eq!(wire.text().await, "3probe");
    assert_eq!(wire.text().await, "4hello");
}

#[tokio::test]
async fn after_an_upgrade_polling_is_over_and_the_session_is_not() {
    let server = ProtocolFixture::patient().await;
    let (poller, mut wire) = upgraded(&server).await;
    assert_eq!(poller.get().await.0, 400);
    assert_eq!(poller.post("4by post").await.0, 400);
    wire.send("4hello").await;
    assert_eq!(wire.text().await, "4hello");
}

/// The packets of an upgrade are on their way when the poll is.
#[tokio::test]
async fn a_poll_right_behind_an_upgrade_comes_too_late() {
    let server = ProtocolFixture::patient().await;
    for _ in 0..100 {
        let poller = server.poller(ECHO).await;
        let mut wire = server.probe(ECHO, &poller.sid).await;
        wire.send("2probe").await;
        wire.send("5").await;
        assert_eq!(poller.get().await.0, 400);
        wire.send("4hello").await;
        assert_eq!(wire.text().await, "3probe");
        assert_eq!(wire.text().await, "4hello");
    }
}

#[tokio::test]
async fn a_second_websocket_is_closed_and_the_first_is_not() {
    let server = ProtocolFixture::patient().await;
    let (poller, mut wire) = upgraded(&server).await;
    let second = server.probe(ECHO, &poller.sid).await;
    assert_eq!(second.until_closed().await, []);
    wire.send("4hello").await;
    assert_eq!(wire.text().await, "4hello");

    let (poller, mut wire) = probed(&server).await;
    let second = server.probe(ECHO, &poller.sid).await;
    assert_eq!(second.until_closed().await, [], "also while one is probing");
    wire.send("5").await;
    wire.send("4hello").await;
    assert_eq!(wire.text().await, "4hello");
}

#[tokio::test]
async fn a_session_that_began_on_a_websocket_takes_no_other_and_no_polls() {
    let server = ProtocolFixture::patient().await;
    let path = format!("{ECHO}?EIO=4&transport=websocket");
    let mut wire = server.websocket(&path).await.unwrap();
    let open = wire.text().await;
    let open: serde_json::Value = serde_json::from_str(&open[1..]).unwrap();
    let sid = open["sid"].as_str().unwrap();
    assert_eq!(server.probe(ECHO, sid).await.until_closed().await, []);
    let polling = format!("{ECHO}?EIO=4&transport=polling&sid={sid}");
    assert_eq!(server.ask(reqwest::Method::GET, &polling).await.0, 400);
    wire.send("4hello").await;
    assert_eq!(wire.text().await, "4hello");
}

#[tokio::test]
async fn a_websocket_that_sends_anything_but_a_probe_is_closed_and_polling_continues() {
    let server = ProtocolFixture::patient().await;
    for packet in ["4hello", "3", "", "1", "2", "3probe", "0", "x"] {
        let poller = server.poller(ECHO).await;
        let mut wire = server.probe(ECHO, &poller.sid).await;
        wire.send(packet).await;
        assert_eq!(wire.until_closed().await, [], "{packet:?}");
        assert_eq!(poller.post("4still").await, ok_answer());
        assert_eq!(next_packets(&poller).await, ["4still"], "{packet:?}");
    }
    let poller = server.poller(ECHO).await;
    let mut wire = server.probe(ECHO, &poller.sid).await;
    wire.send_bytes(b"2probe").await;
    assert_eq!(wire.until_closed().await, []);
    assert_eq!(poller.post("4still").await, ok_answer());
    assert_eq!(next_packets(&poller).await, ["4still"]);
}

/// The next packets but noops, which an upgrade that went wrong may leave behind.
async fn next_packets(poller: &Poller) -> Vec<String> {
    loop {
        let mut packets = poller.packets().await;
        packets.retain(|packet| packet != "6");
        if !packets.is_empty() {
            return packets;
        }
    }
}

#[tokio::test]
async fn a_websocket_that_drops_in_mid_upgrade_leaves_the_session_polling() {
    let server = ProtocolFixture::patient().await;
    for with_goodbye in [true, false] {
        let (poller, mut wire) = probed(&server).await;
        if with_goodbye {
            wire.stream.close(None).await.unwrap();
        }
        drop(wire);
        assert_eq!(poller.post("4still").await, ok_answer());
        assert_eq!(next_packets(&poller).await, ["4still"]);

        // And it may try again, once the server knows that the first is gone.
        let mut wire = loop {
            let mut wire = server.probe(ECHO, &poller.sid).await;
            // A wire that is closed shows it when it is read.
            let _ = wire.stream.send(Message::text("2probe")).await;
            if wire.next().await == Some(Packet::Text("3probe".to_owned())) {
                break wire;
            }
        };
        wire.send("5").await;
        wire.send("4hello").await;
        assert_eq!(wire.text().await, "4hello");
    }
}

#[tokio::test]
async fn an_upgrade_that_is_never_completed_is_abandoned_and_polling_continues() {
    let server = ProtocolFixture::start_with(&["25000", "20000", "3000"]).await;
    let (poller, wire) = probed(&server).await;
    assert_eq!(wire.until_closed().await, []);
    assert_eq!(poller.post("4still").await, ok_answer());
    assert_eq!(next_packets(&poller).await, ["4still"]);

    let poller = server.poller(ECHO).await;
    let silent = server.probe(ECHO, &poller.sid).await;
    assert_eq!(silent.until_closed().await, [], "not even a probe");
    let (polled, posted) = tokio::join!(poller.get(), async {
        sleep(A_WHILE * 3).await;
        poller.post("4late").await
    });
    assert_eq!(polled, (200, "4late".to_owned()), "polls wait again");
    assert_eq!(posted, ok_answer());
}

#[tokio::test]
async fn heartbeats_continue_across_an_upgrade() {
    let server = ProtocolFixture::start_with(&["300", "20000"]).await;
    let (_, mut wire) = upgraded(&server).await;
    for _ in 0..3 {
        assert_eq!(wire.raw().await, Some(Packet::Text("2".to_owned())));
        wire.send("3").await;
    }
}

#[tokio::test]
async fn a_session_that_ends_closes_its_probe() {
    let server = ProtocolFixture::patient().await;
    let (poller, wire) = probed(&server).await;
    assert_eq!(poller.post("1").await, ok_answer());
    assert_eq!(wire.until_closed().await, []);
}

/// As the official client does it: it polls and posts until the WebSocket works, takes the last
/// poll's answer, and continues on the WebSocket.
async fn upgrade_under_way(server: &ProtocolFixture, pause: Duration) -> Vec<String> {
    let poller = server.poller(ECHO).await;
    let mut heard = Vec::new();
    let mut output = 0;
    let mut say = || {
        output += 1;
        format!("4{output}")
    };
    poller.post(say()).await;
    let (working, works) = tokio::sync::watch::channel(false);
    let polls = async {
        loop {
            let last = *works.borrow();
            heard.extend(poller.packets().await);
            if last {
                break;
            }
        }
    };
    let posts = async {
        let mut wire = server.probe(ECHO, &poller.sid).await;
        assert_eq!(poller.post(say()).await, ok_answer());
        sleep(pause).await;
        wire.send("2probe").await;
        assert_eq!(poller.post(say()).await, ok_answer());
        assert_eq!(wire.text().await, "3probe");
        assert_eq!(poller.post(say()).await, ok_answer());
        working.send(true).unwrap();
        assert_eq!(poller.post(say()).await, ok_answer());
        wire
    };
    let ((), mut wire) = tokio::join!(polls, posts);
    // Posted when no poll was left to bring it.
    assert_eq!(poller.post(say()).await, ok_answer());
    wire.send("5").await;
    for _ in 0..3 {
        wire.send(&say()).await;
    }
    heard.retain(|packet| packet != "6");
    while heard.len() < output {
        heard.push(wire.text().await);
    }
    wire.send("1").await;
    let more = wire.until_closed().await;
    assert_eq!(more, [], "nothing comes twice");
    heard
}

#[tokio::test]
async fn messages_during_an_upgrade_are_neither_lost_nor_doubled_and_keep_their_order() {
    let server = ProtocolFixture::patient().await;
    for round in 0..40 {
        let heard = upgrade_under_way(&server, Duration::from_millis(round % 8)).await;
        let expected: Vec<String> = (1..=heard.len())
            .map(|number| format!("4{number}"))
            .collect();
        assert_eq!(heard, expected);
        assert_eq!(heard.len(), 9);
    }
}
