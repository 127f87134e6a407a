//! ID tokens: short-lived JWTs that name a user and a sign-in session. That a token is genuine does
//! not make it valid: its session must still be there (see [`super::Identity::authenticate`]).

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

use crate::settings;

/// Seconds; hosted identity providers use the same.
pub const EXPIRES_IN: i64 = 3_600;

/// Seconds two clocks may differ; ours are mostly the same one.
const LEEWAY: u64 = 5;

/// Both the issuer and the audience: our tokens are for ourselves.
const US: &str = "dispatch";

const KEY_NAME: &str = "token-key";
const KEY_BYTES: usize = 32;

/// Why nobody can be signed in at all.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    #[error("the database did not answer: {0}")]
    Database(#[from] DbErr),
    #[error(
        "the key that signs tokens is damaged: delete the row '{KEY_NAME}' from the table settings, and a new one is made"
    )]
    DamagedKey,
    #[error("the OpenID Connect provider cannot be asked: {0}")]
    OpenIdConnect(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Claims {
    /// The user's id.
    pub(super) sub: String,
    /// The sign-in session's id.
    pub(super) sid: String,
    pub(super) iat: i64,
    pub(super) exp: i64,
    pub(super) iss: String,
    pub(super) aud: String,
}

pub(super) struct Tokens {
    signing: EncodingKey,
    verifying: DecodingKey,
    validation: Validation,
}

impl Tokens {
    /// With the database's key, made when there is none.
    pub(super) async fn open(store: &Store) -> Result<Self, Unusable> {
        let kept =
            settings::get_or_set(store, KEY_NAME, URL_SAFE_NO_PAD.encode(random_bytes())).await?;
        let key = URL_SAFE_NO_PAD
            .decode(kept)
            .map_err(|_| Unusable::DamagedKey)?;
        if key.len() != KEY_BYTES {
            return Err(Unusable::DamagedKey);
        }
        Ok(Self::with_key(&key))
    }

    fn with_key(key: &[u8]) -> Self {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.leeway = LEEWAY;
        validation.set_issuer(&[US]);
        validation.set_audience(&[US]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        Self {
            signing: EncodingKey::from_secret(key),
            verifying: DecodingKey::from_secret(key),
            validation,
        }
    }

    pub(super) fn issue(&self, uid: &str, session: &str) -> Result<String, Error> {
        let now = Timestamp::now().as_second();
        self.sign(&Claims {
            sub: uid.to_owned(),
            sid: session.to_owned(),
            iat: now,
            exp: now + EXPIRES_IN,
            iss: US.to_owned(),
            aud: US.to_owned(),
        })
    }

    fn sign(&self, claims: &Claims) -> Result<String, Error> {
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &self.signing)
    }

    /// The claims of a token of ours that has not expired.
    pub(super) fn verify(&self, token: &str) -> Option<Claims> {
        jsonwebtoken::decode(token, &self.verifying, &self.validation)
            .ok()
            .map(|token| token.claims)
    }
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

    fn tokens() -> Tokens {
        Tokens::with_key(&[7; KEY_BYTES])
    }

    fn claims() -> Claims {
        let token = tokens().issue("uid", "session").unwrap();
        tokens().verify(&token).unwrap()
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
        let other = Tokens::with_key(&[8; KEY_BYTES])
            .issue("uid", "session")
            .unwrap();
        assert_eq!(tokens().verify(&other), None);
    }

    #[test]
    fn a_token_without_a_signature_or_with_another_algorithm_is_refused() {
        let claims = claims();
        for header in [
            r#"{"alg":"none","typ":"JWT"}"#,
            r#"{"alg":"HS256","typ":"JWT"}"#,
        ] {
            assert_eq!(
                tokens().verify(&unsigned(header, &claims)),
                None,
                "{header}"
            );
        }
        let hs512 =
            jsonwebtoken::encode(&Header::new(Algorithm::HS512), &claims, &tokens().signing)
                .unwrap();
        assert_eq!(tokens().verify(&hs512), None);
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
        for missing in ["aud", "exp", "iss", "sub", "sid"] {
            let mut claims = serde_json::to_value(claims()).unwrap();
            claims.as_object_mut().unwrap().remove(missing);
            let token =
                jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &tokens().signing)
                    .unwrap();
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
