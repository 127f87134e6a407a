//! Who has which order open.

use serde_json::{Value, json};

use crate::fixture::{Desk, Server, Socket};
use crate::sample::sample_shop;

async fn open(socket: &mut Socket, number: i64) {
    let event = json!(["RO_OPEN", { "roNumber": number }]);
    socket.send(&format!("42{event}")).await;
}

async fn presence(socket: &mut Socket) -> Value {
    let event = socket.event().await;
    assert_eq!(event.name, "RO_PRESENCE", "{event:?}");
    assert_eq!(event.offset, "", "nobody resumes from presence");
    event.payload
}

fn of(number: i64, people: &[&Desk]) -> Value {
    let people: Vec<Value> = people
        .iter()
        .map(|desk| json!({ "uid": desk.uid, "name": desk.name }))
        .collect();
    json!({ "roNumber": number, "people": people })
}

async fn two_desks() -> (Server, Desk, Desk) {
    let (server, owner) = sample_shop().await;
    server.shop.add_user("bea@shop.example", "Advisor").await;
    let bea = server.sign_in("bea@shop.example").await;
    (server, owner, bea)
}

#[tokio::test]
async fn everybody_sees_who_opened_an_order_until_they_leave_it() {
    let (server, owner, bea) = two_desks().await;
    let (mut ours, mut beas) = (owner.listen(&server).await, bea.listen(&server).await);
    open(&mut beas, 104217).await;
    for socket in [&mut ours, &mut beas] {
        assert_eq!(presence(socket).await, of(104217, &[&bea]));
    }
    open(&mut ours, 104217).await;
    assert_eq!(presence(&mut ours).await, of(104217, &[&bea, &owner]));

    let leave = json!(["RO_LEAVE", { "roNumber": 104217 }]);
    beas.send(&format!("42{leave}")).await;
    assert_eq!(presence(&mut ours).await, of(104217, &[&owner]));
}

#[tokio::test]
async fn who_comes_later_is_told_and_a_tab_that_dies_takes_its_presence_along() {
    let (server, owner, bea) = two_desks().await;
    let mut beas = bea.listen(&server).await;
    open(&mut beas, 104218).await;
    assert_eq!(presence(&mut beas).await, of(104218, &[&bea]));

    let mut ours = owner.listen(&server).await;
    assert_eq!(presence(&mut ours).await, of(104218, &[&bea]));
    // The connection is gone without a word.
    drop(beas);
    assert_eq!(presence(&mut ours).await, of(104218, &[]));
}

#[tokio::test]
async fn opening_is_acknowledged_and_nonsense_is_told_so() {
    let (server, owner) = sample_shop().await;
    let mut socket = owner.listen(&server).await;
    let mut ask = async |event: Value| {
        socket.send(&format!("427{event}")).await;
        loop {
            let packet = socket.packet().await.unwrap();
            if let Some(answer) = packet.strip_prefix("437") {
                return serde_json::from_str::<Value>(answer).unwrap()[0].take();
            }
        }
    };
    let good = ask(json!(["RO_OPEN", { "roNumber": 104217 }])).await;
    assert_eq!(good, json!({ "ok": true }));
    for nonsense in [
        json!(["RO_OPEN"]),
        json!(["RO_OPEN", 104217]),
        json!(["RO_OPEN", { "roNumber": "x" }]),
        json!(["RO_OPEN", { "roNumber": -1 }]),
        json!(["RO_LEAVE", { "roNumber": 9_007_199_254_740_992_i64 }]),
    ] {
        let refused = ask(nonsense.clone()).await;
        assert_eq!(refused["data"]["code"], "invalid-request", "{nonsense}");
    }
    let unknown = ask(json!(["RO_SHUT", { "roNumber": 104217 }])).await;
    assert_eq!(unknown["data"]["code"], "unknown-event");
}
