//! The job clock: undoing a tap.

use dispatch_actors::testing::Throwaway;
use serde_json::{Value, json};

use crate::clocks::{
    ANN, a_shop, clock_of, entries, entries_of, minutes_ago, say, start, tap, technician,
};
use crate::fixture::Shop;

const JEAN: i64 = 14;

/// What a tap changes: everything but the moment at which the clock was read.
fn state(mut clock: Value) -> Value {
    for field in ["now", "today", "week", "clockedJobs", "efficiency"] {
        clock[field].take();
    }
    clock
}

async fn each_tap_can_be_undone(shop: Shop) {
    let (_server, boss) = a_shop(shop).await;
    let on = |action: &str, job: i64| json!({ "action": action, "roNumber": 71, "jobNumber": job });
    let undo = || tap(&boss, json!({ "action": "undo" }));
    undo().await.refused(409, "nothing-to-undo");
    for body in [
        json!({ "action": "clock-in" }),
        on("start", 1),
        on("start", 2),
        on("finish", 2),
        // It is not done any more.
        on("start", 2),
        on("finish", 2),
        on("reopen", 2),
        on("finish", 1),
        json!({ "action": "clock-out" }),
    ] {
        let before = boss.get(&clock_of(ANN)).await.result();
        let entries_before = entries(&boss).await;
        let after = tap(&boss, body.clone()).await.result();
        let undone = undo().await.result();
        assert_eq!(state(undone), state(before), "{body}");
        assert_eq!(entries(&boss).await, entries_before, "{body}");
        undo().await.refused(409, "nothing-to-undo");
        let again = tap(&boss, body.clone()).await.result();
        assert_eq!(
            again["running"]["jobNumber"], after["running"]["jobNumber"],
            "{body}"
        );
    }
}

#[tokio::test]
async fn each_tap_can_be_undone_as_if_it_had_not_been_made() {
    each_tap_can_be_undone(Shop::new().at_noon()).await;
}

#[tokio::test]
async fn each_tap_can_be_undone_as_if_it_had_not_been_made_on_postgres() {
    let database = Throwaway::postgres().await;
    each_tap_can_be_undone(Shop::on(&database).at_noon()).await;
}

#[tokio::test]
async fn a_tap_after_which_the_clock_was_changed_is_not_undone() {
    let (_server, boss) = a_shop(Shop::new().at_noon()).await;
    start(&boss, 71, 1).await;
    let running = entries(&boss).await.remove(0);
    let path = format!("{}/{}", entries_of(ANN), running["entryId"]);
    let correction = json!({ "startedAt": minutes_ago(5), "reason": "began before" });
    boss.patch(&path, correction).await.good();
    let undo = json!({ "action": "undo" });
    tap(&boss, undo.clone()).await.refused(409, "cannot-undo");
    assert_eq!(entries(&boss).await.len(), 1, "nothing is undone by half");

    // Somebody else says of a job that it is done.
    boss.assign(71, JEAN).await.good();
    let on = |action: &str| json!({ "action": action, "roNumber": 71, "jobNumber": 2 });
    let finish = on("finish");
    boss.post(&clock_of(JEAN), finish).await.good();
    tap(&boss, on("reopen")).await.good();
    boss.post(&clock_of(JEAN), on("finish")).await.good();
    tap(&boss, undo).await.refused(409, "cannot-undo");
    let clock = boss.get(&clock_of(ANN)).await.result();
    assert_eq!(clock["finishedJobs"][0]["technicianId"], JEAN);
}

#[tokio::test]
async fn only_the_technician_and_who_corrects_clocks_undo_a_tap() {
    let (server, boss) = a_shop(Shop::new()).await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    let jean = technician(&server, "jean@example.com", JEAN).await;
    say(&ann, "clock-in").await;
    let undo = json!({ "action": "undo" });
    let path = clock_of(ANN);
    jean.post(&path, undo.clone())
        .await
        .refused(403, "forbidden");
    let clock = boss.post(&path, undo).await.result();
    assert_eq!(clock["running"], Value::Null);
}
