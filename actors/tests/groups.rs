//! A group of decisions in one transaction, on both databases: what is wrong with one of them does
//! not sink the others, and what is kept is numbered without a gap.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use std::sync::Arc;

use dispatch_actors::repair_order::{
    AssignedTechnician, Change, Command, ImportedJob, ImportedOrder, JobTexts, Priority,
    RepairOrder, RoHeader, RoNumber, Status,
};
use dispatch_actors::store::{
    Author, Channel, Decision, Event, IdempotencyRecord, IdempotencyRecordKey, Seq, Store, Verdict,
};
use dispatch_actors::testing::Throwaway;
use futures_util::future::join;
use jiff::Timestamp;
use sea_orm::ConnectionTrait;

fn now() -> Timestamp {
    Timestamp::from_millisecond(Timestamp::now().as_millisecond()).unwrap()
}

fn number(value: i64) -> RoNumber {
    RoNumber::try_from(value).unwrap()
}

fn decision(before: i64, after: RepairOrder, changes: Vec<Change>) -> Decision {
    Decision {
        before,
        after: Arc::new(after),
        changes,
        by: Author {
            uid: "ann".to_owned(),
            name: "Ann".to_owned(),
            channel: Channel::Desk,
        },
        request: None,
        idempotency_record: None,
        at: now(),
    }
}

fn arrival(value: i64) -> Decision {
    let job = |job_number| ImportedJob {
        job_number,
        concern: Some("Brakes squeal".to_owned()),
        ..ImportedJob::default()
    };
    let imported = ImportedOrder {
        dms_number: value.to_string(),
        etl_technicians: Some(vec![AssignedTechnician {
            technician: 3,
            name: None,
        }]),
        jobs: vec![job(1), job(2)],
        ..ImportedOrder::default()
    };
    let changes = RepairOrder::create(number(value), &imported, now());
    decision(0, RepairOrder::replay(&changes).unwrap(), changes)
}

fn change(order: &RepairOrder, command: &Command) -> Decision {
    let changes = order.apply(command).unwrap();
    let mut after = order.clone();
    changes.iter().for_each(|change| after.evolve(change));
    decision(order.version, after, changes)
}

fn with_idempotency_record(decision: Decision, key: &str) -> Decision {
    let key = IdempotencyRecordKey {
        uid: "ann".to_owned(),
        key: key.to_owned(),
        entry: 0,
        request_hash: "hash".to_owned(),
    };
    let answer = |order: &RepairOrder, events: &[Event]| {
        let seqs: Vec<Seq> = events.iter().map(|event| event.seq).collect();
        format!("{} {seqs:?}", order.number)
    };
    Decision {
        idempotency_record: Some(IdempotencyRecord {
            key,
            answer: Arc::new(answer),
        }),
        ..decision
    }
}

/// A store with the orders 1 to `count`, which are events 1 to `count`.
async fn shop(database: &Throwaway, count: i64) -> Store {
    let store = database.store().await;
    let arrivals: Vec<Decision> = (1..=count).map(arrival).collect();
    let verdicts = store.commit(&arrivals).await.unwrap();
    assert_eq!(seqs(&verdicts), (1..=count).collect::<Vec<_>>());
    store
}

async fn load(store: &Store, value: i64) -> RepairOrder {
    store.load(number(value)).await.unwrap().unwrap()
}

/// The numbers of all that was committed, in the order of the decisions.
fn seqs(verdicts: &[Verdict]) -> Vec<Seq> {
    let events = verdicts.iter().flat_map(|verdict| match verdict {
        Verdict::Committed(events) => events.as_slice(),
        _ => &[],
    });
    events.map(|event| event.seq).collect()
}

/// The log is dense up to the counter, and the rows equal its replayed events.
async fn assert_whole(store: &Store) {
    let log = store.events_after(0, 1_000_000).await.unwrap();
    let logged: Vec<Seq> = log.iter().map(|event| event.seq).collect();
    assert_eq!(logged, (1..=log.len() as Seq).collect::<Vec<_>>());
    assert_eq!(store.top().await.unwrap(), log.len() as Seq);
    for order in store.open_orders().await.unwrap().orders {
        let changes = log.iter().filter(|event| event.number == order.number);
        let replayed = RepairOrder::replay(changes.map(|event| &event.change));
        assert_eq!(replayed, Some(order));
    }
}

fn assign(technician: i64) -> Command {
    Command::Assign(technician)
}

async fn one_of_each_fault(database: Throwaway) {
    let store = shop(&database, 9).await;
    let waiting = Command::ChangeStatus(Status::Waiting);
    // Order 2 is changed by somebody else, order 4 by the request that is sent again.
    let stale = load(&store, 2).await;
    let first = [
        change(&stale, &assign(8)),
        with_idempotency_record(change(&load(&store, 4).await, &assign(8)), "again"),
    ];
    assert_eq!(seqs(&store.commit(&first).await.unwrap()), [10, 11]);
    // The log already has an event in the place of the next one of order 6.
    store
        .writer()
        .execute_unprepared(
            "INSERT INTO events (seq, ro_number, version, action, at, by_uid, by_name, channel, change) \
             VALUES (1000000, 6, 2, 'CLOSED', 0, '', '', 'desk', '{}')",
        )
        .await
        .unwrap();
    let group = [
        with_idempotency_record(change(&load(&store, 1).await, &waiting), "new"),
        change(&stale, &assign(9)),
        change(&load(&store, 3).await, &waiting),
        with_idempotency_record(change(&load(&store, 4).await, &assign(9)), "again"),
        arrival(5),
        change(&load(&store, 6).await, &waiting),
        change(&load(&store, 7).await, &assign(9)),
        arrival(10),
    ];
    let verdicts = store.commit(&group).await.unwrap();
    assert!(
        matches!(
            verdicts.as_slice(),
            [
                Verdict::Committed(_),
                Verdict::Lost,
                Verdict::Committed(_),
                Verdict::Repeated,
                Verdict::Lost,
                Verdict::Failed(_),
                Verdict::Committed(_),
                Verdict::Committed(_),
            ]
        ),
        "{verdicts:?}"
    );
    assert_eq!(seqs(&verdicts), [12, 13, 14, 15, 16, 17]);
    let kept = store.idempotency_records("ann", "new").await.unwrap();
    assert_eq!(kept[0].1.answer, "1 [12, 13]", "with the numbers it got");
    let kept = store.idempotency_records("ann", "again").await.unwrap();
    assert_eq!(kept[0].1.answer, "4 [11]", "as it was given first");
    for untouched in [4, 6] {
        let order = load(&store, untouched).await;
        assert!(order.regular_technicians.len() < 2, "{order:?}");
        assert_ne!(order.priority, Priority::Waiting);
    }
    store
        .writer()
        .execute_unprepared("DELETE FROM events WHERE seq = 1000000")
        .await
        .unwrap();
    assert_whole(&store).await;
}

#[actix::test]
async fn conflicting_repeated_and_corrupt_changes_do_not_affect_their_group_on_sqlite() {
    one_of_each_fault(Throwaway::sqlite()).await;
}

#[actix::test]
async fn conflicting_repeated_and_corrupt_changes_do_not_affect_their_group_on_postgres() {
    one_of_each_fault(Throwaway::postgres().await).await;
}

async fn nothing_kept(database: Throwaway) {
    let store = shop(&database, 2).await;
    let (one, two) = (load(&store, 1).await, load(&store, 2).await);
    let first = [change(&one, &assign(1)), change(&two, &assign(1))];
    assert_eq!(seqs(&store.commit(&first).await.unwrap()), [3, 4]);
    let late = [change(&one, &assign(2)), change(&two, &assign(2))];
    let verdicts = store.commit(&late).await.unwrap();
    assert!(matches!(
        verdicts.as_slice(),
        [Verdict::Lost, Verdict::Lost]
    ));
    assert_whole(&store).await;
}

#[actix::test]
async fn a_group_of_conflicting_changes_uses_no_sequence_number_on_sqlite() {
    nothing_kept(Throwaway::sqlite()).await;
}

#[actix::test]
async fn a_group_of_conflicting_changes_uses_no_sequence_number_on_postgres() {
    nothing_kept(Throwaway::postgres().await).await;
}

async fn every_kind(database: Throwaway) {
    let store = shop(&database, 80).await;
    let story = JobTexts {
        tech_story: Some("Pads and discs renewed".to_owned()),
        ..JobTexts::default()
    };
    let kinds = [
        Command::ChangeStatus(Status::Waiting),
        Command::ChangePriority(Priority::High),
        Command::Assign(11),
        Command::EditJob {
            job_number: 2,
            texts: story,
            provenance: None,
        },
        Command::Close { at: now() },
        Command::Import(Box::new(ImportedOrder {
            header: RoHeader {
                customer: Some("Bea Example".to_owned()),
                ..RoHeader::default()
            },
            etl_technicians: Some(Vec::new()),
            jobs: vec![ImportedJob {
                job_number: 3,
                ..ImportedJob::default()
            }],
            ..ImportedOrder::default()
        })),
    ];
    let mut group = Vec::new();
    for (value, command) in (1..=80).zip(kinds.iter().cycle()) {
        group.push(change(&load(&store, value).await, command));
    }
    // Only its answer is to be kept.
    let same = load(&store, 80).await;
    let unchanged = decision(same.version, same, Vec::new());
    group.push(with_idempotency_record(unchanged, "nothing"));
    group.push(arrival(82));
    let expected: Vec<Arc<RepairOrder>> = group.iter().map(|one| one.after.clone()).collect();
    let verdicts = store.commit(&group).await.unwrap();
    assert!(
        verdicts
            .iter()
            .all(|verdict| matches!(verdict, Verdict::Committed(_))),
        "{verdicts:?}"
    );
    let top = store.top().await.unwrap();
    assert_eq!(seqs(&verdicts), (81..=top).collect::<Vec<_>>());
    for order in expected.iter().filter(|order| order.number != number(80)) {
        assert_eq!(
            store.load(order.number).await.unwrap().as_ref(),
            Some(&**order)
        );
    }
    let kept = store.idempotency_records("ann", "nothing").await.unwrap();
    assert_eq!(kept[0].1.answer, "80 []");
    assert_whole(&store).await;
}

#[actix::test]
async fn a_group_holds_changes_of_every_kind_on_sqlite() {
    every_kind(Throwaway::sqlite()).await;
}

#[actix::test]
async fn a_group_holds_changes_of_every_kind_on_postgres() {
    every_kind(Throwaway::postgres().await).await;
}

async fn an_expired_idempotency_record(database: Throwaway) {
    let store = shop(&database, 1).await;
    let first = [with_idempotency_record(
        change(&load(&store, 1).await, &assign(1)),
        "key",
    )];
    store.commit(&first).await.unwrap();
    store
        .writer()
        .execute_unprepared("UPDATE receipts SET created_at = 0")
        .await
        .unwrap();
    let second = [with_idempotency_record(
        change(&load(&store, 1).await, &assign(2)),
        "key",
    )];
    assert_eq!(seqs(&store.commit(&second).await.unwrap()), [3]);
    let kept = store.idempotency_records("ann", "key").await.unwrap();
    assert_eq!(kept[0].1.answer, "1 [3]");
}

#[actix::test]
async fn an_expired_idempotency_record_makes_room_on_sqlite() {
    an_expired_idempotency_record(Throwaway::sqlite()).await;
}

#[actix::test]
async fn an_expired_idempotency_record_makes_room_on_postgres() {
    an_expired_idempotency_record(Throwaway::postgres().await).await;
}

/// Two processes change the same orders in opposite directions, each as long as it takes.
async fn two_processes(database: Throwaway) {
    let (one, other) = (shop(&database, 40).await, database.store().await);
    let work = |store: Store, backwards: bool, technician: i64| async move {
        let mut left: Vec<i64> = (1..=40).collect();
        if backwards {
            left.reverse();
        }
        while !left.is_empty() {
            let mut group = Vec::new();
            for value in &left {
                group.push(change(&load(&store, *value).await, &assign(technician)));
            }
            let verdicts = store.commit(&group).await.unwrap();
            let mut verdicts = verdicts.iter();
            left.retain(|_| match verdicts.next() {
                Some(Verdict::Committed(_)) => false,
                Some(Verdict::Lost) => true,
                other => panic!("{other:?}"),
            });
        }
    };
    for round in 0..5 {
        join(
            work(one.clone(), false, 100 + round),
            work(other.clone(), true, 200 + round),
        )
        .await;
    }
    assert_eq!(one.top().await.unwrap(), 40 + 2 * 5 * 40);
    assert_whole(&one).await;
}

#[actix::test]
async fn two_processes_neither_lock_each_other_out_nor_lose_anything_on_sqlite() {
    two_processes(Throwaway::sqlite()).await;
}

#[actix::test]
async fn two_processes_neither_lock_each_other_out_nor_lose_anything_on_postgres() {
    two_processes(Throwaway::postgres().await).await;
}
