//! Will it be ready when we said? Each open promise, judged.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::clocks::{ANN, start, technician};
use crate::fixture::{AROUND_THE_CLOCK, Desk, Server, Shop};

const ANOTHER: i64 = 14;

fn ahead(minutes: i64) -> Timestamp {
    Timestamp::now() + SignedDuration::from_mins(minutes)
}

fn order(number: i64, promised: Option<Timestamp>, hours: &[Option<f64>]) -> Value {
    let jobs: Vec<Value> = (1..)
        .zip(hours)
        .map(|(job, hours)| {
            let operation = match hours {
                Some(hours) => json!({ "operationCode": "LOF", "soldHours": hours }),
                None => json!({ "operationCode": "DIAG" }),
            };
            json!({ "jobNumber": job, "operations": [operation] })
        })
        .collect();
    json!({ "repairOrderNumber": number, "promisedDateTime": promised, "jobs": jobs })
}

/// It is noon. Ann has 71 before 72 and 73; 74 is nobody's and 75 has no promise.
async fn a_shop() -> (Server, Desk) {
    let shop = Shop::new().at_noon();
    shop.hire_technicians().await;
    let server = Server::start_in(shop, &AROUND_THE_CLOCK).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let orders = json!([
        order(71, Some(ahead(240)), &[Some(1.0), Some(0.5)]),
        order(72, Some(ahead(120)), &[Some(2.0)]),
        order(73, Some(ahead(300)), &[None]),
        order(74, Some(ahead(300)), &[Some(1.0)]),
        order(75, None, &[Some(1.0)]),
        order(76, Some(ahead(-30)), &[Some(1.0)]),
    ]);
    server.shop.import(&orders).await;
    for number in [71, 72, 73] {
        owner.assign(number, ANN).await.good();
    }
    (server, owner)
}

async fn promises(desk: &Desk) -> Vec<Value> {
    let answer = desk.get("/api/repair-orders/promises").await.result();
    answer.as_array().unwrap().clone()
}

fn of(promises: &[Value], number: i64) -> &Value {
    let mut promises = promises.iter();
    promises.find(|one| one["roNumber"] == number).unwrap()
}

fn moment(value: &Value) -> Timestamp {
    value.as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn each_open_promise_is_judged_with_its_reasons_and_figures() {
    let (_server, owner) = a_shop().await;
    let judged = promises(&owner).await;
    let states: Vec<_> = judged
        .iter()
        .map(|one| json!([one["roNumber"], one["state"], one["reasons"]]))
        .collect();
    assert_eq!(
        states,
        [
            json!([71, "on-time", []]),
            json!([72, "at-risk", ["does-not-fit"]]),
            json!([73, "unknown", ["hours-unknown"]]),
            json!([74, "unknown", ["nobody-has-it"]]),
            json!([76, "late", []]),
        ]
    );
    let risk = of(&judged, 72);
    assert_eq!(risk["hoursLeft"], 2.0);
    assert_eq!(risk["technicianId"], ANN);
    assert!(risk["technicianName"].is_string(), "{risk}");
    assert_eq!(
        (&risk["hoursBefore"], &risk["ordersBefore"]),
        (&json!(1.5), &json!(1))
    );
    let waits = moment(&risk["readyAbout"]).duration_since(moment(&risk["freeAt"]));
    assert_eq!(waits, SignedDuration::from_hours(2));
    assert!(moment(&risk["readyAbout"]) > moment(&risk["promisedDateTime"]));
    assert!(of(&judged, 76)["lateMs"].as_i64().unwrap() >= 30 * 60_000);
    assert_eq!(of(&judged, 74)["freeAt"], Value::Null);
}

#[tokio::test]
async fn what_was_finished_and_what_the_clock_runs_on_count() {
    let (server, owner) = a_shop().await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    start(&ann, 72, 1).await;
    let judged = promises(&owner).await;
    // The car in hand is finished first.
    let before = |number| of(&judged, number)["hoursBefore"].as_f64().unwrap();
    assert_eq!(before(72), 0.0);
    assert!(before(71) > 1.9, "{}", before(71));
    let finish = json!({ "action": "finish", "roNumber": 72, "jobNumber": 1 });
    ann.post(&crate::clocks::clock_of(ANN), finish).await.good();
    let judged = promises(&owner).await;
    assert_eq!(of(&judged, 72)["state"], "on-time");
    assert_eq!(of(&judged, 72)["jobsLeft"], 0);
    assert!(of(&judged, 72)["finishedAt"].is_string());
    assert_eq!(of(&judged, 71)["hoursBefore"], 0.0);
}

#[tokio::test]
async fn a_technician_sees_the_promises_of_their_own_orders_and_nobody_elses_queue() {
    let (server, owner) = a_shop().await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    let numbers = |judged: &[Value]| -> Vec<i64> {
        let judged = judged.iter();
        judged
            .map(|one| one["roNumber"].as_i64().unwrap())
            .collect()
    };
    assert_eq!(numbers(&promises(&ann).await), [71, 72, 73]);
    // Another has more to do before 71, and is ready last.
    owner.assign(74, ANOTHER).await.good();
    owner.assign(71, ANOTHER).await.good();
    let more = json!([order(60, None, &[Some(3.0)])]);
    server.shop.import(&more).await;
    owner.assign(60, ANOTHER).await.good();
    let (own, all) = (promises(&ann).await, promises(&owner).await);
    assert_eq!(of(&all, 71)["technicianId"], ANOTHER);
    let hidden = of(&own, 71);
    for field in [
        "technicianId",
        "technicianName",
        "hoursBefore",
        "ordersBefore",
        "freeAt",
    ] {
        assert_eq!(hidden[field], Value::Null, "{field}");
    }
    assert_eq!(of(&own, 72)["technicianId"], ANN);
}

#[tokio::test]
async fn a_promise_that_was_moved_says_how_often_and_how_far() {
    let (server, owner) = a_shop().await;
    let first = moment(&of(&promises(&owner).await, 71)["promisedDateTime"]);
    for minutes in [60, 150] {
        let promised = first + SignedDuration::from_mins(minutes);
        let moved = json!([{ "repairOrderNumber": 71, "promisedDateTime": promised }]);
        server.shop.import(&moved).await;
        // A file that says the same again moves nothing.
        server.shop.import(&moved).await;
    }
    let history = async |number: i64| -> Value {
        let path = format!("/api/repair-orders/{number}/promise-moves");
        owner.get(&path).await.result()
    };
    let moved = history(71).await;
    assert_eq!(moment(&moved["firstPromised"]), first);
    assert_eq!(moved["laterMs"], 150 * 60_000);
    let moves = moved["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 2);
    assert_eq!(moves[0]["to"], moves[1]["from"]);
    assert_eq!(moves[1]["to"], moved["promisedDateTime"]);
    assert_eq!(moves[0]["channel"], "import");
    let unmoved = history(72).await;
    assert_eq!(
        (&unmoved["laterMs"], &unmoved["moves"]),
        (&json!(0), &json!([]))
    );
    assert_eq!(history(75).await["firstPromised"], Value::Null);
    owner
        .get("/api/repair-orders/404/promise-moves")
        .await
        .refused(404, "unknown-repair-order");
}

#[tokio::test]
async fn hours_that_no_shop_has_are_refused_at_the_start() {
    let shop = Shop::new();
    let arguments = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--shop-hours",
        "Mon 18-7",
    ];
    let sentence = shop.run(&arguments).await.refused();
    assert_eq!(
        sentence,
        "'Mon 18-7' are no shop hours, such as 'Mon-Fri 07:00-18:00, Sat 08:00-16:00' \
         (--shop-hours, DISPATCH_SHOP_HOURS)"
    );
}

/// The answer as it came, which says for which moment it is.
async fn body(desk: &Desk) -> Value {
    desk.get("/api/repair-orders/promises").await.good()
}

/// Asks twice until no minute ends between, and nothing comes that follows from what was done.
async fn twice(desk: &Desk) -> [Value; 2] {
    let basis = |answer: &Value| {
        let minute = moment(&answer["now"]).as_second() / 60;
        (minute, answer["seq"].clone())
    };
    loop {
        let answers = [body(desk).await, body(desk).await];
        if basis(&answers[0]) == basis(&answers[1]) {
            return answers;
        }
    }
}

#[tokio::test]
async fn promises_are_judged_once_until_something_of_them_changes() {
    let (server, owner) = a_shop().await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    crate::stages::turn(&owner, true).await;
    crate::stages::becomes(&owner, 71, "dispatched").await;
    let field = async |number: i64, field: &str| {
        let [first, again] = twice(&owner).await;
        assert_eq!(first, again, "nothing changed between");
        // Whoever else asks has the same moment.
        let judged = first["result"].as_array().unwrap().clone();
        of(&judged, number)[field].clone()
    };
    assert_eq!(field(74, "technicians").await, 0);
    owner.assign(74, ANN).await.good();
    assert_eq!(field(74, "technicians").await, 1, "an event of an order");

    let until = json!("2100-01-02T10:00:00Z");
    let hold = json!({ "reason": "parts", "expectedUntil": until });
    let path = "/api/repair-orders/71/holds";
    owner.post(path, hold).await.good();
    assert_eq!(field(71, "holdUntil").await, until, "a hold");
    crate::stages::turn(&owner, false).await;
    assert_eq!(field(71, "holdUntil").await, Value::Null, "stages are off");
    crate::stages::turn(&owner, true).await;
    assert_eq!(field(71, "holdUntil").await, until, "and on");
    owner
        .post("/api/repair-orders/71/holds/1/end", json!({}))
        .await
        .good();

    let ready = field(72, "readyAbout").await;
    let path = format!("/api/technicians/{ANN}");
    let hours = json!({ "dailyHours": 0.25 });
    owner.patch(&path, hours).await.good();
    assert_ne!(field(72, "readyAbout").await, ready, "a technician's hours");

    assert_eq!(field(72, "ordersBefore").await, 1);
    start(&ann, 72, 1).await;
    assert_eq!(field(72, "ordersBefore").await, 0, "a clock that began");
    let finish = json!({ "action": "finish", "roNumber": 72, "jobNumber": 1 });
    ann.post(&crate::clocks::clock_of(ANN), finish).await.good();
    assert_eq!(field(72, "jobsLeft").await, 0, "a job that is done");
}
