//! Engine.IO v4 as its public test suite has it, and where that is silent: handshakes, messages,
//! heartbeats and how sessions end, by polling and on a WebSocket.

use std::time::{Duration, Instant};

use futures_util::SinkExt;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::fixture::{Packet, ProtocolFixture, SEPARATOR, Wire, ok_answer};

const ECHO: &str = "/engine.io/";

/// The fixture's.
const MAX_PAYLOAD: usize = 1_000_000;

/// Long enough for a request to be waiting at the server, on any day.
const A_WHILE: Duration = Duration::from_millis(100);

fn joined(packets: &[&str]) -> String {
    packets.join(&SEPARATOR.to_string())
}

fn handshake(open: &Value, upgrades: &Value) {
    let sid = open["sid"].as_str().unwrap();
    assert!(!sid.is_empty());
    assert_eq!(
        open,
        &json!({
            "sid": sid,
            "upgrades": upgrades,
            "pingInterval": 300,
            "pingTimeout": 200,
            "maxPayload": MAX_PAYLOAD,
        })
    );
}

#[tokio::test]
async fn a_session_opens_by_polling_and_may_be_upgraded() {
    let server = ProtocolFixture::start().await;
    handshake(&server.poller(ECHO).await.open, &json!(["websocket"]));
}

#[tokio::test]
async fn a_session_opens_on_a_websocket_which_is_the_best_there_is() {
    let server = ProtocolFixture::start().await;
    let path = format!("{ECHO}?EIO=4&transport=websocket");
    let mut wire = server.websocket(&path).await.unwrap();
    let open = wire.text().await;
    let open = serde_json::from_str(open.strip_prefix('0').unwrap()).unwrap();
    handshake(&open, &json!([]));
}

#[tokio::test]
async fn every_session_has_an_id_of_its_own() {
    let server = ProtocolFixture::patient().await;
    let mut ids = std::collections::HashSet::new();
    for _ in 0..50 {
        assert!(ids.insert(server.poller(ECHO).await.sid));
    }
}

#[tokio::test]
async fn a_handshake_without_a_valid_query_is_refused_by_both_transports() {
    let server = ProtocolFixture::patient().await;
    for query in [
        "",
        "?",
        "?transport=polling",
        "?transport=websocket",
        "?EIO=abc&transport=polling",
        "?EIO=abc&transport=websocket",
        "?EIO=3&transport=polling",
        "?EIO=3&transport=websocket",
        "?EIO=5&transport=websocket",
        "?EIO=&transport=polling",
        "?EIO=4",
        "?EIO=4&transport=",
        "?EIO=4&transport=abc",
        "?EIO=4&transport=webtransport",
        "?EIO=4&transport=polling&transport=polling",
        "?EIO=4&EIO=4&transport=websocket",
        "?EIO=4&transport=polling&sid=",
        "?EIO=4&transport=polling&sid=nobodys",
        "?EIO=4&transport=polling&sid=AAAAAAAAAAAAAAAA",
        "?EIO=4&transport=websocket&sid=AAAAAAAAAAAAAAAA",
        "?EIO=4&transport=websocket&sid=________________",
        "?EIO=4&transport=polling&sid=%00%ff",
    ] {
        let path = format!("{ECHO}{query}");
        let (status, body) = server.ask(Method::GET, &path).await;
        assert_eq!(status, 400, "{query}");
        let refusal: Value = serde_json::from_str(&body).unwrap();
        assert!(refusal["code"].is_u64() && refusal["message"].is_string());
        assert_eq!(server.websocket(&path).await.err(), Some(400), "{query}");
    }
}

#[tokio::test]
async fn a_websocket_is_not_served_by_a_plain_request_nor_polling_by_an_upgrade() {
    let server = ProtocolFixture::patient().await;
    let websocket = format!("{ECHO}?EIO=4&transport=websocket");
    assert_eq!(server.ask(Method::GET, &websocket).await.0, 400);
    assert_eq!(server.ask(Method::POST, &websocket).await.0, 400);
    let polling = format!("{ECHO}?EIO=4&transport=polling");
    assert_eq!(server.websocket(&polling).await.err(), Some(400));
}

#[tokio::test]
async fn a_handshake_is_a_get() {
    let server = ProtocolFixture::patient().await;
    let path = format!("{ECHO}?EIO=4&transport=polling");
    for method in [
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
        Method::HEAD,
        Method::OPTIONS,
    ] {
        assert_eq!(server.ask(method.clone(), &path).await.0, 400, "{method}");
    }
}

#[tokio::test]
async fn requests_of_a_session_are_get_and_post_and_others_leave_it_alone() {
    let server = ProtocolFixture::patient().await;
    let poller = server.poller(ECHO).await;
    let path = format!("{ECHO}?EIO=4&transport=polling&sid={}", poller.sid);
    for method in [Method::PUT, Method::DELETE, Method::PATCH] {
        assert_eq!(server.ask(method.clone(), &path).await.0, 400, "{method}");
    }
    assert_eq!(poller.post("4still here").await, ok_answer());
    assert_eq!(poller.packets().await, ["4still here"]);
}

#[tokio::test]
async fn a_session_of_one_address_is_unknown_at_another() {
    let server = ProtocolFixture::patient().await;
    let poller = server.poller(ECHO).await;
    let path = format!("/socket.io/?EIO=4&transport=polling&sid={}", poller.sid);
    assert_eq!(server.ask(Method::GET, &path).await.0, 400);
    assert!(!poller.is_gone().await);
}

#[tokio::test]
async fn the_slash_at_the_end_of_the_address_may_be_left_out() {
    let server = ProtocolFixture::patient().await;
    let poller = server.poller("/engine.io").await;
    assert_eq!(poller.post("4hello").await, ok_answer());
    assert_eq!(poller.packets().await, ["4hello"]);
    assert_eq!(
        server
            .wire("/engine.io")
            .await
            .stream
            .close(None)
            .await
            .ok(),
        Some(())
    );
}

#[tokio::test]
async fn payloads_of_texts_and_bytes_travel_both_ways_by_polling() {
    let server = ProtocolFixture::patient().await;
    let poller = server.poller(ECHO).await;
    for packets in [
        &["4hello"][..],
        &["4"],
        &["4€ 🚗 \u{0}"],
        &["4test1", "4test2", "4test3"],
        &["bAQIDBA=="],
        &["b"],
        &["4hello", "bAQIDBA==", "4", "b/+8="],
    ] {
        assert_eq!(poller.post(joined(packets)).await, ok_answer());
        assert_eq!(poller.packets().await, packets);
    }
}

#[tokio::test]
async fn a_poll_that_waits_is_answered_with_the_next_message() {
    let server = ProtocolFixture::patient().await;
    let poller = server.poller(ECHO).await;
    let (polled, posted) = tokio::join!(poller.get(), async {
        sleep(A_WHILE).await;
        poller.post("4late").await
    });
    assert_eq!((polled, posted), ((200, "4late".to_owned()), ok_answer()));
}

#[tokio::test]
async fn an_answer_to_a_poll_is_plain_text_and_is_not_cached() {
    let server = ProtocolFixture::patient().await;
    let url = format!("http://{}{ECHO}?EIO=4&transport=polling", server.address);
    let answer = crate::fixture::http().get(url).send().await.unwrap();
    assert_eq!(
        answer.headers()["content-type"],
        "text/plain; charset=UTF-8"
    );
    assert_eq!(answer.headers()["cache-control"], "no-store");
}

#[tokio::test]
async fn texts_and_bytes_travel_both_ways_on_a_websocket() {
    let server = ProtocolFixture::patient().await;
    let mut wire = server.wire(ECHO).await;
    for text in ["4hello", "4", "4€ 🚗 \u{0}", "4a\u{1e}4b"] {
        wire.send(text).await;
        assert_eq!(wire.text().await, text);
    }
    for bytes in [&[1, 2, 3, 4][..], &[], &[0xff; 70_000]] {
        wire.send_bytes(bytes).await;
        assert_eq!(wire.bytes().await, bytes);
    }
}

#[tokio::test]
async fn a_malformed_payload_ends_a_polling_session() {
    let server = ProtocolFixture::patient().await;
    for payload in [
        "abc",
        "",
        "7",
        "0",
        "2",
        "2probe",
        "3probe",
        "5",
        "b!",
        "bAQID=",
        "4ok\u{1e}",
        "\u{1e}4ok",
        "4ok\u{1e}x",
    ] {
        let poller = server.poller(ECHO).await;
        let (status, body) = poller.post(payload).await;
        assert_eq!(status, 400, "{payload:?}: {body}");
        assert_eq!(poller.get().await.0, 400, "{payload:?}");
    }
    let poller = server.poller(ECHO).await;
    assert_eq!(poller.post(&b"4\xff\xfe"[..]).await.0, 400);
    assert_eq!(poller.get().await.0, 400, "text that is not UTF-8");
}

#[tokio::test]
async fn a_malformed_packet_ends_a_session_on_a_websocket() {
    let server = ProtocolFixture::patient().await;
    for packet in ["abc", "", "7", "0", "2", "2probe", "3probe", "5", "b!"] {
        let mut wire = server.wire(ECHO).await;
        wire.send(packet).await;
        assert_eq!(wire.until_closed().await, [], "{packet:?}");
    }
}

#[tokio::test]
async fn two_polls_at_once_end_the_session() {
    let server = ProtocolFixture::patient().await;
    let poller = server.poller(ECHO).await;
    let (first, second) = tokio::join!(poller.get(), async {
        sleep(A_WHILE).await;
        poller.get().await
    });
    // On a busy machine the second one may be there first.
    let mut answers = [first, second];
    answers.sort();
    assert_eq!(answers[0], (200, "1".to_owned()), "CLOSE");
    assert_eq!(answers[1].0, 400);
    assert_eq!(poller.get().await.0, 400);
}

#[tokio::test]
async fn a_poll_whose_client_hangs_up_ends_the_session() {
    let server = ProtocolFixture::patient().await;
    for _ in 0..10 {
        let poller = server.poller(ECHO).await;
        let hung_up = timeout(A_WHILE * 5, poller.get()).await;
        assert!(hung_up.is_err(), "it waited");
        poller.ends().await;
    }
}

#[tokio::test]
async fn pings_come_by_polling_and_pongs_keep_the_session() {
    let server = ProtocolFixture::start_with(&["300", "20000"]).await;
    let poller = server.poller(ECHO).await;
    for _ in 0..4 {
        assert_eq!(poller.get().await, (200, "2".to_owned()));
        assert_eq!(poller.post("3").await, ok_answer());
    }
}

#[tokio::test]
async fn pings_come_on_a_websocket_and_pongs_keep_the_session() {
    let server = ProtocolFixture::start_with(&["300", "20000"]).await;
    let mut wire = server.wire(ECHO).await;
    for _ in 0..4 {
        assert_eq!(wire.raw().await, Some(Packet::Text("2".to_owned())));
        wire.send("3").await;
    }
}

#[tokio::test]
async fn a_session_ends_after_the_ping_timeout_and_not_before() {
    let server = ProtocolFixture::start_with(&["300", "2700"]).await;
    let limit = Duration::from_millis(300 + 2_700);
    let begun = Instant::now();
    let mut wire = server.wire(ECHO).await;
    assert_eq!(wire.raw().await, Some(Packet::Text("2".to_owned())));
    assert_eq!(wire.raw().await, None, "closed");
    assert!(begun.elapsed() >= limit, "{:?}", begun.elapsed());

    let begun = Instant::now();
    let poller = server.poller(ECHO).await;
    let (status, body) = poller.get().await;
    assert_eq!((status, &*body), (200, "2"));
    while poller.get().await.0 == 200 {}
    assert!(begun.elapsed() >= limit, "{:?}", begun.elapsed());

    let silent = server.poller(ECHO).await;
    sleep(limit * 2).await;
    assert_eq!(silent.get().await.0, 400, "it never came back");
    let cut = server.ask(Method::GET, "/cut-silent").await;
    assert_eq!(cut, (200, "3".to_owned()));
}

#[tokio::test]
async fn a_stalled_server_does_not_end_sessions_for_missing_pongs() {
    let server = ProtocolFixture::start_with(&["300", "6000"]).await;
    let mut wires = Vec::new();
    for _ in 0..10 {
        wires.push(server.wire(ECHO).await);
    }
    for wire in &mut wires {
        assert_eq!(wire.raw().await, Some(Packet::Text("2".to_owned())));
    }
    server.signal("STOP").await;
    for wire in &mut wires {
        wire.send("3").await;
    }
    sleep(Duration::from_secs(7)).await;
    server.signal("CONT").await;
    for wire in &mut wires {
        wire.send("4hello").await;
        assert_eq!(wire.text().await, "4hello");
    }
}

#[tokio::test]
async fn a_polling_client_that_closes_gets_its_last_poll_answered() {
    let server = ProtocolFixture::patient().await;
    let poller = server.poller(ECHO).await;
    let (polled, posted) = tokio::join!(poller.get(), async {
        sleep(A_WHILE).await;
        poller.post("1").await
    });
    assert_eq!((polled, posted), ((200, "6".to_owned()), ok_answer()));
    assert_eq!(poller.get().await.0, 400);
    assert_eq!(poller.post("4x").await.0, 400);
}

#[tokio::test]
async fn closing_and_polling_at_once_ends_the_same_whichever_comes_first() {
    let server = ProtocolFixture::patient().await;
    for _ in 0..100 {
        let poller = server.poller(ECHO).await;
        let (polled, posted) = tokio::join!(poller.get(), poller.post("1"));
        assert_eq!((polled, posted), ((200, "6".to_owned()), ok_answer()));
        assert_eq!(poller.get().await.0, 400);
    }
}

#[tokio::test]
async fn packets_after_a_close_in_one_payload_are_ignored() {
    let server = ProtocolFixture::patient().await;
    let poller = server.poller(ECHO).await;
    let (polled, posted) = tokio::join!(poller.get(), async {
        sleep(A_WHILE).await;
        poller.post(joined(&["1", "4hello", "abc"])).await
    });
    assert_eq!((polled, posted), ((200, "6".to_owned()), ok_answer()));
}

#[tokio::test]
async fn a_websocket_client_that_closes_gets_all_earlier_messages() {
    let server = ProtocolFixture::patient().await;
    let mut wire = server.wire(ECHO).await;
    wire.send("4last").await;
    wire.send("1").await;
    let heard = wire.until_closed().await;
    assert_eq!(heard, [Packet::Text("4last".to_owned())]);

    let mut wire = server.wire(ECHO).await;
    wire.send("4last").await;
    wire.stream.close(None).await.unwrap();
    let heard = wire.until_closed().await;
    assert_eq!(heard, [Packet::Text("4last".to_owned())]);
}

#[tokio::test]
async fn the_largest_payload_is_accepted_and_a_larger_one_refused() {
    let server = ProtocolFixture::patient().await;
    let largest = format!("4{}", "x".repeat(MAX_PAYLOAD - 1));
    let poller = server.poller(ECHO).await;
    assert_eq!(poller.post(largest.clone()).await, ok_answer());
    assert_eq!(poller.packets().await.concat(), largest);
    assert_eq!(poller.post(format!("{largest}x")).await.0, 413);

    let mut wire = server.wire(ECHO).await;
    wire.send(&largest).await;
    assert_eq!(wire.text().await, largest);
    wire.send_bytes(largest.as_bytes()).await;
    assert_eq!(wire.bytes().await, largest.as_bytes());
    // It may be closed before all of it is written.
    let _ = wire.stream.send(Message::text(format!("{largest}x"))).await;
    assert_eq!(wire.until_closed().await, []);
}

#[tokio::test]
async fn many_large_messages_in_a_row_all_come_back() {
    let server = ProtocolFixture::patient().await;
    let mut wire = server.wire(ECHO).await;
    let texts: Vec<String> = (0..20)
        .map(|number| format!("4{number}{}", "x".repeat(40_000 * number)))
        .collect();
    for text in &texts {
        wire.send(text).await;
        assert_eq!(&wire.text().await, text);
    }
}

/// One message in frames of these texts.
fn fragments(texts: &[&str], kind: Data) -> Vec<Message> {
    let frame = |(number, text): (usize, &&str)| {
        let kind = if number == 0 { kind } else { Data::Continue };
        let last = number + 1 == texts.len();
        let bytes = text.as_bytes().to_vec();
        Message::Frame(Frame::message(bytes, OpCode::Data(kind), last))
    };
    texts.iter().enumerate().map(frame).collect()
}

async fn send_all(wire: &mut Wire, messages: Vec<Message>) {
    for message in messages {
        // A wire that was closed meanwhile shows it when it is read.
        let _ = wire.stream.send(message).await;
    }
}

#[tokio::test]
async fn a_message_may_come_in_fragments() {
    let server = ProtocolFixture::patient().await;
    let mut wire = server.wire(ECHO).await;
    send_all(&mut wire, fragments(&["4hel", "", "lo"], Data::Text)).await;
    assert_eq!(wire.text().await, "4hello");
    send_all(&mut wire, fragments(&["by", "tes"], Data::Binary)).await;
    assert_eq!(wire.bytes().await, b"bytes");
    let half = "x".repeat(MAX_PAYLOAD / 2);
    let halves = [&*format!("4{}", &half[1..]), &half];
    send_all(&mut wire, fragments(&halves, Data::Text)).await;
    assert_eq!(wire.text().await, halves.concat());

    let mut fragments_and_a_ping = fragments(&["4hel", "lo"], Data::Text);
    fragments_and_a_ping.insert(1, Message::Ping(vec![1].into()));
    send_all(&mut wire, fragments_and_a_ping).await;
    assert_eq!(wire.text().await, "4hello", "a ping may come in between");
}

#[tokio::test]
async fn fragments_that_make_no_message_close() {
    let server = ProtocolFixture::patient().await;
    let half = "x".repeat(MAX_PAYLOAD / 2 + 1);
    let too_large = fragments(&[&half, &half], Data::Text);
    let nothing_begun = fragments(&["4a", "b"], Data::Text)[1..].to_vec();
    let begun_twice = [
        fragments(&["4a", "b"], Data::Text)[0].clone(),
        Message::text("4c"),
        fragments(&["4a", "b"], Data::Text)[0].clone(),
    ];
    for messages in [too_large, nothing_begun, begun_twice.to_vec()] {
        let mut wire = server.wire(ECHO).await;
        send_all(&mut wire, messages).await;
        wire.until_closed().await;
    }
}
