//! Ten thousand passwords guessed: at one account, and at many. And that a guesser does not keep
//! others out.

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use reqwest::Client;
use serde_json::json;
use tokio::time::sleep;

use crate::fixture::{Browser, Desk, OWNER, PASSWORD, Server, http};
use crate::two_factor::reset_token;

const GUESSES: usize = 10_000;

/// A client at another address of this machine.
fn at(last: u8) -> Client {
    // Sets the TLS provider up.
    drop(http());
    Client::builder()
        .no_proxy()
        .tls_certs_only([])
        .local_address(IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)))
        .build()
        .unwrap()
}

struct Guess {
    status: u16,
    /// Seconds.
    wait: Option<u64>,
}

async fn guess(server: &Server, client: &Client, email: String, password: &str) -> Guess {
    let answer = client
        .post(server.url("/api/auth/sign-in"))
        .json(&json!({ "email": email, "password": password }))
        .send()
        .await
        .unwrap();
    let status = answer.status().as_u16();
    let wait = answer.headers().get("retry-after");
    let wait = wait.map(|wait| wait.to_str().unwrap().parse().unwrap());
    let body: serde_json::Value = answer.json().await.unwrap();
    let code = match status {
        200 => serde_json::Value::Null,
        401 => json!("wrong-password"),
        _ => json!("too-many-requests"),
    };
    assert_eq!(body["code"], code, "{status} {body}");
    Guess { status, wait }
}

/// How many guesses a network has got besides on a machine that took so long over those before.
fn given_back(since: Instant) -> usize {
    since.elapsed().as_secs() as usize / 6
}

/// Guesses until the limit refuses, and then once more as soon as it allows. So the next guess is free six seconds
/// later, and not just before the test's next attempt.
async fn use_up(guess: impl AsyncFn() -> u16) {
    while guess().await != 429 {}
    while guess().await == 429 {
        sleep(Duration::from_millis(50)).await;
    }
}

/// How many were let through to the password, and the longest wait that was asked for.
async fn guess_often(
    server: &Server,
    client: &Client,
    email: impl Fn(usize) -> String,
) -> (usize, u64) {
    let guesses = stream::iter(0..GUESSES)
        .map(|number| {
            let email = email(number);
            async move { guess(server, client, email, "a wrong password").await }
        })
        .buffer_unordered(8);
    let guesses: Vec<Guess> = guesses.collect().await;
    assert!(
        guesses
            .iter()
            .all(|guess| [401, 429].contains(&guess.status))
    );
    let refused = guesses.iter().filter(|guess| guess.status == 429);
    let waits = refused.map(|guess| guess.wait.expect("429 says how long to wait"));
    let longest = waits.max().unwrap_or_default();
    let through = guesses.iter().filter(|guess| guess.status == 401).count();
    (through, longest)
}

#[tokio::test]
async fn ten_thousand_guesses_at_one_account_fail_and_its_holder_still_signs_in() {
    let server = Server::start().await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let since = Instant::now();
    let email = || "owner@example.com".to_owned();
    let guesser = at(66);
    let (through, longest) = guess_often(&server, &guesser, |_| email()).await;
    let minutes = since.elapsed().as_secs() as usize / 60 + 1;
    assert!(through <= 10 + 10 * minutes, "{through} in {minutes} min");
    assert!(longest >= 1, "{longest}");
    // Even the right one is not looked at, from there and from elsewhere.
    for client in [&guesser, &at(67)] {
        use_up(async || {
            guess(&server, client, email(), "a wrong password")
                .await
                .status
        })
        .await;
        let right = guess(&server, client, email(), PASSWORD).await;
        assert_eq!(right.status, 429);
    }
    // Where the holder is signed in, they can: in another browser, too.
    server.sign_in("owner@example.com").await;
    owner.get("/api/auth/me").await.good();
    owner.refresh().await.good();
}

#[tokio::test]
async fn ten_thousand_guesses_over_many_accounts_are_stopped_and_leave_nothing_behind() {
    let server = Server::start().await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let before = server.memory();
    let since = Instant::now();
    let long = "x".repeat(200);
    let email = |number| format!("{long}{number}@example.com");
    let (through, _) = guess_often(&server, &at(68), email).await;
    let seconds = since.elapsed().as_secs() as usize + 1;
    assert!(through <= 100 + 2 * seconds, "{through} in {seconds} s");
    let grown = server.memory().saturating_sub(before) / 1_000_000;
    // Two passwords at a time are hashed, with 19 MiB each.
    assert!(grown < 80, "{grown} MB");
    server.sign_in("owner@example.com").await;
    owner.get("/api/auth/me").await.good();
}

/// Networks of an attacker, far from the shop.
fn botnet(count: u8) -> impl Iterator<Item = Browser> {
    let one = Browser::at("203.0.113.0");
    (0..count).map(move |number| one.at_address(&format!("203.0.113.{number}")))
}

#[tokio::test]
async fn a_stranger_who_keeps_guessing_does_not_lock_others_out() {
    let server = Server::behind_a_proxy(&[]).await;
    server.shop.add_user(OWNER, "Owner").await;
    let stranger = Browser::at("203.0.113.66");
    let since = Instant::now();
    let guesses = stranger.guess_until_refused(&server).await;
    let most = 30 + given_back(since);
    assert!((10..most).contains(&guesses), "{guesses}");
    for _ in 0..18 {
        let guessed = stranger.try_password(&server, OWNER, "a wrong password");
        assert!([401, 429].contains(&guessed.await.status));
        // Somewhere else, and never there before.
        let owner = Browser::at("198.51.100.7");
        owner.try_password(&server, OWNER, PASSWORD).await.good();
    }
}

#[tokio::test]
async fn many_networks_that_guess_are_stopped_and_a_known_device_and_a_known_network_are_not() {
    let server = Server::behind_a_proxy(&[]).await;
    server.shop.add_user(OWNER, "Owner").await;
    let mut owner = Browser::at("198.51.100.7");
    owner.sign_in(&server).await;
    let since = Instant::now();
    let mut through = 0;
    for _ in 0..5 {
        for bot in botnet(60) {
            let guessed = bot.try_password(&server, OWNER, "a wrong password").await;
            through += usize::from(guessed.status == 401);
        }
    }
    let minutes = since.elapsed().as_secs() as usize / 60 + 1;
    assert!(through <= 50 + 10 * minutes, "{through} in {minutes} min");
    // A person on an unknown device and network waits until that is over.
    let newcomer = Browser::at("192.0.2.1");
    use_up(async || {
        newcomer
            .try_password(&server, OWNER, "a wrong password")
            .await
            .status
    })
    .await;
    let refused = newcomer.try_password(&server, OWNER, PASSWORD).await;
    refused.refused(429, "too-many-requests");
    for _ in 0..3 {
        let network = Browser::at("198.51.100.7");
        network.try_password(&server, OWNER, PASSWORD).await.good();
        let device = owner.at_address("192.0.2.2");
        device.try_password(&server, OWNER, PASSWORD).await.good();
    }
    // The device stays known when nobody is signed in on it.
    owner
        .post(&server, "/api/auth/sign-out", json!({}))
        .await
        .good();
    let device = owner.at_address("192.0.2.3");
    device.try_password(&server, OWNER, PASSWORD).await.good();
}

#[tokio::test]
async fn a_reset_link_lets_its_holder_in_from_anywhere_while_strangers_guess() {
    let server = Server::behind_a_proxy(&[]).await;
    server.shop.add_user(OWNER, "Owner").await;
    for bot in botnet(60) {
        bot.try_password(&server, OWNER, "a wrong password").await;
    }
    let holder = Browser::at("192.0.2.1");
    while holder.try_password(&server, OWNER, "wrong").await.status != 429 {}
    let ask = json!({ "email": OWNER });
    let reset_answer = holder.post(&server, "/api/auth/password-reset", ask).await;
    reset_answer.good();
    let new = json!({ "token": reset_token(&server).await, "newPassword": PASSWORD });
    let set = holder.post(&server, "/api/auth/password-reset/confirm", new);
    let holder = holder.with_device_of(&set.await);
    holder.try_password(&server, OWNER, PASSWORD).await.good();
}

#[tokio::test]
async fn a_stolen_device_cookie_gives_guesses_of_its_own_and_nothing_more() {
    let server = Server::behind_a_proxy(&[]).await;
    server.shop.add_user(OWNER, "Owner").await;
    server.shop.add_user("ann@example.com", "Admin").await;
    let (mut here, mut there) = (Browser::at("198.51.100.7"), Browser::at("198.51.100.8"));
    here.sign_in(&server).await;
    there.sign_in(&server).await;
    let (device, _) = here.cookies.split_once("; ").unwrap();
    let mut thief = Browser::at("203.0.113.66");
    thief.cookies = device.to_owned();
    for path in ["/api/auth/refresh", "/api/auth/sign-out-everywhere"] {
        thief
            .post(&server, path, json!({}))
            .await
            .refused(401, "unauthorized");
    }
    // Its own, and those of the thief's network.
    let since = Instant::now();
    let guesses = thief.guess_until_refused(&server).await;
    let most = 40 + 2 * given_back(since);
    assert!((20..most).contains(&guesses), "{guesses}");
    let sign_in = there.try_password(&server, OWNER, PASSWORD).await;
    sign_in.good();
    // It is a known device for no other account.
    for bot in botnet(60) {
        bot.try_password(&server, "ann@example.com", "a wrong password")
            .await;
    }
    thief.address = "192.0.2.1".to_owned();
    while thief
        .try_password(&server, "ann@example.com", "wrong")
        .await
        .status
        != 429
    {}
    // Another password makes strangers of all devices but the one it is changed on.
    let mut owner = Desk::new(&server, there.try_password(&server, OWNER, PASSWORD).await);
    let passwords = json!({ "currentPassword": PASSWORD, "newPassword": "another long password" });
    owner.cookie = there.cookies.clone();
    owner.post("/api/auth/password", passwords).await.good();
    thief.address = "203.0.113.67".to_owned();
    let since = Instant::now();
    let guesses = thief.guess_until_refused(&server).await;
    let most = 20 + given_back(since);
    assert!(guesses < most, "{guesses}");
}

#[tokio::test]
async fn a_flood_from_one_ipv6_48_does_not_lock_others_out() {
    let server = Server::behind_a_proxy(&[]).await;
    server.shop.add_user(OWNER, "Owner").await;
    let flooder = Browser::at("2001:db8:1::1");
    let flood = stream::iter(0..2_000_u16).map(|network| {
        let browser = flooder.at_address(&format!("2001:db8:1:{network:x}::1"));
        let server = &server;
        async move {
            // At the owner, and at invented accounts.
            let email = match network % 2 {
                0 => OWNER.to_owned(),
                _ => format!("{network}@example.com"),
            };
            let guessed = browser
                .try_password(server, &email, "a wrong password")
                .await;
            usize::from(guessed.status == 401)
        }
    });
    let through: Vec<usize> = flood.buffer_unordered(16).collect().await;
    let through: usize = through.into_iter().sum();
    assert!((20..1_500).contains(&through), "{through}");
    for address in ["2001:db8:2::1", "198.51.100.7"] {
        let elsewhere = Browser::at(address);
        elsewhere
            .try_password(&server, OWNER, PASSWORD)
            .await
            .good();
    }
}

#[tokio::test]
async fn an_impossible_email_or_password_is_not_counted() {
    let server = Server::behind_a_proxy(&[]).await;
    server.shop.add_user(OWNER, "Owner").await;
    let browser = Browser::at("203.0.113.66");
    let over_long = "x".repeat(1_001);
    for number in 0..150 {
        let (email, password) = match number % 3 {
            0 => (OWNER, over_long.as_str()),
            1 => ("nobody@example.com", over_long.as_str()),
            _ => ("no email", "a wrong password"),
        };
        let refused = browser.try_password(&server, email, password).await;
        refused.refused(401, "wrong-password");
    }
    browser.try_password(&server, OWNER, PASSWORD).await.good();
}
