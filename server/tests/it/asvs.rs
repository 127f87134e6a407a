//! Requirements of OWASP's ASVS that no other test holds: `docs/asvs.md` says which one each is for.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::client_async;

use crate::boards::Screen;
use crate::fixture::{Desk, PASSWORD, Server, Shop, Socket, answer, plain_orders};

async fn documented(server: &Server) -> Value {
    answer(server.request(Method::GET, "/api/openapi.json"))
        .await
        .body
}

/// Every call of the document: its method, its path, and its description.
fn calls(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap().iter();
        methods.map(move |(method, call)| (method.as_str(), path.as_str(), call))
    })
}

/// The names of all properties that stand in a schema, as deep as it goes.
fn properties(document: &Value, schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                let pointer = reference.trim_start_matches('#');
                let target = document.pointer(pointer).unwrap();
                // A schema that contains itself adds nothing new.
                if names.insert(format!("${reference}")) {
                    properties(document, target, names);
                }
            }
            if let Some(Value::Object(found)) = fields.get("properties") {
                names.extend(found.keys().cloned());
            }
            for value in fields.values() {
                properties(document, value, names);
            }
        }
        Value::Array(values) => {
            for value in values {
                properties(document, value, names);
            }
        }
        _ => {}
    }
}

fn properties_of(document: &Value, schema: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    properties(document, schema, &mut names);
    names.retain(|name| !name.starts_with('$'));
    names
}

/// The words of a name in camel case, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        if c.is_uppercase() || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
        }
    }
    words
}

fn has_word(name: &str, forbidden: &[&str]) -> bool {
    words(name)
        .iter()
        .any(|word| forbidden.contains(&word.trim_end_matches('s')))
}

#[tokio::test]
async fn no_other_call_than_the_documented_ways_in_gives_an_id_token() {
    let server = Server::start().await;
    let document = documented(&server).await;
    let mut found = BTreeSet::new();
    for (method, path, call) in calls(&document) {
        let properties = properties_of(&document, &call["responses"]);
        if properties.contains("idToken") {
            found.insert(format!("{method} {path}"));
        }
    }
    let ways = [
        "post /api/auth/oidc/link",
        "post /api/auth/refresh",
        "post /api/auth/sign-in",
        "post /api/set-up",
    ];
    assert_eq!(
        found,
        ways.map(str::to_owned).into(),
        "say in docs/security.md that it is a way in, and what it asks for"
    );
}

#[tokio::test]
async fn no_call_about_an_account_takes_a_hint_or_an_answer_to_a_question() {
    let server = Server::start().await;
    let document = documented(&server).await;
    let mut looked_at = 0;
    for (method, path, call) in calls(&document) {
        let is_about_accounts = ["/api/auth/", "/api/users", "/inviteUser"]
            .iter()
            .any(|start| path.contains(start));
        if !is_about_accounts {
            continue;
        }
        for name in properties_of(&document, &call["requestBody"]) {
            let forbidden = ["hint", "question", "answer", "birthday", "maiden"];
            assert!(!has_word(&name, &forbidden), "{method} {path} takes {name}");
            looked_at += 1;
        }
    }
    assert!(looked_at > 15, "{looked_at}");
}

/// Of what a call is about, or how much of it; neither opens anything.
const HARMLESS: [&str; 2] = ["idSkill", "idTechnician"];

#[tokio::test]
async fn no_call_takes_a_secret_in_its_address() {
    let server = Server::start().await;
    let document = documented(&server).await;
    let mut looked_at = 0;
    for (method, path, call) in calls(&document) {
        // The standard of OpenID Connect has a provider answer so; its code is good once, with what
        // only the browser that began has.
        if path == "/api/auth/oidc/callback" {
            continue;
        }
        for parameter in call["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            if parameter["in"] == "header" || HARMLESS.contains(&name) {
                continue;
            }
            let forbidden = [
                "token", "secret", "password", "code", "key", "link", "pairing", "auth", "pid",
                "vin", "customer", "email",
            ];
            assert!(
                !has_word(name, &forbidden),
                "{method} {path} takes {name} in its address"
            );
            looked_at += 1;
        }
    }
    assert!(looked_at > 15, "{looked_at}");

    // Nor where nobody documents it.
    let owner = server.hire("owner@example.com", "Owner").await;
    for name in ["access_token", "token", "idToken", "id_token", "auth"] {
        let query = format!("{name}={}", owner.token);
        let path = format!("/api/auth/me?{query}");
        server.get(&path).await.refused(401, "unauthorized");
        let url = format!(
            "ws://{}/ws/?EIO=4&transport=websocket&{query}",
            server.address
        );
        let tcp = TcpStream::connect(server.address).await.unwrap();
        let (stream, _) = client_async(url, tcp).await.unwrap();
        let mut socket = Socket { stream };
        let open = socket.packet().await.unwrap();
        assert!(open.starts_with('0'), "{open}");
        socket.send("40").await;
        let refused = socket.packet().await.expect("it is told why");
        assert!(refused.starts_with("44"), "{name}: {refused}");
    }
}

#[tokio::test]
async fn a_new_shop_has_no_account_and_no_default_password() {
    let server = Server::start().await;
    let store = server.shop.store().await;
    for table in ["accounts", "staff_documents", "intake_keys", "boards"] {
        let statement = format!("SELECT * FROM {table}");
        let backend = store.reader().get_database_backend();
        let statement = Statement::from_string(backend, statement);
        let rows = store.reader().query_all_raw(statement).await.unwrap();
        assert!(rows.is_empty(), "{table}");
    }
    for (email, password) in [
        ("admin@example.com", "admin"),
        ("owner@example.com", "dispatch-demo"),
        ("root", "root"),
        ("sa", ""),
    ] {
        let body = json!({ "email": email, "password": password });
        let refused = server.post("/api/auth/sign-in", body).await;
        refused.refused(401, "wrong-password");
    }
}

/// The refresh token of an answer's cookie.
fn refresh_token(cookie: &str) -> &str {
    cookie.split_once('=').unwrap().1
}

#[tokio::test]
async fn session_tokens_are_long_and_random_and_no_two_are_the_same() {
    let server = Server::start().await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let mut tokens = vec![owner.cookie];
    for _ in 0..20 {
        let desk = server.sign_in("owner@example.com").await;
        let refreshed = Desk::new(&server, desk.refresh().await);
        assert_ne!(refreshed.cookie, desk.cookie);
        tokens.extend([desk.cookie, refreshed.cookie]);
    }
    let tokens: Vec<Vec<u8>> = tokens
        .iter()
        .map(|cookie| URL_SAFE_NO_PAD.decode(refresh_token(cookie)).unwrap())
        .collect();
    // What differs in each of so many is chance: at least 128 bits, where 40 tokens share no byte.
    let length = tokens[0].len();
    let mut random = 0;
    for place in 0..length {
        let bytes: BTreeSet<u8> = tokens.iter().map(|token| token[place]).collect();
        random += usize::from(bytes.len() > tokens.len() / 2);
    }
    assert!(random >= 32, "{random} bytes of {length}");
    let distinct: BTreeSet<_> = tokens.iter().collect();
    assert_eq!(distinct.len(), tokens.len());
}

#[tokio::test]
async fn a_credential_of_one_kind_is_taken_for_no_other() {
    let shop = Shop::new();
    let server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let key = json!({ "name": "Nightly export" });
    let key = owner.post("/api/intake/keys", key).await.result();
    let key = key["key"].as_str().unwrap();
    let board = json!({ "name": "Lounge", "layout": "lounge" });
    let screen = Screen::by_link(&server, &owner, board).await;
    let mut socket = Socket::open(server.address).await;
    let pid = socket.sign_in(&json!({ "token": owner.token })).await;
    let pid = pid.unwrap();
    let refresh = refresh_token(&owner.cookie).to_owned();

    let with = async |method: Method, path: &str, credential: &str| {
        let request = server.request(method, path).bearer_auth(credential);
        answer(request.json(&json!({}))).await
    };
    for stranger in [key, &screen.token, &pid, &refresh] {
        for path in ["/api/auth/me", "/api/repair-orders"] {
            let refused = with(Method::GET, path, stranger).await;
            refused.refused(401, "unauthorized");
        }
    }
    for stranger in [&owner.token, &screen.token, &pid, &refresh] {
        let refused = with(Method::POST, "/api/intake/repair-orders", stranger).await;
        refused.refused(401, "unauthorized");
    }
    for stranger in [&owner.token, key, &pid, &refresh] {
        let refused = with(Method::GET, "/api/board", stranger).await;
        refused.refused(401, "unauthorized");
    }
    let name = owner.cookie.split_once('=').unwrap().0;
    for stranger in [&owner.token, key, &screen.token, &pid] {
        let request = server.request(Method::POST, "/api/auth/refresh");
        let request = request.header("Cookie", format!("{name}={stranger}"));
        answer(request).await.refused(401, "unauthorized");
    }
    for stranger in [&owner.token, key, &screen.token, &pid, &refresh] {
        let body = json!({ "token": stranger, "newPassword": "quite another one" });
        let refused = server.post("/api/auth/password-reset/confirm", body).await;
        refused.refused(400, "invalid-link");
    }
    // Each credential is valid for its own purpose.
    owner.get("/api/auth/me").await.good();
    owner.refresh().await.good();
    screen.picture(&server).await;
    let request = server.request(Method::POST, "/api/intake/repair-orders");
    let imported = answer(request.bearer_auth(key).json(&plain_orders(1))).await;
    assert_eq!(imported.status, 200, "{imported:?}");
}

#[tokio::test]
async fn a_change_writes_the_fields_that_it_is_for_and_no_other() {
    let shop = Shop::new();
    let server = Server::start_in(shop, &["--test-page"]).await;
    let job = json!({ "jobNumber": 1, "concern": "Whistles at 60 mph", "operations": [] });
    let order = json!({ "repairOrderNumber": 1, "customer": "Joe Wilson", "jobs": [job] });
    server.shop.import(&json!([order])).await;
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    // Everything but the one text that may be changed, and what says that something was.
    let rest = async || {
        let mut order = advisor.get("/api/repair-orders/1").await.result();
        let fields = order.as_object_mut().unwrap();
        fields.remove("version");
        for job in fields["jobs"].as_array_mut().unwrap() {
            assert!(job.as_object_mut().unwrap().remove("cause").is_some());
        }
        order
    };
    let before = rest().await;
    let path = "/api/repair-orders/1/jobs/1";
    let change = json!({
        "cause": "Loose shield", "concern": "Nothing at all", "opCodes": [], "operations": [],
        "soldHours": 99, "customer": "Somebody else", "vin": "1FTEW1E50KFA00000", "priority": 4,
        "technicians": [11], "roles": ["Owner"],
    });
    advisor.patch(path, change).await.good();
    assert_eq!(rest().await, before);

    // Nobody gives themselves roles or a technician's orders, whatever call they add it to.
    let wishes = json!({ "roles": ["Owner"], "role": "Owner", "technicianId": 11, "invited": false,
        "email": "advisor@example.com", "password": PASSWORD, "currentPassword": PASSWORD,
        "newPassword": "quite another one" });
    for path in ["/api/auth/sign-in", "/api/auth/password"] {
        let _ = advisor.post(path, wishes.clone()).await;
    }
    let _ = advisor.put("/api/test/document", wishes).await;
    let me = advisor.get("/api/auth/me").await.result();
    assert_eq!(me["roles"], json!(["Advisor"]));
    assert_eq!(me["technicianId"], Value::Null);
}

/// Everything that is kept by name: tables and settings.
async fn kept(server: &Server) -> BTreeSet<String> {
    let store = server.shop.store().await;
    let reader = store.reader();
    let mut kept = BTreeSet::new();
    for statement in [
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        "SELECT name FROM settings",
    ] {
        let statement = Statement::from_string(reader.get_database_backend(), statement);
        for row in reader.query_all_raw(statement).await.unwrap() {
            kept.insert(row.try_get::<String>("", "name").unwrap());
        }
    }
    kept
}

#[tokio::test]
async fn every_table_and_every_kept_value_has_a_protection_level() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/data-protection.md");
    let document = std::fs::read_to_string(path).unwrap();
    let levels: Vec<&str> = document
        .lines()
        .filter(|line| line.starts_with("| ") && line.as_bytes()[2].is_ascii_digit())
        .collect();
    assert_eq!(levels.len(), 5);
    // With all that makes one more key.
    let options = [
        "--demo=still",
        "--oidc-issuer",
        "http://127.0.0.1:9",
        "--oidc-client-id",
        "dispatch",
    ];
    let server = Server::start_in(Shop::new(), &options).await;
    let kept = kept(&server).await;
    assert!(kept.len() > 45, "{kept:?}");
    for name in &kept {
        let named = format!("`{name}`");
        let levels = levels.iter().filter(|level| level.contains(&named)).count();
        let expected = if name == "sign_in_sessions" { 2 } else { 1 };
        assert_eq!(levels, expected, "{name} in docs/data-protection.md");
    }
}

#[tokio::test]
async fn no_answer_has_a_secret_or_a_hash_in_it() {
    let server = Server::demo().await;
    let owner = server.sign_in("owner@example.com").await;
    let begin = json!({ "name": "Nightly export" });
    owner.post("/api/intake/keys", begin).await.good();
    let board = json!({ "name": "Lounge", "layout": "lounge" });
    Screen::by_link(&server, &owner, board).await;
    let store = server.shop.store().await;
    let reader = store.reader();
    let mut secrets = BTreeSet::new();
    for statement in [
        "SELECT value AS secret FROM settings WHERE name LIKE '%key%'",
        "SELECT password_hash AS secret FROM accounts",
        "SELECT hash AS secret FROM refresh_tokens",
        "SELECT hash AS secret FROM known_devices",
        "SELECT hash AS secret FROM intake_keys",
        "SELECT token_hash AS secret FROM boards WHERE token_hash IS NOT NULL",
    ] {
        let query = Statement::from_string(reader.get_database_backend(), statement);
        let rows = reader.query_all_raw(query).await.unwrap();
        assert!(!rows.is_empty(), "{statement}");
        for row in rows {
            secrets.insert(row.try_get::<String>("", "secret").unwrap());
        }
    }
    let document = documented(&server).await;
    let mut request_count = 0;
    for (method, path, _) in calls(&document) {
        if method != "get" || path == "/api/auth/oidc/callback" {
            continue;
        }
        let filled = path
            .replace("{roNumber}", "104217")
            .replace("{jobNumber}", "1")
            .replace("{id}", "owner@example.com");
        let answer = owner.request(Method::GET, &filled).send().await.unwrap();
        let text = answer.text().await.unwrap();
        for secret in &secrets {
            assert!(!text.contains(secret.as_str()), "{filled}: {text}");
        }
        for word in ["passwordHash", "argon2", "token-keys"] {
            assert!(!text.contains(word), "{filled}: {text}");
        }
        request_count += 1;
    }
    assert!(request_count > 25, "{request_count}");
}

#[tokio::test]
async fn the_page_loads_nothing_from_and_sends_nothing_to_other_hosts() {
    let server = Server::start().await;
    for path in ["/", "/dashboard", "/board", "/api/docs"] {
        let page = server.request(Method::GET, path).send().await.unwrap();
        assert_eq!(page.status(), 200, "{path}");
        let header = |name: &str| page.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("referrer-policy"), "same-origin");
        let policy = header("content-security-policy");
        let mut directives = BTreeSet::new();
        for directive in policy.split(';') {
            let mut words = directive.split_whitespace();
            directives.insert(words.next().unwrap().to_owned());
            for source in words {
                let is_own = source.starts_with('\'') || source == "data:";
                assert!(is_own && source != "'unsafe-eval'", "{path}: {policy}");
            }
        }
        for needed in ["default-src", "connect-src", "form-action", "base-uri"] {
            assert!(directives.contains(needed), "{path}: {policy}");
        }
        let html = page.text().await.unwrap();
        for reference in ["src=\"", "href=\""] {
            for target in html.split(reference).skip(1) {
                assert!(target.starts_with('/'), "{path}: {target:.60}");
                assert!(!target.starts_with("//"), "{path}: {target:.60}");
            }
        }
    }
}
