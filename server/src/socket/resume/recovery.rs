//! The name a client comes back with. Any process that has the database can check one.

use actix_socketio::{Nonce, PrivateIds};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dispatch_actors::store::{LogStatus, Store};
use jiff::Timestamp;
use sea_orm::DbErr;

use crate::boards::BoardSubscription;
use crate::identity::{Caller, SESSION_TTL, random_bytes};
use crate::settings;

const KEY_NAME: &str = "recovery-key";

/// Who goes by a name: a person in a sign-in session, or a board with its token and what it shows.
pub struct Owner<'a> {
    uid: &'a str,
    session: &'a str,
}

impl<'a> From<&'a Caller> for Owner<'a> {
    fn from(caller: &'a Caller) -> Self {
        Self {
            uid: &caller.uid,
            session: &caller.session_id,
        }
    }
}

impl<'a> From<&'a BoardSubscription> for Owner<'a> {
    fn from(subscription: &'a BoardSubscription) -> Self {
        Self {
            uid: subscription.board(),
            session: subscription.session(),
        }
    }
}

/// Makes and checks `pid`s. A pid is valid for the user, the sign-in session and the log's generation
/// it was made in alone, and no longer than they last.
#[derive(Clone)]
pub struct Pids {
    ids: PrivateIds,
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
        let ids = PrivateIds::new(key);
        Self { ids, status }
    }

    pub fn issue<'a>(&self, owner: impl Into<Owner<'a>>) -> (Nonce, String) {
        self.issue_until(owner, Timestamp::now().as_second() + SESSION_TTL / 1_000)
    }

    /// `until`: in seconds.
    pub fn issue_until<'a>(&self, owner: impl Into<Owner<'a>>, until: i64) -> (Nonce, String) {
        let (owner, generation) = (owner.into(), self.status.generation());
        self.ids.issue(&owner.parts(&generation), until)
    }

    /// None: forged, expired, or another owner's.
    pub fn check<'a>(&self, pid: &str, owner: impl Into<Owner<'a>>) -> Option<Nonce> {
        let (owner, generation) = (owner.into(), self.status.generation());
        let now = Timestamp::now().as_second();
        self.ids.check(pid, &owner.parts(&generation), now)
    }
}

impl<'a> Owner<'a> {
    fn parts(&self, generation: &'a str) -> [&'a [u8]; 3] {
        [self.uid, self.session, generation].map(str::as_bytes)
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
    fn a_pid_is_valid_for_the_session_it_was_made_in() {
        let pids = Pids::with_key(b"key", LogStatus::default());
        let ann = caller("ann", "one");
        let (nonce, pid) = pids.issue(&ann);
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
            pids.check(&pids.issue_until(&ann, now + 60).1, &ann)
                .is_some()
        );
        assert_eq!(pids.check(&pids.issue_until(&ann, now).1, &ann), None);
    }

    #[test]
    fn a_changed_pid_is_refused() {
        let pids = Pids::with_key(b"key", LogStatus::default());
        let ann = caller("ann", "one");
        let (_, pid) = pids.issue(&ann);
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
