//! Everything that must not let anybody in, nor lead anybody elsewhere.

use reqwest::{Method, Url};
use serde_json::{Value, json};

use super::browser::{Browser, Page};
use super::provider::CLIENT_SECRET;
use super::{FAILED, on_the_staff, open, verified};
use crate::fixture::Server;

fn refusals(server: &Server) -> usize {
    let log = server.shop.read("server.log");
    log.matches("sign-in by OpenID Connect was refused").count()
}

/// Nobody is signed in, and the log says why once and nothing that is secret.
async fn nobody_got_in(server: &Server, browser: &Browser, back: &Url) {
    assert!(browser.cookie("dispatch_refresh").is_none());
    let log = server.shop.read("server.log");
    for (name, value) in back.query_pairs() {
        if value.len() > 20 && (name == "code" || name == "state") {
            assert!(!log.contains(&*value), "{log}");
        }
    }
    assert!(
        !log.contains(CLIENT_SECRET) && !log.contains("eyJ"),
        "{log}"
    );
}

#[tokio::test]
async fn a_user_who_declines_at_the_provider_returns_to_the_sign_in_screen() {
    let people = json!({ "ann": verified("ann@example.com") });
    let (_provider, server) = open(&[], people).await;
    on_the_staff(&server, "ann@example.com", "Advisor").await;
    let mut browser = Browser::new();
    let start = browser.start(&server).await;
    let form = browser.get(start).await;
    let form = browser.get(form.url.join(form.location()).unwrap()).await;
    let abort = form
        .url
        .join(&format!("{}/abort", form.url.path()))
        .unwrap();
    let mut page = browser.get(abort).await;
    while !page.location().starts_with(&server.url("")) {
        let next = page.url.join(page.location()).unwrap();
        page = browser.get(next).await;
    }
    let back: Url = page.location().parse().unwrap();
    assert!(back.query().unwrap().contains("error=access_denied"));
    assert_eq!(browser.get(back.clone()).await.leads_home(), FAILED);
    nobody_got_in(&server, &browser, &back).await;
    assert_eq!(refusals(&server), 1);
    assert!(server.shop.read("server.log").contains("access_denied"));
}

/// Brings `back` to our server with other parameters in place of its own.
fn altered(back: &Url, alter: impl Fn(&str, &str) -> Option<String>) -> Url {
    let pairs: Vec<(String, String)> = back
        .query_pairs()
        .filter_map(|(name, value)| Some((name.to_string(), alter(&name, &value)?)))
        .collect();
    let mut altered = back.clone();
    altered.query_pairs_mut().clear().extend_pairs(pairs);
    altered
}

#[tokio::test]
async fn a_repeated_foreign_or_altered_answer_does_not_sign_in() {
    let people = json!({ "ann": verified("ann@example.com"), "eve": verified("eve@example.com") });
    let (_provider, server) = open(&[], people).await;
    on_the_staff(&server, "ann@example.com", "Advisor").await;
    on_the_staff(&server, "eve@example.com", "Advisor").await;

    let mut ann = Browser::new();
    let start = ann.start(&server).await;
    let back = ann.at_provider(start, "ann").await;
    let mut tries = 0;

    // Eve's answer in Ann's browser, which would sign Ann in as Eve.
    let mut eve = Browser::new();
    let start = eve.start(&server).await;
    let eves = eve.at_provider(start, "eve").await;
    let elsewhere = [
        eves.clone(),
        altered(&back, |name, value| {
            Some(if name == "state" { "x" } else { value }.to_owned())
        }),
        altered(&back, |name, value| {
            (name != "state").then(|| value.to_owned())
        }),
        altered(&back, |name, value| {
            (name != "code").then(|| value.to_owned())
        }),
        altered(&back, |name, value| {
            Some(
                if name == "iss" {
                    "https://elsewhere.example"
                } else {
                    value
                }
                .to_owned(),
            )
        }),
        format!("{back}&code=another").parse().unwrap(),
        server.url("/api/auth/oidc/callback").parse().unwrap(),
    ];
    for foreign in &elsewhere {
        let mut browser = Browser::new();
        browser.cookies.clone_from(&ann.cookies);
        assert_eq!(
            browser.get(foreign.clone()).await.leads_home(),
            FAILED,
            "{foreign}"
        );
        nobody_got_in(&server, &browser, foreign).await;
        tries += 1;
        assert_eq!(refusals(&server), tries, "{foreign}");
    }
    // Ann's own, where there is no cookie, or a forged one, or Eve's.
    let mut other = Browser::new();
    assert_eq!(other.get(back.clone()).await.leads_home(), FAILED);
    assert_eq!(eve.get(back.clone()).await.leads_home(), FAILED);
    let mut forger = Browser::new();
    forger.cookies.clone_from(&ann.cookies);
    for cookie in &mut forger.cookies {
        let end = if cookie.value.ends_with('A') {
            "B"
        } else {
            "A"
        };
        cookie.value.replace_range(..1, end);
    }
    assert_eq!(forger.get(back.clone()).await.leads_home(), FAILED);
    assert_eq!(refusals(&server), tries + 3);
}

#[tokio::test]
async fn an_answer_of_the_provider_works_once() {
    let people = json!({ "ann": verified("ann@example.com") });
    let (_provider, server) = open(&[], people).await;
    on_the_staff(&server, "ann@example.com", "Advisor").await;
    let mut browser = Browser::new();
    let start = browser.start(&server).await;
    let back = browser.at_provider(start, "ann").await;
    let mut thief = Browser::new();
    thief.cookies.clone_from(&browser.cookies);
    assert_eq!(browser.get(back.clone()).await.leads_home(), "/");
    assert_eq!(thief.get(back.clone()).await.leads_home(), FAILED);
    nobody_got_in(&server, &thief, &back).await;
    let log = server.shop.read("server.log");
    assert!(log.contains("has been finished before"), "{log}");
}

#[tokio::test]
async fn a_token_with_a_wrong_audience_issuer_or_time_does_not_sign_in() {
    let people = json!({ "ann": verified("ann@example.com") });
    let (provider, server) = open(&[], people).await;
    on_the_staff(&server, "ann@example.com", "Owner").await;
    let spoils = [
        ("nonce", "nonce"),
        ("no nonce", "nonce"),
        ("audience", "audience"),
        ("more audiences", "audience"),
        ("authorized party", "another party"),
        ("issuer", "issuer"),
        ("expired", "xpired"),
        ("no expiry", ""),
        ("key", "ignature"),
        ("unknown key", "ignature"),
        ("unsigned", "ignature"),
        ("secret", "ignature"),
        ("rubbish", ""),
        ("none", "no ID token"),
    ];
    for (tried, (spoil, why)) in spoils.into_iter().enumerate() {
        provider.configure(json!({ "spoil": spoil })).await;
        let mut browser = Browser::new();
        let start = browser.start(&server).await;
        let back = browser.at_provider(start, "ann").await;
        assert_eq!(
            browser.get(back.clone()).await.leads_home(),
            FAILED,
            "{spoil}"
        );
        nobody_got_in(&server, &browser, &back).await;
        assert_eq!(refusals(&server), tried + 1, "{spoil}");
        let log = server.shop.read("server.log");
        let last = log
            .lines()
            .rfind(|line| line.contains("was refused"))
            .unwrap();
        assert!(last.contains(why), "{spoil}: {last}");
    }
    // Neither the spoiling as such nor what came before is in the way.
    provider.configure(json!({ "spoil": "own key" })).await;
    assert_eq!(Browser::new().sign_in(&server, "ann").await, "/");
}

#[tokio::test]
async fn user_info_about_another_subject_does_not_sign_in() {
    let people = json!({ "ann": verified("ann@example.com") });
    let (provider, server) = open(&[], people).await;
    on_the_staff(&server, "ann@example.com", "Owner").await;
    // The token and the userinfo endpoint are about different people.
    provider
        .configure(json!({ "inIdToken": false, "spoil": "subject" }))
        .await;
    let mut browser = Browser::new();
    assert_eq!(browser.sign_in(&server, "ann").await, FAILED);
    assert!(browser.cookie("dispatch_refresh").is_none());
}

#[tokio::test]
async fn the_sign_in_never_redirects_to_another_site() {
    let people = json!({ "ann": verified("ann@example.com") });
    let (provider, server) = open(&[], people).await;
    on_the_staff(&server, "ann@example.com", "Advisor").await;
    let evil = "https%3A%2F%2Fevil.example%2F";
    for wish in [
        "next",
        "redirect_uri",
        "return_to",
        "state",
        "iss",
        "error",
        "error_uri",
    ] {
        let mut browser = Browser::new();
        let start = server.url(&format!("/api/auth/oidc/start?{wish}={evil}"));
        let page = browser.ask(Method::POST, start.parse().unwrap(), &[]).await;
        let location = page.json()["result"]["location"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(location.starts_with(&provider.issuer), "{page:?}");
        let query = location.replace(&provider.issuer, "");
        assert!(!query.contains("evil"), "{query}");
        let back = browser.at_provider(location.parse().unwrap(), "ann").await;
        let wished: Url = format!("{back}&{wish}={evil}").parse().unwrap();
        let page: Page = browser.get(wished).await;
        let led = page.leads_home();
        assert!(!led.contains("evil"), "{led}");
    }
    for host in ["evil.example", "127.0.0.1:1"] {
        let forged = server.request(Method::POST, "/api/auth/oidc/start");
        let forged = forged.header("Host", host).header("X-Forwarded-Host", host);
        let answer = forged.send().await.unwrap();
        if host == "evil.example" {
            assert_eq!(answer.status(), 421, "{answer:?}");
        }
        assert!(!answer.headers().contains_key("location"), "{answer:?}");
        let answer: Value = answer.json().await.unwrap();
        let led = &answer["result"]["location"];
        assert!(!led.to_string().contains("evil"), "{answer}");
    }
}

#[tokio::test]
async fn callbacks_without_our_cookie_do_not_block_a_sign_in() {
    let people = json!({ "ann": verified("ann@example.com") });
    let (_provider, server) = open(&[], people).await;
    on_the_staff(&server, "ann@example.com", "Advisor").await;
    let back: Url = server.url("/api/auth/oidc/callback").parse().unwrap();
    for number in 0..130 {
        let mut stranger = Browser::new();
        let mut back = back.clone();
        if number % 2 == 0 {
            back.set_query(Some("code=x&state=y"));
        }
        assert_eq!(stranger.get(back).await.leads_home(), FAILED);
    }
    let wrong = json!({ "email": "ann@example.com", "password": "a wrong password" });
    let refused = server.post("/api/auth/sign-in", wrong).await;
    refused.refused(401, "wrong-password");
    assert_eq!(Browser::new().sign_in(&server, "ann").await, "/");
}
