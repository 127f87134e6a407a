//! ID tokens: short-lived JWTs that name a user and a sign-in session. That a token is genuine does
//! not make it valid: its session must still be there (see [`super::Identity::authenticate`]).
//!
//! The keys are in the database, the newest last. IdTokens are signed with that one; those before are
//! kept until every token that they have signed has expired.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dispatch_actors::store::Store;
use jiff::Timestamp;
use jsonwebtoken::errors::Error;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use rand::rngs::OsRng;
use rand::{RngCore, TryRngCore};
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};

use crate::audit::{self, AuditEvent, AuditKind, Origin};
use crate::settings;

/// Seconds; hosted identity providers use the same.
pub const EXPIRES_IN: i64 = 3_600;

/// Seconds by which a token may be past its end.
const LEEWAY: i64 = 5;

/// Seconds by which the clock of another server that signed a token may be ahead of ours.
const MAX_CLOCK_LEAD: i64 = 6 * 60;

/// Both the issuer and the audience: our tokens are for ourselves.
const ISSUER: &str = "dispatch";

const KEYS_NAME: &str = "token-keys";
const KEY_BYTES: usize = 32;
/// Enough to tell keys apart.
const KEY_ID_BYTES: usize = 9;

/// For so long another process's new keys may go unnoticed.
const REREAD_INTERVAL: Duration = Duration::from_millis(500);

/// Why nobody can be signed in at all.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    #[error("the database did not answer: {0}")]
    Database(#[from] DbErr),
    #[error(
        "the keys that sign tokens are damaged: delete the row '{KEYS_NAME}' from the table settings, and a new one is made"
    )]
    DamagedKeys,
    #[error("the OpenID Connect provider cannot be asked: {0}")]
    OpenIdConnect(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::identity) struct Claims {
    /// The user's id.
    pub(in crate::identity) sub: String,
    /// The sign-in session's id.
    pub(in crate::identity) sid: String,
    pub(in crate::identity) iat: i64,
    pub(in crate::identity) exp: i64,
    pub(in crate::identity) iss: String,
    pub(in crate::identity) aud: String,
}

pub(in crate::identity) struct IdTokens {
    state: RwLock<State>,
    validation: Validation,
}

struct State {
    keys: Arc<[Key]>,
    /// When they were last asked for; none: they are to be asked for again.
    read: Option<Instant>,
}

/// A key as it is kept.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeptKey {
    kid: String,
    /// Base64.
    secret: String,
    /// Seconds since 1970; none for the one that signs.
    retired_at: Option<i64>,
}

struct Key {
    kid: String,
    signing: EncodingKey,
    verifying: DecodingKey,
    retired_at: Option<i64>,
}

impl KeptKey {
    fn new() -> Self {
        let [kid, secret] = [random_bytes(), random_bytes()];
        Self {
            kid: URL_SAFE_NO_PAD.encode(&kid[..KEY_ID_BYTES]),
            secret: URL_SAFE_NO_PAD.encode(secret),
            retired_at: None,
        }
    }

    /// Whether a token that this key has signed may still be good.
    fn is_of_use(&self, now: i64) -> bool {
        self.retired_at
            .is_none_or(|retired_at| now <= retired_at + EXPIRES_IN + LEEWAY)
    }
}

impl Key {
    fn still_verifies(&self, now: i64) -> bool {
        self.retired_at
            .is_none_or(|retired_at| now <= retired_at + EXPIRES_IN + LEEWAY)
    }
}

fn parse(kept: &str) -> Result<Arc<[Key]>, IdentityError> {
    let kept: Vec<KeptKey> = serde_json::from_str(kept).map_err(|_| IdentityError::DamagedKeys)?;
    let keys: Vec<Key> = kept
        .into_iter()
        .map(|kept| {
            let secret = URL_SAFE_NO_PAD.decode(&kept.secret).unwrap_or_default();
            (secret.len() == KEY_BYTES).then(|| Key {
                signing: EncodingKey::from_secret(&secret),
                verifying: DecodingKey::from_secret(&secret),
                kid: kept.kid,
                retired_at: kept.retired_at,
            })
        })
        .collect::<Option<_>>()
        .ok_or(IdentityError::DamagedKeys)?;
    if keys.last().is_none_or(|key| key.retired_at.is_some()) {
        return Err(IdentityError::DamagedKeys);
    }
    Ok(keys.into())
}

fn text(keys: &[KeptKey]) -> String {
    serde_json::json!(keys).to_string()
}

/// The keys after a rotation. `forget`: tokens of the earlier ones are good no more.
fn rotated(kept: &str, forget: bool, now: i64) -> String {
    let mut keys: Vec<KeptKey> = serde_json::from_str(kept).unwrap_or_default();
    for key in &mut keys {
        key.retired_at.get_or_insert(now);
    }
    keys.retain(|key| !forget && key.is_of_use(now));
    keys.push(KeptKey::new());
    text(&keys)
}

impl IdTokens {
    /// With the database's keys; one is made when there is none.
    pub(in crate::identity) async fn open(store: &Store) -> Result<Self, IdentityError> {
        let kept = settings::get_or_set(store, KEYS_NAME, text(&[KeptKey::new()])).await?;
        Ok(Self::with_keys(parse(&kept)?))
    }

    fn with_keys(keys: Arc<[Key]>) -> Self {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.leeway = LEEWAY as u64;
        validation.validate_nbf = true;
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[ISSUER]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let read = Some(Instant::now());
        Self {
            state: RwLock::new(State { keys, read }),
            validation,
        }
    }

    /// Looks for another process's keys, now and then.
    pub(in crate::identity) async fn refresh_if_stale(
        &self,
        store: &Store,
    ) -> Result<(), IdentityError> {
        {
            let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
            if state
                .read
                .is_some_and(|read| read.elapsed() < REREAD_INTERVAL)
            {
                return Ok(());
            }
            state.read = Some(Instant::now());
        }
        match settings::peek(store, KEYS_NAME).await? {
            Some(kept) => self.take(&kept),
            None => Err(IdentityError::DamagedKeys),
        }
    }

    /// Another process may have written other keys just now.
    pub(in crate::identity) fn reread(&self) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.read = None;
    }

    /// Signs with another key from now on. `forget`: what was signed before is refused at once.
    pub(in crate::identity) async fn rotate(
        &self,
        store: &Store,
        forget: bool,
    ) -> Result<(), IdentityError> {
        let now = Timestamp::now().as_second();
        let detail = match forget {
            true => "tokens of the keys before are refused",
            false => "tokens of the keys before are good until they expire",
        };
        // Only the command line can ask for it.
        let event = AuditEvent::with_origin(AuditKind::TokenKeyRotated, &Origin::command_line())
            .with_detail(detail);
        let transaction = store.begin_write().await?;
        if let Some(kept) = settings::hold(&transaction, KEYS_NAME).await? {
            settings::set(&transaction, KEYS_NAME, &rotated(&kept, forget, now)).await?;
        }
        let recorded = audit::record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        let kept = settings::get(store, KEYS_NAME).await?;
        self.take(&kept.ok_or(IdentityError::DamagedKeys)?)
    }

    fn take(&self, kept: &str) -> Result<(), IdentityError> {
        let keys = parse(kept)?;
        self.state
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .keys = keys;
        Ok(())
    }

    fn keys(&self) -> Arc<[Key]> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&state.keys)
    }

    pub(in crate::identity) fn issue(&self, uid: &str, session: &str) -> Result<String, Error> {
        let now = Timestamp::now().as_second();
        self.sign(&Claims {
            sub: uid.to_owned(),
            sid: session.to_owned(),
            iat: now,
            exp: now + EXPIRES_IN,
            iss: ISSUER.to_owned(),
            aud: ISSUER.to_owned(),
        })
    }

    fn sign(&self, claims: &impl Serialize) -> Result<String, Error> {
        let keys = self.keys();
        // There is always one, as it was made sure when they were read.
        let key = keys
            .last()
            .ok_or(jsonwebtoken::errors::ErrorKind::InvalidKeyFormat)?;
        let header = Header {
            kid: Some(key.kid.clone()),
            ..Header::new(Algorithm::HS256)
        };
        jsonwebtoken::encode(&header, claims, &key.signing)
    }

    /// Whether a token of this key may still be good.
    pub(in crate::identity) fn accepts_key(&self, kid: &str) -> bool {
        let now = Timestamp::now().as_second();
        self.keys()
            .iter()
            .any(|key| key.kid == kid && key.still_verifies(now))
    }

    /// The claims of a token of ours that has not expired, and is not of the future. Of several servers one may have
    /// signed it whose clock is ahead; nobody else can have.
    pub(in crate::identity) fn verify(&self, token: &str) -> Option<Claims> {
        let kid = key_id(token)?;
        let now = Timestamp::now().as_second();
        let keys = self.keys();
        let key = keys
            .iter()
            .find(|key| key.kid == kid && key.still_verifies(now))?;
        let claims: Claims = jsonwebtoken::decode(token, &key.verifying, &self.validation)
            .ok()?
            .claims;
        (claims.iat <= now + MAX_CLOCK_LEAD).then_some(claims)
    }
}

/// The id of the key that a token says it is signed with.
pub(in crate::identity) fn key_id(token: &str) -> Option<String> {
    jsonwebtoken::decode_header(token).ok()?.kid
}

/// Whether this has the form of a JWT, whoever signed it.
pub(in crate::identity) fn is_jwt(token: &str) -> bool {
    jsonwebtoken::decode_header(token).is_ok()
}

/// For keys and secrets.
pub(crate) fn random_bytes() -> [u8; KEY_BYTES] {
    let mut bytes = [0; KEY_BYTES];
    // Fails only where the operating system has no source of randomness; nothing can be secret there.
    OsRng.unwrap_err().fill_bytes(&mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> IdTokens {
        tokens_of(&kept())
    }

    /// The key of every test.
    fn kept() -> String {
        text(&[KeptKey {
            kid: "seven".to_owned(),
            secret: URL_SAFE_NO_PAD.encode([7; KEY_BYTES]),
            retired_at: None,
        }])
    }

    fn tokens_of(kept: &str) -> IdTokens {
        IdTokens::with_keys(parse(kept).unwrap())
    }

    fn claims() -> Claims {
        let token = tokens().issue("uid", "session").unwrap();
        tokens().verify(&token).unwrap()
    }

    fn sign_token(header: &Header, claims: &impl Serialize) -> String {
        let key = EncodingKey::from_secret(&[7; KEY_BYTES]);
        jsonwebtoken::encode(header, claims, &key).unwrap()
    }

    fn header(algorithm: Algorithm, kid: Option<&str>) -> Header {
        Header {
            kid: kid.map(str::to_owned),
            ..Header::new(algorithm)
        }
    }

    fn unsigned(header: &str, claims: &Claims) -> String {
        let claims = serde_json::to_string(claims).unwrap();
        format!(
            "{}.{}.",
            URL_SAFE_NO_PAD.encode(header),
            URL_SAFE_NO_PAD.encode(claims)
        )
    }

    #[test]
    fn a_token_says_who_and_which_session_for_an_hour() {
        let claims = claims();
        assert_eq!(
            (claims.sub.as_str(), claims.sid.as_str()),
            ("uid", "session")
        );
        assert_eq!(claims.exp - claims.iat, 3_600);
    }

    #[test]
    fn a_token_signed_with_another_key_is_refused() {
        let other = text(&[KeptKey {
            kid: "seven".to_owned(),
            ..KeptKey::new()
        }]);
        let other = tokens_of(&other).issue("uid", "session").unwrap();
        assert_eq!(tokens().verify(&other), None);
    }

    #[test]
    fn a_token_names_its_key_and_one_that_is_not_known_is_refused() {
        let token = tokens().issue("uid", "session").unwrap();
        let named = jsonwebtoken::decode_header(&token).unwrap().kid;
        assert_eq!(named.as_deref(), Some("seven"));
        let claims = claims();
        for (kid, good) in [
            (Some("seven"), true),
            (Some("eight"), false),
            (Some(""), false),
            (None, false),
        ] {
            let token = sign_token(&header(Algorithm::HS256, kid), &claims);
            assert_eq!(tokens().verify(&token).is_some(), good, "{kid:?}");
        }
    }

    #[test]
    fn a_token_without_a_signature_or_with_another_algorithm_is_refused() {
        let claims = claims();
        for header in [
            r#"{"alg":"none","typ":"JWT","kid":"seven"}"#,
            r#"{"alg":"None","typ":"JWT","kid":"seven"}"#,
            r#"{"alg":"HS256","typ":"JWT","kid":"seven"}"#,
        ] {
            assert_eq!(
                tokens().verify(&unsigned(header, &claims)),
                None,
                "{header}"
            );
        }
        for algorithm in [Algorithm::HS384, Algorithm::HS512] {
            let token = sign_token(&header(algorithm, Some("seven")), &claims);
            assert_eq!(tokens().verify(&token), None, "{algorithm:?}");
        }
        // The signature is right; what it says of itself is not.
        let token = sign_token(&header(Algorithm::HS256, Some("seven")), &claims);
        let (_, rest) = token.split_once('.').unwrap();
        for algorithm in ["RS256", "ES256", "HS512", "none"] {
            let header = format!(r#"{{"alg":"{algorithm}","typ":"JWT","kid":"seven"}}"#);
            let token = format!("{}.{rest}", URL_SAFE_NO_PAD.encode(header));
            assert_eq!(tokens().verify(&token), None, "{algorithm}");
        }
    }

    #[test]
    fn after_a_rotation_tokens_of_the_key_before_are_good_until_they_expire() {
        let now = Timestamp::now().as_second();
        let token = tokens().issue("uid", "session").unwrap();
        let after = rotated(&kept(), false, now);
        assert!(tokens_of(&after).verify(&token).is_some());
        let newer = tokens_of(&after).issue("uid", "session").unwrap();
        assert_eq!(tokens().verify(&newer), None, "it has another key");
        assert!(tokens_of(&after).verify(&newer).is_some());

        let long_ago = rotated(&kept(), false, now - EXPIRES_IN - LEEWAY - 1);
        assert_eq!(tokens_of(&long_ago).verify(&token), None);
        let again: Vec<KeptKey> = serde_json::from_str(&rotated(&long_ago, false, now)).unwrap();
        assert_eq!(again.len(), 2, "the first is kept no longer");

        let at_once = rotated(&kept(), true, now);
        assert_eq!(tokens_of(&at_once).verify(&token), None);
        for (kept, accepted) in [(&after, true), (&long_ago, false), (&at_once, false)] {
            assert_eq!(tokens_of(kept).accepts_key("seven"), accepted, "{kept}");
        }
    }

    #[test]
    fn damaged_keys_are_reported() {
        for damaged in [
            "",
            "[]",
            "{}",
            r#"[{"kid":"a","secret":"short","retiredAt":null}]"#,
        ] {
            assert!(
                matches!(parse(damaged), Err(IdentityError::DamagedKeys)),
                "{damaged}"
            );
        }
    }

    #[test]
    fn a_token_of_the_future_is_refused() {
        let soon = Timestamp::now().as_second() + MAX_CLOCK_LEAD + 60;
        let issued_later = Claims {
            iat: soon,
            ..claims()
        };
        assert_eq!(
            tokens().verify(&tokens().sign(&issued_later).unwrap()),
            None
        );
        let mut not_before = serde_json::to_value(claims()).unwrap();
        not_before["nbf"] = soon.into();
        assert_eq!(tokens().verify(&tokens().sign(&not_before).unwrap()), None);
        not_before["nbf"] = (soon - MAX_CLOCK_LEAD - 120).into();
        assert!(
            tokens()
                .verify(&tokens().sign(&not_before).unwrap())
                .is_some()
        );
    }

    #[test]
    fn an_expired_token_is_refused() {
        let expired = Claims {
            exp: Timestamp::now().as_second() - 60,
            ..claims()
        };
        assert_eq!(tokens().verify(&tokens().sign(&expired).unwrap()), None);
    }

    #[test]
    fn a_token_for_or_by_somebody_else_is_refused() {
        let for_others = Claims {
            aud: "payroll".to_owned(),
            ..claims()
        };
        let by_others = Claims {
            iss: "payroll".to_owned(),
            ..claims()
        };
        assert_eq!(tokens().verify(&tokens().sign(&for_others).unwrap()), None);
        assert_eq!(tokens().verify(&tokens().sign(&by_others).unwrap()), None);
    }

    #[test]
    fn a_token_without_an_audience_or_an_expiry_is_refused() {
        for missing in ["aud", "exp", "iat", "iss", "sub", "sid"] {
            let mut claims = serde_json::to_value(claims()).unwrap();
            claims.as_object_mut().unwrap().remove(missing);
            let token = tokens().sign(&claims).unwrap();
            assert_eq!(tokens().verify(&token), None, "{missing}");
        }
    }

    #[test]
    fn rubbish_is_refused() {
        for rubbish in ["", ".", "..", "a.b.c", "ü", &"x".repeat(100_000)] {
            assert_eq!(tokens().verify(rubbish), None);
        }
    }
}
