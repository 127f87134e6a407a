//! Who and what stays outside: tokens that are not ours, calls that do not exist, ways out of the
//! page.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{EncodingKey, Header};
use reqwest::Method;
use reqwest::header::AUTHORIZATION;
use serde_json::{Value, json};

use crate::fixture::{Server, Shop, answer};
use crate::watched::{Watched, changes, raw};

/// A token like ours, signed with another key.
fn foreign_token(uid: &str) -> String {
    let now = jiff::Timestamp::now().as_second();
    let claims = json!({
        "sub": uid, "sid": uid, "iat": now, "exp": now + 3_600, "iss": "dispatch", "aud": "dispatch"
    });
    jsonwebtoken::encode(
        &Header::default(),
        &claims,
        &EncodingKey::from_secret(&[7; 32]),
    )
    .unwrap()
}

/// The token's own claims under a header that says they need no signature.
fn unsigned(token: &str) -> String {
    let claims = token.split('.').nth(1).unwrap();
    format!(
        "{}.{claims}.",
        URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT"}"#)
    )
}

#[tokio::test]
async fn without_a_valid_token_every_call_is_refused() {
    let mut shop = Watched::shop().await;
    let left = shop.server.hire("left@example.com", "Owner").await;
    left.sign_out().await.good();
    let other = Server::with_owner().await.1;
    let owner = &shop.owner;
    let mut cut_short = owner.token.clone();
    cut_short.pop();
    let headers = [
        None,
        Some(String::new()),
        Some("Bearer".to_owned()),
        Some("Bearer ".to_owned()),
        Some("Bearer nonsense".to_owned()),
        Some(owner.token.clone()),
        Some(format!("Basic {}", owner.token)),
        Some(format!("Bearer {cut_short}")),
        Some(format!("Bearer {} x", owner.token)),
        Some(format!("Bearer {}", unsigned(&owner.token))),
        Some(format!("Bearer {}", foreign_token(&owner.uid))),
        Some(format!("Bearer {}", other.token)),
        Some(format!("Bearer {}", left.token)),
        Some(format!("Bearer {}", "x".repeat(10_000))),
        Some("Bearer ü".to_owned()),
    ];
    let reads = [
        "/api/repair-orders",
        "/api/repair-orders/1",
        "/api/repair-orders/specific/1",
        "/api/repair-orders/technicians",
    ];
    for header in headers {
        let with_header = |request: reqwest::RequestBuilder| match &header {
            Some(header) => request.header(AUTHORIZATION, header.as_bytes()),
            None => request,
        };
        for path in reads {
            let refused = answer(with_header(shop.server.request(Method::GET, path))).await;
            refused.refused(401, "unauthorized");
            assert_eq!(refused.headers["www-authenticate"], "Bearer");
        }
        for (path, body) in changes() {
            let request = shop.server.request(Method::POST, path).json(&body);
            answer(with_header(request))
                .await
                .refused(401, "unauthorized");
        }
    }
    shop.nothing_happened("no token of ours").await;
}

#[tokio::test]
async fn a_wrong_password_is_refused_like_an_unknown_email() {
    let mut shop = Watched::shop().await;
    for (email, password) in [
        ("owner@example.com", "a wrong password"),
        ("owner@example.com", ""),
        ("stranger@example.com", "a long password"),
        ("no email", "a long password"),
        ("", ""),
    ] {
        let refused = shop
            .server
            .post(
                "/api/auth/sign-in",
                json!({ "email": email, "password": password }),
            )
            .await;
        let sentence = refused.refused(401, "wrong-password");
        assert_eq!(sentence, "The email or password is not correct");
        assert!(!refused.headers.contains_key("set-cookie"));
    }
    let missing = shop
        .server
        .post("/api/auth/sign-in", json!({ "email": "owner@example.com" }))
        .await;
    missing.refused(400, "invalid-request");
    shop.server
        .post("/api/auth/refresh", json!({}))
        .await
        .refused(401, "unauthorized");
    shop.nothing_happened("wrong passwords").await;
}

#[tokio::test]
async fn an_unknown_call_is_refused_in_json() {
    let mut shop = Watched::shop().await;
    for (method, path) in [
        (Method::GET, "/api"),
        (Method::GET, "/api/"),
        (Method::GET, "/api/nothing"),
        (Method::GET, "/api/repair-orders/1/2"),
        (Method::POST, "/api/nothing"),
    ] {
        let refused = answer(shop.owner.request(method.clone(), path).json(&json!({}))).await;
        let sentence = refused.refused(404, "unknown-route");
        assert!(
            sentence.starts_with(&format!("There is no {method} ")),
            "{method} {path}: {sentence}"
        );
    }
    for (method, path, allowed) in [
        (Method::POST, "/api/repair-orders", "GET"),
        (Method::GET, "/api/repair-orders/technicians/assign", "POST"),
        (Method::GET, "/api/repair-orders/update-status", "POST"),
        (Method::DELETE, "/api/repair-orders/1", "GET"),
        (Method::PUT, "/api/repair-orders/update-status", "POST"),
        (Method::PATCH, "/api/auth/sign-in", "POST"),
        (Method::GET, "/api/auth/sign-in", "POST"),
        (Method::OPTIONS, "/api/repair-orders", "GET"),
        (
            Method::from_bytes(b"BREW").unwrap(),
            "/api/repair-orders",
            "GET",
        ),
        (Method::POST, "/", "GET, HEAD"),
        (Method::DELETE, "/dashboard", "GET, HEAD"),
        (Method::POST, "/healthz", "GET"),
    ] {
        let refused = answer(shop.owner.request(method.clone(), path).json(&json!({}))).await;
        let sentence = refused.refused(405, "wrong-method");
        assert_eq!(
            sentence,
            format!("{path} does not take {method}, only {allowed}")
        );
        assert_eq!(refused.headers["allow"], allowed);
    }
    // An order's number is asked for as it was typed.
    for number in ["none", "0", "%20", "%00", "%FF", "-"] {
        let answer = shop
            .owner
            .get(&format!("/api/repair-orders/{number}"))
            .await;
        answer.refused(400, "invalid-ro-number");
    }
    shop.owner
        .get("/api/repair-orders/4")
        .await
        .refused(404, "unknown-repair-order");
    shop.owner
        .get("/api/repair-orders/specific/4")
        .await
        .refused(404, "unknown-repair-order");
    shop.nothing_happened("calls that do not exist").await;
}

#[tokio::test]
async fn no_path_leads_out_of_the_page() {
    let server = Server::start().await;
    for target in [
        "/../Cargo.toml",
        "/../../etc/passwd.d",
        "/../../../../../../etc/host.conf",
        "/assets/../../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/%2e%2e%2fCargo.toml",
        "/..%5c..%5cCargo.toml",
        "//etc/host.conf",
        "/./../src/main.tsx",
        "/assets/%00.js",
        "/.env",
        "/data/dispatch.sqlite",
    ] {
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        raw(&server, &request).await.refused(404, "unknown-route");
    }
}

/// What a browser says when an address is opened in it.
const VISIT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[tokio::test]
async fn an_address_that_is_no_screen_is_not_found() {
    let server = Server::start().await;
    for path in [
        "/metrics",
        "/no/such/screen",
        "/technicians/5/clock",
        "/apis",
        "/test",
        "/assets",
    ] {
        for method in [Method::GET, Method::POST] {
            let refused = answer(server.request(method, path)).await;
            refused.refused(404, "unknown-route");
        }
        // Whoever opened it sees the page, which leads to the desk.
        let visit = server.request(Method::GET, path).header("Accept", VISIT);
        let visit = visit.send().await.unwrap();
        assert_eq!(visit.status(), 404, "{path}");
        assert_eq!(visit.headers()["content-type"], "text/html; charset=utf-8");
        let html = visit.text().await.unwrap();
        assert!(html.contains("dispatch-shop"), "{path}");
    }
    let missing = server.request(Method::GET, "/nothing.js");
    let missing = answer(missing.header("Accept", VISIT)).await;
    missing.refused(404, "unknown-route");
}

#[tokio::test]
async fn every_screen_opens_at_its_address() {
    let server = Server::start_in(Shop::new(), &["--test-page"]).await;
    for path in [
        "/",
        "/login",
        "/login/link",
        "/reset-password",
        "/dashboard/",
        "/technicians",
        "/technicians/5",
        "/Boards",
        "/test",
        "/index.html",
    ] {
        let page = server.request(Method::GET, path).send().await.unwrap();
        assert_eq!(page.status(), 200, "{path}");
        let html = page.text().await.unwrap();
        assert!(html.contains("dispatch-shop"), "{path}");
    }
}

#[tokio::test]
async fn engine_io_refuses_invalid_requests_in_its_own_format() {
    let server = Server::start().await;
    for (target, code, message) in [
        (
            "/ws?EIO=3&transport=websocket",
            5,
            "Unsupported protocol version",
        ),
        (
            "/ws/?EIO=3&transport=polling",
            5,
            "Unsupported protocol version",
        ),
        ("/ws?transport=websocket", 5, "Unsupported protocol version"),
        ("/ws", 0, "Transport unknown"),
        ("/ws?EIO=4", 0, "Transport unknown"),
        ("/ws?EIO=4&transport=flashsocket", 0, "Transport unknown"),
        (
            "/ws?EIO=4&transport=polling&sid=made-up",
            1,
            "Session ID unknown",
        ),
        (
            "/ws?EIO=4&transport=websocket&sid=made-up",
            1,
            "Session ID unknown",
        ),
        ("/ws?EIO=4&transport=websocket", 3, "Bad request"),
    ] {
        let refused = server.get(target).await;
        let body = json!({ "code": code, "message": message });
        assert_eq!((refused.status, refused.body), (400, body), "{target}");
    }
}

#[tokio::test]
async fn a_boards_page_opens_for_any_screen_and_knows_its_build_and_the_shops_time_zone() {
    let server = Server::start().await;
    for address in ["/board", "/board/", "/board.html"] {
        let page = server.request(Method::GET, address).send().await.unwrap();
        assert_eq!(page.status(), 200, "{address}");
        let header = |name: &str| page.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-type"), "text/html; charset=utf-8");
        assert_eq!(header("cache-control"), "no-cache", "a new build is seen");
        let html = page.text().await.unwrap();
        let facts = html
            .split(r#"<meta name="dispatch-board" content=""#)
            .nth(1);
        let facts = facts.unwrap().split('"').next().unwrap();
        let facts: Value = serde_json::from_str(&facts.replace("&quot;", "\"")).unwrap();
        assert_eq!(facts["timeZone"], "America/Chicago");
        assert!(!facts["version"].as_str().unwrap().is_empty());

        let script = html.split("src=\"").nth(1).unwrap();
        let script = script.split('"').next().unwrap();
        let script = server.request(Method::GET, script).send().await.unwrap();
        assert_eq!(script.status(), 200);
        assert_eq!(script.headers()["content-type"], "text/javascript");
    }
    let other = server.request(Method::GET, "/boards").send().await.unwrap();
    let other = other.text().await.unwrap();
    assert!(!other.contains("dispatch-board"), "those who manage boards");
}

#[tokio::test]
async fn the_documents_page_opens_without_signing_in_and_has_all_it_needs_here() {
    let server = Server::start().await;
    for address in ["/api/docs", "/api/docs/"] {
        let page = server.request(Method::GET, address).send().await.unwrap();
        assert_eq!(page.status(), 200);
        let header = |name: &str| page.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-type"), "text/html; charset=utf-8");
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe-eval") && !policy.contains("script-src"));
        let html = page.text().await.unwrap();
        assert!(!html.contains("//"), "nothing of another host: {html}");
        assert_eq!(
            html.matches("<script").count(),
            html.matches("<script src=").count()
        );

        let named: Vec<&str> = ["src=\"", "href=\""]
            .iter()
            .flat_map(|name| html.split(name).skip(1))
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        assert_eq!(named.len(), 6, "{named:?}");
        for asset in named {
            let served = server.request(Method::GET, asset).send().await.unwrap();
            assert_eq!(served.status(), 200, "{asset}");
            let kind = served.headers()["content-type"]
                .to_str()
                .unwrap()
                .to_owned();
            let expected = match asset.rsplit('.').next().unwrap() {
                "css" => "text/css",
                "js" => "text/javascript",
                "svg" => "image/svg+xml",
                _ => "application/json",
            };
            assert_eq!(kind, expected, "{asset}");
            assert!(!served.bytes().await.unwrap().is_empty(), "{asset}");
        }
    }
    for missing in ["/api/docs/index.html", "/api/docs/a/b", "/api/docsx"] {
        server.get(missing).await.refused(404, "unknown-route");
    }
}
