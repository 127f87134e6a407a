//! Orders that are imported at one server, whose numbers are matched at another.

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{Duration, sleep, timeout};

use super::{ANN, two_servers};
use crate::fixture::{Desk, WAIT_TIMEOUT, answer};

const NUMBER: &str = "/api/intake/matches/technician/77";

fn orders(numbers: &[i64]) -> Value {
    let order = |number| json!({ "repairOrderNumber": number, "ETLIdTechnician": 77 });
    numbers.iter().map(order).collect()
}

async fn dealer_technician(desk: &Desk, number: i64) -> Value {
    let path = format!("/api/repair-orders/specific/{number}");
    desk.get(&path).await.result()[0]["ETLIdTechnician"].take()
}

/// The orders that wait for somebody to say who 77 is.
async fn waiting(desk: &Desk) -> Vec<Value> {
    let unmatched = desk.get("/api/intake/unmatched").await.result();
    let unmatched = unmatched.as_array().unwrap();
    let orders = unmatched.iter().map(|it| it["repairOrders"].as_array());
    orders.flatten().flatten().cloned().collect()
}

#[tokio::test]
async fn a_number_that_is_matched_at_one_server_means_the_same_at_the_other() {
    let (_database, _first, second, owner) = two_servers().await;
    second.shop.import(&orders(&[8])).await;
    assert_eq!(waiting(&owner).await.len(), 1);
    let bo = json!({ "kind": "technician", "number": "77", "idTechnician": ANN });
    let matched = owner.post("/api/intake/matches", bo).await.result();
    assert_eq!(matched["changed"], 1);
    // Before the other server has heard of it, or after.
    second.shop.import(&orders(&[9])).await;
    let corrected = async {
        while dealer_technician(&owner, 9).await != ANN || !waiting(&owner).await.is_empty() {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, corrected).await.unwrap();
    assert_eq!(dealer_technician(&owner, 8).await, ANN);

    // What one server noted and the other forgot is noted again.
    answer(owner.request(Method::DELETE, NUMBER)).await.good();
    let noted = async {
        while waiting(&owner).await.is_empty() {
            second.shop.import(&orders(&[8])).await;
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, noted).await.unwrap();
}
