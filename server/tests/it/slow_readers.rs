//! Clients that stop reading, and clients that come all at once.

use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_socketio::{
    EngineApplication, EngineSession, Limits, Message, MountConfig, SessionHandler,
};
use dispatch_server::capacity::open_files::OpenFiles;
use dispatch_server::http;
use dispatch_server::http::address::TrustedProxies;
use dispatch_server::http::host_check::AnsweredHosts;
use dispatch_server::socket::{SessionSlots, ThreadAdmission};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::http::HeaderMap;

use crate::fixture::{Desk, Server, Socket, plain_orders};

const ORDERS: i64 = 8;

/// Orders of about 80 kB each.
fn large_orders() -> Value {
    let jobs: Vec<Value> = (1..=40)
        .map(|job| json!({ "jobNumber": job, "concern": "squeaks ".repeat(250), "operations": [] }))
        .collect();
    (1..=ORDERS)
        .map(|number| json!({ "repairOrderNumber": number, "customer": "Ann", "jobs": jobs }))
        .collect()
}

async fn shop() -> (Server, Desk) {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&large_orders()).await;
    (server, owner)
}

/// A client with room for little that it has not read, past `hello`, and its name.
async fn narrow(server: &Server, desk: &Desk) -> (Socket, String) {
    let tcp = TcpSocket::new_v4().unwrap();
    tcp.set_recv_buffer_size(8 * 1024).unwrap();
    let tcp = tcp.connect(server.address).await.unwrap();
    let mut socket = Socket::open_over(tcp).await;
    let auth = json!({ "token": desk.token });
    let pid = socket.sign_in(&auth).await.unwrap();
    assert_eq!(socket.next().await.name, "hello");
    (socket, pid)
}

/// Changes orders until so many changes were made; a listener receives each at once.
async fn change(desk: &Desk, listener: &mut Socket, changes: usize) -> usize {
    let mut bytes = 0;
    for round in 0..changes {
        let number = 1 + round as i64 % ORDERS;
        let seq = desk.make_one_change(number).await;
        let event = loop {
            let packet = listener
                .packet()
                .await
                .expect("the listener reads and stays");
            if packet.starts_with(r#"42["RO_MODIFIED""#) {
                break packet;
            }
        };
        bytes += event.len();
        assert!(event.contains(&format!(r#","{seq}-"#)), "nobody is held up");
    }
    bytes
}

#[tokio::test]
async fn a_slow_consumer_is_disconnected_misses_nothing_and_delays_no_one() {
    const STUCK: usize = 20;
    let (server, owner) = shop().await;
    let mut listener = owner.listen(&server).await;
    // The ring of recent messages is full.
    change(&owner, &mut listener, 260).await;
    let before = server.memory();
    let mut stuck = Vec::new();
    for _ in 0..STUCK {
        stuck.push(narrow(&server, &owner).await);
    }
    let first = owner.seq().await;
    let bytes = change(&owner, &mut listener, 300).await;
    let last = owner.seq().await;
    let grown = server.memory().saturating_sub(before);
    println!(
        "{} MB went by {STUCK} who did not read: {} kB more",
        bytes / 1_000_000,
        grown / 1024
    );
    assert!(bytes > 20_000_000, "{bytes}");
    assert!(grown < 16 * 1024 * 1024, "{grown} bytes more");

    for (place, (mut socket, pid)) in stuck.into_iter().enumerate() {
        let mut heard = first;
        // Everything sent before is whole and in order; then the connection ends.
        while let Some(packet) = socket.packet().await {
            if packet.starts_with(r#"42["RO_MODIFIED""#) {
                heard += 1;
                assert!(packet.contains(&format!(r#","{heard}-"#)), "after {heard}");
            }
        }
        assert!(heard < last, "client {place} was not cut");
        if place % 10 > 0 {
            continue;
        }
        let mut back = Socket::open(server.address).await;
        let offset = server.shop.offset(heard).await;
        let auth = json!({ "token": owner.token, "pid": pid, "offset": offset });
        assert_eq!(back.sign_in(&auth).await.unwrap(), pid);
        for seq in heard + 1..=last {
            assert_eq!(back.next().await.payload["seq"], seq);
        }
        assert_eq!(back.next().await.name, "hello");
    }
}

/// Too little to be too far behind, too much for the kernel's buffers: only TCP_USER_TIMEOUT, of 20
/// seconds, ends it before the heartbeat does after 45.
#[tokio::test]
async fn a_peer_that_takes_nothing_is_gone_before_the_heartbeat_finds_out() {
    let (server, owner) = shop().await;
    let mut listener = owner.listen(&server).await;
    let (mut silent, _) = narrow(&server, &owner).await;
    silent.send(r#"42["RO_OPEN",{"roNumber":1}]"#).await;
    assert_eq!(listener.event().await.name, "RO_PRESENCE");
    change(&owner, &mut listener, 9).await;
    let session_end = async {
        let event = listener.event().await;
        assert_eq!(event.payload, json!({ "roNumber": 1, "people": [] }));
    };
    timeout(Duration::from_secs(40), session_end)
        .await
        .expect("it is gone");
    drop(silent);
}

/// A client that polls, with a second's fifth between two polls, as over a bad network.
#[tokio::test]
async fn a_client_that_polls_is_not_too_slow_for_an_import() {
    const ORDERS: i64 = 3_000;
    let (server, owner) = Server::with_owner().await;
    let http = crate::fixture::http();
    let url = server.url("/ws?EIO=4&transport=polling");
    let open = http.get(&url).send().await.unwrap().text().await.unwrap();
    let open: Value = serde_json::from_str(open.strip_prefix('0').unwrap()).unwrap();
    let url = format!("{url}&sid={}", open["sid"].as_str().unwrap());
    let connect = format!("40{}", json!({ "token": owner.token }));
    let answer = http.post(&url).body(connect).send().await.unwrap();
    assert_eq!(answer.text().await.unwrap(), "ok");

    let orders = plain_orders(ORDERS);
    let (mut heard, mut largest) = (0, 0);
    let hear = async {
        while heard < ORDERS {
            let answer = http.get(&url).send().await.unwrap();
            assert_eq!(answer.status(), 200, "after {heard}");
            let packets = answer.text().await.unwrap();
            largest = largest.max(packets.len());
            for packet in packets.split('\u{1e}') {
                if packet.starts_with(r#"42["RO_MODIFIED""#) {
                    heard += 1;
                    assert!(packet.contains(&format!(r#","{heard}-"#)), "after {heard}");
                }
            }
            sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::join!(server.shop.import(&orders), hear);
    println!("the largest answer had {} kB", largest / 1024);
    assert!(largest < 300 * 1024, "{largest}");
}

/// Sends back what it gets.
struct Echo;

impl SessionHandler<()> for Echo {
    fn opened(&self, session: &Rc<EngineSession<()>>) {
        session.set_connected(true);
    }

    fn message(&self, message: Message, session: &Rc<EngineSession<()>>) {
        session.send(message);
    }
}

struct Echoes;

impl EngineApplication<()> for Echoes {
    fn handler(&self) -> Box<dyn SessionHandler<()>> {
        Box::new(Echo)
    }
}

/// The stream's own layers, with a limit that a test can reach.
fn serve_few_at_once() -> SocketAddr {
    let limits = Limits {
        ping_interval: Duration::from_secs(25),
        ping_timeout: Duration::from_secs(20),
        max_payload: 100_000,
        connect_timeout: Duration::from_secs(10),
        upgrade_timeout: Duration::from_secs(10),
        packets_per_second: 50,
        attachments: 4,
    };
    let slots = Arc::new(SessionSlots::new(usize::MAX));
    let admission = move || ThreadAdmission::new(20, Arc::clone(&slots));
    let mount = MountConfig {
        admission: Arc::new(move || Box::new(admission())),
        ..MountConfig::engine_io("/ws", limits, || Echoes)
    };
    let listener = http::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async {
            let files = OpenFiles::raise_limit().unwrap();
            http::serve(
                listener,
                vec![mount],
                (files, TrustedProxies::default()),
                AnsweredHosts::any(),
                Default::default(),
                |_| {},
            )
            .unwrap()
            .await
            .unwrap();
        });
    });
    address
}

/// Seconds.
fn retry_after(headers: &HeaderMap) -> u64 {
    let seconds = headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=5).contains(&seconds), "{seconds}");
    seconds
}

#[tokio::test]
async fn in_a_reconnection_storm_clients_are_deferred_and_all_connect_in_the_end() {
    const CLIENTS: usize = 200;
    let address = serve_few_at_once();
    let http = &crate::fixture::http();
    let storm = (0..CLIENTS).map(async |client| {
        let mut refused = 0;
        loop {
            let wait = if client % 2 == 0 {
                let tcp = TcpStream::connect(address).await.unwrap();
                let url = format!("ws://{address}/ws?EIO=4&transport=websocket");
                match tokio_tungstenite::client_async(url, tcp).await {
                    Ok((stream, _)) => {
                        let mut socket = Socket { stream };
                        assert!(socket.packet().await.unwrap().starts_with('0'));
                        socket.send("4in").await;
                        assert_eq!(socket.packet().await.unwrap(), "4in");
                        return refused;
                    }
                    Err(Error::Http(answer)) => {
                        assert_eq!(answer.status(), 503);
                        retry_after(answer.headers())
                    }
                    Err(error) => panic!("{error}"),
                }
            } else {
                let url = format!("http://{address}/ws?EIO=4&transport=polling");
                let answer = http.get(url).send().await.unwrap();
                if answer.status() == 200 {
                    assert!(answer.text().await.unwrap().starts_with('0'));
                    return refused;
                }
                assert_eq!(answer.status(), 503);
                retry_after(answer.headers())
            };
            refused += 1;
            // A test has less time than a client.
            sleep(Duration::from_millis(wait * 100)).await;
        }
    });
    let refused: Vec<u32> = join_all(storm).await;
    let times: u32 = refused.iter().sum();
    println!("{CLIENTS} clients were told {times} times to come back later");
    assert!(times > 0);
}
