//! Soft state: what each server of a database says of itself, such as which screens are connected to it. It is written
//! nowhere. The others keep what a server said for as long as they hear that server; one that comes, or that may have
//! missed something, is told all of it again.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;

use super::other_servers::{OtherServers, ServerNotice};

/// Cheap to clone: all clones are one.
#[derive(Clone)]
pub struct SoftState(Arc<Inner>);

struct Inner {
    others: OtherServers,
    topic: &'static str,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    own: BTreeMap<String, String>,
    /// By server.
    elsewhere: HashMap<Arc<str>, HashMap<String, Entry>>,
}

struct Entry {
    value: String,
    /// It was there before the server began to say all, and has not said it again yet.
    is_stale: bool,
}

/// What became of an entry of another server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SoftStateChange {
    /// `is_new`: the server had nothing under this key.
    Set {
        key: String,
        value: String,
        is_new: bool,
    },
    /// The server took it away.
    Removed(String),
    /// The server has not been heard for ten seconds.
    Lost(String),
}

/// What servers say to each other. No data at all asks for everything.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Message {
    /// All of it comes now, until `End`.
    Begin,
    Set(String, String),
    Removed(String),
    End,
}

impl SoftState {
    /// Keys and values are short: one entry is a notice, of less than 7,000 bytes.
    pub fn new(others: &OtherServers, topic: &'static str) -> Self {
        Self(Arc::new(Inner {
            others: others.clone(),
            topic,
            entries: Mutex::default(),
        }))
    }

    /// Says this of this server, in place of what it said under the key before.
    pub fn set(&self, key: &str, value: String) {
        if !self.0.others.may_exist() {
            return;
        }
        let mut entries = self.0.entries();
        if entries.own.get(key) == Some(&value) {
            return;
        }
        entries.own.insert(key.to_owned(), value.clone());
        // Under the lock, so that the others hear it in the order in which it happens.
        self.0.notify(&Message::Set(key.to_owned(), value));
    }

    pub fn remove(&self, key: &str) {
        let mut entries = self.0.entries();
        if entries.own.remove(key).is_some() {
            self.0.notify(&Message::Removed(key.to_owned()));
        }
    }

    /// The keys of what this server says.
    pub fn own_keys(&self) -> Vec<String> {
        self.0.entries().own.keys().cloned().collect()
    }

    /// Whether another server says something under this key.
    pub fn is_elsewhere(&self, key: &str) -> bool {
        let entries = self.0.entries();
        entries.elsewhere.values().any(|of| of.contains_key(key))
    }

    /// What other servers say, in no order: a key is there for each of them that has it.
    pub fn elsewhere(&self) -> Vec<(String, String)> {
        let entries = self.0.entries();
        let all = entries.elsewhere.values().flatten();
        all.map(|(key, entry)| (key.clone(), entry.value.clone()))
            .collect()
    }

    /// Hears the others, and answers them, for as long as the server runs, from this call on. `changed` is called after
    /// each change of theirs.
    pub fn follow(self, changed: impl Fn(SoftStateChange)) -> impl Future<Output = ()> {
        let notices = self.0.others.subscribe();
        // What others said before this call was heard by nobody.
        self.0.ask();
        async move {
            if let Some(mut notices) = notices {
                loop {
                    let notice = match notices.recv().await {
                        Ok(notice) => notice,
                        Err(RecvError::Lagged(_)) => ServerNotice::MaybeMissed,
                        Err(RecvError::Closed) => break,
                    };
                    self.0.apply(&notice).into_iter().for_each(&changed);
                }
            }
            std::future::pending().await
        }
    }
}

impl Inner {
    fn apply(&self, notice: &ServerNotice) -> Vec<SoftStateChange> {
        match notice {
            ServerNotice::Written {
                server,
                topic,
                data,
            } if **topic == *self.topic => match data.as_deref().map(serde_json::from_str) {
                Some(Ok(message)) => self.entries().accept(server, message),
                // Another version may say more.
                Some(Err(_)) => Vec::new(),
                None => {
                    self.say_all();
                    Vec::new()
                }
            },
            ServerNotice::Written { .. } => Vec::new(),
            // One that was silent for a while may have been forgotten here, and us there.
            ServerNotice::Joined(_) => {
                self.say_all();
                self.ask();
                Vec::new()
            }
            ServerNotice::Lost(server) => self.entries().forget(server),
            ServerNotice::MaybeMissed => {
                self.ask();
                // That a server is gone may be among what was missed, and nobody says it again.
                let is_gone = |server: &str| self.others.is_gone(server);
                self.entries().forget_all(is_gone)
            }
        }
    }

    fn ask(&self) {
        self.others.notify(self.topic, "");
    }

    fn say_all(&self) {
        // What is taken away meanwhile is said after it.
        let entries = self.entries();
        self.notify(&Message::Begin);
        for (key, value) in &entries.own {
            self.notify(&Message::Set(key.clone(), value.clone()));
        }
        self.notify(&Message::End);
    }

    fn notify(&self, message: &Message) {
        if let Ok(data) = serde_json::to_string(message) {
            self.others.notify(self.topic, &data);
        }
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    fn accept(&mut self, server: &Arc<str>, message: Message) -> Vec<SoftStateChange> {
        let of = self.elsewhere.entry(Arc::clone(server)).or_default();
        match message {
            Message::Begin => {
                of.values_mut().for_each(|entry| entry.is_stale = true);
                Vec::new()
            }
            Message::Set(key, value) => {
                let entry = Entry {
                    value: value.clone(),
                    is_stale: false,
                };
                let before = of.insert(key.clone(), entry);
                let is_new = before.is_none();
                let is_changed = before.is_none_or(|before| before.value != value);
                let change = SoftStateChange::Set { key, value, is_new };
                is_changed.then_some(change).into_iter().collect()
            }
            Message::Removed(key) => {
                let was_there = of.remove(&key).map(|_| SoftStateChange::Removed(key));
                was_there.into_iter().collect()
            }
            Message::End => {
                let stale = of.extract_if(|_, entry| entry.is_stale);
                stale
                    .map(|(key, _)| SoftStateChange::Removed(key))
                    .collect()
            }
        }
    }

    fn forget_all(&mut self, is_gone: impl Fn(&str) -> bool) -> Vec<SoftStateChange> {
        let servers = self.elsewhere.keys().cloned();
        let gone: Vec<Arc<str>> = servers.filter(|server| is_gone(server)).collect();
        gone.iter().flat_map(|server| self.forget(server)).collect()
    }

    fn forget(&mut self, server: &str) -> Vec<SoftStateChange> {
        let of = self.elsewhere.remove(server).unwrap_or_default();
        of.into_keys().map(SoftStateChange::Lost).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(message: &Message) -> ServerNotice {
        ServerNotice::Written {
            server: "b".into(),
            topic: "screens".into(),
            data: Some(serde_json::to_string(message).unwrap().into()),
        }
    }

    fn set(key: &str, value: &str) -> Message {
        Message::Set(key.to_owned(), value.to_owned())
    }

    fn is_set(key: &str, value: &str, is_new: bool) -> SoftStateChange {
        SoftStateChange::Set {
            key: key.to_owned(),
            value: value.to_owned(),
            is_new,
        }
    }

    #[test]
    fn entries_of_another_server_come_change_and_go_with_it() {
        let state = SoftState::new(&OtherServers::default(), "screens");
        let apply = |notice: &ServerNotice| state.0.apply(notice);
        assert_eq!(apply(&said(&set("one", "1"))), [is_set("one", "1", true)]);
        assert_eq!(apply(&said(&set("one", "1"))), [], "said again");
        assert_eq!(apply(&said(&set("one", "2"))), [is_set("one", "2", false)]);
        assert_eq!(apply(&said(&set("two", "2"))), [is_set("two", "2", true)]);
        assert!(state.is_elsewhere("one") && !state.is_elsewhere("three"));
        let removed = SoftStateChange::Removed("one".to_owned());
        assert_eq!(apply(&said(&Message::Removed("one".to_owned()))), [removed]);
        assert_eq!(state.elsewhere(), [("two".to_owned(), "2".to_owned())]);
        let lost = SoftStateChange::Lost("two".to_owned());
        assert_eq!(apply(&ServerNotice::Lost("b".into())), [lost]);
        assert_eq!(state.elsewhere(), []);
        let elsewhere = ServerNotice::Written {
            server: "b".into(),
            topic: "others".into(),
            data: None,
        };
        assert_eq!(apply(&elsewhere), []);
    }

    #[test]
    fn a_server_whose_end_was_missed_takes_its_entries_along() {
        let state = SoftState::new(&OtherServers::default(), "screens");
        state.0.apply(&said(&set("one", "1")));
        let mut entries = state.0.entries();
        assert_eq!(entries.forget_all(|server| server != "b"), []);
        let lost = SoftStateChange::Lost("one".to_owned());
        assert_eq!(entries.forget_all(|server| server == "b"), [lost]);
        assert_eq!(entries.forget_all(|server| server == "b"), []);
    }

    #[test]
    fn what_was_taken_away_unheard_goes_when_all_was_said_again() {
        let state = SoftState::new(&OtherServers::default(), "screens");
        let apply = |notice: &ServerNotice| state.0.apply(notice);
        apply(&said(&set("one", "1")));
        apply(&said(&set("two", "2")));
        assert_eq!(apply(&ServerNotice::MaybeMissed), []);
        assert_eq!(apply(&said(&Message::Begin)), []);
        assert!(state.is_elsewhere("one"), "until the server has said all");
        apply(&said(&set("two", "2")));
        let removed = SoftStateChange::Removed("one".to_owned());
        assert_eq!(apply(&said(&Message::End)), [removed]);
        assert!(state.is_elsewhere("two"));
    }
}
