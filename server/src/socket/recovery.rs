//! The name a client comes back with. Any process that has the database can tell whether one is
//! genuine, for whom, and until when, without having kept it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dispatch_actors::store::{LogStatus, Store};
use hmac::{Hmac, Mac};
use jiff::Timestamp;
use rand::Rng;
use sea_orm::DbErr;
use sha2::Sha256;

use crate::boards::Seat;
use crate::identity::{Caller, SESSION_TTL, random_bytes};
use crate::settings;

const KEY_NAME: &str = "recovery-key";
const NONCE: usize = 12;
const EXPIRY: usize = 8;
const MAC: usize = 16;

/// What makes one client's `pid` its own.
pub type Nonce = [u8; NONCE];

/// Who goes by a name: a person in a sign-in session, or a board with its token and what it shows.
pub struct Holder<'a> {
    uid: &'a str,
    session: &'a str,
}

impl<'a> From<&'a Caller> for Holder<'a> {
    fn from(caller: &'a Caller) -> Self {
        Self {
            uid: &caller.uid,
            session: &caller.session_id,
        }
    }
}

impl<'a> From<&'a Seat> for Holder<'a> {
    fn from(seat: &'a Seat) -> Self {
        Self {
            uid: seat.board(),
            session: seat.session(),
        }
    }
}

/// Makes and checks `pid`s: chance, when it expires (seconds), and a keyed hash of both, the user,
/// the sign-in session and the log's generation. It is good for the session and the log it was made in
/// alone, and no longer than they last.
#[derive(Clone)]
pub struct Pids {
    key: Hmac<Sha256>,
    status: LogStatus,
}

impl Pids {
    /// With the database's key, made when there is none.
    pub async fn open(store: &Store) -> Result<Self, DbErr> {
        let fresh = URL_SAFE_NO_PAD.encode(random_bytes());
        let kept = settings::get_or_set(store, KEY_NAME, fresh).await?;
        Ok(Self::with_key(kept.as_bytes(), store.status().clone()))
    }

    fn with_key(key: &[u8], status: LogStatus) -> Self {
        // HMAC takes a key of any length.
        let key = Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()));
        Self { key, status }
    }

    pub fn make<'a>(&self, holder: impl Into<Holder<'a>>) -> (Nonce, String) {
        self.make_until(holder, Timestamp::now().as_second() + SESSION_TTL / 1_000)
    }

    /// `until`: in seconds.
    pub fn make_until<'a>(&self, holder: impl Into<Holder<'a>>, until: i64) -> (Nonce, String) {
        let mut nonce = [0; NONCE];
        rand::rng().fill(&mut nonce);
        let mut bytes = [&nonce[..], &until.to_be_bytes()].concat();
        let mac = self.mac(&bytes, &holder.into()).finalize().into_bytes();
        bytes.extend_from_slice(&mac[..MAC]);
        (nonce, URL_SAFE_NO_PAD.encode(bytes))
    }

    /// None: forged, expired, or somebody else's.
    pub fn check<'a>(&self, pid: &str, holder: impl Into<Holder<'a>>) -> Option<Nonce> {
        let bytes = URL_SAFE_NO_PAD.decode(pid).ok()?;
        if bytes.len() != NONCE + EXPIRY + MAC {
            return None;
        }
        let (said, mac) = bytes.split_at(NONCE + EXPIRY);
        self.mac(said, &holder.into())
            .verify_truncated_left(mac)
            .ok()?;
        let (nonce, until) = said.split_at(NONCE);
        let until = i64::from_be_bytes(until.try_into().ok()?);
        let nonce = nonce.try_into().ok()?;
        (Timestamp::now().as_second() < until).then_some(nonce)
    }

    fn mac(&self, said: &[u8], holder: &Holder<'_>) -> Hmac<Sha256> {
        let mut mac = self.key.clone();
        let generation = self.status.generation();
        for part in [
            said,
            holder.uid.as_bytes(),
            holder.session.as_bytes(),
            generation.as_bytes(),
        ] {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(uid: &str, session: &str) -> Caller {
        Caller {
            uid: uid.to_owned(),
            email: "ann@example.com".to_owned(),
            name: "Ann".to_owned(),
            roles: Vec::new(),
            technician_id: None,
            session_id: session.to_owned(),
        }
    }

    #[test]
    fn a_pid_is_good_for_the_session_it_was_made_in() {
        let pids = Pids::with_key(b"key", LogStatus::default());
        let ann = caller("ann", "one");
        let (nonce, pid) = pids.make(&ann);
        assert_eq!(pids.check(&pid, &ann), Some(nonce));
        assert_eq!(
            Pids::with_key(b"key", LogStatus::default()).check(&pid, &ann),
            Some(nonce),
            "another process with the same database"
        );
        for somebody in [
            caller("bob", "one"),
            caller("ann", "two"),
            caller("an", "none"),
        ] {
            assert_eq!(pids.check(&pid, &somebody), None);
        }
        assert_eq!(
            Pids::with_key(b"other", LogStatus::default()).check(&pid, &ann),
            None
        );
    }

    #[test]
    fn an_expired_pid_is_refused() {
        let pids = Pids::with_key(b"key", LogStatus::default());
        let ann = caller("ann", "one");
        let now = Timestamp::now().as_second();
        assert!(
            pids.check(&pids.make_until(&ann, now + 60).1, &ann)
                .is_some()
        );
        assert_eq!(pids.check(&pids.make_until(&ann, now).1, &ann), None);
    }

    #[test]
    fn a_changed_pid_is_refused() {
        let pids = Pids::with_key(b"key", LogStatus::default());
        let ann = caller("ann", "one");
        let (_, pid) = pids.make(&ann);
        let bytes = URL_SAFE_NO_PAD.decode(&pid).unwrap();
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            assert_eq!(
                pids.check(&URL_SAFE_NO_PAD.encode(changed), &ann),
                None,
                "{place}"
            );
        }
        for other in ["", "x", &pid[1..], &format!("{pid}A"), "ü"] {
            assert_eq!(pids.check(other, &ann), None, "{other}");
        }
    }
}
