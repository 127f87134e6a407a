//! What the server notices of a proxy or of HTTPS in front of it that its configuration does not say.

use reqwest::Method;
use reqwest::header::SET_COOKIE;
use serde_json::{Value, json};

use crate::fixture::{Answer, Desk, MailServer, PASSWORD, Server, Shop, answer};

const EMAIL: &str = "owner@example.com";

async fn sign_in(server: &Server, headers: &[(&str, &str)]) -> Answer {
    let mut request = server
        .request(Method::POST, "/api/auth/sign-in")
        .json(&json!({ "email": EMAIL, "password": PASSWORD }));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    answer(request).await
}

/// The names of the cookies that are set, without the port, each with whether it is Secure and whether it is taken away.
fn cookies(answer: &Answer) -> Vec<(String, bool, bool)> {
    let lines = answer.headers.get_all(SET_COOKIE).iter();
    lines
        .map(|line| line.to_str().unwrap())
        .filter(|line| line.contains("dispatch_refresh"))
        .map(|line| {
            let name = line.split('=').next().unwrap();
            let name = name.trim_end_matches(|c: char| c == '_' || c.is_ascii_digit());
            (
                name.to_owned(),
                line.contains("; Secure"),
                line.contains("Max-Age=0"),
            )
        })
        .collect()
}

async fn notices(owner: &Desk) -> Value {
    let status = owner.get("/api/server-status").await.result();
    status["configuration"].clone()
}

#[tokio::test]
async fn an_untrusted_proxy_is_reported_in_the_log_and_to_owners() {
    let (server, owner) = Server::with_owner().await;
    assert_eq!(notices(&owner).await, json!([]));
    for caller in ["203.0.113.7", "203.0.113.8"] {
        sign_in(&server, &[("X-Forwarded-For", caller)])
            .await
            .good();
    }
    let notices = notices(&owner).await;
    assert_eq!(notices.as_array().unwrap().len(), 1);
    assert_eq!(notices[0]["code"], "untrusted-proxy");
    assert_eq!(notices[0]["address"], "127.0.0.1");
    let log = server.shop.read("server.log");
    let output = "a proxy at 127.0.0.1 that is not trusted";
    assert_eq!(log.matches(output).count(), 1, "{log}");
    assert!(log.contains("--trusted-proxy 127.0.0.1"), "{log}");
}

#[tokio::test]
async fn a_trusted_proxy_is_not_reported() {
    let options = ["--trusted-proxy", "127.0.0.1"];
    let server = Server::start_in(Shop::new(), &options).await;
    let owner = server.hire(EMAIL, "Owner").await;
    sign_in(&server, &[("X-Forwarded-For", "203.0.113.7")])
        .await
        .good();
    assert_eq!(notices(&owner).await, json!([]));
}

#[tokio::test]
async fn a_public_url_elsewhere_without_a_trusted_proxy_is_reported_at_the_start() {
    for (options, output) in [
        (&["--public-url", "https://desk.example.com"][..], 1),
        (&["--public-url", "http://localhost:9999"], 0),
        (
            &[
                "--public-url",
                "https://desk.example.com",
                "--trusted-proxy",
                "127.0.0.1",
            ],
            0,
        ),
    ] {
        let server = Server::start_in(Shop::new(), options).await;
        let log = server.shop.read("server.log");
        let count = log.matches("there is a proxy in front").count();
        assert_eq!(count, output, "{options:?}: {log}");
    }
}

#[tokio::test]
async fn over_https_the_cookie_is_secure_even_without_a_public_url() {
    let options = ["--trusted-proxy", "127.0.0.1"];
    let server = Server::start_in(Shop::new(), &options).await;
    let owner = server.hire(EMAIL, "Owner").await;
    let address = server.address.to_string();
    let origin = format!("https://{address}");
    let plain = vec![("dispatch_refresh".to_owned(), false, false)];
    let secure = vec![("__Secure-dispatch_refresh".to_owned(), true, false)];
    for (headers, expected) in [
        (&[][..], &plain),
        (&[("X-Forwarded-Proto", "http")], &plain),
        (&[("X-Forwarded-Proto", "https")], &secure),
        (&[("Forwarded", "for=203.0.113.7;proto=https")], &secure),
        (&[("Origin", &*origin)], &secure),
    ] {
        let signed_in = sign_in(&server, headers).await;
        assert_eq!(&cookies(&signed_in), expected, "{headers:?}");
    }
    let notices = notices(&owner).await;
    assert_eq!(notices[0]["code"], "https-without-public-url");
    let log = server.shop.read("server.log");
    assert_eq!(log.matches("by HTTPS and --public-url").count(), 1, "{log}");
}

#[tokio::test]
async fn a_session_outlives_the_change_to_the_secure_cookie() {
    let shop = Shop::new();
    shop.add_user(EMAIL, "Owner").await;
    let mut server = Server::start_in(shop, &[]).await;
    let before = server.sign_in(EMAIL).await;
    let port = server.address.port();
    let (name, token) = before.cookie.split_once('=').unwrap();
    assert_eq!(name, format!("dispatch_refresh_{port}"));
    // As behind a proxy, at the port of HTTP.
    let before = format!("dispatch_refresh={token}");
    server.sigterm().await;
    let refresh = async |server: &Server, cookie: &str| {
        let request = server
            .request(Method::POST, "/api/auth/refresh")
            .header("Host", "desk.example.com")
            .header("Cookie", cookie);
        answer(request).await
    };
    let public = ["--public-url", "https://desk.example.com"];
    server.restart_with(&public).await;
    let refreshed = refresh(&server, &before).await;
    let refreshed_cookies = cookies(&refreshed);
    assert_eq!(
        refreshed_cookies,
        [
            ("__Secure-dispatch_refresh".to_owned(), true, false),
            ("dispatch_refresh".to_owned(), false, true),
        ]
    );
    let cookie = refreshed.headers[SET_COOKIE].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap();
    // A cookie that an attacker on the network planted beside it does not count.
    let both = format!("dispatch_refresh={}; {cookie}", "x".repeat(43));
    refresh(&server, &both).await.good();
    let out = server
        .request(Method::POST, "/api/auth/sign-out")
        .header("Host", "desk.example.com")
        .header("Cookie", both);
    let out = answer(out).await;
    assert!(cookies(&out).iter().all(|(_, _, removed)| *removed));
    assert_eq!(cookies(&out).len(), 2);
    refresh(&server, cookie).await.ended("signed-out");
}

#[tokio::test]
async fn a_dead_cookie_of_the_one_name_does_not_hide_a_live_one_of_the_other() {
    let server = Server::start_in(Shop::new(), &["--trusted-proxy", "127.0.0.1"]).await;
    server.hire(EMAIL, "Owner").await;
    let by_https = [("X-Forwarded-Proto", "https")];
    let cookie_of = |answer: &Answer| {
        let cookie = answer.headers[SET_COOKIE].to_str().unwrap();
        cookie.split(';').next().unwrap().to_owned()
    };
    let ask = async |path: &str, cookies: &str| {
        let request = server.request(Method::POST, path).header("Cookie", cookies);
        answer(request).await
    };
    let dead = cookie_of(&sign_in(&server, &by_https).await);
    ask("/api/auth/sign-out", &dead).await.good();
    // While HTTPS was off.
    let live = cookie_of(&sign_in(&server, &[]).await);
    let refreshed = ask("/api/auth/refresh", &format!("{dead}; {live}")).await;
    // Only by HTTPS did the browser show the dead one.
    assert_eq!(
        cookies(&refreshed),
        [
            ("__Secure-dispatch_refresh".to_owned(), true, false),
            ("dispatch_refresh".to_owned(), false, true),
        ]
    );
    refreshed.good();
}

#[tokio::test]
async fn two_shops_at_two_ports_of_one_host_have_sessions_of_their_own() {
    let (a, b) = tokio::join!(Server::with_owner(), Server::with_owner());
    let servers = [&a.0, &b.0];
    // A browser keeps one cookie of a name, whatever the port.
    let mut kept = std::collections::BTreeMap::new();
    for server in servers {
        for line in sign_in(server, &[]).await.headers.get_all(SET_COOKIE) {
            let pair = line.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            kept.insert(name.to_owned(), value.to_owned());
        }
    }
    let devices = kept.keys().filter(|name| name.contains("device"));
    assert_eq!(devices.count(), 2, "{kept:?}");
    let all: Vec<String> = kept
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    for server in servers {
        let request = server.request(Method::POST, "/api/auth/refresh");
        answer(request.header("Cookie", all.join("; ")))
            .await
            .good();
    }
}

/// What the machine is called.
fn machine_name() -> String {
    let name = rustix::system::uname();
    name.nodename().to_str().unwrap().to_ascii_lowercase()
}

#[tokio::test]
async fn a_server_on_all_addresses_names_itself_by_name_in_every_link() {
    let mut mails = MailServer::start(&[]).await;
    let url = mails.url("smtp://", "");
    let options = [
        "serve",
        "--listen",
        "0.0.0.0:0",
        "--smtp-url",
        &url,
        "--mail-from",
        "desk@example.com",
    ];
    let mut server = Server::start_as(Shop::unplaced(), &options).await;
    let port = server.address.port();
    let by_name = format!("http://{}:{port}", machine_name());

    // The link for a browser here, and the same for one elsewhere.
    server.next_line().await;
    let here = server.next_line().await;
    let begins = format!("  http://localhost:{port}/set-up#token=");
    let token = here
        .strip_prefix(&begins)
        .unwrap_or_else(|| panic!("{here}"));
    server.next_line().await;
    let elsewhere = server.next_line().await;
    assert_eq!(elsewhere, format!("  {by_name}/set-up#token={token}"));

    // Whatever a request says in its Host, by which anybody could have the secret of a mail sent to them.
    let owner = server.hire(EMAIL, "Owner").await;
    let machine = format!("{}:{port}", machine_name());
    for host in [&*server.address.to_string(), &machine, "192.0.2.66"] {
        let reset = server
            .request(Method::POST, "/api/auth/password-reset")
            .header("Host", host)
            .header("X-Forwarded-Host", "evil.example")
            .json(&json!({ "email": EMAIL }));
        answer(reset).await.good();
        let mail = mails.next_mail().await;
        let text = mail["text"].as_str().unwrap();
        let link = text.lines().find(|line| line.contains("#token=")).unwrap();
        assert!(link.starts_with(&format!("{by_name}/")), "{host}: {link}");
    }
    let reset = server
        .request(Method::POST, "/api/auth/password-reset")
        .header("Host", "evil.example")
        .json(&json!({ "email": EMAIL }));
    answer(reset).await.refused(421, "unknown-host");

    let notices = notices(&owner).await;
    assert_eq!(notices[0]["code"], "mails-without-public-url");
    assert_eq!(notices[0]["address"], by_name);
    let log = server.shop.read("server.log");
    let warned = format!("mailed links begin with {by_name}");
    assert_eq!(log.matches(&warned).count(), 1, "{log}");
}

#[tokio::test]
async fn mails_without_a_public_url_are_reported_to_owners_and_by_the_doctor() {
    let mails = MailServer::start(&[]).await;
    let url = mails.url("smtp://", "");
    let mailing = ["--smtp-url", &url, "--mail-from", "desk@example.com"];
    let server = Server::start_in(Shop::new(), &mailing).await;
    let owner = server.hire(EMAIL, "Owner").await;
    let notices_of = notices(&owner).await;
    assert_eq!(notices_of[0]["code"], "mails-without-public-url");
    assert_eq!(notices_of[0]["address"], server.url(""));
    let advice = notices_of[0]["advice"].as_str().unwrap();
    assert!(advice.contains("--public-url"), "{advice}");
    let log = server.shop.read("server.log");
    assert!(log.contains("without --public-url, mailed links"), "{log}");

    let ran = server.shop.run(&[&["doctor"], &mailing[..]].concat()).await;
    let says = "none is named, though mails go out: their links begin with http://127.0.0.1:8080";
    assert!(ran.out.contains(says), "{ran:?}");

    let named = ["--public-url", "http://localhost:9999"];
    let server = Server::start_in(Shop::new(), &[&mailing[..], &named].concat()).await;
    let owner = server.hire(EMAIL, "Owner").await;
    assert_eq!(notices(&owner).await, json!([]));
}
