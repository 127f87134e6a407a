//! Who has which repair order open. Kept by the broadcaster for as long as their session lives: a
//! tab that dies takes its presence with it.

use std::collections::{BTreeMap, HashMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::broadcaster::SessionId;
use crate::repair_order::RoNumber;

/// Orders one session may have open; one more closes its oldest.
const OPEN_AT_ONCE: usize = 8;

/// Orders one person may have open on all their sessions, of which an account that a shop shares
/// has one a tablet; one more closes the oldest. It bounds the first message of every new session.
const OPEN_PER_PERSON: usize = 32 * OPEN_AT_ONCE;

/// Somebody at an order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Person {
    pub uid: String,
    pub name: String,
}

#[derive(Debug, Default)]
pub struct Presence {
    by_order: BTreeMap<RoNumber, Vec<(SessionId, Person)>>,
    /// What each session has open, the oldest first.
    by_session: HashMap<SessionId, Vec<RoNumber>>,
    /// What each person, by uid, has open and where, the oldest first.
    by_person: HashMap<String, VecDeque<(SessionId, RoNumber)>>,
}

impl Presence {
    /// Gives the orders whose people are others now.
    pub fn open(&mut self, session: SessionId, number: RoNumber, person: Person) -> Vec<RoNumber> {
        let opened = self.by_session.entry(session).or_default();
        if opened.contains(&number) {
            return Vec::new();
        }
        opened.push(number);
        let oldest = (opened.len() > OPEN_AT_ONCE).then(|| (session, opened[0]));
        let mut changed = Vec::new();
        changed.extend(oldest.and_then(|(session, oldest)| self.close(session, oldest)));
        let theirs = self.by_person.entry(person.uid.clone()).or_default();
        theirs.push_back((session, number));
        let oldest = (theirs.len() > OPEN_PER_PERSON).then(|| theirs[0]);
        changed.extend(oldest.and_then(|(session, oldest)| self.close(session, oldest)));
        let before = self.people(number);
        self.by_order
            .entry(number)
            .or_default()
            .push((session, person));
        changed.extend((self.people(number) != before).then_some(number));
        changed
    }

    pub fn close(&mut self, session: SessionId, number: RoNumber) -> Option<RoNumber> {
        let opened = self.by_session.get_mut(&session)?;
        let place = opened.iter().position(|open| *open == number)?;
        opened.remove(place);
        if opened.is_empty() {
            self.by_session.remove(&session);
        }
        self.take_out(session, number).then_some(number)
    }

    /// The session is gone.
    pub fn leave(&mut self, session: SessionId) -> Vec<RoNumber> {
        let opened = self.by_session.remove(&session).unwrap_or_default();
        opened
            .into_iter()
            .filter(|number| self.take_out(session, *number))
            .collect()
    }

    /// Who is at an order, each person once, by name.
    pub fn people(&self, number: RoNumber) -> Vec<Person> {
        let sessions = self.by_order.get(&number).map_or(&[][..], Vec::as_slice);
        let mut people: Vec<Person> = sessions.iter().map(|(_, person)| person.clone()).collect();
        people.sort_by(|a, b| (&a.name, &a.uid).cmp(&(&b.name, &b.uid)));
        people.dedup();
        people
    }

    /// Every session that has an order open.
    pub fn sessions(&self) -> impl Iterator<Item = SessionId> {
        self.by_session.keys().copied()
    }

    /// What a session has open, the oldest first, and whose it is.
    pub fn opened_by(&self, session: SessionId) -> (Option<Person>, Vec<RoNumber>) {
        let opened = self.by_session.get(&session).cloned().unwrap_or_default();
        let first = opened.first().and_then(|number| self.by_order.get(number));
        let theirs = first.and_then(|at| at.iter().find(|(open, _)| *open == session));
        (theirs.map(|(_, person)| person.clone()), opened)
    }

    /// Every order that somebody is at, with its people.
    pub fn orders(&self) -> impl Iterator<Item = (RoNumber, Vec<Person>)> {
        self.by_order
            .keys()
            .map(|number| (*number, self.people(*number)))
    }

    /// True when this changes who is there: somebody may have the order open in two tabs.
    fn take_out(&mut self, session: SessionId, number: RoNumber) -> bool {
        let before = self.people(number);
        if let Some(sessions) = self.by_order.get_mut(&number) {
            if let Some(place) = sessions.iter().position(|(open, _)| *open == session) {
                let uid = sessions.remove(place).1.uid;
                if let Some(theirs) = self.by_person.get_mut(&uid) {
                    theirs.retain(|open| *open != (session, number));
                    if theirs.is_empty() {
                        self.by_person.remove(&uid);
                    }
                }
            }
            if sessions.is_empty() {
                self.by_order.remove(&number);
            }
        }
        self.people(number) != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: i64) -> RoNumber {
        RoNumber::try_from(value).unwrap()
    }

    fn person(name: &str) -> Person {
        Person {
            uid: name.to_lowercase(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn each_viewer_of_an_order_is_announced_once_however_many_tabs_they_have() {
        let mut presence = Presence::default();
        assert_eq!(presence.open(1, number(7), person("Bea")), [number(7)]);
        assert_eq!(presence.open(2, number(7), person("Ann")), [number(7)]);
        assert_eq!(presence.open(3, number(7), person("Bea")), []);
        assert_eq!(presence.open(3, number(7), person("Bea")), []);
        assert_eq!(presence.people(number(7)), [person("Ann"), person("Bea")]);
        assert_eq!(
            presence.close(3, number(7)),
            None,
            "Bea's other tab is there"
        );
        assert_eq!(presence.leave(1), [number(7)]);
        assert_eq!(presence.people(number(7)), [person("Ann")]);
        assert_eq!(presence.close(2, number(7)), Some(number(7)));
        assert_eq!(presence.orders().count(), 0);
        assert_eq!(presence.leave(2), []);
    }

    #[test]
    fn the_open_orders_of_a_session_are_limited() {
        let mut presence = Presence::default();
        for value in 1..=20 {
            presence.open(1, number(value), person("Ann"));
        }
        let first = presence.orders().next();
        assert_eq!(first, Some((number(13), vec![person("Ann")])));
        assert_eq!(presence.orders().count(), OPEN_AT_ONCE);
    }

    #[test]
    fn the_open_orders_of_a_person_are_limited_over_all_their_sessions() {
        let mut presence = Presence::default();
        let count = |presence: &Presence| presence.orders().count();
        for session in 0..100 {
            for order in 0..8 {
                presence.open(
                    session,
                    number(1 + order + 8 * session as i64),
                    person("Ann"),
                );
            }
        }
        assert_eq!(count(&presence), OPEN_PER_PERSON);
        assert_eq!(presence.people(number(544)), [], "the oldest are closed");
        assert_eq!(presence.people(number(545)), [person("Ann")]);

        let ann_moves_on = presence.open(200, number(900), person("Ann"));
        assert_eq!(ann_moves_on, [number(545), number(900)]);
        assert_eq!(
            presence.open(201, number(900), person("Bea")),
            [number(900)]
        );
        assert_eq!(count(&presence), OPEN_PER_PERSON, "Bea has her own");

        for session in 0..=201 {
            presence.leave(session);
        }
        assert_eq!(count(&presence), 0);
        assert!(presence.by_person.is_empty() && presence.by_session.is_empty());
    }
}
