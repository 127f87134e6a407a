//! Two-factor authentication on the wire.

use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use crate::fixture::{Answer, Browser, Desk, OWNER, PASSWORD, Server, WAIT_TIMEOUT};

const ANN: &str = "ann@example.com";

pub fn code(secret: &str, steps: i64) -> String {
    let secret = Secret::try_from_base32(secret).unwrap();
    let totp = Builder::new().with_secret(secret).build().unwrap();
    let seconds = jiff::Timestamp::now().as_second() + steps * 30;
    totp.generate(seconds.try_into().unwrap()).to_string()
}

async fn sign_in(server: &Server, code: Value) -> Answer {
    let mut credentials = json!({ "email": ANN, "password": PASSWORD });
    if !code.is_null() {
        credentials["code"] = code;
    }
    server.post("/api/auth/sign-in", credentials).await
}

/// Turns it on, and gives the secret and the recovery codes.
pub async fn turn_on(ann: &Desk) -> (String, Vec<String>) {
    let begin = json!({ "password": PASSWORD });
    let setup = ann.post("/api/auth/two-factor/begin", begin).await;
    assert_eq!(setup.headers["cache-control"], "no-store");
    let setup = setup.result();
    let secret = setup["secret"].as_str().unwrap().to_owned();
    let confirm = json!({ "code": code(&secret, 0) });
    let codes = ann
        .post("/api/auth/two-factor/confirm", confirm)
        .await
        .result();
    let codes = codes["recoveryCodes"].as_array().unwrap();
    let codes = codes.iter().map(|code| code.as_str().unwrap().to_owned());
    (secret, codes.collect())
}

#[tokio::test]
async fn a_second_factor_is_required_and_each_code_works_once() {
    let server = Server::start().await;
    let ann = server.hire(ANN, "Owner").await;
    let state = async || ann.get("/api/auth/two-factor").await.result();
    assert_eq!(
        state().await,
        json!({ "enabled": false, "recoveryCodesLeft": 0 })
    );
    let (secret, codes) = turn_on(&ann).await;
    assert_eq!(
        state().await,
        json!({ "enabled": true, "recoveryCodesLeft": 10 })
    );

    let answer = sign_in(&server, Value::Null).await;
    answer.refused(401, "second-factor-required");
    assert!(!answer.headers.contains_key("set-cookie"));
    let wrong = json!({ "email": ANN, "password": "wrong", "code": codes[0] });
    let wrong = server.post("/api/auth/sign-in", wrong).await;
    wrong.refused(401, "wrong-password");
    let next = json!(code(&secret, 1));
    sign_in(&server, next.clone()).await.good();
    sign_in(&server, next).await.refused(401, "wrong-code");
    sign_in(&server, json!(codes[0])).await.good();
    sign_in(&server, json!(codes[0]))
        .await
        .refused(401, "wrong-code");
    assert_eq!(state().await["recoveryCodesLeft"], 9);

    let end = async |password: &str, code: &str| {
        let body = json!({ "password": password, "code": code });
        ann.post("/api/auth/two-factor/end", body).await
    };
    end("wrong", &codes[1]).await.refused(400, "wrong-password");
    end(PASSWORD, &codes[0]).await.refused(400, "wrong-code");
    end(PASSWORD, &codes[1]).await.good();
    end(PASSWORD, &codes[2])
        .await
        .refused(409, "two-factor-off");
    sign_in(&server, Value::Null).await.good();
}

#[tokio::test]
async fn guessed_codes_are_stopped_and_the_password_alone_is_of_no_use() {
    let server = Server::start().await;
    let ann = server.hire(ANN, "Owner").await;
    let (_, codes) = turn_on(&ann).await;
    let since = Instant::now();
    let mut refused = 0;
    for guess in 0..30 {
        let guess = sign_in(&server, json!(format!("{guess:06}"))).await;
        if guess.status == 429 {
            guess.refused(429, "too-many-requests");
            refused += 1;
        } else {
            guess.refused(401, "wrong-code");
        }
    }
    assert!(refused + given_back(since, 60) >= 24, "{refused}");
    sign_in(&server, json!(codes[0]))
        .await
        .refused(429, "too-many-requests");
    // A signed-in user stays signed in.
    ann.refresh().await.good();
}

#[tokio::test]
async fn a_lost_second_factor_is_reset_beside_a_server_and_without_one() {
    let mut server = Server::start().await;
    let ann = server.hire(ANN, "Owner").await;
    let reset = ["user", "reset-two-factor", ANN];
    turn_on(&ann).await;
    let socket = ann.listen(&server).await;
    let output = server.shop.run(&reset).await.good();
    assert_eq!(
        output,
        "ann@example.com signs in without a second factor now, and has to sign in again.\n"
    );
    socket.until_closed().await;
    ann.refresh().await.ended("second-factor-changed");
    let ann = Desk::new(&server, sign_in(&server, Value::Null).await);
    turn_on(&ann).await;
    server.sigterm().await;
    server.shop.run(&reset).await.good();
    assert_eq!(
        server.shop.run(&reset).await.refused(),
        "Two-factor authentication is not on"
    );
    server.restart().await;
    ann.refresh().await.ended("second-factor-changed");
    sign_in(&server, Value::Null).await.good();
}

/// Of the one mail with a link; others say what has happened.
pub async fn reset_token(server: &Server) -> String {
    let comes = async {
        loop {
            let mails = server.shop.mails();
            let link = mails.iter().find_map(|mail| mail.split_once("#token="));
            let token = link.map(|(_, rest)| rest.chars().take(43).collect::<String>());
            match token {
                Some(token) if token.len() == 43 => return token,
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    let token = tokio::time::timeout(WAIT_TIMEOUT, comes).await;
    token.expect("a mail is written")
}

#[tokio::test]
async fn a_reset_leaves_the_second_factor_on_and_does_not_sign_in() {
    let server = Server::start().await;
    let ann = server.hire(ANN, "Owner").await;
    let (_, codes) = turn_on(&ann).await;
    let body = json!({ "email": ANN });
    server.post("/api/auth/password-reset", body).await.good();
    let token = reset_token(&server).await;
    // Nor can a person who reads the mailbox get around it with a code of hers.
    let confirm = json!({ "token": token, "newPassword": PASSWORD, "code": codes[0] });
    let done = server
        .post("/api/auth/password-reset/confirm", confirm)
        .await;
    for cookie in done.headers.get_all("set-cookie") {
        let cookie = cookie.to_str().unwrap();
        assert!(!cookie.contains("refresh="), "{cookie}");
    }
    assert!(!done.good().to_string().contains("oken"));
    sign_in(&server, Value::Null)
        .await
        .refused(401, "second-factor-required");
    sign_in(&server, json!(codes[0])).await.good();
}

#[tokio::test]
async fn recovery_codes_are_120_random_bits_each_and_kept_as_hashes() {
    let server = Server::start().await;
    let ann = server.hire(ANN, "Owner").await;
    let (secret, codes) = turn_on(&ann).await;
    assert_eq!(Secret::try_from_base32(&secret).unwrap().len(), 20);
    let mut bytes = Vec::new();
    for code in &codes {
        let plain = code.replace('-', "").to_uppercase();
        bytes.push(Secret::try_from_base32(&plain).unwrap());
    }
    assert_eq!(bytes.len(), 10);
    // Where ten differ in nearly every byte, it is chance.
    for place in 0..15 {
        let found: std::collections::BTreeSet<u8> = bytes.iter().map(|code| code[place]).collect();
        assert!(found.len() > 5, "{place}: {found:?}");
    }
    let store = server.shop.store().await;
    let backend = store.reader().get_database_backend();
    let statement = Statement::from_string(backend, "SELECT hash FROM recovery_codes");
    let rows = store.reader().query_all_raw(statement).await.unwrap();
    let kept: Vec<String> = rows
        .iter()
        .map(|row| row.try_get("", "hash").unwrap())
        .collect();
    assert_eq!(kept.len(), 10);
    for hash in &kept {
        assert!(hash.len() == 64, "{hash}");
        let is_a_code = |code: &String| hash.contains(&code.replace('-', ""));
        assert!(!codes.iter().any(is_a_code), "{hash}");
    }
}

#[tokio::test]
async fn turning_the_second_factor_on_or_off_ends_every_other_session() {
    let server = Server::start().await;
    let here = server.hire(ANN, "Owner").await;
    let there = server.sign_in(ANN).await;
    let (_, codes) = turn_on(&here).await;
    there.refresh().await.ended("second-factor-changed");

    let there = Desk::new(&server, sign_in(&server, json!(codes[0])).await);
    there.get("/api/auth/me").await.good();
    let end = json!({ "password": PASSWORD, "code": codes[1] });
    here.post("/api/auth/two-factor/end", end).await.good();
    there.refresh().await.ended("second-factor-changed");
    there.get("/api/auth/me").await.refused(401, "unauthorized");
    here.get("/api/auth/me").await.good();
}

/// How many codes may be tried besides on a machine that took so long over those before; one comes after so many seconds.
fn given_back(since: Instant, seconds: u64) -> usize {
    usize::try_from(since.elapsed().as_secs() / seconds).unwrap()
}

/// With a wrong code, until it is not looked at any more.
async fn guess_codes(server: &Server, browser: &Browser) -> usize {
    for guesses in 0..1_000 {
        let body = json!({ "email": OWNER, "password": PASSWORD, "code": "12345x" });
        let guessed = browser.post(server, "/api/auth/sign-in", body).await;
        if guessed.status == 429 {
            return guesses;
        }
        guessed.refused(401, "wrong-code");
    }
    panic!("nobody stops them");
}

#[tokio::test]
async fn devices_that_were_known_before_the_second_factor_give_no_codes_of_their_own() {
    let server = Server::behind_a_proxy(&[]).await;
    server.shop.add_user(OWNER, "Owner").await;
    let mut thieves = Vec::new();
    for number in 0..12 {
        let mut thief = Browser::at(format!("203.0.113.{number}"));
        thief.sign_in(&server).await;
        thieves.push(thief);
    }
    turn_on(&server.sign_in(OWNER).await).await;
    let since = Instant::now();
    let mut guesses = 0;
    for thief in &thieves {
        guesses += guess_codes(&server, thief).await;
    }
    let most = 5 + given_back(since, 60);
    assert!((5..=most).contains(&guesses), "{guesses}");
}

#[tokio::test]
async fn all_known_devices_together_have_fifteen_codes_that_strangers_cannot_use_up() {
    let server = Server::behind_a_proxy(&[]).await;
    server.shop.add_user(OWNER, "Owner").await;
    let (_, codes) = turn_on(&server.sign_in(OWNER).await).await;
    let mut devices = Vec::new();
    for code in &codes[..5] {
        let browser = Browser::at("198.51.100.7");
        let body = json!({ "email": OWNER, "password": PASSWORD, "code": code });
        let signed_in = browser.post(&server, "/api/auth/sign-in", body).await;
        devices.push(browser.with_device_of(&signed_in));
    }
    let since = Instant::now();
    let guesses = guess_codes(&server, &Browser::at("203.0.113.1")).await;
    let most = 5 + given_back(since, 60);
    assert!((5..=most).contains(&guesses), "{guesses}");
    let since = Instant::now();
    let mut guesses = 0;
    for device in &devices {
        guesses += guess_codes(&server, device).await;
    }
    let most = 15 + given_back(since, 20);
    assert!((15..=most).contains(&guesses), "{guesses}");
}

#[tokio::test]
async fn strangers_who_guess_codes_do_not_keep_the_holder_from_their_second_factor() {
    let server = Server::start().await;
    let ann = server.hire(ANN, "Owner").await;
    let (_, codes) = turn_on(&ann).await;
    while sign_in(&server, json!("12345x")).await.status != 429 {}
    let end = json!({ "password": PASSWORD, "code": codes[0] });
    ann.post("/api/auth/two-factor/end", end).await.good();
    turn_on(&ann).await;
}

#[tokio::test]
async fn a_sign_in_during_the_second_factors_setup_needs_its_code() {
    let server = Server::start().await;
    let ann = server.hire(ANN, "Owner").await;
    let is_on = std::cell::Cell::new(false);
    let sign_ins = async {
        let mut tokens = Vec::new();
        while !is_on.get() {
            let together = (0..4).map(|_| sign_in(&server, Value::Null));
            let answers = futures_util::future::join_all(together).await;
            tokens.extend(answers.into_iter().filter(|answer| answer.status == 200));
        }
        tokens
    };
    let (tokens, ()) = futures_util::join!(sign_ins, async {
        turn_on(&ann).await;
        is_on.set(true);
    });
    for signed_in in tokens {
        let other = Desk::new(&server, signed_in);
        other.get("/api/auth/me").await.refused(401, "unauthorized");
    }
    ann.get("/api/auth/me").await.good();
}

#[tokio::test]
async fn a_second_factor_is_neither_begun_nor_ended_without_the_password() {
    let server = Server::start().await;
    let ann = server.hire(ANN, "Owner").await;
    for password in ["", "wrong"] {
        let begin = json!({ "password": password });
        let refused = ann.post("/api/auth/two-factor/begin", begin).await;
        refused.refused(400, "wrong-password");
    }
    let (_, codes) = turn_on(&ann).await;
    let end = json!({ "password": "wrong", "code": codes[0] });
    let refused = ann.post("/api/auth/two-factor/end", end).await;
    refused.refused(400, "wrong-password");
    let state = ann.get("/api/auth/two-factor").await.result();
    assert_eq!(state, json!({ "enabled": true, "recoveryCodesLeft": 10 }));
}
