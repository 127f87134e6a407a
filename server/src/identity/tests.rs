//! Identity as its callers meet it: accounts, sessions and the three calls, on a real database.

use std::sync::Arc;

use actix_web::cookie::{Cookie, SameSite};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::test::{self, TestRequest};
use actix_web::{App, HttpResponse, get, web};
use dispatch_actors::store::{DatabaseUrl, Store};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::broadcast::error::TryRecvError;

use super::{Caller, Identity, passwords, routes};
use crate::error::ApiError;
use crate::staff::{Permission, Role};

const ANN: &str = "ann@example.com";
const PASSWORD: &str = "right-password";

struct Shop {
    folder: TempDir,
    identity: Identity,
}

impl Shop {
    /// With Ann, an advisor.
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let identity = open(&folder, false).await;
        let hash = passwords::hash(PASSWORD.to_owned()).await.unwrap();
        identity.add_user_with_hash(ANN, " Ann Bell ", &[Role::Advisor], None, &hash).await.unwrap();
        Self { folder, identity }
    }

    async fn sign_in(&self) -> super::SignedIn {
        self.identity.sign_in(ANN, PASSWORD).await.unwrap()
    }
}

async fn open(folder: &TempDir, secure_cookie: bool) -> Identity {
    let url = DatabaseUrl::Sqlite(folder.path().join("dispatch.db"));
    let store = Store::open(&url).await.unwrap();
    store.migrate(&url).await.unwrap();
    Identity::open(store, secure_cookie).await.unwrap()
}

fn refused<T>(result: Result<T, ApiError>) -> (u16, &'static str) {
    let error = result.err().unwrap();
    (error.status.as_u16(), error.code)
}

#[actix_web::test]
async fn a_signed_in_person_is_who_they_are() {
    let shop = Shop::new().await;
    let signed_in = shop.identity.sign_in(" ANN@example.com ", PASSWORD).await.unwrap();
    assert_eq!(signed_in.expires_in, 3_600);
    assert_eq!(signed_in.user.name, "Ann Bell");
    assert_eq!(signed_in.user.permissions, [Permission::ChangeStatus, Permission::ChangePriority]);
    let caller = shop.identity.authenticate(&signed_in.id_token).await.unwrap();
    assert_eq!(caller.uid, signed_in.user.uid);
    assert_eq!(caller.session_id, signed_in.session);
    assert_eq!(caller.roles, [Role::Advisor]);
}

#[actix_web::test]
async fn an_unknown_email_gets_the_answer_of_a_wrong_password() {
    let shop = Shop::new().await;
    let wrong = shop.identity.sign_in(ANN, "wrong-password").await.err().unwrap();
    for (email, password) in [("bob@example.com", PASSWORD), ("not an email", PASSWORD), (ANN, ""), ("", "")] {
        let other = shop.identity.sign_in(email, password).await.err().unwrap();
        assert_eq!((other.status, other.code, &other.error), (wrong.status, wrong.code, &wrong.error));
    }
    assert_eq!((wrong.status, wrong.code), (StatusCode::UNAUTHORIZED, "wrong-credentials"));
}

#[actix_web::test]
async fn a_refresh_goes_on_with_the_same_session() {
    let shop = Shop::new().await;
    let first = shop.sign_in().await;
    let second = shop.identity.refresh(&first.refresh_token).await.unwrap();
    assert_eq!((&second.session, &second.refresh_token), (&first.session, &first.refresh_token));
    assert_eq!(refused(shop.identity.refresh("made up").await), (401, "unauthorized"));
}

#[actix_web::test]
async fn signing_out_ends_that_session_alone_and_tells() {
    let shop = Shop::new().await;
    let (here, there) = (shop.sign_in().await, shop.sign_in().await);
    shop.identity.authenticate(&here.id_token).await.unwrap();
    let mut ended = shop.identity.ended();
    shop.identity.sign_out(&here.refresh_token).await.unwrap();
    shop.identity.sign_out(&here.refresh_token).await.unwrap();
    assert_eq!(ended.try_recv(), Ok(Arc::from(here.session.as_str())));
    assert_eq!(ended.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(refused(shop.identity.authenticate(&here.id_token).await), (401, "unauthorized"));
    assert_eq!(refused(shop.identity.refresh(&here.refresh_token).await), (401, "unauthorized"));
    assert!(!shop.identity.is_live(&here.session).await.unwrap());
    assert!(shop.identity.is_live(&there.session).await.unwrap());
    shop.identity.authenticate(&there.id_token).await.unwrap();
}

#[actix_web::test]
async fn taking_a_role_away_ends_the_sessions_and_tells() {
    let shop = Shop::new().await;
    let (first, second) = (shop.sign_in().await, shop.sign_in().await);
    shop.identity.authenticate(&first.id_token).await.unwrap();
    let mut ended = shop.identity.ended();
    shop.identity.set_roles(ANN, &[Role::Admin]).await.unwrap();
    let mut told = [ended.try_recv().unwrap(), ended.try_recv().unwrap()];
    let mut expected = [Arc::from(first.session.as_str()), Arc::from(second.session.as_str())];
    told.sort();
    expected.sort();
    assert_eq!(told, expected);
    for session in [first, second] {
        assert_eq!(refused(shop.identity.authenticate(&session.id_token).await), (401, "unauthorized"));
    }
    assert_eq!(shop.sign_in().await.user.roles, [Role::Admin]);
}

#[actix_web::test]
async fn adding_a_role_ends_nothing_and_counts_at_once() {
    let shop = Shop::new().await;
    let signed_in = shop.sign_in().await;
    shop.identity.authenticate(&signed_in.id_token).await.unwrap();
    let mut ended = shop.identity.ended();
    shop.identity.set_roles(ANN, &[Role::Owner, Role::Advisor, Role::Owner]).await.unwrap();
    assert_eq!(ended.try_recv(), Err(TryRecvError::Empty));
    let caller = shop.identity.authenticate(&signed_in.id_token).await.unwrap();
    assert_eq!(caller.roles, [Role::Advisor, Role::Owner]);
    assert!(caller.may(Permission::ManageUsers));
}

#[actix_web::test]
async fn every_role_can_be_taken_away() {
    let shop = Shop::new().await;
    shop.identity.set_roles(ANN, &[]).await.unwrap();
    let signed_in = shop.sign_in().await;
    assert!(signed_in.user.permissions.is_empty());
    let caller = shop.identity.authenticate(&signed_in.id_token).await.unwrap();
    assert_eq!(refused(caller.require(Permission::ChangeStatus)), (403, "forbidden"));
}

#[actix_web::test]
async fn a_removed_user_is_out_at_once_and_can_be_added_again() {
    let shop = Shop::new().await;
    let signed_in = shop.sign_in().await;
    shop.identity.authenticate(&signed_in.id_token).await.unwrap();
    let mut ended = shop.identity.ended();
    shop.identity.remove_user(ANN).await.unwrap();
    assert_eq!(ended.try_recv(), Ok(Arc::from(signed_in.session.as_str())));
    assert_eq!(refused(shop.identity.authenticate(&signed_in.id_token).await), (401, "unauthorized"));
    assert_eq!(refused(shop.identity.sign_in(ANN, PASSWORD).await), (401, "wrong-credentials"));
    assert_eq!(refused(shop.identity.remove_user(ANN).await), (404, "unknown-user"));
    assert_eq!(refused(shop.identity.set_roles(ANN, &[Role::Owner]).await), (404, "unknown-user"));
    assert_eq!(shop.identity.count_accounts().await.unwrap(), 0);
    shop.identity.add_user(ANN, "Ann", &[Role::Technician], Some(7), PASSWORD).await.unwrap();
    assert_eq!(shop.sign_in().await.user.technician_id, Some(7));
}

#[actix_web::test]
async fn an_email_has_one_account() {
    let shop = Shop::new().await;
    let again = shop.identity.add_user("Ann@Example.com", "Other Ann", &[Role::Owner], None, PASSWORD).await;
    assert_eq!(refused(again), (409, "email-already-in-use"));
    assert_eq!(shop.sign_in().await.user.roles, [Role::Advisor]);
    assert!(shop.identity.has_account("ANN@example.com").await.unwrap());
    assert_eq!(shop.identity.count_accounts().await.unwrap(), 1);
}

#[actix_web::test]
async fn tokens_outlive_a_restart() {
    let shop = Shop::new().await;
    let signed_in = shop.sign_in().await;
    let restarted = open(&shop.folder, false).await;
    restarted.authenticate(&signed_in.id_token).await.unwrap();
    restarted.refresh(&signed_in.refresh_token).await.unwrap();
}

#[actix_web::test]
async fn two_processes_that_start_at_once_agree_on_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("dispatch.db"));
    let (one, other) = (Store::open(&url).await.unwrap(), Store::open(&url).await.unwrap());
    one.migrate(&url).await.unwrap();
    let (one, other) = tokio::join!(Identity::open(one, false), Identity::open(other, false));
    let (one, other) = (one.unwrap(), other.unwrap());
    one.add_user(ANN, "Ann", &[Role::Owner], None, PASSWORD).await.unwrap();
    let signed_in = one.sign_in(ANN, PASSWORD).await.unwrap();
    other.authenticate(&signed_in.id_token).await.unwrap();
}

#[actix_web::test]
async fn a_token_of_another_shop_is_refused() {
    let (here, there) = (Shop::new().await, Shop::new().await);
    let foreign = there.sign_in().await;
    assert_eq!(refused(here.identity.authenticate(&foreign.id_token).await), (401, "unauthorized"));
}

#[get("/who")]
async fn who(caller: Caller) -> HttpResponse {
    HttpResponse::Ok().body(caller.email)
}

/// Sends a request to an app that serves the calls of `routes` and `/who`.
async fn send(identity: &Identity, request: TestRequest) -> ServiceResponse {
    let app = App::new()
        .app_data(web::Data::new(identity.clone()))
        .configure(routes::configure)
        .service(who);
    test::call_service(&test::init_service(app).await, request.to_request()).await
}

fn post(path: &str) -> TestRequest {
    TestRequest::post().uri(path).peer_addr("192.0.2.1:40000".parse().unwrap())
}

fn sign_in_with(email: &str, password: &str) -> TestRequest {
    post("/api/auth/sign-in").set_json(json!({ "email": email, "password": password }))
}

fn refresh_cookie(answer: &ServiceResponse) -> Cookie<'static> {
    let cookie = answer.response().cookies().find(|cookie| cookie.name() == "dispatch_refresh");
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
    assert_eq!((cookie.http_only(), cookie.same_site()), (Some(true), Some(SameSite::Strict)));
    assert_eq!((cookie.path(), cookie.secure()), (Some("/api/auth"), None));
    assert_eq!(cookie.max_age().unwrap().whole_days(), 30);
    let mut signed_in = body(answer).await;
    let id_token = signed_in["result"]["idToken"].take();
    let uid = signed_in["result"]["user"]["uid"].take();
    assert_eq!(
        signed_in,
        json!({ "ok": true, "result": { "idToken": null, "expiresIn": 3600, "user": {
            "uid": null, "email": ANN, "name": "Ann Bell", "roles": ["Advisor"], "technicianId": null,
            "permissions": ["change-status", "change-priority"],
        } } })
    );

    let refreshed = send(&shop.identity, post("/api/auth/refresh").cookie(cookie.clone())).await;
    assert_eq!(refreshed.headers().get("cache-control").unwrap(), "no-store");
    assert_eq!(refresh_cookie(&refreshed).value(), cookie.value());
    assert_eq!(body(refreshed).await["result"]["user"]["uid"], uid);

    let bearer = ("Authorization", format!("Bearer {}", id_token.as_str().unwrap()));
    let asked = send(&shop.identity, TestRequest::get().uri("/who").insert_header(bearer.clone())).await;
    assert_eq!(test::read_body(asked).await, ANN);

    for _ in 0..2 {
        let out = send(&shop.identity, post("/api/auth/sign-out").cookie(cookie.clone())).await;
        let cleared = refresh_cookie(&out);
        assert_eq!((cleared.value(), cleared.path()), ("", Some("/api/auth")));
        assert!(cleared.max_age().unwrap().is_zero());
        assert_eq!(body(out).await, json!({ "ok": true, "result": null }));
    }
    let asked = send(&shop.identity, TestRequest::get().uri("/who").insert_header(bearer)).await;
    assert_eq!(asked.status(), 401);
    let refused = body(send(&shop.identity, post("/api/auth/refresh").cookie(cookie)).await).await;
    assert_eq!(refused["code"], "unauthorized");
}

#[actix_web::test]
async fn the_id_token_alone_can_sign_out() {
    let shop = Shop::new().await;
    let signed_in = shop.sign_in().await;
    let bearer = ("Authorization", format!("bearer {}", signed_in.id_token));
    let out = send(&shop.identity, post("/api/auth/sign-out").insert_header(bearer)).await;
    assert_eq!(out.status(), 200);
    assert!(!shop.identity.is_live(&signed_in.session).await.unwrap());
}

#[actix_web::test]
async fn behind_https_the_cookie_goes_over_https_alone() {
    let shop = Shop::new().await;
    let behind_https = open(&shop.folder, true).await;
    let answer = send(&behind_https, sign_in_with(ANN, PASSWORD)).await;
    assert_eq!(refresh_cookie(&answer).secure(), Some(true));
}

#[actix_web::test]
async fn without_a_token_a_request_is_told_to_sign_in() {
    let shop = Shop::new().await;
    for header in ["", "Bearer", "Basic YW5uOnB3", "Bearer made.up.token"] {
        let request = TestRequest::get().uri("/who").insert_header(("Authorization", header));
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
    for _ in 0..10 {
        let answer = send(&shop.identity, sign_in_with(ANN, "guess-guess")).await;
        assert_eq!(answer.status(), 401);
        assert!(answer.response().cookies().next().is_none());
    }
    let answer = send(&shop.identity, sign_in_with(ANN, PASSWORD)).await;
    assert_eq!(answer.status(), 429);
    assert_eq!(body(answer).await["code"], "too-many-requests");
}

#[actix_web::test]
async fn signing_in_often_with_the_right_password_is_no_guessing() {
    let shop = Shop::new().await;
    for _ in 0..15 {
        assert_eq!(send(&shop.identity, sign_in_with(ANN, PASSWORD)).await.status(), 200);
    }
}
