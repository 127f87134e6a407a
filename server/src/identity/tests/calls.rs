//! The three calls, and a request that needs a signed-in person, through actix-web.

use crate::calls::Calls;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::dev::ServiceResponse;
use actix_web::test::{self, TestRequest};
use actix_web::{App, HttpResponse, get, web};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{ANN, PASSWORD, Shop};
use crate::identity::sign_in::routes;
use crate::identity::{Caller, Identity};

#[get("/who")]
async fn caller_uid(caller: Caller) -> HttpResponse {
    HttpResponse::Ok().body(caller.email)
}

/// Sends a request to an app that serves the calls of `routes` and `/who`.
async fn send(identity: &Identity, request: TestRequest) -> ServiceResponse {
    let app = App::new()
        .app_data(web::Data::new(identity.clone()))
        .configure(|config| routes::configure(&mut Calls::routed(config)))
        .service(caller_uid);
    test::call_service(&test::init_service(app).await, request.to_request()).await
}

fn post(path: &str) -> TestRequest {
    TestRequest::post()
        .uri(path)
        .peer_addr("192.0.2.1:40000".parse().unwrap())
}

fn sign_in_with(email: &str, password: &str) -> TestRequest {
    post("/api/auth/sign-in").set_json(json!({ "email": email, "password": password }))
}

fn refresh_cookie(answer: &ServiceResponse) -> Cookie<'static> {
    let cookie = answer
        .response()
        .cookies()
        .find(|cookie| cookie.name() == "dispatch_refresh");
    cookie.unwrap().into_owned()
}

async fn body(answer: ServiceResponse) -> Value {
    test::read_body_json(answer).await
}

#[actix_web::test]
async fn the_calls_sign_in_refresh_and_sign_out() {
    let shop = Shop::new().await;
    let answer = send(&shop.identity, sign_in_with(ANN, PASSWORD)).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers().get("cache-control").unwrap(), "no-store");
    let cookie = refresh_cookie(&answer);
    assert_eq!(
        (cookie.http_only(), cookie.same_site()),
        (Some(true), Some(SameSite::Strict))
    );
    assert_eq!((cookie.path(), cookie.secure()), (Some("/api/auth"), None));
    assert_eq!(cookie.max_age().unwrap().whole_days(), 30);
    let mut signed_in = body(answer).await;
    let id_token = signed_in["result"]["idToken"].take();
    let uid = signed_in["result"]["user"]["uid"].take();
    assert_eq!(
        signed_in,
        json!({ "ok": true, "result": { "idToken": null, "expiresIn": 3600, "user": {
            "uid": null, "email": ANN, "name": "Ann Bell", "roles": ["Advisor"], "technicianId": null,
            "permissions": ["change-status", "change-priority", "edit-jobs", "close-repair-orders", "change-stages", "call-customers"],
        } } })
    );

    let refreshed = send(
        &shop.identity,
        post("/api/auth/refresh").cookie(cookie.clone()),
    )
    .await;
    assert_eq!(
        refreshed.headers().get("cache-control").unwrap(),
        "no-store"
    );
    let rotated = refresh_cookie(&refreshed);
    assert_ne!(rotated.value(), cookie.value());
    assert_eq!(body(refreshed).await["result"]["user"]["uid"], uid);

    let bearer = (
        "Authorization",
        format!("Bearer {}", id_token.as_str().unwrap()),
    );
    let answer = send(
        &shop.identity,
        TestRequest::get().uri("/who").insert_header(bearer.clone()),
    )
    .await;
    assert_eq!(test::read_body(answer).await, ANN);

    for _ in 0..2 {
        let out = send(
            &shop.identity,
            post("/api/auth/sign-out").cookie(cookie.clone()),
        )
        .await;
        let cleared = refresh_cookie(&out);
        assert_eq!((cleared.value(), cleared.path()), ("", Some("/api/auth")));
        assert!(cleared.max_age().unwrap().is_zero());
        assert_eq!(body(out).await, json!({ "ok": true, "result": null }));
    }
    let answer = send(
        &shop.identity,
        TestRequest::get().uri("/who").insert_header(bearer),
    )
    .await;
    assert_eq!(answer.status(), 401);
    let refused = body(send(&shop.identity, post("/api/auth/refresh").cookie(cookie)).await).await;
    assert_eq!(refused["code"], "unauthorized");
}

#[actix_web::test]
async fn signing_in_again_ends_the_session_before() {
    let shop = Shop::new().await;
    let before = shop.sign_in().await;
    let cookie = Cookie::new("dispatch_refresh", before.refresh_token.clone());
    let wrong = sign_in_with(ANN, "wrong-password").cookie(cookie.clone());
    assert_eq!(send(&shop.identity, wrong).await.status(), 401);
    shop.identity.authenticate(&before.id_token).await.unwrap();
    let right = sign_in_with(ANN, PASSWORD).cookie(cookie);
    let answer = send(&shop.identity, right).await;
    let now = refresh_cookie(&answer);
    let refused = shop.identity.authenticate(&before.id_token).await;
    assert_eq!(refused.unwrap_err().code.as_str(), "unauthorized");
    let goes_on = send(&shop.identity, post("/api/auth/refresh").cookie(now)).await;
    assert_eq!(goes_on.status(), 200);
}

#[actix_web::test]
async fn the_id_token_alone_can_sign_out() {
    let shop = Shop::new().await;
    let signed_in = shop.sign_in().await;
    let bearer = ("Authorization", format!("bearer {}", signed_in.id_token));
    let out = send(
        &shop.identity,
        post("/api/auth/sign-out").insert_header(bearer),
    )
    .await;
    assert_eq!(out.status(), 200);
    assert!(!super::is_live(&shop.identity, &signed_in.session).await);
}

#[actix_web::test]
async fn behind_https_the_cookie_goes_over_https_alone() {
    let shop = Shop::new().await;
    let behind_https = super::open_at(&shop.store, true).await;
    let answer = send(&behind_https, sign_in_with(ANN, PASSWORD)).await;
    let cookies: Vec<_> = answer.response().cookies().collect();
    assert_eq!(cookies[0].name(), "__Secure-dispatch_refresh");
    assert!(cookies.iter().all(|cookie| cookie.secure() == Some(true)));
}

#[actix_web::test]
async fn without_a_token_a_request_is_told_to_sign_in() {
    let shop = Shop::new().await;
    for header in ["", "Bearer", "Basic YW5uOnB3", "Bearer made.up.token"] {
        let request = TestRequest::get()
            .uri("/who")
            .insert_header(("Authorization", header));
        let answer = send(&shop.identity, request).await;
        assert_eq!(answer.status(), 401, "{header}");
        assert_eq!(body(answer).await["code"], "unauthorized");
    }
    let answer = send(&shop.identity, post("/api/auth/refresh")).await;
    assert_eq!(body(answer).await["error"], "Sign in first");
}

#[actix_web::test]
async fn guessing_is_stopped_even_for_the_right_password() {
    let shop = Shop::new().await;
    // All at once: on a busy machine ten passwords, one after the other, take until another try is given.
    let passwords = [["guess-guess"; 20].as_slice(), &[PASSWORD]].concat();
    let tries = passwords.into_iter();
    let tries = tries.map(|password| send(&shop.identity, sign_in_with(ANN, password)));
    let mut answers = join_all(tries).await;
    for answer in &answers {
        assert!(answer.response().cookies().next().is_none());
    }
    let guesses = answers.iter().filter(|answer| answer.status() == 401);
    assert!(guesses.count() >= 10);
    let answer = answers.remove(answers.len() - 1);
    assert_eq!(answer.status(), 429);
    assert_eq!(body(answer).await["code"], "too-many-requests");
}

#[actix_web::test]
async fn signing_in_often_with_the_right_password_is_no_guessing() {
    let shop = Shop::new().await;
    for _ in 0..15 {
        assert_eq!(
            send(&shop.identity, sign_in_with(ANN, PASSWORD))
                .await
                .status(),
            200
        );
    }
}
