//! The set-up link. It is this process's, and is kept nowhere else: a restart ends it and makes another, and servers
//! that start together have one each. That all of them make one owner together is for the database to see to.

use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ctutils::CtEq;
use sha2::{Digest, Sha256};

use crate::identity::sessions::id_tokens::random_bytes;

type TokenHash = [u8; 32];

/// The hash of the token that is out; none where there is no link.
#[derive(Default)]
pub(in crate::identity) struct SetUpLink(Mutex<Option<TokenHash>>);

impl SetUpLink {
    /// Gives the token of a new link, which takes the place of the one before.
    pub(super) fn issue(&self) -> String {
        let token = URL_SAFE_NO_PAD.encode(random_bytes());
        *self.lock() = Some(hash(&token));
        token
    }

    pub(super) fn is_open(&self) -> bool {
        self.lock().is_some()
    }

    /// Takes the same time whatever is wrong with the token.
    pub(super) fn matches(&self, token: &str) -> bool {
        let given = hash(token);
        let expected = *self.lock();
        expected.is_some_and(|expected| expected.ct_eq(&given).to_bool())
    }

    pub(super) fn end(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<TokenHash>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hash(token: &str) -> TokenHash {
    Sha256::digest(token).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_link_takes_the_place_of_the_one_before_and_none_is_good_after_the_end() {
        let link = SetUpLink::default();
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
