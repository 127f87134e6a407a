//! Ten thousand passwords guessed: at one account, and at many.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;

use futures_util::{StreamExt, stream};
use reqwest::Client;
use serde_json::json;

use crate::fixture::{PASSWORD, Server, http};

const GUESSES: usize = 10_000;

/// A client at another address of this machine.
fn at(last: u8) -> Client {
    // Sets the TLS provider up.
    drop(http());
    Client::builder()
        .no_proxy()
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
async fn ten_thousand_guesses_at_one_account_get_nowhere_and_its_holder_still_signs_in() {
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
        while guess(&server, client, email(), "a wrong password")
            .await
            .status
            != 429
        {}
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
