//! Who was given how much of which work this week: the ledger, and what the suggestion makes of it.

use dispatch_actors::testing::Throwaway;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::clocks::{ANN, clock_of, technician};
use crate::fixture::{Desk, Server, Shop};

const JEAN_LUC: i64 = 14;
const DEEPA: i64 = 22;
const ZOE: i64 = 23;

/// An order with a job for each operation code, and the hours that were sold for it.
fn order(number: i64, status: &str, jobs: &[(&str, Option<f64>)]) -> Value {
    let job = |(place, (code, hours)): (usize, &(&str, Option<f64>))| {
        json!({
            "jobNumber": place + 1,
            "operations": [{ "operationCode": code, "soldHours": hours }],
        })
    };
    json!({
        "repairOrderNumber": number.to_string(),
        "customer": "A customer",
        "customerStatus": status,
        "jobs": jobs.iter().enumerate().map(job).collect::<Vec<_>>(),
    })
}

async fn a_shop(shop: Shop) -> (Server, Desk) {
    shop.hire_technicians().await;
    let server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let orders = json!([
        order(71, "Waiting", &[("LOF", Some(0.5)), ("DIAG2", Some(2.0))]),
        order(72, "Drop", &[("BRAKES", Some(3.0)), ("NOHOURS", None)]),
        order(73, "Drop", &[("BRAKES", Some(4.0))]),
        order(74, "Drop", &[("BRAKES", Some(1.0))]),
    ]);
    server.shop.import(&orders).await;
    (server, owner)
}

async fn say(owner: &Desk, pattern: &str, kind: Value) {
    let body = json!({ "pattern": pattern, "kind": kind });
    owner.put("/api/work-kinds", body).await.good();
}

async fn ledger(desk: &Desk) -> Value {
    desk.get("/api/fairness").await.result()
}

/// Hours, jobs, and jobs without hours of each who was given any.
fn given(ledger: &Value) -> Vec<(i64, f64, i64, i64)> {
    let technicians = ledger["technicians"].as_array().unwrap().iter();
    let mut given: Vec<_> = technicians
        .filter(|one| one["jobs"] != 0)
        .map(|one| {
            let whole = |field: &str| one[field].as_i64().unwrap();
            let hours = one["hours"].as_f64().unwrap();
            let jobs = (whole("jobs"), whole("jobsWithoutHours"));
            (whole("idTechnician"), hours, jobs.0, jobs.1)
        })
        .collect();
    given.sort_by_key(|one| one.0);
    given
}

fn kinds(ledger: &Value, technician: i64) -> Value {
    let mut technicians = ledger["technicians"].as_array().unwrap().iter();
    let theirs = technicians.find(|one| one["idTechnician"] == technician);
    theirs.unwrap()["kinds"].clone()
}

fn kind(kind: &str, hours: f64) -> Value {
    json!({ "kind": kind, "hours": hours, "jobs": 1, "jobsWithoutHours": 0 })
}

async fn hand_back(ann: &Desk, number: i64) {
    let path = format!("/api/technicians/{ANN}/assignments/{number}/hand-back");
    let body = json!({ "reason": "No lift" });
    ann.post(&path, body).await.good();
}

async fn the_ledger_follows_the_assignments(shop: Shop) {
    let (mut server, owner) = a_shop(shop).await;
    let nothing = ledger(&owner).await;
    assert_eq!(given(&nothing), []);
    assert_eq!(nothing["averageHours"], Value::Null, "nobody came");
    assert_eq!(nothing["technicians"].as_array().unwrap().len(), 4);

    for (number, technician) in [(71, ANN), (72, ANN), (72, JEAN_LUC), (73, DEEPA)] {
        owner.assign(number, technician).await.good();
    }
    let ann = technician(&server, "ann@example.com", ANN).await;
    let clock_in = json!({ "action": "clock-in" });
    ann.post(&clock_of(ANN), clock_in).await.good();
    // Two have equal parts of what they share.
    let shared = ledger(&owner).await;
    let expected = [(ANN, 4.0, 4, 1), (JEAN_LUC, 1.5, 2, 1), (DEEPA, 4.0, 1, 0)];
    assert_eq!(given(&shared), expected);
    assert_eq!(
        (&shared["onClock"], &shared["averageHours"]),
        (&json!(1), &json!(4.0))
    );
    assert_eq!(shared["jobsWithoutHours"], 1);

    // Nothing is known of operation codes of which the shop said nothing.
    let waiter = json!({ "kind": "waiter", "hours": 2.5, "jobs": 2, "jobsWithoutHours": 0 });
    assert_eq!(kinds(&shared, ANN), json!([waiter]));
    say(&owner, "diag*", json!("diagnosis")).await;
    say(&owner, "LOF", json!("warranty")).await;
    say(&owner, "LOF", json!("menu")).await;
    let named = ledger(&owner).await;
    let codes = [kind("diagnosis", 2.0), kind("menu", 0.5)];
    assert_eq!(kinds(&named, ANN), json!([waiter, codes[0], codes[1]]));

    // Neither what was handed back counts nor what was taken away, and what was closed does.
    hand_back(&ann, 71).await;
    let reassign =
        json!({ "repairOrderNumber": 73, "fromIdTechnician": DEEPA, "toIdTechnician": ZOE });
    owner
        .post("/api/repair-orders/technicians/reassign", reassign)
        .await
        .good();
    owner
        .post("/api/repair-orders/72/close", json!({}))
        .await
        .good();
    let expected = [(ANN, 1.5, 2, 1), (JEAN_LUC, 1.5, 2, 1), (ZOE, 4.0, 1, 0)];
    assert_eq!(given(&ledger(&owner).await), expected);
    owner
        .post("/api/repair-orders/72/reopen", json!({}))
        .await
        .good();
    owner.unassign(72, JEAN_LUC).await.good();
    let alone = given(&ledger(&owner).await);
    assert_eq!(alone[0], (ANN, 3.0, 2, 1));

    // What was read bit by bit is what a server reads that begins.
    let read = ledger(&owner).await;
    server.sigterm().await;
    server.restart().await;
    assert_eq!(ledger(&owner).await, read);
}

#[tokio::test]
async fn the_weeks_ledger_follows_the_assignments() {
    the_ledger_follows_the_assignments(Shop::new().at_noon()).await;
}

#[tokio::test]
async fn the_weeks_ledger_follows_the_assignments_on_postgres() {
    let database = Throwaway::postgres().await;
    the_ledger_follows_the_assignments(Shop::on(&database).at_noon()).await;
}

/// Makes everything that happened to the order have happened in an earlier week.
async fn move_to_last_week(server: &Server, number: i64) {
    let week = 8 * 24 * 60 * 60 * 1_000_i64;
    let back = format!("UPDATE events SET at = at - {week} WHERE ro_number = {number}");
    let store = server.shop.store().await;
    store.writer().execute_unprepared(&back).await.unwrap();
}

async fn an_assignment_counts_in_its_week_alone(shop: Shop) {
    let (server, owner) = a_shop(shop).await;
    owner.assign(71, ANN).await.good();
    owner.assign(72, ANN).await.good();
    owner.assign(73, DEEPA).await.good();
    for number in [71, 73] {
        move_to_last_week(&server, number).await;
    }
    assert_eq!(given(&ledger(&owner).await), [(ANN, 3.0, 2, 1)]);
    // Half of the order is Jean-Luc's from now on; Ann has had hers since last week.
    owner.assign(71, JEAN_LUC).await.good();
    let shared = given(&ledger(&owner).await);
    assert_eq!(shared, [(ANN, 3.0, 2, 1), (JEAN_LUC, 1.25, 2, 0)]);
    // Who gives it back and gets it again was given it this week.
    owner.unassign(73, DEEPA).await.good();
    owner.assign(73, DEEPA).await.good();
    assert_eq!(given(&ledger(&owner).await)[2], (DEEPA, 4.0, 1, 0));
}

#[tokio::test]
async fn an_assignment_counts_in_the_week_it_was_made() {
    an_assignment_counts_in_its_week_alone(Shop::new().at_noon()).await;
}

#[tokio::test]
async fn an_assignment_counts_in_the_week_it_was_made_on_postgres() {
    let database = Throwaway::postgres().await;
    an_assignment_counts_in_its_week_alone(Shop::on(&database).at_noon()).await;
}

/// Ids, the best first, and for the best what the week says.
async fn suggested(owner: &Desk) -> (Vec<i64>, Value) {
    let path = "/api/repair-orders/candidates?roNumbers=74";
    let candidates = owner.get(path).await.result();
    let candidates = candidates.as_array().unwrap();
    let ids = candidates
        .iter()
        .map(|one| one["idTechnician"].as_i64().unwrap());
    let reasons = candidates[0]["reasons"].as_array().unwrap();
    (ids.collect(), reasons.last().unwrap().clone())
}

#[tokio::test]
async fn where_all_else_is_equal_who_was_given_the_least_is_suggested() {
    let (_server, owner) = a_shop(Shop::new().at_noon()).await;
    // By name.
    let (ids, week) = suggested(&owner).await;
    assert_eq!(ids, [ANN, DEEPA, JEAN_LUC, ZOE]);
    assert_eq!(
        week,
        json!({
            "kind": "week",
            "hours": 0.0,
            "jobs": 0,
            "jobsWithoutHours": 0,
            "kinds": [],
            "team": 0,
            "teamHours": null,
            "teamJobsWithoutHours": 0,
            "decided": false,
        })
    );
    // Closed orders are in nobody's hands, and were given all the same.
    for (number, technician) in [(71, ANN), (72, DEEPA), (73, ZOE)] {
        owner.assign(number, technician).await.good();
        let path = format!("/api/repair-orders/{number}/close");
        owner.post(&path, json!({})).await.good();
    }
    let (ids, week) = suggested(&owner).await;
    assert_eq!(ids, [JEAN_LUC, ANN, DEEPA, ZOE]);
    assert_eq!(
        (&week["hours"], &week["decided"]),
        (&json!(0.0), &json!(true))
    );
    // Work in hand comes before it.
    owner
        .post("/api/repair-orders/71/reopen", json!({}))
        .await
        .good();
    assert_eq!(suggested(&owner).await.0, [JEAN_LUC, DEEPA, ZOE, ANN]);
}

#[tokio::test]
async fn owners_say_what_kind_of_work_an_operation_code_is() {
    let (server, owner) = Server::with_owner().await;
    let admin = server.hire("admin@example.com", "Admin").await;
    say(&owner, " diag* ", json!("diagnosis")).await;
    say(&owner, "W*", json!("warranty")).await;
    say(&owner, "LOF", json!("menu")).await;
    let listed = admin.get("/api/work-kinds").await.result();
    let entry = |pattern: &str, kind: &str| json!({ "pattern": pattern, "kind": kind });
    let expected = [
        entry("DIAG*", "diagnosis"),
        entry("LOF", "menu"),
        entry("W*", "warranty"),
    ];
    assert_eq!(listed, json!(expected));
    say(&owner, "w*", Value::Null).await;
    let listed = admin.get("/api/work-kinds").await.result();
    assert_eq!(listed, json!(expected[..2]));
    for (body, code) in [
        (
            json!({ "pattern": "B*K", "kind": "menu" }),
            "invalid-opcode-pattern",
        ),
        (
            json!({ "pattern": "BRK", "kind": "waiter" }),
            "invalid-request",
        ),
        (json!({ "pattern": "BRK" }), "invalid-request"),
    ] {
        owner.put("/api/work-kinds", body).await.refused(400, code);
    }
    let body = entry("BRK", "menu");
    admin
        .put("/api/work-kinds", body)
        .await
        .refused(403, "forbidden");
}
