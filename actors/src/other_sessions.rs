//! What the servers of one database tell each other of their sessions: who is at which order, and what clients say they
//! did. Each server says what its sessions have open whenever that changes, and all of it to a server that came; what a
//! server said of them goes when it falls silent.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::broadcaster::{Hint, SessionId};
use crate::presence::{Person, Presence};
use crate::repair_order::RoNumber;
use crate::store::{OtherServers, ServerNotice};

/// What other servers hear of people at orders, and of what clients say they did.
const TOPIC: &str = "presence";
const HINT_TOPIC: &str = "hint";

/// Whether the notice matter to the one who knows who is at which order.
pub(crate) fn is_about_people(notice: &ServerNotice) -> bool {
    match notice {
        ServerNotice::Written { topic, .. } => [TOPIC, HINT_TOPIC].contains(&&**topic),
        ServerNotice::Joined(_) | ServerNotice::Lost(_) | ServerNotice::MaybeMissed => true,
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
    numbered: SessionId,
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

    /// Asks the others for all that they have open.
    pub(crate) fn ask(&self) {
        self.others.notify(TOPIC, "");
    }

    pub(crate) fn publish_hint(&self, hint: &Hint) {
        if let Ok(data) = serde_json::to_string(hint) {
            self.others.notify(HINT_TOPIC, &data);
        }
    }

    /// What a client of another server says it did.
    pub(crate) fn hint_in(notice: &ServerNotice) -> Option<Hint> {
        match notice {
            ServerNotice::Written { topic, data, .. } if **topic == *HINT_TOPIC => {
                serde_json::from_str(data.as_deref()?).ok()
            }
            _ => None,
        }
    }

    /// Tells the others what a session of this server has open now.
    pub(crate) fn publish(&self, presence: &Presence, session: SessionId) {
        if !self.others.may_exist() {
            return;
        }
        let (person, orders) = presence.opened_by(session);
        let (uid, name) = person.map_or_else(Default::default, |person| (person.uid, person.name));
        let opened = SessionPresence {
            session,
            orders: orders.into_iter().map(RoNumber::get).collect(),
            uid,
            name,
        };
        if let Ok(data) = serde_json::to_string(&opened) {
            self.others.notify(TOPIC, &data);
        }
    }

    /// Takes what was heard into account, and gives the orders whose people are others now.
    pub(crate) fn apply(
        &mut self,
        presence: &mut Presence,
        notice: &ServerNotice,
    ) -> Vec<RoNumber> {
        match notice {
            ServerNotice::Written {
                server,
                topic,
                data,
            } if **topic == *TOPIC => match data.as_deref().map(serde_json::from_str) {
                Some(Ok(opened)) => self.apply_session(presence, server, opened),
                // Somebody missed something and asks for all.
                _ => {
                    self.publish_all(presence);
                    Vec::new()
                }
            },
            ServerNotice::Written { .. } => Vec::new(),
            // One that was silent for a while may have been forgotten here, and us there.
            ServerNotice::Joined(_) => {
                self.publish_all(presence);
                self.ask();
                Vec::new()
            }
            ServerNotice::Lost(server) => self.forget(presence, server),
            ServerNotice::MaybeMissed => {
                let servers: Vec<Arc<str>> = self.sessions.keys().cloned().collect();
                let forgotten = servers.iter();
                let changed = forgotten.flat_map(|server| self.forget(presence, server));
                let changed = changed.collect();
                self.ask();
                changed
            }
        }
    }

    fn publish_all(&self, presence: &Presence) {
        let own = presence
            .sessions()
            .filter(|session| !self.is_of_another_server(*session));
        for session in own {
            self.publish(presence, session);
        }
    }

    fn is_of_another_server(&self, session: SessionId) -> bool {
        session > SessionId::MAX - self.numbered
    }

    fn apply_session(
        &mut self,
        presence: &mut Presence,
        server: &Arc<str>,
        opened: SessionPresence,
    ) -> Vec<RoNumber> {
        let sessions = self.sessions.entry(Arc::clone(server)).or_default();
        let session = *sessions.entry(opened.session).or_insert_with(|| {
            self.numbered += 1;
            SessionId::MAX - self.numbered + 1
        });
        let person = Person {
            uid: opened.uid,
            name: opened.name,
        };
        let orders: Vec<RoNumber> = opened
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
            sessions.remove(&opened.session);
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

    fn notice_of(session: SessionId, orders: &[i64], name: &str) -> ServerNotice {
        let opened = SessionPresence {
            session,
            orders: orders.to_vec(),
            uid: name.to_lowercase(),
            name: name.to_owned(),
        };
        ServerNotice::Written {
            server: "b".into(),
            topic: TOPIC.into(),
            data: Some(serde_json::to_string(&opened).unwrap().into()),
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
        let mut apply = |notice: &ServerNotice| numbers(&others.apply(&mut presence, notice));
        assert_eq!(apply(&notice_of(1, &[7, 8], "Bea")), [7, 8]);
        assert_eq!(
            apply(&notice_of(1, &[7, 8], "Bea")),
            [0_i64; 0],
            "said again"
        );
        assert_eq!(apply(&notice_of(1, &[8, 9], "Bea")), [7, 9]);
        assert_eq!(apply(&notice_of(2, &[9], "Cem")), [9]);
        assert_eq!(apply(&notice_of(2, &[], "")), [9], "the session ended");
        let mut gone = apply(&ServerNotice::Lost("b".into()));
        gone.sort_unstable();
        assert_eq!(gone, [8, 9]);
        assert_eq!(presence.people(seven), [ann]);
        assert_eq!(presence.orders().count(), 1);
    }

    #[test]
    fn what_may_have_changed_unheard_is_forgotten_until_it_is_said_again() {
        let (mut others, mut presence) = (OtherSessions::default(), Presence::default());
        others.apply(&mut presence, &notice_of(1, &[7], "Bea"));
        assert_eq!(
            numbers(&others.apply(&mut presence, &ServerNotice::MaybeMissed)),
            [7]
        );
        assert_eq!(presence.orders().count(), 0);
        assert_eq!(
            numbers(&others.apply(&mut presence, &notice_of(1, &[7], "Bea"))),
            [7]
        );
    }
}
