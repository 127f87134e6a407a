use dispatch_actors::repair_order::{Command, ImportedOrder, RoNumber};
use dispatch_actors::store::{Author, Channel};
use proptest::prelude::*;

use super::*;
use crate::technicians::workload::load::tests::plain_order;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// An order and its events, the first of which made it.
struct Life {
    order: RepairOrder,
    events: Vec<Event>,
}

impl Life {
    fn of(order: RepairOrder) -> Self {
        let created = Change::Created {
            repair_order: Box::new(order.clone()),
        };
        let mut life = Self {
            order,
            events: vec![],
        };
        life.add(created);
        life
    }

    fn add(&mut self, change: Change) {
        self.order.evolve(&change);
        let seq = i64::try_from(self.events.len()).unwrap() + 1;
        self.order.version = seq;
        self.events.push(Event {
            seq,
            number: RoNumber::try_from(1).unwrap(),
            version: seq,
            change,
            by: Author {
                uid: "ann".to_owned(),
                name: "Ann".to_owned(),
                channel: Channel::Desk,
            },
            request: None,
            at: at(seq),
        });
    }

    fn give(&mut self, command: &Command) {
        for change in self.order.apply(command).unwrap_or_default() {
            self.add(change);
        }
    }

    /// Since which second those are on it who came with one of the events from `from` on.
    fn came_since(&self, from: usize) -> BTreeMap<TechnicianId, i64> {
        let steps: Vec<Step> = self.events[from..].iter().filter_map(Step::of).collect();
        let since = came_on(&self.order, &steps).into_iter();
        since.map(|(id, at)| (id, at.as_second())).collect()
    }
}

fn assigned(technicians: &[TechnicianId]) -> Vec<AssignedTechnician> {
    let one = |technician: &TechnicianId| AssignedTechnician {
        technician: *technician,
        name: None,
    };
    technicians.iter().map(one).collect()
}

fn import(technicians: &[TechnicianId]) -> Command {
    Command::Import(Box::new(ImportedOrder {
        etl_technicians: Some(assigned(technicians)),
        ..ImportedOrder::default()
    }))
}

fn hand_back(technician: TechnicianId) -> Command {
    Command::HandBack {
        technician,
        reason: "No lift".to_owned(),
    }
}

#[test]
fn who_handed_it_back_is_not_on_it_and_who_came_back_is_since_then() {
    let mut life = Life::of(plain_order(1));
    life.give(&Command::Assign(7));
    life.give(&Command::Assign(8));
    life.give(&hand_back(7));
    assert_eq!(life.came_since(0), BTreeMap::from([(8, 3)]));
    life.give(&Command::Assign(7));
    assert_eq!(life.came_since(0), BTreeMap::from([(7, 5), (8, 3)]));
    life.give(&Command::Reassign { from: 8, to: 9 });
    assert_eq!(life.came_since(0), BTreeMap::from([(7, 5), (9, 7)]));
}

#[test]
fn who_was_on_it_before_is_not_given_it_again_by_the_other_list() {
    let mut order = plain_order(1);
    order.etl_technicians = assigned(&[7]);
    let mut life = Life::of(order);
    life.give(&Command::Assign(7));
    life.give(&import(&[8]));
    // The desk's word kept 7 on it when the dealer's system took it away.
    assert_eq!(life.came_since(0), BTreeMap::from([(7, 1), (8, 3)]));
    assert_eq!(life.came_since(1), BTreeMap::from([(8, 3)]));
}

#[test]
fn an_event_that_the_order_does_not_have_yet_is_left_out() {
    let mut life = Life::of(plain_order(1));
    let before = life.order.clone();
    life.give(&Command::Assign(7));
    life.order = before;
    assert_eq!(life.came_since(0), BTreeMap::new());
}

/// What may happen to the technicians of an order.
fn happening() -> impl Strategy<Value = Command> {
    let one = || 1..5_i64;
    prop_oneof![
        one().prop_map(Command::Assign),
        one().prop_map(Command::Unassign),
        one().prop_map(hand_back),
        (one(), one()).prop_map(|(from, to)| Command::Reassign { from, to }),
        proptest::collection::btree_set(one(), 0..3)
            .prop_map(|some| import(&some.into_iter().collect::<Vec<_>>())),
    ]
}

proptest! {
    #[test]
    fn backwards_and_forwards_are_the_same(
        begins_with in proptest::collection::btree_set(1..5_i64, 0..3),
        happenings in proptest::collection::vec(happening(), 0..12),
        from in any::<prop::sample::Index>(),
    ) {
        let mut order = plain_order(1);
        order.etl_technicians = assigned(&begins_with.into_iter().collect::<Vec<_>>());
        let mut life = Life::of(order);
        for command in &happenings {
            life.give(command);
        }
        let from = from.index(life.events.len());
        // Forwards: who is on it after each event and was not before.
        let mut since: BTreeMap<TechnicianId, i64> = BTreeMap::new();
        let mut on: BTreeSet<TechnicianId> = BTreeSet::new();
        let mut order = plain_order(1);
        for (place, event) in life.events.iter().enumerate() {
            order.evolve(&event.change);
            let now: BTreeSet<TechnicianId> = (1..5).filter(|id| order.has_technician(*id)).collect();
            since.retain(|id, _| now.contains(id));
            if place >= from {
                since.extend(now.difference(&on).map(|id| (*id, event.seq)));
            }
            on = now;
        }
        prop_assert_eq!(life.came_since(from), since);
    }
}
