//! Corrections of clocks, refused ones, and the trail; days of the shop's zone.

use dispatch_actors::testing::Throwaway;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::clocks::{
    ANN, a_shop, at, clock_of, day, entries, entries_of, minutes_ago, say, start, tap,
};
use crate::fixture::{Answer, Desk, Server, Shop};

async fn add(desk: &Desk, from: i64, to: i64) -> Answer {
    let body = json!({ "startedAt": minutes_ago(from), "endedAt": minutes_ago(to), "reason": "Forgot to tap" });
    desk.post(&entries_of(ANN), body).await
}

async fn change(desk: &Desk, entry: &Value, body: Value) -> Answer {
    desk.patch(&format!("{}/{}", entries_of(ANN), entry["entryId"]), body)
        .await
}

async fn delete(desk: &Desk, entry: &Value) -> Answer {
    let path = format!("{}/{}", entries_of(ANN), entry["entryId"]);
    let request = desk.request(reqwest::Method::DELETE, &path);
    crate::fixture::answer(request.json(&json!({ "reason": "Tapped by mistake" }))).await
}

async fn everything_is_corrected_with_a_trail(shop: Shop) {
    let (_server, boss) = a_shop(shop).await;
    let by = json!({ "uid": boss.uid, "name": boss.name });

    let added = add(&boss, 300, 240).await.result();
    assert_eq!(added["forgotten"], false);
    assert_eq!(added["deleted"], false);
    assert_eq!(added["roNumber"], Value::Null);
    let trail = &added["corrections"];
    let times = json!({
        "startedAt": added["startedAt"],
        "endedAt": added["endedAt"],
        "roNumber": null,
        "jobNumber": null,
    });
    assert_eq!(trail[0]["by"], by);
    assert_eq!(trail[0]["reason"], "Forgot to tap");
    assert_eq!(trail[0]["before"], Value::Null);
    assert_eq!(trail[0]["after"], times);

    let body = json!({ "roNumber": 72, "jobNumber": 2, "reason": " On the wrong job " });
    let changed = change(&boss, &added, body).await.result();
    assert_eq!(changed["displayNumber"], "C72");
    assert_eq!(
        changed["startedAt"], added["startedAt"],
        "what is not sent stays"
    );
    let trail = changed["corrections"].as_array().unwrap();
    assert_eq!(trail.len(), 2);
    assert_eq!(trail[1]["reason"], "On the wrong job");
    assert_eq!(trail[1]["before"], times);
    assert_eq!(trail[1]["after"]["roNumber"], 72);
    let body = json!({ "roNumber": null, "jobNumber": null, "reason": "None after all" });
    let changed = change(&boss, &added, body).await.result();
    assert_eq!(changed["roNumber"], Value::Null);

    let deleted = delete(&boss, &added).await.result();
    assert_eq!(deleted["deleted"], true);
    let trail = deleted["corrections"].as_array().unwrap();
    assert_eq!(trail.len(), 4);
    assert_eq!(trail[3]["after"], Value::Null);
    assert_eq!(entries(&boss).await, [deleted]);
    let clock = boss.get(&clock_of(ANN)).await.result();
    assert_eq!(clock["week"]["attendedMs"], 0, "it counts no more");
    assert_eq!(
        delete(&boss, &added).await.refused(404, "unknown-entry"),
        "Technician 11 has no clock entry 1"
    );
    add(&boss, 300, 240).await.good();
}

#[tokio::test]
async fn a_correction_leaves_a_trail() {
    everything_is_corrected_with_a_trail(Shop::new().at_noon()).await;
}

#[tokio::test]
async fn a_correction_leaves_a_trail_on_postgres() {
    let database = Throwaway::postgres().await;
    everything_is_corrected_with_a_trail(Shop::on(&database).at_noon()).await;
}

#[tokio::test]
async fn an_impossible_correction_is_refused_with_the_reason() {
    let (_server, boss) = a_shop(Shop::new()).await;
    let first = add(&boss, 300, 240).await.result();
    let second = add(&boss, 240, 180).await.result();
    let sentence = add(&boss, 250, 200).await.refused(409, "clock-overlaps");
    assert!(
        sentence.starts_with("Some of that time is in the entry from ")
            && sentence.ends_with(" without a job already"),
        "{sentence}"
    );
    let to = |minutes: i64| json!({ "endedAt": minutes_ago(minutes), "reason": "Longer" });
    change(&boss, &first, to(230))
        .await
        .refused(409, "clock-overlaps");
    change(&boss, &second, to(241))
        .await
        .refused(400, "clock-ends-before-it-begins");
    change(&boss, &second, to(-10))
        .await
        .refused(400, "clock-in-future");
    let moment = minutes_ago(100);
    let body = json!({ "startedAt": moment, "endedAt": moment, "reason": "Forgot to tap" });
    boss.post(&entries_of(ANN), body)
        .await
        .refused(400, "clock-ends-before-it-begins");
    change(&boss, &second, to(170)).await.good();

    for (body, status, code) in [
        (
            json!({ "roNumber": 404, "jobNumber": 1 }),
            404,
            "unknown-repair-order",
        ),
        (
            json!({ "roNumber": 71, "jobNumber": 9 }),
            404,
            "unknown-job",
        ),
        (json!({ "roNumber": 71 }), 400, "invalid-request"),
        (json!({ "startedAt": "noon" }), 400, "invalid-request"),
        (
            json!({ "startedAt": null, "reason": "" }),
            400,
            "invalid-request",
        ),
        (json!({ "reason": " \n" }), 400, "invalid-request"),
        (json!({ "reason": "x".repeat(501) }), 400, "invalid-request"),
    ] {
        let body = crate::sample::with(&json!({ "reason": "So it is" }), body);
        change(&boss, &first, body).await.refused(status, code);
    }
    let elsewhere = format!("{}/{}", entries_of(14), first["entryId"]);
    boss.patch(&elsewhere, json!({ "reason": "Not Ann's" }))
        .await
        .refused(404, "unknown-entry");
    let unchanged = entries(&boss).await;
    assert_eq!(unchanged.len(), 2);
    assert_eq!(unchanged[1]["endedAt"], first["endedAt"]);
}

#[tokio::test]
async fn a_forgotten_clock_is_flagged_until_it_is_corrected() {
    let (server, boss) = a_shop(Shop::new()).await;
    // As a technician leaves it who goes home at five.
    let chicago = jiff::tz::TimeZone::get("America/Chicago").unwrap();
    let today = Timestamp::now().to_zoned(chicago.clone()).date();
    let yesterday = today.yesterday().unwrap();
    let at_three = yesterday.at(15, 0, 0, 0).to_zoned(chicago).unwrap();
    let started = at_three.timestamp();
    start(&boss, 71, 1).await;
    let store = server.shop.store().await;
    let back = format!(
        "UPDATE clock_entries SET started_at = {}",
        started.as_millisecond()
    );
    sea_orm::ConnectionTrait::execute_unprepared(store.writer(), &back)
        .await
        .unwrap();
    let clock = boss.get(&clock_of(ANN)).await.result();
    assert_eq!(clock["running"]["forgotten"], true);
    assert_eq!(clock["flagged"], 1);
    let entry = entries(&boss).await.pop().unwrap();
    assert_eq!(entry["forgotten"], true);
    // Clients that show it are notified.
    let patience = Timestamp::now();
    loop {
        let clocks = boss.get("/api/clocks").await.result();
        if clocks["clocks"][0]["running"]["forgotten"] == true {
            break;
        }
        assert!(Timestamp::now().duration_since(patience).as_secs() < 120);
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }

    let earlier = started - jiff::SignedDuration::from_hours(1);
    let body = json!({ "startedAt": earlier.to_string(), "reason": "Began at two" });
    let running = change(&boss, &entry, body).await.result();
    assert_eq!(
        running["endedAt"],
        Value::Null,
        "what runs may have begun earlier"
    );
    assert_eq!(running["forgotten"], false);
    let ended = started + jiff::SignedDuration::from_hours(2);
    let body = json!({ "endedAt": ended.to_string(), "reason": "Went home at five" });
    let corrected = change(&boss, &entry, body).await.result();
    assert_eq!(at(&corrected["endedAt"]), ended);
    let clock = boss.get(&clock_of(ANN)).await.result();
    assert_eq!(clock["running"], Value::Null, "off the clock");
    assert_eq!(clock["flagged"], 0);
    let on_the_clock = boss.get("/api/clocks").await.result();
    assert_eq!(on_the_clock["clocks"], json!([]));
    say(&boss, "clock-in").await;
}

#[tokio::test]
async fn a_correction_that_is_sent_again_gets_the_first_answer() {
    let (_server, boss) = a_shop(Shop::new()).await;
    let body = json!({ "startedAt": minutes_ago(90), "endedAt": minutes_ago(60), "reason": "Forgot to tap" });
    let path = entries_of(ANN);
    let first = boss.post_with_key(&path, body.clone(), "a").await.good();
    assert_eq!(boss.post_with_key(&path, body, "a").await.good(), first);
    assert_eq!(entries(&boss).await.len(), 1);
}

#[tokio::test]
async fn days_follow_the_shops_time_zone() {
    let (_server, boss) = a_shop(Shop::new()).await;
    // 8 March 2026 has 23 hours in Chicago, from 06:00Z to 05:00Z.
    for (from, to) in [
        ("2026-03-08T05:30:00Z", "2026-03-08T06:00:00Z"),
        ("2026-03-08T07:30:00Z", "2026-03-08T08:30:00Z"),
        ("2026-03-09T04:30:00Z", "2026-03-09T05:30:00Z"),
        ("2026-03-09T05:30:00Z", "2026-03-09T06:00:00Z"),
    ] {
        let body = json!({ "startedAt": from, "endedAt": to, "reason": "Paper cards" });
        boss.post(&entries_of(ANN), body).await.good();
    }
    let on = async |from: &str, to: &str| {
        let path = format!("{}?from={from}&to={to}", entries_of(ANN));
        let entries = boss.get(&path).await.result();
        let begun: Vec<String> = entries
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["startedAt"].as_str().unwrap()[5..16].to_owned())
            .collect();
        begun
    };
    assert_eq!(
        on("2026-03-08", "2026-03-08").await,
        ["03-09T04:30", "03-08T07:30"]
    );
    assert_eq!(on("2026-03-07", "2026-03-07").await, ["03-08T05:30"]);
    assert_eq!(on("2026-03-07", "2026-03-09").await.len(), 4);
    for query in [
        "from=2026-03-08&to=2026-03-07",
        "from=2026-03-08&to=2026-07-08",
        "from=soon&to=2026-03-07",
        "from=2026-02-30",
    ] {
        let path = format!("{}?{query}", entries_of(ANN));
        boss.get(&path).await.refused(400, "invalid-request");
    }
    let path = format!("{}?from={}", entries_of(ANN), day(0));
    assert_eq!(boss.get(&path).await.result(), json!([]));
    // This week by default.
    assert_eq!(boss.get(&entries_of(ANN)).await.result(), json!([]));
}

/// Sold 0.5 hours over 0.25 clocked hours is 200 %: job 1 of order 71 from 60 to 45 minutes ago.
#[tokio::test]
async fn efficiency_is_of_the_jobs_that_were_finished_this_week() {
    let (_server, boss) = a_shop(Shop::new().at_noon()).await;
    // All of the same moment, however long the machine takes from one to the next.
    let now = Timestamp::now();
    let tapped = |minutes: i64, action: &str, job: i64| {
        let at = (now - jiff::SignedDuration::from_mins(minutes)).to_string();
        tap(
            &boss,
            json!({ "action": action, "roNumber": 71, "jobNumber": job, "at": at }),
        )
    };
    tapped(60, "start", 1).await.good();
    tapped(45, "finish", 1).await.good();
    // Of this one nobody said what it is sold for.
    tapped(40, "start", 2).await.good();
    let clock = tapped(30, "finish", 2).await.result();
    assert_eq!(clock["completedWeek"], 2);
    let efficiency = &clock["efficiency"];
    assert_eq!(efficiency["soldHours"], 0.5);
    assert_eq!(efficiency["clockedHours"], 0.25);
    assert_eq!(efficiency["jobsWithoutHours"], 1);
    let percent = efficiency["percent"].as_f64().unwrap();
    assert!((percent - 200.0).abs() <= 0.1, "{efficiency}");
    // An order that is closed keeps its hours.
    let close = "/api/repair-orders/71/close";
    boss.post(close, json!({})).await.good();
    let clock = boss.get(&clock_of(ANN)).await.result();
    assert_eq!(clock["efficiency"], *efficiency);
}

#[tokio::test]
async fn a_clock_of_another_zone_has_that_zones_days() {
    let mut shop = Shop::unplaced();
    let zone = "Pacific/Kiritimati".to_owned();
    shop.environment.push(("DISPATCH_TIME_ZONE", zone));
    shop.hire_technicians().await;
    let server = Server::start_in(shop, &[]).await;
    let boss = server.hire("owner@example.com", "Owner").await;
    let island = jiff::tz::TimeZone::get("Pacific/Kiritimati").unwrap();
    let now = Timestamp::now();
    let midnight = now.to_zoned(island).start_of_day().unwrap().timestamp();
    let from = midnight - jiff::SignedDuration::from_mins(30);
    let to = now.min(midnight + jiff::SignedDuration::from_mins(30));
    let body =
        json!({ "startedAt": from.to_string(), "endedAt": to.to_string(), "reason": "Night" });
    boss.post(&entries_of(ANN), body).await.good();
    let clock = boss.get(&clock_of(ANN)).await.result();
    let today = to.duration_since(midnight).as_millis();
    assert_eq!(clock["today"]["attendedMs"].as_i64().unwrap(), today as i64);
}
