//! Who sends, for push services (RFC 8292): the server's key pair, and its signature on every message.

use std::fmt::Display;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dispatch_actors::store::Store;
use jiff::Timestamp;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;
use url::Url;

use super::PushSetupError;
use crate::settings;

const SETTING: &str = "push-key";

/// Seconds; a day is the most that may be.
const SIGNATURE_TTL_SECONDS: i64 = 12 * 60 * 60;

pub struct Vapid {
    pair: EcdsaKeyPair,
    /// As browsers take it.
    pub public_key: String,
    contact: String,
    random: SystemRandom,
}

impl Vapid {
    /// The pair is made at the first start.
    pub async fn open(store: &Store, contact: String) -> Result<Self, PushSetupError> {
        let random = SystemRandom::new();
        let fresh = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            .map_err(unusable)?;
        let fresh = URL_SAFE_NO_PAD.encode(fresh);
        let kept = settings::get_or_set(store, SETTING, fresh).await?;
        let kept = URL_SAFE_NO_PAD.decode(kept).map_err(unusable)?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &kept, &random)
            .map_err(unusable)?;
        Ok(Self {
            public_key: URL_SAFE_NO_PAD.encode(pair.public_key()),
            pair,
            contact,
            random,
        })
    }

    /// `Authorization` for a message to this push service; none where there is no randomness to be had.
    pub fn authorization(&self, endpoint: &Url) -> Option<String> {
        let claims = json!({
            "aud": endpoint.origin().ascii_serialization(),
            "exp": Timestamp::now().as_second() + SIGNATURE_TTL_SECONDS,
            "sub": self.contact,
        });
        let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!(
            "{}.{}",
            part(json!({ "typ": "JWT", "alg": "ES256" })),
            part(claims)
        );
        let signature = self.pair.sign(&self.random, signed.as_bytes()).ok()?;
        let signature = URL_SAFE_NO_PAD.encode(signature);
        Some(format!(
            "vapid t={signed}.{signature}, k={}",
            self.public_key
        ))
    }
}

fn unusable(why: impl Display) -> PushSetupError {
    PushSetupError::Key(why.to_string())
}
