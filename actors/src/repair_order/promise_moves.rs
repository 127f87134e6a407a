//! How often a promise was moved, and how far, from an order's events. Only files move it: no person can.

use jiff::Timestamp;

use super::Change;

/// The promised time was another one from then on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromiseMove {
    pub from: Timestamp,
    /// None: the promise was taken away.
    pub to: Option<Timestamp>,
}

/// What was promised first, as far as the events go back, and each move since. A time that is named for the first time is
/// no move, and a file that says the same again is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromiseMoves<T> {
    pub first: Option<Timestamp>,
    /// The oldest first, each with what came with its change.
    pub moves: Vec<(PromiseMove, T)>,
}

/// `changes`: of one order, oldest first, each with whatever is to be known of it, such as who made it.
pub fn promise_moves<'a, T>(changes: impl IntoIterator<Item = (T, &'a Change)>) -> PromiseMoves<T> {
    let mut first = None;
    let mut moves = Vec::new();
    for (about, change) in changes {
        match change {
            Change::Created { repair_order } => first = first.or(repair_order.promised_at),
            Change::Imported { fields } => {
                let Some(edit) = &fields.promised_at else {
                    continue;
                };
                match edit.from {
                    Some(from) => {
                        // Where old events were deleted, it is the oldest that is known.
                        first = first.or(Some(from));
                        moves.push((PromiseMove { from, to: edit.to }, about));
                    }
                    None => first = first.or(edit.to),
                }
            }
            _ => {}
        }
    }
    PromiseMoves { first, moves }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::repair_order::{Command, ImportedOrder, RepairOrder, RoNumber, StageRules};

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_second(1_790_000_000 + 60 * minutes).unwrap()
    }

    fn file(promised: Option<i64>) -> ImportedOrder {
        ImportedOrder {
            promised_at: promised.map(at),
            ..ImportedOrder::default()
        }
    }

    /// All that happens to an order which these files are about.
    fn life(files: &[Option<i64>]) -> (RepairOrder, Vec<Change>) {
        let number = RoNumber::try_from(4389).unwrap();
        let mut events = RepairOrder::create(number, &file(files[0]), at(0));
        let mut order = RepairOrder::replay(&events).unwrap();
        for promised in &files[1..] {
            let import = Command::Import(Box::new(file(*promised)));
            let changes = order.decide(&import, &StageRules::default(), at(0));
            for change in changes.unwrap() {
                order.evolve(&change);
                events.push(change);
            }
        }
        (order, events)
    }

    #[test]
    fn a_promise_that_was_moved_twice_is_counted_from_the_first_word() {
        let (_, events) = life(&[None, Some(60), Some(60), Some(90), None, Some(210)]);
        let found = promise_moves(events.iter().enumerate());
        let moves: Vec<_> = found
            .moves
            .iter()
            .map(|(one, place)| (one.from, one.to, *place))
            .collect();
        assert_eq!(found.first, Some(at(60)));
        assert_eq!(
            moves,
            [(at(60), Some(at(90)), 2), (at(90), Some(at(210)), 3)]
        );
    }

    proptest! {
        /// From the first word on, each move begins where the one before ended, and the last ends at what is promised.
        #[test]
        fn moves_lead_from_the_first_promise_to_the_present_one(
            files in prop::collection::vec(prop::option::of(0..4_i64), 1..12),
        ) {
            let (order, events) = life(&files);
            let found = promise_moves(events.iter().map(|change| ((), change)));
            let mut now = found.first;
            for (moved, ()) in &found.moves {
                prop_assert_eq!(now, Some(moved.from));
                prop_assert_ne!(Some(moved.from), moved.to);
                now = moved.to;
            }
            prop_assert_eq!(now, order.promised_at);
            let named: Vec<i64> = files.into_iter().flatten().collect();
            let changes = named.windows(2).filter(|pair| pair[0] != pair[1]).count();
            prop_assert_eq!(found.moves.len(), changes);
        }
    }
}
