//! Whoever guesses has as many tries as one server gives, at whichever server they guess.

use dispatch_actors::testing::Throwaway;
use reqwest::Method;
use serde_json::json;
use tokio::time::{Duration, sleep};

use super::two_servers;
use crate::fixture::{Answer, Browser, Desk, OWNER, PASSWORD, Server, Shop, answer};

/// Two servers on one database that trust the proxy on this machine to say where somebody is.
async fn two_behind_a_proxy() -> (Throwaway, Server, Server) {
    let database = Throwaway::postgres().await;
    let options = ["--trusted-proxy", "127.0.0.1"];
    let first = Server::start_in(Shop::on(&database), &options).await;
    first.shop.add_user(OWNER, "Owner").await;
    let second = Server::start_in(Shop::on(&database), &options).await;
    (database, first, second)
}

async fn use_up(ask: impl AsyncFn() -> Answer) {
    while ask().await.status != 429 {}
}

/// That a server of which fewer than its `limit` tries were asked refuses more: others were asked of another server,
/// and it has heard of them.
async fn refuses_before(limit: u32, ask: impl AsyncFn() -> Answer) {
    // On a busy machine it hears of them late. Most tries are kept until then: some are given back while it is waited for.
    let early = (limit / 3).min(3);
    for number in 0..limit {
        if number < early {
            sleep(Duration::from_millis(250) * 5_u32.pow(number)).await;
        } else if number == early {
            sleep(Duration::from_secs(20)).await;
        }
        if ask().await.status == 429 {
            return;
        }
    }
    panic!("{limit} tries more than one server gives");
}

#[tokio::test]
async fn a_guesser_who_goes_from_server_to_server_has_the_tries_of_one() {
    let (_database, first, second) = two_behind_a_proxy().await;
    let guesser = Browser::at("203.0.113.7");
    let guess = async |server| {
        let email = "nobody@example.com";
        guesser
            .try_password(server, email, "a wrong password")
            .await
    };
    use_up(async || guess(&first).await).await;
    refuses_before(10, async || guess(&second).await).await;
    // Others sign in at either.
    let owner = Browser::at("198.51.100.7");
    for server in [&first, &second] {
        owner.try_password(server, OWNER, PASSWORD).await.good();
    }
}

#[tokio::test]
async fn right_passwords_are_given_back_at_both_servers() {
    let (_database, first, second) = two_behind_a_proxy().await;
    // More than an account has from one network.
    let people = Browser::at("203.0.113.7");
    for _ in 0..15 {
        for server in [&first, &second] {
            people.try_password(server, OWNER, PASSWORD).await.good();
        }
    }
}

#[tokio::test]
async fn mails_that_strangers_and_known_devices_ask_for_are_counted_at_all_servers() {
    let (_database, first, second) = two_behind_a_proxy().await;
    let ask = async |browser: &Browser, server| {
        let body = json!({ "email": OWNER });
        browser.post(server, "/api/auth/password-reset", body).await
    };
    let stranger = Browser::at("203.0.113.7");
    use_up(async || ask(&stranger, &first).await).await;
    refuses_before(3, async || ask(&stranger, &second).await).await;

    let signed_in = stranger.try_password(&first, OWNER, PASSWORD).await;
    let mut known = stranger.with_device_of(&signed_in);
    // At whichever port.
    let (_, value) = known.cookies.split_once('=').unwrap();
    known.cookies = format!("dispatch_device={value}");
    use_up(async || ask(&known, &first).await).await;
    refuses_before(3, async || ask(&known, &second).await).await;
}

#[tokio::test]
async fn second_factors_are_guessed_at_all_servers_together() {
    let (_database, _first, second, owner) = two_servers().await;
    let there = Desk::at(&second, &owner);
    let password = json!({ "password": PASSWORD });
    let begun = owner.post("/api/auth/two-factor/begin", password).await;
    begun.good();
    let guess = async |desk: &Desk| {
        let wrong = json!({ "code": "000000" });
        desk.post("/api/auth/two-factor/confirm", wrong).await
    };
    use_up(async || guess(&owner).await).await;
    refuses_before(5, async || guess(&there).await).await;
}

#[tokio::test]
async fn codes_of_screens_are_guessed_at_all_servers_together() {
    let (_database, _first, second, owner) = two_servers().await;
    let there = Desk::at(&second, &owner);
    let guess = async |desk: &Desk| {
        let wrong = json!({ "code": "AAA-AAA" });
        desk.post("/api/boards/pairings/claim", wrong).await
    };
    use_up(async || guess(&owner).await).await;
    refuses_before(10, async || guess(&there).await).await;
}

#[tokio::test]
async fn wrong_intake_keys_are_counted_at_all_servers() {
    let (_database, first, second, _owner) = two_servers().await;
    let try_key = async |server: &Server| {
        let request = server.request(Method::POST, "/api/intake/repair-orders");
        answer(request.bearer_auth("dk_wrong").json(&json!([]))).await
    };
    use_up(async || try_key(&first).await).await;
    refuses_before(30, async || try_key(&second).await).await;
}
