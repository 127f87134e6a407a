//! Who is admitted at all: a person with a staff record that holds a role, however they sign in.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::documented::documented;
use crate::fixture::{Desk, PASSWORD, Server, Socket, WAIT_TIMEOUT, answer};

/// Changes the database while the server is stopped, so that it does not notice.
async fn while_away(server: &mut Server, statement: &str) {
    server.sigterm().await;
    let store = server.shop.store().await;
    store.writer().execute_unprepared(statement).await.unwrap();
    store.close().await;
    server.restart().await;
}

/// What each way in is answered for somebody whose session was good until now.
async fn is_kept_out(server: &Server, desk: &Desk, email: &str) {
    for path in [
        "/api/repair-orders",
        "/api/repair-orders/1",
        "/api/repair-orders/1/history",
        "/api/auth/me",
    ] {
        desk.get(path).await.refused(403, "no-role");
    }
    let mut socket = Socket::open(server.address).await;
    let auth = json!({ "token": desk.token });
    let refused = socket.sign_in(&auth).await.unwrap_err();
    assert_eq!(refused["data"]["code"], "no-role");
    let credentials = json!({ "email": email, "password": PASSWORD });
    let signed_in = server.post("/api/auth/sign-in", credentials).await;
    signed_in.refused(403, "no-role");
    desk.refresh().await.refused(403, "no-role");
    // Which has ended the session.
    desk.refresh().await.ended("rights-changed");
    desk.get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
}

#[tokio::test]
async fn a_user_who_lost_every_role_is_refused() {
    let (mut server, _owner) = Server::with_owner().await;
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    let sql = "UPDATE staff_documents SET roles = '[]' WHERE id = 'advisor@example.com'";
    while_away(&mut server, sql).await;
    is_kept_out(&server, &advisor, "advisor@example.com").await;
}

#[tokio::test]
async fn an_account_without_a_staff_record_is_refused() {
    let (mut server, _owner) = Server::with_owner().await;
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    let deleted = "DELETE FROM staff_documents WHERE id = 'advisor@example.com'";
    while_away(&mut server, deleted).await;
    is_kept_out(&server, &advisor, "advisor@example.com").await;
}

#[tokio::test]
async fn a_packed_body_is_refused_before_it_is_unpacked() {
    let server = Server::start().await;
    for encoding in ["gzip", "br", "zstd", "deflate", "identity, gzip"] {
        let packed = server
            .request(Method::POST, "/api/auth/sign-in")
            .header("Content-Type", "application/json")
            .header("Content-Encoding", encoding)
            .body(vec![0; 60_000]);
        answer(packed).await.refused(415, "unsupported-encoding");
    }
}

/// Half of a body, and never the rest of it.
#[tokio::test]
async fn a_body_that_never_ends_is_given_up() {
    let server = Server::start().await;
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    let half = "POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\n\
                Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"email\":";
    connection.write_all(half.as_bytes()).await.unwrap();
    let mut answered = Vec::new();
    let ended = timeout(WAIT_TIMEOUT, connection.read_to_end(&mut answered)).await;
    ended.expect("it is given up").unwrap();
    let answered = String::from_utf8_lossy(&answered).into_owned();
    assert!(answered.starts_with("HTTP/1.1 400 "), "{answered}");
    assert!(answered.contains("did not arrive whole"), "{answered}");
}

/// Files that say nothing of the shop.
const MAY_BE_STORED: &str = "/api/docs/";

async fn is_safe_to_cache(request: reqwest::RequestBuilder, what: &str) -> u16 {
    let answered = request.send().await.unwrap();
    let header = |name: &str| {
        answered
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap())
    };
    assert_eq!(header("x-content-type-options"), Some("nosniff"), "{what}");
    if !what.contains(MAY_BE_STORED) && what.contains("/api/") {
        assert_eq!(header("cache-control"), Some("no-store"), "{what}");
    }
    answered.status().as_u16()
}

#[tokio::test]
async fn answers_of_documented_calls_are_neither_cached_nor_sniffed() {
    let (server, owner) = Server::with_owner().await;
    owner.list().await;
    let mut statuses = std::collections::BTreeSet::new();
    for call in documented(&server).await.calls {
        // It would end the session of those that come after.
        let ends = ["/api/auth/sign-out-everywhere", "/api/auth/sessions"];
        if ends.iter().any(|path| call.path.starts_with(path)) {
            continue;
        }
        let path = call.path.replace("{roNumber}", "1").replace(['{', '}'], "");
        let what = format!("{} {path}", call.method);
        let body = call.body.clone().unwrap_or_else(|| json!({}));
        // Without a sign-in, with a malformed body, with one that is too long, and as it should be.
        let method = || call.method.clone();
        let requests = [
            server.request(method(), &path),
            owner.request(method(), &path).body("{"),
            owner.request(method(), &path).body(vec![b'x'; 3_000_000]),
            owner.request(method(), &path).json(&body),
            server.request(Method::TRACE, &path),
            server
                .request(method(), &path)
                .header("Host", "evil.example"),
        ];
        for request in requests {
            statuses.insert(is_safe_to_cache(request, &what).await);
        }
    }
    for status in [200, 400, 401, 404, 405, 413, 421] {
        assert!(
            statuses.contains(&status),
            "{status} is not in {statuses:?}"
        );
    }
    for path in [
        "/api/no-such-call",
        "/api",
        "/",
        "/ws/?EIO=4&transport=polling",
        "/nothing.js",
    ] {
        is_safe_to_cache(server.request(Method::GET, path), path).await;
    }
}

#[tokio::test]
async fn signing_out_empties_the_browsers_cache() {
    let (server, owner) = Server::with_owner().await;
    for request in [
        server.request(Method::POST, "/api/auth/sign-out"),
        owner.request(Method::POST, "/api/auth/sign-out-everywhere"),
    ] {
        let answered = request.send().await.unwrap();
        assert_eq!(answered.headers()["clear-site-data"], "\"cache\"");
    }
}

/// As systemd creates it, or a person who copied the database there.
#[tokio::test]
async fn a_data_folder_that_others_can_read_is_closed_to_them_at_the_start() {
    let (mut server, _owner) = Server::with_owner().await;
    server.sigterm().await;
    let folder = server.shop.data_dir();
    let open = |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode));
    open(&folder, 0o755).unwrap();
    for entry in folder.read_dir().unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            open(&entry.path(), 0o644).unwrap();
        }
    }
    server.restart().await;
    let mode = |path: &Path| path.symlink_metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path) & 0o077, 0, "{}", path.display());
    }
}
