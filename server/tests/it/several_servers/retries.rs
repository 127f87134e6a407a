//! One request that comes to two servers, as a client sends it again that had no answer.

use jiff::{SignedDuration, Timestamp};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use super::two_servers;
use crate::fixture::{Answer, Desk, Shop};

const ROUNDS: i64 = 8;
const LEVELS: &str = "/api/organisation/levels";
const PRIORITY: &str = "/api/repair-orders/update-priority";

/// An order whose customer can be called again and again: each call is an event.
const LATE: i64 = 21;

async fn count(shop: &Shop, rows: &str) -> i64 {
    let store = shop.store().await;
    let query = format!("SELECT count(*) AS rows FROM {rows}");
    let query = Statement::from_string(store.reader().get_database_backend(), query);
    let row = store.reader().query_one_raw(query).await.unwrap();
    row.unwrap().try_get("", "rows").unwrap()
}

async fn call_customer(desk: &Desk, key: &str) -> Answer {
    let path = format!("/api/repair-orders/{LATE}/calls");
    let body = json!({ "about": ["late"] });
    desk.post_with_key(&path, body, key).await
}

async fn add_level(desk: &Desk, name: &str) -> Answer {
    let body = json!({ "name": name });
    desk.post_with_key(LEVELS, body, name).await
}

#[tokio::test]
async fn a_request_that_comes_to_two_servers_at_once_is_executed_once_and_answered_alike() {
    let (_database, first, second, owner) = two_servers().await;
    let there = Desk::at(&second, &owner);
    let enabled = json!({ "enabled": true });
    owner.put("/api/stages", enabled).await.good();
    let promised = Timestamp::now() - SignedDuration::from_hours(1);
    let late = json!([{ "repairOrderNumber": LATE, "promisedDateTime": promised }]);
    first.shop.import(&late).await;
    let events = count(&first.shop, "events").await;
    for round in 0..ROUNDS {
        let key = format!("call-{round}");
        let (one, other) = tokio::join!(call_customer(&owner, &key), call_customer(&there, &key));
        let done = one.good();
        assert_eq!(done["result"]["seq"], events + round + 1);
        assert_eq!(other.good(), done);
        // No order's change: the committer does not write it. Whoever is later is refused the name.
        let name = format!("Level-{round}");
        let (one, other) = tokio::join!(add_level(&owner, &name), add_level(&there, &name));
        assert_eq!(other.good(), one.good());
    }
    let expected = [
        ("events", events + ROUNDS),
        ("receipts WHERE key LIKE 'call-%'", ROUNDS),
        ("receipts WHERE key LIKE 'Level-%'", ROUNDS),
        ("organisation_levels WHERE name LIKE 'Level-%'", ROUNDS),
    ];
    for (rows, expected) in expected {
        assert_eq!(count(&second.shop, rows).await, expected, "{rows}");
    }
}

#[tokio::test]
async fn a_request_that_one_server_answered_is_answered_alike_by_another_and_does_nothing() {
    let (_database, mut first, second, owner) = two_servers().await;
    let there = Desk::at(&second, &owner);
    let high = |version: Value| {
        let entry = json!({ "roNumber": 1, "priorityLevel": "3", "expectedVersion": version });
        json!({ "data": [entry] })
    };
    let changed = owner.post_with_key(PRIORITY, high(1.into()), "high").await;
    assert_eq!(changed.body["result"][0]["version"], 2);
    let stale = owner.post_with_key(PRIORITY, high(1.into()), "stale").await;
    assert_eq!(stale.status, 409);
    // Executed again, either would be another change now.
    there.change_priority(1, 1).await.good();
    let seq = there.seq().await;

    let again = async || {
        let answered = there.post_with_key(PRIORITY, high(1.into()), "high").await;
        assert_eq!((answered.status, &answered.body), (200, &changed.body));
        let refused = there.post_with_key(PRIORITY, high(1.into()), "stale").await;
        assert_eq!((refused.status, &refused.body), (409, &stale.body));
        let other = there.post_with_key(PRIORITY, high(3.into()), "high").await;
        other.refused(409, "idempotency-key-reused");
    };
    again().await;
    first.sigkill().await;
    again().await;
    assert_eq!(there.seq().await, seq);
    assert_eq!(count(&second.shop, "events WHERE ro_number = 1").await, 3);
}
