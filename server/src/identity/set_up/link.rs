//! The set-up link. It is this process's, and is kept nowhere else: a restart ends it and makes another. Servers of one
//! database have one each, and tell each other its hash, so that each link is good at all of them for as long as its own
//! server runs: whoever opens one may land at any. That all of them make one owner together is for the database to see
//! to.

use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ctutils::CtEq;
use dispatch_actors::store::{OtherServers, SoftState};
use sha2::{Digest, Sha256};

use crate::identity::sessions::id_tokens::random_bytes;

/// What other servers hear.
const TOPIC: &str = "set-up-links";

type TokenHash = [u8; 32];

pub(in crate::identity) struct SetUpLink {
    /// The hash of the token that is out; none where there is no link.
    own: Mutex<Option<TokenHash>>,
    /// Those of all servers, as text.
    of_servers: SoftState,
}

impl SetUpLink {
    pub(in crate::identity) fn new(others: &OtherServers) -> Self {
        Self {
            own: Mutex::default(),
            of_servers: SoftState::new(others, TOPIC),
        }
    }

    /// Gives the token of a new link, which takes the place of the one before.
    pub(super) fn issue(&self) -> String {
        self.end();
        let token = URL_SAFE_NO_PAD.encode(random_bytes());
        let hash = hash(&token);
        *self.lock() = Some(hash);
        self.of_servers.set(&text(&hash), String::new());
        token
    }

    pub(super) fn is_open(&self) -> bool {
        self.lock().is_some()
    }

    /// Whether it is this server's or another's. Takes the same time whatever is wrong with the token.
    pub(super) fn matches(&self, token: &str) -> bool {
        let given = hash(token);
        let own = *self.lock();
        let is_own = own.is_some_and(|own| own.ct_eq(&given).to_bool());
        let given = text(&given);
        let elsewhere = self.of_servers.elsewhere();
        elsewhere.iter().fold(is_own, |is_known, (hash, _)| {
            is_known | hash.as_bytes().ct_eq(given.as_bytes()).to_bool()
        })
    }

    pub(super) fn end(&self) {
        *self.lock() = None;
        for hash in self.of_servers.own_keys() {
            self.of_servers.remove(&hash);
        }
    }

    /// Hears of other servers' links, and tells them of this one's, from this call on.
    pub(super) fn follow_other_servers(&self) -> impl Future<Output = ()> + use<> {
        self.of_servers.clone().follow(|_| {})
    }

    fn lock(&self) -> MutexGuard<'_, Option<TokenHash>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hash(token: &str) -> TokenHash {
    Sha256::digest(token).into()
}

fn text(hash: &TokenHash) -> String {
    URL_SAFE_NO_PAD.encode(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_link_takes_the_place_of_the_one_before_and_none_is_good_after_the_end() {
        let link = SetUpLink::new(&OtherServers::default());
        assert!(!link.is_open() && !link.matches(""));
        let (first, second) = (link.issue(), link.issue());
        // 256 bits, six to a letter.
        assert_eq!((first.len(), second.len()), (43, 43));
        assert!(!link.matches(&first) && link.matches(&second));
        assert!(!link.matches("") && !link.matches(&second[1..]));
        link.end();
        assert!(!link.is_open() && !link.matches(&second));
    }
}
