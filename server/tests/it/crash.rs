//! A power cut in the middle of the day: what was acknowledged is there, and the log is whole.

use std::cell::Cell;
use std::collections::HashMap;
use std::time::Duration;

use dispatch_actors::repair_order::RepairOrder;
use dispatch_actors::store::{Event, Store};
use dispatch_actors::testing::Throwaway;
use futures_util::future::join_all;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::Value;

use crate::fixture::{Desk, Server, Shop, Socket, plain_orders};

const ORDERS: i64 = 6;
const WRITERS: usize = 4;
const ROUNDS: usize = 4;

/// A change that was answered with 200, as it was answered.
struct Acknowledged {
    number: i64,
    version: i64,
    seq: i64,
    uid: String,
}

/// Changes one order after the other until the server is gone; counts what is acknowledged.
async fn write(desk: &Desk, offset: usize, count: &Cell<usize>) -> Vec<Acknowledged> {
    let mut acknowledged = Vec::new();
    for round in offset.. {
        let number = 1 + (round as i64) % ORDERS;
        let change = if round % 3 == 0 {
            let status = [10, 11, 12, 13][round / 3 % 4];
            let body = serde_json::json!({ "data": [{ "repairOrderNumber": number, "idStatus": status }] });
            desk.request(reqwest::Method::POST, "/api/repair-orders/update-status")
                .json(&body)
        } else {
            let body = serde_json::json!({ "data": [{ "roNumber": number, "priorityLevel": round % 4 + 1 }] });
            desk.request(reqwest::Method::POST, "/api/repair-orders/update-priority")
                .json(&body)
        };
        let Ok(answer) = change.send().await else {
            break;
        };
        assert_eq!(answer.status(), 200);
        // An answer that was cut off acknowledged nothing.
        let Ok(answer) = answer.json::<Value>().await else {
            break;
        };
        let result = &answer["result"][0];
        if let Some(seq) = result["seq"].as_i64() {
            count.set(count.get() + 1);
            acknowledged.push(Acknowledged {
                number,
                version: result["version"].as_i64().unwrap(),
                seq,
                uid: desk.uid.clone(),
            });
        }
    }
    acknowledged
}

/// The payloads of what is announced until the server is gone.
async fn hear(mut socket: Socket) -> Vec<Value> {
    let mut heard = Vec::new();
    while let Some(packet) = socket.packet().await {
        let event = packet.strip_prefix("42").unwrap();
        let (name, payload, _): (String, Value, String) = serde_json::from_str(event).unwrap();
        if name == "RO_MODIFIED" {
            heard.push(payload);
        }
    }
    heard
}

/// PostgreSQL may still be committing for a client that is dead.
pub async fn settle(store: &Store) {
    if store.reader().get_database_backend() != DbBackend::Postgres {
        return;
    }
    let busy = "SELECT count(*) FROM pg_stat_activity \
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'";
    loop {
        let statement = Statement::from_string(DbBackend::Postgres, busy);
        let row = store
            .reader()
            .query_one_raw(statement)
            .await
            .unwrap()
            .unwrap();
        if row.try_get_by_index::<i64>(0).unwrap() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// The whole log, after seeing that no event is missing.
async fn whole_log(store: &Store) -> Vec<Event> {
    let log = store.events_after(0, 1_000_000).await.unwrap();
    let seqs: Vec<i64> = log.iter().map(|event| event.seq).collect();
    let dense: Vec<i64> = (1..=log.len() as i64).collect();
    assert_eq!(seqs, dense, "event numbers are dense");
    assert_eq!(store.top().await.unwrap(), log.len() as i64);
    log
}

async fn orders_are_what_the_log_says(store: &Store, log: &[Event]) {
    let mut by_order: HashMap<_, Vec<&Event>> = HashMap::new();
    for event in log {
        by_order.entry(event.number).or_default().push(event);
    }
    for (number, events) in by_order {
        let versions: Vec<i64> = events.iter().map(|event| event.version).collect();
        let dense: Vec<i64> = (1..=events.len() as i64).collect();
        assert_eq!(versions, dense, "versions of {number} are dense");
        let replayed = RepairOrder::replay(events.iter().map(|event| &event.change));
        let kept = store.load(number).await.unwrap();
        assert_eq!(
            kept, replayed,
            "the rows of {number} are what its events say"
        );
    }
}

fn is_in(log: &[Event], seq: i64, number: i64, version: i64, uid: &str) {
    let event = usize::try_from(seq - 1)
        .ok()
        .and_then(|index| log.get(index));
    let event =
        event.unwrap_or_else(|| panic!("event {seq} is lost; the log ends with {}", log.len()));
    let kept = (event.number.get(), event.version, event.by.uid.as_str());
    assert_eq!(
        kept,
        (number, version, uid),
        "event {seq} is what was said of it"
    );
}

async fn survives_power_cuts(shop: Shop) {
    let mut random = StdRng::from_os_rng();
    let mut server = Server::start_in(shop, &[]).await;
    server.shop.import(&plain_orders(ORDERS)).await;
    let mut desks = Vec::new();
    for writer in 0..WRITERS {
        desks.push(
            server
                .hire(&format!("desk{writer}@example.com"), "Owner")
                .await,
        );
    }
    for round in 0..ROUNDS {
        let socket = desks[0].listen(&server).await;
        let count = Cell::new(0);
        let pause = Duration::from_millis(random.random_range(50..500));
        let writers = join_all(
            desks
                .iter()
                .enumerate()
                .map(|(place, desk)| write(desk, round + place, &count)),
        );
        let cut = async {
            tokio::time::sleep(pause).await;
            while count.get() < 10 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            server.sigkill().await;
        };
        let (acknowledged, heard, ()) = tokio::join!(writers, hear(socket), cut);
        let acknowledged: Vec<Acknowledged> = acknowledged.into_iter().flatten().collect();

        let store = server.shop.store().await;
        settle(&store).await;
        let log = whole_log(&store).await;
        orders_are_what_the_log_says(&store, &log).await;
        drop(store);
        for change in &acknowledged {
            is_in(&log, change.seq, change.number, change.version, &change.uid);
        }
        let gaps = heard
            .windows(2)
            .any(|pair| pair[1]["seq"].as_i64() != pair[0]["seq"].as_i64().map(|seq| seq + 1));
        assert!(!gaps, "what was announced is announced in order");
        for event in &heard {
            let field = |name: &str| event[name].as_i64().unwrap();
            is_in(
                &log,
                field("seq"),
                field("roNumber"),
                field("version"),
                event["by"]["uid"].as_str().unwrap(),
            );
        }

        // Everybody comes back with what they have, and learns how far the day has come.
        server.restart().await;
        for desk in &desks {
            let auth = serde_json::json!({ "token": desk.token });
            let mut socket = Socket::connect(&server, &auth).await.unwrap();
            let hello = socket.next().await;
            assert_eq!(
                (hello.name.as_str(), &hello.payload["seq"]),
                ("hello", &Value::from(log.len()))
            );
        }
        assert_eq!(desks[0].seq().await, log.len() as i64);
    }
}

#[tokio::test]
async fn every_acknowledged_change_survives_a_power_cut_on_sqlite() {
    survives_power_cuts(Shop::new()).await;
}

#[tokio::test]
async fn every_acknowledged_change_survives_a_power_cut_on_postgres() {
    let database = Throwaway::postgres().await;
    survives_power_cuts(Shop::on(&database)).await;
}

#[tokio::test]
async fn an_import_that_a_power_cut_broke_off_is_completed_by_importing_again() {
    let mut server = Server::start().await;
    let orders = plain_orders(3_000).to_string();
    server.shop.write("orders.json", &orders);
    let import = server.shop.command(&["import", "orders.json"]);
    let import = crate::fixture::Ran::of(import, b"");
    let store = server.shop.store().await;
    let begun = async {
        while store.top().await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        server.sigkill().await;
    };
    let (broken_off, ()) = tokio::join!(import, begun);
    let sentence = broken_off.refused();
    assert!(
        sentence.starts_with("orders.json: the running server did not answer"),
        "{sentence}"
    );

    let there = whole_log(&store).await.len();
    assert!((1..3_000).contains(&there), "{there} of 3000 were in");
    server.restart().await;
    let output = server.shop.run(&["import", "orders.json"]).await.good();
    let expected = format!(
        "orders.json: {} created, 0 changed, {there} unchanged, 0 refused\n",
        3_000 - there
    );
    assert_eq!(output, expected);
    assert_eq!(whole_log(&store).await.len(), 3_000);
}

#[tokio::test]
async fn a_server_asked_to_stop_exits_cleanly_and_closes_its_sockets() {
    let (mut server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(1)).await;
    let mut socket = owner.listen(&server).await;
    let seq = owner.make_one_change(1).await;
    // An answer may overtake its event, and what was not delivered comes by recovery.
    assert_eq!(socket.modified().await["seq"], seq);
    server.sigterm().await;
    let heard = socket.until_closed().await;
    assert!(
        heard.is_empty(),
        "no DISCONNECT that would keep the page from coming back: {heard:?}"
    );
    server.restart().await;
    assert_eq!(owner.seq().await, 2);
}
