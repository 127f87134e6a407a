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

const GOOGLE_KEYS_URL: &str =
    "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com";

/// Seconds by which our clock and Google's may differ.
const CLOCK_LEEWAY: i64 = 30;

/// The longest user id.
const MAX_SUBJECT_BYTES: usize = 128;

/// Where the answer does not say for how long its keys are good.
const DEFAULT_KEYS_TTL: Duration = Duration::from_secs(300);
const MAX_KEYS_TTL: Duration = Duration::from_secs(24 * 60 * 60);

/// Between two fetches for a key that is not known: whoever makes up key ids cannot make us ask Google
/// each time.
const MIN_FETCH_INTERVAL: Duration = Duration::from_secs(60);

/// Whose tokens are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenIssuer {
    Google,
    /// The emulator signs nothing.
    Emulator,
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
pub(super) enum IdTokenError {
    #[error("it is no token")]
    Malformed,
    #[error("it is not signed as it should be")]
    Algorithm,
    #[error("nobody knows its key")]
    UnknownKey,
    #[error("its signature is wrong")]
    Signature,
    #[error("it is for somebody else, or from somebody else")]
    Audience,
    #[error("its time is over, or has not come")]
    Time,
    #[error("it is about nobody")]
    Subject,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum VerifyError {
    #[error("an ID token cannot be accepted: {0}")]
    Token(#[from] IdTokenError),
    #[error("Google's keys cannot be fetched: {0}")]
    Keys(String),
}

pub(super) struct IdTokens {
    http: Client,
    keys_url: String,
    issuer: String,
    project: String,
    token_issuer: TokenIssuer,
    min_fetch_interval: Duration,
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
    pub(super) fn new(http: Client, project: &str, token_issuer: TokenIssuer) -> Self {
        Self {
            http,
            keys_url: GOOGLE_KEYS_URL.to_owned(),
            issuer: format!("https://securetoken.google.com/{project}"),
            project: project.to_owned(),
            token_issuer,
            min_fetch_interval: MIN_FETCH_INTERVAL,
            keys: Mutex::default(),
        }
    }

    pub(super) async fn verify(&self, token: &str) -> Result<Claims, VerifyError> {
        let claims = match self.token_issuer {
            TokenIssuer::Google => self.verify_signature(token).await?,
            TokenIssuer::Emulator => parse_unsigned(token)?,
        };
        self.check_claims(&claims, Timestamp::now().as_second())?;
        Ok(claims)
    }

    async fn verify_signature(&self, token: &str) -> Result<Claims, VerifyError> {
        let header =
            jsonwebtoken::decode_header(token).map_err(|_| algorithm_or_malformed(token))?;
        if header.alg != Algorithm::RS256 {
            return Err(IdTokenError::Algorithm.into());
        }
        let kid = header.kid.ok_or(IdTokenError::UnknownKey)?;
        let key = self.key(&kid).await?;
        // The rest is checked by `check_claims`, for the emulator's tokens too.
        let mut signature = Validation::new(Algorithm::RS256);
        signature.required_spec_claims.clear();
        signature.validate_exp = false;
        signature.validate_aud = false;
        let token =
            jsonwebtoken::decode::<Claims>(token, &key, &signature).map_err(|error| match error
                .kind()
            {
                jsonwebtoken::errors::ErrorKind::InvalidSignature => IdTokenError::Signature,
                _ => IdTokenError::Malformed,
            })?;
        Ok(token.claims)
    }

    fn check_claims(&self, claims: &Claims, now: i64) -> Result<(), IdTokenError> {
        if claims.iss != self.issuer || claims.aud != self.project {
            return Err(IdTokenError::Audience);
        }
        let begun = claims.iat <= now + CLOCK_LEEWAY && claims.auth_time <= now + CLOCK_LEEWAY;
        if !begun || claims.exp <= now - CLOCK_LEEWAY {
            return Err(IdTokenError::Time);
        }
        if claims.sub.is_empty() || claims.sub.len() > MAX_SUBJECT_BYTES {
            return Err(IdTokenError::Subject);
        }
        Ok(())
    }

    async fn key(&self, id: &str) -> Result<Arc<DecodingKey>, VerifyError> {
        let mut keys = self.keys.lock().await;
        let now = Instant::now();
        let good = keys.good_until.is_some_and(|until| now < until);
        if good && let Some(key) = keys.by_id.get(id) {
            return Ok(Arc::clone(key));
        }
        let just_fetched = keys
            .fetched_at
            .is_some_and(|at| now.duration_since(at) < self.min_fetch_interval);
        if !(good && just_fetched) {
            *keys = self.fetch().await?;
        }
        let key = keys.by_id.get(id).ok_or(IdTokenError::UnknownKey)?;
        Ok(Arc::clone(key))
    }

    async fn fetch(&self) -> Result<Keys, VerifyError> {
        let unreachable = |error: reqwest::Error| VerifyError::Keys(error.to_string());
        let answer = self.http.get(&self.keys_url).send().await;
        let answer = answer
            .and_then(reqwest::Response::error_for_status)
            .map_err(unreachable)?;
        let keys_ttl = keys_ttl(answer.headers());
        let set: JwkSet = answer.json().await.map_err(unreachable)?;
        let now = Instant::now();
        Ok(Keys {
            by_id: set.keys.iter().filter_map(rs256_key).collect(),
            good_until: Some(now + keys_ttl),
            fetched_at: Some(now),
        })
    }
}

/// A key for RS256 that has a name.
fn rs256_key(jwk: &Jwk) -> Option<(String, Arc<DecodingKey>)> {
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
fn keys_ttl(headers: &HeaderMap) -> Duration {
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
    max_age
        .unwrap_or(DEFAULT_KEYS_TTL)
        .saturating_sub(age)
        .min(MAX_KEYS_TTL)
}

fn algorithm_or_malformed(token: &str) -> IdTokenError {
    #[derive(Deserialize)]
    struct Header {
        #[serde(rename = "alg")]
        _alg: String,
    }
    let header = token.split('.').next().unwrap_or_default();
    match decode_part::<Header>(header) {
        // A header, but of an algorithm that is none.
        Some(_) => IdTokenError::Algorithm,
        None => IdTokenError::Malformed,
    }
}

fn parse_unsigned(token: &str) -> Result<Claims, IdTokenError> {
    #[derive(Deserialize)]
    struct Header {
        alg: String,
    }
    let [header, claims, ""] = token.split('.').collect::<Vec<_>>()[..] else {
        return Err(IdTokenError::Algorithm);
    };
    match decode_part::<Header>(header) {
        Some(header) if header.alg == "none" => decode_part(claims).ok_or(IdTokenError::Malformed),
        _ => Err(IdTokenError::Algorithm),
    }
}

fn decode_part<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests;
