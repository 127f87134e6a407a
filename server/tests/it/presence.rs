//! Who has which order open.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::fixture::{Desk, Server, Socket, plain_orders};
use crate::sample::sample_shop;

async fn open(socket: &mut Socket, number: i64) {
    socket.send(&format!("42{}", opening(number))).await;
}

async fn next_event_named(socket: &mut Socket, name: &str) -> Value {
    let event = socket.event().await;
    assert_eq!(event.name, name, "{event:?}");
    assert_eq!(event.offset, "", "nobody resumes from presence");
    event.payload
}

async fn presence(socket: &mut Socket) -> Value {
    next_event_named(socket, "RO_PRESENCE").await
}

async fn ask(socket: &mut Socket, event: Value) -> Value {
    socket.send(&format!("427{event}")).await;
    acknowledged(socket).await
}

/// The next acknowledgement, whatever else arrives before it.
async fn acknowledged(socket: &mut Socket) -> Value {
    loop {
        let packet = socket.packet().await.expect("the socket is open");
        if let Some(answer) = packet.strip_prefix("437") {
            return serde_json::from_str::<Value>(answer).unwrap()[0].take();
        }
    }
}

fn opening(number: i64) -> Value {
    json!(["RO_OPEN", { "roNumber": number }])
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
async fn every_viewer_sees_who_has_an_order_open() {
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
async fn a_later_viewer_learns_who_is_there_and_a_dead_tab_ends_its_presence() {
    let (server, owner, bea) = two_desks().await;
    let mut beas = bea.listen(&server).await;
    open(&mut beas, 104218).await;
    assert_eq!(presence(&mut beas).await, of(104218, &[&bea]));

    let mut ours = owner.listen(&server).await;
    let present = json!({ "orders": [of(104218, &[&bea])] });
    assert_eq!(next_event_named(&mut ours, "RO_PRESENCES").await, present);
    // The connection is gone without a word.
    drop(beas);
    assert_eq!(presence(&mut ours).await, of(104218, &[]));
}

#[tokio::test]
async fn opening_an_order_is_acknowledged_and_a_malformed_request_is_refused() {
    let (server, owner) = sample_shop().await;
    let mut socket = owner.listen(&server).await;
    let good = ask(&mut socket, opening(104217)).await;
    assert_eq!(good, json!({ "ok": true }));
    for nonsense in [
        json!(["RO_OPEN"]),
        json!(["RO_OPEN", 104217]),
        json!(["RO_OPEN", { "roNumber": "x" }]),
        json!(["RO_OPEN", { "roNumber": -1 }]),
        json!(["RO_LEAVE", { "roNumber": 9_007_199_254_740_992_i64 }]),
    ] {
        let refused = ask(&mut socket, nonsense.clone()).await;
        assert_eq!(refused["data"]["code"], "invalid-request", "{nonsense}");
    }
    let unknown = ask(&mut socket, json!(["RO_SHUT", { "roNumber": 104217 }])).await;
    assert_eq!(unknown["data"]["code"], "unknown-event");
}

#[tokio::test]
async fn only_an_order_that_exists_can_be_opened() {
    let (server, owner) = sample_shop().await;
    let closed = json!([{ "repairOrderNumber": 7, "customer": "Ann" }]);
    server.shop.import(&closed).await;
    let closed = json!([{ "repairOrderNumber": 7, "customer": "Ann", "status": "closed" }]);
    server.shop.import(&closed).await;
    let mut socket = owner.listen(&server).await;
    let refused = ask(&mut socket, opening(999)).await;
    assert_eq!(refused["data"]["code"], "unknown-repair-order");
    let good = ask(&mut socket, opening(7)).await;
    assert_eq!(good, json!({ "ok": true }));
    let mut later = owner.listen(&server).await;
    let present = json!({ "orders": [of(7, &[&owner])] });
    assert_eq!(next_event_named(&mut later, "RO_PRESENCES").await, present);
}

/// Every dialog that is open says so as soon as its client is back.
#[tokio::test]
async fn an_order_opened_at_the_moment_of_connecting_is_not_lost() {
    const SOCKETS: i64 = 40;
    const EACH: i64 = 5;
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(SOCKETS * EACH)).await;
    let auth = json!({ "token": owner.token });
    let sockets = (0..SOCKETS).map(async |socket| {
        let numbers = (1..=EACH).map(|order| socket * EACH + order);
        let mut socket = Socket::connect(&server, &auth).await.unwrap();
        for number in numbers.clone() {
            socket.send(&format!("427{}", opening(number))).await;
        }
        for _ in numbers {
            assert_eq!(acknowledged(&mut socket).await, json!({ "ok": true }));
        }
        socket
    });
    let _open = join_all(sockets).await;
    let mut later = owner.listen(&server).await;
    let present = next_event_named(&mut later, "RO_PRESENCES").await;
    let all: Vec<Value> = (1..=SOCKETS * EACH).map(|n| of(n, &[&owner])).collect();
    assert_eq!(present, json!({ "orders": all }));
}

#[tokio::test]
async fn a_client_that_opens_orders_too_often_is_refused_and_others_are_not_affected() {
    let (server, owner, bea) = two_desks().await;
    let mut beas = bea.listen(&server).await;
    let mut ours = owner.listen(&server).await;
    for _ in 0..20 {
        ours.send(&format!("427{}", opening(104217))).await;
        let leaving = json!(["RO_LEAVE", { "roNumber": 104217 }]);
        ours.send(&format!("427{leaving}")).await;
    }
    let (mut opened, mut refused) = (0, 0);
    for _ in 0..40 {
        let answer = acknowledged(&mut ours).await;
        match answer["data"]["code"].as_str() {
            None => opened += 1,
            Some(code) => {
                assert_eq!(code, "too-many-requests");
                refused += 1;
            }
        }
    }
    // Leaving is never refused.
    let opened = opened - 20;
    assert!(
        opened >= 10 && refused > 0,
        "{opened} opened, {refused} refused"
    );
    for _ in 0..opened {
        assert_eq!(presence(&mut beas).await, of(104217, &[&owner]));
        assert_eq!(presence(&mut beas).await, of(104217, &[]));
    }
    owner.assign(104217, 22).await.good();
    assert_eq!(beas.modified().await["roNumber"], 104217);
}
