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

fn modified_event(seq: i64, number: i64, version: i64) -> Modified {
    Modified {
        seq,
        number,
        version,
        open: true,
        stamped: None,
    }
}

fn closed(seq: i64, number: i64, version: i64) -> Modified {
    Modified {
        open: false,
        ..modified_event(seq, number, version)
    }
}

/// A reader whose `hello` was 10, with this list.
struct Joined {
    hearing: Hearing,
    places: Places,
}

impl Joined {
    fn new(dense: bool) -> Self {
        let mut joined = Self {
            hearing: Hearing::new(dense),
            places: Places::default(),
        };
        joined.hearing.join(10);
        joined.load(&list(10, &[(1, 1), (2, 1)]));
        joined
    }

    fn load(&mut self, list: &List) {
        self.hearing.load(list, &mut self.places);
    }

    fn hear(&mut self, events: &[Modified]) {
        for event in events {
            self.hearing.hear(event, &mut self.places);
        }
    }

    fn verdict(mut self, end: &List) -> Verdict {
        self.hearing.verdict(end, end.seq, &mut self.places)
    }
}

/// The verdict about a reader that received these events; then the list is `end`.
fn verdict(events: &[Modified], end: &List) -> Verdict {
    let mut joined = Joined::new(true);
    joined.hear(events);
    joined.verdict(end)
}

#[test]
fn every_event_once_and_in_order_is_right() {
    let events = [
        modified_event(11, 1, 2),
        modified_event(12, 2, 2),
        modified_event(13, 1, 3),
    ];
    let verdict = verdict(&events, &list(13, &[(1, 3), (2, 2)]));
    assert_eq!(verdict.expected, 3);
    assert_eq!(verdict.fault(), None);
}

#[test]
fn a_gap_is_missing_and_the_picture_differs() {
    let events = [modified_event(11, 1, 2), modified_event(13, 1, 3)];
    let verdict = verdict(&events, &list(13, &[(1, 3), (2, 2)]));
    assert_eq!(verdict.missing, [12]);
    let fault = verdict.fault().unwrap();
    assert!(fault.contains("missed events 12"), "{fault}");
    assert!(fault.contains("RO 2 at 1 (the list at 2)"), "{fault}");
}

#[test]
fn a_missing_last_event_is_found() {
    let verdict = verdict(&[modified_event(11, 1, 2)], &list(13, &[(1, 4), (2, 1)]));
    assert_eq!(verdict.missing, [12, 13]);
}

#[test]
fn a_reader_that_received_nothing_misses_everything() {
    let verdict = verdict(&[], &list(12, &[(1, 2), (2, 2)]));
    assert_eq!((verdict.expected, verdict.missing.len()), (2, 2));
}

#[test]
fn a_repeated_event_is_named_and_changes_no_picture() {
    let events = [
        modified_event(11, 1, 2),
        modified_event(12, 2, 2),
        modified_event(11, 1, 2),
    ];
    let verdict = verdict(&events, &list(12, &[(1, 2), (2, 2)]));
    assert_eq!(verdict.repeated, [11]);
    assert_eq!(verdict.fault().unwrap(), "heard again events 11");
}

#[test]
fn an_overtaken_event_is_out_of_order_and_not_missing() {
    let events = [
        modified_event(12, 2, 2),
        modified_event(11, 1, 2),
        modified_event(13, 1, 3),
    ];
    let verdict = verdict(&events, &list(13, &[(1, 3), (2, 2)]));
    assert_eq!(verdict.out_of_order, [11]);
    assert_eq!(verdict.missing, [0; 0]);
    assert_eq!(verdict.repeated, [0; 0]);
    assert_eq!(verdict.fault().unwrap(), "heard out of order events 11");
}

#[test]
fn an_event_from_before_hello_is_out_of_order() {
    let verdict = verdict(&[modified_event(10, 1, 1)], &list(10, &[(1, 1), (2, 1)]));
    assert_eq!(verdict.out_of_order, [10]);
    assert_eq!(verdict.expected, 0);
}

#[test]
fn events_of_other_users_must_arrive_too_and_may_arrive_after_the_end() {
    // 12 and 14 come from unknown writers: an order appears, and one changes after the last list.
    let events = [
        modified_event(11, 1, 2),
        modified_event(12, 3, 1),
        modified_event(13, 2, 2),
    ];
    let end = list(13, &[(1, 2), (2, 2), (3, 1)]);
    assert_eq!(verdict(&events, &end).fault(), None);

    let mut late = Joined::new(true);
    late.hear(&events[..2]);
    late.hearing.hold_back();
    late.hear(&[events[2], modified_event(14, 1, 3)]);
    let late = late.verdict(&end);
    assert_eq!(late.expected, 4);
    assert_eq!(late.fault(), None);

    let skipped = [events.as_slice(), &[modified_event(15, 1, 4)]].concat();
    assert_eq!(verdict(&skipped, &end).missing, [14]);
}

#[test]
fn a_closed_order_leaves_the_picture_for_good() {
    let events = [modified_event(11, 2, 2), closed(12, 2, 3)];
    let closed_list = list(12, &[(1, 1)]);
    assert_eq!(verdict(&events, &closed_list).fault(), None);

    let brought_back = [closed(11, 2, 3), modified_event(12, 2, 2)];
    assert_eq!(verdict(&brought_back, &closed_list).differences, []);
}

#[test]
fn an_order_that_was_not_removed_differs() {
    let verdict = verdict(&[modified_event(11, 1, 2)], &list(11, &[(1, 2)]));
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
    let events = [modified_event(11, 1, 3), modified_event(12, 1, 3)];
    assert_eq!(verdict(&events, &list(12, &[(1, 3), (2, 1)])).fault(), None);
}

#[test]
fn a_resumed_reader_must_have_received_every_event_that_its_hello_covers() {
    let mut joined = Joined::new(true);
    joined.hear(&[modified_event(11, 1, 2)]);
    joined.hearing.promised(11);
    joined.hearing.promised(12);
    joined.hear(&[modified_event(12, 1, 3)]);
    let fault = joined.verdict(&list(12, &[(1, 3), (2, 1)])).fault();
    assert_eq!(fault.unwrap(), "was told too early that it has 12");
}

#[test]
fn a_reader_that_reloads_the_list_need_not_receive_the_events_in_it() {
    let mut joined = Joined::new(true);
    joined.hear(&[modified_event(11, 1, 2)]);
    // 12 to 14 closed RO 2, opened 3 and changed 1; 15 came while the list was being loaded.
    joined.hearing.rejoin(14);
    joined.hear(&[modified_event(15, 3, 2)]);
    joined.load(&list(14, &[(1, 3), (3, 1)]));
    joined.hear(&[modified_event(16, 1, 4)]);
    let verdict = joined.verdict(&list(16, &[(1, 4), (3, 2)]));
    assert_eq!(verdict.expected, 3);
    assert_eq!(verdict.fault(), None);
}

#[test]
fn an_event_missing_before_a_reload_stays_missing() {
    let mut joined = Joined::new(true);
    joined.hear(&[modified_event(12, 2, 2)]);
    joined.hearing.rejoin(14);
    joined.load(&list(14, &[(1, 1), (2, 2)]));
    let verdict = joined.verdict(&list(14, &[(1, 1), (2, 2)]));
    assert_eq!(verdict.fault().unwrap(), "missed events 11");
}

#[test]
fn a_technician_receives_some_sequence_numbers_and_must_receive_their_own_orders() {
    let mut technician = Joined::new(false);
    technician.hear(&[modified_event(12, 1, 2), modified_event(17, 1, 3)]);
    technician.hearing.promised(20);
    let theirs = list(20, &[(1, 3)]);
    assert_eq!(technician.verdict(&theirs).fault(), None);

    let mut behind = Joined::new(false);
    behind.hear(&[modified_event(12, 1, 2)]);
    assert_eq!(behind.verdict(&theirs).differences.len(), 1);
}

#[test]
fn a_lost_connection_is_a_fault() {
    let verdict = Verdict {
        ended: Some("the server closed the connection".to_owned()),
        ..Verdict::default()
    };
    assert_eq!(
        verdict.fault().unwrap(),
        "lost its connection: the server closed the connection"
    );
}
