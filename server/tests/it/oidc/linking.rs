//! Whose account it is: a provider's word for an email does not open an account that has a password
//! of its own, and nobody is signed in who did not ask for it.

use reqwest::{Method, Url};
use serde_json::{Value, json};

use super::browser::{Browser, Page};
use super::{LINK, on_the_staff, open, refresh, verified};
use crate::fixture::{Desk, PASSWORD, Server, answer};
use crate::two_factor::{code, turn_on};

const ANN: &str = "ann@example.com";

fn people() -> Value {
    json!({ "ann": verified(ANN), "eve": verified("eve@example.com") })
}

async fn link(server: &Server, browser: &mut Browser, body: Value) -> Page {
    browser.post(server.url("/api/auth/oidc/link"), &body).await
}

/// A browser that came back from the provider and is asked for the account's password.
async fn waiting(server: &Server) -> Browser {
    let mut browser = Browser::new();
    assert_eq!(browser.sign_in(server, "ann").await, LINK);
    browser
}

#[tokio::test]
async fn another_site_cannot_start_a_sign_in() {
    let (_provider, server) = open(&[], people()).await;
    on_the_staff(&server, ANN, "Advisor").await;
    // As a link, an image or a frame of anybody's page does it.
    let followed = server.get("/api/auth/oidc/start").await;
    assert_eq!(followed.status, 405, "{followed:?}");
    assert!(!followed.headers.contains_key("set-cookie"));
    // As a form of another page does it.
    for (name, value) in [
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
        ("Origin", "https://evil.example"),
        ("Origin", "null"),
    ] {
        let sent = server.request(Method::POST, "/api/auth/oidc/start");
        let refused = answer(sent.header(name, value)).await;
        refused.refused(403, "cross-site");
        assert!(
            !refused.headers.contains_key("set-cookie"),
            "{name}: {value}"
        );
    }
    assert_eq!(Browser::new().sign_in(&server, "ann").await, "/");
}

#[tokio::test]
async fn a_new_subject_does_not_take_over_an_account_with_a_password() {
    let (_provider, server) = open(&[], people()).await;
    let ann = server.hire(ANN, "Owner").await;
    let mut browser = waiting(&server).await;
    assert!(browser.cookie("dispatch_refresh").is_none(), "nobody is in");
    assert!(browser.cookie("dispatch_oidc").is_none(), "used up");
    let cookie = browser.cookie("dispatch_oidc_link").unwrap();
    for flag in [
        "HttpOnly",
        "SameSite=Strict",
        "Path=/api/auth/oidc",
        "Max-Age=600",
    ] {
        assert!(cookie.whole.contains(flag), "{}", cookie.whole);
    }
    refresh(&server, &browser)
        .await
        .refused(401, "unauthorized");
    let url: Url = server.url("/api/auth/oidc/link").parse().unwrap();
    assert_eq!(
        browser.get(url).await.json()["result"],
        json!({ "email": ANN })
    );

    for password in ["", "wrong", "dispatch-demo"] {
        let refused = link(&server, &mut browser, json!({ "password": password })).await;
        refused.refused(401, "wrong-password");
    }
    // Nor is it linked by having tried.
    assert_eq!(Browser::new().sign_in(&server, "ann").await, LINK);
    ann.get("/api/auth/me").await.good();

    let linked = link(&server, &mut browser, json!({ "password": PASSWORD })).await;
    assert_eq!(
        linked.json()["result"]["user"]["uid"],
        ann.uid,
        "{linked:?}"
    );
    assert!(browser.cookie("dispatch_oidc_link").is_none(), "used up");
    let user = refresh(&server, &browser).await.result()["user"].take();
    assert_eq!(user["uid"], ann.uid);
    // From then on the provider's word is enough.
    let mut later = Browser::new();
    assert_eq!(later.sign_in(&server, "ann").await, "/");
    let user = refresh(&server, &later).await.result()["user"].take();
    assert_eq!(user["uid"], ann.uid);
}

#[tokio::test]
async fn linking_asks_for_password_and_second_factor() {
    let (_provider, server) = open(&[], people()).await;
    let ann = server.hire(ANN, "Owner").await;
    let (secret, recovery_codes) = turn_on(&ann).await;
    let mut browser = waiting(&server).await;
    let mut refused = async |body: Value, status: u16, code: &str| {
        link(&server, &mut browser, body)
            .await
            .refused(status, code);
    };
    let right = json!({ "password": PASSWORD });
    refused(right, 401, "second-factor-required").await;
    let wrong_code = json!({ "password": PASSWORD, "code": "000000" });
    refused(wrong_code, 401, "wrong-code").await;
    let wrong_password = json!({ "password": "wrong", "code": recovery_codes[0] });
    refused(wrong_password, 401, "wrong-password").await;
    let both = json!({ "password": PASSWORD, "code": code(&secret, 1) });
    let linked = link(&server, &mut browser, both).await;
    assert_eq!(linked.status, 200, "{linked:?}");
    let left = ann.get("/api/auth/two-factor").await.result();
    assert_eq!(left, json!({ "enabled": true, "recoveryCodesLeft": 10 }));
    assert_eq!(Browser::new().sign_in(&server, "ann").await, "/");
}

#[tokio::test]
async fn a_link_is_in_the_trail_and_the_accounts_holder_is_mailed() {
    let (_provider, server) = open(&[], people()).await;
    let ann = server.hire(ANN, "Owner").await;
    let mut browser = waiting(&server).await;
    let wrong = json!({ "password": "wrong" });
    link(&server, &mut browser, wrong)
        .await
        .refused(401, "wrong-password");
    let right = json!({ "password": PASSWORD });
    assert_eq!(link(&server, &mut browser, right).await.status, 200);
    let events = async |query: &str| {
        let page = ann.get(&format!("/api/audit?{query}")).await.result();
        page["events"].as_array().unwrap().clone()
    };
    let linked = events("kind=provider-linked").await;
    assert_eq!(linked.len(), 1);
    assert_eq!(
        (&linked[0]["about"], &linked[0]["aboutId"]),
        (&json!(ANN), &json!(ann.uid))
    );
    assert_eq!(
        events("kind=sign-in&outcome=refused").await[0]["reason"],
        "wrong-password"
    );
    let is_mailed = async {
        while !server
            .shop
            .mails()
            .iter()
            .any(|mail| mail.contains("Another way to sign in"))
        {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(crate::fixture::WAIT_TIMEOUT, is_mailed)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_second_factor_alone_is_asked_for_too() {
    let (_provider, server) = open(&[], people()).await;
    let ann = server.hire(ANN, "Owner").await;
    turn_on(&ann).await;
    // As an account that was brought along from elsewhere.
    let store = server.shop.store().await;
    let statement = "UPDATE accounts SET password_hash = ''";
    sea_orm::ConnectionTrait::execute_unprepared(store.writer(), statement)
        .await
        .unwrap();
    store.close().await;
    waiting(&server).await;
}

#[tokio::test]
async fn a_pending_link_belongs_to_its_browser_and_works_once() {
    let (_provider, server) = open(&[], people()).await;
    server.hire(ANN, "Advisor").await;
    let right = || json!({ "password": PASSWORD });
    // Without the cookie, and with a forged one.
    link(&server, &mut Browser::new(), right())
        .await
        .refused(400, "link-expired");
    let mut browser = waiting(&server).await;
    let mut forger = Browser::new();
    forger.cookies.clone_from(&browser.cookies);
    for cookie in &mut forger.cookies {
        cookie.value.replace_range(..1, "x");
    }
    link(&server, &mut forger, right())
        .await
        .refused(400, "link-expired");
    let foreign = server
        .request(Method::POST, "/api/auth/oidc/link")
        .header("Sec-Fetch-Site", "cross-site")
        .json(&right());
    answer(foreign).await.refused(403, "cross-site");

    let mut thief = Browser::new();
    thief.cookies.clone_from(&browser.cookies);
    assert_eq!(link(&server, &mut browser, right()).await.status, 200);
    link(&server, &mut thief, right())
        .await
        .refused(400, "link-expired");
}

#[tokio::test]
async fn guessing_at_a_link_is_counted_as_guessing_at_the_sign_in() {
    let (_provider, server) = open(&[], people()).await;
    server.hire(ANN, "Advisor").await;
    let mut browser = waiting(&server).await;
    let wrong = json!({ "password": "wrong" });
    let mut tries = 0;
    while link(&server, &mut browser, wrong.clone()).await.status != 429 {
        tries += 1;
        assert!(tries < 100, "it is stopped");
    }
    // Attempts here count there.
    let credentials = json!({ "email": ANN, "password": "wrong" });
    let refused = server.post("/api/auth/sign-in", credentials).await;
    assert_eq!(refused.status, 429, "{refused:?}");
}

/// Signs in by password in a browser, which keeps the cookie.
async fn by_password(server: &Server, browser: &mut Browser, email: &str) -> Desk {
    let credentials = json!({ "email": email, "password": PASSWORD });
    let page = browser
        .post(server.url("/api/auth/sign-in"), &credentials)
        .await;
    assert_eq!(page.status, 200, "{page:?}");
    Desk::new(
        server,
        crate::fixture::Answer {
            status: page.status,
            headers: page.headers.clone(),
            body: page.json(),
        },
    )
}

/// The cookies that a browser sends along when another site leads it to us.
async fn led_back(browser: &mut Browser, back: Url) -> String {
    let strict: Vec<_> = browser
        .cookies
        .extract_if(.., |cookie| cookie.whole.contains("SameSite=Strict"))
        .collect();
    let led = browser.get(back).await.leads_home();
    for cookie in strict {
        if browser.cookie(&cookie.name).is_none() {
            browser.cookies.push(cookie);
        }
    }
    led
}

#[tokio::test]
async fn the_callback_ends_the_session_that_was_there() {
    let (_provider, server) = open(&[], people()).await;
    on_the_staff(&server, ANN, "Advisor").await;
    server.hire("eve@example.com", "Owner").await;
    let elsewhere = server.sign_in("eve@example.com").await;
    let mut browser = Browser::new();
    let before = by_password(&server, &mut browser, "eve@example.com").await;
    let socket = before.listen(&server).await;

    let start = browser.start(&server).await;
    let back = browser.at_provider(start, "ann").await;
    assert_eq!(led_back(&mut browser, back).await, "/");
    let user = refresh(&server, &browser).await.result()["user"].take();
    assert_eq!(user["email"], ANN);
    assert!(socket.until_closed().await.contains(&"41".to_owned()));
    before
        .get("/api/auth/me")
        .await
        .refused(401, "unauthorized");
    before.refresh().await.ended("signed-out");
    elsewhere.get("/api/auth/me").await.good();
}

#[tokio::test]
async fn linking_ends_the_session_that_was_there() {
    let (_provider, server) = open(&[], people()).await;
    server.hire(ANN, "Advisor").await;
    server.hire("eve@example.com", "Owner").await;
    let mut browser = Browser::new();
    let before = by_password(&server, &mut browser, "eve@example.com").await;
    let start = browser.start(&server).await;
    let back = browser.at_provider(start, "ann").await;
    assert_eq!(led_back(&mut browser, back).await, LINK);
    before.get("/api/auth/me").await.good();
    let linked = link(&server, &mut browser, json!({ "password": PASSWORD })).await;
    assert_eq!(linked.status, 200, "{linked:?}");
    before
        .get("/api/auth/me")
        .await
        .refused(401, "unauthorized");
    before.refresh().await.ended("signed-out");
}
