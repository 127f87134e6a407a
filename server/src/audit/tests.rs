//! The trail on both databases.

use dispatch_actors::store::Store;
use dispatch_actors::testing::Throwaway;
use sea_orm::{ConnectionTrait, Statement};

use super::event::{AuditEvent, AuditKind};
use super::store::{self, Filter};
use super::{AuditTrail, record};

async fn both_databases() -> [(Throwaway, Store); 2] {
    let (sqlite, postgres) = (Throwaway::sqlite(), Throwaway::postgres().await);
    let (on_sqlite, on_postgres) = (sqlite.store().await, postgres.store().await);
    [(sqlite, on_sqlite), (postgres, on_postgres)]
}

async fn kinds(store: &Store, filter: &Filter) -> Vec<String> {
    let rows = store::page(store.reader(), filter, None, 100).await;
    rows.unwrap().into_iter().map(|row| row.kind).collect()
}

async fn count(store: &Store) -> i64 {
    let query = "SELECT count(*) AS events FROM audit_events".to_owned();
    let query = Statement::from_string(store.reader().get_database_backend(), query);
    let row = store.reader().query_one_raw(query).await.unwrap().unwrap();
    row.try_get("", "events").unwrap()
}

#[tokio::test]
async fn an_event_is_committed_with_its_change_or_not_at_all() {
    for (_database, store) in both_databases().await {
        let transaction = store.begin_write().await.unwrap();
        let event = || AuditEvent::done(AuditKind::RolesChanged);
        let recorded = record(&transaction, event()).await.unwrap();
        transaction.rollback().await.unwrap();
        drop(recorded);
        assert_eq!(count(&store).await, 0);
        let transaction = store.begin_write().await.unwrap();
        let recorded = record(&transaction, event()).await.unwrap();
        transaction.commit().await.unwrap();
        recorded.announce();
        assert_eq!(count(&store).await, 1);
    }
}

#[tokio::test]
async fn the_database_changes_no_event_and_deletes_none_before_its_time() {
    for (_database, store) in both_databases().await {
        let trail = AuditTrail::new(store.clone());
        trail.record(AuditEvent::done(AuditKind::SignIn)).await;
        let mut expired = AuditEvent::done(AuditKind::UserRemoved);
        expired.at = "2020-01-01T00:00:00Z".parse().unwrap();
        trail.record(expired).await;
        let is_postgres = store.writer().get_database_backend() == sea_orm::DbBackend::Postgres;
        let over = match is_postgres {
            true => "TRUNCATE audit_events",
            false => {
                "INSERT OR REPLACE INTO audit_events (id, at, kind, outcome, actor_kind, count, kept_until) \
VALUES (1, 0, 'sign-in', 'done', 'server', 1, 0)"
            }
        };
        for statement in [
            "UPDATE audit_events SET actor_name = 'somebody else'",
            "UPDATE audit_events SET kept_until = 0",
            "DELETE FROM audit_events",
            "DELETE FROM audit_events WHERE kind = 'sign-in'",
            over,
        ] {
            let refused = store.writer().execute_unprepared(statement).await;
            let why = refused.expect_err(statement).to_string();
            assert!(why.contains("audit events are"), "{why}");
        }
        assert_eq!(count(&store).await, 2);
        store::delete_expired(&store).await.unwrap();
        assert_eq!(kinds(&store, &Filter::default()).await, ["sign-in"]);
    }
}

#[tokio::test]
async fn events_are_found_by_their_actor_and_by_their_subject() {
    for (_database, store) in both_databases().await {
        let trail = AuditTrail::new(store.clone());
        let by_ann = super::Actor::person("uid-1", "ann_b@example.com");
        let event = |kind| AuditEvent::done(kind).by(by_ann.clone());
        trail.record(event(AuditKind::SignIn)).await;
        let about = AuditEvent::done(AuditKind::RolesChanged).about("uid-1", "ann_b@example.com");
        trail
            .record(about.from_address([192, 0, 2, 7].into()))
            .await;
        trail
            .record(AuditEvent::done(AuditKind::UserRemoved).about("", "annxb@example.com"))
            .await;
        let found = async |person: &str| {
            let person = Some(person.to_owned());
            let filter = Filter {
                person,
                ..Filter::default()
            };
            let mut kinds = kinds(&store, &filter).await;
            kinds.sort();
            kinds
        };
        assert_eq!(found("ANN_B").await, ["roles-changed", "sign-in"]);
        assert_eq!(found("uid-1").await, ["roles-changed", "sign-in"]);
        assert_eq!(found("192.0.2.7").await, ["roles-changed"]);
        assert_eq!(found("%").await.len(), 0);
        assert_eq!(found("example.com").await.len(), 3);
        let key = AuditEvent::done(AuditKind::IntakeKeyMade)
            .about("", "J\u{dc}RGEN \u{141}\u{f3}d\u{17a}");
        trail.record(key).await;
        for person in [
            "j\u{fc}rgen",
            "J\u{dc}RGEN",
            "ju\u{308}rgen",
            "\u{142}\u{d3}D\u{179}",
        ] {
            assert_eq!(found(person).await, ["intake-key-made"], "{person}");
        }
    }
}

#[tokio::test]
async fn a_trail_that_is_closed_leaves_the_database_alone() {
    for (_database, store) in both_databases().await {
        let trail = AuditTrail::new(store.clone());
        let mut expired = AuditEvent::done(AuditKind::UserRemoved);
        expired.at = "2020-01-01T00:00:00Z".parse().unwrap();
        trail.record(expired).await;
        let refused = || AuditEvent::refused(AuditKind::SignIn, "wrong-password");
        trail.attempt(refused());
        trail.close().await;
        assert_eq!(count(&store).await, 2);
        // What still comes or is due does not meet a database that is closed by now.
        trail.attempt(refused());
        trail.flush().await.unwrap();
        trail.delete_expired().await.unwrap();
        assert_eq!(count(&store).await, 2);
    }
}

#[tokio::test]
async fn a_restored_event_log_is_recorded_once() {
    for (_database, store) in both_databases().await {
        let trail = AuditTrail::new(store.clone());
        trail.note_log_generation().await.unwrap();
        assert_eq!(count(&store).await, 0, "the first start is none");
        let head = store.head().await.unwrap();
        store.begin_generation(&head.generation).await.unwrap();
        trail.note_log_generation().await.unwrap();
        trail.note_log_generation().await.unwrap();
        assert_eq!(
            kinds(&store, &Filter::default()).await,
            ["database-restored"]
        );
    }
}
