//! What the server says of itself to Prometheus, and the files for operators that rely on it.

use std::collections::BTreeSet;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::time::Instant;

use regex::Regex;
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tokio::time::{Duration, sleep};

use crate::fixture::{
    Client, Desk, FaultyIo, OWNER, Server, Shop, Socket, WAIT_TIMEOUT, http, plain_orders,
};

const METRICS: [&str; 2] = ["--metrics-listen", "127.0.0.1:0"];

/// Its log says which port that was.
fn metrics_address(server: &Server) -> SocketAddr {
    let log = server.shop.read("server.log");
    let found = log.split(" metrics=").last().unwrap();
    found.split_whitespace().next().unwrap().parse().unwrap()
}

/// A server with an owner and technicians, and where it is watched.
async fn watched(options: &[&str]) -> (Server, Desk, SocketAddr) {
    let shop = Shop::new();
    shop.hire_technicians().await;
    let server = Server::start_in(shop, &[&METRICS, options].concat()).await;
    let owner = server.hire(OWNER, "Owner").await;
    let address = metrics_address(&server);
    (server, owner, address)
}

/// The samples of one scrape.
struct Scrape(String);

impl Scrape {
    async fn of(address: SocketAddr) -> Self {
        let answer = http().get(format!("http://{address}/metrics")).send().await;
        let answer = answer.unwrap();
        assert_eq!(answer.status(), 200);
        assert_eq!(
            answer.headers()[CONTENT_TYPE],
            "application/openmetrics-text; version=1.0.0; charset=utf-8"
        );
        let text = answer.text().await.unwrap();
        assert!(text.ends_with("# EOF\n"), "{text}");
        Self(text)
    }

    /// `sample`: with its labels, as it is written.
    #[track_caller]
    fn value(&self, sample: &str) -> f64 {
        let mut lines = self.0.lines();
        let value = lines.find_map(|line| line.strip_prefix(sample)?.strip_prefix(' '));
        let value = value.unwrap_or_else(|| panic!("no {sample} in\n{}", self.0));
        value.parse().unwrap()
    }

    /// The name and the type of each family.
    fn families(&self) -> Vec<(&str, &str)> {
        let types = self
            .0
            .lines()
            .filter_map(|line| line.strip_prefix("# TYPE "));
        types.map(|line| line.split_once(' ').unwrap()).collect()
    }

    /// The names under which a query may ask for it.
    fn names(&self) -> BTreeSet<String> {
        let names = self.families().into_iter().flat_map(|(name, kind)| {
            let endings: &[&str] = match kind {
                "counter" => &["_total"],
                "histogram" => &["", "_bucket", "_sum", "_count"],
                "info" => &["_info"],
                _ => &[""],
            };
            endings.iter().map(move |ending| format!("{name}{ending}"))
        });
        names.collect()
    }
}

/// Waits until a sample says this.
async fn eventually(address: SocketAddr, sample: &str, expected: f64) {
    eventually_so(address, sample, |value| value == expected).await;
}

async fn eventually_so(address: SocketAddr, sample: &str, is_so: impl Fn(f64) -> bool) {
    let begun = Instant::now();
    loop {
        let value = Scrape::of(address).await.value(sample);
        if is_so(value) {
            return;
        }
        assert!(begun.elapsed() < WAIT_TIMEOUT, "{sample} is {value}");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn metrics_are_served_at_an_address_of_their_own_and_nowhere_else() {
    let (server, owner, address) = watched(&[]).await;
    assert_ne!(address, server.address);
    Scrape::of(address).await;
    for (method, path, status) in [
        (Method::POST, "/metrics", 405),
        (Method::GET, "/", 404),
        (Method::GET, "/api/repair-orders", 404),
        (Method::GET, "/healthz", 404),
    ] {
        let url = format!("http://{address}{path}");
        let answer = http().request(method, url).bearer_auth(&owner.token);
        assert_eq!(answer.send().await.unwrap().status(), status, "{path}");
    }
    for accepted in ["*/*", "text/html", "application/openmetrics-text"] {
        for path in ["/metrics", "/metrics/", "/%6detrics"] {
            let request = server.request(Method::GET, path).header(ACCEPT, accepted);
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), 404, "{path} for {accepted}");
            assert!(!answer.text().await.unwrap().contains("dispatch_build"));
        }
    }
}

#[tokio::test]
async fn a_server_that_is_not_asked_to_tells_no_metrics() {
    let server = Server::start().await;
    let log = server.shop.read("server.log");
    assert!(log.contains("the server has started"), "{log}");
    assert!(!log.contains("metrics="), "{log}");
}

#[tokio::test]
async fn an_address_for_metrics_that_is_taken_is_reported() {
    let shop = Shop::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let arguments = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--metrics-listen",
        &address,
    ];
    assert_eq!(
        shop.run(&arguments).await.refused(),
        format!(
            "cannot listen on {address} for metrics (--metrics-listen): Address already in use (os error 98)"
        )
    );
    assert!(
        !shop.data_dir().join("dispatch.sqlite").exists(),
        "nothing was begun"
    );
}

#[tokio::test]
async fn requests_changes_rows_and_sessions_are_counted() {
    let (server, owner, address) = watched(&[]).await;
    let number = Scrape::of(address).await.value("dispatch_event_number");
    let mut socket = owner.listen(&server).await;
    server.shop.import(&plain_orders(3)).await;
    server.shop.import(&plain_orders(3)).await;
    let mut bay = Socket::open(server.address).await;
    let auth = json!({ "token": owner.token, "scope": { "technician": 11 } });
    bay.sign_in(&auth).await.unwrap();
    owner.list().await;
    let seq = owner.make_one_change(1).await;
    owner.get("/api/repair-orders/2").await.good();
    assert_eq!(owner.get("/api/repair-orders/99").await.status, 404);
    while socket.modified().await["seq"] != seq {}

    let scrape = Scrape::of(address).await;
    assert_eq!(scrape.value("dispatch_event_number"), seq as f64);
    assert_eq!(scrape.value("dispatch_changes_total"), seq as f64 - number);
    assert_eq!(
        scrape.value("dispatch_intake_rows_total{outcome=\"created\"}"),
        3.0
    );
    assert_eq!(
        scrape.value("dispatch_intake_rows_total{outcome=\"unchanged\"}"),
        3.0
    );
    assert_eq!(scrape.value("dispatch_open_repair_orders"), 3.0);
    assert_eq!(scrape.value("dispatch_stream_sessions{kind=\"desk\"}"), 1.0);
    assert_eq!(
        scrape.value("dispatch_stream_sessions{kind=\"technician\"}"),
        1.0
    );
    assert!(scrape.value("dispatch_stream_deliveries_total") >= 2.0);
    assert!(scrape.value("dispatch_list_encoding_duration_seconds_count") >= 1.0);
    let groups = scrape.value("dispatch_commit_group_decisions_count");
    assert!((2.0..=4.0).contains(&groups), "{groups}");
    assert_eq!(
        scrape.value("dispatch_commit_duration_seconds_count"),
        groups
    );
    assert!(scrape.value("dispatch_commit_duration_seconds_sum") > 0.0);
    assert_eq!(scrape.value("dispatch_changes_saved"), 1.0);
    assert_eq!(scrape.value("dispatch_event_log_readable"), 1.0);
    assert_eq!(scrape.value("dispatch_commit_queue_decisions"), 0.0);
    assert!(scrape.value("dispatch_database_size_bytes") > 100_000.0);
    let route = "route=\"/api/repair-orders/update-priority\",method=\"POST\"";
    let requests = format!("dispatch_http_requests_total{{{route},status=\"2xx\"}}");
    assert_eq!(scrape.value(&requests), 1.0);
    let times = format!("dispatch_http_request_duration_seconds_count{{{route}}}");
    assert_eq!(scrape.value(&times), 1.0);
    drop((socket, bay));
    eventually(address, "dispatch_stream_sessions{kind=\"desk\"}", 0.0).await;
}

#[tokio::test]
async fn mails_are_counted_by_what_became_of_them() {
    let (server, owner, address) = watched(&[]).await;
    let reset = json!({ "email": OWNER });
    server.post("/api/auth/password-reset", reset).await.good();
    eventually(
        address,
        "dispatch_mail_attempts_total{outcome=\"sent\"}",
        1.0,
    )
    .await;
    assert_eq!(server.shop.mails().len(), 1);
    // A file in the place of the folder: no mail can be written.
    let folder = server.shop.data_dir().join("mail");
    std::fs::rename(&folder, server.shop.path("sent")).unwrap();
    std::fs::write(&folder, "").unwrap();
    let person = json!({ "name": "Ann", "roles": ["Advisor"] });
    let invited = json!({ "data": { "email": "ann@example.com", "userData": person } });
    let invited = owner
        .request(Method::POST, "/inviteUser")
        .json(&invited)
        .send();
    assert_eq!(invited.await.unwrap().status(), 200);
    // It is tried again and again.
    let failed = "dispatch_mail_attempts_total{outcome=\"failed\"}";
    eventually_so(address, failed, |value| value >= 1.0).await;
}

#[tokio::test]
async fn strangers_make_no_names_in_the_metrics() {
    let (server, _, address) = watched(&[]).await;
    for path in [
        "/wp-login.php",
        "/api/wp-admin",
        "/assets/wp.js",
        "/wp/%2e%2e",
    ] {
        let fly = Method::from_bytes(b"WPFLY").unwrap();
        for method in [Method::GET, Method::POST, fly] {
            server.request(method, path).send().await.unwrap();
        }
    }
    let odd_host = server
        .request(Method::GET, "/healthz")
        .header("Host", "wp.example");
    odd_host.send().await.unwrap();
    let Scrape(text) = Scrape::of(address).await;
    assert!(!text.to_lowercase().contains("wp"), "{text}");
    let none = "dispatch_http_requests_total{route=\"none\",method=\"GET\",status=\"4xx\"}";
    assert!(text.contains(none), "{text}");
    assert!(
        text.contains("{route=\"none\",method=\"other\",status=\"4xx\"}"),
        "{text}"
    );
}

#[tokio::test]
async fn clients_that_come_back_are_counted_by_what_they_got() {
    let (server, owner, address) = watched(&[]).await;
    server.shop.import(&plain_orders(2)).await;
    let client = Client::join(&server, &owner).await;
    let (pid, offset) = (client.pid.clone(), client.offset.clone());
    drop(client);
    let back = Socket::resume(&server, &owner, &pid, &offset).await;
    let mut lost = Socket::open(server.address).await;
    let forged = Client::auth(&owner, "forged", offset);
    assert_ne!(lost.sign_in(&forged).await.unwrap(), "forged");
    let scrape = Scrape::of(address).await;
    let recoveries = |outcome| format!("dispatch_stream_recoveries_total{{outcome=\"{outcome}\"}}");
    assert_eq!(scrape.value(&recoveries("recovered")), 1.0);
    assert_eq!(scrape.value(&recoveries("started-over")), 1.0);
    drop((back, lost));
}

#[tokio::test]
async fn a_reader_that_is_cut_is_counted() {
    let (server, owner, address) = watched(&[]).await;
    let jobs: Vec<Value> = (1..=40)
        .map(|job| json!({ "jobNumber": job, "concern": "squeaks ".repeat(250), "operations": [] }))
        .collect();
    let order = json!([{ "repairOrderNumber": 1, "customer": "Ann", "jobs": jobs }]);
    server.shop.import(&order).await;
    let tcp = TcpSocket::new_v4().unwrap();
    tcp.set_recv_buffer_size(8 * 1024).unwrap();
    let tcp = tcp.connect(server.address).await.unwrap();
    let mut stuck = Socket::open_over(tcp).await;
    stuck
        .sign_in(&json!({ "token": owner.token }))
        .await
        .unwrap();
    let cut = "dispatch_stream_readers_cut_total{reason=\"behind\"}";
    assert_eq!(Scrape::of(address).await.value(cut), 0.0);
    let owner = owner.on_one_connection();
    for _ in 0..1_000 {
        owner.make_one_change(1).await;
        if Scrape::of(address).await.value(cut) == 1.0 {
            return;
        }
    }
    panic!("a reader that does not read was not cut");
}

#[tokio::test]
async fn changes_that_cannot_be_saved_show_in_the_metrics() {
    let mut shop = Shop::new();
    let disk = FaultyIo::of(&mut shop);
    let server = Server::start_in(shop, &METRICS).await;
    let (owner, address) = (server.hire(OWNER, "Owner").await, metrics_address(&server));
    server.shop.import(&plain_orders(1)).await;
    disk.begin("fsync EIO");
    assert_eq!(owner.change_priority(1, 3).await.status, 503);
    let failed = "dispatch_http_requests_total{route=\"/api/repair-orders/update-priority\",\
                  method=\"POST\",status=\"5xx\"}";
    let scrape = Scrape::of(address).await;
    assert_eq!(scrape.value("dispatch_changes_saved"), 0.0);
    assert_eq!(scrape.value(failed), 1.0);
    assert!(scrape.value("dispatch_commit_failures_total") >= 1.0);
    disk.end();
    eventually(address, "dispatch_changes_saved", 1.0).await;
}

fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(name);
    std::fs::read_to_string(path).unwrap()
}

#[tokio::test]
async fn every_metric_in_the_files_for_operators_is_exported_and_every_exported_one_is_described() {
    let (server, _, address) = watched(&[]).await;
    let scrape = Scrape::of(address).await;
    let exported = scrape.names();
    let name = Regex::new(r"\b(?:dispatch|process)_[a-z_]+\b").unwrap();
    let named_in = |file: &str| -> BTreeSet<String> {
        // The name of the program's own parts is no metric's.
        let text = document(file).replace("dispatch_server::", "");
        name.find_iter(&text)
            .map(|found| found.as_str().to_owned())
            .collect()
    };
    let files = [
        "monitoring.md",
        "monitoring/alerts.yml",
        "monitoring/dashboard.json",
    ];
    for file in files {
        let named = named_in(file);
        assert!(named.len() > 5, "{file} names metrics");
        let unknown: Vec<_> = named.difference(&exported).collect();
        assert!(unknown.is_empty(), "{file} names {unknown:?}");
    }
    let described = named_in("monitoring.md");
    let shown = named_in("monitoring/dashboard.json");
    for (family, kind) in scrape.families() {
        let of_family = |name: &&String| {
            name.strip_prefix(family).is_some_and(|rest| {
                let rest = rest.strip_prefix('_').unwrap_or(rest);
                ["", "total", "info", "bucket", "sum", "count"].contains(&rest)
            })
        };
        assert!(
            described.iter().any(|name| of_family(&name)),
            "{family} is not described"
        );
        assert!(
            shown.iter().any(|name| of_family(&name)),
            "{family} is not shown"
        );
        let help = format!("# HELP {family} ");
        let line = scrape
            .0
            .lines()
            .find(|line| line.starts_with(&help))
            .unwrap();
        assert!(
            line.ends_with('.') && line.len() > help.len() + 10,
            "{line}"
        );
        assert!(!family.ends_with("_total"), "{family} is a {kind}");
    }
    drop(server);
}

#[test]
fn every_alert_says_what_to_do() {
    let rules = document("monitoring/alerts.yml");
    let alerts: Vec<&str> = rules.split("- alert: ").skip(1).collect();
    assert!(alerts.len() >= 7, "{}", alerts.len());
    for alert in alerts {
        for part in ["expr: ", "severity: ", "summary: ", "what_to_do: >-"] {
            assert!(alert.contains(part), "no {part} in {alert}");
        }
        let (_, advice) = alert.split_once("what_to_do: >-").unwrap();
        assert!(advice.trim().len() > 60, "{advice}");
    }
}

#[test]
fn the_dashboard_is_one_that_grafana_reads() {
    let board: Value = serde_json::from_str(&document("monitoring/dashboard.json")).unwrap();
    let panels = board["panels"].as_array().unwrap();
    let ids: BTreeSet<_> = panels.iter().map(|panel| panel["id"].as_i64()).collect();
    assert_eq!(ids.len(), panels.len(), "each has an id of its own");
    for panel in panels.iter().filter(|panel| panel["type"] != "row") {
        let targets = panel["targets"].as_array().unwrap();
        assert!(!targets.is_empty(), "{panel}");
        for target in targets {
            let query = target["expr"].as_str().unwrap();
            let count = |c| query.matches(c).count();
            assert_eq!(
                (count('('), count('{'), count('[')),
                (count(')'), count('}'), count(']'))
            );
        }
        assert_eq!(panel["datasource"]["uid"], "${datasource}");
    }
}
