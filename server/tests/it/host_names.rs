//! Names that this server does not have: a foreign page that has its own name lead here
//! (DNS rebinding) gets nothing.

use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fixture::{PASSWORD, Server, Shop, answer};

const EVIL: [&str; 5] = [
    "evil.example",
    "evil.example:8080",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "",
];

/// The whole answer to a request with these bytes.
async fn raw(server: &Server, request: &str) -> String {
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    connection.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

async fn status_for(server: &Server, path: &str, host: &str) -> u16 {
    let request = server.request(Method::GET, path).header("Host", host);
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn a_page_whose_host_name_resolves_here_can_neither_sign_in_nor_read() {
    let (server, owner) = Server::with_owner().await;
    for host in EVIL {
        let sign_in = server
            .request(Method::POST, "/api/auth/sign-in")
            .header("Host", host)
            .header("Origin", format!("http://{host}"))
            .json(&json!({ "email": "owner@example.com", "password": PASSWORD }));
        let refused = answer(sign_in).await;
        let sentence = refused.refused(421, "unknown-host");
        assert!(sentence.contains("--allowed-host"), "{sentence}");
        assert!(!refused.headers.contains_key("set-cookie"), "{host}");
        assert_eq!(refused.headers["x-content-type-options"], "nosniff");

        let refresh = server
            .request(Method::POST, "/api/auth/refresh")
            .header("Host", host)
            .header("Sec-Fetch-Site", "same-origin")
            .header("Cookie", &owner.cookie);
        answer(refresh).await.refused(421, "unknown-host");
        for path in [
            "/",
            "/dashboard",
            "/api/repair-orders",
            "/api/openapi.json",
            "/api/auth/password-policy",
            "/ws/?EIO=4&transport=polling",
            "/healthz/../api/openapi.json",
        ] {
            let request = owner.request(Method::GET, path).header("Host", host);
            answer(request).await.refused(421, "unknown-host");
        }
        // Who only asks whether the server is well may do so by any name.
        assert_eq!(status_for(&server, "/healthz", host).await, 200);
        assert_eq!(status_for(&server, "/readyz", host).await, 200);
    }
    owner.list().await;
}

#[tokio::test]
async fn a_person_at_a_browser_reads_which_option_lets_the_name_in() {
    let server = Server::start().await;
    let page = server
        .request(Method::GET, "/")
        .header("Host", "server.shop.local:8080")
        .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    let page = page.send().await.unwrap();
    assert_eq!(page.status(), 421);
    assert_eq!(page.headers()["content-type"], "text/plain; charset=utf-8");
    let sentence = page.text().await.unwrap();
    assert!(
        sentence.contains("--allowed-host server.shop.local."),
        "{sentence}"
    );
}

#[tokio::test]
async fn a_socket_opens_under_no_other_host_name_either() {
    let server = Server::start().await;
    let open = |host: &str, more: &str| {
        format!(
            "GET /ws/?EIO=4&transport=websocket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
             {more}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
    };
    let refused = raw(&server, &open("evil.example", "")).await;
    assert!(refused.starts_with("HTTP/1.1 421 "), "{refused}");
    assert!(refused.contains("\"unknown-host\""), "{refused}");
    let forwarded = open("evil.example", "X-Forwarded-Host: localhost\r\n");
    let refused = raw(&server, &forwarded).await;
    assert!(refused.starts_with("HTTP/1.1 421 "), "{refused}");

    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection
        .write_all(open("localhost", "").as_bytes())
        .await
        .unwrap();
    let mut start = [0; 12];
    connection.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 101");
}

#[tokio::test]
async fn every_name_that_a_request_has_counts() {
    let server = Server::start().await;
    let end = "Connection: close\r\n\r\n";
    for request in [
        "GET http://evil.example/api/openapi.json HTTP/1.1\r\nHost: localhost\r\n",
        "GET http://localhost/api/openapi.json HTTP/1.1\r\nHost: evil.example\r\n",
        "GET /api/openapi.json HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost\r\nForwarded: host=localhost\r\n",
    ] {
        let refused = raw(&server, &format!("{request}{end}")).await;
        assert!(refused.starts_with("HTTP/1.1 421 "), "{request}: {refused}");
    }
    let two = "GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n";
    let refused = raw(&server, &format!("{two}{end}")).await;
    assert!(refused.starts_with("HTTP/1.1 4"), "{refused}");
}

#[tokio::test]
async fn the_public_urls_name_and_those_that_are_allowed_are_answered() {
    let public = "https://desk.example.com";
    let options = ["--public-url", public, "--allowed-host", "desk, Desk.LAN"];
    let server = Server::start_in(Shop::new(), &options).await;
    let port = server.address.port();
    for host in [
        "desk.example.com",
        "DESK.example.com:443",
        "desk",
        "desk.lan:8080",
        "localhost",
        "192.168.1.20",
        "[fd00::1]:8080",
        &format!("127.0.0.1:{port}"),
    ] {
        assert_eq!(status_for(&server, "/login", host).await, 200, "{host}");
    }
    for host in EVIL {
        assert_eq!(status_for(&server, "/login", host).await, 421, "{host}");
    }
    let log = server.shop.read("server.log");
    assert!(
        log.contains("answers to desk, desk.example.com, desk.lan, "),
        "{log}"
    );
    for name in [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "",
    ] {
        let line = format!("a request for {name:?} was refused");
        assert_eq!(log.matches(&line).count(), 1, "{log}");
    }
    assert_eq!(log.matches("is no name of this server").count(), 4, "{log}");
    let bad = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--allowed-host",
        "http://desk",
    ];
    let refused = Shop::new().run(&bad).await.refused();
    assert!(
        refused.contains("'http://desk' is not the name of a host"),
        "{refused}"
    );
}
