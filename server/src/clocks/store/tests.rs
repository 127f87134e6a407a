//! A technician has one clock that runs, and a job is finished once.

use dispatch_actors::repair_order::RoNumber;
use dispatch_actors::testing::Throwaway;

use jiff::Timestamp;

use super::entities::time;
use super::*;
use crate::clocks::arithmetic::{Entry, Work};

fn at(milliseconds: i64) -> Timestamp {
    time(milliseconds)
}

fn entry_from(started_at: i64) -> Entry {
    Entry {
        id: 0,
        started_at: at(started_at),
        ended_at: None,
        work: None,
        corrected: false,
    }
}

async fn a_second_clock_is_refused(database: Throwaway) {
    let store = database.store().await;
    // As if nothing kept two processes apart.
    let transaction = store.begin_write().await.unwrap();
    let first = insert(&transaction, 11, &entry_from(1_000), None).await;
    let first = first.unwrap();
    insert(&transaction, 12, &entry_from(1_000), None)
        .await
        .unwrap();
    transaction.commit().await.unwrap();

    let transaction = store.begin_write().await.unwrap();
    let second = insert(&transaction, 11, &entry_from(2_000), None).await;
    assert!(is_overtaken(&second.unwrap_err()));
    transaction.rollback().await.unwrap();

    let transaction = store.begin_write().await.unwrap();
    assert!(end(&transaction, first, at(3_000)).await.unwrap());
    assert!(
        !end(&transaction, first, at(4_000)).await.unwrap(),
        "somebody was quicker"
    );
    let next = insert(&transaction, 11, &entry_from(3_000), None).await;
    transaction.commit().await.unwrap();
    let chain = chain(store.reader(), 11).await.unwrap();
    assert_eq!(chain.running.map(|entry| entry.id), next.ok());
    assert_eq!(chain.last.and_then(|entry| entry.ended_at), Some(at(3_000)));

    // A deleted entry no longer runs.
    let ids = [chain.running.unwrap().id];
    let rows = entries_of(store.reader(), &ids).await.unwrap();
    let mut row = rows.into_iter().next().unwrap();
    row.deleted_at = Some(4_000);
    let transaction = begin(&store).await.unwrap();
    update(&transaction, row).await.unwrap();
    insert(&transaction, 11, &entry_from(5_000), None)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    let running = running(store.reader()).await.unwrap();
    assert_eq!(running[&11].started_at, at(5_000));
    assert_eq!(running.len(), 2);
}

#[tokio::test]
async fn the_database_refuses_a_second_running_clock() {
    a_second_clock_is_refused(Throwaway::sqlite()).await;
}

#[tokio::test]
async fn the_database_refuses_a_second_running_clock_on_postgres() {
    a_second_clock_is_refused(Throwaway::postgres().await).await;
}

async fn a_job_is_done_once(database: Throwaway) {
    let store = database.store().await;
    let work = Work {
        order: RoNumber::try_from(71).unwrap(),
        job: 1,
    };
    let by = |technician| Finished {
        work,
        technician,
        at: at(1_000),
    };
    let transaction = begin(&store).await.unwrap();
    assert!(finish(&transaction, &by(11)).await.unwrap());
    assert!(!finish(&transaction, &by(12)).await.unwrap());
    let mark = finished_job(&transaction, work).await.unwrap();
    assert_eq!(mark.map(|mark| mark.technician), Some(11));
    assert!(reopen(&transaction, work).await.unwrap());
    assert!(!reopen(&transaction, work).await.unwrap());
    assert_eq!(finished_job(&transaction, work).await.unwrap(), None);
    transaction.commit().await.unwrap();
}

#[tokio::test]
async fn a_job_is_finished_by_the_first_technician_who_marks_it_done() {
    a_job_is_done_once(Throwaway::sqlite()).await;
}

#[tokio::test]
async fn a_job_is_finished_by_the_first_technician_who_marks_it_done_on_postgres() {
    a_job_is_done_once(Throwaway::postgres().await).await;
}
