//! Any bytes as WebSocket frames and as bodies of POSTs: the server never panics, never grows, and
//! nobody else notices. A few seconds each; `FUZZ_SECONDS` says how many.

use std::net::SocketAddr;
use std::ops::Range;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::fixture::{
    Poller, ProtocolFixture, SEPARATOR, Server, Wire, http, ok_answer, plain_orders,
};

/// Attacks at once.
const TOGETHER: usize = 16;

/// How long an attacker listens to what comes back.
const LISTENS: Duration = Duration::from_millis(10);

/// What a process may grow by, once it is warm.
const GROWTH_KIB: u64 = 64 * 1024;

/// What clients say, before it is spoilt.
const SEEDS: [&str; 28] = [
    "0",
    "1",
    "2",
    "2probe",
    "3",
    "3probe",
    "4",
    "5",
    "6",
    "bAQIDBA==",
    "40",
    r#"40{"token":"x"}"#,
    "40/custom,",
    r#"40/custom,{"token":"x"}"#,
    "40/random,",
    "41",
    "41/custom,",
    r#"42["message",1,"2",{"3":[true]}]"#,
    r#"42/custom,7["message-with-ack",1]"#,
    r#"42["RO_OPEN",{"roNumber":1}]"#,
    r#"421["RO_OPEN",{"roNumber":1}]"#,
    r#"42["RO_CLOSE",{"roNumber":1}]"#,
    "431[]",
    r#"44{"message":"x"}"#,
    r#"451-["message",{"_placeholder":true,"num":0}]"#,
    r#"452-12["message-with-ack",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]"#,
    r#"461-1[{"_placeholder":true,"num":0}]"#,
    r#"40{"pid":"AAAA","offset":"1","token":"x"}"#,
];

#[derive(Clone, Debug)]
enum Spoil {
    Set(Index, u8),
    Insert(Index, u8),
    Remove(Index),
    Repeat(Index, u16),
    Cut(Index),
}

fn spoil() -> impl Strategy<Value = Spoil> {
    let byte = prop_oneof![any::<u8>(), select(&br#"0123456789-,/[]{}":b"#[..])];
    prop_oneof![
        (any::<Index>(), byte.clone()).prop_map(|(at, byte)| Spoil::Set(at, byte)),
        (any::<Index>(), byte).prop_map(|(at, byte)| Spoil::Insert(at, byte)),
        any::<Index>().prop_map(Spoil::Remove),
        (any::<Index>(), 1..2_000_u16).prop_map(|(at, times)| Spoil::Repeat(at, times)),
        any::<Index>().prop_map(Spoil::Cut),
    ]
}

fn spoilt(mut packet: Vec<u8>, how: Vec<Spoil>) -> Vec<u8> {
    for spoil in how {
        let length = packet.len();
        match spoil {
            Spoil::Insert(at, byte) => packet.insert(at.index(length + 1), byte),
            _ if length == 0 => {}
            Spoil::Set(at, byte) => packet[at.index(length)] = byte,
            Spoil::Remove(at) => drop(packet.remove(at.index(length))),
            Spoil::Repeat(at, times) => {
                let at = at.index(length);
                let more = vec![packet[at]; times.into()];
                packet.splice(at..at, more);
            }
            Spoil::Cut(at) => packet.truncate(at.index(length)),
        }
    }
    packet
}

fn packet() -> impl Strategy<Value = Vec<u8>> {
    let seed = || select(&SEEDS[..]).prop_map(|seed| seed.as_bytes().to_vec());
    prop_oneof![
        15 => seed(),
        25 => (seed(), vec(spoil(), 1..4)).prop_map(|(packet, how)| spoilt(packet, how)),
        10 => vec(any::<u8>(), 0..200),
        1 => (any::<u8>(), 0..1_200_000_usize).prop_map(|(byte, length)| vec![byte; length]),
    ]
}

/// A WebSocket frame as it is written.
fn frame() -> impl Strategy<Value = Vec<u8>> {
    let sound = select(&[0x81, 0x82][..]);
    let other = select(&[0x01, 0x02, 0x00, 0x80, 0x88, 0x89, 0x8a][..]);
    let first = prop_oneof![5 => sound, 3 => other, 1 => any::<u8>()];
    let declared = prop_oneof![9 => Just(None), 1 => any::<u64>().prop_map(Some)];
    let masked = prop::bool::weighted(0.95);
    (first, packet(), any::<[u8; 4]>(), masked, declared).prop_map(
        |(first, payload, mask, masked, declared)| {
            let length = declared.unwrap_or(payload.len() as u64);
            let bit = if masked { 0x80 } else { 0 };
            let mut frame = vec![first];
            match length {
                0..126 => frame.push(bit | length as u8),
                126..65_536 => {
                    frame.push(bit | 126);
                    frame.extend((length as u16).to_be_bytes());
                }
                _ => {
                    frame.push(bit | 127);
                    frame.extend(length.to_be_bytes());
                }
            }
            if masked {
                frame.extend(mask);
                let bytes = payload.iter().zip(mask.iter().cycle());
                frame.extend(bytes.map(|(byte, mask)| byte ^ mask));
            } else {
                frame.extend(payload);
            }
            frame
        },
    )
}

#[derive(Clone, Debug)]
enum Attack {
    WebSocket(Vec<Vec<u8>>),
    Polling(Vec<Vec<u8>>),
    /// The bytes sent by polling, and on the WebSocket that is to take over.
    Upgrade(Vec<Vec<u8>>, Vec<Vec<u8>>),
}

fn frames(count: Range<usize>) -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop_oneof![
        8 => vec(frame(), count.clone()),
        1 => vec(vec(any::<u8>(), 0..300), count),
    ]
}

fn bodies(count: Range<usize>) -> impl Strategy<Value = Vec<Vec<u8>>> {
    let separator = SEPARATOR.to_string().into_bytes();
    let body = vec(packet(), 0..5).prop_map(move |packets| packets.join(&separator[..]));
    vec(body, count)
}

fn attack() -> impl Strategy<Value = Attack> {
    prop_oneof![
        5 => frames(1..8).prop_map(Attack::WebSocket),
        4 => bodies(1..4).prop_map(Attack::Polling),
        2 => (bodies(0..2), frames(1..5))
            .prop_map(|(bodies, frames)| Attack::Upgrade(bodies, frames)),
    ]
}

/// Where to, and what an attacker says first.
#[derive(Clone)]
struct Target {
    address: SocketAddr,
    path: &'static str,
    hello: Option<String>,
}

impl Target {
    async fn suffer(&self, attack: &Attack, http: &reqwest::Client) {
        let root = format!("http://{}{}", self.address, self.path);
        match attack {
            Attack::WebSocket(frames) => {
                let path = format!("{}?EIO=4&transport=websocket", self.path);
                let mut wire = Wire::open(self.address, &path).await.unwrap();
                assert!(wire.text().await.starts_with('0'));
                if let Some(hello) = &self.hello {
                    wire.send(hello).await;
                    assert!(wire.text().await.starts_with("40"));
                }
                write(wire, frames).await;
            }
            Attack::Polling(bodies) => {
                let poller = self.poller(&root, http).await;
                post(&poller, bodies).await;
                // Hanging up ends it, when it was not over before.
                let _ = timeout(LISTENS, poller.get()).await;
            }
            Attack::Upgrade(bodies, frames) => {
                let poller = self.poller(&root, http).await;
                let path = format!("{}?EIO=4&transport=websocket&sid={}", self.path, poller.sid);
                let wire = Wire::open(self.address, &path).await.unwrap();
                tokio::join!(post(&poller, bodies), write(wire, frames));
                let _ = timeout(LISTENS, poller.get()).await;
            }
        }
    }

    async fn poller(&self, root: &str, http: &reqwest::Client) -> Poller {
        let poller = Poller::open(root, http).await;
        if let Some(hello) = &self.hello {
            assert_eq!(poller.post(hello.clone()).await, ok_answer());
        }
        poller
    }
}

async fn write(wire: Wire, frames: &[Vec<u8>]) {
    let mut tcp = wire.stream.into_inner();
    for frame in frames {
        // It may be closed by now, or never read.
        if !matches!(
            timeout(LISTENS * 10, tcp.write_all(frame)).await,
            Ok(Ok(()))
        ) {
            break;
        }
    }
    let mut heard = Vec::new();
    let _ = timeout(LISTENS, tcp.read_to_end(&mut heard)).await;
}

async fn post(poller: &Poller, bodies: &[Vec<u8>]) {
    for body in bodies {
        let (status, answer) = poller.post(body.clone()).await;
        assert!([200, 400, 413].contains(&status), "{status} {answer}");
    }
}

fn resident_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.unwrap().trim().trim_end_matches(" kB");
    number.parse().unwrap()
}

fn seconds() -> Duration {
    let seconds = std::env::var("FUZZ_SECONDS").ok();
    let seconds = seconds.map_or(4, |seconds| seconds.parse().expect("a number of seconds"));
    Duration::from_secs(seconds)
}

/// Attacks all targets in turn; `undisturbed` is asked between.
async fn withstands(process: u32, targets: &[Target], mut undisturbed: impl AsyncFnMut()) {
    let http = http();
    let mut runner = TestRunner::default();
    let any_attack = attack();
    let (begun, lasts) = (Instant::now(), seconds());
    let (mut attacks, mut warm) = (0, None);
    while begun.elapsed() < lasts {
        let target = &targets[attacks / TOGETHER % targets.len()];
        let batch: Vec<Attack> = (0..TOGETHER)
            .map(|_| any_attack.new_tree(&mut runner).unwrap().current())
            .collect();
        let suffered = batch.iter().map(|attack| target.suffer(attack, &http));
        let suffered = timeout(crate::fixture::WAIT_TIMEOUT, join_all(suffered)).await;
        assert!(suffered.is_ok(), "it answers no more after {batch:?}");
        attacks += TOGETHER;
        undisturbed().await;
        if warm.is_none() && begun.elapsed() > lasts / 3 {
            warm = Some(resident_kib(process));
        }
    }
    let (warm, end) = (warm.unwrap(), resident_kib(process));
    println!("{attacks} attacks in {lasts:?}; resident {warm} KiB when warm, {end} KiB at the end");
    assert!(end < warm + GROWTH_KIB, "it grew from {warm} to {end} KiB");
}

#[tokio::test]
async fn any_bytes_leave_engine_io_and_socket_io_standing() {
    let server = ProtocolFixture::start_with(&["5000", "20000", "1000"]).await;
    let target = |path, hello: Option<&str>| Target {
        address: server.address,
        path,
        hello: hello.map(str::to_owned),
    };
    let targets = [
        target("/engine.io/", None),
        target("/socket.io/", None),
        target("/socket.io/", Some("40")),
    ];
    let mut bystander = server.wire("/engine.io/").await;
    withstands(server.id(), &targets, async || {
        bystander.send("4still there?").await;
        assert_eq!(bystander.text().await, "4still there?");
    })
    .await;
}

#[tokio::test]
async fn any_bytes_leave_the_shop_working() {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(2)).await;
    let target = |hello| Target {
        address: server.address,
        path: "/ws/",
        hello,
    };
    let connect = format!("40{}", json!({ "token": owner.token }));
    let targets = [target(None), target(Some(connect))];
    let mut bystander = owner.listen(&server).await;
    withstands(server.id(), &targets, async || {
        let seq = owner.make_one_change(1).await;
        loop {
            let event = bystander.event().await;
            // Attackers may open an order, which everybody sees.
            if event.name == "RO_MODIFIED" {
                assert_eq!(event.payload["seq"], seq);
                break;
            }
        }
    })
    .await;
}
