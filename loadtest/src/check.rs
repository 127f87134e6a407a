//! The convergence check: did a reader get every event once and in order, and does it end with the
//! server's picture? Pure.

use std::collections::{HashMap, HashSet};

use dispatch_actors::store::Seq;

use crate::api::Row;
use crate::reader::{Record, Seen};

/// What is wrong with one reader; all empty when nothing is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    pub missing: Vec<Seq>,
    pub repeated: Vec<Seq>,
    /// Events that came after one with a higher number.
    pub out_of_order: Vec<Seq>,
    /// Orders that the reader shows otherwise than the server.
    pub differing: Vec<i64>,
    pub disconnected: bool,
}

impl Faults {
    pub fn is_sound(&self) -> bool {
        *self == Self::default()
    }
}

pub type Picture = HashMap<i64, i64>;

/// RO number to version, of the open orders.
pub fn picture(rows: &[Row]) -> Picture {
    rows.iter()
        .map(|row| (row.repair_order_number, row.version))
        .collect()
}

/// Checks one reader against the log's numbers up to `top`, which `last` is true for. `first` is a
/// list that was loaded after the reader's hello; every number is dense, whoever made the change.
pub fn check(record: &Record, first: &Picture, last: &Picture, top: Seq) -> Faults {
    let mut faults = Faults {
        disconnected: record.disconnected,
        ..Faults::default()
    };
    let mut seen = HashSet::new();
    let mut highest = record.hello;
    for event in &record.seen {
        if !seen.insert(event.seq) {
            faults.repeated.push(event.seq);
        } else if event.seq < highest {
            faults.out_of_order.push(event.seq);
        }
        highest = highest.max(event.seq);
    }
    faults.missing = (record.hello + 1..=top)
        .filter(|seq| !seen.contains(seq))
        .collect();

    let shown = land(first, record.seen.iter().filter(|event| event.seq <= top));
    faults.differing = shown
        .keys()
        .chain(last.keys())
        .filter(|number| shown.get(number) != last.get(number))
        .copied()
        .collect();
    faults.differing.sort_unstable();
    faults.differing.dedup();
    faults
}

/// The list with events landed on it: the higher version wins, and what left the list is gone.
fn land<'a>(first: &Picture, events: impl Iterator<Item = &'a Seen>) -> Picture {
    let mut shown = first.clone();
    for event in events {
        match event.version {
            None => {
                shown.remove(&event.number);
            }
            Some(version) => {
                // An order of the list is as new as the list; one that is not in it arrived later.
                let known = shown.entry(event.number).or_insert(version);
                *known = version.max(*known);
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(seq: Seq, number: i64, version: Option<i64>) -> Seen {
        Seen {
            seq,
            number,
            version,
            decided_us: 0,
            arrived_us: 0,
        }
    }

    fn record(seen: Vec<Seen>) -> Record {
        Record {
            hello: 10,
            seen,
            disconnected: false,
        }
    }

    fn pictures(first: &[(i64, i64)], last: &[(i64, i64)]) -> (Picture, Picture) {
        (
            first.iter().copied().collect(),
            last.iter().copied().collect(),
        )
    }

    #[test]
    fn every_event_once_and_in_order_is_sound() {
        let (first, last) = pictures(&[(1, 1), (2, 1)], &[(1, 3), (2, 2)]);
        let record = record(vec![
            seen(11, 1, Some(3)),
            seen(12, 1, Some(3)),
            seen(13, 2, Some(2)),
        ]);
        assert!(check(&record, &first, &last, 13).is_sound());
    }

    #[test]
    fn a_missing_event_is_named() {
        let (first, last) = pictures(&[(1, 1)], &[(1, 3)]);
        let record = record(vec![seen(11, 1, Some(2)), seen(13, 1, Some(3))]);
        assert_eq!(check(&record, &first, &last, 14).missing, [12, 14]);
    }

    #[test]
    fn a_repeated_event_is_named() {
        let (first, last) = pictures(&[(1, 1)], &[(1, 2)]);
        let record = record(vec![seen(11, 1, Some(2)), seen(11, 1, Some(2))]);
        assert_eq!(check(&record, &first, &last, 11).repeated, [11]);
    }

    #[test]
    fn an_event_that_is_overtaken_is_named() {
        let (first, last) = pictures(&[(1, 1)], &[(1, 3)]);
        let record = record(vec![seen(12, 1, Some(3)), seen(11, 1, Some(2))]);
        let faults = check(&record, &first, &last, 12);
        assert_eq!(faults.out_of_order, [11]);
        assert!(faults.missing.is_empty() && faults.differing.is_empty());
    }

    #[test]
    fn events_after_the_last_list_do_not_count_against_it() {
        let (first, last) = pictures(&[(1, 1)], &[(1, 2)]);
        let record = record(vec![seen(11, 1, Some(2)), seen(12, 1, Some(3))]);
        assert!(check(&record, &first, &last, 11).is_sound());
    }

    #[test]
    fn an_order_that_was_closed_is_gone_and_one_that_arrived_is_there() {
        let (first, last) = pictures(&[(1, 1)], &[(2, 1)]);
        let record = record(vec![seen(11, 2, Some(1)), seen(12, 1, None)]);
        assert!(check(&record, &first, &last, 12).is_sound());
    }

    #[test]
    fn a_picture_that_differs_is_named() {
        let (first, last) = pictures(&[(1, 1), (2, 1), (3, 1)], &[(1, 2), (3, 1), (4, 1)]);
        let record = record(vec![seen(11, 1, Some(3))]);
        assert_eq!(check(&record, &first, &last, 11).differing, [1, 2, 4]);
    }

    #[test]
    fn a_reader_that_was_cut_is_not_sound() {
        let cut = Record {
            disconnected: true,
            hello: 10,
            seen: vec![],
        };
        assert!(!check(&cut, &Picture::new(), &Picture::new(), 10).is_sound());
    }
}
