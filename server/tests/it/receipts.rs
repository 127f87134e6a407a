//! Receipts: how far the news of an assignment has come, from the desk's word to the technician's.

use dispatch_actors::testing::Throwaway;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::fixture::{Answer, Desk, PASSWORD, Server, Shop, Socket, WAIT_TIMEOUT, plain_orders};

/// Three orders, an owner, and technician 11 with an account.
async fn shop() -> (Server, Desk, Desk) {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(3)).await;
    let ann = technician(&server, "ann@example.com", 11).await;
    (server, owner, ann)
}

pub async fn technician(server: &Server, email: &str, number: i64) -> Desk {
    let number = number.to_string();
    let arguments = ["user", "add", email, "--role", "Technician", "--technician"];
    let arguments = [&arguments[..], &[&number, "--password-stdin"]].concat();
    server.shop.run_with(&arguments, PASSWORD).await.good();
    server.sign_in(email).await
}

/// The technician's portal: it receives their own events, and is past `hello`.
pub async fn portal(server: &Server, desk: &Desk, number: i64) -> Socket {
    let auth = json!({ "token": desk.token, "scope": { "technician": number } });
    let mut socket = Socket::connect(server, &auth).await.unwrap();
    assert_eq!(socket.next().await.name, "hello");
    socket
}

/// Technician 11 says how far the news of an order has come.
pub async fn reach(desk: &Desk, number: i64, stage: &str) -> Answer {
    let path = format!("/api/technicians/11/assignments/{number}/receipt");
    desk.post(&path, json!({ "stage": stage })).await
}

async fn hand_back(desk: &Desk, number: i64, reason: &str) -> Answer {
    let path = format!("/api/technicians/11/assignments/{number}/hand-back");
    desk.post(&path, json!({ "reason": reason })).await
}

pub async fn receipts(desk: &Desk) -> Vec<Value> {
    let mut result = desk.get("/api/assignments").await.result();
    assert!(result["now"].as_str().unwrap().ends_with('Z'));
    serde_json::from_value(result["receipts"].take()).unwrap()
}

/// Waits until the receipts are so: they follow the change they are about.
pub async fn receipts_become(desk: &Desk, so: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let begun = std::time::Instant::now();
    loop {
        let receipts = receipts(desk).await;
        if so(&receipts) {
            return receipts;
        }
        assert!(
            begun.elapsed() < WAIT_TIMEOUT,
            "the receipts stay {receipts:?}"
        );
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

/// Orders and technicians that have a receipt.
fn assignments_of(receipts: &[Value]) -> Vec<(i64, i64)> {
    let number = |receipt: &Value, name: &str| receipt[name].as_i64().unwrap();
    receipts
        .iter()
        .map(|receipt| (number(receipt, "roNumber"), number(receipt, "technicianId")))
        .collect()
}

/// Which of its times are known.
#[track_caller]
pub fn stages(receipt: &Value) -> Vec<&'static str> {
    [
        "sentAt",
        "deliveredAt",
        "seenAt",
        "acceptedAt",
        "handedBackAt",
    ]
    .into_iter()
    .filter(|stage| !receipt[stage].is_null())
    .collect()
}

#[tokio::test]
async fn the_desk_sees_an_assignment_sent_delivered_seen_and_accepted() {
    let (server, owner, ann) = shop().await;
    let (mut desk, mut bay) = (owner.listen(&server).await, portal(&server, &ann, 11).await);
    let seq = owner.assign(1, 11).await.result()["seq"].clone();
    let begun = desk.receipt().await;
    let mut expected = json!({
        "roNumber": 1, "technicianId": 11, "seq": seq, "assignedAt": begun["assignedAt"],
        "portalEnabled": true, "assignedBy": { "uid": owner.uid, "name": owner.name }, "sentAt": begun["sentAt"],
        "deliveredAt": null, "seenAt": null, "acceptedAt": null, "handedBackAt": null, "reason": null,
    });
    assert!(begun["sentAt"].is_string(), "a portal was open: {begun}");
    assert_eq!(begun, expected);
    assert_eq!(bay.receipt().await, begun);

    for (stage, field) in [
        ("delivered", "deliveredAt"),
        ("seen", "seenAt"),
        ("accepted", "acceptedAt"),
    ] {
        let answered = reach(&ann, 1, stage).await.result();
        assert!(answered[field].is_string(), "{answered}");
        expected[field] = answered[field].clone();
        assert_eq!(answered, expected);
        assert_eq!(desk.receipt().await, expected);
        assert_eq!(bay.receipt().await, expected);
    }
    assert_eq!(receipts(&owner).await, [expected.clone()]);
    assert_eq!(receipts(&ann).await, [expected.clone()]);

    let again = reach(&ann, 1, "seen").await.result();
    assert_eq!(again, expected, "what was reached stays as it is");
    owner.unassign(1, 11).await.good();
    assert!(receipts(&owner).await.is_empty(), "at once");
    reach(&ann, 1, "seen").await.refused(409, "not-assigned");
}

#[tokio::test]
async fn a_portal_may_answer_before_the_receipt_is_written_and_a_stage_implies_those_before() {
    let (_server, owner, ann) = shop().await;
    for number in 1..=3 {
        owner.assign(number, 11).await.good();
        let receipt = reach(&ann, number, "accepted").await.result();
        let all = ["sentAt", "deliveredAt", "seenAt", "acceptedAt"];
        assert_eq!(stages(&receipt), all, "{receipt}");
    }
}

#[tokio::test]
async fn an_assignment_is_not_delivered_while_its_technician_has_no_open_screen() {
    let (server, owner, ann) = shop().await;
    let mut desk = owner.listen(&server).await;
    owner.assign(1, 11).await.good();
    assert_eq!(stages(&desk.receipt().await), [""; 0]);
    // Another page of the technician, which receives all events.
    let elsewhere = ann.listen(&server).await;
    owner.assign(2, 11).await.good();
    assert_eq!(stages(&desk.receipt().await), ["sentAt"]);
    owner.assign(2, 14).await.good();
    assert_eq!(stages(&desk.receipt().await), [""; 0], "it is not theirs");
    drop(elsewhere);
    // Until the server has noticed that it is gone.
    for round in 0.. {
        owner.unassign(3, 11).await;
        owner.assign(3, 11).await.good();
        if stages(&desk.receipt().await).is_empty() {
            break;
        }
        assert!(round < 100);
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_technician_who_gets_an_order_again_has_a_new_receipt() {
    let (server, owner, ann) = shop().await;
    let mut desk = owner.listen(&server).await;
    owner.assign(1, 11).await.good();
    reach(&ann, 1, "accepted").await.good();
    owner.unassign(1, 11).await.good();
    let seq = owner.assign(1, 11).await.result()["seq"].clone();
    let again = receipts_become(&owner, |receipts| {
        receipts.iter().any(|receipt| receipt["seq"] == seq)
    });
    assert_eq!(stages(&again.await[0]), [""; 0]);
    let next_receipt = async {
        loop {
            let receipt = desk.receipt().await;
            if receipt["seq"] == seq {
                return receipt;
            }
        }
    };
    assert_eq!(stages(&next_receipt.await), [""; 0]);
    // An undone unassignment gives it, too.
    owner.unassign(1, 11).await.good();
    owner
        .post("/api/repair-orders/1/undo", json!({}))
        .await
        .good();
    receipts_become(&owner, |receipts| {
        receipts.len() == 1 && receipts[0]["seq"].as_i64() > seq.as_i64()
    })
    .await;
}

#[tokio::test]
async fn an_order_handed_back_is_unassigned_and_the_desk_reads_the_reason() {
    let (server, owner, ann) = shop().await;
    let mut desk = owner.listen(&server).await;
    for number in [1, 2] {
        owner.assign(number, 11).await.good();
        desk.receipt().await;
    }
    let changed = hand_back(&ann, 1, "  Wrong bay:\nthe lift is taken ").await;
    let changed = changed.result();
    assert_eq!(changed["rows"][0]["regularIdTechnician"], Value::Null);
    let receipt = desk.receipt().await;
    assert_eq!(receipt["reason"], "Wrong bay: the lift is taken");
    assert_eq!(stages(&receipt), ["handedBackAt"]);
    assert_eq!(assignments_of(&receipts(&owner).await), [(1, 11), (2, 11)]);
    reach(&ann, 1, "accepted")
        .await
        .refused(409, "not-assigned");
    hand_back(&ann, 1, "Again")
        .await
        .refused(409, "not-assigned");
    let history = owner.get("/api/repair-orders/1/history").await.result();
    assert!(
        history.to_string().contains("the lift is taken"),
        "{history}"
    );

    // Somebody else has it now: the desk need not know any more.
    owner.assign(1, 14).await.good();
    receipts_become(&owner, |receipts| {
        assignments_of(receipts) == [(1, 14), (2, 11)]
    })
    .await;
    hand_back(&ann, 2, "x").await.good();
    owner.assign(2, 11).await.good();
    let again = receipts_become(&owner, |receipts| {
        receipts[1]["handedBackAt"].is_null() && receipts[1]["seq"].as_i64() > Some(6)
    });
    assert_eq!(again.await[1]["reason"], Value::Null);
}

#[tokio::test]
async fn a_repeated_hand_back_counts_once() {
    let (_server, owner, ann) = shop().await;
    owner.assign(1, 11).await.good();
    let path = "/api/technicians/11/assignments/1/hand-back";
    let reason = json!({ "reason": "The lift is taken" });
    let first = ann.post_with_key(path, reason.clone(), "tap").await.good();
    assert_eq!(ann.post_with_key(path, reason, "tap").await.good(), first);
    let other = json!({ "reason": "Another" });
    ann.post_with_key(path, other, "tap")
        .await
        .refused(409, "idempotency-key-reused");
    // The dealer's system is asked to take its own back.
    let long = "x".repeat(501);
    for reason in ["", "  \n", &long] {
        hand_back(&ann, 1, reason)
            .await
            .refused(400, "invalid-request");
    }
    hand_back(&ann, 404, "x")
        .await
        .refused(404, "unknown-repair-order");
}

#[tokio::test]
async fn only_the_new_technician_accepts_a_reassigned_order() {
    let (server, owner, ann) = shop().await;
    let jean = technician(&server, "jean@example.com", 14).await;
    let (mut bay, mut other) = (
        portal(&server, &ann, 11).await,
        portal(&server, &jean, 14).await,
    );
    owner.assign(1, 11).await.good();
    assert_eq!(bay.receipt().await["technicianId"], 11);
    let body = json!({ "repairOrderNumber": 1, "fromIdTechnician": 11, "toIdTechnician": 14 });
    owner
        .post("/api/repair-orders/technicians/reassign", body)
        .await
        .good();
    assert_eq!(other.receipt().await["technicianId"], 14, "and not Ann's");
    assert_eq!(assignments_of(&receipts(&owner).await), [(1, 14)]);
    assert_eq!(assignments_of(&receipts(&jean).await), [(1, 14)]);
    assert!(receipts(&ann).await.is_empty());
    reach(&ann, 1, "accepted")
        .await
        .refused(409, "not-assigned");
}

#[tokio::test]
async fn only_the_technician_answers_for_their_assignments() {
    let (server, owner, _) = shop().await;
    owner.assign(1, 11).await.good();
    let jean = technician(&server, "jean@example.com", 14).await;
    let newcomer = server.hire("new@example.com", "Technician").await;
    for desk in [&owner, &jean, &newcomer] {
        reach(desk, 1, "accepted").await.refused(403, "forbidden");
        hand_back(desk, 1, "x").await.refused(403, "forbidden");
    }
    assert!(receipts(&newcomer).await.is_empty());
    assert!(receipts(&jean).await.is_empty());
    let advisor = server.hire("bea@example.com", "Advisor").await;
    let there = |receipts: &[Value]| assignments_of(receipts) == [(1, 11)];
    let rows = receipts_become(&advisor, there).await;
    assert_eq!(stages(&rows[0]), [""; 0], "nobody has answered");
}

#[tokio::test]
async fn an_imported_assignment_has_no_receipt() {
    let (server, owner) = Server::with_owner().await;
    let orders = json!([
        { "repairOrderNumber": 1, "regularIdTechnician": 11 },
        { "repairOrderNumber": 2, "ETLIdTechnician": 11 },
        { "repairOrderNumber": 3 },
    ]);
    server.shop.import(&orders).await;
    let ann = technician(&server, "ann@example.com", 11).await;
    owner.assign(3, 11).await.good();
    receipts_become(&owner, |receipts| assignments_of(receipts) == [(3, 11)]).await;
    for number in [1, 2] {
        let answer = reach(&ann, number, "seen").await;
        answer.refused(409, "not-assigned");
    }
    reach(&ann, 404, "seen")
        .await
        .refused(404, "unknown-repair-order");
    hand_back(&ann, 2, "x").await.refused(409, "etl-technician");
    // A closed order is on no screen.
    owner
        .post("/api/repair-orders/3/close", json!({}))
        .await
        .good();
    assert!(receipts(&owner).await.is_empty());
    owner
        .post("/api/repair-orders/3/reopen", json!({}))
        .await
        .good();
    assert_eq!(assignments_of(&receipts(&owner).await), [(3, 11)]);
}

/// An assignment without its receipt, as a power cut between the two leaves it.
async fn no_assignment_is_without_its_receipt(shop: Shop) {
    shop.hire_technicians().await;
    let mut server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    server.shop.import(&plain_orders(3)).await;
    let ann = technician(&server, "ann@example.com", 11).await;
    owner.assign(1, 11).await.good();
    reach(&ann, 1, "accepted").await.good();
    let before = receipts(&owner).await;
    let second = owner.assign(2, 11).await.result()["seq"].clone();
    receipts_become(&owner, |receipts| receipts.len() == 2).await;
    server.sigkill().await;
    let store = server.shop.store().await;
    for statement in [
        "DELETE FROM assignment_receipts WHERE ro_number = 2".to_owned(),
        format!(
            "UPDATE settings SET value = '{}' WHERE name = 'receipts-read-to'",
            second.as_i64().unwrap() - 1
        ),
    ] {
        let writer = store.writer();
        let done = writer.execute_unprepared(&statement).await.unwrap();
        assert_eq!(done.rows_affected(), 1, "{statement}");
    }
    drop(store);
    server.restart().await;
    let owner = server.sign_in("owner@example.com").await;
    let after = receipts_become(&owner, |receipts| receipts.len() == 2).await;
    assert_eq!(after[0], before[0], "nobody is told twice");
    assert_eq!((&after[1]["seq"], stages(&after[1])), (&second, vec![]));
    let ann = server.sign_in("ann@example.com").await;
    let receipt = reach(&ann, 2, "seen").await.result();
    server.sigterm().await;
    server.restart().await;
    let owner = server.sign_in("owner@example.com").await;
    assert_eq!(receipts(&owner).await, [before[0].clone(), receipt]);
}

#[tokio::test]
async fn no_assignment_is_without_its_receipt_on_sqlite() {
    no_assignment_is_without_its_receipt(Shop::new()).await;
}

#[tokio::test]
async fn no_assignment_is_without_its_receipt_on_postgres() {
    let database = Throwaway::postgres().await;
    no_assignment_is_without_its_receipt(Shop::on(&database)).await;
}

#[tokio::test]
async fn each_of_many_simultaneous_assignments_has_a_receipt() {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(200)).await;
    let ann = technician(&server, "ann@example.com", 11).await;
    let numbers: Vec<Value> = (1..=200)
        .map(|number| json!({ "repairOrderNumber": number }))
        .collect();
    for numbers in numbers.chunks(100) {
        let body = json!({ "idTechnician": 11, "data": numbers });
        owner
            .post("/api/repair-orders/technicians/dispatch", body)
            .await
            .good();
    }
    receipts_become(&owner, |receipts| receipts.len() == 200).await;
    let all = (1..=200).map(|number| reach(&ann, number, "accepted"));
    for answer in futures_util::future::join_all(all).await {
        answer.good();
    }
    let accepted = receipts(&owner).await;
    assert!(
        accepted
            .iter()
            .all(|receipt| receipt["acceptedAt"].is_string())
    );
}
