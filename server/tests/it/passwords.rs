//! Passwords: what they must be, and how somebody without one gets one.

use std::time::Duration;

use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::fixture::{Answer, Desk, PASSWORD, Server, Shop, WAIT_TIMEOUT, answer};

const BOB: &str = "bob@example.com";

async fn ask(server: &Server, email: &str) -> Answer {
    let body = json!({ "email": email });
    server.post("/api/auth/password-reset", body).await
}

async fn confirm(server: &Server, token: &str, password: &str) -> Answer {
    let body = json!({ "token": token, "newPassword": password });
    server.post("/api/auth/password-reset/confirm", body).await
}

/// The token of the mail after so many others.
async fn token(server: &Server, others: usize) -> String {
    let comes = async {
        loop {
            let mail = server.shop.mails().into_iter().nth(others);
            // It may still be written.
            let link = mail.as_deref().and_then(|mail| mail.split_once("#token="));
            let token = link.map(|(_, rest)| rest.chars().take(43).collect::<String>());
            match token {
                Some(token) if token.len() == 43 => return token,
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    timeout(WAIT_TIMEOUT, comes)
        .await
        .expect("a mail is written")
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_by_a_mailed_link() {
    let server = Server::start_in(
        Shop::new(),
        &["--public-url", "https://dispatch.example.com/"],
    )
    .await;
    let bob = server.hire(BOB, "Advisor").await;
    let socket = bob.listen(&server).await;
    assert_eq!(
        ask(&server, " BOB@Example.com ").await.result(),
        Value::Null
    );
    let token = token(&server, 0).await;
    let mail = &server.shop.mails()[0];
    let link = format!("https://dispatch.example.com/reset-password#token={token}");
    assert!(mail.lines().any(|line| line == link), "{mail}");

    confirm(&server, &token, "short")
        .await
        .refused(400, "weak-password");
    confirm(&server, "made up", "brand new")
        .await
        .refused(400, "invalid-link");
    let confirmed = confirm(&server, &token, "brand new").await.result();
    assert_eq!(confirmed, json!({ "email": BOB }));
    socket.until_closed().await;
    bob.get("/api/auth/me").await.refused(401, "unauthorized");
    confirm(&server, &token, "once more")
        .await
        .refused(400, "invalid-link");
    let sign_in = async |password| {
        let credentials = json!({ "email": BOB, "password": password });
        server.post("/api/auth/sign-in", credentials).await
    };
    sign_in(PASSWORD).await.refused(401, "wrong-password");
    sign_in("brand new").await.good();
}

#[tokio::test]
async fn a_reset_request_does_not_reveal_who_has_an_account() {
    let server = Server::start().await;
    server.hire(BOB, "Advisor").await;
    let known_mail = ask(&server, BOB).await;
    let unknown = ask(&server, "eve@example.com").await;
    assert_eq!((known_mail.status, &known_mail.body), (200, &unknown.body));
    let names = |answer: &Answer| {
        let mut names: Vec<_> = answer.headers.keys().map(ToString::to_string).collect();
        names.sort();
        names
    };
    assert_eq!(names(&known_mail), names(&unknown));
    ask(&server, "no email").await.refused(400, "invalid-email");
    token(&server, 0).await;
    assert_eq!(server.shop.mails().len(), 1);

    for email in [BOB, "eve@example.com"] {
        ask(&server, email).await.good();
        ask(&server, email).await.good();
        let refused = ask(&server, email).await;
        refused.refused(429, "too-many-requests");
        let wait: u64 = refused.headers["retry-after"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        assert!((60..=1_200).contains(&wait), "{wait}");
    }
}

#[tokio::test]
async fn the_mail_is_in_the_language_of_the_browser() {
    let server = Server::start().await;
    server.hire(BOB, "Advisor").await;
    for (number, (languages, subject)) in [
        ("es-MX,es;q=0.9,en;q=0.8", "Subject: Nueva"),
        ("fr, de;q=0.5", "Subject: Neues"),
        ("nonsense;;;", "Subject: A new password"),
    ]
    .into_iter()
    .enumerate()
    {
        let request = server
            .request(reqwest::Method::POST, "/api/auth/password-reset")
            .header("Accept-Language", languages)
            .json(&json!({ "email": BOB }));
        answer(request).await.good();
        token(&server, number).await;
        let mail = &server.shop.mails()[number];
        assert!(
            mail.contains(subject) || mail.contains("=?utf-8?"),
            "{mail}"
        );
    }
}

#[tokio::test]
async fn the_password_policy_is_published_and_holds_wherever_a_password_is_set() {
    let shop = Shop::new();
    let server = Server::start_in(
        shop,
        &["--password-min-length", "10", "--refuse-common-passwords"],
    )
    .await;
    let policy = server.get("/api/auth/password-policy").await.result();
    assert_eq!(
        policy,
        json!({ "minLength": 10, "maxLength": 1000, "refusesCommon": true })
    );
    let add = ["user", "add", BOB, "--role", "Owner", "--password-stdin"];
    for (password, sentence) in [
        ("ninechars", "The password needs at least 10 characters"),
        (
            "QwertyUiop",
            "This password is one of the most common ones; choose another",
        ),
    ] {
        assert_eq!(
            server.shop.run_with(&add, password).await.refused(),
            sentence
        );
    }
    let bob = server.hire(BOB, "Owner").await;
    let change = async |new: &str| {
        let body = json!({ "currentPassword": PASSWORD, "newPassword": new });
        bob.post("/api/auth/password", body).await
    };
    change("ninechars").await.refused(400, "weak-password");
    change("1234567890").await.refused(400, "common-password");
    change("ünïcödé 🔧").await.refused(400, "weak-password");
    ask(&server, BOB).await.good();
    let token = token(&server, 0).await;
    for (password, code) in [
        ("ninechars", "weak-password"),
        ("qwertyuiop", "common-password"),
    ] {
        confirm(&server, &token, password).await.refused(400, code);
    }
    confirm(&server, &token, "ünïcödé 🔧 🔧").await.good();
}

#[tokio::test]
async fn weak_passwords_are_refused_unless_the_operator_allows_them() {
    let server = Server::start().await;
    let policy = server.get("/api/auth/password-policy").await.result();
    assert_eq!(
        policy,
        json!({ "minLength": 8, "maxLength": 1000, "refusesCommon": true })
    );
    let add = ["user", "add", BOB, "--role", "Owner", "--password-stdin"];
    let (short, common) = (
        "The password needs at least 8 characters",
        "This password is one of the most common ones; choose another",
    );
    // Beside a server, and without one.
    let alone = Shop::new();
    for (password, sentence) in [
        ("123456", short),
        ("k7#qwzp", short),
        ("12345678", common),
        ("password1", common),
        ("Dispatch2026!", common),
    ] {
        for shop in [&server.shop, &alone] {
            let refused = shop.run_with(&add, password).await.refused();
            assert_eq!(refused, sentence, "{password}");
        }
    }
    let bob = server.hire(BOB, "Owner").await;
    for (password, code) in [("123456", "weak-password"), ("12345678", "common-password")] {
        let body = json!({ "currentPassword": PASSWORD, "newPassword": password });
        let refused = bob.post("/api/auth/password", body).await;
        refused.refused(400, code);
    }

    let lax = ["--password-min-length", "6", "--allow-common-passwords"];
    let add = [&add[..], &lax].concat();
    alone.run_with(&add, "123456").await.good();
    // A password that a user already has stays valid.
    let server = Server::start_in(alone, &[]).await;
    let credentials = json!({ "email": BOB, "password": "123456" });
    server.post("/api/auth/sign-in", credentials).await.good();
}

async fn change(desk: &Desk, current: &str, new: &str) -> Answer {
    let body = json!({ "currentPassword": current, "newPassword": new });
    desk.post("/api/auth/password", body).await
}

async fn sign_in(server: &Server, password: &str) -> Answer {
    let credentials = json!({ "email": BOB, "password": password });
    server.post("/api/auth/sign-in", credentials).await
}

#[tokio::test]
async fn a_password_is_taken_exactly_as_it_was_typed() {
    let server = Server::start().await;
    let bob = server.hire(BOB, "Advisor").await;
    let long = "x".repeat(200);
    let typed = format!("  Gr\u{fc}n, wei\u{df} & \u{fb01}n {long} ");
    change(&bob, PASSWORD, &typed).await.good();
    for other in [
        typed.trim_start().to_owned(),
        typed.trim_end().to_owned(),
        typed.to_lowercase(),
        // The same letters in other bytes, and what some hashes leave of it.
        typed.replace('\u{fc}', "u\u{308}"),
        typed.replace('\u{fb01}', "fi"),
        typed.chars().take(64).collect(),
        typed.chars().take(72).collect(),
    ] {
        sign_in(&server, &other)
            .await
            .refused(401, "wrong-password");
    }
    sign_in(&server, &typed).await.good();
}

#[tokio::test]
async fn a_password_of_a_thousand_bytes_counts_to_its_last() {
    let server = Server::start().await;
    let bob = server.hire(BOB, "Advisor").await;
    let sentence = "no two words of it alike ".repeat(40);
    assert_eq!(sentence.len(), 1_000);
    let mut current = PASSWORD;
    for length in [64, 128, 1_000] {
        let new = &sentence[..length];
        change(&bob, current, new).await.good();
        let shorter = &new[..length - 1];
        sign_in(&server, shorter)
            .await
            .refused(401, "wrong-password");
        sign_in(&server, new).await.good();
        current = new;
    }
    let longer = format!("{sentence}.");
    change(&bob, current, &longer)
        .await
        .refused(400, "weak-password");
}

#[tokio::test]
async fn a_password_does_not_grow_old() {
    let mut server = Server::start().await;
    server.hire(BOB, "Advisor").await;
    server.sigterm().await;
    let store = server.shop.store().await;
    let aged = "UPDATE accounts SET created_at = 0";
    store.writer().execute_unprepared(aged).await.unwrap();
    store.close().await;
    server.restart().await;
    let bob = Desk::new(&server, sign_in(&server, PASSWORD).await);
    bob.list().await;
    bob.refresh().await.good();
}
