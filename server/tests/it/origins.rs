//! Which pages may open the stream: CORS and the list of origins, at the real server.

use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName};
use tokio::net::TcpStream;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::fixture::{Poller, Server, Shop, http};

const BOARD: &str = "https://board.example";
const STRANGERS: [&str; 7] = [
    "https://evil.example",
    "http://board.example",
    "https://board.example:8443",
    "https://board.example.evil.example",
    "http://127.0.0.1",
    "null",
    "",
];

const POLLING: &str = "/ws/?EIO=4&transport=polling";

async fn shop(options: &[&str]) -> Server {
    Server::start_in(Shop::new(), options).await
}

/// Status and headers of what a page of `origin` is answered.
async fn ask(
    server: &Server,
    method: Method,
    path: &str,
    origin: Option<&str>,
) -> (u16, HeaderMap) {
    let mut request = server.request(method.clone(), path);
    if let Some(origin) = origin {
        request = request.header("Origin", origin);
    }
    if method == Method::OPTIONS {
        request = request
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "content-type");
    }
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.headers().clone())
}

/// The status a page of `origin` gets its WebSocket with.
async fn websocket(server: &Server, origin: Option<&str>, sid: &str) -> u16 {
    let url = format!("ws://{}/ws/?EIO=4&transport=websocket{sid}", server.address);
    let mut request = url.into_client_request().unwrap();
    if let Some(origin) = origin {
        let origin = origin.parse().unwrap();
        request.headers_mut().insert("Origin", origin);
    }
    let tcp = TcpStream::connect(server.address).await.unwrap();
    match client_async(request, tcp).await {
        Ok((_, answer)) => answer.status().as_u16(),
        Err(Error::Http(answer)) => answer.status().as_u16(),
        Err(error) => panic!("{error}"),
    }
}

fn allowed_origin(headers: &HeaderMap) -> Option<&str> {
    let allowed = HeaderName::from_static("access-control-allow-origin");
    Some(headers.get(allowed)?.to_str().unwrap())
}

#[tokio::test]
async fn the_servers_own_page_and_programs_are_admitted_without_cors_headers() {
    let server = shop(&[]).await;
    let own = server.url("");
    let behind_tls = own.replace("http:", "https:");
    for origin in [None, Some(&*own), Some(&*behind_tls)] {
        let (status, headers) = ask(&server, Method::GET, POLLING, origin).await;
        assert_eq!(
            (status, allowed_origin(&headers)),
            (200, None),
            "{origin:?}"
        );
        assert_eq!(websocket(&server, origin, "").await, 101, "{origin:?}");
    }
}

#[tokio::test]
async fn a_page_of_another_host_is_refused_by_every_transport() {
    let server = shop(&[]).await;
    let poller = Poller::open(&server.url("/ws/"), &http()).await;
    let theirs = format!("{POLLING}&sid={}", poller.sid);
    for origin in STRANGERS.into_iter().chain([BOARD]) {
        for (method, path) in [
            (Method::GET, POLLING),
            (Method::OPTIONS, POLLING),
            (Method::GET, &theirs),
            (Method::POST, &theirs),
            (Method::OPTIONS, &theirs),
            (Method::GET, "/ws"),
        ] {
            let (status, headers) = ask(&server, method.clone(), path, Some(origin)).await;
            let expected = (403, None);
            assert_eq!(
                (status, allowed_origin(&headers)),
                expected,
                "{method} {origin}"
            );
        }
        assert_eq!(websocket(&server, Some(origin), "").await, 403, "{origin}");
        let sid = format!("&sid={}", poller.sid);
        assert_eq!(
            websocket(&server, Some(origin), &sid).await,
            403,
            "{origin}"
        );
    }
    assert!(!poller.is_gone().await, "and nobody's session suffers");
}

#[tokio::test]
async fn a_page_of_a_named_host_is_admitted_and_may_read_answers() {
    let server = shop(&[
        "--allow-origin",
        "https://other.example,https://board.example",
    ])
    .await;
    for origin in [BOARD, "https://other.example"] {
        let (status, headers) = ask(&server, Method::GET, POLLING, Some(origin)).await;
        assert_eq!((status, allowed_origin(&headers)), (200, Some(origin)));
        assert_eq!(headers["access-control-allow-credentials"], "true");
        let vary = headers.get_all("vary").iter();
        let vary: Vec<&str> = vary.map(|vary| vary.to_str().unwrap()).collect();
        assert!(vary.join(",").to_lowercase().contains("origin"), "{vary:?}");

        let (status, headers) = ask(&server, Method::OPTIONS, POLLING, Some(origin)).await;
        assert_eq!((status, allowed_origin(&headers)), (204, Some(origin)));
        assert_eq!(headers["access-control-allow-methods"], "GET, POST");
        let sent = headers["access-control-allow-headers"].to_str().unwrap();
        assert!(sent.to_lowercase().contains("content-type"), "{sent}");

        // What goes wrong may be read as well.
        let wrong = "/ws/?EIO=3&transport=polling";
        let (status, headers) = ask(&server, Method::GET, wrong, Some(origin)).await;
        assert_eq!((status, allowed_origin(&headers)), (400, Some(origin)));
        assert_eq!(websocket(&server, Some(origin), "").await, 101);
    }
    for origin in STRANGERS {
        let (status, headers) = ask(&server, Method::GET, POLLING, Some(origin)).await;
        assert_eq!((status, allowed_origin(&headers)), (403, None), "{origin}");
        assert_eq!(websocket(&server, Some(origin), "").await, 403, "{origin}");
    }
}

#[tokio::test]
async fn the_configuration_file_names_origins_too_and_a_malformed_one_is_refused() {
    let configured = Shop::new();
    configured.write(
        "dispatch.toml",
        "allow-origin = [\"https://board.example/\"]\n",
    );
    let file = configured.path("dispatch.toml").display().to_string();
    let server = Server::start_in(configured, &["--config", &file]).await;
    let (status, headers) = ask(&server, Method::GET, POLLING, Some(BOARD)).await;
    assert_eq!((status, allowed_origin(&headers)), (200, Some(BOARD)));

    for bad in [
        "board.example",
        "*",
        "https://board.example/page",
        "ftp://board.example",
    ] {
        let ran = Shop::new().run(&["serve", "--allow-origin", bad]).await;
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("is not an origin"), "{}", ran.err);
    }
}
