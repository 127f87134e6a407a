//! Somebody whom the provider vouches for, and whose email is that of an account that has a password
//! of its own: until they give it they are kept in a cookie, which any of our processes can check and
//! none must keep. It is of use once, since who is linked need not be linked again.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

use super::tokens::claims::Person;
use crate::identity::email::Email;
use crate::staff::Role;

/// Seconds: time to find a password and a phone.
pub(super) const TTL: i64 = 10 * 60;

/// Bytes of a cookie, which browsers take up to 4,096 of, its name and attributes included.
const MAX_COOKIE: usize = 3_500;

/// What a keyed hash is for: the same key makes others.
const PURPOSE: &[u8] = b"link\0";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingLink {
    issuer: String,
    subject: String,
    email: String,
    name: Option<String>,
    roles: Option<Vec<Role>>,
    /// The session that the browser had when it left for the provider.
    pub(super) session_before: Option<Uuid>,
    /// Seconds since 1970.
    expires_at: i64,
}

impl PendingLink {
    /// None for a person without a verified email, whom nothing here belongs to.
    pub(super) fn new(issuer: &str, person: Person, session_before: Option<Uuid>) -> Option<Self> {
        Some(Self {
            issuer: issuer.to_owned(),
            subject: person.subject,
            email: person.email?.as_str().to_owned(),
            name: person.name,
            roles: person.roles,
            session_before,
            expires_at: Timestamp::now().as_second() + TTL,
        })
    }

    pub(super) fn email(&self) -> &str {
        &self.email
    }

    pub(super) fn into_person(self) -> Person {
        Person {
            email: Email::parse(&self.email).ok(),
            subject: self.subject,
            name: self.name,
            roles: self.roles,
        }
    }

    /// None where it is too long for a cookie.
    pub(super) fn seal(&self, key: Hmac<Sha256>) -> Option<String> {
        let json = serde_json::to_vec(self).ok()?;
        let mac = keyed(key, &json).finalize().into_bytes();
        let [json, mac] = [URL_SAFE_NO_PAD.encode(json), URL_SAFE_NO_PAD.encode(mac)];
        let cookie = format!("{json}.{mac}");
        (cookie.len() <= MAX_COOKIE).then_some(cookie)
    }

    /// None for what was not sealed here for this issuer, or too long ago.
    pub(super) fn open(key: Hmac<Sha256>, issuer: &str, cookie: &str) -> Option<Self> {
        let (json, mac) = cookie.split_once('.')?;
        let json = URL_SAFE_NO_PAD.decode(json).ok()?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok()?;
        keyed(key, &json).verify_slice(&mac).ok()?;
        let pending: Self = serde_json::from_slice(&json).ok()?;
        let is_good = pending.issuer == issuer && Timestamp::now().as_second() < pending.expires_at;
        is_good.then_some(pending)
    }
}

fn keyed(mut key: Hmac<Sha256>, json: &[u8]) -> Hmac<Sha256> {
    key.update(PURPOSE);
    key.update(json);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUER: &str = "https://accounts.example.com";

    fn key(text: &str) -> Hmac<Sha256> {
        Hmac::new_from_slice(text.as_bytes()).unwrap()
    }

    fn ann() -> PendingLink {
        let person = Person {
            subject: "7".to_owned(),
            email: Email::parse("ann@example.com").ok(),
            name: Some("Ann".to_owned()),
            roles: Some(vec![Role::Advisor]),
        };
        PendingLink::new(ISSUER, person, Some(Uuid::new_v4())).unwrap()
    }

    fn open(cookie: &str) -> Option<PendingLink> {
        PendingLink::open(key("key"), ISSUER, cookie)
    }

    #[test]
    fn a_pending_link_is_opened_for_the_person_who_came_back() {
        let ann = ann();
        let cookie = ann.seal(key("key")).unwrap();
        assert_eq!(open(&cookie), Some(ann));
    }

    #[test]
    fn a_cookie_of_another_key_issuer_or_time_links_nobody() {
        let ann = ann();
        let cookie = ann.seal(key("key")).unwrap();
        assert_eq!(open(&ann.seal(key("another")).unwrap()), None);
        assert_eq!(
            PendingLink::open(key("key"), "https://other.example.com", &cookie),
            None
        );
        let late = PendingLink {
            expires_at: Timestamp::now().as_second(),
            ..ann
        };
        assert_eq!(open(&late.seal(key("key")).unwrap()), None);
    }

    #[test]
    fn every_byte_of_the_cookie_counts() {
        let cookie = ann().seal(key("key")).unwrap();
        for at in 0..cookie.len() {
            let mut other = cookie.clone().into_bytes();
            // The last character of each part has bits that say nothing.
            other[at] = if other[at] == b'Q' { b'x' } else { b'Q' };
            let other = String::from_utf8(other).unwrap();
            assert_eq!(open(&other), None, "{at}");
        }
        for rubbish in ["", ".", "a.b", &cookie[1..]] {
            assert_eq!(open(rubbish), None, "{rubbish}");
        }
    }

    #[test]
    fn a_pending_link_that_is_too_long_for_a_cookie_is_refused() {
        let long = PendingLink {
            subject: "7".repeat(3_000),
            ..ann()
        };
        assert_eq!(long.seal(key("key")), None);
    }
}
