//! The stream: who may connect, which events a socket receives and in which order, and when it is
//! closed.

use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::fixture::{Desk, Server, Socket, plain_orders};

/// Three orders, and an owner at the desk.
async fn small_shop() -> (Server, Desk) {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(3)).await;
    (server, owner)
}

async fn refusal(server: &Server, auth: &str) -> Value {
    let mut socket = Socket::open(server.address).await;
    socket.send(&format!("40{auth}")).await;
    let packet = socket.packet().await.unwrap();
    let refusal: Value = serde_json::from_str(packet.strip_prefix("44").unwrap()).unwrap();
    assert!(
        refusal["message"]
            .as_str()
            .is_some_and(|sentence| !sentence.is_empty())
    );
    refusal["data"].clone()
}

#[tokio::test]
async fn without_a_valid_token_a_connect_is_refused_with_a_code() {
    let (server, owner) = small_shop().await;
    let left = server.hire("left@example.com", "Advisor").await;
    left.sign_out().await.good();
    let stranger = Server::with_owner().await.1;
    for auth in [
        String::new(),
        "{}".to_owned(),
        r#"{"token":null}"#.to_owned(),
        r#"{"token":""}"#.to_owned(),
        r#"{"token":"nonsense"}"#.to_owned(),
        format!(r#"{{"token":"{}"}}"#, left.token),
        format!(r#"{{"token":"{}"}}"#, stranger.token),
        format!(r#"{{"token":"{}x"}}"#, owner.token),
    ] {
        assert_eq!(
            refusal(&server, &auth).await,
            json!({ "code": "unauthorized" }),
            "{auth}"
        );
    }
}

#[tokio::test]
async fn a_refused_client_may_try_again_on_the_same_connection() {
    let (server, owner) = small_shop().await;
    let mut socket = Socket::open(server.address).await;
    socket.send(r#"40{"token":"old"}"#).await;
    assert!(socket.packet().await.unwrap().starts_with("44"));
    socket
        .send(&format!("40{}", json!({ "token": owner.token })))
        .await;
    assert!(socket.packet().await.unwrap().starts_with("40"));
    assert_eq!(socket.next().await.name, "hello");
}

#[tokio::test]
async fn hello_arrives_first_and_then_every_change_in_order() {
    let (server, owner) = small_shop().await;
    let auth = json!({ "token": owner.token });
    let mut socket = Socket::connect(&server, &auth).await.unwrap();
    let hello = socket.next().await;
    assert_eq!((hello.name.as_str(), hello.reaches()), ("hello", 3));
    assert_eq!(hello.payload["seq"], 3);
    assert!(hello.payload["now"].as_str().unwrap().ends_with('Z'));
    assert!(hello.payload["version"].is_string());
    assert_eq!(hello.payload["generation"].as_str().unwrap().len(), 16);
    assert_eq!(hello.payload.as_object().unwrap().len(), 4);

    let changed = owner.change_status(2, 11).await.result();
    let by = json!({ "uid": owner.uid, "name": "owner" });
    for (action, version, seq) in [("STATUS_CHANGED", 2, 4), ("PRIORITY_CHANGED", 3, 5)] {
        let mut event = socket.event().await;
        let timestamp = event.payload["timestamp"].take();
        assert!(timestamp.as_str().unwrap().ends_with('Z'), "{timestamp}");
        assert_eq!((event.name.as_str(), event.reaches()), ("RO_MODIFIED", seq));
        assert_eq!(
            event.payload,
            json!({
                "type": "RO_MODIFIED",
                "roNumber": 2,
                "action": action,
                "timestamp": null,
                "version": version,
                "seq": seq,
                "by": by,
                "rows": changed[0]["rows"],
            })
        );
    }

    for (answer, action, seq) in [
        (owner.assign(1, 11).await, "TECH_ASSIGNED", 6),
        (owner.unassign(1, 11).await, "TECH_UNASSIGNED", 7),
    ] {
        let heard = socket.modified().await;
        assert_eq!(
            (&heard["action"], &heard["techId"]),
            (&json!(action), &json!(11))
        );
        assert_eq!(
            (&heard["seq"], &heard["rows"]),
            (&json!(seq), &answer.result()["rows"])
        );
    }

    let arrival = json!([{ "repairOrderNumber": 9, "customer": "New" }]);
    server.shop.import(&arrival).await;
    let closing = json!([{ "repairOrderNumber": 9, "customer": "Newer", "status": "closed" }]);
    server.shop.import(&closing).await;
    for (action, seq) in [("CREATED", 8), ("IMPORTED", 9), ("CLOSED", 10)] {
        let heard = socket.modified().await;
        assert_eq!(
            (&heard["action"], &heard["seq"]),
            (&json!(action), &json!(seq))
        );
        assert_eq!(heard["by"], json!({ "uid": "import", "name": "Import" }));
        let rows = heard["rows"].as_array().unwrap().len();
        assert_eq!(
            rows,
            usize::from(action == "CREATED"),
            "once closed there are no rows"
        );
    }
}

#[tokio::test]
async fn a_later_socket_receives_only_later_events() {
    let (server, owner) = small_shop().await;
    owner.change_priority(1, 3).await.good();
    let auth = json!({ "token": owner.token });
    let mut late = Socket::connect(&server, &auth).await.unwrap();
    assert_eq!(late.next().await.payload["seq"], 4);
    let seq = owner.make_one_change(1).await;
    assert_eq!(late.modified().await["seq"], seq);
}

#[tokio::test]
async fn every_socket_receives_the_same_events_and_ticks_give_the_position() {
    let (server, owner) = small_shop().await;
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    let mut one = owner.listen(&server).await;
    let mut other = advisor.listen(&server).await;
    for number in 1..=3 {
        owner.change_priority(number, 3).await.good();
    }
    for seq in 4..=6 {
        let (heard, too) = (one.modified().await, other.modified().await);
        assert_eq!(heard["seq"], seq);
        assert_eq!(heard, too);
    }
    let tick = one.next().await;
    assert_eq!((tick.name.as_str(), tick.reaches()), ("tick", 6));
    assert_eq!(tick.payload["seq"], 6);
    assert!(tick.payload["now"].as_str().unwrap().ends_with('Z'));
}

#[tokio::test]
async fn both_addresses_of_the_stream_work() {
    let (server, owner) = small_shop().await;
    for path in ["/ws", "/ws/"] {
        let tcp = TcpStream::connect(server.address).await.unwrap();
        let url = format!(
            "ws://{}{path}?EIO=4&transport=websocket&t=x",
            server.address
        );
        let (stream, _) = tokio_tungstenite::client_async(url, tcp).await.unwrap();
        let mut socket = Socket { stream };
        assert!(socket.packet().await.unwrap().starts_with('0'));
        socket
            .send(&format!("40{}", json!({ "token": owner.token })))
            .await;
        assert!(socket.packet().await.unwrap().starts_with("40"));
    }
}

#[tokio::test]
async fn signing_out_closes_that_sessions_sockets_only() {
    let (server, owner) = small_shop().await;
    let leaving = server.hire("leaving@example.com", "Advisor").await;
    let same_person = server.sign_in("leaving@example.com").await;
    let (tab, other_tab) = (leaving.listen(&server).await, leaving.listen(&server).await);
    let mut elsewhere = same_person.listen(&server).await;
    let mut somebody = owner.listen(&server).await;
    leaving.sign_out().await.good();
    for socket in [tab, other_tab] {
        assert_eq!(
            socket.until_closed().await,
            ["41"],
            "DISCONNECT, and nothing else"
        );
    }
    let seq = owner.make_one_change(1).await;
    assert_eq!(elsewhere.modified().await["seq"], seq);
    assert_eq!(somebody.modified().await["seq"], seq);
}

#[tokio::test]
async fn taking_a_role_away_closes_that_persons_sockets_and_adding_one_does_not() {
    let (server, owner) = small_shop().await;
    let ada = server.hire("ada@example.com", "Advisor").await;
    let mut heard = ada.listen(&server).await;
    let mut somebody = owner.listen(&server).await;

    let roles = [
        "user",
        "role",
        "ada@example.com",
        "--role",
        "Advisor",
        "--role",
        "Admin",
    ];
    let output = server.shop.run(&roles).await.good();
    assert_eq!(output, "The roles of ada@example.com are changed.\n");
    ada.assign(1, 11).await.good();
    assert_eq!(
        heard.modified().await["action"],
        "TECH_ASSIGNED",
        "the new role counts, and the old socket stays"
    );
    assert_eq!(somebody.modified().await["action"], "TECH_ASSIGNED");

    server
        .shop
        .run(&["user", "role", "ada@example.com", "--role", "Advisor"])
        .await
        .good();
    assert_eq!(heard.until_closed().await, ["41"]);
    ada.get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
    server
        .sign_in("ada@example.com")
        .await
        .assign(1, 14)
        .await
        .refused(403, "forbidden");

    let seq = owner.make_one_change(1).await;
    assert_eq!(somebody.modified().await["seq"], seq);
}

#[tokio::test]
async fn removing_a_user_closes_their_sockets() {
    let (server, owner) = small_shop().await;
    let removed_desk = server.hire("gone@example.com", "Admin").await;
    let heard = removed_desk.listen(&server).await;
    let mut somebody = owner.listen(&server).await;
    let output = server
        .shop
        .run(&["user", "remove", "gone@example.com"])
        .await
        .good();
    assert_eq!(output, "gone@example.com is removed.\n");
    assert_eq!(heard.until_closed().await, ["41"]);
    removed_desk
        .get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
    let seq = owner.make_one_change(1).await;
    assert_eq!(somebody.modified().await["seq"], seq);
}

#[tokio::test]
async fn an_unknown_event_is_answered_if_the_client_asks_for_an_acknowledgement() {
    let (server, owner) = small_shop().await;
    let mut socket = owner.listen(&server).await;
    socket.send(r#"427["made-up",{"roNumber":1}]"#).await;
    let answer = socket.packet().await.unwrap();
    let answer: Value = serde_json::from_str(answer.strip_prefix("437").unwrap()).unwrap();
    assert_eq!(answer[0]["data"]["code"], "unknown-event");
    socket.send(r#"42["made-up",{"roNumber":1}]"#).await;
    let seq = owner.make_one_change(1).await;
    assert_eq!(socket.modified().await["seq"], seq);
}
