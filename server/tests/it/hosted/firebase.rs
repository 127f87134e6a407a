//! Firebase Authentication, against Firebase's own emulator.

use async_trait::async_trait;
use dispatch_server::hosted::Firebase;
use dispatch_server::identity::{Email, IdentityProvider, ProviderError};
use dispatch_server::options::config::Google;
use serde_json::{Value, json};

use super::emulators::{PROJECT, authentication};
use super::identity_suite::{Stage, identity_suite};
use crate::fixture::http;

struct OnEmulator {
    firebase: Firebase,
}

async fn on_emulator() -> OnEmulator {
    let emulator = tokio::task::spawn_blocking(authentication).await.unwrap();
    // Installs the provider of cryptography, too.
    http();
    let google = Google {
        project: Some(PROJECT.to_owned()),
        firebase_emulator: Some(emulator),
        ..Google::default()
    };
    OnEmulator {
        firebase: Firebase::open(&google, "http://127.0.0.1:8080").unwrap(),
    }
}

#[async_trait]
impl Stage for OnEmulator {
    fn provider(&self) -> &dyn IdentityProvider {
        &self.firebase
    }

    async fn mailed_tokens(&self, email: &Email) -> Vec<String> {
        let codes = as_admin(reqwest::Method::GET, "emulator/v1", "oobCodes", None).await;
        let codes = codes["oobCodes"].as_array().unwrap();
        let theirs = codes.iter().filter(|code| code["email"] == email.as_str());
        let token = |code: &Value| {
            assert_eq!(code["requestType"], "PASSWORD_RESET");
            let link = code["oobLink"].as_str().unwrap();
            assert!(
                link.contains("continueUrl=http%3A%2F%2F127.0.0.1%3A8080%2Flogin"),
                "{link}"
            );
            code["oobCode"].as_str().unwrap().to_owned()
        };
        theirs.map(token).collect()
    }
}

/// What a project's owner does on the console.
async fn as_admin(method: reqwest::Method, api: &str, what: &str, body: Option<Value>) -> Value {
    let emulator = authentication();
    let url = format!("http://{emulator}/{api}/projects/{PROJECT}/{what}");
    let call = http().request(method, url).bearer_auth("owner");
    let answer = match body {
        Some(body) => call.json(&body),
        None => call,
    };
    let answer = answer.send().await.unwrap();
    assert!(answer.status().is_success(), "{answer:?}");
    answer.json().await.unwrap()
}

identity_suite!(on_emulator());

#[tokio::test]
async fn a_disabled_account_is_out_at_once_and_its_sessions_end() {
    let stage = on_emulator().await;
    let email = Email::parse("disabled@shop.example").unwrap();
    let password = "a long password";
    let uid = stage
        .firebase
        .sign_up(&email, Some(password))
        .await
        .unwrap();
    let verified = stage.firebase.sign_in(&email, password).await.unwrap();
    as_admin(
        reqwest::Method::POST,
        "identitytoolkit.googleapis.com/v1",
        "accounts:update",
        Some(json!({ "localId": uid, "disableUser": true })),
    )
    .await;
    let refused = stage.firebase.sign_in(&email, password).await.unwrap_err();
    assert!(
        matches!(refused, ProviderError::WrongPassword),
        "{refused:?}"
    );
    for grant in [verified.grant.as_deref(), None] {
        let ended = stage.firebase.check(&uid, grant).await.unwrap_err();
        assert!(matches!(ended, ProviderError::Ended), "{ended:?}");
    }
}

#[tokio::test]
async fn a_session_of_one_person_is_not_another_s() {
    let stage = on_emulator().await;
    let [one, other] = ["one@shop.example", "other@shop.example"];
    let mut uids = Vec::new();
    for email in [one, other] {
        let email = Email::parse(email).unwrap();
        let signed_up = stage.firebase.sign_up(&email, Some("a long password"));
        uids.push(signed_up.await.unwrap());
    }
    let one = Email::parse(one).unwrap();
    let verified = stage.firebase.sign_in(&one, "a long password").await;
    let grant = verified.unwrap().grant;
    for (uid, grant) in [(&uids[1], grant.as_deref()), (&uids[0], Some("made up"))] {
        let ended = stage.firebase.check(uid, grant).await.unwrap_err();
        assert!(matches!(ended, ProviderError::Ended), "{ended:?}");
    }
}
