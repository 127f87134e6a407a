//! What people set up for themselves, kept for every screen they sign in at.

use dispatch_actors::testing::Throwaway;
use serde_json::{Value, json};

use crate::fixture::{Desk, Server, Shop};

const PREFERENCES: &str = "/api/me/preferences";

async fn preferences(desk: &Desk) -> Value {
    desk.get(PREFERENCES).await.result()
}

fn change(expected_version: i64, value: Value) -> Value {
    json!({ "expectedVersion": expected_version, "value": value })
}

async fn preferences_are_there_on_every_screen_and_nobody_elses(shop: Shop) {
    let server = Server::start_in(shop, &[]).await;
    let ann = server.hire("ann@example.com", "Advisor").await;
    let bea = server.hire("bea@example.com", "Technician").await;
    assert_eq!(
        preferences(&ann).await,
        json!({ "version": 0, "value": {} })
    );

    let dark = json!({ "theme": "dark", "columns": ["customer", "näme", null] });
    let kept = ann.put(PREFERENCES, change(0, dark.clone())).await.result();
    assert_eq!(kept, json!({ "version": 1, "value": dark }));
    let elsewhere = server.sign_in("ann@example.com").await;
    assert_eq!(preferences(&elsewhere).await, kept);
    assert_eq!(preferences(&bea).await["version"], 0);

    // Of two screens that change the same, the second is told what there is now.
    let light = json!({ "theme": "light" });
    let changed = elsewhere.put(PREFERENCES, change(1, light)).await.result();
    for stale in [0, 1, 3] {
        let refused = ann.put(PREFERENCES, change(stale, json!({}))).await;
        assert_eq!(refused.status, 409, "{stale}");
        assert_eq!(refused.body["code"], "stale-version");
        assert_eq!(refused.body["current"], changed);
    }
    assert_eq!(preferences(&ann).await, changed);
    // Who names no version writes over any.
    let body = json!({ "value": { "theme": "system" } });
    ann.put(PREFERENCES, body).await.good();
    assert_eq!(preferences(&ann).await["version"], 3);

    // They go with the account.
    server
        .shop
        .run(&["user", "remove", "ann@example.com"])
        .await
        .good();
    let ann = server.hire("ann@example.com", "Advisor").await;
    assert_eq!(preferences(&ann).await["version"], 0);
}

#[tokio::test]
async fn preferences_are_there_on_every_screen_and_nobody_elses_on_sqlite() {
    preferences_are_there_on_every_screen_and_nobody_elses(Shop::new()).await;
}

#[tokio::test]
async fn preferences_are_there_on_every_screen_and_nobody_elses_on_postgres() {
    let database = Throwaway::postgres().await;
    preferences_are_there_on_every_screen_and_nobody_elses(Shop::on(&database)).await;
}

#[tokio::test]
async fn a_change_of_preferences_that_is_sent_again_is_answered_as_before() {
    let (_server, owner) = Server::with_owner().await;
    let send = async || {
        let request = owner.request(reqwest::Method::PUT, PREFERENCES);
        let request = request.header("Idempotency-Key", "1");
        let body = change(0, json!({ "theme": "dark" }));
        crate::fixture::answer(request.json(&body)).await.result()
    };
    let first = send().await;
    assert_eq!(send().await, first);
    assert_eq!(preferences(&owner).await, first);
}

#[tokio::test]
async fn preferences_are_an_object_of_sixteen_kilobytes_at_most() {
    let (_server, owner) = Server::with_owner().await;
    // {"a":"..."} has eight bytes more.
    let of_bytes = |bytes: usize| json!({ "a": "x".repeat(bytes - 8) });
    for value in [json!([]), json!("dark"), json!(null), of_bytes(16_385)] {
        let refused = owner.put(PREFERENCES, change(0, value)).await;
        refused.refused(400, "invalid-request");
    }
    owner
        .put(PREFERENCES, change(0, of_bytes(16_384)))
        .await
        .good();
}
