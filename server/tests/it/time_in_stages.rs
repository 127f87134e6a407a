//! Where the shop's cars waited: hours by day, stage, technician and advisor, as the log has them.

use std::collections::BTreeMap;

use dispatch_actors::repair_order::{Change, RoNumber};
use dispatch_actors::store::{DatabaseUrl, Store};
use dispatch_actors::testing::Throwaway;
use jiff::Timestamp;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::time::{Duration, sleep, timeout};

use crate::clocks::{ANN, a_shop, day};
use crate::crash::settle;
use crate::fixture::{Desk, Shop, WAIT_TIMEOUT};
use crate::stages::{becomes, set, turn};

const HOUR: i64 = 3_600_000;
const TOTALS: &str = "/api/stages/totals";

async fn totals(desk: &Desk, from: &str, to: &str) -> Value {
    let path = format!("{TOTALS}?from={from}&to={to}");
    desk.get(&path).await.result()
}

async fn close(desk: &Desk, number: i64) {
    let path = format!("/api/repair-orders/{number}/close");
    desk.post(&path, json!({})).await.good();
}

/// Until the server is gone.
async fn move_again_and_again(desk: &Desk, number: i64) {
    for round in 0.. {
        let stage = ["in-work", "wash"][round % 2];
        let moved = desk
            .request(
                reqwest::Method::POST,
                &format!("/api/repair-orders/{number}/stage"),
            )
            .json(&json!({ "stage": stage }))
            .send()
            .await;
        if moved.is_err() {
            return;
        }
    }
}

/// Milliseconds by stage; empty for what is not known.
fn by_stage(entries: &Value) -> BTreeMap<String, i64> {
    let entries = entries.as_array().unwrap().iter();
    let stage = |entry: &Value| entry["stage"].as_str().unwrap_or_default().to_owned();
    entries
        .map(|entry| (stage(entry), entry["totalMs"].as_i64().unwrap()))
        .collect()
}

/// The same of the strips of these orders.
async fn by_strips(desk: &Desk, numbers: &[i64]) -> BTreeMap<String, i64> {
    let mut found = BTreeMap::new();
    for number in numbers {
        let path = format!("/api/repair-orders/{number}/stages");
        let strip = desk.get(&path).await.result();
        for span in strip["spans"].as_array().unwrap() {
            let at = |field: &str| span[field].as_str().unwrap().parse::<Timestamp>().unwrap();
            let stage = span["stage"].as_str().unwrap_or_default().to_owned();
            *found.entry(stage).or_default() +=
                at("to").as_millisecond() - at("from").as_millisecond();
        }
    }
    found
}

fn sum(group: &Value) -> i64 {
    let entries = group.as_array().unwrap().iter();
    entries
        .map(|entry| entry["totalMs"].as_i64().unwrap())
        .sum()
}

async fn open(shop: &Shop, database: Option<&Throwaway>) -> Store {
    match database {
        Some(database) => database.store().await,
        None => {
            let path = shop.data_dir().join("dispatch.sqlite");
            Store::open(&DatabaseUrl::Sqlite(path)).await.unwrap()
        }
    }
}

async fn execute(store: &Store, sql: &str) {
    store.writer().execute_unprepared(sql).await.unwrap();
}

/// In Chicago the 8th of March 2026 had 23 hours: from 2 o'clock on it was 3.
const OPENED: &str = "2026-03-07T12:00:00-06:00";
const MOVED: [&str; 6] = [
    OPENED,
    "2026-03-07T20:00:00-06:00",
    "2026-03-08T01:00:00-06:00",
    "2026-03-09T06:00:00-05:00",
    "2026-03-09T10:00:00-05:00",
    "2026-03-09T14:00:00-05:00",
];

fn milliseconds(text: &str) -> i64 {
    text.parse::<Timestamp>().unwrap().as_millisecond()
}

/// Order 71 was opened, moved and closed then; everything else of it happened with the move before.
async fn put_around_the_short_day(store: &Store) {
    let number = RoNumber::try_from(71).unwrap();
    let mut moved = MOVED.into_iter();
    let mut at = milliseconds(OPENED);
    for event in store.events_from(number, 0).await.unwrap() {
        if let Change::StageChanged { .. } = event.change {
            at = milliseconds(moved.next().unwrap());
        }
        execute(
            store,
            &format!("UPDATE events SET at = {at} WHERE seq = {}", event.seq),
        )
        .await;
    }
    assert_eq!(moved.next(), None, "it moved so often");
    let sql = format!(
        "UPDATE repair_orders SET opened_at = {}, closed_at = {at} WHERE number = 71",
        milliseconds(OPENED)
    );
    execute(store, &sql).await;
}

fn hours_by_day(totals: &Value) -> BTreeMap<&str, Vec<f64>> {
    let stages = totals["stages"].as_array().unwrap().iter();
    stages
        .map(|stage| {
            let by_day = stage["byDayMs"].as_array().unwrap().iter();
            let hours = by_day.map(|ms| ms.as_i64().unwrap() as f64 / HOUR as f64);
            (stage["stage"].as_str().unwrap(), hours.collect())
        })
        .collect()
}

async fn totals_are_what_the_log_says(database: Option<&Throwaway>) {
    let shop = database.map_or_else(Shop::new, Shop::on);
    let (mut server, boss) = a_shop(shop).await;
    turn(&boss, true).await;
    becomes(&boss, 71, "dispatched").await;
    set(&boss, 71, "in-work").await.good();
    let hold = json!({ "reason": "parts" });
    let hold = boss.post("/api/repair-orders/71/holds", hold).await;
    hold.good();
    let end = "/api/repair-orders/71/holds/1/end";
    boss.post(end, json!({})).await.good();
    set(&boss, 71, "ready").await.good();
    close(&boss, 71).await;
    boss.assign(72, 14).await.good();

    // Killed while cars are moved.
    let events = boss.seq().await;
    let cut = async {
        while boss.seq().await < events + 20 {}
        server.sigkill().await;
    };
    tokio::join!(
        move_again_and_again(&boss, 72),
        move_again_and_again(&boss, 73),
        cut
    );
    let store = open(&server.shop, database).await;
    settle(&store).await;
    store.close().await;
    server.restart().await;

    // Open orders count up to now.
    let (from, to) = (day(-1), day(1));
    let now = totals(&boss, &from, &to).await;
    assert_eq!(
        (now["cars"].as_i64(), &now["knownFrom"]),
        (Some(3), &Value::Null)
    );
    assert_eq!(now["days"].as_array().unwrap().len(), 3);
    let stages = sum(&now["stages"]);
    assert_eq!(sum(&now["advisors"]), stages);
    assert!(sum(&now["technicians"]) > stages, "two have order 72");
    let technicians = now["technicians"].as_array().unwrap().iter();
    let technicians: Vec<(Option<i64>, Option<i64>)> = technicians
        .map(|one| (one["technicianId"].as_i64(), one["cars"].as_i64()))
        .collect();
    let expected = [(Some(ANN), 2), (Some(14), 1), (None, 3)];
    let expected = expected.map(|(technician, cars)| (technician, Some(cars)));
    assert_eq!(technicians, expected);

    // Nothing goes on any more, so that they stay what they are.
    close(&boss, 72).await;
    close(&boss, 73).await;
    let before = totals(&boss, &from, &to).await;
    assert_eq!(
        by_stage(&before["stages"]),
        by_strips(&boss, &[71, 72, 73]).await
    );
    server.sigkill().await;
    let store = open(&server.shop, database).await;
    settle(&store).await;
    server.restart().await;
    let mut after = totals(&boss, &from, &to).await;
    after["until"] = before["until"].clone();
    assert_eq!(after, before);

    put_around_the_short_day(&store).await;
    store.close().await;
    around_the_short_day(&boss).await;
}

async fn around_the_short_day(boss: &Desk) {
    let limit = json!({ "tooLongMinutes": 270 });
    boss.patch("/api/stages/in-work", limit).await.good();
    let short = totals(boss, "2026-03-07", "2026-03-09").await;
    assert_eq!(
        short["days"],
        json!(["2026-03-07", "2026-03-08", "2026-03-09"])
    );
    assert_eq!(short["until"], "2026-03-10T05:00:00Z");
    let expected = [
        ("dispatched", [8.0, 0.0, 0.0]),
        ("in-work", [4.0, 1.0, 4.0]),
        ("waiting-for-parts", [0.0, 22.0, 6.0]),
        ("ready", [0.0, 0.0, 4.0]),
    ];
    let expected = expected.map(|(stage, hours)| (stage, hours.to_vec()));
    assert_eq!(hours_by_day(&short), BTreeMap::from(expected));
    let order: Vec<&Value> = short["stages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|stage| &stage["stage"])
        .collect();
    let shops = ["dispatched", "waiting-for-parts", "in-work", "ready"];
    assert_eq!(order, shops, "in the shop's order");
    let in_work = &short["stages"][2];
    assert_eq!(
        in_work["stays"],
        json!({ "ended": 2, "goingOn": 0, "tooLong": 1, "medianMs": 4 * HOUR, "p90Ms": null })
    );
    let ann = &short["technicians"][0];
    assert_eq!(ann["technicianId"], ANN);
    assert_eq!(
        (&ann["totalMs"], &ann["cars"]),
        (&json!(49 * HOUR), &json!(1))
    );
    assert_eq!(short["technicians"].as_array().unwrap().len(), 1);
    // Of a day in the middle of the long stay, the stay is whole and the time is that day's.
    let middle = totals(boss, "2026-03-08", "2026-03-08").await;
    let parts = &middle["stages"][0];
    assert_eq!(
        (&parts["totalMs"], &parts["stays"]["goingOn"]),
        (&json!(22 * HOUR), &json!(1))
    );
    assert_eq!(parts["stays"]["medianMs"], Value::Null);
}

#[tokio::test]
async fn totals_are_what_the_log_says_on_sqlite() {
    totals_are_what_the_log_says(None).await;
}

#[tokio::test]
async fn totals_are_what_the_log_says_on_postgres() {
    let database = Throwaway::postgres().await;
    totals_are_what_the_log_says(Some(&database)).await;
}

#[tokio::test]
async fn days_that_are_none_are_refused_and_so_is_a_shop_without_stages() {
    let (_server, boss) = a_shop(Shop::new()).await;
    boss.get(TOTALS).await.refused(409, "stages-off");
    turn(&boss, true).await;
    for (from, to) in [
        ("yesterday", "2026-03-07"),
        ("2026-03-07", "2026-02-30"),
        ("2026-03-07", "2026-03-06"),
        ("2026-03-07", "2026-06-15"),
        ("", ""),
    ] {
        let path = format!("{TOTALS}?from={from}&to={to}");
        boss.get(&path).await.refused(400, "invalid-request");
    }
    let longest = totals(&boss, "2026-03-07", "2026-06-14").await;
    assert_eq!(longest["days"].as_array().unwrap().len(), 100);
    let empty = json!([]);
    for group in ["stages", "technicians", "advisors"] {
        assert_eq!(longest[group], empty, "nothing was there");
    }
    // Without days, this week.
    let week = boss.get(TOTALS).await.result();
    assert_eq!(week["cars"], 3);
    let future = totals(&boss, "2036-03-07", "2036-03-07").await;
    assert_eq!(future["cars"], 0);
}

/// An order that was closed on the 1st of January, and one that is open; the terms of `kept`.
async fn known_from(kept: &[&str]) -> Value {
    let (mut server, boss) = a_shop(Shop::new()).await;
    turn(&boss, true).await;
    becomes(&boss, 71, "dispatched").await;
    close(&boss, 71).await;
    // The newest event is never deleted.
    set(&boss, 73, "wash").await.good();
    server.sigterm().await;
    let store = server.shop.store().await;
    let at = milliseconds("2026-01-01T12:00:00-06:00");
    let opened = at - 48 * HOUR;
    execute(&store, &format!("UPDATE events SET at = {at}")).await;
    let sql = format!(
        "UPDATE repair_orders SET opened_at = {opened}, closed_at = {at} WHERE number = 71"
    );
    execute(&store, &sql).await;
    server.restart_with(kept).await;
    let number = RoNumber::try_from(71).unwrap();
    let deleted = async {
        while !store.events_from(number, 0).await.unwrap().is_empty() {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, deleted)
        .await
        .expect("its events are deleted");
    store.close().await;
    let mut found = totals(&boss, "2025-12-28", "2026-01-03").await;
    assert_eq!(found["days"].as_array().unwrap().len(), 7);
    assert_eq!(found["stages"], json!([]), "nothing is made up");
    let later = totals(&boss, "2026-01-02", "2026-01-03").await;
    assert_eq!(later["knownFrom"], Value::Null);
    found["knownFrom"].take()
}

#[tokio::test]
async fn days_whose_orders_were_deleted_are_not_known() {
    let known = known_from(&["--keep-closed-orders-days", "100"]).await;
    assert_eq!(known, "2026-01-02");
}

#[tokio::test]
async fn days_whose_events_were_deleted_are_not_known() {
    let known = known_from(&["--keep-events-days", "100"]).await;
    assert_eq!(known, "2026-01-02");
}
