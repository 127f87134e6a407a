//! The log: what is in it of a server's life and of a request, as text and as JSON.

use std::collections::BTreeSet;
use std::time::Duration;

use dispatch_actors::store::DatabaseUrl;
use dispatch_actors::testing::Throwaway;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::fixture::{Answer, Client, OWNER, Server, Shop, Socket, WAIT_TIMEOUT, plain_orders};

/// The lines of a log of JSON, each of which is an object.
fn objects(server: &Server) -> Vec<Value> {
    let log = server.shop.read("server.log");
    let objects = log.lines().map(|line| {
        let object: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        for name in ["timestamp", "level", "target", "message"] {
            assert!(object[name].is_string(), "{line}");
        }
        object
    });
    objects.collect()
}

/// Waits for a line with this in it.
async fn line(server: &Server, text: &str) -> String {
    let wait = async {
        loop {
            let log = server.shop.read("server.log");
            if let Some(line) = log.lines().find(|line| line.contains(text)) {
                return line.to_owned();
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    let line = tokio::time::timeout(WAIT_TIMEOUT, wait).await;
    line.unwrap_or_else(|_| panic!("no {text} in {}", server.shop.read("server.log")))
}

async fn guess(server: &Server) -> Answer {
    let credentials = json!({ "email": OWNER, "password": "not the password" });
    let answer = server.post("/api/auth/sign-in", credentials).await;
    answer.refused(401, "wrong-password");
    answer
}

fn id_of(answer: &Answer) -> &str {
    answer.headers["x-request-id"].to_str().unwrap()
}

#[tokio::test]
async fn a_server_says_that_it_has_started_and_that_it_has_stopped() {
    let mut server = Server::start().await;
    let started = line(&server, "the server has started").await;
    let data_dir = server.shop.data_dir().display().to_string();
    for part in [
        format!("version=\"{}-", env!("CARGO_PKG_VERSION")),
        format!("address={}", server.address),
        format!("database={data_dir}/dispatch.sqlite"),
        format!("data_dir={data_dir}"),
    ] {
        assert!(started.contains(&part), "{part} in {started}");
    }
    server.sigterm().await;
    let log = server.shop.read("server.log");
    let last = log.lines().last().unwrap();
    assert!(last.ends_with("the server has stopped"), "{log}");
}

#[tokio::test]
async fn an_ordinary_day_is_a_few_lines() {
    let shop = Shop::new();
    shop.hire_technicians().await;
    shop.add_user(OWNER, "Owner").await;
    let mut server = Server::start_in(shop, &[]).await;
    server.sigterm().await;
    // Not the first one, of which the trail says how the shop is configured.
    let before = server.shop.read("server.log").len();
    server.restart().await;
    let owner = server.sign_in(OWNER).await;
    server.shop.import(&plain_orders(5)).await;
    let mut desk = owner.listen(&server).await;
    for number in 1..=5 {
        owner.change_priority(number, 3).await.good();
        owner.assign(number, 11).await.good();
        while desk.modified().await["action"] != "TECH_ASSIGNED" {}
    }
    // What people and their programs do wrong every day, too.
    owner
        .get("/api/repair-orders/99")
        .await
        .refused(404, "unknown-repair-order");
    owner
        .change_status(1, 99)
        .await
        .refused(400, "invalid-status");
    server
        .get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
    server.get("/favicon.png").await;
    owner.list().await;
    owner.refresh().await.good();
    // A page that is closed, and a tablet that goes out of the network.
    drop(desk);
    let gone = Client::join(&server, &owner).await;
    let (pid, offset) = (gone.pid.clone(), gone.offset.clone());
    drop(gone);
    let back = Socket::resume(&server, &owner, &pid, &offset).await;
    guess(&server).await;
    owner.sign_out().await.good();
    drop(back);
    server.sigterm().await;

    let log = server.shop.read("server.log").split_off(before);
    let lines: Vec<String> = log.lines().map(without_time).collect();
    let kinds = [
        "  INFO dispatch_server::http::host_check: answers to localhost, ",
        "  INFO dispatch::program::commands: the server has started version=",
        "  INFO audit: address=127.0.0.1 outcome=done event=sign-in ",
        "  INFO dispatch_server::control::imports: -: 5 created, 0 changed, 0 unchanged, 0 refused",
        "  INFO audit: address=127.0.0.1 outcome=refused event=sign-in reason=wrong-password ",
        "  INFO dispatch::program::commands: the server has stopped",
    ];
    assert_eq!(lines.len(), kinds.len(), "{log}");
    for (line, kind) in lines.iter().zip(kinds) {
        assert!(line.starts_with(kind), "{kind} is not {line}");
    }
}

/// From its level on.
fn without_time(line: &str) -> String {
    let (time, rest) = line.split_once('Z').unwrap();
    assert!(time.starts_with("20"), "{line}");
    rest.to_owned()
}

#[tokio::test]
async fn the_password_of_the_database_is_not_in_the_log() {
    let database = Throwaway::postgres().await;
    let DatabaseUrl::Postgres(url) = &database.url else {
        panic!("it is PostgreSQL");
    };
    let with_password = url.replacen("postgres@", "postgres:s3cret@", 1);
    assert!(with_password.contains("s3cret"), "{url}");
    let arguments = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--database-url",
        &with_password,
    ];
    let server = Server::start_as(Shop::unplaced(), &arguments).await;
    let started = line(&server, "the server has started").await;
    assert!(started.contains(" database=postgres://"), "{started}");
    assert!(!server.shop.read("server.log").contains("s3cret"));
}

#[tokio::test]
async fn a_refused_sign_in_is_one_line_with_the_id_of_its_answer() {
    let (server, _) = Server::with_owner().await;
    let answer = guess(&server).await;
    let log = server.shop.read("server.log");
    let lines: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("outcome=refused"))
        .collect();
    assert_eq!(lines.len(), 1, "{log}");
    let says = "address=127.0.0.1 outcome=refused event=sign-in reason=wrong-password";
    assert!(lines[0].contains(says), "{log}");
    let end = format!(" request_id={}", id_of(&answer));
    assert!(lines[0].ends_with(&end), "{log}");
    assert!(!log.contains("not the password"), "{log}");
}

#[tokio::test]
async fn a_fault_is_found_in_the_log_by_the_id_of_its_answer() {
    let (server, owner) = Server::with_owner().await;
    let store = server.shop.store().await;
    let gone = store.writer().execute_unprepared("DROP TABLE named_views");
    gone.await.unwrap();
    let answer = owner.get("/api/views").await;
    answer.refused(503, "unavailable");
    let fault = line(&server, "ERROR").await;
    let end = format!(" request_id={}", id_of(&answer));
    assert!(fault.ends_with(&end), "{fault}");
}

#[tokio::test]
async fn each_answer_has_an_id_of_its_own_which_the_client_does_not_choose() {
    let (server, owner) = Server::with_owner().await;
    let mut ids = BTreeSet::new();
    for (method, path, host) in [
        (Method::GET, "/healthz", None),
        (Method::GET, "/api/repair-orders", None),
        (Method::GET, "/api/nothing", None),
        (Method::GET, "/", None),
        (Method::DELETE, "/api/repair-orders", None),
        (Method::GET, "/api/repair-orders", Some("elsewhere.example")),
    ] {
        let request = owner.request(method, path).header("X-Request-Id", "mine");
        let request = match host {
            Some(host) => request.header("Host", host),
            None => request,
        };
        let answer = request.send().await.unwrap();
        let found: Vec<_> = answer.headers().get_all("x-request-id").iter().collect();
        assert_eq!(found.len(), 1, "{path}: {found:?}");
        let id = found[0].to_str().unwrap();
        assert_eq!(id.len(), 36, "{id}");
        ids.insert(id.to_owned());
    }
    assert_eq!(ids.len(), 6);
    assert!(!server.shop.read("server.log").contains("mine"));
}

#[tokio::test]
async fn a_log_of_json_has_one_object_a_line() {
    let shop = Shop::new();
    shop.add_user(OWNER, "Owner").await;
    let mut server = Server::start_in(shop, &["--log-format", "json"]).await;
    let answer = guess(&server).await;
    let objects_now = objects(&server);
    let started = &objects_now
        .iter()
        .find(|line| line["message"] == "the server has started")
        .unwrap();
    assert_eq!(started["level"], "INFO");
    assert_eq!(started["fields"]["address"], server.address.to_string());
    assert!(started.get("request_id").is_none(), "{started}");
    let refused = objects_now
        .iter()
        .find(|line| line["target"] == "audit" && line["request_id"].is_string())
        .unwrap();
    assert_eq!(refused["request_id"], id_of(&answer));
    let message = refused["message"].as_str().unwrap();
    assert!(
        message.contains("outcome=refused event=sign-in"),
        "{message}"
    );
    server.sigterm().await;
    let last = objects(&server).pop().unwrap();
    assert_eq!(last["message"], "the server has stopped");
}

#[tokio::test]
async fn the_form_of_the_log_comes_from_the_environment_and_the_file_too() {
    let mut shop = Shop::new();
    shop.environment = vec![("DISPATCH_LOG_FORMAT", "json".to_owned())];
    let server = Server::start_in(shop, &[]).await;
    assert!(!objects(&server).is_empty());

    let shop = Shop::new();
    shop.write("dispatch.toml", "log-format = \"json\"\n");
    let server = Server::start_in(shop, &["--config", "dispatch.toml"]).await;
    assert!(!objects(&server).is_empty());
    let sentence = server
        .shop
        .run(&["serve", "--log-format", "xml"])
        .await
        .refused();
    assert!(sentence.contains("text, json"), "{sentence}");
}

#[tokio::test]
async fn one_area_can_say_more_than_the_others() {
    let mut shop = Shop::new();
    shop.environment = vec![("RUST_LOG", "warn,dispatch_server::app=info".to_owned())];
    let loud = Server::start_in(shop, &[]).await;
    line(&loud, "nobody can sign in yet").await;
    let mut shop = Shop::new();
    shop.environment = vec![("RUST_LOG", "warn,dispatch_server::push=info".to_owned())];
    let mut quiet = Server::start_in(shop, &[]).await;
    quiet.sigterm().await;
    let log = quiet.shop.read("server.log");
    assert!(!log.contains("nobody can sign in yet"), "{log}");
}

#[tokio::test]
async fn a_log_that_is_no_terminal_has_no_colours() {
    for format in ["text", "json"] {
        let server = Server::start_in(Shop::new(), &["--log-format", format]).await;
        line(&server, "the server has started").await;
        let log = server.shop.read("server.log");
        assert!(!log.contains('\u{1b}') && !log.contains("\\u001b"), "{log}");
    }
}

#[tokio::test]
async fn a_hangup_does_not_end_the_server_and_is_logged_once() {
    let mut server = Server::start().await;
    server.signal("HUP").await;
    line(&server, "SIGHUP changes nothing").await;
    assert_eq!(server.get("/healthz").await.status, 200);
    let log = server.shop.read("server.log");
    assert_eq!(log.matches("SIGHUP").count(), 1, "{log}");
    server.sigterm().await;
}
