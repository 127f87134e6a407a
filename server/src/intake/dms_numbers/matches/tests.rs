//! On both databases, with technician 11 hired.

use dispatch_actors::repair_order::{RoHeader, TechnicianId};
use dispatch_actors::store::{Author, Channel, Decision};
use dispatch_actors::testing::Throwaway;
use dispatch_intake::TechnicianSource;
use futures_util::FutureExt;
use jiff::Timestamp;
use sea_orm::ConnectionTrait;

use super::super::match_table::assigned;
use super::*;
use crate::technicians::NewTechnician;

async fn both_databases() -> [(Throwaway, NumberMatches); 2] {
    let mut found = Vec::new();
    for database in [Throwaway::sqlite(), Throwaway::postgres().await] {
        let store = database.store().await;
        let matches = open(&store).await;
        hire(&matches, 11).await;
        found.push((database, open(&store).await));
    }
    found.try_into().ok().unwrap()
}

async fn open(store: &Store) -> NumberMatches {
    let technicians = Technicians::new(store.clone());
    let (names, stages) = (TechnicianNames::default(), KnownStages::default());
    NumberMatches::open(store.clone(), technicians, names, stages)
        .await
        .unwrap()
}

async fn hire(matches: &NumberMatches, id: TechnicianId) {
    let technician = NewTechnician {
        id,
        display_name: format!("Technician {id}"),
        ..NewTechnician::default()
    };
    let hired = matches.technicians.set_up(vec![], vec![technician]);
    hired.await.unwrap();
}

fn ro(number: i64) -> RoNumber {
    number.try_into().unwrap()
}

fn number(kind: NumberKind, text: &str) -> DmsNumber {
    DmsNumber::new(kind, text).unwrap()
}

fn order(advisor: &str, etl: &[TechnicianId]) -> ImportedOrder {
    ImportedOrder {
        header: RoHeader {
            advisor: Some(advisor.to_owned()),
            ..RoHeader::default()
        },
        etl_technicians: Some(etl.iter().map(|&id| assigned(id)).collect()),
        ..ImportedOrder::default()
    }
}

/// A record that was resolved, and the order that it makes.
async fn resolve_new(
    matches: &NumberMatches,
    number: i64,
    order: &mut ImportedOrder,
    unnumbered: &[DmsTechnician],
) -> (ResolvedNumbers, RepairOrder) {
    let resolved = matches.resolve(ro(number), order, unnumbered, None).await;
    let created = RepairOrder::create(ro(number), order, Timestamp::UNIX_EPOCH);
    (resolved, RepairOrder::replay(&created).unwrap())
}

/// A new order as it is imported.
async fn resolved(
    matches: &NumberMatches,
    number: i64,
    mut order: ImportedOrder,
    unnumbered: &[DmsTechnician],
) -> ImportedOrder {
    let (resolved, created) = resolve_new(matches, number, &mut order, unnumbered).await;
    resolved.save_notes(&created, true, false).await;
    order
}

/// Numbers and orders.
async fn unmatched(matches: &NumberMatches) -> Vec<(String, i64)> {
    let notes = matches.unmatched(|_| true).await.unwrap();
    let mut notes: Vec<_> = notes
        .into_iter()
        .map(|note| (note.number.text, note.order.get()))
        .collect();
    notes.sort();
    notes
}

fn listed(notes: &[(&str, i64)]) -> Vec<(String, i64)> {
    let text = |&(text, order): &(&str, i64)| (text.to_owned(), order);
    notes.iter().map(text).collect()
}

#[actix_web::test]
async fn an_unmatched_number_stays_on_its_order_and_is_noted_once() {
    for (_database, matches) in both_databases().await {
        for _ in 0..2 {
            let order = order("A12", &[77, 11]);
            let imported = resolved(&matches, 1, order.clone(), &[]).await;
            assert_eq!(imported, order);
        }
        resolved(&matches, 2, order("Dana Whitfield", &[77]), &[]).await;
        let all = listed(&[("77", 1), ("77", 2), ("A12", 1)]);
        assert_eq!(unmatched(&matches).await, all);
        // Also in another process on the same database.
        let other = open(&matches.store).await;
        resolved(&other, 2, order("", &[77]), &[]).await;
        assert_eq!(unmatched(&other).await, all);
    }
}

#[actix_web::test]
async fn a_command_that_is_not_executed_leaves_no_notes() {
    for (_database, matches) in both_databases().await {
        let meaning = NumberMeaning::Technician(11);
        let number = number(NumberKind::Technician, "77");
        matches.add(&number, &meaning).await.unwrap();
        let mut tried = order("12", &[77, 78]);
        drop(resolve_new(&matches, 1, &mut tried, &[]).await);
        assert_eq!(tried, order("12", &[11, 78]));
        assert!(unmatched(&matches).await.is_empty());
    }
}

#[actix_web::test]
async fn a_technician_without_a_number_is_noted_and_joins_the_list_once_matched() {
    for (_database, matches) in both_databases().await {
        let unnumbered = |text: &str, source| DmsTechnician {
            id: text.to_owned(),
            name: Some("Bo Diaz".to_owned()),
            source,
        };
        let unnumbered = [
            unnumbered("BO\u{0}1 ", TechnicianSource::Etl),
            unnumbered("BO1", TechnicianSource::Etl),
            unnumbered("", TechnicianSource::Regular),
        ];
        let nobody = ImportedOrder::default();
        assert_eq!(
            resolved(&matches, 1, nobody.clone(), &unnumbered).await,
            nobody,
            "what is not said is not erased"
        );
        let all = listed(&[("BO1", 1), ("Bo Diaz", 1)]);
        assert_eq!(unmatched(&matches).await, all);

        let (number, meaning) = (
            number(NumberKind::Technician, "BO1"),
            NumberMeaning::Technician(11),
        );
        let notes = matches.add(&number, &meaning).await.unwrap();
        assert_eq!(notes.len(), 1);
        assert_eq!(
            (notes[0].order, notes[0].source),
            (ro(1), Some(TechnicianSource::Etl))
        );
        matches.clear_notes(&number, &[ro(1)]).await.unwrap();
        let imported = resolved(&matches, 1, order("", &[22]), &unnumbered).await;
        assert_eq!(imported, order("", &[22, 11]));
    }
}

#[actix_web::test]
async fn a_match_needs_a_technician_who_works_here_now() {
    for (_database, matches) in both_databases().await {
        resolved(&matches, 1, order("", &[77]), &[]).await;
        assert_eq!(unmatched(&matches).await, listed(&[("77", 1)]));
        hire(&matches, 77).await;
        assert!(unmatched(&matches).await.is_empty());

        // A match with a person who does not exist is no match.
        let (number, meaning) = (
            number(NumberKind::Technician, "78"),
            NumberMeaning::Technician(404),
        );
        matches.add(&number, &meaning).await.unwrap();
        let imported = resolved(&matches, 2, order("", &[78]), &[]).await;
        assert_eq!(imported, order("", &[78]));
        assert_eq!(unmatched(&matches).await, listed(&[("78", 2)]));
    }
}

#[actix_web::test]
async fn a_closed_order_has_no_notes() {
    for (_database, matches) in both_databases().await {
        let closed = |etl: &[TechnicianId]| ImportedOrder {
            closed_at: Some(Timestamp::UNIX_EPOCH),
            ..order("12", etl)
        };
        resolved(&matches, 1, order("12", &[77]), &[]).await;
        resolved(&matches, 1, closed(&[77]), &[]).await;
        resolved(&matches, 2, closed(&[78]), &[]).await;
        assert!(unmatched(&matches).await.is_empty());
    }
}

#[actix_web::test]
async fn many_concurrent_orders_are_all_noted() {
    for (_database, matches) in both_databases().await {
        let imports = (1..=300).map(|number| {
            let (matches, technician) = (matches.clone(), 1_000 + number % 7);
            async move { resolved(&matches, number, order("12", &[technician]), &[]).await }
        });
        futures_util::future::join_all(imports).await;
        assert_eq!(unmatched(&matches).await.len(), 600);
    }
}

#[actix_web::test]
async fn a_match_waits_for_orders_that_are_being_imported() {
    for (_database, matches) in both_databases().await {
        let mut first = order("", &[77]);
        let (lease, created) = resolve_new(&matches, 1, &mut first, &[]).await;
        let (number, meaning) = (
            number(NumberKind::Technician, "77"),
            NumberMeaning::Technician(11),
        );
        let mut learning = Box::pin(matches.add(&number, &meaning));
        assert!(learning.as_mut().now_or_never().is_none());
        lease.save_notes(&created, true, false).await;
        let notes = learning.await.unwrap();
        assert_eq!(notes.len(), 1, "the order is there to be corrected");
        let next = resolved(&matches, 2, order("", &[77]), &[]).await;
        assert_eq!(next, order("", &[11]));
    }
}

#[test]
fn numbers_are_trimmed_and_a_technicians_loses_leading_zeros() {
    let text = |kind, text| DmsNumber::new(kind, text).map(|number| number.text);
    assert_eq!(text(NumberKind::Technician, " 007 "), Some("7".to_owned()));
    assert_eq!(text(NumberKind::Advisor, " 007 "), Some("007".to_owned()));
    assert_eq!(text(NumberKind::Technician, "+7"), Some("+7".to_owned()));
    assert_eq!(
        text(NumberKind::Technician, "T 9\u{0}"),
        Some("T 9".to_owned())
    );
    assert_eq!(text(NumberKind::Technician, " \u{7} "), None);
    assert_eq!(
        text(NumberKind::Advisor, &"é".repeat(300))
            .unwrap()
            .chars()
            .count(),
        100
    );
    for name in ["Dana", "Dana 2", "", "A-12", "Ann1 Bell"] {
        assert_eq!(DmsNumber::from_advisor_text(name), None, "{name}");
    }
    for advisor in ["12", "A12", "12A"] {
        assert!(DmsNumber::from_advisor_text(advisor).is_some(), "{advisor}");
    }
}

#[actix_web::test]
async fn a_later_record_replaces_the_notes_of_its_order() {
    for (_database, matches) in both_databases().await {
        let regular = |ids: &[TechnicianId], mut of: ImportedOrder| {
            of.regular_technicians = Some(ids.iter().map(|&id| assigned(id)).collect());
            of
        };
        let t9 = [DmsTechnician {
            id: "T9".to_owned(),
            name: None,
            source: TechnicianSource::Etl,
        }];
        let first = regular(&[80], order("12", &[77, 78]));
        resolved(&matches, 1, first, &t9).await;
        let all = listed(&[("12", 1), ("77", 1), ("78", 1), ("80", 1), ("T9", 1)]);
        assert_eq!(unmatched(&matches).await, all);

        // A record without technicians leaves the notes; the continuation of a record adds to them.
        let again = async |mut of: ImportedOrder, unnumbered: &[DmsTechnician], continues| {
            let (resolved, mut after) = resolve_new(&matches, 1, &mut of, unnumbered).await;
            after.regular_technicians = vec![assigned(80)];
            resolved.save_notes(&after, false, continues).await;
            unmatched(&matches).await
        };
        assert_eq!(again(ImportedOrder::default(), &[], false).await, all);
        assert_eq!(again(order("12", &[11]), &[], true).await, all);
        // 81 was the desk's to assign, 80 is still on the order.
        let later = regular(&[81], order("Dana Whitfield", &[78]));
        let after = again(later, &[], false).await;
        assert_eq!(after, listed(&[("78", 1), ("80", 1)]));
    }
}

#[actix_web::test]
async fn a_note_that_could_not_be_written_is_written_with_the_next() {
    let database = Throwaway::sqlite();
    let store = database.store().await;
    let matches = open(&store).await;
    let run = async |sql: &str| store.writer().execute_unprepared(sql).await.unwrap();
    run("CREATE TRIGGER fault BEFORE INSERT ON intake_unmatched BEGIN SELECT RAISE(ABORT, 'fault'); END").await;
    resolved(&matches, 1, order("", &[77]), &[]).await;
    run("DROP TRIGGER fault").await;
    resolved(&matches, 2, order("", &[11]), &[]).await;
    let notes = store::notes(&store).await.unwrap();
    let numbers: Vec<_> = notes.iter().map(|note| note.number.text.as_str()).collect();
    assert_eq!(numbers, ["11", "77"], "nobody is hired here");
}

#[actix_web::test]
async fn an_order_that_is_no_longer_open_loses_its_notes() {
    for (_database, matches) in both_databases().await {
        resolved(&matches, 1, order("", &[77]), &[]).await;
        resolved(&matches, 2, order("", &[77]), &[]).await;
        let open = matches.unmatched(|number| number == ro(2)).await.unwrap();
        assert_eq!(open.len(), 1);
        assert_eq!(unmatched(&matches).await, listed(&[("77", 2)]));
    }
}

#[actix_web::test]
async fn an_order_that_another_server_imported_a_moment_ago_keeps_its_notes() {
    for (_database, matches) in both_databases().await {
        let mut imported = order("", &[77]);
        let (resolved, created) = resolve_new(&matches, 1, &mut imported, &[]).await;
        resolved.save_notes(&created, true, false).await;
        let decision = Decision {
            before: 0,
            changes: RepairOrder::create(ro(1), &imported, Timestamp::UNIX_EPOCH),
            after: Arc::new(created),
            by: Author {
                uid: "import".to_owned(),
                name: "Import".to_owned(),
                channel: Channel::Import,
            },
            request: None,
            idempotency_record: None,
            at: Timestamp::UNIX_EPOCH,
        };
        matches.store.commit(&[decision]).await.unwrap();
        let not_known_yet = |_| false;
        assert_eq!(matches.unmatched(not_known_yet).await.unwrap().len(), 1);
    }
}

#[actix_web::test]
async fn an_order_whose_import_broke_off_before_its_notes_is_noted_the_next_time() {
    for (_database, matches) in both_databases().await {
        let mut imported = ImportedOrder {
            regular_technicians: Some(vec![assigned(77)]),
            ..order("", &[])
        };
        let (resolved, created) = resolve_new(&matches, 1, &mut imported, &[]).await;
        drop(resolved);
        let (resolved, _) = resolve_new(&matches, 1, &mut imported, &[]).await;
        resolved.save_notes(&created, false, false).await;
        assert_eq!(unmatched(&matches).await, listed(&[("77", 1)]));
    }
}
