//! What becomes of receipts by what happens to orders, decided without IO: the rows of the orders
//! that are concerned go in, and the book knows which of them have changed.

use std::collections::{BTreeMap, BTreeSet};

use dispatch_actors::repair_order::{Change, TechnicianId};
use dispatch_actors::store::{Channel, Event, Seq};

use super::store::Row;

/// Whose assignment to which order.
pub type Key = (i64, TechnicianId);

#[derive(Default)]
pub struct ReceiptBook {
    rows: BTreeMap<Key, Row>,
    changed: BTreeSet<Key>,
    /// Receipts that began, by the number of their event.
    pub begun: Vec<(Key, Seq)>,
    /// Receipts of sent assignments that somebody other than the technician has ended since.
    pub taken_away: Vec<Key>,
}

/// What a technician's screen or a push service says of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    Sent,
    Delivered,
    Seen,
    Accepted,
}

/// Which of a technician's assignments are meant.
#[derive(Clone, Copy, Debug)]
pub enum AssignmentSelector {
    Order(i64),
    /// The assignments made by the events of this range.
    Events(Seq, Seq),
}

impl ReceiptBook {
    pub fn new(rows: impl IntoIterator<Item = Row>) -> Self {
        Self {
            rows: rows.into_iter().map(|row| (row.key(), row)).collect(),
            ..Self::default()
        }
    }

    /// `listens`: whether a screen of the technician is open, which has received it already.
    pub fn take(&mut self, event: &Event, listens: impl Fn(TechnicianId) -> bool) {
        let number = event.number.get();
        match &event.change {
            // What the dealer's system brings is not the desk's word.
            Change::TechnicianAssigned { .. } if event.by.channel == Channel::Import => {}
            Change::TechnicianAssigned { technician, .. } => {
                let given_again: Vec<Key> = self
                    .rows
                    .range((number, TechnicianId::MIN)..=(number, TechnicianId::MAX))
                    .filter(|(_, row)| row.handed_back_at.is_some())
                    .map(|(key, _)| *key)
                    .collect();
                for key in given_again {
                    self.end(key);
                }
                let mut row = Row::begun(event, *technician);
                row.sent_at = listens(*technician).then_some(row.assigned_at);
                self.begun.push((row.key(), row.seq));
                self.put(row);
            }
            Change::TechnicianUnassigned {
                technician,
                reason: None,
                ..
            } => {
                let key = (number, *technician);
                if let Some(row) = self.end(key)
                    && row.sent_at.is_some()
                {
                    self.taken_away.push(key);
                }
            }
            Change::TechnicianUnassigned {
                technician,
                reason: Some(reason),
                ..
            } => {
                let kept = self.rows.get(&(number, *technician)).cloned();
                // An imported assignment has none.
                let mut row = kept.unwrap_or_else(|| Row::begun(event, *technician));
                row.handed_back_at = Some(event.at.as_millisecond());
                row.reason = Some(reason.clone());
                self.put(row);
            }
            _ => {}
        }
    }

    /// Says how far the news of assignments has come, and gives their receipts as they are then. What
    /// was reached before stays as it is; a stage implies those before it.
    pub fn reach(
        &mut self,
        technician: TechnicianId,
        meant: AssignmentSelector,
        reached: Reached,
        now: i64,
    ) -> Vec<Row> {
        let is_meant = |row: &Row| {
            row.technician == technician
                && row.handed_back_at.is_none()
                && match meant {
                    AssignmentSelector::Order(number) => row.ro_number == number,
                    AssignmentSelector::Events(first, last) => (first..=last).contains(&row.seq),
                }
        };
        let meant: Vec<Row> = self
            .rows
            .values()
            .filter(|row| is_meant(row))
            .cloned()
            .collect();
        let reach = |mut row: Row| {
            for (stage, at) in [
                (Reached::Sent, &mut row.sent_at),
                (Reached::Delivered, &mut row.delivered_at),
                (Reached::Seen, &mut row.seen_at),
                (Reached::Accepted, &mut row.accepted_at),
            ] {
                if reached >= stage {
                    at.get_or_insert(now);
                }
            }
            if self.rows.get(&row.key()) != Some(&row) {
                self.put(row.clone());
            }
            row
        };
        meant.into_iter().map(reach).collect()
    }

    /// Whose receipts began, ended or changed.
    pub fn changed(&self) -> impl Iterator<Item = Key> {
        self.changed.iter().copied()
    }

    /// The receipts that began or changed, as they are now.
    pub fn written(&self) -> impl Iterator<Item = &Row> {
        self.changed.iter().filter_map(|key| self.rows.get(key))
    }

    fn put(&mut self, row: Row) {
        self.changed.insert(row.key());
        self.rows.insert(row.key(), row);
    }

    fn end(&mut self, key: Key) -> Option<Row> {
        let row = self.rows.remove(&key)?;
        self.changed.insert(key);
        self.begun.retain(|(begun, _)| *begun != key);
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use dispatch_actors::repair_order::RoNumber;
    use dispatch_actors::store::Author;
    use jiff::Timestamp;

    use super::*;

    fn event(seq: Seq, number: i64, change: Change) -> Event {
        Event {
            seq,
            number: RoNumber::try_from(number).unwrap(),
            version: seq,
            change,
            by: Author {
                uid: "ann".to_owned(),
                name: "Ann".to_owned(),
                channel: Channel::Desk,
            },
            request: None,
            at: Timestamp::from_millisecond(seq * 1_000).unwrap(),
        }
    }

    fn assigned(seq: Seq, number: i64, technician: TechnicianId) -> Event {
        let change = Change::TechnicianAssigned {
            technician,
            name: None,
            place: None,
        };
        event(seq, number, change)
    }

    fn unassigned(seq: Seq, number: i64, technician: TechnicianId, reason: Option<&str>) -> Event {
        let change = Change::TechnicianUnassigned {
            technician,
            name: None,
            place: None,
            reason: reason.map(str::to_owned),
        };
        event(seq, number, change)
    }

    /// Of these events, where no screen is open.
    fn book(events: &[Event]) -> ReceiptBook {
        let mut book = ReceiptBook::default();
        for event in events {
            book.take(event, |_| false);
        }
        book
    }

    fn keys(book: &ReceiptBook) -> Vec<(Key, Seq)> {
        book.written().map(|row| (row.key(), row.seq)).collect()
    }

    #[test]
    fn an_assignment_begins_a_receipt_and_its_end_ends_it() {
        let begun = book(&[assigned(1, 5, 11), assigned(2, 5, 12)]);
        assert_eq!(keys(&begun), [((5, 11), 1), ((5, 12), 2)]);
        let ended = book(&[assigned(1, 5, 11), unassigned(2, 5, 11, None)]);
        assert_eq!(keys(&ended), []);
        assert_eq!(ended.changed().collect::<Vec<_>>(), [(5, 11)]);
        assert_eq!(ended.begun, [], "nobody is to be told of it any more");
        assert_eq!(ended.taken_away, [], "they were never told");
    }

    #[test]
    fn a_technician_who_is_assigned_again_has_a_new_receipt() {
        let mut first = book(&[assigned(1, 5, 11)]);
        first.reach(11, AssignmentSelector::Order(5), Reached::Accepted, 1_500);
        first.take(&unassigned(2, 5, 11, None), |_| false);
        first.take(&assigned(3, 5, 11), |_| true);
        let row = first.written().next().unwrap();
        assert_eq!((row.seq, row.accepted_at, row.seen_at), (3, None, None));
        assert_eq!(row.sent_at, Some(3_000), "a screen was open");
        assert_eq!(first.taken_away, [(5, 11)]);
    }

    #[test]
    fn a_stage_implies_those_before_it_and_is_reached_once() {
        let mut book = book(&[assigned(1, 5, 11)]);
        let rows = book.reach(11, AssignmentSelector::Order(5), Reached::Seen, 2_000);
        assert_eq!(rows[0].sent_at, Some(2_000));
        assert_eq!(rows[0].delivered_at, Some(2_000));
        assert_eq!((rows[0].seen_at, rows[0].accepted_at), (Some(2_000), None));
        let later = book.reach(11, AssignmentSelector::Order(5), Reached::Delivered, 3_000);
        assert_eq!(later, rows);
        let accepted = book.reach(11, AssignmentSelector::Order(5), Reached::Accepted, 4_000);
        assert_eq!(accepted[0].seen_at, Some(2_000));
        assert_eq!(accepted[0].accepted_at, Some(4_000));
        assert!(
            book.reach(12, AssignmentSelector::Order(5), Reached::Seen, 1)
                .is_empty()
        );
        assert!(
            book.reach(11, AssignmentSelector::Order(6), Reached::Seen, 1)
                .is_empty()
        );
    }

    #[test]
    fn an_order_handed_back_keeps_its_reason_until_the_next_assignment() {
        let mut book = book(&[
            assigned(1, 5, 11),
            assigned(2, 6, 11),
            unassigned(3, 5, 11, Some("Wrong bay")),
        ]);
        let kept = book.written().next().unwrap().clone();
        assert_eq!((kept.seq, kept.handed_back_at), (1, Some(3_000)));
        assert_eq!(kept.reason.as_deref(), Some("Wrong bay"));
        assert!(
            book.reach(11, AssignmentSelector::Order(5), Reached::Seen, 1)
                .is_empty(),
            "it is not theirs any more"
        );
        book.take(&assigned(4, 6, 12), |_| false);
        assert_eq!(keys(&book).len(), 3, "another order's");
        book.take(&assigned(5, 5, 12), |_| false);
        assert_eq!(keys(&book), [((5, 12), 5), ((6, 11), 2), ((6, 12), 4)]);
    }

    #[test]
    fn handing_back_an_imported_assignment_is_recorded_too() {
        let book = book(&[unassigned(3, 5, 11, Some("Wrong bay"))]);
        let row = book.written().next().unwrap();
        assert_eq!((row.key(), row.handed_back_at), ((5, 11), Some(3_000)));
        assert_eq!(book.begun, []);
    }

    #[test]
    fn a_range_of_events_belongs_to_one_technician() {
        let mut book = book(&[assigned(1, 5, 11), assigned(2, 6, 12), assigned(3, 7, 11)]);
        let rows = book.reach(11, AssignmentSelector::Events(1, 3), Reached::Sent, 9);
        let numbers: Vec<i64> = rows.iter().map(|row| row.ro_number).collect();
        assert_eq!(numbers, [5, 7]);
    }
}
