//! Any history, through the supervisors and the database, on both databases: the stored order
//! equals its replayed events and the list in memory.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use actix::Actor;
use bytes::Bytes;
use dispatch_actors::broadcaster::{Announcement, Broadcast, Broadcaster, Encode, Frame, Hint};
use dispatch_actors::committer::{Committer, GROUP};
use dispatch_actors::presence::Person;
use dispatch_actors::registry::RepairOrderRegistry;
use dispatch_actors::repair_order::{Command, RepairOrder, RoNumber, StageRules, Status, Undo};
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{
    Author, Channel, IdempotencyRecord, IdempotencyRecordKey, LogPosition, Outage, Store,
};
use dispatch_actors::supervisor::{Execute, Failure};
use dispatch_actors::testing::{Throwaway, shipped_stages};
use futures_util::future::join_all;
use jiff::Timestamp;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::sync::Arc;

mod any_command;
mod stage_commands;
use any_command::any_command;

struct Silent;

fn nothing() -> Frame {
    Frame {
        bytes: Bytes::new(),
        head: 0,
    }
}

impl Encode for Silent {
    fn modified(&self, _: &Announcement) -> Frame {
        nothing()
    }
    fn tick(&self, _: LogPosition, _: Outage) -> Frame {
        nothing()
    }
    fn hint(&self, _: &Hint) -> Frame {
        nothing()
    }
    fn presence(&self, _: RoNumber, _: &[Person]) -> Frame {
        nothing()
    }
    fn presences(&self, _: &[(RoNumber, Vec<Person>)]) -> Frame {
        nothing()
    }
    fn broadcast(&self, _: &Broadcast) -> Frame {
        nothing()
    }
}

struct Shop {
    store: Store,
    snapshot: Snapshot,
    orders: RepairOrderRegistry,
}

async fn open(database: &Throwaway) -> Shop {
    let store = database.store().await;
    let snapshot = Snapshot::load(&store).await.unwrap();
    let broadcaster = Broadcaster::new(Silent, snapshot.position(), store.status().clone()).start();
    let committer = Committer::start(store.clone(), snapshot.clone(), broadcaster, GROUP);
    let orders = RepairOrderRegistry::start(store.clone(), committer);
    Shop {
        store,
        snapshot,
        orders,
    }
}

fn number(value: i64) -> RoNumber {
    RoNumber::try_from(value).unwrap()
}

fn author(name: &str) -> Author {
    Author {
        uid: name.to_owned(),
        name: name.to_owned(),
        channel: Channel::Desk,
    }
}

fn moment() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

/// Takes back the last thing that happened to an order, if it can be.
async fn undo_the_last(shop: &Shop, number: RoNumber) -> Result<(), Failure> {
    let Some(last) = shop.store.last_event(number).await.unwrap() else {
        return Ok(());
    };
    let undo = Undo {
        changes: vec![last.change],
        since: vec![],
        at: moment(),
    };
    let mut request = Execute::new(Command::Undo(Box::new(undo)), author("undoing desk"));
    request.expected_version = Some(last.version);
    shop.orders.execute(number, request).await.map(|_| ())
}

async fn any_history_is_kept(database: Throwaway) {
    let shop = open(&database).await;
    let mut runner = TestRunner::deterministic();
    for round in 0..40 {
        // Turned on, off and on again.
        shop.store.stage_rules().set(StageRules {
            is_on: round % 10 >= 3,
            ..shipped_stages()
        });
        let walks = (1..=5).map(|value| {
            let commands = any_command(moment(), "[a-zé'\"%;]{0,6}", 0.1);
            let commands = prop::collection::vec(commands, 1..6)
                .new_tree(&mut runner)
                .unwrap()
                .current();
            let shop = &shop;
            async move {
                for command in commands {
                    let request = Execute::new(command, author("desk"));
                    let result = shop.orders.execute(number(value), request).await;
                    assert!(!matches!(result, Err(Failure::Unavailable)));
                }
                match undo_the_last(shop, number(value)).await {
                    Ok(()) | Err(Failure::Refused(_) | Failure::Unknown(_)) => {}
                    Err(failure) => panic!("{failure}"),
                }
            }
        });
        join_all(walks).await;
    }
    for value in 1..=5 {
        let number = number(value);
        let events = shop.store.events_from(number, 0).await.unwrap();
        let replayed = RepairOrder::replay(events.iter().map(|event| &event.change));
        let kept = shop.store.load(number).await.unwrap();
        assert_eq!(kept, replayed, "the row is what its events tell");
        let listed = shop.snapshot.get(number).map(|order| (*order).clone());
        assert_eq!(listed, kept.filter(|order| order.closed_at.is_none()));
    }
    assert_eq!(shop.snapshot.seq(), shop.store.top().await.unwrap());
    let activity = shop.store.activity(moment()).await.unwrap();
    assert_eq!(activity.updates, shop.store.top().await.unwrap());
    assert_eq!(activity.repair_orders, 5);
}

#[actix::test]
async fn any_history_is_kept_on_sqlite() {
    any_history_is_kept(Throwaway::sqlite()).await;
}

#[actix::test]
async fn any_history_is_kept_on_postgres() {
    any_history_is_kept(Throwaway::postgres().await).await;
}

fn idempotency_record(key: &str) -> Option<IdempotencyRecord> {
    Some(IdempotencyRecord {
        key: IdempotencyRecordKey {
            uid: "ann".to_owned(),
            key: key.to_owned(),
            entry: 0,
            request_hash: "hash".to_owned(),
        },
        answer: Arc::new(|order, events| format!("{} after {}", order.version, events.len())),
    })
}

async fn an_idempotency_record_is_kept_with_its_change(database: Throwaway) {
    let shop = open(&database).await;
    let arrival = Command::Import(Box::default());
    let with_idempotency_record = |command, key| Execute {
        idempotency_record: idempotency_record(key),
        ..Execute::new(command, author("desk"))
    };
    shop.orders
        .execute(number(1), Execute::new(arrival, author("import")))
        .await
        .unwrap();
    let waiting = || Command::ChangeStatus(Status::Waiting);
    // Both at once: one is executed, and the other gets the answer that it was.
    let both = join_all([(), ()].map(|()| {
        shop.orders
            .execute(number(1), with_idempotency_record(waiting(), "first"))
    }))
    .await;
    assert_eq!(both.iter().filter(|result| result.is_ok()).count(), 1);
    assert!(
        both.iter()
            .any(|result| matches!(result, Err(Failure::Repeated)))
    );
    // Nothing to change is an answer, too.
    let same = shop
        .orders
        .execute(number(1), with_idempotency_record(waiting(), "second"))
        .await
        .unwrap();
    assert!(same.events.is_empty());
    let answer = async |key: &str| {
        let records = shop.store.idempotency_records("ann", key).await.unwrap();
        records.into_iter().next().unwrap().1.answer
    };
    assert_eq!(answer("first").await, "3 after 2");
    assert_eq!(answer("second").await, "3 after 0");
    assert!(
        shop.store
            .idempotency_records("bea", "first")
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(shop.store.sweep_idempotency_records().await.unwrap(), 0);
}

#[actix::test]
async fn an_idempotency_record_is_kept_with_its_change_on_sqlite() {
    an_idempotency_record_is_kept_with_its_change(Throwaway::sqlite()).await;
}

#[actix::test]
async fn an_idempotency_record_is_kept_with_its_change_on_postgres() {
    an_idempotency_record_is_kept_with_its_change(Throwaway::postgres().await).await;
}
