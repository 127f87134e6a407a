//! One provider does not pass for another, whatever it calls itself or its people.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dispatch_actors::testing::Throwaway;
use serde_json::{Value, json};

use super::browser::Browser;
use super::provider::{CLIENT_SECRET, Provider};
use super::{UNVERIFIED, on_the_staff, open, refresh, verified};
use crate::fixture::{Server, Shop};

#[tokio::test]
async fn the_same_number_at_another_issuer_is_another_person() {
    let database = Throwaway::sqlite();
    let trusted = Provider::start().await;
    trusted.configure(json!({})).await;
    let mut server = Server::start_in(Shop::on(&database), &trusted.options()).await;
    let people = json!({ "7": verified("ann@example.com") });
    trusted.for_server(&server, people).await;
    on_the_staff(&server, "ann@example.com", "Owner").await;
    assert_eq!(Browser::new().sign_in(&server, "7").await, "/");
    server.sigterm().await;

    // The shop moves to another provider, where another person has the subject 7.
    let other = Provider::start().await;
    other.configure(json!({})).await;
    let server = Server::start_in(Shop::on(&database), &other.options()).await;
    let people = json!({ "7": {}, "8": verified("bob@example.com") });
    other.for_server(&server, people).await;
    let mut browser = Browser::new();
    assert_eq!(browser.sign_in(&server, "7").await, UNVERIFIED);
    refresh(&server, &browser)
        .await
        .refused(401, "unauthorized");
    on_the_staff(&server, "bob@example.com", "Advisor").await;
    assert_eq!(Browser::new().sign_in(&server, "8").await, "/");
}

#[tokio::test]
async fn a_provider_that_names_another_issuer_than_the_configured_one_is_not_believed() {
    let provider = Provider::start().await;
    provider.configure(json!({})).await;
    // It calls itself by its address, and is reached by its name.
    let by_name = provider.issuer.replace("127.0.0.1", "localhost");
    let mut options = provider.options();
    options[1] = &by_name;
    let server = Server::start_in(Shop::new(), &options).await;
    let people = json!({ "7": verified("ann@example.com") });
    provider.for_server(&server, people).await;
    on_the_staff(&server, "ann@example.com", "Owner").await;
    let refused = server.post("/api/auth/oidc/start", json!({})).await;
    refused.refused(503, "oidc-failed");
    assert!(!refused.headers.contains_key("set-cookie"));
    let log = server.shop.read("server.log");
    assert!(log.contains("unexpected issuer"), "{log}");
}

#[tokio::test]
async fn the_browser_sees_no_token_of_the_provider_and_the_log_no_secret() {
    let (_provider, server) = open(&[], json!({ "7": verified("ann@example.com") })).await;
    on_the_staff(&server, "ann@example.com", "Owner").await;
    let mut browser = Browser::new();
    let start = browser.start(&server).await;
    let back = browser.at_provider(start, "7").await;
    let code = back.query_pairs().find(|(name, _)| name == "code");
    let code = code.unwrap().1.into_owned();
    let page = browser.get(back).await;
    let all = format!("{page:?}");
    // How a signed token begins, and what a provider calls the others.
    for token in ["eyJ", "access_token", "id_token"] {
        assert!(!all.contains(token), "{all}");
    }
    let signed_in = refresh(&server, &browser).await.result();
    let token = signed_in["idToken"].as_str().unwrap();
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap());
    let claims: Value = serde_json::from_slice(&claims.unwrap()).unwrap();
    assert_eq!(claims["iss"], "dispatch");
    let log = server.shop.read("server.log");
    for secret in [CLIENT_SECRET, &code, token, "eyJ"] {
        assert!(!log.contains(secret), "{log}");
    }
}
