//! Repair orders from another program, over HTTP with a key of its own.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fixture::{Answer, Desk, FAULT, Server, WAIT_TIMEOUT, answer};
use crate::watched::raw;

const DOOR: &str = "/api/intake/repair-orders";

/// A key's id and secret.
pub async fn make_key(owner: &Desk, name: &str) -> (String, String) {
    let made = owner
        .post("/api/intake/keys", json!({ "name": name }))
        .await;
    assert_eq!(made.headers["cache-control"], "no-store");
    let made = made.result();
    let text = |field: &str| made[field].as_str().unwrap().to_owned();
    (text("id"), text("key"))
}

fn send(server: &Server, query: &str, key: &str) -> RequestBuilder {
    let path = format!("{DOOR}{query}");
    server.request(Method::POST, &path).bearer_auth(key)
}

pub async fn post_orders(server: &Server, query: &str, key: &str, orders: &Value) -> Answer {
    answer(send(server, query, key).json(orders)).await
}

pub fn counts(result: &Value) -> [u64; 4] {
    ["created", "changed", "unchanged", "refused"].map(|count| result[count].as_u64().unwrap())
}

#[tokio::test]
async fn a_key_is_made_used_and_revoked() {
    let (server, owner) = Server::with_owner().await;
    let (id, key) = make_key(&owner, "  Nightly export ").await;
    assert!(key.starts_with("dk_"), "{key}");
    let listed = owner.get("/api/intake/keys").await.result();
    assert_eq!(
        (
            &listed[0]["id"],
            &listed[0]["name"],
            &listed[0]["createdBy"]
        ),
        (
            &json!(id),
            &json!("Nightly export"),
            &json!("owner@example.com")
        )
    );
    assert_eq!(listed[0]["lastUsedAt"], Value::Null);
    assert!(!listed.to_string().contains(&key));

    let mut socket = owner.listen(&server).await;
    let orders = json!([{ "repairOrderNumber": 7, "customer": "Ann" }]);
    let imported = post_orders(&server, "", &key, &orders).await.result();
    assert_eq!(counts(&imported), [1, 0, 0, 0]);
    let heard = socket.modified().await;
    assert_eq!(
        heard["by"],
        json!({ "uid": format!("import:{id}"), "name": "Nightly export" })
    );
    let again = post_orders(&server, "", &key, &orders).await.result();
    assert_eq!(counts(&again), [0, 0, 1, 0]);
    assert!(owner.get("/api/intake/keys").await.result()[0]["lastUsedAt"].is_string());

    let path = format!("/api/intake/keys/{id}");
    let revoked = answer(owner.request(Method::DELETE, &path)).await;
    assert_eq!(revoked.good()["result"], Value::Null);
    post_orders(&server, "", &key, &orders)
        .await
        .refused(401, "unauthorized");
    answer(owner.request(Method::DELETE, &path))
        .await
        .refused(404, "unknown-key");
    for name in ["", " ", "a\u{0}b", "a\nb", &"x".repeat(101)] {
        owner
            .post("/api/intake/keys", json!({ "name": name }))
            .await
            .refused(400, "invalid-request");
    }
}

#[tokio::test]
async fn a_database_that_does_not_answer_refuses_no_row() {
    let (server, owner) = Server::with_owner().await;
    let (_, key) = make_key(&owner, "Nightly export").await;
    let orders = json!([{ "repairOrderNumber": 7, "ETLIdTechnician": 77 }]);
    let store = server.shop.store().await;
    let run = async |sql: &str| store.writer().execute_unprepared(sql).await.unwrap();
    run(FAULT).await;
    let stopped = post_orders(&server, "", &key, &orders).await;
    assert_eq!(
        stopped.body["progress"],
        json!({ "created": 0, "changed": 0, "unchanged": 0, "refused": 0 })
    );
    assert_eq!(
        (stopped.status, &stopped.body["code"]),
        (503, &json!("unavailable"))
    );
    let import = ["import", "-", "--format", "json"];
    let ran = server.shop.run_with(&import, orders.to_string()).await;
    assert_eq!(
        ran.refused(),
        "-: The database does not answer just now: \
what was taken stays, and importing the file again is safe"
    );
    let unmatched = owner.get("/api/intake/unmatched").await.result();
    assert_eq!(unmatched, json!([]), "what is not saved is not noted");

    run("DROP TRIGGER fault").await;
    let imported = post_orders(&server, "", &key, &orders).await.result();
    assert_eq!(counts(&imported), [1, 0, 0, 0]);
}

#[tokio::test]
async fn a_caller_without_a_key_is_refused_and_guessing_is_stopped() {
    let (server, owner) = Server::with_owner().await;
    let (_, key) = make_key(&owner, "Nightly export").await;
    let orders = json!([{ "repairOrderNumber": 7 }]);
    for wrong in ["", "dk_", "dk_guessed", &key[..key.len() - 1], &owner.token] {
        let refused = post_orders(&server, "", wrong, &orders).await;
        let sentence = refused.refused(401, "unauthorized");
        assert!(sentence.contains("intake key"), "{sentence}");
        assert_eq!(refused.headers["www-authenticate"], "Bearer");
    }
    // A key opens nothing else.
    let list = server.request(Method::GET, "/api/repair-orders");
    answer(list.bearer_auth(&key))
        .await
        .refused(401, "unauthorized");

    let mut refused = post_orders(&server, "", "dk_guessed", &orders).await;
    for _ in 0..60 {
        if refused.status == 429 {
            break;
        }
        refused = post_orders(&server, "", "dk_guessed", &orders).await;
    }
    refused.refused(429, "too-many-requests");
    // A caller with the key is accepted from the same address.
    let imported = post_orders(&server, "", &key, &orders).await.result();
    assert_eq!(counts(&imported), [1, 0, 0, 0]);
}

#[tokio::test]
async fn a_body_that_arrives_in_pieces_is_imported_whole() {
    let (server, owner) = Server::with_owner().await;
    let (_, key) = make_key(&owner, "Nightly export").await;
    let (one, two) = ("number;customer\n7;An", "n\n8;Bob\n");
    let request = format!(
        "POST {DOOR} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
Authorization: Bearer {key}\r\nContent-Type: text/csv\r\n\
Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{one}\r\n{:x}\r\n{two}\r\n0\r\n\r\n",
        one.len(),
        two.len()
    );
    let imported = raw(&server, &request).await.result();
    assert_eq!(counts(&imported), [2, 0, 0, 0]);
    let ann = owner.get("/api/repair-orders/7").await.result();
    assert_eq!(ann["customer"], "Ann");

    // A client that disconnects in the middle of a row, or sends a malformed chunk, disturbs no
    // other.
    for end in ["", "zz\r\n"] {
        let mut tcp = TcpStream::connect(server.address).await.unwrap();
        let cut = request.replace("0\r\n\r\n", end).replace("8;Bob\n", "9;Bo");
        tcp.write_all(cut.as_bytes()).await.unwrap();
        tcp.shutdown().await.unwrap();
        let mut rest = Vec::new();
        tokio::time::timeout(WAIT_TIMEOUT, tcp.read_to_end(&mut rest))
            .await
            .expect("the connection ends")
            .unwrap();
        let again = raw(&server, &request).await.result();
        assert_eq!(counts(&again), [0, 0, 2, 0]);
    }
    owner
        .get("/api/repair-orders/9")
        .await
        .refused(404, "unknown-repair-order");
}

#[tokio::test]
async fn a_revoked_key_ends_the_import_that_is_under_way() {
    let (server, owner) = Server::with_owner().await;
    let (id, key) = make_key(&owner, "Nightly export").await;
    let (one, two) = ("number;customer\n7;Ann\n", "8;Bob\n");
    let begun = format!(
        "POST {DOOR} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
Authorization: Bearer {key}\r\nContent-Type: text/csv\r\n\
Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{one}\r\n",
        one.len()
    );
    let mut tcp = TcpStream::connect(server.address).await.unwrap();
    tcp.write_all(begun.as_bytes()).await.unwrap();
    let key_was_used = async {
        while owner.get("/api/intake/keys").await.result()[0]["lastUsedAt"].is_null() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(WAIT_TIMEOUT, key_was_used)
        .await
        .expect("the import has begun");
    let path = format!("/api/intake/keys/{id}");
    owner.delete(&path).await.good();

    let rest = format!("{:x}\r\n{two}\r\n0\r\n\r\n", two.len());
    // The server may answer, and close, before it has read everything.
    let _ = tcp.write_all(rest.as_bytes()).await;
    let mut text = Vec::new();
    let _ = tcp.read_to_end(&mut text).await;
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("HTTP/1.1 401 "), "{text}");
    owner
        .get("/api/repair-orders/8")
        .await
        .refused(404, "unknown-repair-order");
}

#[tokio::test]
async fn refused_rows_are_listed_whole_and_the_others_are_imported() {
    let (server, owner) = Server::with_owner().await;
    let (_, key) = make_key(&owner, "Nightly export").await;
    let body = "number,customer\n7,Ann\nnone,Bob\n";
    let csv = |query| {
        let request = send(&server, query, &key);
        answer(request.header("Content-Type", "text/csv").body(body))
    };
    let dry = csv("?dryRun=true").await;
    assert_eq!(counts(&dry.body["result"]), [1, 0, 0, 1]);
    owner
        .get("/api/repair-orders/7")
        .await
        .refused(404, "unknown-repair-order");

    let imported = csv("?format=csv").await;
    assert_eq!(
        (imported.status, &imported.body["ok"]),
        (200, &json!(false))
    );
    assert_eq!(imported.body["code"], "some-refused");
    assert_eq!(
        imported.body["error"],
        "1 row was refused; correct and send them again"
    );
    let result = &imported.body["result"];
    assert_eq!(counts(result), [1, 0, 0, 1]);
    let reject = &result["rejects"][0];
    assert_eq!(
        (&reject["place"], &reject["field"], &reject["row"]),
        (
            &json!("line 3"),
            &json!("repairOrderNumber"),
            &json!("none,Bob")
        )
    );
    assert!(!reject["reason"].as_str().unwrap().is_empty());
    let log = server.shop.read("server.log");
    let line = "by the key \"Nightly export\": 1 created, 0 changed, 0 unchanged, 1 refused";
    assert_eq!(
        log.matches(line).count(),
        1,
        "the dry run is not in it: {log}"
    );

    let many: Value = (0..1_500).map(|_| json!({ "customer": "Ann" })).collect();
    let result = post_orders(&server, "", &key, &many).await.body["result"].take();
    assert_eq!(result["refused"], 1_500);
    assert_eq!(result["rejects"].as_array().unwrap().len(), 1_000);
    assert_eq!(result["rejectsNotListed"], 500);
}

#[tokio::test]
async fn an_unreadable_body_is_refused_with_a_reason() {
    let (server, owner) = Server::with_owner().await;
    let (_, key) = make_key(&owner, "Nightly export").await;
    let sent = |query: &'static str, kind: &'static str, body: &'static [u8]| {
        let request = send(&server, query, &key);
        answer(request.header("Content-Type", kind).body(body))
    };
    for body in [&b""[..], b"\xff\xfe", b"7;\xe9", b"hello"] {
        let refused = sent("", "application/octet-stream", body).await;
        refused.refused(400, "unreadable-file");
    }
    let empty = answer(send(&server, "", &key)).await;
    assert_eq!(empty.refused(400, "unreadable-file"), "The file is empty");
    sent("?format=xls", "text/csv", b"number\n7\n")
        .await
        .refused(400, "invalid-format");
    // A mistyped word must not import what was meant to be tried.
    for query in [
        "?dryrun=true",
        "?dryRun=perhaps",
        "?format=csv&dry_run=true",
    ] {
        sent(query, "text/csv", b"number\n7\n")
            .await
            .refused(400, "invalid-request");
    }
    sent("", "multipart/form-data; boundary=x", b"--x--")
        .await
        .refused(400, "invalid-request");
    let packed = send(&server, "", &key).header("Content-Encoding", "br");
    answer(packed.body("[]"))
        .await
        .refused(400, "invalid-request");
    let packed = send(&server, "", &key).header("Content-Encoding", "gzip");
    answer(packed.body("this is not packed"))
        .await
        .refused(400, "invalid-request");
    assert_eq!(owner.list().await["result"], json!([]));
}

/// As gzip packs it.
fn packed(text: &str) -> Vec<u8> {
    let mut gzip = Command::new("gzip")
        .arg("-c")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = gzip.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()).unwrap());
    let packed = gzip.wait_with_output().unwrap().stdout;
    writer.join().unwrap();
    packed
}

#[tokio::test]
async fn a_packed_body_is_unpacked() {
    let (server, owner) = Server::with_owner().await;
    let (_, key) = make_key(&owner, "Nightly export").await;
    let blank = " ".repeat(1_000_000);
    let body = packed(&format!(
        "[{{\"repairOrderNumber\": 7}},{blank}{{\"repairOrderNumber\": 8}}]"
    ));
    assert!(body.len() < 10_000);
    let request = send(&server, "", &key).header("Content-Encoding", "gzip");
    let imported = answer(request.body(body)).await.result();
    assert_eq!(counts(&imported), [2, 0, 0, 0]);
}
