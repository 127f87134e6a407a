//! Statuses of a dealer system for which the desk has no tab: kept, shown under Drop, and said by whatever took them in.

use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Server, Shop, answer};

const FILE: &str = "ro,status\n1,ENG\n2,ENG\n3,In Process\n4,Waiting\n";

const SENTENCES: [&str; 2] = [
    "2 orders have the status 'ENG', which has no tab: kept as it came, and shown under Drop until the desk sets a status",
    "1 order has the status 'In Process', which has no tab: kept as it came, and shown under Drop until the desk sets a \
     status",
];

#[tokio::test]
async fn a_file_by_hand_says_each_once_and_not_again() {
    let shop = Shop::new();
    shop.write("orders.csv", FILE);
    let said = SENTENCES.map(|sentence| format!("  {sentence}"));
    for options in [
        &["import", "orders.csv", "--dry-run"][..],
        &["import", "orders.csv"],
    ] {
        let out = shop.run(options).await.good();
        let lines: Vec<&str> = out.lines().skip(1).collect();
        assert_eq!(lines, said, "{out}");
    }
    let again = shop.run(&["import", "orders.csv"]).await.good();
    assert_eq!(again.lines().count(), 1, "{again}");
}

#[tokio::test]
async fn a_program_reads_them_in_its_answer_and_the_desk_has_them_under_drop() {
    let (server, owner) = Server::with_owner().await;
    let made = owner
        .post("/api/intake/keys", json!({ "name": "Export" }))
        .await;
    let made = made.result();
    let send = server
        .request(Method::POST, "/api/intake/repair-orders")
        .bearer_auth(made["key"].as_str().unwrap())
        .header("Content-Type", "text/csv")
        .body(FILE);
    let taken = answer(send).await.result();
    assert_eq!(taken["warnings"], json!(SENTENCES));

    let rows = owner.get("/api/repair-orders/specific/1").await.result();
    assert_eq!(rows[0]["customerStatus"], "ENG");
    assert_eq!(rows[0]["appCustomerStatus"], Value::Null);
}
