//! Searching all orders, closed ones too, on both databases.

use dispatch_actors::testing::Throwaway;
use reqwest::Method;
use serde_json::{Value, json};

use crate::clocks::technician;
use crate::fixture::{Answer, Desk, Shop, answer};
use crate::sample::{sample_shop, sample_shop_in};

const ACCORD: i64 = 104_217;
const PICKUP: i64 = 104_218;
const TESLA: i64 = 104_219;

async fn search(desk: &Desk, query: &[(&str, &str)]) -> Answer {
    let request = desk.request(Method::GET, "/api/repair-orders/search");
    answer(request.query(query)).await
}

fn numbers(result: &Value) -> Vec<i64> {
    let orders = result["orders"].as_array().unwrap().iter();
    orders
        .map(|order| order["repairOrderNumber"].as_i64().unwrap())
        .collect()
}

async fn found(desk: &Desk, words: &str) -> Vec<i64> {
    numbers(&search(desk, &[("q", words)]).await.result())
}

async fn orders_are_found_by_what_people_remember(shop: Shop) {
    let (server, owner) = sample_shop_in(shop, &[]).await;
    for (words, expected) in [
        ("104217", &[ACCORD][..]),
        ("4217", &[ACCORD]),
        ("#1042", &[TESLA, PICKUP, ACCORD]),
        ("#4217", &[]),
        ("A0104218", &[PICKUP]),
        ("#a010", &[PICKUP]),
        ("accord#1042", &[ACCORD]),
        // A number is also part of a VIN, and with its sign only of an RO number.
        ("82633", &[ACCORD]),
        ("#82633", &[]),
        ("SIOBHAN  o'neill", &[ACCORD]),
        ("Siobhán", &[ACCORD]),
        ("oneill", &[ACCORD]),
        ("f150", &[PICKUP]),
        ("f-150", &[PICKUP]),
        ("jeanluc", &[PICKUP]),
        ("hanh nguyen", &[TESLA]),
        ("muller honda", &[]),
        ("accord ex 2003", &[ACCORD]),
        ("82633a", &[ACCORD]),
        ("brkf", &[ACCORD]),
        ("whitfield", &[TESLA, ACCORD]),
        // By the shop's list, by an account, and by what the dealer system calls somebody unknown.
        ("kowal", &[TESLA, ACCORD]),
        ("jean-luc f.", &[PICKUP]),
        ("marcus", &[ACCORD]),
        ("deepa tesla", &[TESLA]),
        ("quist", &[]),
        // What customers complain of is not searched, nor is a pattern one.
        ("squeak", &[]),
        ("%", &[]),
        ("_", &[]),
        ("\\", &[]),
        ("##", &[]),
        (" ", &[]),
        ("q accord", &[]),
        // Of nine words the longest eight count.
        (
            "q accord honda 2003 siobhan whitfield brkf lof rot",
            &[ACCORD],
        ),
    ] {
        assert_eq!(found(&owner, words).await, expected, "{words}");
    }

    // Who has another name is found by it, on old orders too.
    let name = json!({ "displayName": "Åsa Lind" });
    let path = "/api/technicians/11";
    owner.patch(path, name).await.good();
    assert_eq!(found(&owner, "asa").await, [TESLA, ACCORD]);
    owner.assign(PICKUP, 11).await.good();
    owner.unassign(TESLA, 11).await.good();
    assert_eq!(found(&owner, "lind").await, [PICKUP, ACCORD]);
    // The name that came with an order finds it as long as they are on it.
    assert_eq!(found(&owner, "kowal").await, [ACCORD]);

    // What the dealer system changes is found at once, and what it changed is not any more.
    let change =
        json!([{ "repairOrderNumber": ACCORD, "customer": "Quinn, Zoë", "tagNumber": "T118" }]);
    server.shop.import(&change).await;
    assert_eq!(found(&owner, "zoe t118").await, [ACCORD]);
    assert!(found(&owner, "siobhan").await.is_empty());

    // A stock number is part of an internal order's customer, and no RO number.
    let internal =
        json!([{ "repairOrderNumber": "A0104218", "customer": "USED VEHICLE INVENTORY U7123" }]);
    server.shop.import(&internal).await;
    assert_eq!(found(&owner, "u7123").await, [PICKUP]);
    assert!(found(&owner, "#u7123").await.is_empty());

    let close = format!("/api/repair-orders/{ACCORD}/close");
    owner.post(&close, json!({})).await.good();
    assert_eq!(found(&owner, "accord").await, [ACCORD]);
}

#[tokio::test]
async fn orders_are_found_by_what_people_remember_on_sqlite() {
    orders_are_found_by_what_people_remember(Shop::new()).await;
}

#[tokio::test]
async fn orders_are_found_by_what_people_remember_on_postgres() {
    let database = Throwaway::postgres().await;
    orders_are_found_by_what_people_remember(Shop::on(&database)).await;
}

#[tokio::test]
async fn a_found_order_says_what_it_is() {
    let (_server, owner) = sample_shop().await;
    let result = search(&owner, &[("q", "#104218")]).await.result();
    let pickup = json!({
        "repairOrderNumber": PICKUP,
        "displayNumber": "A0104218",
        "vehicleVIN": "1FTFW1E56LFA12349",
        "vehicle": "2020 Ford F-150 Lariat",
        "customer": "Müller & Sons Plumbing",
        "advisor": "Luis Ortega",
        "technicians": ["Jean-Luc F."],
        "status": "Drop",
        "createDateTime": "2026-07-14T13:05:00Z",
        "closedDateTime": null,
    });
    assert_eq!(result, json!({ "orders": [pickup], "next": null }));

    close(&owner, PICKUP).await;
    let mut result = search(&owner, &[("q", "#104218")]).await.result();
    let closed = result["orders"][0]["closedDateTime"].take();
    assert!(closed.is_string(), "{closed}");
}

async fn close(desk: &Desk, number: i64) {
    let path = format!("/api/repair-orders/{number}/close");
    desk.post(&path, json!({})).await.good();
}

async fn closed_and_open_orders_are_found_apart(shop: Shop) {
    let (_server, owner) = sample_shop_in(shop, &[]).await;
    close(&owner, PICKUP).await;
    for (closed, expected) in [
        (None, &[TESLA, PICKUP, ACCORD][..]),
        (Some("true"), &[PICKUP]),
        (Some("false"), &[TESLA, ACCORD]),
    ] {
        let mut query = vec![("q", "#1042")];
        query.extend(closed.map(|closed| ("closed", closed)));
        let result = search(&owner, &query).await.result();
        assert_eq!(numbers(&result), expected, "{closed:?}");
    }
}

#[tokio::test]
async fn closed_and_open_orders_are_found_apart_on_sqlite() {
    closed_and_open_orders_are_found_apart(Shop::new()).await;
}

#[tokio::test]
async fn closed_and_open_orders_are_found_apart_on_postgres() {
    let database = Throwaway::postgres().await;
    closed_and_open_orders_are_found_apart(Shop::on(&database)).await;
}

#[tokio::test]
async fn pages_follow_each_other() {
    let (server, owner) = sample_shop().await;
    // Two at each moment.
    let order = |number: i64| {
        json!({
            "repairOrderNumber": number,
            "customer": "Page turner",
            "createDateTime": format!("2026-07-{:02}T12:00:00Z", 1 + number / 2),
        })
    };
    let orders: Value = (1..=7).map(order).collect();
    server.shop.import(&orders).await;
    let mut all = Vec::new();
    let mut cursor = None;
    loop {
        let mut query = vec![("q", "turner"), ("limit", "3")];
        query.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let result = search(&owner, &query).await.result();
        all.push(numbers(&result));
        cursor = result["next"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(all, [vec![7, 6, 5], vec![4, 3, 2], vec![1]]);
}

#[tokio::test]
async fn a_search_that_cannot_be_made_is_refused() {
    let (_server, owner) = sample_shop().await;
    let long = "x".repeat(101);
    for query in [
        &[][..],
        &[("q", "")],
        &[("q", &*long)],
        &[("q", "a"), ("limit", "0")],
        &[("q", "a"), ("limit", "101")],
        &[("q", "a"), ("cursor", "7")],
        &[("q", "a"), ("closed", "perhaps")],
    ] {
        let refused = search(&owner, query).await;
        refused.refused(400, "invalid-request");
    }
}

#[tokio::test]
async fn a_technician_finds_what_the_list_shows_and_nobody_finds_a_story() {
    let (server, owner) = sample_shop().await;
    let ann = technician(&server, "ann@example.com", 11).await;
    let job = format!("/api/repair-orders/{PICKUP}/jobs/1");
    let story = json!({ "techStory": "Cleaned the throttle body." });
    owner.patch(&job, story).await.good();
    for desk in [&ann, &owner] {
        assert_eq!(found(desk, "muller").await, [PICKUP]);
        assert!(found(desk, "throttle").await.is_empty());
    }
}
