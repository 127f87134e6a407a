//! Google's ID tokens: RS256 under keys that Google publishes and changes every few days. They are
//! fetched when they are first needed, and again when they have grown old or a token names one that
//! is not among them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, JwkSet, KeyAlgorithm};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use reqwest::Client;
use reqwest::header::{AGE, CACHE_CONTROL, HeaderMap};
use serde::Deserialize;
use tokio::sync::Mutex;

use crate::identity::provider::ProviderError;

const GOOGLES_KEYS: &str =
    "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com";

/// Seconds our clock and Google's may differ.
const LEEWAY: i64 = 30;

/// The longest user id.
const LONGEST_SUBJECT: usize = 128;

/// How long keys are good when the answer does not say.
const UNSAID: Duration = Duration::from_secs(300);
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Whoever makes up names of keys cannot make us
/// ask Google each time.
const PAUSE: Duration = Duration::from_secs(60);

/// Which tokens count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accepted {
    SignedByGoogle,
    /// The emulator signs nothing.
    UnsignedByEmulator,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Claims {
    /// The user's id.
    pub(super) sub: String,
    pub(super) email: Option<String>,
    #[serde(default)]
    pub(super) email_verified: bool,
    iss: String,
    aud: String,
    iat: i64,
    exp: i64,
    auth_time: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotGenuine {
    #[error("it is no token")]
    Malformed,
    #[error("it is not signed as it should be")]
    Algorithm,
    #[error("nobody knows its key")]
    UnknownKey,
    #[error("its signature is wrong")]
    Signature,
    #[error("it is for somebody else, or from somebody else")]
    Elsewhere,
    #[error("its time is over, or has not come")]
    Time,
    #[error("it is about nobody")]
    Subject,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum Unverified {
    #[error("an ID token cannot be accepted: {0}")]
    NotGenuine(#[from] NotGenuine),
    #[error("Google's keys cannot be fetched: {0}")]
    Unreachable(String),
}

impl From<Unverified> for ProviderError {
    fn from(error: Unverified) -> Self {
        match error {
            Unverified::NotGenuine(_) => Self::Broken(error.to_string()),
            Unverified::Unreachable(_) => Self::Network(error.to_string()),
        }
    }
}

pub(super) struct IdTokens {
    http: Client,
    keys_at: String,
    issuer: String,
    project: String,
    accepted: Accepted,
    /// Between two fetches for a key that is not known.
    pause: Duration,
    /// Held while they are fetched: all who wait share the answer.
    keys: Mutex<Keys>,
}

#[derive(Default)]
struct Keys {
    by_id: HashMap<String, Arc<DecodingKey>>,
    good_until: Option<Instant>,
    fetched_at: Option<Instant>,
}

impl IdTokens {
    pub(super) fn new(http: Client, project: &str, accepted: Accepted) -> Self {
        Self {
            http,
            keys_at: GOOGLES_KEYS.to_owned(),
            issuer: format!("https://securetoken.google.com/{project}"),
            project: project.to_owned(),
            accepted,
            pause: PAUSE,
            keys: Mutex::default(),
        }
    }

    pub(super) async fn verify(&self, token: &str) -> Result<Claims, Unverified> {
        let claims = match self.accepted {
            Accepted::SignedByGoogle => self.signed(token).await?,
            Accepted::UnsignedByEmulator => unsigned(token)?,
        };
        self.check(&claims, Timestamp::now().as_second())?;
        Ok(claims)
    }

    async fn signed(&self, token: &str) -> Result<Claims, Unverified> {
        let header =
            jsonwebtoken::decode_header(token).map_err(|_| algorithm_or_malformed(token))?;
        if header.alg != Algorithm::RS256 {
            return Err(NotGenuine::Algorithm.into());
        }
        let kid = header.kid.ok_or(NotGenuine::UnknownKey)?;
        let key = self.key(&kid).await?;
        // The rest is checked by `check`, for the emulator's tokens too.
        let mut signature = Validation::new(Algorithm::RS256);
        signature.required_spec_claims.clear();
        signature.validate_exp = false;
        signature.validate_aud = false;
        let token =
            jsonwebtoken::decode::<Claims>(token, &key, &signature).map_err(|error| match error
                .kind()
            {
                jsonwebtoken::errors::ErrorKind::InvalidSignature => NotGenuine::Signature,
                _ => NotGenuine::Malformed,
            })?;
        Ok(token.claims)
    }

    fn check(&self, claims: &Claims, now: i64) -> Result<(), NotGenuine> {
        if claims.iss != self.issuer || claims.aud != self.project {
            return Err(NotGenuine::Elsewhere);
        }
        let begun = claims.iat <= now + LEEWAY && claims.auth_time <= now + LEEWAY;
        if !begun || claims.exp <= now - LEEWAY {
            return Err(NotGenuine::Time);
        }
        if claims.sub.is_empty() || claims.sub.len() > LONGEST_SUBJECT {
            return Err(NotGenuine::Subject);
        }
        Ok(())
    }

    async fn key(&self, id: &str) -> Result<Arc<DecodingKey>, Unverified> {
        let mut keys = self.keys.lock().await;
        let now = Instant::now();
        let good = keys.good_until.is_some_and(|until| now < until);
        if good && let Some(key) = keys.by_id.get(id) {
            return Ok(Arc::clone(key));
        }
        let just_fetched = keys
            .fetched_at
            .is_some_and(|at| now.duration_since(at) < self.pause);
        if !(good && just_fetched) {
            *keys = self.fetch().await?;
        }
        let key = keys.by_id.get(id).ok_or(NotGenuine::UnknownKey)?;
        Ok(Arc::clone(key))
    }

    async fn fetch(&self) -> Result<Keys, Unverified> {
        let unreachable = |error: reqwest::Error| Unverified::Unreachable(error.to_string());
        let answer = self.http.get(&self.keys_at).send().await;
        let answer = answer
            .and_then(reqwest::Response::error_for_status)
            .map_err(unreachable)?;
        let lifetime = lifetime(answer.headers());
        let set: JwkSet = answer.json().await.map_err(unreachable)?;
        let now = Instant::now();
        Ok(Keys {
            by_id: set.keys.iter().filter_map(usable).collect(),
            good_until: Some(now + lifetime),
            fetched_at: Some(now),
        })
    }
}

/// A key for RS256 that has a name.
fn usable(jwk: &Jwk) -> Option<(String, Arc<DecodingKey>)> {
    let for_us = matches!(jwk.algorithm, AlgorithmParameters::RSA(_))
        && jwk
            .common
            .key_algorithm
            .is_none_or(|algorithm| algorithm == KeyAlgorithm::RS256);
    let id = jwk.common.key_id.clone().filter(|_| for_us)?;
    let key = DecodingKey::from_jwk(jwk).ok()?;
    Some((id, Arc::new(key)))
}

/// What is left of the answer's `max-age`.
fn lifetime(headers: &HeaderMap) -> Duration {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let max_age = text(CACHE_CONTROL).and_then(|directives| {
        directives
            .split(',')
            .find_map(|directive| directive.trim().strip_prefix("max-age="))
            .and_then(|seconds| seconds.parse().ok())
            .map(Duration::from_secs)
    });
    let age = text(AGE).and_then(|seconds| seconds.parse().ok());
    let age = age.map_or(Duration::ZERO, Duration::from_secs);
    max_age.unwrap_or(UNSAID).saturating_sub(age).min(LONGEST)
}

fn algorithm_or_malformed(token: &str) -> NotGenuine {
    #[derive(Deserialize)]
    struct Header {
        #[serde(rename = "alg")]
        _alg: String,
    }
    let header = token.split('.').next().unwrap_or_default();
    match part::<Header>(header) {
        // A header, but of an algorithm that is none.
        Some(_) => NotGenuine::Algorithm,
        None => NotGenuine::Malformed,
    }
}

fn unsigned(token: &str) -> Result<Claims, NotGenuine> {
    #[derive(Deserialize)]
    struct Header {
        alg: String,
    }
    let [header, claims, ""] = token.split('.').collect::<Vec<_>>()[..] else {
        return Err(NotGenuine::Algorithm);
    };
    match part::<Header>(header) {
        Some(header) if header.alg == "none" => part(claims).ok_or(NotGenuine::Malformed),
        _ => Err(NotGenuine::Algorithm),
    }
}

fn part<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests;
