//! The job clock and the orders: whose the sold hours are, clocks on orders that are closed, and the stories of these.

use std::time::Duration;

use serde_json::{Value, json};

use crate::clocks::{
    ANN, a_shop, at, clock_of, entries_of, minutes_ago, say, start, tap, technician,
};
use crate::fixture::{Desk, Shop};

const JEAN: i64 = 14;

/// On job 1 of order 71, in the last hours.
async fn worked(boss: &Desk, technician: i64, from: i64, to: i64) {
    let entry = json!({
        "startedAt": minutes_ago(from),
        "endedAt": minutes_ago(to),
        "roNumber": 71,
        "jobNumber": 1,
        "reason": "forgot to start",
    });
    boss.post(&entries_of(technician), entry).await.good();
}

#[tokio::test]
async fn sold_hours_are_shared_by_clocked_time_and_not_given_to_the_finisher() {
    let (server, boss) = a_shop(Shop::new().at_noon()).await;
    boss.assign(71, JEAN).await.good();
    // 40 and 10 minutes of a job that is sold for half an hour; Jean says that it is done.
    worked(&boss, ANN, 100, 60).await;
    worked(&boss, JEAN, 60, 50).await;
    let finish = json!({ "action": "finish", "roNumber": 71, "jobNumber": 1 });
    let jean = boss.post(&clock_of(JEAN), finish).await.result();
    let ann = boss.get(&clock_of(ANN)).await.result();
    for (clock, sold, clocked, percent, completed) in
        [(&ann, 0.4, 0.67, 60.0, 0), (&jean, 0.1, 0.17, 60.0, 1)]
    {
        assert_eq!(clock["today"]["soldHours"], sold, "{clock}");
        assert_eq!(clock["week"]["soldHours"], sold);
        assert_eq!(clock["efficiency"]["soldHours"], sold);
        assert_eq!(clock["efficiency"]["clockedHours"], clocked);
        assert_eq!(clock["efficiency"]["percent"], percent);
        assert_eq!(clock["completedToday"], completed);
    }
    let minutes = |clock: &Value| {
        let job = &clock["clockedJobs"][0];
        assert_eq!(
            (&job["roNumber"], &job["jobNumber"]),
            (&json!(71), &json!(1))
        );
        job["clockedMs"].as_i64().unwrap() / 60_000
    };
    assert_eq!((minutes(&ann), minutes(&jean)), (40, 10), "each their own");
    // The order's time by technician: the desk sees all of it, a technician their own.
    let jean = technician(&server, "jean@example.com", JEAN).await;
    for (desk, expected) in [
        (&boss, vec![(1, ANN, 40), (1, JEAN, 10)]),
        (&jean, vec![(1, JEAN, 10)]),
    ] {
        let path = "/api/repair-orders/71/clocked-time";
        let times = desk.get(path).await.result();
        let times = times.as_array().unwrap().iter().map(|time| {
            let number = |of: &str| time[of].as_i64().unwrap();
            assert!(!time["technicianName"].as_str().unwrap().is_empty());
            (
                number("jobNumber"),
                number("technicianId"),
                number("clockedMs") / 60_000,
            )
        });
        assert_eq!(times.collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn a_clock_is_stopped_when_its_order_is_closed_and_says_so() {
    let (mut server, boss) = a_shop(Shop::new().at_noon()).await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    let mut socket = ann.listen(&server).await;
    start(&ann, 72, 1).await;
    boss.post("/api/repair-orders/72/close", json!({}))
        .await
        .good();
    let stopped = loop {
        let event = socket.event().await;
        if event.name == "CLOCK_CHANGED" && event.payload["running"]["roNumber"].is_null() {
            break event.payload;
        }
    };
    let clock = ann.get(&clock_of(ANN)).await.result();
    assert_eq!(
        clock["running"], stopped["running"],
        "on the clock without a job"
    );
    let notice = &clock["stoppedByClosing"];
    assert_eq!(notice["roNumber"], 72);
    assert_eq!(notice["displayNumber"], "C72");
    assert_eq!(notice["jobNumber"], 1);
    let details = boss.get("/api/repair-orders/72").await.result();
    let closed_at = at(&details["closedDateTime"]).as_second();
    assert_eq!(at(&notice["stoppedAt"]).as_second(), closed_at);
    // The work was done.
    let finish = json!({ "action": "finish", "roNumber": 72, "jobNumber": 1 });
    let finished = tap(&ann, finish).await.result();
    assert_eq!(finished["completedToday"], 1);
    assert_eq!(finished["stoppedByClosing"], Value::Null, "all is said");
    start(&ann, 71, 1).await;

    // One that is closed while no server looks.
    server.sigkill().await;
    let closed = json!([{ "repairOrderNumber": 71, "status": "Closed" }]);
    server.shop.import(&closed).await;
    server.restart().await;
    let running = async || ann.get(&clock_of(ANN)).await.result()["running"]["roNumber"].take();
    while !running().await.is_null() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_technician_finds_their_closed_orders_and_the_stories_they_owe() {
    let (server, boss) = a_shop(Shop::new().at_noon()).await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    let path = format!("/api/technicians/{ANN}/closed-orders");
    assert_eq!(ann.get(&path).await.result(), json!([]));
    start(&ann, 72, 2).await;
    say(&ann, "stop").await;
    let finish = json!({ "action": "finish", "roNumber": 71, "jobNumber": 1 });
    tap(&ann, finish).await.good();
    let written = json!({ "techStory": "Replaced the oil." });
    boss.patch("/api/repair-orders/71/jobs/1", written)
        .await
        .good();
    for number in [71, 72, 73] {
        let close = format!("/api/repair-orders/{number}/close");
        boss.post(&close, json!({})).await.good();
    }
    let closed = ann.get(&path).await.result();
    let facts = |order: &Value| {
        let jobs = order["jobs"].as_array().unwrap().clone();
        let jobs = jobs
            .iter()
            .map(|job| (job["workedOn"] == true, job["hasStory"] == true));
        (
            order["repairOrderNumber"].as_i64().unwrap(),
            jobs.collect::<Vec<_>>(),
        )
    };
    let closed = closed.as_array().unwrap();
    let facts: Vec<_> = closed.iter().map(facts).collect();
    assert_eq!(
        facts,
        [
            (72, vec![(false, false), (true, false)]),
            (71, vec![(true, true), (false, false)]),
        ]
    );
    assert_eq!(closed[0]["displayNumber"], "C72");
    assert_eq!(closed[0]["customer"], "Customer 72");
    for days in ["0", "91", "many"] {
        let path = format!("{path}?days={days}");
        ann.get(&path).await.refused(400, "invalid-request");
    }
    let jean = technician(&server, "jean@example.com", JEAN).await;
    jean.get(&path).await.refused(403, "forbidden");
    assert_eq!(boss.get(&path).await.result().as_array().unwrap().len(), 2);
}
