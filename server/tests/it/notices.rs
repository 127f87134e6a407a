//! What a client says it did: `RO_MODIFIED`, sent by a page as other programs do.

use serde_json::{Value, json};

use crate::fixture::{Desk, OWNER, Server, Shop, Socket, plain_orders};
use crate::receipts::technician;

async fn shop() -> (Server, Desk, Socket, Socket) {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(3)).await;
    let bea = server.hire("bea@example.com", "Advisor").await;
    let (sender, other) = (owner.listen(&server).await, bea.listen(&server).await);
    (server, owner, sender, other)
}

pub fn notice(number: i64, action: &str, technician: Option<i64>) -> Value {
    json!({ "type": "RO_MODIFIED", "roNumber": number, "action": action, "techId": technician,
        "timestamp": "2026-07-14T08:30:00Z" })
}

/// Sends an `RO_MODIFIED` and gives what it is acknowledged with.
pub async fn say(socket: &mut Socket, notice: &Value) -> Value {
    send(socket, notice).await;
    acknowledgement(socket).await
}

async fn send(socket: &mut Socket, notice: &Value) {
    socket
        .send(&format!(r#"428["RO_MODIFIED",{notice}]"#))
        .await;
}

async fn acknowledgement(socket: &mut Socket) -> Value {
    loop {
        let packet = socket.packet().await.expect("the socket is open");
        if let Some(answer) = packet.strip_prefix("438") {
            return serde_json::from_str::<Value>(answer).unwrap()[0].take();
        }
    }
}

#[tokio::test]
async fn a_notice_is_acknowledged_and_others_receive_it_without_rows_or_offset() {
    let (server, owner, mut sender, mut other) = shop().await;
    let (mut elsewhere, scope) = (Socket::open(server.address).await, json!({ "ros": [2] }));
    let auth = json!({ "token": owner.token, "scope": scope });
    elsewhere.sign_in(&auth).await.unwrap();
    assert_eq!(elsewhere.next().await.name, "hello");

    let answer = say(&mut sender, &notice(1, "TECH_ASSIGNED", Some(11))).await;
    assert_eq!(answer, json!({ "ok": true }));
    let heard = other.event().await;
    assert_eq!(
        (heard.name.as_str(), heard.offset.as_str()),
        ("RO_MODIFIED", "")
    );
    let mut payload = heard.payload;
    assert!(payload["timestamp"].take().as_str().unwrap().ends_with('Z'));
    let expected = json!({
        "type": "RO_MODIFIED", "roNumber": 1, "action": "TECH_ASSIGNED", "techId": 11, "timestamp": null,
        "by": { "uid": owner.uid, "name": owner.name },
    });
    assert_eq!(payload, expected);
    owner.change_priority(2, 3).await.good();
    assert_eq!(
        elsewhere.modified().await["roNumber"],
        2,
        "it does not concern order 1"
    );
    assert_eq!(other.modified().await["seq"], 4);

    // A notice without a request for an acknowledgement.
    let silent = notice(2, "JOB_CHANGED", None);
    sender.send(&format!(r#"42["RO_MODIFIED",{silent}]"#)).await;
    let heard = other.modified().await;
    assert_eq!(
        (&heard["action"], heard.get("techId")),
        (&json!("JOB_CHANGED"), None)
    );
}

#[tokio::test]
async fn a_notice_that_repeats_an_event_is_acknowledged_and_not_passed_on() {
    let (_server, owner, mut sender, mut other) = shop().await;
    owner.assign(1, 11).await.good();
    assert_eq!(other.modified().await["seq"], 4);
    for arguments in [
        notice(1, "TECH_ASSIGNED", Some(11)),
        notice(1, "CREATED", None),
    ] {
        assert_eq!(say(&mut sender, &arguments).await, json!({ "ok": true }));
    }
    // Another technician is another thing.
    say(&mut sender, &notice(1, "TECH_ASSIGNED", Some(14))).await;
    assert_eq!(other.modified().await["techId"], 14);
}

#[tokio::test]
async fn nonsense_unknown_orders_and_too_many_notices_are_refused() {
    let (_server, owner, mut sender, mut other) = shop().await;
    for nonsense in [
        json!(null),
        json!(1),
        json!("RO_MODIFIED"),
        json!([]),
        json!({}),
        json!({ "roNumber": 1 }),
        json!({ "roNumber": "1", "action": "CLOSED" }),
    ] {
        let refused = say(&mut sender, &nonsense).await;
        assert_eq!(refused["data"]["code"], "invalid-request", "{nonsense}");
    }
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    for nonsense in [
        json!({ "roNumber": -1, "action": "CLOSED" }),
        json!({ "roNumber": 9_007_199_254_740_992_i64, "action": "CLOSED" }),
        json!({ "roNumber": 1, "action": "EXPLODED" }),
        json!({ "roNumber": 1, "action": "CLOSED", "techId": "11" }),
    ] {
        let refused = say(&mut sender, &nonsense).await;
        assert_eq!(refused["data"]["code"], "invalid-request", "{nonsense}");
    }
    let unknown = say(&mut sender, &notice(999, "CLOSED", None)).await;
    assert_eq!(unknown["data"]["code"], "unknown-repair-order");

    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let (mut passed_on, mut refused) = (0, 0);
    // All at once: a machine that takes long to acknowledge each sends no more than it may.
    for _ in 0..40 {
        send(&mut sender, &notice(1, "IMPORTED", None)).await;
    }
    for _ in 0..40 {
        let answer = acknowledgement(&mut sender).await;
        match answer["data"]["code"].as_str() {
            None => passed_on += 1,
            Some(code) => {
                assert_eq!(code, "too-many-requests");
                refused += 1;
            }
        }
    }
    assert!(
        passed_on >= 10 && refused > 0,
        "{passed_on} passed on, {refused} refused"
    );
    let seq = owner.make_one_change(2).await;
    for _ in 0..passed_on {
        assert_eq!(other.modified().await["action"], "IMPORTED");
    }
    assert_eq!(other.modified().await["seq"], seq, "and nothing else");
}

#[tokio::test]
async fn a_technician_sends_notices_about_their_own_orders_only() {
    let shop = Shop::new();
    shop.hire_technicians().await;
    let server = Server::start_in(shop, &[]).await;
    let owner = server.hire(OWNER, "Owner").await;
    server.shop.import(&plain_orders(3)).await;
    owner.assign(1, 11).await.good();
    owner.assign(2, 14).await.good();
    let ann = technician(&server, "ann@example.com", 11).await;
    let mut socket = ann.listen(&server).await;
    for (number, action) in [
        (2, "TECH_UNASSIGNED"),
        (3, "TECH_UNASSIGNED"),
        (1, "TECH_ASSIGNED"),
    ] {
        let refused = say(&mut socket, &notice(number, action, Some(11))).await;
        assert_eq!(refused["data"]["code"], "forbidden", "{number} {action}");
    }
    let theirs = notice(1, "TECH_UNASSIGNED", Some(11));
    assert_eq!(say(&mut socket, &theirs).await, json!({ "ok": true }));
    // And was until a moment ago.
    owner.unassign(1, 11).await.good();
    assert_eq!(say(&mut socket, &theirs).await, json!({ "ok": true }));
    owner.make_one_change(1).await;
    let refused = say(&mut socket, &theirs).await;
    assert_eq!(refused["data"]["code"], "forbidden");
}

#[tokio::test]
async fn a_new_role_counts_on_an_open_socket() {
    let (server, owner, mut owners, _other) = shop().await;
    let cat = server.hire("cat@example.com", "Advisor").await;
    let mut socket = cat.listen(&server).await;
    let assigned = notice(1, "TECH_ASSIGNED", Some(11));
    let refused = say(&mut socket, &assigned).await;
    assert_eq!(refused["data"]["code"], "forbidden");
    let roles = json!({ "roles": ["Advisor", "Admin"] });
    owner
        .put(&format!("/api/users/{}", cat.uid), roles)
        .await
        .good();
    assert_eq!(say(&mut socket, &assigned).await, json!({ "ok": true }));
    assert_eq!(owners.modified().await["action"], "TECH_ASSIGNED");
}
