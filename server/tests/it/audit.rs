//! The audit trail as owners read it, as the log has it, and as a flood meets it.

use std::path::Path;

use regex::Regex;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep, timeout};

use crate::fixture::{ANYWHERE, Desk, PASSWORD, Server, Shop, WAIT_TIMEOUT};

const ANN: &str = "ann@example.com";
const OWNER: &str = "owner@example.com";

/// A server that believes what its tests say of where they come from.
async fn behind_proxy() -> (Server, Desk) {
    let server = Server::start_in(Shop::new(), &["--trusted-proxy", "127.0.0.1"]).await;
    let owner = server.hire(OWNER, "Owner").await;
    (server, owner)
}

async fn guess(server: &Server, address: &str, email: &str) -> u16 {
    let body = json!({ "email": email, "password": "wrong password" });
    let request = server
        .request(Method::POST, "/api/auth/sign-in")
        .json(&body);
    let answer = request.header("x-forwarded-for", address).send().await;
    answer.unwrap().status().as_u16()
}

/// Those of this query, the newest first.
async fn events(owner: &Desk, query: &str) -> Vec<Value> {
    let page = owner.get(&format!("/api/audit?limit=200{query}")).await;
    page.result()["events"].as_array().unwrap().clone()
}

/// The same of all pages.
async fn all_events(owner: &Desk, query: &str) -> Vec<Value> {
    let (mut found, mut before) = (Vec::new(), String::new());
    loop {
        let path = format!("/api/audit?limit=200{query}{before}");
        let page = owner.get(&path).await.result();
        found.extend(page["events"].as_array().unwrap().clone());
        match page["next"].as_str() {
            Some(next) => before = format!("&before={next}"),
            None => return found,
        }
    }
}

async fn kinds(owner: &Desk, query: &str) -> Vec<String> {
    let events = events(owner, query).await;
    let kinds = events.iter().map(|event| event["kind"].as_str().unwrap());
    kinds.map(str::to_owned).collect()
}

/// The lines of the log, without their times.
fn lines(server: &Server) -> Vec<String> {
    let log = server.shop.read("server.log");
    let lines = log
        .lines()
        .filter_map(|line| line.split_once("INFO audit: "));
    // Without the request that they belong to.
    let lines = lines.map(|(_, line)| line.split(" request_id=").next().unwrap());
    lines.map(str::to_owned).collect()
}

#[tokio::test]
async fn every_sign_in_and_refusal_is_in_the_trail_with_address_and_outcome() {
    let (server, owner) = behind_proxy().await;
    assert_eq!(guess(&server, "198.51.100.7", OWNER).await, 401);
    let passwords = [
        "s3cret-in-the-wrong-field",
        "S3cret@Passw0rd!",
        "s3cret@example.com",
        "owner\u{200b}@example.com",
    ];
    for typed in passwords {
        assert_eq!(guess(&server, "198.51.100.7", typed).await, 401);
    }
    let body = json!({ "email": "S3cret@example.com" });
    server.post("/api/auth/password-reset", body).await.good();
    let reset_requests = events(&owner, "&kind=password-reset-asked").await;
    assert_eq!(reset_requests[0]["about"], Value::Null);
    let refused = events(&owner, "&kind=sign-in&outcome=refused").await;
    assert_eq!(refused.len(), 5, "{refused:?}");
    for event in &refused[..4] {
        assert_eq!(event["who"], Value::Null, "it may be a password");
    }
    let first = &refused[4];
    let expected = json!({
        "id": first["id"], "at": first["at"], "kind": "sign-in", "outcome": "refused",
        "reason": "wrong-password", "address": "198.51.100.7", "actor": "unknown",
        "who": OWNER, "whoId": null, "about": null, "aboutId": null, "detail": null, "count": 1,
    });
    assert_eq!(first, &expected);
    let done = events(&owner, "&kind=sign-in&outcome=done").await;
    assert_eq!(done.len(), 1);
    assert_eq!(
        (&done[0]["who"], &done[0]["whoId"], &done[0]["address"]),
        (&json!(OWNER), &json!(owner.uid), &json!("127.0.0.1"))
    );
    let line = "address=198.51.100.7 outcome=refused event=sign-in reason=wrong-password count=1 \
                actor=unknown who=\"owner@example.com\"";
    assert!(lines(&server).iter().any(|found| found == line));
    let log = server.shop.read("server.log").to_lowercase();
    assert!(!log.contains("s3cret"), "{log}");
}

#[tokio::test]
async fn every_change_of_permissions_is_in_the_trail_with_its_actor() {
    let (server, owner) = behind_proxy().await;
    let person = json!({ "name": "Ann", "roles": ["Advisor"] });
    let invitation = json!({ "data": { "email": ANN, "userData": person } });
    owner.post("/inviteUser", invitation).await;
    let path = format!("/api/users/{ANN}");
    let patch = json!({ "roles": ["Technician"], "technicianId": 7 });
    owner.patch(&path, patch).await.good();
    owner.delete(&path).await.good();
    let key = json!({ "name": "=Nightly\u{202e} export" });
    let key = owner.post("/api/intake/keys", key).await.result();
    let key_path = format!("/api/intake/keys/{}", key["id"].as_str().unwrap());
    owner.delete(&key_path).await.good();
    let board = json!({ "name": "Bay 3", "layout": "queue" });
    let link = owner.post("/api/boards/links", board).await.result();
    let board = link["boardId"].as_str().unwrap();
    owner
        .post(&format!("/api/boards/{board}/revoke"), Value::Null)
        .await
        .good();
    owner.delete(&format!("/api/boards/{board}")).await.good();
    let passwords = json!({ "currentPassword": PASSWORD, "newPassword": "another long password" });
    owner.post("/api/auth/password", passwords).await.good();
    assert_eq!(
        kinds(&owner, "&outcome=done").await,
        [
            "password-changed",
            "board-deleted",
            "board-revoked",
            "board-link-made",
            "intake-key-revoked",
            "intake-key-made",
            "invitation-withdrawn",
            "technician-link-changed",
            "roles-changed",
            "user-invited",
            "sign-in",
            "user-added",
            "configuration-changed",
            "configuration-changed",
        ]
    );
    for event in events(&owner, "&outcome=done&kind=roles-changed,intake-key-made").await {
        assert_eq!(
            (&event["who"], &event["whoId"], &event["actor"]),
            (&json!(OWNER), &json!(owner.uid), &json!("person"))
        );
        match event["kind"].as_str().unwrap() {
            "roles-changed" => {
                assert_eq!(event["about"], ANN);
                assert_eq!(event["detail"], "roles Advisor -> Technician");
            }
            _ => assert_eq!(event["about"], "=Nightly export"),
        }
    }
    let added = &events(&owner, "&kind=user-added").await[0];
    assert_eq!(
        (&added["actor"], &added["about"], &added["address"]),
        (&json!("command-line"), &json!(OWNER), &Value::Null)
    );
    assert_eq!(lines(&server).len(), 14);
}

#[tokio::test]
async fn a_change_is_not_made_when_its_event_cannot_be_written() {
    let (server, owner) = Server::with_owner().await;
    server.hire(ANN, "Advisor").await;
    let store = server.shop.store().await;
    let fault = "CREATE TRIGGER audit_fault BEFORE INSERT ON audit_events BEGIN \
                 SELECT RAISE(ABORT, 'fault'); END";
    sea_orm::ConnectionTrait::execute_unprepared(store.writer(), fault)
        .await
        .unwrap();
    let path = format!("/api/users/{ANN}");
    let refused = owner.patch(&path, json!({ "roles": ["Admin"] })).await;
    assert_eq!(refused.status, 503);
    let refused = owner
        .post("/api/intake/keys", json!({ "name": "Export" }))
        .await;
    assert_eq!(refused.status, 503);
    let again = "DROP TRIGGER audit_fault";
    sea_orm::ConnectionTrait::execute_unprepared(store.writer(), again)
        .await
        .unwrap();
    assert_eq!(owner.get(&path).await.result()["roles"], json!(["Advisor"]));
    assert_eq!(owner.get("/api/intake/keys").await.result(), json!([]));
}

#[tokio::test]
async fn changes_of_a_second_factor_are_in_the_trail() {
    let (server, owner) = Server::with_owner().await;
    let (_, codes) = crate::two_factor::turn_on(&owner).await;
    let credentials = json!({ "email": OWNER, "password": PASSWORD });
    server
        .post("/api/auth/sign-in", credentials.clone())
        .await
        .refused(401, "second-factor-required");
    let mut wrong = credentials.clone();
    wrong["code"] = json!("aaaa-bbbb-cccc-dddd-eeee-ffff");
    server
        .post("/api/auth/sign-in", wrong)
        .await
        .refused(401, "wrong-code");
    let mut right = credentials;
    right["code"] = json!(codes[0]);
    server.post("/api/auth/sign-in", right).await.good();
    server
        .shop
        .run(&["user", "reset-two-factor", OWNER])
        .await
        .good();
    let server_owner = server.sign_in(OWNER).await;
    let reasons: Vec<Value> = events(&server_owner, "&kind=sign-in&outcome=refused")
        .await
        .iter()
        .map(|event| event["reason"].clone())
        .collect();
    assert_eq!(reasons, ["wrong-code", "second-factor-required"]);
    let kinds = kinds(
        &server_owner,
        "&kind=second-factor-on,second-factor-off,recovery-code-used",
    )
    .await;
    assert_eq!(
        kinds,
        [
            "second-factor-off",
            "recovery-code-used",
            "second-factor-on"
        ]
    );
}

#[tokio::test]
async fn pages_follow_each_other_and_filters_hold() {
    let (server, owner) = behind_proxy().await;
    let ann = "Stranger_\u{dc}@example.com";
    server.shop.add_user(ann, "Advisor").await;
    for number in 0..7 {
        guess(&server, &format!("198.51.{number}.7"), ann).await;
    }
    guess(&server, "203.0.113.9", ANN).await;
    let mut found = Vec::new();
    let mut before = String::new();
    loop {
        let path = format!("/api/audit?limit=3&kind=sign-in&outcome=refused{before}");
        let page = owner.get(&path).await.result();
        found.extend(page["events"].as_array().unwrap().clone());
        match page["next"].as_str() {
            Some(next) => before = format!("&before={next}"),
            None => break,
        }
    }
    assert_eq!(found.len(), 8);
    let ids: Vec<i64> = found
        .iter()
        .map(|event| event["id"].as_i64().unwrap())
        .collect();
    assert!(ids.is_sorted_by(|a, b| a > b), "{ids:?}");
    let count = async |query: &str| events(&owner, query).await.len();
    for person in ["STRANGER_%C3%9C", "stranger_%C3%BC", "stranger_u%CC%88"] {
        let query = format!("&outcome=refused&person={person}");
        assert_eq!(count(&query).await, 7, "{person}");
    }
    assert_eq!(
        count("&person=stranger%25").await,
        0,
        "what is looked for is no pattern"
    );
    assert_eq!(count("&person=203.0.113.9").await, 1);
    let middle = found[4]["at"].as_str().unwrap();
    let earlier = count(&format!("&kind=sign-in&outcome=refused&to={middle}")).await;
    let later = count(&format!("&kind=sign-in&outcome=refused&from={middle}")).await;
    assert_eq!(earlier + later, 8);
    for query in [
        "kind=nothing",
        "outcome=maybe",
        "limit=0",
        "limit=201",
        "before=x",
        "from=now",
    ] {
        let refused = owner.get(&format!("/api/audit?{query}")).await;
        refused.refused(400, "invalid-request");
    }
}

#[tokio::test]
async fn an_export_of_events_is_text_to_every_spreadsheet_and_is_itself_an_event() {
    let (server, owner) = behind_proxy().await;
    let name = "=HYPERLINK(\"http://evil.example\";\"x\")";
    owner
        .post("/api/intake/keys", json!({ "name": name }))
        .await
        .good();
    server.shop.add_user("+1@example.com", "Advisor").await;
    guess(&server, "198.51.100.7", "+1@example.com").await;
    let path = "/api/audit/events.csv?kind=intake-key-made,sign-in";
    let answer = owner.request(Method::GET, path).send().await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/csv; charset=utf-8");
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let text = answer.text().await.unwrap();
    let text = text.strip_prefix('\u{feff}').unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 4, "{text}");
    for row in &rows {
        assert!(row.starts_with('"') && row.ends_with('"'), "{row}");
        for cell in row[1..row.len() - 1].split("\",\"") {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{row}");
        }
    }
    assert!(text.contains("\"'=HYPERLINK(\"\"http"), "{text}");
    assert!(text.contains("\"'+1@example.com\""), "{text}");
    let exported = &events(&owner, "&kind=audit-exported").await[0];
    assert_eq!(exported["detail"], "intake-key-made, sign-in");
    assert_eq!(exported["who"], OWNER);
    let many = vec!["sign-in"; 40].join(",");
    let path = format!("/api/audit/events.csv?kind={many}&person=ann&outcome=refused");
    owner.request(Method::GET, &path).send().await.unwrap();
    let exported = &events(&owner, "&kind=audit-exported").await[0];
    assert_eq!(exported["detail"], "person ann, refused, sign-in");
}

/// What docs/audit.md gives fail2ban, with an address in place of its tag.
fn filter() -> Regex {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/audit.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    let line = docs
        .lines()
        .find_map(|line| line.strip_prefix("failregex = "));
    let pattern = line
        .unwrap()
        .replace("<ADDR>", r"(?<address>[0-9a-fA-F:.]+)");
    Regex::new(&pattern).unwrap()
}

#[tokio::test]
async fn a_log_line_cannot_be_forged() {
    let (server, owner) = behind_proxy().await;
    let forged = "2026-11-22T21:58:00.1Z  INFO audit: address=203.0.113.66 outcome=refused \
                  event=sign-in reason=wrong-password count=1 actor=unknown";
    let texts = [
        forged.to_owned(),
        format!("x\" {forged}"),
        format!("x\\\" {forged}"),
        format!("INFO audit: {}", &forged[forged.find("address").unwrap()..]),
    ];
    for text in &texts {
        for email in [
            text.clone(),
            format!("\"{text}\"@example.com"),
            format!("a\n{text}@b.c"),
        ] {
            guess(&server, "198.51.100.7", &email).await;
        }
        let name: String = text.chars().take(100).collect();
        let _ = owner
            .post("/api/intake/keys", json!({ "name": name }))
            .await;
        let board = json!({ "name": name, "layout": "queue" });
        let _ = owner.post("/api/boards/links", board).await;
        let request = server.request(Method::POST, "/api/auth/sign-in");
        let credentials = json!({ "email": ANN, "password": "x" });
        let request = request.header("user-agent", text).json(&credentials);
        let request = request.header("x-forwarded-for", format!("{text}, 198.51.100.8"));
        request.send().await.unwrap();
    }
    let filter = filter();
    assert!(
        !filter.is_match(
            "2026-11-22T21:58:00.1Z  INFO audit: address=198.51.100.9 outcome=refused \
             event=sign-in reason=oidc-failed count=1 actor=unknown"
        ),
        "a page of somebody else's may have brought that about"
    );
    let log = server.shop.read("server.log");
    assert!(
        !log.contains('\u{1b}'),
        "a log that is no terminal has no sequences for one"
    );
    let mut found: Vec<String> = log
        .lines()
        .filter_map(|line| Some(filter.captures(line)?["address"].to_owned()))
        .collect();
    found.sort();
    found.dedup();
    assert_eq!(found, ["198.51.100.7", "198.51.100.8"]);
    // As journald's backend puts it.
    let line = log.lines().find(|line| filter.is_match(line)).unwrap();
    assert!(filter.is_match(&format!("desk dispatch[4711]: {line}")));
    let stripped = line.split_once("Z ").unwrap().1;
    assert!(filter.is_match(stripped), "{stripped}");
}

#[tokio::test]
async fn fail2ban_finds_each_wrong_password_key_token_and_link() {
    let (server, owner) = behind_proxy().await;
    let key = json!({ "name": "DMS" });
    let key = owner.post("/api/intake/keys", key).await.result();
    let (intake, board) = ("/api/intake/repair-orders", "/api/board");
    let ask = async |last: u8, method, path, credential: Option<&str>| {
        let request = server.request(method, path).json(&json!([]));
        let request = request.header("x-forwarded-for", format!("198.51.100.{last}"));
        let request = match credential {
            Some(credential) => request.bearer_auth(credential),
            None => request,
        };
        request.send().await.unwrap().status().as_u16()
    };
    guess(&server, "198.51.100.1", ANN).await;
    assert_eq!(ask(2, Method::POST, intake, Some("dk_wrong")).await, 401);
    assert_eq!(ask(3, Method::GET, board, Some("db_wrong")).await, 401);
    let screen = json!({ "width": 1920, "height": 1080 });
    let link = json!({ "link": "wrong", "version": "1", "screen": screen });
    let link = server
        .request(Method::POST, "/api/boards/links/redeem")
        .json(&link);
    let link = link.header("x-forwarded-for", "198.51.100.4").send().await;
    assert_eq!(link.unwrap().status(), 404);
    // None of these has tried anything.
    assert_eq!(ask(5, Method::POST, intake, None).await, 401);
    assert_eq!(ask(6, Method::GET, board, None).await, 401);
    let secret = key["key"].as_str().unwrap();
    assert_eq!(ask(7, Method::POST, intake, Some(secret)).await, 200);

    let (filter, log) = (filter(), server.shop.read("server.log"));
    let found = log.lines().filter_map(|line| filter.captures(line));
    let found: Vec<String> = found.map(|found| found["address"].to_owned()).collect();
    assert_eq!(
        found,
        [
            "198.51.100.1",
            "198.51.100.2",
            "198.51.100.3",
            "198.51.100.4"
        ]
    );
}

#[tokio::test]
async fn a_flood_of_refusals_costs_a_bounded_number_of_rows_and_lines() {
    const GUESSES: u32 = 1_500;
    let (mut server, owner) = behind_proxy().await;
    let began = Instant::now();
    let guesses = (0..GUESSES).map(|number| {
        let address = format!("198.{}.{}.{}", 18 + number % 2, number / 200, number % 200);
        let server = &server;
        async move {
            // A malformed email is refused before anything is hashed.
            let body = json!({ "email": "nobody", "password": "wrong password" });
            let request = server
                .request(Method::POST, "/api/auth/sign-in")
                .json(&body);
            request
                .header("x-forwarded-for", address)
                .send()
                .await
                .unwrap();
        }
    });
    futures_util::StreamExt::collect::<Vec<()>>(futures_util::StreamExt::buffer_unordered(
        futures_util::stream::iter(guesses),
        32,
    ))
    .await;
    // Counted attempts are written at the end.
    server.sigterm().await;
    server.restart().await;
    let minutes = began.elapsed().as_secs() / 60 + 2;
    let owner = Desk::at(&server, &owner);
    let rows = all_events(&owner, "&kind=sign-in&outcome=refused").await;
    let row_count = rows.iter().filter(|row| row["detail"].is_null()).count();
    // Each has one more in 72 seconds.
    let most = 2 * 150 + 2 * usize::try_from(minutes - 2).unwrap();
    assert!(
        (2 * 150..=most).contains(&row_count),
        "{row_count} of two neighbourhoods with 150 each in three hours"
    );
    let numbers = 50 * usize::try_from(minutes - 1).unwrap();
    assert!(rows.len() < row_count + numbers, "{} rows", rows.len());
    let counts = rows.iter().map(|row| row["count"].as_u64().unwrap());
    assert_eq!(
        counts.sum::<u64>(),
        u64::from(GUESSES),
        "every attempt is counted"
    );
    let lines = lines(&server);
    let is_refusal = |line: &&String| line.contains("outcome=refused event=sign-in");
    let lines = lines.iter().filter(is_refusal).count() as u64;
    assert!(
        lines < minutes * (2 * 150 + 70),
        "{lines} lines in {minutes} minutes"
    );
}

#[tokio::test]
async fn a_changed_safety_option_is_an_event() {
    let (mut server, owner) = behind_proxy().await;
    server.sigterm().await;
    server.restart().await;
    let owner = Desk::at(&server, &owner);
    let first = events(&owner, "&kind=configuration-changed").await;
    let first: Vec<&str> = first
        .iter()
        .map(|event| event["detail"].as_str().unwrap())
        .collect();
    assert_eq!(
        first,
        ["trusted-proxy: none -> 127.0.0.1/32", "the first start"]
    );
    server.sigterm().await;
    let elsewhere = Shop::new();
    elsewhere.write("server.log", "");
    let shop = std::mem::replace(&mut server.shop, elsewhere);
    let backups = shop.path("backups").display().to_string();
    std::fs::create_dir(&backups).unwrap();
    let long = (0..40).map(|number| format!("desk-{number}.example.com"));
    let long = long.collect::<Vec<_>>().join(",");
    let arguments = [
        &ANYWHERE[..],
        &["--password-min-length", "12", "--allowed-host", &long],
        &["--allow-common-passwords"],
        &[
            "--smtp-url",
            "smtp://desk:s3cret@127.0.0.1:9?tls=opportunistic",
        ],
        &["--mail-from", "desk@example.com"],
        &["--backup-dir", &backups],
        &["--story-provider", "openai", "--story-model", "small"],
        &[
            "--story-url",
            "https://models.example/v1",
            "--story-key",
            "s3cret",
        ],
    ]
    .concat();
    let server = Server::start_as(shop, &arguments).await;
    let owner = server.sign_in(OWNER).await;
    let changed = events(&owner, "&kind=configuration-changed").await;
    let mut details: Vec<&str> = changed[..changed.len() - 2]
        .iter()
        .map(|event| event["detail"].as_str().unwrap())
        .collect();
    details.sort();
    let hosts = details.remove(1);
    assert!(hosts.starts_with("allowed-host: none -> "), "{hosts}");
    assert_eq!(
        details,
        [
            "allow-common-passwords: false -> true",
            &*format!("backup-dir: none -> {backups}"),
            "mail-from: none -> desk@example.com",
            "password-min-length: 8 -> 12",
            "smtp-url: folder -> 127.0.0.1:9 tls=opportunistic with a password",
            "story-provider: built-in -> Openai small https://models.example/v1",
            "trusted-proxy: 127.0.0.1/32 -> none",
        ]
    );
    assert_eq!(changed[0]["actor"], "server");
}

#[tokio::test]
async fn a_refusal_to_a_signed_in_person_is_in_the_trail() {
    let (server, owner) = behind_proxy().await;
    let ann = server.hire(ANN, "Advisor").await;
    let wrong = json!({ "currentPassword": "a wrong one", "newPassword": "another long one" });
    ann.post("/api/auth/password", wrong)
        .await
        .refused(400, "wrong-password");
    let wrong = json!({ "password": "a wrong one" });
    let begun = ann.post("/api/auth/two-factor/begin", wrong).await;
    begun.refused(400, "wrong-password");
    let begun = json!({ "password": PASSWORD });
    ann.post("/api/auth/two-factor/begin", begun).await.good();
    let wrong = json!({ "code": "000000" });
    let confirmed = ann.post("/api/auth/two-factor/confirm", wrong).await;
    confirmed.refused(400, "wrong-code");
    crate::two_factor::turn_on(&ann).await;
    let wrong = json!({ "password": PASSWORD, "code": "aaaa-bbbb-cccc-dddd-eeee-ffff" });
    ann.post("/api/auth/two-factor/end", wrong)
        .await
        .refused(400, "wrong-code");
    ann.get("/api/audit").await.refused(403, "forbidden");
    let wrong = json!({ "token": "made up", "newPassword": "another long one" });
    let confirmed = server.post("/api/auth/password-reset/confirm", wrong).await;
    confirmed.refused(400, "invalid-link");
    let refused = events(&owner, "&outcome=refused").await;
    let reasons: Vec<_> = refused
        .iter()
        .map(|event| {
            (
                event["kind"].as_str().unwrap(),
                event["reason"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        reasons,
        [
            ("password-changed", "invalid-link"),
            ("forbidden", "forbidden"),
            ("second-factor-off", "wrong-code"),
            ("second-factor-on", "wrong-code"),
            ("second-factor-on", "wrong-password"),
            ("password-changed", "wrong-password"),
        ]
    );
    for event in &refused[1..] {
        assert_eq!(
            (&event["who"], &event["whoId"]),
            (&json!(ANN), &json!(ann.uid))
        );
    }
    assert_eq!(refused[0]["who"], Value::Null);
    assert_eq!(refused[1]["detail"], "GET /api/audit");
}

#[tokio::test]
async fn a_provider_with_countless_networks_cannot_hide_the_attempts_of_others() {
    let (server, owner) = behind_proxy().await;
    let tries = (0..1_000).map(|number| {
        let request = server.request(Method::POST, "/api/intake/repair-orders");
        let request = request.header("x-forwarded-for", format!("2001:db8:{number:x}::1"));
        async move {
            request
                .bearer_auth("dk_wrong")
                .json(&json!([]))
                .send()
                .await
                .unwrap()
        }
    });
    let tries = futures_util::stream::iter(tries);
    let tries = futures_util::StreamExt::buffer_unordered(tries, 16);
    futures_util::StreamExt::collect::<Vec<_>>(tries).await;
    for _ in 0..6 {
        guess(&server, "203.0.113.9", OWNER).await;
    }
    let of_victim = events(&owner, "&person=203.0.113.9").await;
    assert_eq!(of_victim.len(), 6, "{of_victim:?}");
    let lines = lines(&server);
    let of_victim = lines
        .iter()
        .filter(|line| line.starts_with("address=203.0.113.9 "));
    assert_eq!(of_victim.count(), 6);
}

#[tokio::test]
async fn a_restored_database_is_an_event() {
    let (mut server, owner) = Server::with_owner().await;
    server.shop.import(&crate::fixture::plain_orders(1)).await;
    server.sigterm().await;
    let file = server.shop.data_dir().join("dispatch.sqlite");
    let backup = std::fs::read(&file).unwrap();
    server.restart().await;
    let desk = Desk::at(&server, &owner);
    let seq = desk.make_one_change(1).await;
    let mark = server.shop.data_dir().join("log-mark.json");
    let is_marked = async {
        while !std::fs::read_to_string(&mark)
            .unwrap()
            .contains(&seq.to_string())
        {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, is_marked).await.unwrap();
    server.sigterm().await;
    std::fs::write(&file, backup).unwrap();
    server.restart().await;
    let desk = Desk::at(&server, &owner);
    assert_eq!(kinds(&desk, "&kind=database-restored").await.len(), 1);
}

#[tokio::test]
async fn changes_by_the_command_line_are_in_the_trail() {
    let (server, _owner) = Server::with_owner().await;
    server.shop.add_user(ANN, "Advisor").await;
    for command in [
        &["user", "role", ANN, "--role", "Admin"][..],
        &["user", "sign-out", ANN],
        &["user", "remove", ANN],
        &["token-key", "rotate", "--now"],
    ] {
        server.shop.run(command).await.good();
    }
    let owner = server.sign_in(OWNER).await;
    let events = events(&owner, "&outcome=done").await;
    let by_command = events
        .iter()
        .filter(|event| event["actor"] == "command-line");
    let kinds: Vec<&Value> = by_command.map(|event| &event["kind"]).collect();
    assert_eq!(
        kinds,
        [
            "token-key-rotated",
            "user-removed",
            "session-ended",
            "roles-changed",
            "user-added",
            "user-added",
        ]
    );
}
