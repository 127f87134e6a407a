//! What the server says of itself to Prometheus, and the files for operators that rely on it.

use std::collections::BTreeSet;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::time::Instant;

use dispatch_actors::store::Store;
use futures_util::future::join_all;
use jiff::Timestamp;
use regex::Regex;
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tokio::time::{Duration, sleep};

use crate::boards::Screen;
use crate::faults::damaged_database;
use crate::fixture::{
    Client, Desk, FaultyIo, MailServer, OWNER, S3_KEYS, S3Server, Server, Shop, Socket,
    WAIT_TIMEOUT, http, plain_orders,
};
use crate::push_service::{Browser, PushService};
use crate::receipts::technician;
use crate::sample::SAMPLE;
use crate::story_provider::{Provider, ProviderReply, openai, question};
use crate::tech_stories::next;

const METRICS: [&str; 2] = ["--metrics-listen", "127.0.0.1:0"];

/// The same for a server that is started again, each time at another port.
pub fn metrics_variable() -> (&'static str, String) {
    ("DISPATCH_METRICS_LISTEN", METRICS[1].to_owned())
}

/// Its log says which port that was.
pub fn metrics_address(server: &Server) -> SocketAddr {
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
pub struct Scrape(String);

impl Scrape {
    pub async fn of(address: SocketAddr) -> Self {
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

    /// These values of one metric, by that label.
    #[track_caller]
    pub fn has(&self, metric: &str, label: &str, expected: &[(&str, f64)]) {
        for (of, value) in expected {
            let sample = format!("{metric}{{{label}=\"{of}\"}}");
            assert_eq!(self.value(&sample), *value, "{sample}");
        }
    }

    /// `sample`: with its labels, as it is written.
    #[track_caller]
    pub fn value(&self, sample: &str) -> f64 {
        let value = self.value_if_any(sample);
        value.unwrap_or_else(|| panic!("no {sample} in\n{}", self.0))
    }

    fn value_if_any(&self, sample: &str) -> Option<f64> {
        let mut lines = self.0.lines();
        let value = lines.find_map(|line| line.strip_prefix(sample)?.strip_prefix(' '));
        value.map(|value| value.parse().unwrap())
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
        let value = Scrape::of(address).await.value_if_any(sample);
        if value.is_some_and(&is_so) {
            return;
        }
        assert!(begun.elapsed() < WAIT_TIMEOUT, "{sample} is {value:?}");
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
            "cannot listen on {address} for metrics (--metrics-listen): Address already in use (os error 98); stop the \
             program that holds it (ss -ltnp shows it), or use another --metrics-listen"
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
    let before = Scrape::of(address).await;
    let seq = owner.make_one_change(1).await;
    owner.list().await;
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
    let grown = |sample| scrape.value(sample) - before.value(sample);
    // The change, to the desk; receipts or ticks may have come besides.
    assert!(grown("dispatch_stream_deliveries_total") >= 1.0);
    assert_eq!(grown("dispatch_list_encoding_duration_seconds_count"), 1.0);
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
    let route = "route=\"/api/repair-orders/update-priority\",method=\"POST\"";
    let requests = format!("dispatch_http_requests_total{{{route},status=\"2xx\"}}");
    assert_eq!(scrape.value(&requests), 1.0);
    let times = format!("dispatch_http_request_duration_seconds_count{{{route}}}");
    assert_eq!(scrape.value(&times), 1.0);
    drop((socket, bay));
    eventually(address, "dispatch_stream_sessions{kind=\"desk\"}", 0.0).await;

    let size = "dispatch_database_size_bytes";
    let before = Scrape::of(address).await.value(size);
    server.shop.import(&plain_orders(1_000)).await;
    let files =
        ["dispatch.sqlite", "dispatch.sqlite-wal"].map(|name| server.shop.data_dir().join(name));
    let on_disk: u64 = files
        .iter()
        .map(|file| file.metadata().unwrap().len())
        .sum();
    let bytes = Scrape::of(address).await.value(size);
    assert!(bytes > before, "{before} bytes, then {bytes}");
    assert!(bytes <= on_disk as f64, "{bytes} of {on_disk}");
}

#[tokio::test]
async fn every_kind_of_session_and_of_row_is_counted() {
    let (server, owner, address) = watched(&[]).await;
    server.shop.import(&plain_orders(2)).await;
    let other = json!([
        { "repairOrderNumber": 1, "customer": "Somebody else" },
        { "repairOrderNumber": 2, "customer": "Customer 2" },
        { "customer": "Without a number" },
        { "repairOrderNumber": "none", "customer": "With another" },
    ]);
    let import = ["import", "-", "--format", "json"];
    server.shop.run_with(&import, other.to_string()).await;
    let ann = technician(&server, "ann@example.com", 11).await;
    let lounge = json!({ "name": "Lounge", "layout": "lounge" });
    let screen = Screen::by_link(&server, &owner, lounge).await;
    let page = json!({ "token": ann.token, "scope": { "technician": 11 } });
    let order = json!({ "token": owner.token, "scope": { "ros": [1] } });
    let mut sockets = Vec::new();
    for auth in [
        json!({ "token": owner.token }),
        json!({ "token": ann.token }),
        page.clone(),
        page,
        order,
        screen.auth(),
    ] {
        let mut socket = Socket::open(server.address).await;
        socket.sign_in(&auth).await.unwrap();
        sockets.push(socket);
    }
    let scrape = Scrape::of(address).await;
    scrape.has(
        "dispatch_stream_sessions",
        "kind",
        &[
            ("desk", 1.0),
            ("dashboard", 1.0),
            ("technician", 2.0),
            ("orders", 1.0),
            ("board", 1.0),
        ],
    );
    scrape.has(
        "dispatch_intake_rows_total",
        "outcome",
        &[
            ("created", 2.0),
            ("changed", 1.0),
            ("unchanged", 1.0),
            ("refused", 2.0),
        ],
    );
    drop(sockets);
    for kind in ["dashboard", "technician", "orders", "board"] {
        let sample = format!("dispatch_stream_sessions{{kind=\"{kind}\"}}");
        eventually(address, &sample, 0.0).await;
    }
}

/// What a push service says of each of four messages, and how it is counted.
const PUSHES: [(&str, &str); 4] = [
    ("201 Created", "sent"),
    ("400 Bad Request", "refused"),
    // Later than the message is of any use.
    ("503 Service Unavailable\r\nRetry-After: 90000", "expired"),
    // The last one: the browser is forgotten then.
    ("410 Gone", "gone"),
];

#[tokio::test]
async fn what_leaves_the_house_is_counted_by_what_became_of_it() {
    let (mut service, provider) = (PushService::start().await, Provider::start().await);
    let mail = MailServer::start(&["rejecting"]).await;
    let (smtp, stories) = (mail.url("smtp://", ""), format!("{}/v1", provider.origin));
    let options = [
        ["--push-service", &service.origin],
        ["--smtp-url", &smtp],
        ["--mail-from", "desk@example.com"],
        ["--story-provider", "openai"],
        ["--story-url", &stories],
        ["--story-model", "llama3.1"],
        ["--story-timeout", "3"],
    ];
    let (server, owner, address) = watched(options.as_flattened()).await;
    let sample: Value = serde_json::from_str(SAMPLE).unwrap();
    server.shop.import(&sample).await;
    server.shop.import(&plain_orders(4)).await;

    let person = json!({ "name": "Somebody", "roles": ["Advisor"] });
    let invited = json!({ "data": { "email": "bea@example.com", "userData": person } });
    owner.post("/inviteUser", invited).await;
    let given_up = "dispatch_mail_attempts_total{outcome=\"given-up\"}";
    eventually(address, given_up, 1.0).await;

    let ann = technician(&server, "ann@example.com", 11).await;
    let tap = json!({ "action": "clock-in" });
    ann.post("/api/technicians/11/clock", tap).await.good();
    let browser = Browser::new(&service, "ann").await;
    let subscription = browser.subscription();
    ann.put("/api/push/subscription", subscription).await.good();
    for (number, (answer, outcome)) in (1..).zip(PUSHES) {
        service.answer_next(answer);
        owner.assign(number, 11).await.good();
        service.pushed().await;
        let counted = format!("dispatch_pushes_total{{outcome=\"{outcome}\"}}");
        eventually(address, &counted, 1.0).await;
    }

    let reply = |status, text: &str| provider.will_reply(ProviderReply::Http(status, text.into()));
    reply("401 Unauthorized", "");
    let refused = next(&owner, &Value::Null, &[]).await;
    refused.refused(503, "interviewer-unavailable");
    provider.will_reply(ProviderReply::Nothing);
    let late = next(&owner, &Value::Null, &[]).await;
    late.refused(503, "interviewer-unavailable");
    reply("200 OK", "no JSON");
    reply("503 Service Unavailable\r\nRetry-After: 0", "");
    reply("200 OK", &openai(&question("Was it verified?")));
    next(&owner, &Value::Null, &[]).await.good();
    let scrape = Scrape::of(address).await;
    for outcome in [
        "answered",
        "unreadable",
        "unavailable",
        "refused",
        "timed-out",
    ] {
        let calls = format!("dispatch_story_calls_total{{outcome=\"{outcome}\"}}");
        assert_eq!(scrape.value(&calls), 1.0, "{outcome}");
    }
    // And none is counted twice, or as another.
    for (_, outcome) in PUSHES {
        let counted = format!("dispatch_pushes_total{{outcome=\"{outcome}\"}}");
        assert_eq!(scrape.value(&counted), 1.0, "{outcome}");
    }
    assert_eq!(
        scrape.value("dispatch_mail_attempts_total{outcome=\"failed\"}"),
        0.0
    );
}

#[tokio::test]
async fn passwords_that_wait_to_be_hashed_are_counted() {
    let (server, _, address) = watched(&[]).await;
    let running = "dispatch_password_hashes_running";
    let waiting = "dispatch_password_queue_requests{lane=\"strangers\"}";
    let strangers = (0..24).map(|number| {
        let email = format!("nobody{number}@example.com");
        let body = json!({ "email": email, "password": "not the password" });
        server.post("/api/auth/sign-in", body)
    });
    // As many are hashed at once as may be while others wait: one scrape says both.
    let seen = async {
        loop {
            let scrape = Scrape::of(address).await;
            if scrape.value(running) == 2.0 && scrape.value(waiting) >= 1.0 {
                assert!(scrape.value(waiting) <= 22.0);
                return;
            }
        }
    };
    let asked = async {
        for answer in join_all(strangers).await {
            answer.refused(401, "wrong-password");
        }
    };
    let looked = async {
        tokio::select! {
            () = seen => true,
            () = sleep(WAIT_TIMEOUT) => false,
        }
    };
    let (was_seen, ()) = tokio::join!(looked, asked);
    assert!(was_seen, "nobody waited");
    eventually(address, running, 0.0).await;
    eventually(address, waiting, 0.0).await;
}

/// When the backup that the server wrote was made, by its name.
fn backup_time(shop: &Shop) -> Timestamp {
    let mut names = std::fs::read_dir(shop.path("backups")).unwrap();
    let name = names.next().unwrap().unwrap().file_name();
    let name = name.into_string().unwrap();
    let (date, time) = name.split_once('T').unwrap();
    let (date, time) = (&date[date.len() - 10..], time[..8].replace('-', ":"));
    format!("{date}T{time}Z").parse().unwrap()
}

#[tokio::test]
async fn the_process_the_disks_and_the_backups_are_told_in_numbers() {
    let begun = Timestamp::now();
    let store = S3Server::start(&[]).await;
    let mut shop = Shop::new();
    std::fs::create_dir(shop.path("backups")).unwrap();
    shop.environment = S3_KEYS.map(|(name, key)| (name, key.to_owned())).to_vec();
    let one_mb = "1".to_owned();
    let low_disk = ("DISPATCH_LOW_DISK_MB", one_mb);
    shop.environment.extend([metrics_variable(), low_disk]);
    let url = store.url("");
    let mut options = vec!["--backup-dir", "backups", "--backup-s3-url", &url];
    options.extend(["--intake-dir", "intake"]);
    let mut server = Server::start_in(shop, &options).await;
    server.hire(OWNER, "Owner").await;
    let address = metrics_address(&server);
    eventually(address, "dispatch_backup_offsite_failing", 0.0).await;
    let offsite = "dispatch_backup_offsite_newest_timestamp_seconds";
    eventually_so(address, offsite, |_| true).await;
    eventually(address, "dispatch_database_damaged", 0.0).await;
    let scrape = Scrape::of(address).await;
    let newest = backup_time(&server.shop).as_second() as f64;
    assert_eq!(
        scrape.value("dispatch_backup_newest_timestamp_seconds"),
        newest
    );
    assert_eq!(scrape.value(offsite), newest);
    assert_eq!(scrape.value("dispatch_backup_failing"), 0.0);

    let started = scrape.value("process_start_time_seconds");
    let span = begun.as_second() as f64..=Timestamp::now().as_second() as f64 + 1.0;
    assert!(span.contains(&started), "{started} in {span:?}");
    let memory = scrape.value("process_resident_memory_bytes");
    let share = memory / server.memory() as f64;
    assert!((0.5..2.0).contains(&share), "{memory}");
    let open = format!("/proc/{}/fd", server.id());
    let open = std::fs::read_dir(open).unwrap().count() as f64;
    let files = scrape.value("process_open_fds");
    assert!(
        (files - open).abs() <= 20.0,
        "{files}, and there are {open}"
    );
    let version = Regex::new(&format!(
        "(?m)^dispatch_build_info\\{{version=\"{}\",build=\"[^\"]+\"\\}} 1$",
        regex::escape(env!("CARGO_PKG_VERSION"))
    ));
    assert!(version.unwrap().is_match(&scrape.0), "{}", scrape.0);

    let folder = server.shop.data_dir().canonicalize().unwrap();
    let of_disk = |name: &str| format!("dispatch_disk_{name}{{folder=\"{}\"}}", folder.display());
    let disk = rustix::fs::statvfs(&folder).unwrap();
    let size = scrape.value(&of_disk("size_bytes"));
    assert_eq!(size, (disk.f_blocks * disk.f_frsize) as f64);
    let free = scrape.value(&of_disk("free_bytes"));
    let free_now = (disk.f_bavail * disk.f_frsize) as f64;
    assert!((free - free_now).abs() < size / 4.0, "{free}, {free_now}");
    assert_eq!(scrape.value(&of_disk("low")), 0.0);

    // And when nothing is as it should be.
    let [intake, elsewhere] = ["intake", "elsewhere"].map(|name| server.shop.path(name));
    std::fs::rename(&intake, &elsewhere).unwrap();
    eventually(address, "dispatch_intake_failing", 1.0).await;
    std::fs::rename(&elsewhere, &intake).unwrap();
    eventually(address, "dispatch_intake_failing", 0.0).await;
    server.sigterm().await;
    damaged_database::destroy(&server.shop, damaged_database::UNREAD).await;
    std::fs::rename(server.shop.path("backups"), server.shop.path("gone")).unwrap();
    let more_than_it_has = "4000000000".to_owned();
    server.shop.environment.last_mut().unwrap().1 = more_than_it_has;
    server.restart().await;
    let address = metrics_address(&server);
    eventually(address, "dispatch_backup_failing", 1.0).await;
    eventually(address, "dispatch_backup_offsite_failing", 1.0).await;
    eventually(address, "dispatch_database_damaged", 1.0).await;
    let scrape = Scrape::of(address).await;
    assert_eq!(scrape.value(&of_disk("low")), 1.0);
    for missing in ["dispatch_backup_newest_timestamp_seconds", offsite] {
        assert_eq!(scrape.value_if_any(missing), None, "{missing}");
    }
    server.sigterm().await;
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

    // What comes while a transaction takes long waits.
    server.shop.import(&plain_orders(4)).await;
    disk.begin("fsync hold");
    let first = owner.change_priority(2, 4);
    let others = async {
        disk.wait_for_hold().await;
        let others =
            async { tokio::join!(owner.change_priority(3, 4), owner.change_priority(4, 4)) };
        let released = async {
            eventually(address, "dispatch_commit_queue_decisions", 2.0).await;
            disk.end();
        };
        tokio::join!(others, released).0
    };
    let (first, (second, third)) = tokio::join!(first, others);
    for answer in [first, second, third] {
        answer.good();
    }
    eventually(address, "dispatch_commit_queue_decisions", 0.0).await;

    let store = server.shop.store().await;
    execute(&store, "ALTER TABLE event_log RENAME TO mislaid").await;
    eventually(address, "dispatch_event_log_readable", 0.0).await;
    execute(&store, "ALTER TABLE mislaid RENAME TO event_log").await;
    eventually(address, "dispatch_event_log_readable", 1.0).await;
    store.close().await;
}

async fn execute(store: &Store, sql: &str) {
    store.writer().execute_unprepared(sql).await.unwrap();
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
    // A label that no sample has would match nothing, and its alert never come. Which classes of status there are
    // depends on what was asked.
    let labelled = Regex::new(r#"\b(dispatch_[a-z_]+)\{([a-z]+)="([^"$]+)"\}"#).unwrap();
    for file in files {
        let text = document(file).replace("\\\"", "\"");
        for found in labelled.captures_iter(&text) {
            let [name, label, value] = [1, 2, 3].map(|at| &found[at]);
            if label == "status" {
                assert!(
                    ["1xx", "2xx", "3xx", "4xx", "5xx"].contains(&value),
                    "{value}"
                );
                continue;
            }
            let sample = format!("{name}{{{label}=\"{value}\"}} ");
            assert!(scrape.0.contains(&sample), "{file} names {sample}");
        }
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
