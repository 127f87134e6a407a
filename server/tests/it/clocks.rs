//! The job clock: taps, one clock a technician, what it adds up to, corrections, and who may.

use std::time::Duration;

use dispatch_actors::testing::Throwaway;
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::fixture::{Answer, Desk, PASSWORD, Server, Shop, Socket};

pub const ANN: i64 = 11;

pub fn clock_of(technician: i64) -> String {
    format!("/api/technicians/{technician}/clock")
}

pub fn entries_of(technician: i64) -> String {
    format!("/api/technicians/{technician}/clock/entries")
}

/// Orders 71 and 72, each with jobs 1 and 2; Ann is on both.
pub async fn a_shop(shop: Shop) -> (Server, Desk) {
    shop.hire_technicians().await;
    let server = Server::start_in(shop, &[]).await;
    let boss = server.hire("owner@example.com", "Owner").await;
    let order = |number: i64, text: &str| {
        json!({
            "repairOrderNumber": text,
            "customer": format!("Customer {number}"),
            "jobs": [
                { "jobNumber": 1, "operations": [{ "operationCode": "LOF", "soldHours": 0.5 }] },
                { "jobNumber": 2, "operations": [{ "operationCode": "BRAKES" }] },
            ],
        })
    };
    let orders = json!([order(71, "71"), order(72, "C72"), order(73, "73")]);
    server.shop.import(&orders).await;
    boss.assign(71, ANN).await.good();
    boss.assign(72, ANN).await.good();
    (server, boss)
}

/// Signs a technician in, whose account is linked.
pub async fn technician(server: &Server, email: &str, technician: i64) -> Desk {
    let number = technician.to_string();
    let arguments = ["user", "add", email, "--role", "Technician"];
    let arguments = [
        &arguments[..],
        &["--technician", &number, "--password-stdin"],
    ]
    .concat();
    server.shop.run_with(&arguments, PASSWORD).await.good();
    server.sign_in(email).await
}

pub async fn tap(desk: &Desk, body: Value) -> Answer {
    desk.post(&clock_of(ANN), body).await
}

pub async fn start(desk: &Desk, number: i64, job: i32) -> Value {
    let body = json!({ "action": "start", "roNumber": number, "jobNumber": job });
    tap(desk, body).await.result()
}

pub async fn say(desk: &Desk, action: &str) -> Value {
    tap(desk, json!({ "action": action })).await.result()
}

pub async fn entries(desk: &Desk) -> Vec<Value> {
    let path = format!("{}?from={}&to={}", entries_of(ANN), day(-2), day(1));
    let entries = desk.get(&path).await.result();
    entries.as_array().unwrap().clone()
}

/// A day near today in Chicago.
pub fn day(from_today: i64) -> String {
    let chicago = jiff::tz::TimeZone::get("America/Chicago").unwrap();
    let today = Timestamp::now().to_zoned(chicago).date();
    (today + jiff::Span::new().days(from_today)).to_string()
}

pub fn minutes_ago(minutes: i64) -> String {
    (Timestamp::now() - SignedDuration::from_mins(minutes)).to_string()
}

pub fn at(value: &Value) -> Timestamp {
    value.as_str().unwrap().parse().unwrap()
}

async fn a_day_of_taps(shop: Shop) {
    let (server, boss) = a_shop(shop).await;
    let ann = technician(&server, "ann@example.com", ANN).await;

    let clock = ann.get(&clock_of(ANN)).await.result();
    assert_eq!(clock["technicianId"], ANN);
    assert_eq!(clock["running"], Value::Null);
    assert_eq!(
        clock["week"],
        json!({ "jobsMs": 0, "attendedMs": 0, "soldHours": 0.0 })
    );
    assert_eq!(clock["efficiency"]["percent"], Value::Null);
    assert_eq!(clock["finishedJobs"], json!([]));

    let clock = say(&ann, "clock-in").await;
    assert_eq!(clock["running"]["roNumber"], Value::Null);
    let same = say(&ann, "clock-in").await;
    assert_eq!(same["running"]["entryId"], clock["running"]["entryId"]);

    let on_first = start(&ann, 71, 1).await;
    assert_eq!(on_first["running"]["roNumber"], 71);
    assert_eq!(on_first["running"]["jobNumber"], 1);
    assert_eq!(on_first["running"].get("displayNumber"), None);
    let same = start(&ann, 71, 1).await;
    assert_eq!(same["running"]["entryId"], on_first["running"]["entryId"]);

    let on_second = start(&ann, 72, 2).await;
    assert_eq!(on_second["running"]["displayNumber"], "C72");
    let clocks = boss.get("/api/clocks").await.result();
    assert_eq!(
        clocks["clocks"],
        json!([{ "technicianId": ANN, "running": on_second["running"] }])
    );

    let finish = json!({ "action": "finish", "roNumber": 72, "jobNumber": 2 });
    let finished = tap(&ann, finish.clone()).await.result();
    assert_eq!(finished["running"]["roNumber"], Value::Null, "{finished}");
    assert_eq!(finished["completedToday"], 1);
    assert_eq!(finished["completedWeek"], 1);
    let done = &finished["finishedJobs"];
    assert_eq!(done[0]["roNumber"], 72);
    assert_eq!(done[0]["technicianId"], ANN);
    let again = tap(&ann, finish).await.result();
    assert_eq!(again["finishedJobs"], *done, "done is done");

    let reopen = json!({ "action": "reopen", "roNumber": "C72", "jobNumber": "2" });
    let reopened = tap(&ann, reopen).await.result();
    assert_eq!(reopened["finishedJobs"], json!([]));
    assert_eq!(reopened["completedToday"], 0);
    assert_eq!(reopened["running"], finished["running"]);

    let out = say(&ann, "clock-out").await;
    assert_eq!(out["running"], Value::Null);
    assert_eq!(boss.get("/api/clocks").await.result()["clocks"], json!([]));

    // Idle, 71, 72, idle: each begins when the one before ends.
    let entries = entries(&ann).await;
    let works: Vec<_> = entries.iter().map(|entry| &entry["roNumber"]).collect();
    assert_eq!(works, [&Value::Null, &json!(72), &json!(71), &Value::Null]);
    for pair in entries.windows(2) {
        assert_eq!(pair[0]["startedAt"], pair[1]["endedAt"]);
    }
    let span = |entry: &Value| at(&entry["endedAt"]).duration_since(at(&entry["startedAt"]));
    let attended: SignedDuration = entries.iter().map(span).sum();
    let on_jobs: SignedDuration = entries[1..3].iter().map(span).sum();
    let milliseconds = |time: SignedDuration| i64::try_from(time.as_millis()).unwrap();
    // Unless Sunday became Monday meanwhile.
    assert_eq!(
        out["week"],
        json!({
            "jobsMs": milliseconds(on_jobs),
            "attendedMs": milliseconds(attended),
            "soldHours": 0.0,
        })
    );
}

#[tokio::test]
async fn a_day_of_taps_is_a_chain_without_gaps() {
    a_day_of_taps(Shop::new().at_noon()).await;
}

#[tokio::test]
async fn a_day_of_taps_is_a_chain_without_gaps_on_postgres() {
    let database = Throwaway::postgres().await;
    a_day_of_taps(Shop::on(&database).at_noon()).await;
}

#[tokio::test]
async fn a_stop_that_names_another_job_stops_nothing() {
    let (_server, boss) = a_shop(Shop::new()).await;
    let running = start(&boss, 71, 1).await["running"].clone();
    let other = json!({ "action": "stop", "roNumber": 71, "jobNumber": 2 });
    assert_eq!(tap(&boss, other).await.result()["running"], running);
    let this = json!({ "action": "stop", "roNumber": 71, "jobNumber": 1 });
    let stopped = tap(&boss, this).await.result();
    assert_eq!(stopped["running"]["jobNumber"], Value::Null);
}

/// Of two processes on one database, if there are two.
async fn fifty_starts_at_once(servers: &[&Server], boss: &Desk) {
    let desks: Vec<Desk> = servers
        .iter()
        .map(|server| Desk::at(server, boss))
        .collect();
    for round in 0..3 {
        let starts = (0..50).map(|place| {
            let desk = &desks[place % desks.len()];
            let (number, job) = (71 + (place % 2) as i64, 1 + (place / 2 % 2) as i32);
            async move { start(desk, number, job).await }
        });
        for clock in join_all(starts).await {
            assert!(clock["running"]["entryId"].is_i64());
        }
        let entries = entries(boss).await;
        let running = entries.iter().filter(|entry| entry["endedAt"].is_null());
        assert_eq!(running.count(), 1, "round {round}: {entries:?}");
        let mut times: Vec<_> = entries
            .iter()
            .map(|entry| {
                let ended = &entry["endedAt"];
                let ended = if ended.is_null() {
                    None
                } else {
                    Some(at(ended))
                };
                (at(&entry["startedAt"]), ended)
            })
            .collect();
        times.sort_by_key(|(started, ended)| (*started, ended.unwrap_or(Timestamp::MAX)));
        for pair in times.windows(2) {
            assert_eq!(pair[0].1, Some(pair[1].0), "no overlap and no gap");
        }
    }
}

#[tokio::test]
async fn of_fifty_simultaneous_starts_one_clock_runs() {
    let (server, boss) = a_shop(Shop::new()).await;
    fifty_starts_at_once(&[&server], &boss).await;
}

#[tokio::test]
async fn of_fifty_simultaneous_starts_in_two_processes_one_clock_runs_and_both_know_it() {
    let database = Throwaway::postgres().await;
    let (server, boss) = a_shop(Shop::on(&database)).await;
    let other = Server::start_in(Shop::on(&database), &[]).await;
    fifty_starts_at_once(&[&server, &other], &boss).await;
    // A change by the other process is known here a moment later, and announced.
    let mut socket = boss.listen(&server).await;
    let elsewhere = Desk::at(&other, &boss);
    let out = say(&elsewhere, "clock-out").await;
    assert_eq!(out["running"], Value::Null);
    let notice = next_clock_event(&mut socket, |running| running.is_null()).await;
    assert_eq!(notice["technicianId"], ANN);
    assert_eq!(boss.get("/api/clocks").await.result()["clocks"], json!([]));
}

/// The next `CLOCK_CHANGED` whose running clock is such.
async fn next_clock_event(socket: &mut Socket, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        let event = socket.event().await;
        if event.name == "CLOCK_CHANGED" && wanted(&event.payload["running"]) {
            assert_eq!(event.offset, "", "it has no offset");
            return event.payload;
        }
    }
}

#[tokio::test]
async fn a_running_clock_survives_a_power_cut() {
    let (mut server, boss) = a_shop(Shop::new()).await;
    say(&boss, "clock-in").await;
    let before = start(&boss, 71, 1).await;
    let first_is_kept = tokio::sync::Notify::new();
    let taps = async {
        // In the middle of taps, of which nobody knows the last one's fate.
        for job in [2, 1].into_iter().cycle() {
            let body = json!({ "action": "start", "roNumber": 72, "jobNumber": job });
            let request = boss.request(reqwest::Method::POST, &clock_of(ANN));
            match request.json(&body).send().await {
                Ok(_) => first_is_kept.notify_one(),
                Err(_) => return,
            }
        }
    };
    let cut = async {
        first_is_kept.notified().await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        server.sigkill().await;
    };
    tokio::join!(taps, cut);
    server.restart().await;
    let clock = boss.get(&clock_of(ANN)).await.result();
    assert_eq!(clock["running"]["roNumber"], 72);
    assert!(at(&clock["running"]["since"]) > at(&before["running"]["since"]));
    let clocks = boss.get("/api/clocks").await.result();
    assert_eq!(clocks["clocks"][0]["running"], clock["running"]);
    let entries = entries(&boss).await;
    let running = entries.iter().filter(|entry| entry["endedAt"].is_null());
    assert_eq!(running.count(), 1);
    for pair in entries.windows(2) {
        assert_eq!(pair[0]["startedAt"], pair[1]["endedAt"]);
    }
}

#[tokio::test]
async fn a_tap_that_was_made_offline_counts_from_when_it_was_made() {
    let (_server, boss) = a_shop(Shop::new().at_noon()).await;
    let tapped = |minutes: i64, mut body: Value| {
        body["at"] = json!(minutes_ago(minutes));
        tap(&boss, body)
    };
    let work = json!({ "action": "start", "roNumber": 71, "jobNumber": 1 });
    tapped(90, json!({ "action": "clock-in" })).await.good();
    let clock = tapped(60, work.clone()).await.result();
    let minutes = |time: &Value| time.as_i64().unwrap() / 60_000;
    let since = at(&clock["running"]["since"]);
    let for_minutes = Timestamp::now().duration_since(since).as_mins();
    assert_eq!(for_minutes, 60);
    let entries = entries(&boss).await;
    let idle = at(&entries[1]["endedAt"]).duration_since(at(&entries[1]["startedAt"]));
    assert_eq!(idle.as_mins(), 30, "{entries:?}");
    assert_eq!(minutes(&clock["week"]["attendedMs"]), 90);

    let sentence = tapped(70, json!({ "action": "clock-out" }))
        .await
        .refused(400, "clock-ends-before-it-begins");
    assert!(sentence.contains("repair order 71, job 1"), "{sentence}");
    tapped(20, json!({ "action": "clock-out" })).await.good();
    tapped(30, work.clone())
        .await
        .refused(409, "clock-overlaps");
    tapped(25 * 60, work.clone())
        .await
        .refused(400, "clock-too-old");
    tapped(-2, work.clone())
        .await
        .refused(400, "clock-in-future");
    // Another clock may run ahead of ours a little.
    let now = tap(
        &boss,
        json!({ "action": "clock-in", "at": (Timestamp::now() + SignedDuration::from_secs(50)).to_string() }),
    );
    let since = at(&now.await.result()["running"]["since"]);
    assert!(since <= Timestamp::now());
    for at in ["yesterday", "", "2026-07-14"] {
        let body = json!({ "action": "clock-out", "at": at });
        tap(&boss, body).await.refused(400, "invalid-request");
    }
}

#[tokio::test]
async fn a_tap_that_is_sent_again_gets_the_first_answer() {
    let (_server, boss) = a_shop(Shop::new()).await;
    let body = json!({ "action": "start", "roNumber": 71, "jobNumber": 1 });
    let path = clock_of(ANN);
    let first = boss.post_with_key(&path, body.clone(), "a").await.good();
    say(&boss, "clock-out").await;
    let again = boss.post_with_key(&path, body.clone(), "a").await.good();
    assert_eq!(again, first);
    let clock = boss.get(&path).await.result();
    assert_eq!(clock["running"], Value::Null, "and it does nothing");
    boss.post_with_key(&path, json!({ "action": "clock-in" }), "a")
        .await
        .refused(409, "idempotency-key-reused");
    // The same at the same time: one of them does it.
    let together = (0..8).map(|_| boss.post_with_key(&path, body.clone(), "b"));
    let answers: Vec<Value> = join_all(together)
        .await
        .into_iter()
        .map(Answer::good)
        .collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(entries(&boss).await.len(), 2);
}

#[tokio::test]
async fn only_a_technician_on_the_order_starts_its_jobs() {
    let (_server, boss) = a_shop(Shop::new().at_noon()).await;
    let on = |action: &str, number: i64, job: i64| {
        tap(
            &boss,
            json!({ "action": action, "roNumber": number, "jobNumber": job }),
        )
    };
    for action in ["start", "finish", "reopen"] {
        on(action, 404, 1)
            .await
            .refused(404, "unknown-repair-order");
        on(action, 71, 9).await.refused(404, "unknown-job");
        let sentence = on(action, 73, 1).await.refused(409, "not-assigned");
        assert_eq!(sentence, "Technician 11 is not assigned to repair order 73");
    }
    on("start", 71, 1).await.good();
    boss.unassign(71, ANN).await.good();
    boss.post("/api/repair-orders/71/close", json!({}))
        .await
        .good();
    on("start", 71, 2).await.refused(409, "closed");
    // A technician may finish the job they are working on.
    let clock = on("finish", 71, 1).await.result();
    assert_eq!(clock["completedToday"], 1);
    assert_eq!(clock["finishedJobs"], json!([]), "of open orders alone");
    for body in [
        json!({}),
        json!({ "action": "sleep" }),
        json!({ "action": "start" }),
        json!({ "action": "start", "roNumber": 71 }),
        json!({ "action": "stop", "jobNumber": 1 }),
        json!({ "action": "start", "roNumber": 71, "jobNumber": "one" }),
    ] {
        tap(&boss, body).await.refused(400, "invalid-request");
    }
}

#[tokio::test]
async fn a_technician_changes_only_their_own_clock() {
    let (server, boss) = a_shop(Shop::new()).await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    let jean = technician(&server, "jean@example.com", 14).await;
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    let admin = server.hire("admin@example.com", "Admin").await;
    say(&ann, "clock-in").await;
    say(&admin, "stop").await;
    let (clock, list) = (clock_of(ANN), entries_of(ANN));

    for desk in [&ann, &advisor, &admin] {
        desk.get(&clock).await.good();
        desk.get("/api/clocks").await.good();
    }
    assert_eq!(
        jean.get(&clock).await.refused(403, "forbidden"),
        "A technician sees only their own orders, clock and receipts here"
    );
    jean.get("/api/clocks").await.good();
    for desk in [&jean, &advisor] {
        let refused = tap(desk, json!({ "action": "clock-out" })).await;
        refused.refused(403, "forbidden");
        desk.get(&list).await.refused(403, "forbidden");
    }
    for desk in [&ann, &admin] {
        desk.get(&list).await.good();
    }
    let added =
        json!({ "startedAt": minutes_ago(90), "endedAt": minutes_ago(60), "reason": "Forgotten" });
    for desk in [&ann, &jean, &advisor] {
        assert_eq!(
            desk.post(&list, added.clone())
                .await
                .refused(403, "forbidden"),
            "Correcting clocks needs one of the roles Owner, Admin"
        );
    }
    for path in [clock_of(404), entries_of(404)] {
        assert_eq!(
            boss.get(&path).await.refused(404, "unknown-technician"),
            "Technician 404 is not known"
        );
    }
}

#[tokio::test]
async fn the_desk_and_the_own_portal_receive_clock_events_and_other_portals_do_not() {
    let (server, boss) = a_shop(Shop::new()).await;
    let scope =
        |technician: i64| json!({ "token": boss.token, "scope": { "technician": technician } });
    let mut desk = boss.listen(&server).await;
    let mut own = Socket::connect(&server, &scope(ANN)).await.unwrap();
    assert_eq!(own.next().await.name, "hello");
    let mut other = Socket::connect(&server, &scope(14)).await.unwrap();
    assert_eq!(other.next().await.name, "hello");

    let clock = start(&boss, 72, 1).await;
    for socket in [&mut desk, &mut own] {
        let notice = next_clock_event(socket, |_| true).await;
        assert_eq!(notice["type"], "CLOCK_CHANGED");
        assert_eq!(notice["technicianId"], ANN);
        assert_eq!(notice["running"], clock["running"]);
        assert!(notice["timestamp"].is_string());
    }
    start(&boss, 72, 1).await;
    say(&boss, "clock-out").await;
    for socket in [&mut desk, &mut own] {
        let notice = next_clock_event(socket, |_| true).await;
        assert_eq!(
            notice["running"],
            Value::Null,
            "and nothing of what changed nothing"
        );
    }
    boss.post(&clock_of(14), json!({ "action": "clock-in" }))
        .await
        .good();
    let notice = next_clock_event(&mut other, |_| true).await;
    assert_eq!(
        notice["technicianId"], 14,
        "the first that the other one hears"
    );
}
