//! Several servers on one PostgreSQL database are one shop: what is done at one is on the screens of the others.

use dispatch_actors::testing::Throwaway;
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep};

use crate::fixture::{Desk, OWNER, Server, Shop, Socket, WAIT_TIMEOUT, plain_orders};
use crate::receipts;

mod accounts;
mod attempts;
mod boards;
mod configuration;
mod hints;
mod intake;
mod mails;
mod pushes;
mod retries;
mod stories;

const ANN: i64 = 11;

/// Two servers, each with a data folder of its own, and an owner.
async fn two_servers() -> (Throwaway, Server, Server, Desk) {
    let database = Throwaway::postgres().await;
    let shop = Shop::on(&database);
    shop.hire_technicians().await;
    let first = Server::start_in(shop, &[]).await;
    first.shop.import(&plain_orders(3)).await;
    let owner = first.hire(OWNER, "Owner").await;
    let second = Server::start_in(Shop::on(&database), &[]).await;
    (database, first, second, owner)
}

fn at(number: i64, people: &[&Desk]) -> Value {
    let people = people
        .iter()
        .map(|desk| json!({ "uid": desk.uid, "name": desk.name }));
    json!({ "roNumber": number, "people": people.collect::<Vec<_>>() })
}

async fn open(socket: &mut Socket, number: i64) {
    let opening = json!(["RO_OPEN", { "roNumber": number }]);
    socket.send(&format!("42{opening}")).await;
}

/// Waits until these are the people at the order.
async fn until_at(socket: &mut Socket, number: i64, people: &[&Desk]) {
    let wanted = at(number, people);
    loop {
        let event = socket.event().await;
        let orders = match event.name.as_str() {
            "RO_PRESENCE" => vec![event.payload],
            "RO_PRESENCES" => event.payload["orders"].as_array().unwrap().clone(),
            other => panic!("{other}"),
        };
        if orders.contains(&wanted) {
            return;
        }
    }
}

#[tokio::test]
async fn who_is_at_an_order_is_seen_on_every_server_until_their_server_dies() {
    let (database, first, mut second, owner) = two_servers().await;
    let bea = first.hire("bea@shop.example", "Advisor").await;
    let mut here = owner.listen(&first).await;
    let mut there = bea.listen(&second).await;
    open(&mut there, 2).await;
    until_at(&mut here, 2, &[&bea]).await;
    open(&mut here, 2).await;
    until_at(&mut there, 2, &[&bea, &owner]).await;
    let mut later = owner.listen(&second).await;
    until_at(&mut later, 2, &[&bea, &owner]).await;
    // A server that starts later hears of all.
    let third = Server::start_in(Shop::on(&database), &[]).await;
    let deadline = Instant::now() + WAIT_TIMEOUT;
    loop {
        let mut socket = owner.listen(&third).await;
        let packet = tokio::time::timeout(Duration::from_millis(300), socket.event()).await;
        let present = packet.is_ok_and(|event| {
            let orders = event.payload["orders"].as_array();
            orders.is_some_and(|orders| orders.contains(&at(2, &[&bea, &owner])))
        });
        if present {
            break;
        }
        assert!(Instant::now() < deadline);
        sleep(Duration::from_millis(100)).await;
    }
    until_at(&mut here, 2, &[&bea, &owner]).await;
    second.sigkill().await;
    until_at(&mut here, 2, &[&owner]).await;
}

#[tokio::test]
async fn technicians_staff_and_receipts_that_one_server_wrote_are_news_on_the_other() {
    let (_database, first, second, owner) = two_servers().await;
    let mut there = owner.listen(&second).await;

    let renamed = json!({ "displayName": "Ann Kowalczyk-Bauer" });
    owner.patch("/api/technicians/11", renamed).await.good();
    // What came before may be told first.
    loop {
        there.technicians_changed().await;
        let technicians = Desk::at(&second, &owner)
            .get("/api/repair-orders/technicians")
            .await;
        if technicians
            .result()
            .to_string()
            .contains("Ann Kowalczyk-Bauer")
        {
            break;
        }
    }

    // Taken by whichever of the two servers is first.
    owner.assign(1, ANN).await.good();
    let receipt = there.receipt().await;
    assert_eq!(
        (&receipt["roNumber"], &receipt["technicianId"]),
        (&json!(1), &json!(ANN))
    );
    Desk::at(&second, &owner).assign(2, ANN).await.good();
    let mut here = owner.listen(&first).await;
    Desk::at(&second, &owner).assign(3, ANN).await.good();
    while here.receipt().await["roNumber"] != 3 {}

    first.hire("cem@shop.example", "Advisor").await;
    there.staff_changed().await;
}

#[tokio::test]
async fn an_assignment_reaches_its_technician_at_another_server_and_each_step_is_told_once() {
    let (_database, first, second, owner) = two_servers().await;
    let ann = receipts::technician(&first, "ann@shop.example", ANN).await;
    let there = Desk::at(&second, &ann);
    let _portal = receipts::portal(&second, &there, ANN).await;
    let mut desk = owner.listen(&first).await;
    let mut told = Vec::new();
    for number in [1, 2] {
        owner.assign(number, ANN).await.good();
        // The portal's server is the one that knows that somebody is there.
        let mut is_sent = false;
        while !is_sent {
            let receipt = desk.receipt().await;
            is_sent = receipt["roNumber"] == number && !receipt["sentAt"].is_null();
            told.push((receipt["roNumber"].clone(), receipts::stages(&receipt)));
        }
        receipts::reach(&there, number, "accepted").await.good();
        let mut is_accepted = false;
        while !is_accepted {
            let receipt = desk.receipt().await;
            is_accepted = receipt["roNumber"] == number && !receipt["acceptedAt"].is_null();
            told.push((receipt["roNumber"].clone(), receipts::stages(&receipt)));
        }
    }
    for (place, step) in told.iter().enumerate() {
        assert!(!told[..place].contains(step), "told twice: {told:?}");
    }
}

#[tokio::test]
async fn a_change_on_one_server_is_announced_on_the_other_with_its_number() {
    let (_database, _first, second, owner) = two_servers().await;
    let mut there = owner.listen(&second).await;
    for number in 1..=3 {
        owner.change_priority(number, 3).await.good();
        let event = loop {
            let event = there.event().await;
            if event.name == "RO_MODIFIED" {
                break event;
            }
        };
        assert_eq!(event.payload["roNumber"], number);
    }
}

/// Waits until a server's only other server is as it should be, or there is none.
async fn until_other_servers(at: &Server, owner: &Desk, are_so: impl Fn(&[Value]) -> bool) {
    let desk = Desk::at(at, owner);
    let deadline = Instant::now() + WAIT_TIMEOUT;
    loop {
        let status = desk.get("/api/server-status").await.result();
        let others = status["otherServers"].as_array().unwrap();
        if are_so(others) {
            return;
        }
        assert!(Instant::now() < deadline, "{others:?}");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn an_owner_sees_every_server_and_who_hears_it_until_it_dies() {
    let before = Timestamp::now();
    let (_database, first, mut second, owner) = two_servers().await;
    let _desk = owner.listen(&second).await;
    let there = format!("http://{}", second.address);
    let own = owner.get("/api/server-status").await.result()["server"].take();
    let started: Timestamp = own["startedAt"].as_str().unwrap().parse().unwrap();
    assert!((before..=Timestamp::now()).contains(&started), "{started}");
    assert_eq!(own["address"], format!("http://{}", first.address));
    until_other_servers(&first, &owner, |others| {
        others.len() == 1
            && others[0]["address"] == there
            && others[0]["version"] == own["version"]
            && others[0]["screens"] == json!({ "desks": 1, "technicians": 0, "boards": 0 })
    })
    .await;
    second.sigkill().await;
    until_other_servers(&first, &owner, <[Value]>::is_empty).await;
}
