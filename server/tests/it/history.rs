//! History and undo, retries and stale versions, to the letter.

use serde_json::{Value, json};

use crate::fixture::{Desk, Server};
use crate::sample::sample_shop;

async fn history(desk: &Desk, number: i64) -> Vec<Value> {
    let answer = desk
        .get(&format!("/api/repair-orders/{number}/history"))
        .await
        .result();
    answer.as_array().unwrap().clone()
}

async fn undo(desk: &Desk, number: i64, body: Value) -> crate::fixture::Answer {
    desk.post(&format!("/api/repair-orders/{number}/undo"), body)
        .await
}

async fn staffed() -> (Server, Desk, Desk) {
    let (server, owner) = sample_shop().await;
    server
        .shop
        .add_user("advisor@shop.example", "Advisor")
        .await;
    let advisor = server.sign_in("advisor@shop.example").await;
    (server, owner, advisor)
}

#[tokio::test]
async fn the_history_says_who_changed_what_and_when() {
    let (_server, _owner, advisor) = staffed().await;
    advisor.change_status(104217, 12).await.good();
    let entries = history(&advisor, 104217).await;
    let summary: Vec<_> = entries
        .iter()
        .map(|entry| {
            (
                entry["action"].as_str().unwrap(),
                entry["version"].as_i64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        summary,
        [
            ("PRIORITY_CHANGED", 3),
            ("STATUS_CHANGED", 2),
            ("CREATED", 1)
        ]
    );
    let status = &entries[1];
    assert_eq!(
        status["changes"],
        json!([{ "field": "status", "from": null, "to": "Used" }])
    );
    assert_eq!(status["channel"], "desk");
    assert_eq!(status["by"]["name"], "advisor");
    assert_eq!(status["undoable"], true);
    assert_eq!(status["request"], entries[0]["request"], "made together");
    assert!(status["at"].as_str().unwrap().ends_with('Z'));
    let created = &entries[2];
    assert_eq!(
        (
            &created["channel"],
            &created["request"],
            &created["undoable"]
        ),
        (&json!("import"), &Value::Null, &json!(false))
    );

    let page = advisor
        .get("/api/repair-orders/104217/history?before=3&limit=1")
        .await
        .result();
    assert_eq!(page.as_array().unwrap().len(), 1);
    assert_eq!(page[0]["version"], 2);
    advisor
        .get("/api/repair-orders/104217/history?limit=0")
        .await
        .refused(400, "invalid-request");
    advisor
        .get("/api/repair-orders/7/history")
        .await
        .refused(404, "unknown-repair-order");
}

#[tokio::test]
async fn the_author_undoes_their_last_change_with_a_new_change() {
    let (_server, owner, advisor) = staffed().await;
    let before = owner.list().await["result"][0].clone();
    advisor.change_status(104217, 12).await.good();
    let undone = undo(&advisor, 104217, json!({})).await.result();
    assert_eq!(
        undone[0]["version"], 5,
        "the priority and the status go back"
    );
    let row = owner.list().await["result"][0].clone();
    assert_eq!(
        (&row["appCustomerStatus"], &row["priorityName"]),
        (&before["appCustomerStatus"], &before["priorityName"])
    );
    let entries = history(&owner, 104217).await;
    assert_eq!(entries[0]["channel"], "undo");
    undo(&advisor, 104217, json!({}))
        .await
        .refused(409, "nothing-to-undo");
    // Named, the undo itself is taken back.
    let again = undo(&advisor, 104217, json!({ "seq": entries[0]["seq"] })).await;
    assert_eq!(again.result()[0]["rows"][0]["appCustomerStatus"], "Used");
}

#[tokio::test]
async fn anothers_change_is_undone_by_owner_and_admin_only() {
    let (_server, owner, advisor) = staffed().await;
    owner.change_status(104217, 13).await.good();
    undo(&advisor, 104217, json!({}))
        .await
        .refused(409, "nothing-to-undo");
    let seq = history(&advisor, 104217).await[0]["seq"].clone();
    let refused = undo(&advisor, 104217, json!({ "seq": seq })).await;
    assert_eq!(
        refused.body["error"],
        "Undoing what somebody else did needs one of the roles Owner, Admin"
    );
    advisor.change_status(104218, 13).await.good();
    undo(&owner, 104218, json!({})).await.good();
}

#[tokio::test]
async fn an_order_that_was_changed_again_is_not_undone() {
    let (_server, owner, advisor) = staffed().await;
    advisor.change_status(104217, 12).await.good();
    owner.change_priority(104217, 3).await.good();
    let refused = undo(&advisor, 104217, json!({})).await;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (409, &json!("changed-since"))
    );
    assert_eq!(
        refused.body["error"],
        "This cannot be undone: the priority of repair order 104217 has changed again since"
    );
    assert_eq!(history(&advisor, 104217).await[1]["undoable"], false);
    let created = history(&owner, 104217).await.pop().unwrap();
    undo(&owner, 104217, json!({ "seq": created["seq"] }))
        .await
        .refused(409, "cannot-undo");
    undo(&owner, 104217, json!({ "seq": 99 }))
        .await
        .refused(404, "unknown-event");
    let stale = undo(&owner, 104217, json!({ "expectedVersion": 1 })).await;
    assert_eq!(stale.body["code"], "stale-version");
    assert_eq!(stale.body["current"]["changedBy"]["name"], "owner");
}

#[tokio::test]
async fn a_batch_is_dispatched_one_by_one_and_undone_together() {
    let (_server, owner, _) = staffed().await;
    let batch = json!({ "idTechnician": "23", "data": [
        { "repairOrderNumber": 104217 },
        { "repairOrderNumber": "104218", "expectedVersion": 9 },
        { "repairOrderNumber": 104219 },
        { "repairOrderNumber": 7 },
    ] });
    let answer = owner
        .post("/api/repair-orders/technicians/dispatch", batch)
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.body["error"], "2 of 4 entries were refused");
    let codes: Vec<_> = answer.body["result"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["code"].as_str().unwrap_or("ok"))
        .collect();
    assert_eq!(codes, ["ok", "stale-version", "ok", "unknown-repair-order"]);

    let undone = undo(&owner, 104219, json!({})).await.result();
    let numbers: Vec<_> = undone
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["roNumber"].as_i64().unwrap())
        .collect();
    assert_eq!(numbers, [104217, 104219]);
    let entries = history(&owner, 104217).await;
    assert_eq!(
        entries[0]["changes"],
        json!([{ "field": "technician", "from": "Zoë Quist", "to": null }])
    );
}

#[tokio::test]
async fn a_request_sent_again_with_its_key_gets_its_first_answer() {
    let (_server, owner, advisor) = staffed().await;
    let body = json!({ "data": [
        { "repairOrderNumber": 104217, "idStatus": 12, "expectedVersion": 1 },
        { "repairOrderNumber": 104218, "idStatus": 99 },
    ] });
    let path = "/api/repair-orders/update-status";
    let first = advisor.post_with_key(path, body.clone(), "key-1").await;
    owner.change_status(104217, 11).await.good();
    let second = advisor.post_with_key(path, body.clone(), "key-1").await;
    assert_eq!((first.status, &first.body), (second.status, &second.body));
    assert_eq!(first.body["result"][0]["version"], 3);
    let seq = owner.seq().await;

    // Another person's key is another key, and the same key for something else is a mistake.
    let theirs = owner.post_with_key(path, body, "key-1").await;
    assert_eq!(theirs.body["result"][0]["code"], "stale-version");
    let other = json!({ "data": [{ "repairOrderNumber": 104217, "idStatus": 13 }] });
    advisor
        .post_with_key(path, other, "key-1")
        .await
        .refused(409, "idempotency-key-reused");
    assert_eq!(owner.seq().await, seq);
}

#[tokio::test]
async fn an_undo_sent_again_with_its_key_undoes_nothing_more() {
    let (_server, owner, advisor) = staffed().await;
    advisor.change_priority(104217, 3).await.good();
    advisor.change_status(104217, 12).await.good();
    let path = "/api/repair-orders/104217/undo";
    let first = advisor.post_with_key(path, json!({}), "undo").await;
    let seq = owner.seq().await;
    let second = advisor.post_with_key(path, json!({}), "undo").await;
    assert_eq!((first.status, &first.body), (second.status, &second.body));
    assert_eq!(owner.seq().await, seq);
    // A refusal is an answer, too.
    let unknown = "/api/repair-orders/7/close";
    let first = advisor.post_with_key(unknown, json!({}), "gone").await;
    let second = advisor.post_with_key(unknown, json!({}), "gone").await;
    assert_eq!(first.status, 404);
    assert_eq!((first.status, first.body), (second.status, second.body));
    // Nor is an event that the order does not have.
    let body = json!({ "seq": 9_999_999 });
    let first = advisor.post_with_key(path, body.clone(), "no-event").await;
    first.refused(404, "unknown-event");
    let second = advisor.post_with_key(path, body, "no-event").await;
    assert_eq!((first.status, first.body), (second.status, second.body));
}

#[tokio::test]
async fn two_simultaneous_copies_of_a_request_are_executed_once() {
    let (_server, owner, advisor) = staffed().await;
    let path = "/api/repair-orders/update-status";
    let body =
        json!({ "data": [{ "repairOrderNumber": 104217, "idStatus": 12, "expectedVersion": 1 }] });
    let (a, b, c) = tokio::join!(
        advisor.post_with_key(path, body.clone(), "k"),
        advisor.post_with_key(path, body.clone(), "k"),
        advisor.post_with_key(path, body.clone(), "k"),
    );
    for answer in [a, b, c] {
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.body["result"][0]["version"], 3);
    }
    assert_eq!(owner.seq().await, 5);
}

#[tokio::test]
async fn a_batch_that_was_sent_twice_is_still_one_to_undo() {
    let (_server, owner, _) = staffed().await;
    let path = "/api/repair-orders/technicians/dispatch";
    let batch = json!({ "idTechnician": 23, "data": [
        { "repairOrderNumber": 104217 }, { "repairOrderNumber": 104219 },
    ] });
    // Two at once, as when the first seemed lost: the first to arrive executes an entry.
    let (a, b) = tokio::join!(
        owner.post_with_key(path, batch.clone(), "batch"),
        owner.post_with_key(path, batch.clone(), "batch"),
    );
    assert_eq!((a.status, &a.body), (b.status, &b.body));
    let (a, b) = tokio::join!(
        owner.post_with_key("/api/repair-orders/104217/undo", json!({}), "undo"),
        owner.post_with_key("/api/repair-orders/104217/undo", json!({}), "undo"),
    );
    assert_eq!((a.status, &a.body), (b.status, &b.body));
    let numbers: Vec<_> = a.body["result"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["roNumber"].as_i64().unwrap())
        .collect();
    assert_eq!(numbers, [104217, 104219], "{a:?}");
    for number in numbers {
        let entries = history(&owner, number).await;
        assert_eq!(entries.len(), 3, "created, assigned, taken back");
    }
}
