//! Clients that break the protocol: each is closed or refused, and nobody else notices.

use std::time::Duration;

use futures_util::SinkExt;
use futures_util::future::join_all;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::fixture::{Desk, Server, Socket, WAIT_TIMEOUT, plain_orders};

/// A shop with a listener that nothing may disturb.
struct Shop {
    server: Server,
    owner: Desk,
    bystander: Socket,
}

impl Shop {
    async fn open() -> Self {
        let (server, owner) = Server::with_owner().await;
        server.shop.import(&plain_orders(1)).await;
        let bystander = owner.listen(&server).await;
        Self {
            server,
            owner,
            bystander,
        }
    }

    async fn stranger(&self) -> Socket {
        Socket::open(self.server.address).await
    }

    async fn colleague(&self) -> Socket {
        self.owner.listen(&self.server).await
    }

    /// The next change is made and received as if no client had been rude.
    async fn is_undisturbed(&mut self, after: &str) {
        let seq = self.owner.make_one_change(1).await;
        assert_eq!(self.bystander.modified().await["seq"], seq, "{after}");
    }
}

fn text(text: &str) -> Message {
    Message::text(text)
}

fn binary(bytes: &'static [u8]) -> Message {
    Message::binary(bytes)
}

/// A message of three frames, each with this text.
fn fragments(text: &str) -> [Message; 3] {
    let frame = |opcode, last| {
        Message::Frame(Frame::message(
            text.as_bytes().to_vec(),
            OpCode::Data(opcode),
            last,
        ))
    };
    [
        frame(Data::Text, false),
        frame(Data::Continue, false),
        frame(Data::Continue, true),
    ]
}

/// Packets that no real client sends, signed in or not.
fn garbage() -> Vec<(String, Vec<Message>)> {
    let mut garbage: Vec<(String, Vec<Message>)> = [
        "",
        "x",
        "9",
        " ",
        "\u{0}",
        "🚗",
        "{}",
        "null",
        "<html>",
        "GET / HTTP/1.1",
        "-1",
        "0",
        "0{}",
        "1",
        "2",
        "2probe",
        "3probe",
        "5",
        "b",
        "bAQID",
        "b!",
        "4",
        "4x",
        "47",
        "49[]",
        "4-1",
        "4🚗",
        "43",
        "43[]",
        "45",
        "451-",
        "451-[\"x\",{\"_placeholder\":true,\"num\":0}]",
        "4510000-[\"x\",{\"_placeholder\":true,\"num\":0}]",
        "4518446744073709551616-[\"x\"]",
        "45-1-[\"x\"]",
        "461-1[{\"_placeholder\":true,\"num\":0}]",
        "42",
        "42x",
        "42{}",
        "42[]",
        "42[",
        "42[1",
        "42[null]",
        "42[{}]",
        "42[\"x\"",
        "42[\"x\"]]",
        "42\"x\"",
        "42[\"connect\"]",
        "42[\"connect_error\"]",
        "42[\"disconnect\"]",
        "42[\"disconnecting\"]",
        "42[\"newListener\"]",
        "42[\"removeListener\"]",
        "421[\"connect\"]",
        "4299999999999999999999[\"x\"",
        "41",
    ]
    .into_iter()
    .map(|packet| (packet.to_owned(), vec![text(packet)]))
    .collect();
    let many = |what: &str, messages: Vec<Message>| (what.to_owned(), messages);
    garbage.extend([
        many("a binary frame", vec![binary(b"40")]),
        many("an empty binary frame", vec![binary(b"")]),
        many("binary frames", vec![binary(b"\x00\xff"); 20]),
        many(
            "pieces that go together to nonsense",
            fragments("40").to_vec(),
        ),
        many("a piece of nothing", fragments("40")[1..].to_vec()),
        many(
            "a message between pieces",
            vec![
                fragments("40")[0].clone(),
                text("3"),
                fragments("40")[0].clone(),
            ],
        ),
        many("pieces that are too large together", {
            let mut pieces = fragments(&"4".repeat(60_000)).to_vec();
            pieces.truncate(2);
            pieces
        }),
        many("endless empty pieces", {
            let mut pieces = vec![fragments("")[0].clone()];
            pieces.resize(500, fragments("")[1].clone());
            pieces
        }),
        many(
            "a frame of 101 kB",
            vec![text(&format!("4{}", "2".repeat(101_000)))],
        ),
        many("a frame of 5 MB", vec![text(&"4".repeat(5_000_000))]),
        many(
            "99 kB of brackets",
            vec![text(&format!("42{}", "[".repeat(99_000)))],
        ),
        many("99 kB of nothing", vec![text(&" ".repeat(99_000))]),
        many("a flood of packets", vec![text("3"); 500]),
        many("a flood of noops", vec![text("6"); 500]),
        many("a flood of events", vec![text("42[\"x\"]"); 500]),
        many(
            "a flood of pings",
            vec![Message::Ping(Vec::new().into()); 500],
        ),
        many(
            "a flood of other namespaces",
            vec![text("40/admin,{}"); 500],
        ),
        many(
            "a long namespace",
            vec![text(&format!("40/{},", "x".repeat(90_000))), text("41")],
        ),
    ]);
    garbage
}

/// Sends what the connection takes and then something that is always answered; it must not be.
async fn send_and_see_it_closed(mut socket: Socket, what: &str, messages: &[Message], last: &str) {
    for message in messages.iter().cloned().chain([text(last)]) {
        // Closed while we were still writing is as good.
        if socket.stream.send(message).await.is_err() {
            break;
        }
    }
    let shown: String = what.chars().take(60).collect();
    for packet in socket.until_closed().await {
        let answered = packet.starts_with("40") || packet.starts_with("43");
        assert!(!answered, "'{shown}' is put up with: {packet}");
    }
}

/// Always answered, by signing in.
fn connect(desk: &Desk) -> String {
    format!("40{}", json!({ "token": desk.token }))
}

/// Always answered, once signed in.
const ASK: &str = r#"421["anybody there?"]"#;

#[tokio::test]
async fn garbage_before_signing_in_closes_the_connection() {
    let mut shop = Shop::open().await;
    for (what, messages) in garbage() {
        let last = connect(&shop.owner);
        send_and_see_it_closed(shop.stranger().await, &what, &messages, &last).await;
        shop.is_undisturbed(&what).await;
    }
}

#[tokio::test]
async fn garbage_after_signing_in_closes_the_connection() {
    let mut shop = Shop::open().await;
    for (what, messages) in garbage() {
        send_and_see_it_closed(shop.colleague().await, &what, &messages, ASK).await;
        shop.is_undisturbed(&what).await;
    }
}

#[tokio::test]
async fn events_before_signing_in_and_a_second_connect_close() {
    let mut shop = Shop::open().await;
    let connect = connect(&shop.owner);
    let event = r#"["RO_MODIFIED",{"roNumber":1}]"#;
    for packet in [&format!("42{event}"), &format!("421{event}"), "431[]"] {
        send_and_see_it_closed(shop.stranger().await, packet, &[text(packet)], &connect).await;
    }
    let again = [text(&connect)];
    send_and_see_it_closed(shop.colleague().await, "CONNECT again", &again, ASK).await;
    let mut twice = shop.stranger().await;
    twice.send(&connect).await;
    twice.send(&connect).await;
    twice.until_closed().await;
    shop.is_undisturbed("events too early and CONNECT twice")
        .await;
}

#[tokio::test]
async fn a_connect_that_makes_no_sense_is_refused_or_closed() {
    let mut shop = Shop::open().await;
    let token = "x".repeat(90_000);
    let long = json!({ "token": token }).to_string();
    let deep = format!("{}{}", "[".repeat(40_000), "]".repeat(40_000));
    for auth in [
        "{",
        "}",
        "[]",
        "null",
        "1",
        "\"x\"",
        "{\"token\":1}",
        "{\"token\":{}}",
        "{\"token\":\"\u{0}\"}",
        "{\"token\":\"ü\"}",
        "{\"token\":\"a.b.c\"}",
        "nonsense",
        "[\"token\"]",
        &long,
        &deep,
    ] {
        let mut socket = shop.stranger().await;
        socket.send(&format!("40{auth}")).await;
        if let Some(packet) = socket.packet().await {
            let refusal = packet.strip_prefix("44").unwrap();
            let refusal: serde_json::Value = serde_json::from_str(refusal).unwrap();
            assert_eq!(refusal["data"]["code"], "unauthorized");
        }
        shop.is_undisturbed(auth).await;
    }
}

#[tokio::test]
async fn there_is_no_other_namespace() {
    let mut shop = Shop::open().await;
    for mut socket in [shop.stranger().await, shop.colleague().await] {
        for namespace in ["/admin", "/RO", "/ü", "/a/b"] {
            let connect = format!("40{namespace},{}", json!({ "token": shop.owner.token }));
            socket.send(&connect).await;
            let refused = socket.packet().await.unwrap();
            let expected = format!(
                "44{namespace},{}",
                json!({ "message": "Invalid namespace" })
            );
            assert_eq!(refused, expected);
        }
    }
    shop.is_undisturbed("other namespaces").await;
}

#[tokio::test]
async fn bytes_that_are_no_websocket_frames_close() {
    let mut shop = Shop::open().await;
    let long_ping = [b"\x89\xfe\x00\x7e".as_slice(), &[0; 130]].concat();
    let frames: [(&str, &[u8]); 6] = [
        ("a frame without a mask", b"\x81\x0240"),
        ("reserved bits", b"\xf1\x82\x00\x00\x00\x0040"),
        (
            "an opcode that does not exist",
            b"\x83\x82\x00\x00\x00\x0040",
        ),
        (
            "a length of 2^63",
            b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",
        ),
        (
            "text that is not UTF-8",
            b"\x81\x82\x00\x00\x00\x00\xff\xfe",
        ),
        ("a ping of 126 bytes", &long_ping),
    ];
    let sent = frames.map(async |(what, frame)| {
        let mut tcp = shop.stranger().await.stream.into_inner();
        tcp.write_all(frame).await.unwrap();
        let mut rest = Vec::new();
        let closed = timeout(WAIT_TIMEOUT, tcp.read_to_end(&mut rest)).await;
        assert!(closed.is_ok(), "{what} is put up with");
    });
    join_all(sent).await;
    shop.is_undisturbed("bytes that are no frames").await;
}

#[tokio::test]
async fn bytes_that_are_no_http_are_closed() {
    let mut shop = Shop::open().await;
    let long = [b"GET /".as_slice(), &[b'x'; 200_000]].concat();
    let requests: [&[u8]; 6] = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"nonsense\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /ws?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        b"POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        &long,
    ];
    for request in requests {
        let mut tcp = TcpStream::connect(shop.server.address).await.unwrap();
        // A request that is too long may be refused before it is all written.
        let _ = tcp.write_all(request).await;
        let _ = tcp.shutdown().await;
        let mut answer = Vec::new();
        // A reset is a way of closing.
        let _ = timeout(WAIT_TIMEOUT, tcp.read_to_end(&mut answer))
            .await
            .expect("it is closed");
        let answer = String::from_utf8_lossy(&answer);
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
            "{answer}"
        );
        assert!(!answer.to_lowercase().contains("<html"), "{answer}");
        shop.is_undisturbed(&String::from_utf8_lossy(&request[..8]))
            .await;
    }
}

#[tokio::test]
async fn connections_that_end_abruptly_leave_nothing_behind() {
    let mut shop = Shop::open().await;
    for _ in 0..50 {
        drop(shop.stranger().await);
        drop(shop.colleague().await);
        // Without the WebSocket's closing handshake.
        shop.colleague()
            .await
            .stream
            .into_inner()
            .set_zero_linger()
            .unwrap();
    }
    shop.is_undisturbed("a hundred and fifty who hung up").await;
}

/// The answer, while the client keeps sending for as long as the connection takes it.
async fn dripped_on(shop: &Shop, head: &str) -> String {
    let mut tcp = TcpStream::connect(shop.server.address).await.unwrap();
    let request = format!("{head}\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    tcp.write_all(request.as_bytes()).await.unwrap();
    let (mut reader, mut writer) = tcp.split();
    let mut answer = Vec::new();
    let drip = async {
        while writer.write_all(b"1\r\na\r\n").await.is_ok() {
            sleep(Duration::from_millis(200)).await;
        }
    };
    let closed = async { tokio::join!(drip, reader.read_to_end(&mut answer)) };
    let (_, read) = timeout(WAIT_TIMEOUT, closed).await.expect(head);
    // An end that has not read everything resets the connection when it closes.
    drop(read);
    String::from_utf8(answer).unwrap().to_ascii_lowercase()
}

#[tokio::test]
async fn a_client_that_keeps_sending_after_the_answer_is_disconnected() {
    let mut shop = Shop::open().await;
    let heads = [
        "POST /nope HTTP/1.1",
        "POST /healthz HTTP/1.1",
        "GET /healthz HTTP/1.1",
        "FOO / HTTP/1.1",
        "POST /api/auth/sign-in HTTP/1.1\r\nContent-Type: application/json",
        "POST /api/auth/sign-out HTTP/1.1\r\nOrigin: https://evil.example",
        "POST /api/intake/repair-orders HTTP/1.1",
        "POST /nope HTTP/1.1\r\nContent-Encoding: gzip",
        "POST /ws?EIO=4&transport=polling&sid=x HTTP/1.1",
    ];
    for answer in join_all(heads.map(|head| dripped_on(&shop, head))).await {
        assert!(answer.starts_with("http/1.1 "), "{answer}");
        assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
    }
    shop.is_undisturbed("clients that send on").await;
}

#[tokio::test]
async fn a_request_with_a_whole_body_keeps_its_connection() {
    let shop = Shop::open().await;
    let mut tcp = TcpStream::connect(shop.server.address).await.unwrap();
    let bodies = [
        "Content-Length: 2\r\n\r\n{}",
        "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "Content-Length: 0\r\n\r\n",
    ];
    let path = "/api/auth/sign-in";
    for body in bodies.repeat(3) {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{body}"
        );
        tcp.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"}") {
            let mut piece = [0; 4_096];
            let count = timeout(WAIT_TIMEOUT, tcp.read(&mut piece)).await.unwrap();
            let count = count.unwrap();
            assert!(count > 0, "{body}");
            answer.extend_from_slice(&piece[..count]);
        }
        assert!(answer.starts_with(b"HTTP/1.1 400"), "{body}");
    }
}

#[tokio::test]
async fn a_malformed_request_writes_no_log_line() {
    let mut shop = Shop::open().await;
    for bytes in [
        &b"\x16\x03\x01\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"\0\0\r\n\r\n",
    ] {
        let mut tcp = TcpStream::connect(shop.server.address).await.unwrap();
        tcp.write_all(bytes).await.unwrap();
        let mut answer = Vec::new();
        let read = timeout(WAIT_TIMEOUT, tcp.read_to_end(&mut answer)).await;
        read.unwrap().unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 400"), "{answer:?}");
    }
    let log = shop.server.shop.read("server.log");
    assert!(!log.contains("actix_http"), "{log}");
    shop.is_undisturbed("what is no request").await;
}

/// Six hundred orders of 20 kB each: more than all buffers between a server and a client hold.
fn heavy_orders(customer: &str) -> serde_json::Value {
    let concern = "It squeaks. ".repeat(1_600);
    let order = |number: i32| {
        json!({
            "repairOrderNumber": 1_000 + number,
            "customer": customer,
            "jobs": [{ "jobNumber": 1, "concern": concern }],
        })
    };
    (1..=600).map(order).collect()
}

#[tokio::test]
async fn a_client_that_stops_reading_is_disconnected_and_skips_no_event() {
    let mut shop = Shop::open().await;
    let small = TcpSocket::new_v4().unwrap();
    small.set_recv_buffer_size(4_096).unwrap();
    let tcp = small.connect(shop.server.address).await.unwrap();
    let mut jammed = Socket::open_over(tcp).await;
    jammed.send(&connect(&shop.owner)).await;
    assert!(jammed.packet().await.unwrap().starts_with("40"));
    assert_eq!(jammed.next().await.payload["seq"], 1);

    // Nobody waits for them.
    let output = shop.server.shop.import(&heavy_orders("Ann")).await;
    assert_eq!(
        output,
        "-: 600 created, 0 changed, 0 unchanged, 0 refused\n"
    );
    assert_eq!(shop.owner.make_one_change(1).await, 602);

    let mut expected = 2;
    for packet in jammed.until_closed().await {
        let event = packet.strip_prefix("42").unwrap();
        let (name, payload, _): (String, serde_json::Value, String) =
            serde_json::from_str(event).unwrap();
        assert_eq!(
            (name.as_str(), &payload["seq"]),
            ("RO_MODIFIED", &json!(expected))
        );
        expected += 1;
    }
    assert!(
        (3..602).contains(&expected),
        "they heard all up to {expected}, where they were cut"
    );
    shop.bystander = shop.colleague().await;
    shop.is_undisturbed("a client that stopped reading").await;
}
