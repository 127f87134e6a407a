use super::*;
use crate::order::Row;

/// A list that is true for `seq`, with these orders at these versions.
fn list(seq: i64, orders: &[(i64, i64)]) -> List {
    let rows: Vec<Row> = orders
        .iter()
        .map(|(number, version)| {
            serde_json::from_value(serde_json::json!({
                "repairOrderNumber": number,
                "version": version,
                "appCustomerStatus": null,
                "priorityName": "Low",
            }))
            .unwrap()
        })
        .collect();
    List::new(seq, &rows)
}

fn heard(seq: i64, number: i64, version: i64) -> Receipt {
    Receipt {
        seq,
        at: 0,
        stamped: None,
        number,
        version,
        open: true,
    }
}

fn closed(seq: i64, number: i64, version: i64) -> Receipt {
    Receipt {
        open: false,
        ..heard(seq, number, version)
    }
}

/// A reader whose `hello` was 10 hears `receipts`; then the list is `end`.
fn verdict(receipts: &[Receipt], end: &List) -> Verdict {
    let log = Log {
        hello: 10,
        receipts: receipts.to_vec(),
        ..Log::default()
    };
    let truth = Truth {
        start: &list(10, &[(1, 1), (2, 1)]),
        end,
        top: end.seq,
    };
    check(&log, &truth)
}

#[test]
fn every_event_once_and_in_order_is_right() {
    let receipts = [heard(11, 1, 2), heard(12, 2, 2), heard(13, 1, 3)];
    let verdict = verdict(&receipts, &list(13, &[(1, 3), (2, 2)]));
    assert_eq!(verdict.expected, 3);
    assert_eq!(verdict.fault(), None);
}

#[test]
fn a_gap_is_missing_and_the_picture_shows_it() {
    let receipts = [heard(11, 1, 2), heard(13, 1, 3)];
    let verdict = verdict(&receipts, &list(13, &[(1, 3), (2, 2)]));
    assert_eq!(verdict.missing, [12]);
    let fault = verdict.fault().unwrap();
    assert!(fault.contains("missed events 12"), "{fault}");
    assert!(fault.contains("RO 2 at 1 (the list at 2)"), "{fault}");
}

#[test]
fn an_end_that_never_came_is_missing() {
    let verdict = verdict(&[heard(11, 1, 2)], &list(13, &[(1, 4), (2, 1)]));
    assert_eq!(verdict.missing, [12, 13]);
}

#[test]
fn a_reader_that_heard_nothing_misses_everything() {
    let verdict = verdict(&[], &list(12, &[(1, 2), (2, 2)]));
    assert_eq!((verdict.expected, verdict.missing.len()), (2, 2));
}

#[test]
fn a_repeated_event_is_named_and_changes_no_picture() {
    let receipts = [heard(11, 1, 2), heard(12, 2, 2), heard(11, 1, 2)];
    let verdict = verdict(&receipts, &list(12, &[(1, 2), (2, 2)]));
    assert_eq!(verdict.repeated, [11]);
    assert_eq!(verdict.fault().unwrap(), "heard again events 11");
}

#[test]
fn an_overtaken_event_is_out_of_order_and_not_missing() {
    let receipts = [heard(12, 2, 2), heard(11, 1, 2), heard(13, 1, 3)];
    let verdict = verdict(&receipts, &list(13, &[(1, 3), (2, 2)]));
    assert_eq!(verdict.out_of_order, [11]);
    assert_eq!(verdict.missing, [0; 0]);
    assert_eq!(verdict.repeated, [0; 0]);
    assert_eq!(verdict.fault().unwrap(), "heard out of order events 11");
}

#[test]
fn an_event_from_before_hello_is_out_of_order() {
    let verdict = verdict(&[heard(10, 1, 1)], &list(10, &[(1, 1), (2, 1)]));
    assert_eq!(verdict.out_of_order, [10]);
    assert_eq!(verdict.expected, 0);
}

#[test]
fn other_peoples_events_must_come_too_and_may_come_after_the_end() {
    // 12 and 14 are nobody's that we know: an order appears, and one changes after the last list.
    let receipts = [heard(11, 1, 2), heard(12, 3, 1), heard(13, 2, 2)];
    let end = list(13, &[(1, 2), (2, 2), (3, 1)]);
    assert_eq!(verdict(&receipts, &end).fault(), None);

    let later = [receipts.as_slice(), &[heard(14, 1, 3)]].concat();
    let verdict_later = verdict(&later, &end);
    assert_eq!(verdict_later.expected, 4);
    assert_eq!(verdict_later.fault(), None);

    let skipped = [receipts.as_slice(), &[heard(15, 1, 4)]].concat();
    assert_eq!(verdict(&skipped, &end).missing, [14]);
}

#[test]
fn a_closed_order_leaves_the_picture_for_good() {
    let receipts = [heard(11, 2, 2), closed(12, 2, 3)];
    let gone = list(12, &[(1, 1)]);
    assert_eq!(verdict(&receipts, &gone).fault(), None);

    let brought_back = [closed(11, 2, 3), heard(12, 2, 2)];
    assert_eq!(verdict(&brought_back, &gone).differences, []);
}

#[test]
fn an_order_that_was_not_removed_differs() {
    let verdict = verdict(&[heard(11, 1, 2)], &list(11, &[(1, 2)]));
    let difference = Difference {
        number: 2,
        reader: Some(1),
        list: None,
    };
    assert_eq!(verdict.differences, [difference]);
    let fault = verdict.fault().unwrap();
    assert!(fault.contains("RO 2 at 1 (the list not)"), "{fault}");
}

#[test]
fn both_events_of_one_change_carry_the_rows_after_it() {
    let receipts = [heard(11, 1, 3), heard(12, 1, 3)];
    assert_eq!(
        verdict(&receipts, &list(12, &[(1, 3), (2, 1)])).fault(),
        None
    );
}

#[test]
fn a_lost_connection_and_an_early_tick_are_faults() {
    let log = Log {
        hello: 10,
        early_ticks: vec![12],
        ended: Some("the server closed the connection".to_owned()),
        ..Log::default()
    };
    let start = list(10, &[]);
    let truth = Truth {
        start: &start,
        end: &start,
        top: 10,
    };
    let fault = check(&log, &truth).fault().unwrap();
    assert!(fault.contains("too early by a tick"), "{fault}");
    assert!(fault.contains("closed the connection"), "{fault}");
}
