//! Two servers on one database whose clocks differ by five minutes: one is set forward, or back.

use std::path::PathBuf;

use dispatch_actors::testing::Throwaway;
use reqwest::Method;
use serde_json::{Value, json};

use super::{catches_up, complaints, hears, readiness};
use crate::clocks::{ANN, a_shop, entries, say, start, technician};
use crate::fixture::{Client, Desk, Ledger, OWNER, Server, Shop, Socket, answer};

const FIVE_MINUTES: i64 = 300;

/// Debian's library of that name: time of day for one program, while timeouts stay as they are.
fn libfaketime() -> String {
    let folders = std::fs::read_dir("/usr/lib").unwrap();
    let folders = folders.map(|folder| folder.unwrap().path());
    let library = |folder: PathBuf| folder.join("faketime/libfaketime.so.1");
    let mut libraries = folders.map(library);
    let found = libraries.find(|library| library.exists());
    let found = found.expect("libfaketime is there: run `make tools`");
    found.display().to_string()
}

/// A shop whose commands have a clock that many seconds ahead of the tests'.
fn with_clock_ahead(mut shop: Shop, seconds: i64) -> Shop {
    // The tests may run at another hour themselves.
    let shifted = std::env::var("FAKETIME").ok();
    let shifted = shifted.and_then(|shift| shift.trim_end_matches('s').parse::<i64>().ok());
    let ahead = format!("{:+}s", shifted.unwrap_or(0) + seconds);
    shop.environment.extend([
        ("LD_PRELOAD", libfaketime()),
        ("FAKETIME", ahead),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
    ]);
    shop
}

struct Apart {
    right: Server,
    wrong: Server,
    owner: Desk,
}

impl Apart {
    async fn open(seconds: i64) -> Self {
        let database = Throwaway::postgres().await;
        let (right, owner) = a_shop(Shop::on(&database)).await;
        let shop = with_clock_ahead(Shop::on(&database), seconds);
        let wrong = Server::start_in(shop, &[]).await;
        Self {
            right,
            wrong,
            owner,
        }
    }

    fn servers(&self) -> [&Server; 2] {
        [&self.right, &self.wrong]
    }
}

/// As behind a proxy, where the cookie that one server set comes to the other.
async fn refresh_by_one_name(server: &Server, desk: &Desk, name: &Server) {
    let request = server.request(Method::POST, "/api/auth/refresh");
    let request = request.header("Host", name.address.to_string());
    answer(request.header("Cookie", &desk.cookie)).await.good();
}

/// Whoever signs in at one is let in by the other, and goes on there without missing anything.
async fn people_move_between_them(seconds: i64) {
    let apart = Apart::open(seconds).await;
    let mut ledger = Ledger::default();
    for [here, there] in [[0, 1], [1, 0]].map(|ways| ways.map(|server| apart.servers()[server])) {
        let owner = here.sign_in(OWNER).await;
        let elsewhere = Desk::at(there, &owner);
        refresh_by_one_name(there, &owner, here).await;
        let mut socket = owner.listen(there).await;
        for number in [71, 72, 73] {
            for desk in [&owner, &elsewhere] {
                let changed = ledger.change(desk, number).await.result();
                hears(&mut socket, &changed[0]["seq"]).await;
            }
        }
        catches_up(&owner, &ledger).await;
        let Client { pid, offset, .. } = Client::join(here, &owner).await;
        let missed = ledger.change(&owner, 71).await.result()[0]["seq"].clone();
        catches_up(&elsewhere, &ledger).await;
        let missed = missed.as_i64().unwrap();
        let mut back = Socket::resume(there, &owner, &pid, &offset).await;
        back.hears_what_was_missed(missed, missed).await;
    }
    for server in apart.servers() {
        let desk = Desk::at(server, &apart.owner);
        catches_up(&desk, &ledger).await;
        ledger.is_kept(&desk).await;
        assert_eq!(readiness(server).await, 200);
        assert_eq!(complaints(server), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_server_whose_clock_is_five_minutes_fast_serves_the_same_people() {
    people_move_between_them(FIVE_MINUTES).await;
}

#[tokio::test]
async fn a_server_whose_clock_is_five_minutes_slow_serves_the_same_people() {
    people_move_between_them(-FIVE_MINUTES).await;
}

/// A clock that was started at one server is stopped at the other, and no time is less than nothing.
async fn a_job_is_clocked_at_both(seconds: i64) {
    let apart = Apart::open(seconds).await;
    let here = technician(&apart.right, "ann@example.com", ANN).await;
    let there = Desk::at(&apart.wrong, &here);
    for (from, to) in [(&there, &here), (&here, &there)] {
        start(from, 71, 1).await;
        say(to, "clock-out").await;
    }
    let receipt = format!("/api/technicians/{ANN}/assignments/71/receipt");
    let accepted = there.post(&receipt, json!({ "stage": "accepted" })).await;
    assert!(accepted.result()["acceptedAt"].is_string());
    let entries = entries(&here).await;
    assert!(!entries.is_empty());
    for entry in entries {
        let time = |name: &str| entry[name].as_str().map(str::to_owned);
        let (from, to) = (time("startedAt"), time("endedAt"));
        assert!(from.is_some() && to >= from, "{entry}");
    }
    let clock: Value = here.get(&crate::clocks::clock_of(ANN)).await.result();
    assert!(clock["running"].is_null(), "{clock}");
}

#[tokio::test]
async fn a_job_clock_survives_a_server_that_is_five_minutes_fast() {
    a_job_is_clocked_at_both(FIVE_MINUTES).await;
}

#[tokio::test]
async fn a_job_clock_survives_a_server_that_is_five_minutes_slow() {
    a_job_is_clocked_at_both(-FIVE_MINUTES).await;
}
