//! Sign-in sessions on the wire: what a person sees of them, and that whatever ends one ends its
//! tokens at once, and its sockets.

use dispatch_actors::testing::Throwaway;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::fixture::{Desk, PASSWORD, Server, Shop, Socket, WAIT_TIMEOUT, answer};

const FIREFOX: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Firefox/140.0";

pub async fn sql(server: &Server, statement: &str) {
    let store = server.shop.store().await;
    store.writer().execute_unprepared(statement).await.unwrap();
    store.close().await;
}

async fn closes(socket: Socket, why: &str) {
    let closed = timeout(WAIT_TIMEOUT, socket.until_closed()).await;
    assert!(closed.is_ok(), "{why}: it stays open");
}

async fn sign_in_by(server: &Server, browser: &str) -> Desk {
    let credentials = json!({ "email": "owner@example.com", "password": PASSWORD });
    let request = server
        .request(Method::POST, "/api/auth/sign-in")
        .header("User-Agent", browser)
        .json(&credentials);
    Desk::new(server, answer(request).await)
}

#[tokio::test]
async fn a_person_sees_where_they_are_signed_in_and_ends_a_session() {
    let server = Server::start().await;
    let here = server.hire("owner@example.com", "Owner").await;
    let there = sign_in_by(&server, FIREFOX).await;
    let stranger = server.hire("ann@example.com", "Owner").await;
    let socket = there.listen(&server).await;

    let me = here.get("/api/auth/me").await.result();
    assert_eq!(me["email"], "owner@example.com");
    assert_eq!(me["roles"], json!(["Owner"]));
    let sessions = here.get("/api/auth/sessions").await.result();
    let sessions = sessions.as_array().unwrap();
    assert_eq!(sessions.len(), 2);
    let current = |wanted: bool| {
        let found = sessions.iter().find(|session| session["current"] == wanted);
        found.unwrap().clone()
    };
    assert_eq!(current(true)["browser"], Value::Null);
    let other = current(false);
    assert_eq!(other["browser"], "Firefox on Windows");
    assert_eq!(other["address"], "127.0.0.1");
    for time in ["createdAt", "lastUsedAt"] {
        let time: jiff::Timestamp = other[time].as_str().unwrap().parse().unwrap();
        assert!(jiff::Timestamp::now().as_second() - time.as_second() < 60);
    }

    let path = format!("/api/auth/sessions/{}", other["id"].as_str().unwrap());
    stranger.delete(&path).await.refused(404, "unknown-session");
    here.delete(&path).await.good();
    closes(socket, "its session was ended").await;
    here.delete(&path).await.refused(404, "unknown-session");
    there.get("/api/auth/me").await.refused(401, "unauthorized");
    there.refresh().await.ended("signed-out");
    here.get("/api/auth/me").await.good();
}

#[tokio::test]
async fn only_an_owner_ends_the_session_of_another_user() {
    let server = Server::start().await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let one = server.hire("ann@example.com", "Advisor").await;
    let two = server.sign_in("ann@example.com").await;
    let admin = server.hire("admin@example.com", "Admin").await;
    let of_ann = "/api/users/ann@example.com/sessions";
    for desk in [&one, &admin] {
        desk.get(of_ann).await.refused(403, "forbidden");
        desk.delete(of_ann).await.refused(403, "forbidden");
    }
    let list = async || owner.get(of_ann).await.result();
    let sessions = list().await;
    assert_eq!(sessions.as_array().unwrap().len(), 2);
    for session in sessions.as_array().unwrap() {
        assert_eq!(session["address"], "127.0.0.1");
        assert_eq!(session["current"], false, "it is not the one that asks");
    }
    let first = sessions[1]["id"].as_str().unwrap();
    let of_admin = format!("/api/users/admin@example.com/sessions/{first}");
    owner
        .delete(&of_admin)
        .await
        .refused(404, "unknown-session");
    let (socket, other) = (one.listen(&server).await, two.listen(&server).await);
    let path = format!("{of_ann}/{first}");
    admin.delete(&path).await.refused(403, "forbidden");
    one.get("/api/auth/me").await.good();

    owner.delete(&path).await.good();
    assert_eq!(socket.until_closed().await, ["41"]);
    one.get("/api/auth/me").await.refused(401, "unauthorized");
    one.refresh().await.ended("ended-by-owner");
    owner.delete(&path).await.refused(404, "unknown-session");
    assert_eq!(list().await.as_array().unwrap().len(), 1);
    two.get("/api/auth/me").await.good();

    let by_uid = format!("/api/users/{}/sessions", two.uid);
    owner.delete(&by_uid).await.good();
    assert_eq!(other.until_closed().await, ["41"]);
    two.refresh().await.ended("ended-by-owner");
    assert_eq!(list().await, json!([]));
    owner.get("/api/auth/me").await.good();

    for id in ["nobody@example.com", "404"] {
        let path = format!("/api/users/{id}/sessions");
        owner.get(&path).await.refused(404, "unknown-user");
        owner.delete(&path).await.refused(404, "unknown-user");
        let one = format!("{path}/{first}");
        owner.delete(&one).await.refused(404, "unknown-user");
    }
    // An invited person who has not signed in yet has no session.
    let bob = "/api/users/bob@example.com";
    owner.put(bob, json!({ "roles": ["Used"] })).await.good();
    let sessions = format!("{bob}/sessions");
    assert_eq!(owner.get(&sessions).await.result(), json!([]));
    owner.delete(&sessions).await.good();
}

#[tokio::test]
async fn signing_out_everywhere_ends_every_session_and_socket() {
    let server = Server::start().await;
    let here = server.hire("owner@example.com", "Owner").await;
    let there = server.sign_in("owner@example.com").await;
    let other = server.hire("ann@example.com", "Owner").await;
    let (one, two) = (here.listen(&server).await, there.listen(&server).await);
    let out = here.post("/api/auth/sign-out-everywhere", json!({})).await;
    let cookie = out.headers["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.contains("Max-Age=0"), "{cookie}");
    out.good();
    closes(one, "here").await;
    closes(two, "there").await;
    for desk in [&here, &there] {
        desk.get("/api/auth/me").await.refused(401, "unauthorized");
        desk.refresh().await.ended("signed-out");
    }
    other.get("/api/auth/me").await.good();
}

#[tokio::test]
async fn a_refresh_token_that_is_used_twice_ends_the_session_and_is_logged() {
    let server = Server::start().await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let socket = owner.listen(&server).await;
    owner.refresh().await.good();
    // Another tab, or an answer that was lost.
    owner.refresh().await.good();
    sql(
        &server,
        "UPDATE refresh_tokens SET replaced_at = replaced_at - 31000",
    )
    .await;
    owner.refresh().await.refused(401, "unauthorized");
    closes(socket, "somebody else has its token").await;
    owner.get("/api/auth/me").await.refused(401, "unauthorized");
    let log = server.shop.read("server.log");
    assert!(log.contains("a refresh token was used twice"), "{log}");
}

#[tokio::test]
async fn a_session_that_another_process_ends_is_over_within_a_second() {
    let server = Server::start().await;
    for (email, statement) in [
        ("ann@example.com", "DELETE FROM sign_in_sessions"),
        ("bea@example.com", "DELETE FROM accounts"),
        (
            "cat@example.com",
            "UPDATE sign_in_sessions SET expires_at = 1",
        ),
    ] {
        let desk = server.hire(email, "Owner").await;
        let socket = desk.listen(&server).await;
        desk.get("/api/auth/me").await.good();
        sql(&server, statement).await;
        closes(socket, statement).await;
        desk.get("/api/auth/me").await.refused(401, "unauthorized");
    }
}

#[tokio::test]
async fn a_staff_record_that_another_process_deletes_ends_sockets_and_calls() {
    let server = Server::start().await;
    for (email, statement) in [
        (
            "ann@example.com",
            "DELETE FROM staff_documents WHERE id = 'ann@example.com'",
        ),
        (
            "bea@example.com",
            "UPDATE staff_documents SET roles = '[]' WHERE id = 'bea@example.com'",
        ),
        (
            "cat@example.com",
            r#"UPDATE staff_documents SET roles = '["Used"]' WHERE id = 'cat@example.com'"#,
        ),
    ] {
        let desk = server.hire(email, "Owner").await;
        let socket = desk.listen(&server).await;
        desk.get("/api/auth/me").await.good();
        sql(&server, statement).await;
        assert!(socket.until_closed().await.contains(&"41".to_owned()));
        desk.get("/api/auth/me").await.refused(401, "unauthorized");
        desk.refresh().await.ended("rights-changed");
    }
}

async fn whoever_shows_the_token_of_a_session_is_told_why_it_ended(shop: Shop) {
    let server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let there = server.sign_in("owner@example.com").await;
    // What was traded for another is no more the session's.
    let traded = Desk::at(&server, &there);
    let there = Desk::new(&server, there.refresh().await);
    let long_ago = "UPDATE refresh_tokens SET replaced_at = replaced_at - 31000";
    sql(&server, long_ago).await;
    owner
        .delete("/api/users/owner@example.com/sessions")
        .await
        .good();
    traded.refresh().await.refused(401, "unauthorized");
    for _ in 0..2 {
        there.refresh().await.ended("ended-by-owner");
    }
    // The cause is kept as long as the token would have been.
    let over = "UPDATE ended_sessions SET expires_at = 1";
    sql(&server, over).await;
    there.refresh().await.refused(401, "unauthorized");

    let expired = server.sign_in("owner@example.com").await;
    let statement = "UPDATE sign_in_sessions SET expires_at = 1";
    sql(&server, statement).await;
    expired.refresh().await.ended("expired");
}

#[tokio::test]
async fn whoever_shows_the_token_of_a_session_is_told_why_it_ended_on_sqlite() {
    whoever_shows_the_token_of_a_session_is_told_why_it_ended(Shop::new()).await;
}

#[tokio::test]
async fn whoever_shows_the_token_of_a_session_is_told_why_it_ended_on_postgres() {
    let database = Throwaway::postgres().await;
    whoever_shows_the_token_of_a_session_is_told_why_it_ended(Shop::on(&database)).await;
}

#[tokio::test]
async fn a_socket_is_closed_when_its_session_has_not_renewed_its_token_in_time() {
    let server = Server::start().await;
    let idle = server.hire("ann@example.com", "Owner").await;
    let busy = server.hire("bea@example.com", "Owner").await;
    let (closed, mut open) = (idle.listen(&server).await, busy.listen(&server).await);
    let statement = "UPDATE sign_in_sessions SET last_used_at = last_used_at - 3700000 \
        WHERE uid = (SELECT uid FROM accounts WHERE email = 'ann@example.com')";
    sql(&server, statement).await;
    assert_eq!(closed.until_closed().await, ["41"]);
    while open.next().await.name != "tick" {}
    // The page comes back by its cookie.
    let again = Desk::new(&server, idle.refresh().await);
    again.listen(&server).await;
}

#[tokio::test]
async fn a_role_a_user_and_a_password_that_are_taken_away_end_sockets_within_a_second() {
    let server = Server::start().await;
    server.hire("owner@example.com", "Owner").await;
    for (taken_away, cause) in [
        ("role", "rights-changed"),
        ("sign-out", "ended-by-owner"),
        ("remove", "account-removed"),
    ] {
        let desk = server.hire("ann@example.com", "Owner").await;
        let socket = desk.listen(&server).await;
        let command = ["user", taken_away, "ann@example.com"];
        server.shop.run(&command).await.good();
        closes(socket, taken_away).await;
        desk.get("/api/auth/me").await.refused(401, "unauthorized");
        desk.refresh().await.ended(cause);
        server
            .shop
            .run(&["user", "remove", "ann@example.com"])
            .await;
    }
    let here = server.hire("bea@example.com", "Owner").await;
    let there = server.sign_in("bea@example.com").await;
    let (stays, closed) = (here.listen(&server).await, there.listen(&server).await);
    let passwords = json!({ "currentPassword": PASSWORD, "newPassword": "another password" });
    here.post("/api/auth/password", passwords.clone())
        .await
        .good();
    closes(closed, "the password is another").await;
    there.get("/api/auth/me").await.refused(401, "unauthorized");
    there.refresh().await.ended("password-changed");
    here.get("/api/auth/me").await.good();
    here.refresh().await.good();
    drop(stays);
    let again = here.post("/api/auth/password", passwords).await;
    again.refused(400, "wrong-password");
}

#[tokio::test]
async fn the_token_key_is_rotated_beside_a_server_and_without_one() {
    let mut server = Server::start().await;
    let owner = server.hire("owner@example.com", "Owner").await;
    for with_server in [true, false] {
        let desk = server.sign_in("owner@example.com").await;
        if !with_server {
            server.sigterm().await;
        }
        let output = server.shop.run(&["token-key", "rotate"]).await.good();
        assert_eq!(
            output,
            "ID tokens are signed with a new key; those before are good for their hour.\n"
        );
        if !with_server {
            server.restart().await;
        }
        desk.get("/api/auth/me").await.good();
        let newer = server.sign_in("owner@example.com").await;
        newer.get("/api/auth/me").await.good();

        if !with_server {
            server.sigterm().await;
        }
        let output = server
            .shop
            .run(&["token-key", "rotate", "--now"])
            .await
            .good();
        let done = "ID tokens are signed with a new key, and those before are refused.";
        assert!(output.starts_with(done), "{output}");
        if !with_server {
            server.restart().await;
        }
        for desk in [&owner, &desk, &newer] {
            desk.get("/api/auth/me").await.refused(401, "unauthorized");
        }
        // The session continues.
        let refreshed = Desk::new(&server, newer.refresh().await);
        refreshed.get("/api/auth/me").await.good();
    }
}
