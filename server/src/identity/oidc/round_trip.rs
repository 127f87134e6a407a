//! What a browser takes along to the provider and back: a cookie that any of our processes can
//! check and none must keep. It is chance and a time, under a keyed hash; state, nonce and PKCE
//! verifier are made of it with the key, so the cookie itself tells none of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dispatch_actors::store::Store;
use hmac::{Hmac, Mac};
use jiff::Timestamp;
use openidconnect::{CsrfToken, Nonce, PkceCodeVerifier};
use sea_orm::DbErr;
use sha2::Sha256;
use uuid::Uuid;

use crate::identity::sessions::id_tokens::random_bytes;
use crate::settings;

const KEY_NAME: &str = "oidc-key";

/// Seconds: time to find a password and a phone.
pub(super) const TTL: i64 = 10 * 60;

const CHANCE: usize = 32;
const EXPIRY: usize = 8;
/// A session's id; nil for none.
const SESSION: usize = 16;
/// A known device's; nil for none.
const DEVICE: usize = 16;
const MAC: usize = 32;
const SAID: usize = CHANCE + EXPIRY + SESSION + DEVICE;

/// Round trips end by themselves; their list is looked through when it has so many.
const SWEEP_AT: usize = 1_024;

#[derive(Clone)]
pub(super) struct RoundTrips {
    key: Hmac<Sha256>,
    /// Those that came back here, and when (seconds) they would have ended. In another process the
    /// provider refuses the code, which is good once.
    used_chances: Arc<Mutex<HashMap<[u8; CHANCE], i64>>>,
}

pub(super) struct RoundTrip {
    /// The session that the browser had when it left, which the one it comes back to replaces. Its
    /// cookie is not sent along from another site.
    pub(super) session_before: Option<Uuid>,
    /// The device that left, where somebody signed in on it before. Its cookie is not sent along either.
    pub(super) known_device: Option<Uuid>,
    /// For the cookie.
    pub(super) cookie: String,
    pub(super) state: CsrfToken,
    pub(super) nonce: Nonce,
    pub(super) verifier: PkceCodeVerifier,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RoundTripError {
    #[error("the browser brought no cookie of a sign-in that was begun here")]
    NoCookie,
    #[error("the sign-in was begun more than ten minutes ago")]
    Expired,
    #[error("the answer belongs to another sign-in than the browser's")]
    OtherState,
    #[error("the sign-in has been finished before")]
    Used,
}

impl RoundTrips {
    /// With the database's key, made when there is none.
    pub(super) async fn open(store: &Store) -> Result<Self, DbErr> {
        let fresh = URL_SAFE_NO_PAD.encode(random_bytes());
        let kept = settings::get_or_set(store, KEY_NAME, fresh).await?;
        Ok(Self::with_key(kept.as_bytes()))
    }

    fn with_key(key: &[u8]) -> Self {
        // HMAC takes a key of any length.
        let key = Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()));
        Self {
            key,
            used_chances: Arc::default(),
        }
    }

    /// Under the same key, for the cookie of a link that waits; see [`super::pending_link`].
    pub(super) fn key(&self) -> Hmac<Sha256> {
        self.key.clone()
    }

    pub(super) fn begin(
        &self,
        session_before: Option<Uuid>,
        known_device: Option<Uuid>,
    ) -> RoundTrip {
        let until = Timestamp::now().as_second() + TTL;
        self.begin_until(until, session_before, known_device)
    }

    /// `until`: in seconds.
    fn begin_until(
        &self,
        until: i64,
        session_before: Option<Uuid>,
        known_device: Option<Uuid>,
    ) -> RoundTrip {
        let (session, device) = (
            session_before.unwrap_or_default(),
            known_device.unwrap_or_default(),
        );
        let payload = [
            &random_bytes()[..],
            &until.to_be_bytes(),
            session.as_bytes(),
            device.as_bytes(),
        ];
        self.trip(payload.concat())
    }

    /// The round trip that `cookie` and `state` belong to, once.
    pub(super) fn finish(
        &self,
        cookie: Option<&str>,
        state: &str,
    ) -> Result<RoundTrip, RoundTripError> {
        let payload = cookie
            .and_then(|cookie| URL_SAFE_NO_PAD.decode(cookie).ok())
            .filter(|bytes| bytes.len() == SAID + MAC)
            .ok_or(RoundTripError::NoCookie)?;
        let (payload, mac) = payload.split_at(SAID);
        self.mac("cookie", payload)
            .verify_slice(mac)
            .map_err(|_| RoundTripError::NoCookie)?;
        let state = URL_SAFE_NO_PAD
            .decode(state)
            .map_err(|_| RoundTripError::OtherState)?;
        self.mac("state", payload)
            .verify_slice(&state)
            .map_err(|_| RoundTripError::OtherState)?;

        let (chance, rest) = payload.split_at(CHANCE);
        let (until, _) = rest.split_at(EXPIRY);
        let until = until.try_into().map_or(0, i64::from_be_bytes);
        let now = Timestamp::now().as_second();
        if now >= until {
            return Err(RoundTripError::Expired);
        }
        let mut used_chances = self
            .used_chances
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if used_chances.len() >= SWEEP_AT {
            used_chances.retain(|_, until| now < *until);
        }
        let chance = chance.try_into().map_err(|_| RoundTripError::NoCookie)?;
        if used_chances.insert(chance, until).is_some() {
            return Err(RoundTripError::Used);
        }
        Ok(self.trip(payload.to_vec()))
    }

    fn trip(&self, payload: Vec<u8>) -> RoundTrip {
        let secret =
            |what| URL_SAFE_NO_PAD.encode(self.mac(what, &payload).finalize().into_bytes());
        let (state, nonce, verifier) = (secret("state"), secret("nonce"), secret("verifier"));
        let mac = self.mac("cookie", &payload).finalize().into_bytes();
        let id = |at: usize| {
            let id = payload.get(at..at + SESSION).unwrap_or_default();
            Uuid::from_slice(id).ok().filter(|id| !id.is_nil())
        };
        RoundTrip {
            session_before: id(CHANCE + EXPIRY),
            known_device: id(CHANCE + EXPIRY + SESSION),
            cookie: URL_SAFE_NO_PAD.encode([&payload[..], &mac].concat()),
            state: CsrfToken::new(state),
            nonce: Nonce::new(nonce),
            verifier: PkceCodeVerifier::new(verifier),
        }
    }

    fn mac(&self, what: &str, payload: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.key.clone();
        mac.update(what.as_bytes());
        mac.update(&[0]);
        mac.update(payload);
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trips() -> RoundTrips {
        RoundTrips::with_key(b"key")
    }

    fn refusal(trips: &RoundTrips, cookie: &str, state: &str) -> Option<RoundTripError> {
        trips.finish(Some(cookie), state).err()
    }

    #[test]
    fn a_round_trip_ends_as_it_began_in_any_process_and_once_in_each() {
        let (session, device) = (Uuid::new_v4(), Uuid::new_v4());
        let left = trips().begin(Some(session), Some(device));
        let here = trips();
        let back = here.finish(Some(&left.cookie), left.state.secret());
        let back = back.unwrap_or_else(|refused| panic!("{refused}"));
        assert_eq!(back.session_before, Some(session));
        assert_eq!(back.known_device, Some(device));
        assert_eq!(back.nonce.secret(), left.nonce.secret());
        assert_eq!(back.verifier.secret(), left.verifier.secret());
        assert_eq!(
            refusal(&here, &left.cookie, left.state.secret()),
            Some(RoundTripError::Used)
        );
    }

    #[test]
    fn state_nonce_and_verifier_are_three_secrets_that_the_cookie_does_not_tell() {
        let (one, other) = (trips().begin(None, None), trips().begin(None, None));
        let secrets = [&one, &other].map(|trip| {
            [
                trip.state.secret().clone(),
                trip.nonce.secret().clone(),
                trip.verifier.secret().clone(),
            ]
        });
        let mut all: Vec<String> = secrets.concat();
        for secret in &all {
            assert_eq!(secret.len(), 43);
            assert!(!one.cookie.contains(secret) && !other.cookie.contains(secret));
        }
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 6);
    }

    #[test]
    fn somebody_elses_state_or_cookie_is_refused() {
        let trips = trips();
        let (one, other) = (trips.begin(None, None), trips.begin(None, None));
        for (cookie, state, why) in [
            (
                &one.cookie,
                other.state.secret().as_str(),
                RoundTripError::OtherState,
            ),
            (&one.cookie, "", RoundTripError::OtherState),
            (&one.cookie, "ü", RoundTripError::OtherState),
            (&String::new(), one.state.secret(), RoundTripError::NoCookie),
            (
                &one.cookie[1..].to_owned(),
                one.state.secret(),
                RoundTripError::NoCookie,
            ),
        ] {
            assert_eq!(refusal(&trips, cookie, state), Some(why));
        }
        assert_eq!(
            trips.finish(None, one.state.secret()).err(),
            Some(RoundTripError::NoCookie)
        );
        let forged = RoundTrips::with_key(b"another").begin(None, None);
        assert_eq!(
            refusal(&trips, &forged.cookie, forged.state.secret()),
            Some(RoundTripError::NoCookie)
        );
        assert!(
            trips.finish(Some(&one.cookie), one.state.secret()).is_ok(),
            "what was tried in vain is not used up"
        );
    }

    #[test]
    fn every_bit_of_the_cookie_counts() {
        let trips = trips();
        let trip = trips.begin(None, None);
        let bytes = URL_SAFE_NO_PAD.decode(&trip.cookie).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let cookie = URL_SAFE_NO_PAD.encode(bytes);
            assert_eq!(
                refusal(&trips, &cookie, trip.state.secret()),
                Some(RoundTripError::NoCookie)
            );
        }
    }

    #[test]
    fn after_ten_minutes_it_is_too_late() {
        let trips = trips();
        let now = Timestamp::now().as_second();
        let late = trips.begin_until(now, None, None);
        assert_eq!(
            refusal(&trips, &late.cookie, late.state.secret()),
            Some(RoundTripError::Expired)
        );
        let good = trips.begin_until(now + 60, None, None);
        assert_eq!(refusal(&trips, &good.cookie, good.state.secret()), None);
    }
}
