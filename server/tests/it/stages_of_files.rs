//! Files of a dealer system that name the stage of an order.

use dispatch_actors::testing::Throwaway;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Desk, Server, Shop, answer};
use crate::intake_doors::{counts, make_key, post_orders};
use crate::stages::{STAGES, becomes, hold, row, set, stage, turn};

const MATCHES: &str = "/api/intake/matches";

async fn a_shop(shop: Shop) -> (Server, Desk) {
    let server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    (server, owner)
}

async fn let_files_own(owner: &Desk, owns: bool) {
    let settings = json!({ "enabled": true, "fileOwnsStage": owns });
    let set = owner.put(STAGES, settings).await.result();
    assert_eq!(set["fileOwnsStage"], owns);
}

fn order(number: i64, stage: &str) -> Value {
    json!({ "repairOrderNumber": number, "customer": "Ann", "stage": stage })
}

async fn import_csv(server: &Server, rows: &str) -> String {
    let rows = format!("RO Number,Stage\n{rows}\n");
    let ran = server
        .shop
        .run_with(&["import", "-", "--format", "csv"], rows);
    ran.await.good()
}

/// The newest events: what happened, to which stage, and who did it.
async fn newest(desk: &Desk, number: i64, count: usize) -> Vec<Value> {
    let path = format!("/api/repair-orders/{number}/history");
    let history = desk.get(&path).await.result();
    let entries = history.as_array().unwrap().iter().take(count);
    entries
        .map(|entry| {
            json!([
                entry["action"],
                entry["changes"][0]["to"],
                entry["by"]["name"]
            ])
        })
        .collect()
}

async fn files_say_where_orders_stand(shop: Shop) {
    let (mut server, owner) = a_shop(shop).await;
    let_files_own(&owner, true).await;
    let (_, key) = make_key(&owner, "Nightly export").await;
    let first = json!([
        order(1, "In work"),
        order(2, "WAITING_FOR_PARTS"),
        order(3, "Lavado")
    ]);
    let taken = post_orders(&server, "", &key, &first).await.result();
    assert_eq!(counts(&taken), [3, 0, 0, 0]);
    assert_eq!(taken["warnings"], json!([]));
    assert_eq!(stage(&owner, 1).await, "in-work");
    assert_eq!(stage(&owner, 3).await, "wash");
    let waits = row(&owner, 2).await;
    assert_eq!(waits["stage"], "waiting-for-parts");
    let held = &waits["holds"][0];
    assert_eq!(
        (&held["reason"], &held["fromFile"]),
        (&json!("parts"), &json!(true))
    );
    assert_eq!(held.get("expectedUntil"), None);

    // The same file again, by the other way in.
    let seq = owner.seq().await;
    let said = import_csv(&server, "1,in work\n2,Waiting for  parts\n3,wash").await;
    assert_eq!(
        said.trim(),
        "-: 0 created, 0 changed, 3 unchanged, 0 refused"
    );
    assert_eq!(owner.seq().await, seq);

    // Killed between two files: what the first one said stands, and the second goes on from there.
    server.sigkill().await;
    server.restart().await;
    let owner = server.sign_in("owner@example.com").await;
    assert_eq!(row(&owner, 2).await["holds"][0]["fromFile"], true);
    let next = json!([
        order(1, "quality-check"),
        order(2, "in-work"),
        order(3, "wash")
    ]);
    let taken = post_orders(&server, "", &key, &next).await.result();
    assert_eq!(counts(&taken), [0, 2, 1, 0]);
    assert_eq!(
        newest(&owner, 1, 1).await,
        [json!(["STAGE_CHANGED", "quality-check", "Nightly export"])]
    );
    let moved = row(&owner, 2).await;
    assert_eq!(
        (&moved["stage"], moved.get("holds")),
        (&json!("in-work"), None)
    );

    // The desk moves it until the next file, and takes nothing back that a file said.
    let undone = owner.post("/api/repair-orders/1/undo", json!({})).await;
    undone.refused(409, "nothing-to-undo");
    set(&owner, 1, "wash").await.good();
    import_csv(&server, "1,Quality check").await;
    assert_eq!(stage(&owner, 1).await, "quality-check");
    owner
        .post("/api/repair-orders/1/undo", json!({}))
        .await
        .refused(409, "changed-since");

    // A hold of the desk keeps the order, and the file says where it goes on.
    hold(&owner, 3, json!({ "reason": "approval" }))
        .await
        .good();
    import_csv(&server, "3,ready").await;
    assert_eq!(stage(&owner, 3).await, "waiting-for-approval");
    let end = "/api/repair-orders/3/holds/1/end";
    owner.post(end, json!({})).await.good();
    assert_eq!(stage(&owner, 3).await, "ready");
}

#[tokio::test]
async fn files_say_where_orders_stand_on_sqlite() {
    files_say_where_orders_stand(Shop::new()).await;
}

#[tokio::test]
async fn files_say_where_orders_stand_on_postgres() {
    let database = Throwaway::postgres().await;
    files_say_where_orders_stand(Shop::on(&database)).await;
}

#[tokio::test]
async fn the_stage_is_the_desks_unless_the_shop_says_so() {
    let (server, owner) = a_shop(Shop::new()).await;
    let (_, key) = make_key(&owner, "Nightly export").await;
    let orders = json!([order(1, "In work"), order(2, "no such")]);
    for uses_stages in [false, true] {
        turn(&owner, uses_stages).await;
        let taken = post_orders(&server, "", &key, &orders).await.result();
        let warnings = taken["warnings"].as_array().unwrap();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].as_str().unwrap().contains("left out"));
        assert_eq!(taken["refused"], 0);
    }
    becomes(&owner, 1, "to-be-dispatched").await;
    assert_eq!(owner.get("/api/intake/unmatched").await.result(), json!([]));
    // A dry run says what would be, and does nothing.
    let_files_own(&owner, true).await;
    let dry = post_orders(&server, "?dryRun=true", &key, &orders)
        .await
        .result();
    assert_eq!(counts(&dry), [0, 1, 1, 0]);
    assert_eq!(stage(&owner, 1).await, "to-be-dispatched");
}

/// Kind, name, and the orders.
async fn unmatched(desk: &Desk) -> Vec<Value> {
    let listed = desk.get("/api/intake/unmatched").await.result();
    let entry = |one: &Value| json!([one["kind"], one["number"], one["repairOrders"]]);
    listed.as_array().unwrap().iter().map(entry).collect()
}

#[tokio::test]
async fn an_unknown_stage_is_listed_until_the_desk_says_which_it_is() {
    let (server, owner) = a_shop(Shop::new()).await;
    let_files_own(&owner, true).await;
    let (_, key) = make_key(&owner, "Nightly export").await;
    let orders = json!([
        order(1, "Parts  Ord"),
        order(2, "parts-ord"),
        order(3, "Detailing")
    ]);
    let taken = post_orders(&server, "", &key, &orders).await.result();
    assert_eq!(counts(&taken), [3, 0, 0, 0]);
    let warnings = taken["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(
        warnings[0]
            .as_str()
            .unwrap()
            .starts_with("entry 1: the shop has no stage 'Parts")
    );
    let detailing = json!(["stage", "detailing", [3]]);
    assert_eq!(
        unmatched(&owner).await,
        [json!(["stage", "parts ord", [2, 1]]), detailing.clone()]
    );

    // Said by the desk, it moves the orders that are there, and those that come.
    let says = |name: &str, stage: &str| json!({ "kind": "stage", "number": name, "stage": stage });
    owner
        .post(MATCHES, says("x", "no-such"))
        .await
        .refused(404, "unknown-stage");
    owner
        .post(MATCHES, says("In work", "wash"))
        .await
        .refused(409, "own-number");
    let matched = owner
        .post(MATCHES, says("Parts Ord", "waiting-for-parts"))
        .await;
    assert_eq!(matched.result()["changed"], 2);
    assert_eq!(stage(&owner, 2).await, "waiting-for-parts");
    assert_eq!(unmatched(&owner).await, [detailing]);
    import_csv(&server, "4,PARTS ORD").await;
    assert_eq!(stage(&owner, 4).await, "waiting-for-parts");

    // A stage that the shop adds under the name is found without a match; a deleted one is not.
    let names = json!({ "en": "Detailing", "es": "Pulido", "de": "Aufbereitung" });
    let new = json!({ "name": names, "kind": "hold", "colour": "amber" });
    let added = owner.post(STAGES, new).await.result();
    assert_eq!(unmatched(&owner).await, Vec::<Value>::new());
    import_csv(&server, "3,aufbereitung").await;
    let waits = row(&owner, 3).await;
    assert_eq!(
        (&waits["stage"], &waits["holds"][0]["reason"]),
        (&added["id"], &json!("other"))
    );
    let path = format!("{STAGES}/{}", added["id"].as_str().unwrap());
    owner.delete(&path).await.good();
    import_csv(&server, "1,Detailing").await;
    assert_eq!(stage(&owner, 1).await, "waiting-for-parts");
    assert_eq!(
        unmatched(&owner).await,
        [json!(["stage", "detailing", [1]])]
    );
    let forget = format!("{MATCHES}/stage/parts%20ord");
    answer(owner.request(Method::DELETE, &forget)).await.good();
}
