//! What the servers of one database tell each other of their sessions: who is at which order, and what clients say they
//! did. Each server says what its sessions have open whenever that changes, and all of it to a server that came; what a
//! server said of them goes when it falls silent.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::broadcaster::{Hint, SessionId};
use crate::presence::{Person, Presence};
use crate::repair_order::RoNumber;
use crate::store::{News, OtherServers};

/// What other servers hear of people at orders, and of what clients say they did.
const TOPIC: &str = "presence";
const HINT_TOPIC: &str = "hint";

/// Whether the news matter to the one who knows who is at which order.
pub(crate) fn is_about_people(news: &News) -> bool {
    match news {
        News::Said { topic, .. } => [TOPIC, HINT_TOPIC].contains(&&**topic),
        News::Came(_) | News::Gone(_) | News::Missed => true,
    }
}

/// All that a session has open: said again it changes nothing.
#[derive(Serialize, Deserialize)]
struct SessionPresence {
    session: SessionId,
    orders: Vec<i64>,
    uid: String,
    name: String,
}

#[derive(Default)]
pub(crate) struct OtherSessions {
    others: OtherServers,
    /// Sessions of other servers, by server and their number there, with their number here.
    sessions: HashMap<Arc<str>, HashMap<SessionId, SessionId>>,
    /// Numbers given to them, counted down from the highest: this server's own count up.
    given: SessionId,
}

impl OtherSessions {
    pub(crate) fn new(others: OtherServers) -> Self {
        Self {
            others,
            ..Self::default()
        }
    }

    pub(crate) fn others(&self) -> &OtherServers {
        &self.others
    }

    pub(crate) fn say_hint(&self, hint: &Hint) {
        if let Ok(data) = serde_json::to_string(hint) {
            self.others.say(HINT_TOPIC, &data);
        }
    }

    /// What a client of another server says it did.
    pub(crate) fn hint_in(news: &News) -> Option<Hint> {
        match news {
            News::Said { topic, data, .. } if **topic == *HINT_TOPIC => {
                serde_json::from_str(data.as_deref()?).ok()
            }
            _ => None,
        }
    }

    /// Tells the others what a session of this server has open now.
    pub(crate) fn say(&self, presence: &Presence, session: SessionId) {
        if !self.others.are_possible() {
            return;
        }
        let (person, orders) = presence.opened_by(session);
        let (uid, name) = person.map_or_else(Default::default, |person| (person.uid, person.name));
        let said = SessionPresence {
            session,
            orders: orders.into_iter().map(RoNumber::get).collect(),
            uid,
            name,
        };
        if let Ok(data) = serde_json::to_string(&said) {
            self.others.say(TOPIC, &data);
        }
    }

    /// Takes what was heard into account, and gives the orders whose people are others now.
    pub(crate) fn hear(&mut self, presence: &mut Presence, news: &News) -> Vec<RoNumber> {
        match news {
            News::Said {
                server,
                topic,
                data,
            } if **topic == *TOPIC => match data.as_deref().map(serde_json::from_str) {
                Some(Ok(said)) => self.land(presence, server, said),
                // Somebody missed something and asks for all.
                _ => {
                    self.say_all(presence);
                    Vec::new()
                }
            },
            News::Said { .. } => Vec::new(),
            // One that was silent for a while may have been forgotten here, and us there.
            News::Came(_) => {
                self.say_all(presence);
                self.others.say(TOPIC, "");
                Vec::new()
            }
            News::Gone(server) => self.forget(presence, server),
            News::Missed => {
                let servers: Vec<Arc<str>> = self.sessions.keys().cloned().collect();
                let forgotten = servers.iter();
                let changed = forgotten.flat_map(|server| self.forget(presence, server));
                let changed = changed.collect();
                self.others.say(TOPIC, "");
                changed
            }
        }
    }

    fn say_all(&self, presence: &Presence) {
        let own = presence
            .sessions()
            .filter(|session| !self.is_given(*session));
        for session in own {
            self.say(presence, session);
        }
    }

    fn is_given(&self, session: SessionId) -> bool {
        session > SessionId::MAX - self.given
    }

    fn land(
        &mut self,
        presence: &mut Presence,
        server: &Arc<str>,
        said: SessionPresence,
    ) -> Vec<RoNumber> {
        let sessions = self.sessions.entry(Arc::clone(server)).or_default();
        let session = *sessions.entry(said.session).or_insert_with(|| {
            self.given += 1;
            SessionId::MAX - self.given + 1
        });
        let person = Person {
            uid: said.uid,
            name: said.name,
        };
        let orders: Vec<RoNumber> = said
            .orders
            .into_iter()
            .filter_map(|number| RoNumber::try_from(number).ok())
            .collect();
        let (_, before) = presence.opened_by(session);
        let closed = before.iter().filter(|number| !orders.contains(number));
        let mut changed: Vec<RoNumber> = closed
            .filter_map(|number| presence.close(session, *number))
            .collect();
        for number in &orders {
            changed.extend(presence.open(session, *number, person.clone()));
        }
        if orders.is_empty() {
            sessions.remove(&said.session);
        }
        changed
    }

    fn forget(&mut self, presence: &mut Presence, server: &str) -> Vec<RoNumber> {
        let sessions = self.sessions.remove(server).unwrap_or_default();
        let sessions = sessions.into_values();
        sessions
            .flat_map(|session| presence.leave(session))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(session: SessionId, orders: &[i64], name: &str) -> News {
        let said = SessionPresence {
            session,
            orders: orders.to_vec(),
            uid: name.to_lowercase(),
            name: name.to_owned(),
        };
        News::Said {
            server: "b".into(),
            topic: TOPIC.into(),
            data: Some(serde_json::to_string(&said).unwrap().into()),
        }
    }

    fn numbers(changed: &[RoNumber]) -> Vec<i64> {
        changed.iter().map(|number| number.get()).collect()
    }

    #[test]
    fn people_of_other_servers_come_move_on_and_go_with_their_server() {
        let (mut others, mut presence) = (OtherSessions::default(), Presence::default());
        let ann = Person {
            uid: "ann".to_owned(),
            name: "Ann".to_owned(),
        };
        let seven = RoNumber::try_from(7).unwrap();
        presence.open(1, seven, ann.clone());
        // The same number as one of our own sessions has.
        let mut hear = |news: &News| numbers(&others.hear(&mut presence, news));
        assert_eq!(hear(&said(1, &[7, 8], "Bea")), [7, 8]);
        assert_eq!(hear(&said(1, &[7, 8], "Bea")), [0_i64; 0], "said again");
        assert_eq!(hear(&said(1, &[8, 9], "Bea")), [7, 9]);
        assert_eq!(hear(&said(2, &[9], "Cem")), [9]);
        assert_eq!(hear(&said(2, &[], "")), [9], "the session ended");
        let mut gone = hear(&News::Gone("b".into()));
        gone.sort_unstable();
        assert_eq!(gone, [8, 9]);
        assert_eq!(presence.people(seven), [ann]);
        assert_eq!(presence.orders().count(), 1);
    }

    #[test]
    fn what_may_have_changed_unheard_is_forgotten_until_it_is_said_again() {
        let (mut others, mut presence) = (OtherSessions::default(), Presence::default());
        others.hear(&mut presence, &said(1, &[7], "Bea"));
        assert_eq!(numbers(&others.hear(&mut presence, &News::Missed)), [7]);
        assert_eq!(presence.orders().count(), 0);
        assert_eq!(
            numbers(&others.hear(&mut presence, &said(1, &[7], "Bea"))),
            [7]
        );
    }
}
