//! What the emulator cannot be brought to say: answers of Google's services to the letter, from a
//! server of our own.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Mutex;

use actix_web::http::StatusCode;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::*;

const PROJECT: &str = "shop-4389";

/// Gives the answers that are laid ready, in their order, and keeps what was asked.
#[derive(Default)]
struct Script {
    answers: Mutex<VecDeque<(u16, Value)>>,
    requests: Mutex<Vec<RecordedRequest>>,
}

#[derive(Clone, Debug)]
struct RecordedRequest {
    path: String,
    bearer: Option<String>,
    language: Option<String>,
    body: Value,
}

struct Google {
    script: web::Data<Script>,
    firebase: Firebase,
}

async fn reply(request: HttpRequest, body: web::Bytes, script: web::Data<Script>) -> HttpResponse {
    let header = |name| {
        let value = request.headers().get(name)?;
        Some(value.to_str().ok()?.to_owned())
    };
    script.requests.lock().unwrap().push(RecordedRequest {
        path: request.path().to_owned(),
        bearer: header("authorization"),
        language: header("x-firebase-locale"),
        body: serde_json::from_slice(&body).unwrap_or_default(),
    });
    let (status, body) = script.answers.lock().unwrap().pop_front().unwrap();
    HttpResponse::build(StatusCode::from_u16(status).unwrap()).json(body)
}

fn firebase_at(address: SocketAddr) -> Firebase {
    // Another test may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let google = crate::options::config::Google {
        project: Some(PROJECT.to_owned()),
        firebase_emulator: Some(address),
        ..crate::options::config::Google::default()
    };
    Firebase::open(&google, "https://dispatch.example.com/").unwrap()
}

impl Google {
    async fn that_answers(answers: impl IntoIterator<Item = (u16, Value)>) -> Self {
        let script = web::Data::new(Script {
            answers: Mutex::new(answers.into_iter().collect()),
            ..Script::default()
        });
        let data = script.clone();
        let server = HttpServer::new(move || {
            App::new()
                .app_data(data.clone())
                .default_service(web::to(reply))
        })
        .workers(1)
        .disable_signals()
        .bind(("127.0.0.1", 0))
        .unwrap();
        let address = server.addrs()[0];
        actix_web::rt::spawn(server.run());
        Self {
            script,
            firebase: firebase_at(address),
        }
    }

    fn requests(&self) -> Vec<RecordedRequest> {
        assert!(self.script.answers.lock().unwrap().is_empty());
        self.script.requests.lock().unwrap().clone()
    }
}

fn refusal(message: &str) -> (u16, Value) {
    let error = json!({ "message": message, "domain": "global", "reason": "invalid" });
    (
        400,
        json!({ "error": { "code": 400, "message": message, "errors": [error] } }),
    )
}

fn ann() -> Email {
    Email::parse("ann@shop.example").unwrap()
}

fn token(uid: &str) -> String {
    token_with(uid, true)
}

fn token_with(uid: &str, email_is_verified: bool) -> String {
    let now = Timestamp::now().as_second();
    let claims = json!({
        "iss": format!("https://securetoken.google.com/{PROJECT}"),
        "aud": PROJECT, "auth_time": now, "sub": uid, "iat": now, "exp": now + 3_600,
        "email": "ann@shop.example", "email_verified": email_is_verified,
    });
    let part = |part: Value| URL_SAFE_NO_PAD.encode(part.to_string());
    format!("{}.{}.", part(json!({ "alg": "none" })), part(claims))
}

fn signed_in(uid: &str, token_of: &str) -> (u16, Value) {
    (
        200,
        json!({
            "kind": "identitytoolkit#VerifyPasswordResponse",
            "localId": uid, "email": "ann@shop.example", "displayName": "",
            "idToken": token(token_of), "registered": true,
            "refreshToken": "refresh", "expiresIn": "3600",
        }),
    )
}

#[actix_web::test]
async fn a_sign_in_that_is_refused_says_why() {
    let google = Google::that_answers([
        refusal("INVALID_LOGIN_CREDENTIALS"),
        refusal(
            "TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled.",
        ),
        refusal("USER_DISABLED"),
        refusal("API key not valid. Please pass a valid API key."),
        (
            503,
            json!({ "error": { "code": 503, "message": "The service is currently unavailable." } }),
        ),
    ])
    .await;
    let sign_in = async || {
        google
            .firebase
            .sign_in(&ann(), "a password")
            .await
            .unwrap_err()
    };
    assert!(matches!(sign_in().await, ProviderError::WrongPassword));
    assert!(matches!(sign_in().await, ProviderError::TooManyRequests));
    assert!(matches!(sign_in().await, ProviderError::WrongPassword));
    assert!(matches!(sign_in().await, ProviderError::Broken(_)));
    assert!(matches!(sign_in().await, ProviderError::Network(_)));
}

#[actix_web::test]
async fn a_password_that_is_too_weak_is_held_against_the_projects_policy() {
    let policy = json!({
        "customStrengthOptions": {
            "minPasswordLength": 8, "maxPasswordLength": 64, "containsNumericCharacter": true,
        },
        "allowedNonAlphanumericCharacters": ["!"],
        "schemaVersion": 1,
        "enforcementState": "ENFORCE",
    });
    let unmet = "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: \
                 [Password must contain at least 8 characters]";
    let google = Google::that_answers([
        refusal(unmet),
        (200, policy.clone()),
        refusal(unmet),
        (200, policy),
        refusal(unmet),
        refusal("QUOTA_EXCEEDED"),
    ])
    .await;
    let outcome = async |password| {
        let refused = google.firebase.sign_up(&ann(), Some(password)).await;
        refused.unwrap_err().to_string()
    };
    assert_eq!(
        outcome("secret").await,
        "The password needs at least 8 characters and a digit"
    );
    assert_eq!(
        outcome("long enough 1").await,
        "Missing password requirements: [Password must contain at least 8 characters]",
        "a rule that we do not know"
    );
    assert_eq!(
        outcome("12345").await,
        "The password needs at least 6 characters",
        "without the policy"
    );
    assert_eq!(
        google.requests()[1].path,
        "/identitytoolkit.googleapis.com/v2/passwordPolicy"
    );
}

#[actix_web::test]
async fn an_account_with_a_password_is_made_as_an_administrator_with_a_verified_email() {
    let created = json!({ "localId": "uid-1", "email": "ann@shop.example" });
    let google = Google::that_answers([(200, created)]).await;
    let uid = google.firebase.sign_up(&ann(), Some("a password")).await;
    assert_eq!(uid.unwrap(), "uid-1");
    let requests = google.requests();
    assert_eq!(
        requests[0].path,
        "/identitytoolkit.googleapis.com/v1/projects/shop-4389/accounts"
    );
    assert_eq!(requests[0].bearer.as_deref(), Some("Bearer owner"));
    assert_eq!(requests[0].body["password"], "a password");
    assert_eq!(requests[0].body["emailVerified"], true);
}

#[actix_web::test]
async fn the_mail_goes_out_also_where_the_way_back_is_not_allowed() {
    let google = Google::that_answers([
        refusal("UNAUTHORIZED_DOMAIN : DOMAIN_NOT_WHITELISTED"),
        (200, json!({ "email": "ann@shop.example" })),
    ])
    .await;
    let ann = ann();
    google.firebase.mail_invitation(&ann, "de").await.unwrap();
    let requests = google.requests();
    assert_eq!(requests[0].language.as_deref(), Some("de"));
    assert_eq!(
        requests[0].body["continueUrl"],
        "https://dispatch.example.com/login"
    );
    assert_eq!(requests[1].body["continueUrl"], Value::Null);
    assert_eq!(requests[1].body["requestType"], "PASSWORD_RESET");
}

#[actix_web::test]
async fn an_answer_about_somebody_else_or_half_signed_in_lets_nobody_in() {
    let (status, mut pending) = signed_in("uid-1", "uid-1");
    pending.as_object_mut().unwrap().remove("idToken");
    pending["mfaPendingCredential"] = "pending".into();
    let google = Google::that_answers([
        signed_in("uid-1", "uid-2"),
        (status, pending),
        signed_in("uid-1", "uid-1"),
    ])
    .await;
    let sign_in = async || google.firebase.sign_in(&ann(), "a password").await;
    assert!(matches!(sign_in().await, Err(ProviderError::Broken(_))));
    assert!(matches!(sign_in().await, Err(ProviderError::Broken(_))));
    let verified = sign_in().await.unwrap();
    assert_eq!(
        verified,
        Verified {
            lacks_code: true,
            uid: "uid-1".to_owned(),
            email: ann(),
            email_is_verified: true,
            grant: Some("refresh".to_owned()),
        }
    );
}

#[actix_web::test]
async fn an_email_that_nobody_has_verified_is_told_apart_and_ends_a_session() {
    let unverified = token_with("uid-1", false);
    let (status, mut signed_in) = signed_in("uid-1", "uid-1");
    signed_in["idToken"] = unverified.clone().into();
    let refreshed = json!({ "id_token": unverified, "refresh_token": "refresh" });
    let google = Google::that_answers([(status, signed_in), (200, refreshed)]).await;
    let verified = google.firebase.sign_in(&ann(), "a password").await;
    assert!(!verified.unwrap().email_is_verified);
    let check = google.firebase.check("uid-1", Some("refresh")).await;
    assert!(matches!(check, Err(ProviderError::Ended)));
}

#[actix_web::test]
async fn expired_links_and_ended_sessions_are_told_apart_from_wrong_ones() {
    let google = Google::that_answers([
        refusal("EXPIRED_OOB_CODE"),
        refusal("INVALID_OOB_CODE"),
        refusal("TOKEN_EXPIRED"),
        refusal("USER_DISABLED"),
        refusal("USER_NOT_FOUND"),
        refusal("INVALID_REFRESH_TOKEN"),
    ])
    .await;
    let confirm = async || google.firebase.confirm_link("t", "a password").await;
    assert!(matches!(confirm().await, Err(ProviderError::ExpiredLink)));
    assert!(matches!(confirm().await, Err(ProviderError::InvalidLink)));
    for _ in 0..3 {
        let check = google.firebase.check("uid-1", Some("refresh")).await;
        assert!(matches!(
            check,
            Err(ProviderError::Ended | ProviderError::UserNotFound)
        ));
    }
    let check = google.firebase.check("uid-1", Some("refresh")).await;
    assert!(matches!(check, Err(ProviderError::Ended)));
}

#[actix_web::test]
async fn a_provider_that_is_not_there_is_a_matter_of_the_network_and_keeps_the_key_to_itself() {
    let firebase = firebase_at("127.0.0.1:9".parse().unwrap());
    let refused = firebase.sign_in(&ann(), "a password").await.unwrap_err();
    let ProviderError::Network(why) = &refused else {
        panic!("{refused:?}");
    };
    assert!(!why.contains("key="), "{why}");
    let answer = crate::error::ApiError::from(refused);
    assert_eq!(
        (answer.status.as_u16(), answer.code.as_str()),
        (503, "network-request-failed")
    );
}
