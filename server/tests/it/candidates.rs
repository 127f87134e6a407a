//! Who should get this? The proposal for one order and for a batch.

use serde_json::{Value, json};

use crate::fixture::{Answer, Desk, Server, plain_orders};
use crate::sample::{sample_shop, sample_shop_at_noon};

async fn ask(desk: &Desk, numbers: &str) -> Answer {
    let path = format!("/api/repair-orders/candidates?roNumbers={numbers}");
    desk.get(&path).await
}

fn ids(candidates: &Value) -> Vec<i64> {
    let candidates = candidates.as_array().unwrap().iter();
    candidates
        .map(|candidate| candidate["idTechnician"].as_i64().unwrap())
        .collect()
}

/// The reasons of one kind.
fn reasons(candidate: &Value, kind: &str) -> Vec<Value> {
    let reasons = candidate["reasons"].as_array().unwrap().iter();
    reasons
        .filter(|reason| reason["kind"] == kind)
        .cloned()
        .collect()
}

#[tokio::test]
async fn every_technician_on_the_list_is_ranked_with_reasons() {
    let (_server, owner) = sample_shop_at_noon().await;
    let candidates = ask(&owner, "104218").await.result();
    // Nobody is asked for anything: Jean-Luc is on it already; the others go by what is in hand.
    assert_eq!(ids(&candidates), [23, 22, 11, 14]);
    // 104218 has no promise: all work comes before it.
    let load = |hours: f64, orders: i64, unknown: i64, unknown_today: i64| {
        json!({
            "kind": "load",
            "assignedHours": hours,
            "dueHours": hours,
            "dueTodayHours": hours,
            "dueTodayJobsWithoutHours": unknown_today,
            "hoursLeftToday": 8.0,
            "dailyHours": 8.0,
            "openOrders": orders,
            "jobsWithoutHours": unknown,
        })
    };
    let mut jean_luc = candidates[3].clone();
    // What they were given this week has tests of its own.
    let week = jean_luc["reasons"].as_array_mut().unwrap().pop();
    assert_eq!(week.unwrap()["kind"], "week");
    assert_eq!(
        jean_luc,
        json!({
            "idTechnician": 14,
            "displayName": "Jean-Luc F.",
            "specialty": "Engine",
            "levelName": null,
            "reasons": [
                { "kind": "already-on", "orders": 1, "of": 1 },
                { "kind": "no-rule" },
                { "kind": "clock", "state": "off" },
                load(0.0, 1, 3, 3),
                { "kind": "portal", "enabled": true },
            ],
        })
    );
    assert_eq!(reasons(&candidates[2], "load"), [load(0.15, 2, 3, 1)]);

    let rule = |pattern: &str, skill: i64, level: i64| json!({ "pattern": pattern, "idSkill": skill, "level": level });
    for rule in [rule("DIAG", 3, 5), rule("AC*", 2, 4), rule("BRK*", 2, 3)] {
        owner.post("/api/opcode-rules", rule).await.good();
    }
    owner
        .put("/api/technicians/23/skills/3", json!({ "level": 6 }))
        .await
        .good();
    owner
        .patch("/api/technicians/23", json!({ "idLevel": 2 }))
        .await
        .good();
    let candidates = ask(&owner, "A0104218").await.result();
    // Of two who lack one skill the one who is below in the other comes later.
    assert_eq!(ids(&candidates), [23, 11, 22, 14]);
    assert_eq!(candidates[0]["levelName"], "Master");
    let skill = |name: &str, wanted: i64, level: Option<i64>, state: &str| {
        json!({
            "kind": "skill",
            "skillName": name,
            "wanted": wanted,
            "level": level,
            "state": state,
        })
    };
    assert_eq!(
        reasons(&candidates[0], "skill"),
        [
            skill("Hybrid", 5, Some(6), "has"),
            skill("Brakes", 4, None, "lacks")
        ]
    );
    assert_eq!(
        reasons(&candidates[1], "skill"),
        [
            skill("Hybrid", 5, None, "lacks"),
            skill("Brakes", 4, Some(3), "below")
        ]
    );
    assert!(reasons(&candidates[0], "no-rule").is_empty());
    // Nobody was assigned by asking.
    let order = owner
        .get("/api/repair-orders/specific/104218")
        .await
        .result();
    assert_eq!(order[0]["version"], 1);
}

#[tokio::test]
async fn a_batch_requires_every_skill_that_one_of_its_orders_requires() {
    let (server, owner) = sample_shop().await;
    let rules = [
        json!({ "pattern": "BRKF", "idSkill": 2, "level": 3 }),
        json!({ "pattern": "UCI", "idSkill": 1, "level": 1 }),
    ];
    for rule in rules {
        owner.post("/api/opcode-rules", rule).await.good();
    }
    let admin = server.hire("admin@example.com", "Admin").await;
    let candidates = ask(&admin, "104219,104217,104219").await.result();
    // Ann has both skills, but is on both orders already; Deepa on one of them.
    assert_eq!(ids(&candidates), [14, 23, 22, 11]);
    let on = |orders: i64| vec![json!({ "kind": "already-on", "orders": orders, "of": 2 })];
    assert_eq!(reasons(&candidates[3], "already-on"), on(2));
    assert_eq!(reasons(&candidates[2], "already-on"), on(1));
    assert!(reasons(&candidates[1], "already-on").is_empty());
    let wanted: Vec<Value> = reasons(&candidates[0], "skill")
        .into_iter()
        .map(|reason| reason["skillName"].clone())
        .collect();
    assert_eq!(wanted, ["Brakes", "Oil change"]);
}

#[tokio::test]
async fn an_invalid_request_for_candidates_is_refused() {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(201)).await;
    let numbers = |count: i64| {
        let numbers: Vec<String> = (1..=count).map(|number| number.to_string()).collect();
        numbers.join(",")
    };
    ask(&owner, &numbers(200)).await.good();
    assert_eq!(
        ask(&owner, &numbers(201))
            .await
            .refused(400, "invalid-request"),
        "201 RO numbers were named; name at most 200 at once"
    );
    for text in ["", "one", "1,,2"] {
        ask(&owner, text).await.refused(400, "invalid-ro-number");
    }
    let missing = owner.get("/api/repair-orders/candidates").await;
    missing.refused(400, "invalid-ro-number");
    ask(&owner, "1,404")
        .await
        .refused(404, "unknown-repair-order");
    owner
        .post("/api/repair-orders/2/close", json!({}))
        .await
        .good();
    ask(&owner, "1,2").await.refused(409, "repair-order-closed");
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    assert_eq!(
        ask(&advisor, "1").await.refused(403, "forbidden"),
        "Dispatching technicians needs one of the roles Owner, Admin"
    );
}
