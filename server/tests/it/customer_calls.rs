//! Which customers an advisor is to call, and why; and that a call that was answered is never lost.

use std::cell::Cell;

use dispatch_actors::repair_order::{CallReason, Change, RepairOrder, RoNumber};
use dispatch_actors::store::{DatabaseUrl, Store};
use dispatch_actors::testing::Throwaway;
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};

use crate::crash::settle;
use crate::fixture::{AROUND_THE_CLOCK, Answer, Desk, Server, Shop};

const TO_CALL: &str = "/api/customers-to-call";

fn ahead(minutes: i64) -> Timestamp {
    Timestamp::now() + SignedDuration::from_mins(minutes)
}

fn order(number: i64, advisor: &str, promised: Option<Timestamp>) -> Value {
    json!({
        "repairOrderNumber": number,
        "customer": format!("Customer {number}"),
        "advisor": advisor,
        "promisedDateTime": promised,
        "jobs": [{ "jobNumber": 1, "operations": [{ "operationCode": "LOF", "soldHours": 1.0 }] }],
    })
}

/// It is noon. Dana has 71 to 75, of which 71 is late and 72 at risk; 76 is Lee's, and late.
async fn a_shop(shop: Shop) -> (Server, Desk) {
    let server = Server::start_in(shop, &AROUND_THE_CLOCK).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let enabled = json!({ "enabled": true });
    owner.put("/api/stages", enabled).await.good();
    let orders = json!([
        order(71, "Dana Whitfield", Some(ahead(-30))),
        order(72, "Dana Whitfield", Some(ahead(65))),
        order(73, "DANA WHITFIELD ", None),
        order(74, "Dana Whitfield", None),
        order(75, "Dana Whitfield", Some(ahead(600))),
        order(76, "Lee Park", Some(ahead(-30))),
    ]);
    server.shop.import(&orders).await;
    (server, owner)
}

async fn list(desk: &Desk, advisor: &str) -> Value {
    let path = format!("{TO_CALL}?advisor={}", advisor.replace(' ', "%20"));
    desk.get(&path).await.good()
}

/// Each with its reasons; those about which the customer was called are in brackets.
async fn reasons(desk: &Desk) -> Vec<String> {
    let list = list(desk, "dana whitfield").await;
    let customers = list["result"].as_array().unwrap().iter();
    let of = |customer: &Value| {
        let reasons = customer["reasons"].as_array().unwrap().iter();
        let name = |one: &Value| {
            let reason = one["reason"].as_str().unwrap();
            match one["calledAt"].is_null() {
                true => reason.to_owned(),
                false => format!("({reason})"),
            }
        };
        let names: Vec<String> = reasons.map(name).collect();
        format!("{} {}", customer["roNumber"], names.join(" "))
    };
    customers.map(of).collect()
}

async fn call(desk: &Desk, number: i64, about: &[&str]) -> Answer {
    let path = format!("/api/repair-orders/{number}/calls");
    desk.post(&path, json!({ "about": about })).await
}

async fn stage(desk: &Desk, number: i64, stage: &str) {
    let path = format!("/api/repair-orders/{number}/stage");
    desk.post(&path, json!({ "stage": stage })).await.good();
}

async fn undo(desk: &Desk, number: i64) {
    let path = format!("/api/repair-orders/{number}/undo");
    desk.post(&path, json!({})).await.good();
}

#[tokio::test]
async fn an_advisor_sees_whom_to_call_and_why_until_they_have_called() {
    let (server, owner) = a_shop(Shop::new().at_noon()).await;
    owner
        .post(
            "/api/repair-orders/73/holds",
            json!({ "reason": "approval" }),
        )
        .await
        .good();
    stage(&owner, 74, "ready").await;
    assert_eq!(
        reasons(&owner).await,
        ["71 late", "72 at-risk", "73 approval", "74 ready"]
    );
    let listed = list(&owner, "dana whitfield").await;
    assert_eq!(listed["advisor"], "Dana Whitfield");
    assert_eq!(
        listed["advisors"],
        json!([{ "name": "Dana Whitfield", "orders": 5 }, { "name": "Lee Park", "orders": 1 }])
    );
    let promise = &listed["result"][1]["promise"];
    assert_eq!(
        (&promise["state"], &promise["hoursLeft"]),
        (&json!("at-risk"), &json!(1.0))
    );

    let mut socket = owner.listen(&server).await;
    call(&owner, 71, &["late"]).await.good();
    let heard = socket.modified().await;
    assert_eq!(
        (&heard["roNumber"], &heard["action"]),
        (&json!(71), &json!("CUSTOMER_CALLED"))
    );
    call(&owner, 73, &["approval"]).await.good();
    assert_eq!(
        reasons(&owner).await,
        ["72 at-risk", "74 ready", "71 (late)", "73 (approval)"]
    );
    // Another reason later brings them back.
    stage(&owner, 71, "ready").await;
    assert_eq!(
        reasons(&owner).await,
        ["72 at-risk", "74 ready", "71 ready", "73 (approval)"]
    );
    undo(&owner, 71).await;
    undo(&owner, 73).await;
    assert_eq!(
        reasons(&owner).await,
        ["72 at-risk", "73 approval", "74 ready", "71 (late)"]
    );
    let history = owner.get("/api/repair-orders/73/history").await.result();
    let called = |entry: &Value| {
        let change = &entry["changes"][0];
        json!([
            entry["action"],
            entry["by"]["name"],
            change["from"],
            change["to"]
        ])
    };
    assert_eq!(
        [called(&history[0]), called(&history[1])],
        [
            json!(["CUSTOMER_CALLED", owner.name, "approval", null]),
            json!(["CUSTOMER_CALLED", owner.name, null, "approval"]),
        ]
    );
}

#[tokio::test]
async fn who_is_named_as_orders_name_the_advisor_need_not_say_who_they_are() {
    let (server, owner) = a_shop(Shop::new().at_noon()).await;
    let unnamed = owner.get(TO_CALL).await.good();
    assert_eq!(unnamed["advisor"], Value::Null);
    assert_eq!(unnamed["result"], json!([]));
    let name = &owner.name;
    let own = json!([order(80, &name.to_uppercase(), Some(ahead(-5)))]);
    server.shop.import(&own).await;
    let named = owner.get(TO_CALL).await.good();
    assert_eq!(named["advisor"], name.to_uppercase());
    assert_eq!(named["result"][0]["roNumber"], 80);
    let long = format!("{TO_CALL}?advisor={}", "x".repeat(201));
    owner.get(&long).await.refused(400, "invalid-request");
}

#[tokio::test]
async fn a_call_is_about_something_that_is_so() {
    let (server, owner) = a_shop(Shop::new().at_noon()).await;
    for about in ["approval", "ready"] {
        let refused = call(&owner, 71, &[about]).await;
        refused.refused(409, "nothing-to-call-about");
    }
    call(&owner, 73, &["late"])
        .await
        .refused(409, "nothing-to-call-about");
    for wrong in [
        json!({}),
        json!({ "about": [] }),
        json!({ "about": ["lunch"] }),
    ] {
        let path = "/api/repair-orders/71/calls";
        owner
            .post(path, wrong)
            .await
            .refused(400, "invalid-request");
    }
    call(&owner, 404, &["late"])
        .await
        .refused(404, "unknown-repair-order");
    let stale = json!({ "about": ["late"], "expectedVersion": 0 });
    let refused = owner.post("/api/repair-orders/71/calls", stale).await;
    assert_eq!(refused.body["code"], "stale-version");
    let technician = server.hire("tyler@example.com", "Technician").await;
    call(&technician, 71, &["late"])
        .await
        .refused(403, "forbidden");
    let disabled = json!({ "enabled": false });
    owner.put("/api/stages", disabled).await.good();
    call(&owner, 71, &["late"]).await.refused(409, "stages-off");
    owner.get(TO_CALL).await.refused(409, "stages-off");
}

/// Calls until the server is gone; the numbers of the events that were answered.
async fn call_again_and_again(desk: &Desk, number: i64, count: &Cell<usize>) -> Vec<(i64, i64)> {
    let mut answered = Vec::new();
    let path = format!("/api/repair-orders/{number}/calls");
    loop {
        let body = json!({ "about": ["late", "at-risk"] });
        let Ok(answer) = desk.request(Method::POST, &path).json(&body).send().await else {
            return answered;
        };
        assert_eq!(answer.status(), 200);
        // An answer that was cut off acknowledged nothing.
        let Ok(answer) = answer.json::<Value>().await else {
            return answered;
        };
        // Two calls of the same moment are one.
        if let Some(seq) = answer["result"]["seq"].as_i64() {
            answered.push((number, seq));
            count.set(count.get() + 1);
        }
    }
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

/// The database itself is read after the power cut, not what a server says of it.
async fn a_call_that_was_answered_is_there_after_a_power_cut(database: Option<&Throwaway>) {
    let shop = database.map_or_else(Shop::new, Shop::on);
    let (mut server, owner) = a_shop(shop).await;
    for _ in 0..3 {
        let count = Cell::new(0);
        let numbers = [71, 72, 76];
        let writers = numbers.map(|number| call_again_and_again(&owner, number, &count));
        let cut = async {
            while count.get() < 30 {
                tokio::task::yield_now().await;
            }
            server.sigkill().await;
        };
        let (answered, ()) = tokio::join!(join_all(writers), cut);
        let store = open(&server.shop, database).await;
        settle(&store).await;
        for (number, seq) in answered.into_iter().flatten() {
            let event = store.event(seq).await.unwrap().unwrap();
            assert_eq!((event.number.get(), &event.by.uid), (number, &owner.uid));
            let Change::CustomerCalled { about, to, .. } = &event.change else {
                panic!("{event:?}");
            };
            assert_eq!(about, &[CallReason::Late, CallReason::AtRisk]);
            assert_eq!(to.len(), 2);
        }
        for number in numbers {
            let number = RoNumber::try_from(number).unwrap();
            let events = store.events_from(number, 0).await.unwrap();
            let replayed = RepairOrder::replay(events.iter().map(|event| &event.change));
            let kept = store.load(number).await.unwrap();
            assert_eq!(kept, replayed);
            assert_eq!(kept.unwrap().progress.calls.len(), 2);
        }
        store.close().await;
        server.restart().await;
    }
}

#[tokio::test]
async fn a_call_that_was_answered_is_there_after_a_power_cut_on_sqlite() {
    a_call_that_was_answered_is_there_after_a_power_cut(None).await;
}

#[tokio::test]
async fn a_call_that_was_answered_is_there_after_a_power_cut_on_postgres() {
    let database = Throwaway::postgres().await;
    a_call_that_was_answered_is_there_after_a_power_cut(Some(&database)).await;
}
