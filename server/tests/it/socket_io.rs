//! Socket.IO v5 as its public test suite has it, and where that is silent: namespaces, events and
//! acknowledgements, with and without attachments, on a WebSocket and by polling.

use std::time::Duration;

use futures_util::SinkExt;
use serde_json::Value;
use tokio::time::sleep;
use tokio_tungstenite::tungstenite::Message;

use crate::fixture::{Packet, Poller, ProtocolFixture, SEPARATOR, WAIT_TIMEOUT, Wire, ok_answer};

const ROOT: &str = "/socket.io/";

fn text(text: &str) -> Packet {
    Packet::Text(text.to_owned())
}

fn bytes(bytes: &[u8]) -> Packet {
    Packet::Binary(bytes.to_vec())
}

/// The `sid` of a CONNECT, which holds nothing else.
fn sid(packet: &str, prefix: &str) -> String {
    let answer = packet
        .strip_prefix(prefix)
        .unwrap_or_else(|| panic!("{packet}"));
    let answer: Value = serde_json::from_str(answer).unwrap();
    assert_eq!(answer.as_object().unwrap().len(), 1, "{packet}");
    answer["sid"].as_str().unwrap().to_owned()
}

/// On a WebSocket, in the main namespace.
async fn connected(server: &ProtocolFixture) -> Wire {
    let mut wire = server.wire(ROOT).await;
    wire.send("40").await;
    sid(&wire.text().await, "40");
    assert_eq!(wire.text().await, r#"42["auth",{}]"#);
    wire
}

/// By polling, in the main namespace.
async fn polling(server: &ProtocolFixture) -> Poller {
    let poller = server.poller(ROOT).await;
    assert_eq!(poller.post("40").await, ok_answer());
    let mut packets = poller.packets().await;
    while packets.len() < 2 {
        packets.extend(poller.packets().await);
    }
    sid(&packets[0], "40");
    assert_eq!(packets[1..], [r#"42["auth",{}]"#]);
    poller
}

async fn is_alive(wire: &mut Wire) {
    wire.send(r#"420["message-with-ack"]"#).await;
    assert_eq!(wire.text().await, "430[]");
}

#[tokio::test]
async fn a_client_connects_to_a_namespace_with_and_without_a_payload() {
    let server = ProtocolFixture::patient().await;
    for (connect, answer, auth) in [
        ("40", "40", r#"42["auth",{}]"#),
        ("40/,", "40", r#"42["auth",{}]"#),
        (
            r#"40{"token":"123"}"#,
            "40",
            r#"42["auth",{"token":"123"}]"#,
        ),
        ("40/custom,", "40/custom,", r#"42/custom,["auth",{}]"#),
        ("40/custom", "40/custom,", r#"42/custom,["auth",{}]"#),
        (
            r#"40/custom,{"token":"€,["}"#,
            "40/custom,",
            r#"42/custom,["auth",{"token":"€,["}]"#,
        ),
    ] {
        let mut wire = server.wire(ROOT).await;
        wire.send(connect).await;
        sid(&wire.text().await, answer);
        assert_eq!(wire.text().await, auth, "{connect}");
    }
}

#[tokio::test]
async fn a_session_may_be_in_two_namespaces_which_have_ids_of_their_own() {
    let server = ProtocolFixture::patient().await;
    let mut wire = server.wire(ROOT).await;
    wire.send("40").await;
    let main = sid(&wire.text().await, "40");
    assert_eq!(wire.text().await, r#"42["auth",{}]"#);
    wire.send("40/custom,").await;
    let custom = sid(&wire.text().await, "40/custom,");
    assert_eq!(wire.text().await, r#"42/custom,["auth",{}]"#);
    assert_ne!(main, custom);
    wire.send(r#"42/custom,["message","there"]"#).await;
    wire.send(r#"42["message","here"]"#).await;
    assert_eq!(wire.text().await, r#"42/custom,["message-back","there"]"#);
    assert_eq!(wire.text().await, r#"42["message-back","here"]"#);
}

#[tokio::test]
async fn a_namespace_that_is_not_there_is_refused_and_the_others_are_not() {
    let server = ProtocolFixture::patient().await;
    let mut wire = connected(&server).await;
    for namespace in ["/random", "/customs", "/custom/", "/Custom", "/ü", "/a?b=c"] {
        for connect in [
            format!("40{namespace}"),
            format!("40{namespace},{{\"a\":1}}"),
        ] {
            wire.send(&connect).await;
            let refusal = format!(r#"44{namespace},{{"message":"Invalid namespace"}}"#);
            assert_eq!(wire.text().await, refusal);
        }
    }
    is_alive(&mut wire).await;
}

#[tokio::test]
async fn a_session_that_connects_to_no_namespace_in_time_is_closed() {
    let server = ProtocolFixture::patient().await;
    let begun = std::time::Instant::now();
    let silent = server.wire(ROOT).await;
    let mut refused = server.wire(ROOT).await;
    refused.send("40/random,").await;
    let poller = server.poller(ROOT).await;
    let mut left = connected(&server).await;
    let mut stays = connected(&server).await;

    assert_eq!(silent.until_closed().await, []);
    assert!(begun.elapsed() >= Duration::from_secs(1), "{begun:?}");
    let refusal = r#"44/random,{"message":"Invalid namespace"}"#;
    assert_eq!(refused.until_closed().await, [text(refusal)]);
    // Its time began a little later than theirs.
    let session_end = async {
        loop {
            let (status, ..) = poller.get().await;
            if status != 200 {
                return status;
            }
        }
    };
    let session_end = tokio::time::timeout(WAIT_TIMEOUT, session_end).await;
    assert_eq!(session_end.expect("it is closed, too"), 400);
    left.send("41").await;
    assert_eq!(left.until_closed().await, [], "and who left and stays away");
    is_alive(&mut stays).await;
}

#[tokio::test]
async fn leaving_one_namespace_leaves_the_other() {
    let server = ProtocolFixture::patient().await;
    let mut wire = connected(&server).await;
    wire.send("40/custom,").await;
    sid(&wire.text().await, "40/custom,");
    assert_eq!(wire.text().await, r#"42/custom,["auth",{}]"#);
    wire.send("41/custom,").await;
    wire.send(r#"42["message","message to main namespace"]"#)
        .await;
    let heard = wire.text().await;
    assert_eq!(heard, r#"42["message-back","message to main namespace"]"#);
    wire.send("40/custom,").await;
    sid(&wire.text().await, "40/custom,");
    assert_eq!(wire.text().await, r#"42/custom,["auth",{}]"#, "and back");
    wire.send("41").await;
    wire.send(r#"42/custom,["message",1]"#).await;
    assert_eq!(wire.text().await, r#"42/custom,["message-back",1]"#);
}

#[tokio::test]
async fn events_to_a_namespace_that_the_client_left_are_ignored() {
    let server = ProtocolFixture::patient().await;
    let mut wire = connected(&server).await;
    wire.send("41").await;
    wire.send(r#"42["message",1]"#).await;
    assert_eq!(wire.until_closed().await, []);
}

#[tokio::test]
async fn events_come_back_as_they_were_sent() {
    let server = ProtocolFixture::patient().await;
    let mut wire = connected(&server).await;
    for arguments in [
        r#",1,"2",{"3":[true]}"#,
        "",
        ",null",
        r#","€ 🚗 \u0000 \" ,""#,
        ",123456789012345678901234567890.50",
        r#",{"_placeholder":true,"num":0}"#,
    ] {
        wire.send(&format!(r#"42["message"{arguments}]"#)).await;
        let expected = format!(r#"42["message-back"{arguments}]"#);
        assert_eq!(wire.text().await, expected);
        wire.send(&format!(r#"42456["message-with-ack"{arguments}]"#))
            .await;
        let expected = format!("43456[{}]", arguments.trim_start_matches(','));
        assert_eq!(wire.text().await, expected);
    }
}

const ONE: &str = r#"{"_placeholder":true,"num":0}"#;
const TWO: &str = r#"{"_placeholder":true,"num":1}"#;

#[tokio::test]
async fn attachments_travel_both_ways_on_a_websocket() {
    let server = ProtocolFixture::patient().await;
    let mut wire = connected(&server).await;
    wire.send(&format!(r#"452-["message",{ONE},{TWO}]"#)).await;
    wire.send_bytes(&[1, 2, 3]).await;
    wire.send_bytes(&[4, 5, 6]).await;
    assert_eq!(
        wire.text().await,
        format!(r#"452-["message-back",{ONE},{TWO}]"#)
    );
    assert_eq!(wire.bytes().await, [1, 2, 3]);
    assert_eq!(wire.bytes().await, [4, 5, 6]);

    wire.send(&format!(r#"452-789["message-with-ack",{ONE},{TWO}]"#))
        .await;
    wire.send_bytes(&[]).await;
    wire.send_bytes(&[4; 70_000]).await;
    assert_eq!(wire.text().await, format!("462-789[{ONE},{TWO}]"));
    assert_eq!(wire.bytes().await, [0; 0]);
    assert_eq!(wire.bytes().await, [4; 70_000]);

    wire.send("40/custom,").await;
    sid(&wire.text().await, "40/custom,");
    assert_eq!(wire.text().await, r#"42/custom,["auth",{}]"#);
    wire.send(&format!(
        r#"451-/custom,7["message-with-ack",{{"deep":[{ONE}]}}]"#
    ))
    .await;
    wire.send_bytes(&[7]).await;
    assert_eq!(
        wire.text().await,
        format!(r#"461-/custom,7[{{"deep":[{ONE}]}}]"#)
    );
    assert_eq!(wire.bytes().await, [7]);
}

#[tokio::test]
async fn events_and_attachments_travel_both_ways_by_polling() {
    let server = ProtocolFixture::patient().await;
    let poller = polling(&server).await;
    let packets = [
        r#"42["message",1]"#.to_owned(),
        format!(r#"452-5["message-with-ack",{ONE},{TWO}]"#),
        "bAQID".to_owned(),
        "bBAUG".to_owned(),
        r#"426["message-with-ack","x"]"#.to_owned(),
    ];
    let payload = packets.join(&SEPARATOR.to_string());
    assert_eq!(poller.post(payload).await, ok_answer());
    let mut heard = Vec::new();
    while heard.len() < 5 {
        heard.extend(poller.packets().await);
    }
    assert_eq!(
        heard,
        [
            r#"42["message-back",1]"#,
            &format!("462-5[{ONE},{TWO}]"),
            "bAQID",
            "bBAUG",
            r#"436["x"]"#,
        ]
    );
}

#[tokio::test]
async fn attachments_may_come_in_payloads_of_their_own() {
    let server = ProtocolFixture::patient().await;
    let poller = polling(&server).await;
    for packet in [
        &*format!(r#"452-["message",{ONE},{TWO}]"#),
        "bAQID",
        "bBAUG",
    ] {
        assert_eq!(poller.post(packet.to_owned()).await, ok_answer());
    }
    let mut heard = Vec::new();
    while heard.len() < 3 {
        heard.extend(poller.packets().await);
    }
    let expected = format!(r#"452-["message-back",{ONE},{TWO}]"#);
    assert_eq!(heard, [&*expected, "bAQID", "bBAUG"]);
}

#[tokio::test]
async fn a_conversation_continues_across_an_upgrade() {
    let server = ProtocolFixture::patient().await;
    let poller = polling(&server).await;
    let mut wire = server.probe(ROOT, &poller.sid).await;
    wire.send("2probe").await;
    assert_eq!(wire.text().await, "3probe");
    // The event comes by one transport and its attachment by the other.
    let packet = format!(r#"451-["message",{ONE}]"#);
    assert_eq!(poller.post(packet).await, ok_answer());
    wire.send("5").await;
    wire.send_bytes(&[9]).await;
    assert_eq!(wire.text().await, format!(r#"451-["message-back",{ONE}]"#));
    assert_eq!(wire.bytes().await, [9]);
    is_alive(&mut wire).await;
}

#[tokio::test]
async fn an_unknown_event_and_an_unexpected_acknowledgement_are_ignored() {
    let server = ProtocolFixture::patient().await;
    let mut wire = connected(&server).await;
    for packet in [r#"42["unknown",1]"#, r#"42["message-with-ack"]"#, "4399[1]"] {
        wire.send(packet).await;
    }
    is_alive(&mut wire).await;
}

/// What closes the connection of a client that is connected.
const MALFORMED: [&str; 36] = [
    "4abc",
    "4",
    "47",
    "44",
    r#"44{"message":"x"}"#,
    "42",
    "42{}",
    "42[]",
    "42[null]",
    "42[{}]",
    r#"42"x""#,
    r#"42["message""#,
    r#"42["message"]]"#,
    r#"42abc["message-with-ack",1]"#,
    r#"42-1["message-with-ack",1]"#,
    r#"421.5["message-with-ack",1]"#,
    r#"42["connect"]"#,
    r#"42["connect_error"]"#,
    r#"42["disconnect"]"#,
    r#"42["disconnecting"]"#,
    r#"42["newListener"]"#,
    r#"42["removeListener"]"#,
    "43[]",
    "431",
    "431{}",
    r#"42/custom,["message"]"#,
    "41/custom,",
    "40",
    r#"45["message"]"#,
    r#"45-["message"]"#,
    r#"45x-["message"]"#,
    r#"4511-["message"]"#,
    r#"4599999999999999999999-["message"]"#,
    r#"450-["message",{"_placeholder":true,"num":0}]"#,
    "461-[]",
    "450-{}",
];

#[tokio::test]
async fn malformed_packets_close_a_websocket() {
    let server = ProtocolFixture::patient().await;
    for packet in MALFORMED {
        let mut wire = connected(&server).await;
        wire.send(packet).await;
        assert_eq!(wire.until_closed().await, [], "{packet}");
    }
}

#[tokio::test]
async fn malformed_packets_close_a_polling_session() {
    let server = ProtocolFixture::patient().await;
    for packet in MALFORMED {
        let poller = polling(&server).await;
        assert_eq!(poller.post(packet).await.0, 400, "{packet}");
        assert_eq!(poller.get().await.0, 400, "{packet}");
    }
}

#[tokio::test]
async fn before_a_connect_any_other_packet_closes_the_session() {
    let server = ProtocolFixture::patient().await;
    for packet in [
        "4abc",
        "41",
        r#"42["message"]"#,
        "431[]",
        "40[]",
        "40null",
        r#"40"x""#,
        "40{",
        r#"40{"token":}"#,
        "40nonsense",
        "40/custom,[]",
        r#"451-["message",{"_placeholder":true,"num":0}]"#,
    ] {
        let mut wire = server.wire(ROOT).await;
        wire.send(packet).await;
        // The attachment the last one waits for.
        let _ = wire.stream.send(Message::binary(vec![1])).await;
        assert_eq!(wire.until_closed().await, [], "{packet}");
    }
}

#[tokio::test]
async fn bytes_that_belong_to_no_event_close_the_session() {
    let server = ProtocolFixture::patient().await;
    let mut wire = connected(&server).await;
    wire.send_bytes(&[1]).await;
    assert_eq!(wire.until_closed().await, []);

    let mut wire = connected(&server).await;
    wire.send(&format!(r#"451-["message",{ONE}]"#)).await;
    wire.send_bytes(&[1]).await;
    wire.send_bytes(&[2]).await;
    let back = format!(r#"451-["message-back",{ONE}]"#);
    assert_eq!(
        wire.until_closed().await,
        [text(&back), bytes(&[1])],
        "one too many"
    );

    let mut wire = connected(&server).await;
    wire.send(&format!(r#"452-["message",{ONE},{TWO}]"#)).await;
    wire.send_bytes(&[1]).await;
    wire.send(r#"42["message"]"#).await;
    assert_eq!(wire.until_closed().await, [], "one too few");
}

#[tokio::test]
async fn a_placeholder_without_an_attachment_closes_the_session() {
    let server = ProtocolFixture::patient().await;
    for num in ["1", "-1", "0.5", "null", r#""0""#, "18446744073709551616"] {
        let mut wire = connected(&server).await;
        let place = format!(r#"{{"_placeholder":true,"num":{num}}}"#);
        wire.send(&format!(r#"451-["message",[{place}]]"#)).await;
        wire.send_bytes(&[1]).await;
        assert_eq!(wire.until_closed().await, [], "{num}");
    }
}

#[tokio::test]
async fn as_many_attachments_as_are_allowed_come_back_and_one_more_closes() {
    let server = ProtocolFixture::patient().await;
    let mut wire = connected(&server).await;
    wire.send(r#"4510-["message"]"#).await;
    for number in 0..10 {
        wire.send_bytes(&[number]).await;
    }
    assert_eq!(wire.text().await, r#"4510-["message-back"]"#);
    for number in 0..10 {
        assert_eq!(wire.bytes().await, [number]);
    }
    wire.send(r#"4511-["message"]"#).await;
    assert_eq!(wire.until_closed().await, []);
}

#[tokio::test]
async fn attachments_that_are_too_heavy_together_close() {
    let server = ProtocolFixture::patient().await;
    let mut wire = connected(&server).await;
    wire.send(&format!(r#"452-["message",{ONE},{TWO}]"#)).await;
    wire.send_bytes(&vec![1; 600_000]).await;
    // It may be closed before all of it is written.
    let _ = wire.stream.send(Message::binary(vec![2; 600_000])).await;
    assert_eq!(wire.until_closed().await, []);
}

#[tokio::test]
async fn many_events_come_back_in_order() {
    let server = ProtocolFixture::patient().await;
    let mut wire = connected(&server).await;
    for number in 0..1_000 {
        wire.stream
            .feed(Message::text(format!(r#"42["message",{number}]"#)))
            .await
            .unwrap();
    }
    wire.stream.flush().await.unwrap();
    for number in 0..1_000 {
        assert_eq!(wire.text().await, format!(r#"42["message-back",{number}]"#));
    }
}

#[tokio::test]
async fn heartbeats_do_not_disturb_an_event_that_waits_for_its_attachment() {
    let server = ProtocolFixture::start_with(&["100", "20000"]).await;
    let mut wire = connected(&server).await;
    wire.send(&format!(r#"451-["message",{ONE}]"#)).await;
    sleep(Duration::from_millis(250)).await;
    assert_eq!(wire.raw().await, Some(text("2")));
    wire.send("3").await;
    wire.send_bytes(&[1]).await;
    assert_eq!(wire.text().await, format!(r#"451-["message-back",{ONE}]"#));
    assert_eq!(wire.bytes().await, [1]);
}
