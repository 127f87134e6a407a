//! Numbers of technicians and advisors that mean nobody, until the desk says who they are.

use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Answer, Desk, Server, answer};

const MATCHES: &str = "/api/intake/matches";

/// Order 7 has a dealer's technician 77 and a desk's 78, both unknown, and an advisor by number;
/// order 8 has 77 beside one who is known; order 9 is closed.
fn orders() -> Value {
    json!([
        {
            "repairOrderNumber": "A7",
            "advisor": "A12",
            "ETLIdTechnician": 77,
            "ETLTechFullName": "Bo Diaz",
            "regularIdTechnician": 78,
        },
        { "repairOrderNumber": 8, "advisor": "12", "ETLIdTechnician": 77 },
        { "repairOrderNumber": 8, "ETLIdTechnician": 11 },
        { "repairOrderNumber": 9, "advisor": "Dana", "ETLIdTechnician": 77, "status": "Closed" },
    ])
}

async fn shop() -> (Server, Desk) {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&orders()).await;
    (server, owner)
}

async fn unmatched(desk: &Desk) -> Vec<Value> {
    let listed = desk.get("/api/intake/unmatched").await.result();
    listed
        .as_array()
        .unwrap()
        .iter()
        .map(|number| {
            assert!(number["lastSeen"].is_string(), "{number}");
            json!([
                number["kind"],
                number["number"],
                number["name"],
                number["count"],
                number["repairOrders"]
            ])
        })
        .collect()
}

async fn say(desk: &Desk, body: Value) -> Answer {
    desk.post(MATCHES, body).await
}

/// An order's technicians, as ids of the desk and of the dealer's system.
async fn technicians(desk: &Desk, number: i64) -> Vec<[Value; 2]> {
    let path = format!("/api/repair-orders/specific/{number}");
    let rows = desk.get(&path).await.result();
    rows.as_array()
        .unwrap()
        .iter()
        .map(|row| {
            [
                row["regularIdTechnician"].clone(),
                row["ETLIdTechnician"].clone(),
            ]
        })
        .collect()
}

async fn advisor(desk: &Desk, number: i64) -> Value {
    let path = format!("/api/repair-orders/{number}");
    desk.get(&path).await.result()["advisor"].take()
}

#[tokio::test]
async fn unmatched_numbers_are_listed_and_their_orders_imported() {
    let (_server, owner) = shop().await;
    assert_eq!(
        unmatched(&owner).await,
        [
            json!(["technician", "77", "Bo Diaz", 2, [8, 7]]),
            json!(["technician", "78", null, 1, [7]]),
            json!(["advisor", "12", null, 1, [8]]),
            json!(["advisor", "A12", null, 1, [7]]),
        ]
    );
    assert_eq!(
        technicians(&owner, 7).await,
        [[json!(78), json!(null)], [json!(null), json!(77)]]
    );
    assert_eq!(advisor(&owner, 7).await, "A12");
}

#[tokio::test]
async fn a_match_corrects_the_open_orders_and_every_later_import() {
    let (server, owner) = shop().await;
    let mut socket = owner.listen(&server).await;
    let meaning = json!({ "kind": "technician", "number": "077", "idTechnician": 11 });
    let matched = say(&owner, meaning).await.result();
    assert_eq!(
        matched,
        json!({ "kind": "technician", "number": "77", "changed": 2 })
    );
    let heard = [socket.modified().await, socket.modified().await];
    for heard in &heard {
        assert_eq!(heard["action"], "IMPORTED");
        assert_eq!(heard["by"]["uid"], owner.uid);
    }
    let meaning = json!({ "kind": "technician", "number": "78", "idTechnician": "14" });
    assert_eq!(say(&owner, meaning).await.result()["changed"], 1);
    for (number, name) in [("A12", "Dana Whitfield"), ("12", "Lee Park")] {
        let meaning = json!({ "kind": "advisor", "number": number, "name": name });
        assert_eq!(say(&owner, meaning).await.result()["changed"], 1);
    }
    assert_eq!(
        technicians(&owner, 7).await,
        [[json!(14), json!(null)], [json!(null), json!(11)]]
    );
    assert_eq!(technicians(&owner, 8).await, [[json!(null), json!(11)]]);
    assert_eq!(advisor(&owner, 7).await, "Dana Whitfield");
    assert!(unmatched(&owner).await.is_empty());
    assert_eq!(
        owner.get(MATCHES).await.result(),
        json!([
            { "kind": "advisor", "number": "12", "idTechnician": null, "name": "Lee Park" },
            { "kind": "advisor", "number": "A12", "idTechnician": null, "name": "Dana Whitfield" },
            { "kind": "technician", "number": "77", "idTechnician": 11, "name": "Ann Kowalczyk" },
            { "kind": "technician", "number": "78", "idTechnician": 14, "name": "Jean-Luc Fournier" },
        ])
    );

    // The same orders again change nothing, and a new one is right at once.
    let before = owner.seq().await;
    let open: Value = orders().as_array().unwrap()[..3].into();
    server.shop.import(&open).await;
    assert_eq!(owner.seq().await, before);
    let new = json!([{ "repairOrderNumber": 10, "advisor": "12", "ETLIdTechnician": 77 }]);
    server.shop.import(&new).await;
    assert_eq!(technicians(&owner, 10).await, [[json!(null), json!(11)]]);
    assert_eq!(advisor(&owner, 10).await, "Lee Park");
    assert!(unmatched(&owner).await.is_empty());
}

#[tokio::test]
async fn a_match_is_remembered_until_it_is_withdrawn() {
    let (mut server, owner) = shop().await;
    let meaning = json!({ "kind": "technician", "number": "77", "idTechnician": 11 });
    say(&owner, meaning).await.good();
    server.sigterm().await;
    server.restart().await;
    let owner = server.sign_in("owner@example.com").await;
    let order = |number: i64| json!([{ "repairOrderNumber": number, "ETLIdTechnician": 77 }]);
    server.shop.import(&order(20)).await;
    assert_eq!(technicians(&owner, 20).await, [[json!(null), json!(11)]]);

    let path = format!("{MATCHES}/technician/77");
    answer(owner.request(Method::DELETE, &path)).await.good();
    answer(owner.request(Method::DELETE, &path))
        .await
        .refused(404, "unknown-match");
    server.shop.import(&order(21)).await;
    assert_eq!(technicians(&owner, 21).await, [[json!(null), json!(77)]]);
    assert_eq!(
        unmatched(&owner).await[0],
        json!(["technician", "77", null, 1, [21]])
    );
    // A closed order no longer needs a match.
    let closed = json!([{ "repairOrderNumber": 21, "status": "Closed" }]);
    server.shop.import(&closed).await;
    assert!(
        !unmatched(&owner)
            .await
            .iter()
            .any(|number| number[1] == "77")
    );
}

#[tokio::test]
async fn a_change_that_the_desk_made_meanwhile_is_kept() {
    let (_server, owner) = shop().await;
    owner.unassign(7, 78).await.good();
    let meaning = json!({ "kind": "technician", "number": "78", "idTechnician": 14 });
    assert_eq!(say(&owner, meaning).await.result()["changed"], 0);
    assert_eq!(technicians(&owner, 7).await, [[json!(null), json!(77)]]);
}

#[tokio::test]
async fn a_refused_record_leaves_no_note_on_the_order_that_has_its_number() {
    let (server, owner) = shop().await;
    let before = unmatched(&owner).await;
    let other = json!([{ "repairOrderNumber": "B7", "advisor": "99", "ETLIdTechnician": 99 }]);
    let import = ["import", "-", "--format", "json"];
    let ran = server.shop.run_with(&import, other.to_string()).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(unmatched(&owner).await, before);
    // Nor does a record that would close it remove its notes.
    let closed = json!([{ "repairOrderNumber": "B7", "status": "Closed" }]);
    server.shop.run_with(&import, closed.to_string()).await;
    assert_eq!(unmatched(&owner).await, before);
}

#[tokio::test]
async fn a_match_changes_no_order_that_no_longer_names_the_number() {
    let (server, owner) = shop().await;
    // The dealer's system took 77 off order 8, and the desk closed order 7.
    let later = json!([{ "repairOrderNumber": 8, "ETLIdTechnician": 22, "technicianId": "T9" }]);
    server.shop.import(&later).await;
    let later = json!([{ "repairOrderNumber": 8, "ETLIdTechnician": 22 }]);
    server.shop.import(&later).await;
    owner
        .post("/api/repair-orders/7/close", json!({}))
        .await
        .good();
    let listed = unmatched(&owner).await;
    assert_eq!(listed, [json!(["advisor", "12", null, 1, [8]])]);
    for number in ["77", "T9"] {
        let meaning = json!({ "kind": "technician", "number": number, "idTechnician": 11 });
        assert_eq!(
            say(&owner, meaning).await.result()["changed"],
            0,
            "{number}"
        );
    }
    assert_eq!(technicians(&owner, 8).await, [[json!(null), json!(22)]]);
}

#[tokio::test]
async fn an_invalid_match_is_refused() {
    let (_server, owner) = shop().await;
    let listed = unmatched(&owner).await;
    for body in [
        json!({}),
        json!({ "kind": "porter", "number": "1", "name": "Lee" }),
        json!({ "kind": "technician", "number": "77" }),
        json!({ "kind": "technician", "number": "77", "idTechnician": "eleven" }),
        json!({ "kind": "technician", "number": "", "idTechnician": 11 }),
        json!({ "kind": "technician", "number": "7\u{0}7", "idTechnician": 11 }),
        json!({ "kind": "technician", "number": "7".repeat(101), "idTechnician": 11 }),
        json!({ "kind": "advisor", "number": "12" }),
        json!({ "kind": "advisor", "number": "12", "name": " " }),
        json!({ "kind": "advisor", "number": "12", "name": "L\u{0}ee" }),
        json!({ "kind": "advisor", "number": "12", "name": "x".repeat(101) }),
        json!({ "kind": "advisor", "number": "Dana", "name": "Lee" }),
    ] {
        let refused = say(&owner, body.clone()).await;
        assert_eq!(refused.status, 400, "{body}: {refused:?}");
        refused.refused(400, "invalid-request");
    }
    let own = json!({ "kind": "technician", "number": "11", "idTechnician": 11 });
    say(&owner, own).await.refused(409, "own-number");
    let meaning = json!({ "kind": "technician", "number": "77", "idTechnician": 404 });
    say(&owner, meaning)
        .await
        .refused(404, "unknown-technician");
    let path = format!("{MATCHES}/porter/77");
    answer(owner.request(Method::DELETE, &path))
        .await
        .refused(400, "invalid-request");
    assert_eq!(unmatched(&owner).await, listed);
    assert_eq!(owner.get(MATCHES).await.result(), json!([]));
}
