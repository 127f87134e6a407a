//! The official client loses its network, or the server is killed, while people work: each time the
//! client is recovered and receives what it missed, in order, and nothing twice.
//!
//! `RECOVERY_ROUNDS` and `RECOVERY_SEED` choose how often, and the same chances again.

use std::collections::HashMap;
use std::path::Path;
use std::process::Stdio;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::fixture::{Cut, Desk, OWNER, Proxy, Server, WAIT_TIMEOUT, plain_orders};

const ORDERS: i64 = 12;
const WRITERS: i64 = 4;
const TECHNICIANS: [i64; 4] = [11, 14, 22, 23];

/// What each client may use; the third begins with one and goes over to the other.
const TRANSPORTS: [&[&str]; 3] = [&["websocket"], &["polling"], &["polling", "websocket"]];

fn setting<T: FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// The order's rows as they are at a version.
type Picture = HashMap<i64, (i64, Value)>;

/// What one client has received.
#[derive(Default)]
struct Reader {
    /// The newest event.
    seq: Option<i64>,
    /// How often it connected and got a `hello`.
    greeted: usize,
    /// Let in, and `hello` has not come yet.
    is_catching_up: bool,
    picture: Picture,
    /// What happened to it last, but changes.
    last: String,
    heard: usize,
    replayed: usize,
    upgraded: usize,
}

impl Reader {
    fn hears(&mut self, line: &Value) {
        let number = |name: &str| line[name].as_i64().unwrap();
        if line["event"] != "RO_MODIFIED" {
            self.last = line.to_string();
        }
        match line["event"].as_str().unwrap() {
            "connect" => {
                assert_eq!(line["recovered"], self.seq.is_some(), "{line}");
                assert!(!self.is_catching_up, "{line}");
                self.is_catching_up = true;
            }
            "hello" => {
                assert!(self.is_catching_up, "one hello a session: {line}");
                let seq = *self.seq.get_or_insert(number("seq"));
                assert_eq!(number("seq"), seq, "hello comes last: {line}");
                self.is_catching_up = false;
                self.greeted += 1;
            }
            "RO_MODIFIED" => {
                let next = self.seq.expect("hello comes first in a new session") + 1;
                assert_eq!(number("seq"), next, "none is missed and none comes twice");
                self.seq = Some(next);
                self.heard += 1;
                self.replayed += usize::from(self.is_catching_up);
                self.lands(number("roNumber"), number("version"), &line["rows"]);
            }
            "tick" => assert_eq!(Some(number("seq")), self.seq, "{line}"),
            "disconnect" => self.is_catching_up = false,
            "upgrade" => self.upgraded += 1,
            _ => panic!("{line}"),
        }
    }

    /// As a screen does it: the higher version stays.
    fn lands(&mut self, number: i64, version: i64, rows: &Value) {
        let last_version = self.picture.get(&number).map(|(version, _)| *version);
        if last_version.is_none_or(|last_version| last_version <= version) {
            self.picture.insert(number, (version, rows.clone()));
        }
    }
}

/// The list by order.
fn picture(list: &Value) -> Picture {
    let mut picture = Picture::new();
    for row in list["result"].as_array().unwrap() {
        let field = |name: &str| row[name].as_i64().unwrap();
        let order = picture.entry(field("repairOrderNumber"));
        let (_, rows) = order.or_insert_with(|| (field("version"), json!([])));
        rows.as_array_mut().unwrap().push(row.clone());
    }
    picture
}

/// The Node process and what its clients received.
struct Readers {
    _process: Child,
    lines: Lines<BufReader<ChildStdout>>,
    readers: [Reader; 3],
}

impl Readers {
    fn start(proxies: &[Proxy], token: &str) -> Self {
        let clients: Vec<Value> = proxies
.iter()
.zip(TRANSPORTS)
.map(|(proxy, transports)| {
json!({ "url": format!("http://{}", proxy.address), "transports": transports })
})
.collect();
        let script =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/recovery-client.mjs");
        let mut process = Command::new("node")
            .arg(script)
            .arg(json!({ "token": token, "clients": clients }).to_string())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("Node runs");
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Self {
            _process: process,
            lines,
            readers: Default::default(),
        }
    }

    /// Listens until all have received enough.
    async fn wait_until(&mut self, what: &str, enough: impl Fn(&Reader) -> bool) {
        let listen = async {
            while !self.readers.iter().all(&enough) {
                self.hear().await;
            }
        };
        if timeout(WAIT_TIMEOUT, listen).await.is_err() {
            let far: Vec<_> = self.readers.iter().map(|r| (r.greeted, r.seq)).collect();
            panic!("not all {what}: {far:?}");
        }
    }

    async fn hear(&mut self) {
        let line = self.lines.next_line().await.unwrap();
        let line: Value = serde_json::from_str(&line.expect("the clients run")).unwrap();
        let client = usize::try_from(line["client"].as_u64().unwrap()).unwrap();
        self.readers[client].hears(&line);
    }

    /// Listens while something else is done.
    async fn meanwhile<T>(&mut self, done: impl Future<Output = T>) -> T {
        tokio::pin!(done);
        loop {
            tokio::select! {
            done = &mut done => return done,
            () = self.hear() => {}
            }
        }
    }
}

/// Changes orders until it is stopped, whatever happens to the server.
async fn write(desk: Arc<Desk>, mut random: StdRng, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        let number = random.random_range(1..=ORDERS);
        let technician = TECHNICIANS[random.random_range(0..4)];
        let (path, body) = match random.random_range(0..4) {
            0 => (
                "update-status",
                json!({ "data": [{ "repairOrderNumber": number, "idStatus": random.random_range(10..14) }] }),
            ),
            1 => (
                "technicians/assign",
                json!({ "repairOrderNumber": number, "idTechnician": technician }),
            ),
            2 => (
                "technicians/unassign",
                json!({ "repairOrderNumber": number, "idTechnician": technician }),
            ),
            _ => (
                "update-priority",
                json!({ "data": [{ "roNumber": number, "priorityLevel": random.random_range(1..5) }] }),
            ),
        };
        let path = format!("/api/repair-orders/{path}");
        // The server may be down, and some of it is refused.
        let _ = desk
            .request(reqwest::Method::POST, &path)
            .json(&body)
            .send()
            .await;
        sleep(Duration::from_millis(random.random_range(5..25))).await;
    }
}

#[tokio::test]
async fn the_official_client_misses_nothing_whatever_breaks() {
    let rounds: usize = setting("RECOVERY_ROUNDS").unwrap_or(20);
    let seed: u64 = setting("RECOVERY_SEED").unwrap_or_else(rand::random);
    println!("RECOVERY_SEED={seed} RECOVERY_ROUNDS={rounds}");
    let mut random = StdRng::seed_from_u64(seed);

    let mut server = Server::start().await;
    let owner = server.hire(OWNER, "Owner").await;
    // By calls, so that an earlier build's binary in the place of this one's runs it, too.
    for id in TECHNICIANS {
        let technician = json!({ "idTechnician": id, "displayName": format!("Technician {id}") });
        owner.post("/api/technicians", technician).await.good();
    }
    server.shop.import(&plain_orders(ORDERS)).await;
    let owner = Arc::new(owner);
    let mut proxies = Vec::new();
    for _ in TRANSPORTS {
        proxies.push(Proxy::to(server.address).await);
    }
    let mut readers = Readers::start(&proxies, &owner.token);
    readers
        .wait_until("said hello", |reader| reader.greeted == 1)
        .await;
    let list = picture(&owner.list().await);
    for reader in &mut readers.readers {
        reader.picture = list.clone();
    }
    let stop = Arc::new(AtomicBool::new(false));
    let mut writers = JoinSet::new();
    for _ in 0..WRITERS {
        let random = StdRng::seed_from_u64(random.random());
        writers.spawn(write(Arc::clone(&owner), random, Arc::clone(&stop)));
    }

    let mut killed = 0;
    for round in 0..rounds {
        let greeted: Vec<usize> = readers.readers.iter().map(|r| r.greeted).collect();
        let pause = Duration::from_millis(random.random_range(0..200));
        readers.meanwhile(sleep(pause)).await;
        // The first two show both; afterwards chance decides.
        if round == 0 || round > 1 && random.random_bool(0.3) {
            killed += 1;
            let down = Duration::from_millis(random.random_range(0..200));
            let back = async {
                server.sigkill().await;
                sleep(down).await;
                server.restart().await;
            };
            readers.meanwhile(back).await;
        } else {
            let cuts = proxies.iter().zip(TRANSPORTS).map(|(proxy, transports)| {
                let how = [Cut::Reset, Cut::End, Cut::Silent][random.random_range(0..3)];
                let after = Duration::from_millis(random.random_range(0..100));
                let outage = Duration::from_millis(random.random_range(50..300));
                async move {
                    sleep(after).await;
                    let polls = transports.contains(&"polling");
                    proxy.cut(how, outage, polls).await;
                }
            });
            let cuts = futures_util::future::join_all(cuts.collect::<Vec<_>>());
            readers.meanwhile(cuts).await;
        }
        let again =
            |reader: &Reader, before: usize| reader.greeted > before && !reader.is_catching_up;
        let back = async {
            while !readers
                .readers
                .iter()
                .zip(&greeted)
                .all(|(reader, before)| again(reader, *before))
            {
                readers.hear().await;
            }
        };
        if timeout(WAIT_TIMEOUT, back).await.is_err() {
            let far: Vec<_> = readers
                .readers
                .iter()
                .map(|r| (r.greeted, &r.last))
                .collect();
            panic!("round {round}: not all came back after {greeted:?}: {far:?}");
        }
    }
    stop.store(true, Ordering::Relaxed);
    readers.meanwhile(writers.join_all()).await;

    let list = owner.list().await;
    let top = list["seq"].as_i64();
    readers
        .wait_until("heard everything", |reader| reader.seq >= top)
        .await;
    let list = picture(&owner.list().await);
    for (reader, transports) in readers.readers.iter().zip(TRANSPORTS) {
        for (number, rows) in &list {
            let shown = &reader.picture[number];
            assert_eq!(shown, rows, "{transports:?} shows what the list shows");
        }
        assert_eq!(reader.picture.len(), list.len());
        println!(
            "{transports:?}: {} sessions, {} changes, {} of them replayed, {} upgrades",
            reader.greeted, reader.heard, reader.replayed, reader.upgraded
        );
        assert!(reader.replayed > 0, "something was missed each time");
    }
    assert!(
        readers.readers[2].upgraded > 0,
        "the third goes over to a WebSocket"
    );
    println!("{killed} times killed");
}
