//! Limits that all servers of a database have together. What a server lets through it tells the others, who count it
//! as if it had been tried there; what it gives back they give back, too. A key is a hash under a secret of the
//! database, so that no email and no address travels.
//!
//! All servers together let through what one would, and what the others have not heard of yet: what was tried in the
//! moment of [`GATHER_INTERVAL`] and a notice's way. A server counts nothing of what was said while it was not there
//! or could not hear.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dispatch_actors::store::{OtherServers, Store};
use hmac::{Hmac, Mac};
use sea_orm::DbErr;
use sha2::Sha256;
use tokio::sync::Notify;

use super::limit::{Limit, Tiered, Tiers};
use crate::identity::sessions::id_tokens::random_bytes;
use crate::settings;

const KEY_NAME: &str = "attempt-key";

/// What other servers hear.
const TOPIC: &str = "attempts";

/// From one message to the next: the first try is told at once, and those of a flood together.
const GATHER_INTERVAL: Duration = Duration::from_millis(20);

/// Bytes of a message, of which a notice takes less than 7,000.
const MAX_MESSAGE: usize = 6_000;

/// Changes that wait to be told; more of them would be a flood that no notice keeps up with.
const MAX_UNSENT: usize = 50_000;

/// Cheap to clone: all clones are one.
#[derive(Clone)]
pub(crate) struct SharedLimits(Arc<Inner>);

struct Inner {
    key: Hmac<Sha256>,
    has_others: bool,
    others: OtherServers,
    limits: Mutex<HashMap<&'static str, Arc<Tiered>>>,
    unsent: Arc<Unsent>,
}

#[derive(Default)]
struct Unsent {
    changes: Mutex<Vec<String>>,
    has_changes: Notify,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttemptChange {
    Counted,
    Refunded,
}

impl AttemptChange {
    fn sign(self) -> char {
        match self {
            Self::Counted => '+',
            Self::Refunded => '-',
        }
    }
}

/// Tells other servers what one limit counts here.
pub(super) struct SharedCounter {
    name: &'static str,
    unsent: Arc<Unsent>,
}

impl SharedCounter {
    pub(super) fn publish(&self, key: u64, change: AttemptChange) {
        let mut changes = lock(&self.unsent.changes);
        if changes.len() < MAX_UNSENT {
            changes.push(format!("{}{}:{key:x}", change.sign(), self.name));
        }
        drop(changes);
        self.unsent.has_changes.notify_one();
    }
}

impl SharedLimits {
    /// With the database's secret, made when there is none.
    pub(crate) async fn open(store: &Store) -> Result<Self, DbErr> {
        let fresh = URL_SAFE_NO_PAD.encode(random_bytes());
        let kept = settings::get_or_set(store, KEY_NAME, fresh).await?;
        let others = store.others().clone();
        Ok(Self::new(kept.as_bytes(), others.may_exist(), others))
    }

    fn new(key: &[u8], has_others: bool, others: OtherServers) -> Self {
        // HMAC takes a key of any length.
        let key = Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()));
        Self(Arc::new(Inner {
            key,
            has_others,
            others,
            limits: Mutex::default(),
            unsent: Arc::default(),
        }))
    }

    /// Of a server that is alone.
    #[cfg(test)]
    pub(crate) fn of_test() -> Self {
        Self::new(b"key", false, OtherServers::default())
    }

    /// A limit of all servers. `name`: the same on all of them, and no other limit's. `raised`: so many at once at
    /// least, for measuring.
    pub(crate) fn limit(
        &self,
        name: &'static str,
        tiers: &Tiers,
        raised: Option<NonZeroU32>,
    ) -> Limit {
        let tiers = Arc::new(Tiered::new(tiers, raised));
        if !self.0.has_others {
            return Limit::shared(tiers, None);
        }
        lock(&self.0.limits).insert(name, Arc::clone(&tiers));
        let unsent = Arc::clone(&self.0.unsent);
        Limit::shared(tiers, Some(SharedCounter { name, unsent }))
    }

    /// The key of a counter, the same on all servers: a hash, so that long names take no more memory than short ones.
    pub(crate) fn key(&self, whom: &[&[u8]]) -> u64 {
        let mut mac = self.0.key.clone();
        for part in whom {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        let hash = mac.finalize().into_bytes();
        hash.iter()
            .take(8)
            .fold(0, |key, byte| key << 8 | u64::from(*byte))
    }

    /// The same of an address, or of the network or site that begins there.
    pub(crate) fn key_of_address(&self, address: IpAddr) -> u64 {
        self.key(&[&octets(address)])
    }

    /// Tells other servers what is counted here, and counts what they tell, for as long as the server runs, from this
    /// call on.
    pub(crate) fn follow(self) -> impl Future<Output = ()> {
        let mut listener = self.0.others.listen(TOPIC);
        async move {
            let receive = async {
                loop {
                    // What was missed is not counted.
                    if let Some(message) = listener.changed().await {
                        self.apply(&message);
                    }
                }
            };
            let send = async {
                loop {
                    self.0.unsent.has_changes.notified().await;
                    for message in self.messages() {
                        self.0.others.notify(TOPIC, &message);
                    }
                    tokio::time::sleep(GATHER_INTERVAL).await;
                }
            };
            tokio::join!(receive, send);
        }
    }

    /// What is to be told since the last time.
    fn messages(&self) -> Vec<String> {
        let changes = std::mem::take(&mut *lock(&self.0.unsent.changes));
        let mut messages: Vec<String> = Vec::new();
        for change in changes {
            match messages.last_mut() {
                Some(message) if message.len() + 1 + change.len() <= MAX_MESSAGE => {
                    message.push(',');
                    message.push_str(&change);
                }
                _ => messages.push(change),
            }
        }
        messages
    }

    fn apply(&self, message: &str) {
        let limits = lock(&self.0.limits);
        for (change, name, key) in message.split(',').filter_map(read) {
            // Another version may have other limits.
            if let Some(limit) = limits.get(name) {
                match change {
                    AttemptChange::Counted => limit.count_elsewhere(key),
                    AttemptChange::Refunded => limit.refund(key),
                }
            }
        }
    }
}

fn read(change: &str) -> Option<(AttemptChange, &str, u64)> {
    let changes = [AttemptChange::Counted, AttemptChange::Refunded];
    let (change, rest) = changes
        .into_iter()
        .find_map(|kind| Some((kind, change.strip_prefix(kind.sign())?)))?;
    let (name, key) = rest.split_once(':')?;
    Some((change, name, u64::from_str_radix(key, 16).ok()?))
}

/// An address as bytes, the same for an IPv4 address however it is written.
pub(super) fn octets(address: IpAddr) -> [u8; 16] {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    }
    .octets()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::super::limit::{DAY, take_all};
    use super::*;

    const TRIES: &Tiers = &[(3, DAY)];

    fn server() -> SharedLimits {
        SharedLimits::new(b"key", true, OtherServers::default())
    }

    fn deliver(from: &SharedLimits, to: &SharedLimits) {
        from.messages().iter().for_each(|message| to.apply(message));
    }

    #[test]
    fn what_one_server_lets_through_and_gives_back_counts_on_the_other() {
        let (here, there) = (server(), server());
        let [tries_here, tries_there] = [&here, &there].map(|it| it.limit("tries", TRIES, None));
        let key = here.key(&[b"ann"]);
        assert_eq!(key, there.key(&[b"ann"]));
        tries_here.take(key).unwrap();
        take_all(vec![(&tries_here, key)]).unwrap();
        deliver(&here, &there);
        tries_there.take(key).unwrap();
        tries_there.take(key).unwrap_err();
        deliver(&there, &here);
        tries_here.take(key).unwrap_err();
        tries_there.refund(key);
        deliver(&there, &here);
        tries_here.take(key).unwrap();
        // What was heard is not told again, and what was refused never.
        deliver(&here, &there);
        assert_eq!(there.messages(), [""; 0]);
        tries_here.take(key).unwrap_err();
        let others = here.limit("others", TRIES, None);
        let refused = take_all(vec![(&others, key), (&tries_here, key)]);
        assert!(refused.is_err());
        assert_eq!(here.messages(), [""; 0]);
    }

    #[test]
    fn messages_are_short_and_tell_no_name() {
        let here = server();
        let tries = here.limit("tries", TRIES, None);
        let whom = |number: u32| format!("ann{number}@example.com");
        for number in 0..1_000 {
            tries.take(here.key(&[whom(number).as_bytes()])).unwrap();
        }
        let messages = here.messages();
        assert!(messages.len() > 1 && messages.iter().all(|it| it.len() <= MAX_MESSAGE));
        assert!(messages.iter().all(|it| !it.contains("ann")));
        let there = server();
        let tries = there.limit("tries", &[(1, DAY)], None);
        messages.iter().for_each(|message| there.apply(message));
        for number in 0..1_000 {
            let key = there.key(&[whom(number).as_bytes()]);
            tries.take(key).unwrap_err();
        }
    }

    #[test]
    fn what_another_version_says_and_rubbish_count_nothing() {
        let here = server();
        let tries = here.limit("tries", TRIES, None);
        for said in [
            "",
            "+",
            "+tries",
            "+tries:x",
            "tries:1",
            "+others:1",
            "-tries:2",
            ",,",
        ] {
            here.apply(said);
        }
        for _ in 0..3 {
            tries.take(1).unwrap();
            tries.take(2).unwrap();
        }
        tries.take(1).unwrap_err();
        tries.take(2).unwrap_err();
    }

    #[test]
    fn a_key_distinguishes_its_parts_and_needs_the_secret() {
        let here = server();
        assert_ne!(here.key(&[b"a", b"b"]), here.key(&[b"ab"]));
        assert_ne!(here.key(&[b"", b"ab"]), here.key(&[b"ab"]));
        let other = SharedLimits::new(b"another", true, OtherServers::default());
        assert_ne!(here.key(&[b"ab"]), other.key(&[b"ab"]));
    }
}
