//! Stages of work and holds: the shop's list, how orders move, who may move them, and what a power cut leaves.

use std::time::Duration;

use dispatch_actors::repair_order::{RepairOrder, RoNumber};
use dispatch_actors::store::{DatabaseUrl, Store};
use dispatch_actors::testing::{Throwaway, shipped_stages};
use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement, TransactionTrait};
use serde_json::{Value, json};

use crate::clocks::{ANN, a_shop, start, tap, technician};
use crate::crash::settle;
use crate::fixture::{Answer, Desk, Shop, WAIT_TIMEOUT};

pub const STAGES: &str = "/api/stages";

pub async fn turn(desk: &Desk, enabled: bool) -> Value {
    let settings = json!({ "enabled": enabled });
    desk.put(STAGES, settings).await.result()
}

pub async fn row(desk: &Desk, number: i64) -> Value {
    let path = format!("/api/repair-orders/specific/{number}");
    let mut answer = desk.get(&path).await.good();
    answer["result"][0].take()
}

pub async fn stage(desk: &Desk, number: i64) -> String {
    let row = row(desk, number).await;
    row["stage"].as_str().unwrap_or_default().to_owned()
}

/// What the clocks tell comes a moment after the tap.
pub async fn becomes(desk: &Desk, number: i64, expected: &str) {
    let is_there = async {
        while stage(desk, number).await != expected {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let waited = tokio::time::timeout(WAIT_TIMEOUT, is_there).await;
    assert!(
        waited.is_ok(),
        "{number} is not {expected}: {}",
        row(desk, number).await
    );
}

pub async fn set(desk: &Desk, number: i64, stage: &str) -> Answer {
    let path = format!("/api/repair-orders/{number}/stage");
    desk.post(&path, json!({ "stage": stage })).await
}

pub async fn hold(desk: &Desk, number: i64, hold: Value) -> Answer {
    desk.post(&format!("/api/repair-orders/{number}/holds"), hold)
        .await
}

async fn end(desk: &Desk, number: i64, hold: i64) -> Answer {
    let path = format!("/api/repair-orders/{number}/holds/{hold}/end");
    desk.post(&path, json!({})).await
}

async fn undo(desk: &Desk, number: i64) -> Answer {
    let path = format!("/api/repair-orders/{number}/undo");
    desk.post(&path, json!({})).await
}

#[tokio::test]
async fn a_shop_without_stages_is_as_it_was() {
    let (server, boss) = a_shop(Shop::new().at_noon()).await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    start(&ann, 71, 1).await;
    boss.post("/api/repair-orders/72/close", json!({}))
        .await
        .good();
    for number in [71, 73] {
        let row = row(&boss, number).await;
        for field in ["stage", "stageSince", "holds"] {
            assert!(row.get(field).is_none(), "{row}");
        }
    }
    let history = boss.get("/api/repair-orders/71/history").await.result();
    let actions: Vec<&str> = history
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["action"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["TECH_ASSIGNED", "CREATED"]);
    set(&boss, 71, "ready").await.refused(409, "stages-off");
    hold(&boss, 71, json!({ "reason": "parts" }))
        .await
        .refused(409, "stages-off");
    let strip = boss.get("/api/repair-orders/71/stages").await;
    strip.refused(409, "stages-off");
}

#[tokio::test]
async fn owners_edit_the_list_and_a_deleted_stage_stays_known() {
    let (server, boss) = a_shop(Shop::new()).await;
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    let list = advisor.get(STAGES).await.result();
    assert_eq!(list["enabled"], false);
    let stages = list["stages"].as_array().unwrap();
    let shipped = shipped_stages().stages;
    assert_eq!(stages.len(), shipped.len());
    for (stage, rule) in stages.iter().zip(&shipped) {
        assert_eq!(stage["id"], rule.id.as_str());
        assert_eq!(stage["kind"], serde_json::to_value(rule.kind).unwrap());
        for language in ["en", "es", "de"] {
            assert_ne!(stage["name"][language], "", "{stage}");
        }
    }
    let names = json!({ "en": "Test drive", "es": "Prueba", "de": "Probefahrt" });
    let new = json!({ "name": names, "kind": "active", "colour": "teal", "tooLongMinutes": 20 });
    let added = boss.post(STAGES, new.clone()).await.result();
    assert_eq!(
        added,
        json!({
            "id": "stage-1", "name": names, "kind": "active", "colour": "teal",
            "tooLongMinutes": 20,
        })
    );
    for (field, value) in [
        ("kind", json!("parked")),
        ("colour", json!("red")),
        ("tooLongMinutes", json!(0)),
        ("limit", json!(0)),
        ("limit", json!(1000)),
        ("limit", json!(2.5)),
        ("name", json!({ "en": "", "es": "x", "de": "x" })),
    ] {
        let mut wrong = new.clone();
        wrong[field] = value;
        boss.post(STAGES, wrong)
            .await
            .refused(400, "invalid-request");
    }
    let path = format!("{STAGES}/stage-1");
    let changed = json!({ "tooLongMinutes": null, "colour": "green" });
    let changed = boss.patch(&path, changed).await.result();
    assert_eq!(changed["tooLongMinutes"], Value::Null);
    let limited = boss.patch(&path, json!({ "limit": 4 })).await.result();
    assert_eq!(limited["limit"], 4);
    let free = boss.patch(&path, json!({ "limit": null })).await.result();
    assert_eq!(free.get("limit"), None);
    turn(&boss, true).await;
    set(&boss, 71, "stage-1").await.good();
    boss.delete(&path).await.good();
    set(&boss, 73, "stage-1")
        .await
        .refused(404, "unknown-stage");
    assert_eq!(stage(&boss, 71).await, "stage-1", "it stays there");
    let mut order: Vec<&str> = shipped.iter().map(|rule| rule.id.as_str()).collect();
    order.reverse();
    let settings = json!({ "order": order });
    let turned = boss.put(STAGES, settings).await.result();
    assert_eq!(turned["enabled"], true);
    let ids: Vec<&str> = turned["stages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|stage| stage["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), 12);
    assert_eq!((ids[0], ids[11]), ("with-the-customer", "stage-1"));
    boss.put(STAGES, json!({ "order": ["no-such"] }))
        .await
        .refused(404, "unknown-stage");
    boss.patch(&path, json!({ "deleted": false })).await.good();
    set(&boss, 73, "stage-1").await.good();
    boss.delete(&format!("{STAGES}/no-such"))
        .await
        .refused(404, "unknown-stage");
    // Everybody hears of it.
    let mut socket = advisor.listen(&server).await;
    turn(&boss, false).await;
    socket.event_named("STAGES_CHANGED").await;
    assert_eq!(stage(&boss, 73).await, "");
}

async fn orders_move_by_themselves(shop: Shop) {
    let (server, boss) = a_shop(shop).await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    start(&ann, 72, 1).await;
    turn(&boss, true).await;
    // Those that were there get what is known of them.
    becomes(&boss, 71, "dispatched").await;
    becomes(&boss, 72, "in-work").await;
    becomes(&boss, 73, "to-be-dispatched").await;
    assert!(row(&boss, 73).await["stageSince"].is_string());
    let list = boss.list().await;
    assert!(
        list["result"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| row["stage"].is_string())
    );
    let new = json!([{ "repairOrderNumber": "74" }]);
    server.shop.import(&new).await;
    assert_eq!(stage(&boss, 74).await, "to-be-dispatched");
    boss.assign(73, ANN).await.good();
    assert_eq!(stage(&boss, 73).await, "dispatched");
    undo(&boss, 73).await.good();
    assert_eq!(stage(&boss, 73).await, "to-be-dispatched");

    start(&ann, 71, 1).await;
    becomes(&boss, 71, "in-work").await;
    let finish = |job: i64| json!({ "action": "finish", "roNumber": 71, "jobNumber": job });
    tap(&ann, finish(1)).await.good();
    tap(&ann, finish(2)).await.good();
    becomes(&boss, 71, "quality-check").await;
    tap(
        &ann,
        json!({ "action": "reopen", "roNumber": 71, "jobNumber": 2 }),
    )
    .await
    .good();
    becomes(&boss, 71, "in-work").await;
    tap(&ann, finish(2)).await.good();
    becomes(&boss, 71, "quality-check").await;
    boss.post("/api/repair-orders/71/close", json!({}))
        .await
        .good();
    let details = boss.get("/api/repair-orders/71").await.result();
    assert_eq!(details["stage"], "with-the-customer");
    boss.post("/api/repair-orders/71/reopen", json!({}))
        .await
        .good();
    assert_eq!(stage(&boss, 71).await, "quality-check");
    let history = boss.get("/api/repair-orders/71/history").await.result();
    let moves: Vec<String> = history
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .filter(|entry| entry["action"] == "STAGE_CHANGED")
        .map(|entry| entry["changes"][0]["to"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        moves,
        [
            "dispatched",
            "in-work",
            "quality-check",
            "in-work",
            "quality-check",
            "with-the-customer",
            "quality-check",
        ]
    );
    let strip = boss.get("/api/repair-orders/71/stages").await.result();
    let spans = strip["spans"].as_array().unwrap();
    assert_eq!(spans[0]["from"], strip["from"]);
    assert_eq!(spans[spans.len() - 1]["to"], strip["to"]);
    assert_eq!(spans[spans.len() - 1]["stage"], "quality-check");
}

#[tokio::test]
async fn orders_move_by_themselves_on_sqlite() {
    orders_move_by_themselves(Shop::new().at_noon()).await;
}

#[tokio::test]
async fn orders_move_by_themselves_on_postgres() {
    let database = Throwaway::postgres().await;
    orders_move_by_themselves(Shop::on(&database).at_noon()).await;
}

#[tokio::test]
async fn a_hold_keeps_an_order_until_it_ends_and_each_of_it_can_be_undone() {
    let (_server, boss) = a_shop(Shop::new()).await;
    turn(&boss, true).await;
    becomes(&boss, 71, "dispatched").await;
    let parts = json!({
        "reason": "parts", "expectedUntil": "2030-01-02T10:00:00Z", "note": "Backordered",
    });
    let begun = hold(&boss, 71, parts.clone()).await.good();
    let found = &begun["result"]["rows"][0];
    assert_eq!(found["stage"], "waiting-for-parts");
    let held = &found["holds"][0];
    assert_eq!(
        (
            &held["id"],
            &held["reason"],
            &held["whoActs"],
            &held["note"]
        ),
        (
            &json!(1),
            &json!("parts"),
            &json!("parts"),
            &json!("Backordered")
        )
    );
    assert_eq!(held["expectedUntil"], "2030-01-02T10:00:00Z");
    // The same again is nothing new.
    let again = hold(&boss, 71, parts).await.good();
    assert_eq!(again["result"]["seq"], Value::Null);
    set(&boss, 71, "in-work").await.refused(409, "on-hold");
    undo(&boss, 71).await.good();
    assert_eq!(stage(&boss, 71).await, "dispatched");
    assert!(row(&boss, 71).await.get("holds").is_none());

    hold(&boss, 71, json!({ "reason": "sublet", "jobNumber": 1 }))
        .await
        .good();
    assert_eq!(stage(&boss, 71).await, "dispatched", "job 2 can be done");
    hold(&boss, 71, json!({ "reason": "approval", "jobNumber": 2 }))
        .await
        .good();
    assert_eq!(stage(&boss, 71).await, "waiting-for-approval");
    end(&boss, 71, 3).await.good();
    assert_eq!(stage(&boss, 71).await, "dispatched");
    undo(&boss, 71).await.good();
    assert_eq!(stage(&boss, 71).await, "waiting-for-approval");
    let moved = json!({ "stage": "ready", "endHolds": true });
    boss.post("/api/repair-orders/71/stage", moved).await.good();
    assert_eq!(stage(&boss, 71).await, "ready");
    end(&boss, 71, 3).await.good();

    end(&boss, 71, 9).await.refused(404, "unknown-hold");
    set(&boss, 71, "no-such")
        .await
        .refused(404, "unknown-stage");
    set(&boss, 71, "No such!")
        .await
        .refused(404, "unknown-stage");
    set(&boss, 999, "ready")
        .await
        .refused(404, "unknown-repair-order");
    for wrong in [
        json!({}),
        json!({ "reason": "lunch" }),
        json!({ "reason": "parts", "expectedUntil": "tomorrow" }),
        json!({ "reason": "parts", "whoActs": "nobody" }),
        json!({ "reason": "parts", "note": "x".repeat(501) }),
    ] {
        hold(&boss, 71, wrong).await.refused(400, "invalid-request");
    }
    hold(&boss, 71, json!({ "reason": "parts", "jobNumber": 9 }))
        .await
        .refused(404, "unknown-job");
    let version = row(&boss, 71).await["version"].as_i64().unwrap();
    let stale = json!({ "stage": "wash", "expectedVersion": version - 1 });
    let path = "/api/repair-orders/71/stage";
    let refused = boss.post(path, stale).await;
    assert_eq!(refused.status, 409);
    assert_eq!(refused.body["code"], "stale-version");
    assert_eq!(refused.body["current"]["rows"][0]["stage"], "ready");
    let fresh = json!({ "stage": "wash", "expectedVersion": version });
    let first = boss
        .post_with_key(path, fresh.clone(), "tap-1")
        .await
        .good();
    let second = boss.post_with_key(path, fresh, "tap-1").await.good();
    assert_eq!(
        first, second,
        "a request that is sent again does nothing twice"
    );
    boss.post("/api/repair-orders/71/close", json!({}))
        .await
        .good();
    set(&boss, 71, "wash")
        .await
        .refused(409, "repair-order-closed");
}

#[tokio::test]
async fn null_takes_the_expected_end_of_a_hold_away_and_what_is_left_out_stays() {
    let (_server, boss) = a_shop(Shop::new()).await;
    turn(&boss, true).await;
    let until = "2030-01-02T10:00:00Z";
    let parts = json!({ "reason": "parts", "expectedUntil": until, "note": "Backordered" });
    hold(&boss, 71, parts).await.good();
    let held = async |change: Value| -> Value {
        let changed = hold(&boss, 71, change).await.good();
        changed["result"]["rows"][0]["holds"][0].clone()
    };
    let kept = held(json!({ "reason": "parts", "whoActs": "advisor" })).await;
    assert_eq!(kept["expectedUntil"], until);
    let taken = held(json!({ "reason": "parts", "expectedUntil": null })).await;
    assert!(taken.get("expectedUntil").is_none(), "{taken}");
    assert_eq!(
        (&taken["note"], &taken["whoActs"]),
        (&json!("Backordered"), &json!("advisor"))
    );
    undo(&boss, 71).await.good();
    assert_eq!(row(&boss, 71).await["holds"][0]["expectedUntil"], until);
}

#[tokio::test]
async fn a_technician_has_three_taps_on_their_own_orders() {
    let (server, boss) = a_shop(Shop::new()).await;
    turn(&boss, true).await;
    becomes(&boss, 71, "dispatched").await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    hold(&ann, 71, json!({ "reason": "parts" })).await.good();
    hold(&ann, 71, json!({ "reason": "approval" })).await.good();
    assert_eq!(stage(&ann, 71).await, "waiting-for-approval");
    set(&ann, 72, "quality-check").await.good();
    undo(&ann, 72).await.good();
    assert_eq!(stage(&ann, 72).await, "dispatched");
    set(&ann, 72, "ready").await.refused(403, "forbidden");
    hold(&ann, 71, json!({ "reason": "sublet" }))
        .await
        .refused(403, "forbidden");
    end(&ann, 71, 1).await.refused(403, "forbidden");
    let ends = json!({ "stage": "quality-check", "endHolds": true });
    ann.post("/api/repair-orders/71/stage", ends)
        .await
        .refused(403, "forbidden");
    set(&ann, 73, "quality-check")
        .await
        .refused(403, "forbidden");
    hold(&ann, 73, json!({ "reason": "parts" }))
        .await
        .refused(403, "forbidden");
}

#[tokio::test]
async fn erasing_a_customer_erases_what_was_noted_of_a_hold() {
    let (server, boss) = a_shop(Shop::new()).await;
    turn(&boss, true).await;
    let note = json!({ "reason": "parts", "note": "Mrs Customer calls at nine" });
    hold(&boss, 71, note).await.good();
    end(&boss, 71, 1).await.good();
    hold(
        &boss,
        71,
        json!({ "reason": "approval", "note": "Mrs Customer again" }),
    )
    .await
    .good();
    let erase = ["customer", "erase", "--name", "Customer 71", "--yes"];
    server.shop.run(&erase).await.good();
    let order = boss.get("/api/repair-orders/71").await.result();
    let history = boss.get("/api/repair-orders/71/history").await.result();
    assert!(
        !format!("{order}{history}").contains("Mrs Customer"),
        "{history}"
    );
    assert_eq!(order["holds"][0]["reason"], "approval");
}

/// Assigns and unassigns until the server is gone.
async fn assign_again_and_again(desk: &Desk, number: i64) {
    for round in 0.. {
        let call = if round % 2 == 0 { "assign" } else { "unassign" };
        let path = format!("/api/repair-orders/technicians/{call}");
        let body = json!({ "repairOrderNumber": number, "idTechnician": ANN });
        let request = desk.request(reqwest::Method::POST, &path).json(&body);
        let Ok(answer) = request.send().await else {
            return;
        };
        assert_eq!(answer.status(), 200);
    }
}

/// The order as its row has it, after seeing that its events say the same.
async fn kept(store: &Store, number: i64) -> RepairOrder {
    let number = RoNumber::try_from(number).unwrap();
    let events = store.events_from(number, 0).await.unwrap();
    let replayed = RepairOrder::replay(events.iter().map(|event| &event.change));
    let kept = store.load(number).await.unwrap();
    assert_eq!(kept, replayed);
    kept.unwrap()
}

fn stage_of(order: &RepairOrder) -> &str {
    let stage = &order.progress.placement.stage;
    stage.as_ref().unwrap().as_str()
}

/// Of SQLite the database is the file in the shop's folder.
async fn open(shop: &Shop, database: Option<&Throwaway>) -> Store {
    match database {
        Some(database) => database.store().await,
        None => {
            let path = shop.data_dir().join("dispatch.sqlite");
            let store = Store::open(&DatabaseUrl::Sqlite(path)).await;
            store.unwrap()
        }
    }
}

async fn a_power_cut_leaves_assignment_and_stage_together(database: Option<&Throwaway>) {
    let shop = database.map_or_else(Shop::new, Shop::on);
    let (mut server, boss) = a_shop(shop).await;
    turn(&boss, true).await;
    becomes(&boss, 72, "dispatched").await;
    becomes(&boss, 73, "to-be-dispatched").await;
    for _ in 0..3 {
        let desks = [71, 72, 73].map(|number| (number, &boss));
        let writers = desks.map(|(number, desk)| assign_again_and_again(desk, number));
        let events = boss.seq().await;
        let cut = async {
            while boss.seq().await < events + 40 {}
            server.sigkill().await;
        };
        tokio::join!(join_all(writers), cut);
        let store = open(&server.shop, database).await;
        settle(&store).await;
        for number in [71, 72, 73] {
            let order = kept(&store, number).await;
            let expected = match order.regular_technicians.is_empty() {
                true => "to-be-dispatched",
                false => "dispatched",
            };
            assert_eq!(stage_of(&order), expected, "{number}");
        }
        store.close().await;
        server.restart().await;
    }
}

#[tokio::test]
async fn a_power_cut_leaves_assignment_and_stage_together_on_sqlite() {
    a_power_cut_leaves_assignment_and_stage_together(None).await;
}

#[tokio::test]
async fn a_power_cut_leaves_assignment_and_stage_together_on_postgres() {
    let database = Throwaway::postgres().await;
    a_power_cut_leaves_assignment_and_stage_together(Some(&database)).await;
}

/// Nobody changes the order's row while the transaction lasts.
async fn lock_row(connection: &DatabaseConnection, number: i64) -> sea_orm::DatabaseTransaction {
    let transaction = connection.begin().await.unwrap();
    let lock = format!("SELECT number FROM repair_orders WHERE number = {number} FOR UPDATE");
    let lock = Statement::from_string(DbBackend::Postgres, lock);
    transaction.query_one_raw(lock).await.unwrap().unwrap();
    transaction
}

#[tokio::test]
async fn a_tap_whose_move_a_power_cut_prevented_moves_the_order_at_the_next_start() {
    let database = Throwaway::postgres().await;
    let (mut server, boss) = a_shop(Shop::on(&database)).await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    turn(&boss, true).await;
    becomes(&boss, 71, "dispatched").await;
    let store = database.store().await;
    let lock = lock_row(store.writer().without_limit(), 71).await;
    start(&ann, 71, 1).await;
    server.sigkill().await;
    let untold = kept(&store, 71).await;
    assert_eq!(stage_of(&untold), "dispatched", "the move is missing");
    lock.rollback().await.unwrap();
    server.restart().await;
    becomes(&boss, 71, "in-work").await;
    let order = kept(&store, 71).await;
    assert!(order.progress.work.clocked);
    let history = boss.get("/api/repair-orders/71/history").await.result();
    assert_eq!(history[0]["channel"], "clock");
    assert_eq!(history[0]["undoable"], false);
    store.close().await;
}
