//! Bodies whose end comes late: what somebody may is what they may when the request is there, not when
//! they began to send it.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fixture::{Desk, OWNER, PASSWORD, Server, Shop, plain_orders};

/// All of a request but for its last byte.
struct Begun {
    connection: TcpStream,
    last: u8,
}

impl Begun {
    async fn send(server: &Server, desk: &Desk, call: &str, body: &Value) -> Self {
        let body = body.to_string();
        let (last, rest) = body.as_bytes().split_last().unwrap();
        let head = format!(
            "{call} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            server.address,
            desk.token,
            body.len()
        );
        let mut connection = TcpStream::connect(server.address).await.unwrap();
        connection.write_all(head.as_bytes()).await.unwrap();
        connection.write_all(rest).await.unwrap();
        connection.flush().await.unwrap();
        Self {
            connection,
            last: *last,
        }
    }

    /// The status of the answer.
    async fn end(mut self) -> u16 {
        self.connection.write_all(&[self.last]).await.unwrap();
        let mut answer = Vec::new();
        self.connection.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        answer.split(' ').nth(1).unwrap().parse().unwrap()
    }
}

#[tokio::test]
async fn a_dismissed_owner_cannot_become_owner_again_with_an_unfinished_request() {
    let (server, owner) = Server::with_owner().await;
    let ann = server.hire("ann@example.com", "Owner").await;
    let (path, owns) = ("/api/users/ann@example.com", json!({ "roles": ["Owner"] }));
    let patch = Begun::send(&server, &ann, &format!("PATCH {path}"), &owns).await;
    let put = Begun::send(&server, &ann, &format!("PUT {path}"), &owns).await;
    let invitation = json!({ "data": {
        "email": "eve@example.com",
        "userData": { "name": "Eve", "roles": ["Owner"] },
    } });
    let invite = Begun::send(&server, &ann, "POST /inviteUser", &invitation).await;
    // They have arrived: later requests have been answered.
    ann.get("/api/auth/me").await.good();
    owner
        .patch(path, json!({ "roles": ["Advisor"] }))
        .await
        .good();
    for begun in [patch, put, invite] {
        assert_eq!(begun.end().await, 401);
    }
    let users = owner.get("/api/users").await.result();
    let users = users.as_array().unwrap();
    let ann = users.iter().find(|user| user["email"] == "ann@example.com");
    assert_eq!(ann.unwrap()["roles"], json!(["Advisor"]));
    assert!(!users.iter().any(|user| user["email"] == "eve@example.com"));
}

#[tokio::test]
async fn a_user_deleted_meanwhile_makes_no_link_and_changes_no_password() {
    let (server, owner) = Server::with_owner().await;
    let ann = server.hire("ann@example.com", "Admin").await;
    let board = json!({ "name": "Lounge", "layout": "lounge" });
    let link = Begun::send(&server, &ann, "POST /api/boards/links", &board).await;
    let passwords = json!({ "currentPassword": PASSWORD, "newPassword": "another long password" });
    let password = Begun::send(&server, &ann, "POST /api/auth/password", &passwords).await;
    owner.delete("/api/users/ann@example.com").await.good();
    assert_eq!(link.end().await, 401);
    assert_eq!(password.end().await, 401);
    assert_eq!(owner.get("/api/boards").await.result(), json!([]));
}

#[tokio::test]
async fn a_server_that_is_told_to_stop_answers_a_request_whose_end_comes_after_the_last_session_left()
 {
    let mut server = Server::start_in(Shop::new(), &["--drain-seconds", "2"]).await;
    server.shop.import(&plain_orders(1)).await;
    let owner = server.hire(OWNER, "Owner").await;
    let socket = owner.listen(&server).await;
    let high = json!({ "data": [{ "roNumber": 1, "priorityLevel": "3" }] });
    let call = "POST /api/repair-orders/update-priority";
    let begun = Begun::send(&server, &owner, call, &high).await;
    // It has arrived: a later request has been answered.
    owner.get("/api/auth/me").await.good();
    server.signal("TERM").await;
    socket.until_closed().await;
    assert_eq!(begun.end().await, 200);
    server.sigterm().await;
    server.restart().await;
    let owner = server.sign_in(OWNER).await;
    let order = owner.get("/api/repair-orders/1").await.result();
    assert_eq!(order["priorityName"], "High");
}
