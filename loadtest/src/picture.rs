//! What a reader has on its screen: of each repair order the version, and whether it is open. Four
//! bytes an order, so that ten thousand screens fit in memory.

use std::collections::HashMap;

use crate::order::List;

/// Where each order is in the pictures; one for all readers of a run.
#[derive(Debug, Default)]
pub struct Places {
    of: HashMap<i64, usize>,
    numbers: Vec<i64>,
}

impl Places {
    pub fn of(&mut self, number: i64) -> usize {
        *self.of.entry(number).or_insert_with(|| {
            self.numbers.push(number);
            self.numbers.len() - 1
        })
    }

    /// Those that any reader has received.
    pub fn numbers(&self) -> &[i64] {
        &self.numbers
    }
}

#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The version; negative for an order that was closed with it, zero for one not known.
    card: Vec<i32>,
}

/// An order that a reader has otherwise than the list: at which version, if at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub number: i64,
    pub reader: Option<i64>,
    pub list: Option<i64>,
}

impl Picture {
    /// The higher version wins, whatever brought it; a closed order stays known by its own, so that
    /// nothing older brings it back.
    pub fn land(&mut self, place: usize, version: i64, open: bool) {
        if place >= self.card.len() {
            self.card.resize(place + 1, 0);
        }
        let version = i32::try_from(version).unwrap_or(i32::MAX);
        let card = &mut self.card[place];
        if version > card.abs() {
            *card = if open { version } else { -version };
        }
    }

    pub fn land_list(&mut self, list: &List, places: &mut Places) {
        for order in list.orders.values() {
            self.land(places.of(order.number), order.version, true);
        }
    }

    /// For a reader that is about to load the list anew.
    pub fn forget(&mut self) {
        self.card.clear();
    }

    /// The version of an open order.
    pub fn open_at(&self, place: usize) -> Option<i64> {
        match self.card.get(place) {
            Some(version @ 1..) => Some(i64::from(*version)),
            _ => None,
        }
    }

    /// Against `list`; only of the orders in it, for a reader who does not receive others.
    pub fn differences(&self, list: &List, places: &Places, others_too: bool) -> Vec<Difference> {
        let open = |place: usize| self.open_at(place);
        let listed = list.orders.values().map(|order| {
            let place = places.of.get(&order.number);
            Difference {
                number: order.number,
                reader: place.and_then(|place| open(*place)),
                list: Some(order.version),
            }
        });
        let unlisted = places.numbers.iter().enumerate();
        let unlisted = unlisted
            .filter(|(_, number)| others_too && !list.orders.contains_key(number))
            .map(|(place, number)| Difference {
                number: *number,
                reader: open(place),
                list: None,
            });
        let mut differences: Vec<Difference> = listed
            .chain(unlisted)
            .filter(|difference| difference.reader != difference.list)
            .collect();
        differences.sort_unstable_by_key(|difference| difference.number);
        differences
    }
}
