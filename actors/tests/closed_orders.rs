//! Past orders, on both databases: written in one go they read back as written, and closed orders
//! are found with their history.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use std::collections::BTreeSet;

use dispatch_actors::repair_order::{Change, RepairOrder, RoNumber};
use dispatch_actors::sample_shop::{PastOrder, SampleShop};
use dispatch_actors::store::{Author, Channel, OrderHistory, PastRequest};
use dispatch_actors::testing::Throwaway;
use jiff::{SignedDuration, Timestamp};

fn now() -> Timestamp {
    "2026-11-18T20:20:00Z".parse().unwrap()
}

fn past_orders() -> Vec<PastOrder> {
    SampleShop::new(7, 100, now()).past_orders(7, now())
}

fn histories(past_orders: &[PastOrder]) -> Vec<OrderHistory> {
    let history = |order: &PastOrder| OrderHistory {
        number: order.number,
        requests: order
            .moves
            .iter()
            .map(|one| PastRequest {
                at: one.at,
                by: Author {
                    uid: "ann".to_owned(),
                    name: format!("{:?}", one.by),
                    channel: Channel::Desk,
                },
                request: Some(format!("{} {}", order.number, one.at)),
                changes: one.changes.clone(),
            })
            .collect(),
    };
    past_orders.iter().map(history).collect()
}

fn changes(order: &PastOrder) -> Vec<Change> {
    let moves = order.moves.iter();
    moves.flat_map(|one| one.changes.clone()).collect()
}

async fn past_orders_are_written_with_their_events_once(database: Throwaway) {
    let store = database.store().await;
    let past_orders = past_orders();
    assert!(past_orders.len() > 50);
    store.seed_history(&histories(&past_orders)).await.unwrap();
    let log = store.events_after(0, 10_000).await.unwrap();
    assert!(log.iter().map(|event| event.seq).eq(1..=log.len() as i64));
    assert!(log.is_sorted_by_key(|event| event.at));
    for order in &past_orders {
        let events = store.events_from(order.number, 1).await.unwrap();
        let recorded: Vec<Change> = events.iter().map(|event| event.change.clone()).collect();
        assert_eq!(recorded, changes(order));
        assert!(
            events
                .iter()
                .map(|event| event.version)
                .eq(1..=recorded.len() as i64)
        );
        let row = store.load(order.number).await.unwrap();
        assert_eq!(
            row,
            RepairOrder::replay(&recorded),
            "the events tell the row"
        );
    }
    assert!(store.open_orders().await.unwrap().orders.is_empty());

    // A log with events is left alone; so is one where there is nothing to write.
    store
        .seed_history(&histories(&past_orders[..1]))
        .await
        .unwrap();
    store.seed_history(&[]).await.unwrap();
    assert_eq!(store.top().await.unwrap(), log.len() as i64);
}

async fn closed_orders_are_found_with_their_history(database: Throwaway) {
    let store = database.store().await;
    let past_orders = past_orders();
    store.seed_history(&histories(&past_orders)).await.unwrap();
    let since = now() - SignedDuration::from_hours(24);
    let expected: BTreeSet<RoNumber> = past_orders
        .iter()
        .filter(|order| order.moves.last().unwrap().at >= since)
        .map(|order| order.number)
        .collect();
    let closed = store.closed_since(since).await.unwrap();
    assert_eq!(closed.seq, store.top().await.unwrap());
    let found: BTreeSet<RoNumber> = closed.orders.iter().map(|order| order.number).collect();
    assert_eq!(found, expected);

    let numbers: Vec<RoNumber> = found.into_iter().collect();
    let lives = store.lives(&numbers).await.unwrap();
    for order in closed.orders {
        let row = store.load(order.number).await.unwrap().unwrap();
        assert_eq!(
            (order.version, Some(order.closed_at), order.status),
            (row.version, row.closed_at, row.displayed_status())
        );
        let past_order = past_orders
            .iter()
            .find(|past_order| past_order.number == order.number)
            .unwrap();
        let of_a_life: Vec<(Timestamp, Change)> = past_order
            .moves
            .iter()
            .flat_map(|one| one.changes.iter().map(|change| (one.at, change.clone())))
            .filter(|(_, change)| !matches!(change, Change::PriorityChanged { .. }))
            .collect();
        assert_eq!(lives[&order.number], of_a_life);
    }
}

#[actix::test]
async fn past_orders_are_written_with_their_events_once_on_sqlite() {
    past_orders_are_written_with_their_events_once(Throwaway::sqlite()).await;
}

#[actix::test]
async fn past_orders_are_written_with_their_events_once_on_postgres() {
    past_orders_are_written_with_their_events_once(Throwaway::postgres().await).await;
}

#[actix::test]
async fn closed_orders_are_found_on_sqlite() {
    closed_orders_are_found_with_their_history(Throwaway::sqlite()).await;
}

#[actix::test]
async fn closed_orders_are_found_on_postgres() {
    closed_orders_are_found_with_their_history(Throwaway::postgres().await).await;
}
