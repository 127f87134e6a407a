//! On both databases, with technician 11 hired.

use dispatch_actors::repair_order::RoHeader;
use dispatch_actors::testing::Throwaway;
use futures_util::FutureExt;
use sea_orm::ConnectionTrait;

use super::*;
use crate::technicians::NewTechnician;

async fn both() -> [(Throwaway, Matching); 2] {
    let mut found = Vec::new();
    for database in [Throwaway::sqlite(), Throwaway::postgres().await] {
        let store = database.store().await;
        let matching = open(&store).await;
        hire(&matching, 11).await;
        found.push((database, open(&store).await));
    }
    found.try_into().ok().unwrap()
}

async fn open(store: &Store) -> Matching {
    let technicians = Technicians::new(store.clone());
    Matching::open(store.clone(), technicians, TechnicianNames::default())
        .await
        .unwrap()
}

async fn hire(matching: &Matching, id: TechnicianId) {
    let technician = NewTechnician {
        id,
        display_name: format!("Technician {id}"),
        ..NewTechnician::default()
    };
    let hired = matching.technicians.set_up(vec![], vec![technician]);
    hired.await.unwrap();
}

fn ro(number: i64) -> RoNumber {
    number.try_into().unwrap()
}

fn number(kind: Kind, text: &str) -> Number {
    Number::of(kind, text).unwrap()
}

fn order(advisor: &str, etl: &[TechnicianId]) -> ImportedOrder {
    ImportedOrder {
        header: RoHeader {
            advisor: Some(advisor.to_owned()),
            ..RoHeader::default()
        },
        etl_technicians: Some(etl.iter().map(|&id| known(id)).collect()),
        ..ImportedOrder::default()
    }
}

/// A record that was resolved, and the order that it makes.
async fn under_way(
    matching: &Matching,
    number: i64,
    order: &mut ImportedOrder,
    said: &[DmsTechnician],
) -> (Resolved, RepairOrder) {
    let resolved = matching.resolve(ro(number), order, said).await;
    let created = RepairOrder::create(ro(number), order, Timestamp::UNIX_EPOCH);
    (resolved, RepairOrder::replay(&created).unwrap())
}

/// A new order as it is imported.
async fn resolved(
    matching: &Matching,
    number: i64,
    mut order: ImportedOrder,
    said: &[DmsTechnician],
) -> ImportedOrder {
    let (resolved, created) = under_way(matching, number, &mut order, said).await;
    resolved.carried_out(&created, true, false).await;
    order
}

/// Numbers and orders.
async fn unmatched(matching: &Matching) -> Vec<(String, i64)> {
    let notes = matching.unmatched(|_| true).await.unwrap();
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
async fn a_number_that_means_nobody_stays_and_is_noted_once() {
    for (_database, matching) in both().await {
        for _ in 0..2 {
            let order = order("A12", &[77, 11]);
            let taken = resolved(&matching, 1, order.clone(), &[]).await;
            assert_eq!(taken, order);
        }
        resolved(&matching, 2, order("Dana Whitfield", &[77]), &[]).await;
        let all = listed(&[("77", 1), ("77", 2), ("A12", 1)]);
        assert_eq!(unmatched(&matching).await, all);
        // Also in another process on the same database.
        let other = open(&matching.store).await;
        resolved(&other, 2, order("", &[77]), &[]).await;
        assert_eq!(unmatched(&other).await, all);
    }
}

#[actix_web::test]
async fn what_is_not_carried_out_is_resolved_and_not_noted() {
    for (_database, matching) in both().await {
        let meaning = Meaning::Technician(11);
        let known_as = number(Kind::Technician, "77");
        matching.learn(&known_as, &meaning).await.unwrap();
        let mut tried = order("12", &[77, 78]);
        drop(under_way(&matching, 1, &mut tried, &[]).await);
        assert_eq!(tried, order("12", &[11, 78]));
        assert!(unmatched(&matching).await.is_empty());
    }
}

#[actix_web::test]
async fn a_technician_without_a_number_is_noted_and_once_matched_is_on_the_list() {
    for (_database, matching) in both().await {
        let said = |text: &str, source| DmsTechnician {
            id: text.to_owned(),
            name: Some("Bo Diaz".to_owned()),
            source,
        };
        let said = [
            said("BO\u{0}1 ", Source::Etl),
            said("BO1", Source::Etl),
            said("", Source::Regular),
        ];
        let nobody = ImportedOrder::default();
        assert_eq!(
            resolved(&matching, 1, nobody.clone(), &said).await,
            nobody,
            "what is not said is not erased"
        );
        let all = listed(&[("BO1", 1), ("Bo Diaz", 1)]);
        assert_eq!(unmatched(&matching).await, all);

        let (known_as, meaning) = (number(Kind::Technician, "BO1"), Meaning::Technician(11));
        let notes = matching.learn(&known_as, &meaning).await.unwrap();
        assert_eq!(notes.len(), 1);
        assert_eq!(
            (notes[0].order, notes[0].source),
            (ro(1), Some(Source::Etl))
        );
        matching.settle(&known_as, &[ro(1)]).await.unwrap();
        let taken = resolved(&matching, 1, order("", &[22]), &said).await;
        assert_eq!(taken, order("", &[22, 11]));
    }
}

#[actix_web::test]
async fn who_is_hired_or_has_left_counts_as_they_are_now() {
    for (_database, matching) in both().await {
        resolved(&matching, 1, order("", &[77]), &[]).await;
        assert_eq!(unmatched(&matching).await, listed(&[("77", 1)]));
        hire(&matching, 77).await;
        assert!(unmatched(&matching).await.is_empty());

        // A match with somebody who is not there is none.
        let (known_as, meaning) = (number(Kind::Technician, "78"), Meaning::Technician(404));
        matching.learn(&known_as, &meaning).await.unwrap();
        let taken = resolved(&matching, 2, order("", &[78]), &[]).await;
        assert_eq!(taken, order("", &[78]));
        assert_eq!(unmatched(&matching).await, listed(&[("78", 2)]));
    }
}

#[actix_web::test]
async fn a_closed_order_needs_nobody() {
    for (_database, matching) in both().await {
        let closed = |etl: &[TechnicianId]| ImportedOrder {
            closed_at: Some(Timestamp::UNIX_EPOCH),
            ..order("12", etl)
        };
        resolved(&matching, 1, order("12", &[77]), &[]).await;
        resolved(&matching, 1, closed(&[77]), &[]).await;
        resolved(&matching, 2, closed(&[78]), &[]).await;
        assert!(unmatched(&matching).await.is_empty());
    }
}

#[actix_web::test]
async fn many_orders_at_once_are_all_noted() {
    for (_database, matching) in both().await {
        let taken = (1..=300).map(|number| {
            let (matching, technician) = (matching.clone(), 1_000 + number % 7);
            async move { resolved(&matching, number, order("12", &[technician]), &[]).await }
        });
        futures_util::future::join_all(taken).await;
        assert_eq!(unmatched(&matching).await.len(), 600);
    }
}

#[actix_web::test]
async fn a_match_waits_until_the_orders_under_way_are_carried_out() {
    for (_database, matching) in both().await {
        let mut first = order("", &[77]);
        let (held, created) = under_way(&matching, 1, &mut first, &[]).await;
        let (known_as, meaning) = (number(Kind::Technician, "77"), Meaning::Technician(11));
        let mut learning = Box::pin(matching.learn(&known_as, &meaning));
        assert!(learning.as_mut().now_or_never().is_none());
        held.carried_out(&created, true, false).await;
        let notes = learning.await.unwrap();
        assert_eq!(notes.len(), 1, "the order is there to be corrected");
        let next = resolved(&matching, 2, order("", &[77]), &[]).await;
        assert_eq!(next, order("", &[11]));
    }
}

#[test]
fn a_number_is_what_is_written_and_a_technicians_is_a_number() {
    let text = |kind, text| Number::of(kind, text).map(|number| number.text);
    assert_eq!(text(Kind::Technician, " 007 "), Some("7".to_owned()));
    assert_eq!(text(Kind::Advisor, " 007 "), Some("007".to_owned()));
    assert_eq!(text(Kind::Technician, "+7"), Some("+7".to_owned()));
    assert_eq!(text(Kind::Technician, "T 9\u{0}"), Some("T 9".to_owned()));
    assert_eq!(text(Kind::Technician, " \u{7} "), None);
    assert_eq!(
        text(Kind::Advisor, &"é".repeat(300))
            .unwrap()
            .chars()
            .count(),
        100
    );
    for name in ["Dana", "Dana 2", "", "A-12", "Ann1 Bell"] {
        assert_eq!(Number::of_advisor(name), None, "{name}");
    }
    for advisor in ["12", "A12", "12A"] {
        assert!(Number::of_advisor(advisor).is_some(), "{advisor}");
    }
}

#[actix_web::test]
async fn a_later_record_replaces_what_its_order_was_noted_for() {
    for (_database, matching) in both().await {
        let regular = |ids: &[TechnicianId], mut of: ImportedOrder| {
            of.regular_technicians = Some(ids.iter().map(|&id| known(id)).collect());
            of
        };
        let t9 = [DmsTechnician {
            id: "T9".to_owned(),
            name: None,
            source: Source::Etl,
        }];
        let first = regular(&[80], order("12", &[77, 78]));
        resolved(&matching, 1, first, &t9).await;
        let all = listed(&[("12", 1), ("77", 1), ("78", 1), ("80", 1), ("T9", 1)]);
        assert_eq!(unmatched(&matching).await, all);

        // Who says nothing about technicians leaves them; the rest of a record adds to it.
        let again = async |mut of: ImportedOrder, said: &[DmsTechnician], continues| {
            let (resolved, mut after) = under_way(&matching, 1, &mut of, said).await;
            after.regular_technicians = vec![known(80)];
            resolved.carried_out(&after, false, continues).await;
            unmatched(&matching).await
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
async fn what_could_not_be_written_is_written_with_the_next() {
    let database = Throwaway::sqlite();
    let store = database.store().await;
    let matching = open(&store).await;
    let run = async |sql: &str| store.writer().execute_unprepared(sql).await.unwrap();
    run("CREATE TRIGGER fault BEFORE INSERT ON intake_unmatched BEGIN SELECT RAISE(ABORT, 'fault'); END").await;
    resolved(&matching, 1, order("", &[77]), &[]).await;
    run("DROP TRIGGER fault").await;
    resolved(&matching, 2, order("", &[11]), &[]).await;
    let notes = rows::notes(&store).await.unwrap();
    let numbers: Vec<_> = notes.iter().map(|note| note.number.text.as_str()).collect();
    assert_eq!(numbers, ["11", "77"], "nobody is hired here");
}

#[actix_web::test]
async fn orders_that_are_no_longer_open_need_nobody() {
    for (_database, matching) in both().await {
        resolved(&matching, 1, order("", &[77]), &[]).await;
        resolved(&matching, 2, order("", &[77]), &[]).await;
        let open = matching.unmatched(|number| number == ro(2)).await.unwrap();
        assert_eq!(open.len(), 1);
        assert_eq!(unmatched(&matching).await, listed(&[("77", 2)]));
    }
}
