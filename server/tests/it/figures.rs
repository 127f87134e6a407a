//! The desk's figures: true values of the event log, and none where there is nothing to count.

use std::time::Duration;

use dispatch_actors::testing::Throwaway;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::fixture::{Desk, Server, Shop, WAIT_TIMEOUT};

const FIGURES: &str = "/api/repair-orders/figures";
const MINUTE: i64 = 60_000;

async fn figures(desk: &Desk) -> Value {
    desk.get(FIGURES).await.result()
}

/// Figures may be some seconds old: waits until they are true for that event.
pub async fn figures_after(desk: &Desk, seq: i64) -> Value {
    let patience = Instant::now() + WAIT_TIMEOUT;
    loop {
        let mut answer = desk.get(FIGURES).await.good();
        if answer["seq"].as_i64().unwrap() >= seq {
            return answer["result"].take();
        }
        assert!(
            Instant::now() < patience,
            "{answer}, and event {seq} is older"
        );
        sleep(Duration::from_millis(100)).await;
    }
}

async fn close(desk: &Desk, number: i64) {
    let path = format!("/api/repair-orders/{number}/close");
    desk.post(&path, json!({})).await.good();
}

/// Minutes that lie between `from` and a moment of this test.
#[track_caller]
fn assert_took(figure: &Value, from: i64) {
    let took = figure["value"].as_i64().unwrap();
    assert!(
        (from * MINUTE..(from + 5) * MINUTE).contains(&took),
        "{took}"
    );
}

async fn the_figures_follow_the_log(shop: Shop) {
    shop.hire_technicians().await;
    let server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let opened = |minutes: i64| (Timestamp::now() - SignedDuration::from_mins(minutes)).to_string();
    let order = |number: i64, status: &str, minutes: i64| {
        json!({
            "repairOrderNumber": number,
            "customer": "Ann",
            "customerStatus": status,
            "createDateTime": opened(minutes),
            "jobs": [{ "jobNumber": 1, "operations": [{ "operationCode": "RECON" }] }],
        })
    };
    let mut closed_order = order(70, "Waiting", 50 * 24 * 60);
    closed_order["closedDateTime"] = json!(opened(45 * 24 * 60));
    let orders = json!([
        order(71, "Waiting", 90),
        order(72, "Used", 600),
        order(73, "Used", 30),
        closed_order
    ]);
    server.shop.import(&orders).await;

    close(&owner, 71).await;
    owner.assign(72, 11).await.good();
    // Twenty minutes by one technician's clock, of which another's shares ten and adds five.
    let entries = |technician: i64| format!("/api/technicians/{technician}/clock/entries");
    for (technician, from, to) in [(11, 30, 10), (22, 20, 5)] {
        let body = json!({
            "startedAt": opened(from),
            "endedAt": opened(to),
            "roNumber": 72,
            "jobNumber": 1,
            "reason": "Paper card",
        });
        owner.post(&entries(technician), body).await.good();
    }
    close(&owner, 72).await;
    close(&owner, 73).await;
    let seq = owner.seq().await;
    let result = figures_after(&owner, seq).await;
    assert_eq!(result["completedToday"]["value"], 3);
    assert_took(&result["averageWaitMs"], 90);
    assert_eq!(result["averageWaitMs"]["yesterday"], Value::Null);
    let used_cars = &result["used"];
    assert_eq!(used_cars["completed"]["value"], 2);
    // Nobody had 73, so it is in none of these.
    assert_took(&used_cars["averageBeforeServiceMs"], 600);
    assert_took(&used_cars["averageInServiceMs"], 0);
    assert_took(&used_cars["averageWithTechnicianMs"], 25);

    let undone = owner.post("/api/repair-orders/71/undo", json!({})).await;
    undone.good();
    let result = figures_after(&owner, owner.seq().await).await;
    assert_eq!(result["completedToday"]["value"], 2);
    assert_eq!(
        result["averageWaitMs"],
        json!({ "value": null, "yesterday": null })
    );
}

#[tokio::test]
async fn figures_follow_closings_and_their_undos() {
    the_figures_follow_the_log(Shop::new().at_noon()).await;
}

#[tokio::test]
async fn figures_follow_closings_and_their_undos_on_postgres() {
    let database = Throwaway::postgres().await;
    the_figures_follow_the_log(Shop::on(&database).at_noon()).await;
}

#[tokio::test]
async fn a_shop_that_closed_nothing_has_counts_and_no_averages() {
    let (_server, owner) = Server::with_owner().await;
    let result = figures(&owner).await;
    assert_eq!(
        result["completedToday"],
        json!({ "value": 0, "yesterday": 0 })
    );
    let nothing = json!({ "value": null, "yesterday": null });
    assert_eq!(result["averageWaitMs"], nothing);
    assert_eq!(result["used"]["completed"]["value"], 0);
    for average in [
        "averageBeforeServiceMs",
        "averageInServiceMs",
        "averageWithTechnicianMs",
    ] {
        assert_eq!(result["used"][average], nothing, "{average}");
    }
}

#[tokio::test]
async fn a_signed_out_caller_gets_no_figures() {
    let server = Server::start().await;
    server.get(FIGURES).await.refused(401, "unauthorized");
}

#[tokio::test]
async fn the_demos_past_is_in_its_figures_and_in_its_history() {
    let server = Server::demo().await;
    let desk = server.sign_in("advisor@example.com").await;
    let figures = figures(&desk).await;
    let yesterday = &figures["averageWaitMs"]["yesterday"];
    let minutes = yesterday.as_i64().unwrap() / MINUTE;
    assert!((60..150).contains(&minutes), "{figures}");

    let first = desk.list().await["result"][0]["repairOrderNumber"].as_i64();
    let newest_closed = first.unwrap() - 1;
    let path = format!("/api/repair-orders/{newest_closed}");
    desk.get(&path).await.good();
    let history = desk.get(&format!("{path}/history")).await.result();
    let entries = history.as_array().unwrap();
    assert_eq!(entries[0]["action"], "CLOSED");
    assert_eq!(entries.last().unwrap()["action"], "CREATED");
    let times: Vec<&str> = entries
        .iter()
        .map(|entry| entry["at"].as_str().unwrap())
        .collect();
    assert!(
        times.is_sorted_by(|newer, older| newer >= older),
        "{times:?}"
    );
    assert!(times[0] < Timestamp::now().to_string().as_str());
}
