//! What the product says of itself: its version, its licence, what it is made of, and where to report a
//! vulnerability.

use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use reqwest::header::{CACHE_CONTROL, CONTENT_TYPE};
use serde_json::json;

use crate::fixture::{Ran, Server, Shop, answer};

const SECURITY_TXT: &str = "/.well-known/security.txt";

async fn security_txt(options: &[&str]) -> String {
    let server = Server::start_in(Shop::new(), options).await;
    let answer = server.request(Method::GET, SECURITY_TXT).send().await;
    let answer = answer.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()[CONTENT_TYPE], "text/plain; charset=utf-8");
    assert_eq!(answer.headers()[CACHE_CONTROL], "no-cache");
    answer.text().await.unwrap()
}

/// The fields' names and values.
fn fields(text: &str) -> Vec<(&str, &str)> {
    let fields = text.lines().map(|line| line.split_once(": "));
    fields.collect::<Option<_>>().unwrap()
}

#[tokio::test]
async fn security_txt_names_who_helps_users_until_a_day_within_a_year() {
    let text = security_txt(&[
        "--support-email",
        "service@shop.example",
        "--public-url",
        "https://desk.shop.example",
    ])
    .await;
    let fields = fields(&text);
    let canonical = format!("https://desk.shop.example{SECURITY_TXT}");
    let [contact, (expires, until), address] = fields[..] else {
        panic!("{text}");
    };
    assert_eq!(contact, ("Contact", "mailto:service@shop.example"));
    assert_eq!(address, ("Canonical", canonical.as_str()));
    assert_eq!(expires, "Expires");
    let valid = until
        .parse::<Timestamp>()
        .unwrap()
        .duration_since(Timestamp::now());
    let days = |days: i64| SignedDuration::from_hours(days * 24);
    assert!(valid > days(90) && valid < days(365), "{valid}");
}

#[tokio::test]
async fn security_txt_names_the_public_address_where_nobody_has_an_email() {
    let text = security_txt(&["--public-url", "https://desk.shop.example/"]).await;
    let contact = ("Contact", "https://desk.shop.example");
    assert_eq!(fields(&text)[0], contact);
}

#[tokio::test]
async fn a_server_that_names_nobody_has_no_security_txt() {
    let server = Server::start().await;
    let refused = server.get(SECURITY_TXT).await;
    refused.refused(404, "unknown-route");
    let wrong_method = server.post(SECURITY_TXT, json!({})).await;
    wrong_method.refused(405, "wrong-method");
}

#[tokio::test]
async fn who_is_signed_in_reads_the_version_that_the_command_line_says() {
    let (server, owner) = Server::with_owner().await;
    let about = owner.get("/api/about").await.result();
    let version = about["version"].as_str().unwrap();
    let line = match about["commit"].as_str() {
        Some(commit) => format!("dispatch {version} ({commit})\n"),
        None => format!("dispatch {version}\n"),
    };
    let printed = Ran::of(server.shop.bare(&["--version"]), b"").await.good();
    assert_eq!(printed, line);
    assert_eq!(about["license"], "MIT OR Apache-2.0");
    let stranger = server.get("/api/about").await;
    stranger.refused(401, "unauthorized");
}

#[tokio::test]
async fn the_notices_are_a_file_of_the_page_in_utf_8_and_come_compressed() {
    let server = Server::start().await;
    let notices = |encoding: &'static str| {
        server
            .request(Method::GET, "/third-party-notices.txt")
            .header("Accept-Encoding", encoding)
            .send()
    };
    let plain = notices("identity").await.unwrap();
    assert_eq!(plain.status(), 200);
    assert_eq!(plain.headers()[CONTENT_TYPE], "text/plain; charset=utf-8");
    let text = plain.text().await.unwrap();
    for part in [
        "\nactix-web 4.",
        "\nreact 19.",
        "Inter Project Authors",
        "IBM Corp.",
        "SQLite",
        "MERCHANTABILITY",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let packed = notices("br, gzip").await.unwrap();
    assert_eq!(packed.headers()["content-encoding"], "br");
    assert!(packed.bytes().await.unwrap().len() * 4 < text.len());
    let post = server.request(Method::POST, "/third-party-notices.txt");
    answer(post).await.refused(405, "wrong-method");
}
