//! The whole server with hosted accounts and a hosted staff collection.

use serde_json::json;

use super::emulators::{PROJECT, authentication, empty_firestore};
use crate::fixture::{Server, Shop, answer};

#[tokio::test]
async fn a_hosted_sign_in_is_exchanged_for_our_own_session() {
    let (auth, google) =
        tokio::task::spawn_blocking(|| (authentication().to_string(), empty_firestore()))
            .await
            .unwrap();
    let firestore = google.firestore_emulator.unwrap().to_string();
    let mut shop = Shop::new();
    shop.environment = vec![
        ("DISPATCH_IDENTITY", "firebase".to_owned()),
        ("DISPATCH_STAFF", "firestore".to_owned()),
        ("DISPATCH_FIREBASE_EMULATOR", auth),
        ("DISPATCH_FIRESTORE_EMULATOR", firestore),
        // One project for both, as in life.
        ("DISPATCH_GOOGLE_PROJECT", PROJECT.to_owned()),
    ];
    let server = Server::start_in(shop, &[]).await;
    server.hire("another.owner@shop.example", "Owner").await;
    let owner = server.hire("hosted.owner@shop.example", "Owner").await;
    assert_eq!(owner.name, "hosted.owner");
    owner.get("/api/repair-orders").await.result();

    let wrong = server.request(reqwest::Method::POST, "/api/auth/sign-in");
    let wrong = wrong.json(&json!({ "email": "hosted.owner@shop.example", "password": "wrong" }));
    answer(wrong).await.refused(401, "wrong-password");

    let remove = ["user", "remove", "hosted.owner@shop.example"];
    server.shop.run(&remove).await.good();
    owner
        .get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
    let twice = server.shop.run(&remove).await.refused();
    assert_eq!(
        twice,
        "There is no user with the email hosted.owner@shop.example"
    );
}

#[tokio::test]
async fn a_provider_that_cannot_be_reached_is_not_a_wrong_password() {
    let options = [
        "--identity",
        "firebase",
        "--google-project",
        PROJECT,
        "--firebase-emulator",
        "127.0.0.1:9",
    ];
    let server = Server::start_in(Shop::new(), &options).await;
    let body = json!({ "email": "ann@shop.example", "password": "a long password" });
    let refused = server.post("/api/auth/sign-in", body).await;
    refused.refused(503, "network-request-failed");
}

#[tokio::test]
async fn a_missing_google_setting_is_reported_at_the_start() {
    let shop = Shop::new();
    let output = shop
        .run(&["serve", "--identity", "firebase"])
        .await
        .refused();
    assert_eq!(
        output,
        "--identity firebase needs --google-project, the id of the Google Cloud project"
    );
    shop.write("key.json", r#"{ "type": "service_account" }"#);
    for (arguments, sentence) in [
        (
            vec!["--google-credentials", "nothing.json"],
            "cannot read the Google credentials nothing.json: No such file or directory (os error 2)",
        ),
        (
            vec!["--google-credentials", "key.json"],
            "the Google credentials cannot be used: ",
        ),
    ] {
        let all = [
            &["serve", "--staff", "firestore", "--google-project", "p"][..],
            &arguments,
        ]
        .concat();
        let output = shop.run(&all).await.refused();
        assert!(output.starts_with(sentence), "{output}");
    }
}
