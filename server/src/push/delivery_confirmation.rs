//! What a browser shows when it says that a message arrived: it may be signed out by then, so the
//! message contains a token that we signed.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::{Seq, Store};
use ring::hmac::{self, HMAC_SHA256, Key};
use ring::rand::SystemRandom;

use super::PushSetupError;
use crate::settings;

const SETTING: &str = "push-receipt-key";

/// A technician's assignments by the first and the last of their events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    pub technician: TechnicianId,
    pub first: Seq,
    pub last: Seq,
}

pub struct ReceiptKey(Key);

impl ReceiptKey {
    /// Made at the first start.
    pub async fn open(store: &Store) -> Result<Self, PushSetupError> {
        let fresh: [u8; 32] = ring::rand::generate(&SystemRandom::new())
            .map_err(|error| PushSetupError::Key(error.to_string()))?
            .expose();
        let kept = settings::get_or_set(store, SETTING, URL_SAFE_NO_PAD.encode(fresh)).await?;
        let kept = URL_SAFE_NO_PAD
            .decode(kept)
            .map_err(|error| PushSetupError::Key(error.to_string()))?;
        Ok(Self(Key::new(HMAC_SHA256, &kept)))
    }

    pub fn sign(&self, about: About) -> String {
        let text = format!("{}.{}.{}", about.technician, about.first, about.last);
        let signature = hmac::sign(&self.0, text.as_bytes());
        format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    /// None for what we did not sign.
    pub fn read(&self, receipt: &str) -> Option<About> {
        let (text, signature) = receipt.rsplit_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        hmac::verify(&self.0, text.as_bytes(), &signature).ok()?;
        let mut numbers = text.split('.').map(str::parse);
        let mut next = || numbers.next()?.ok();
        Some(About {
            technician: next()?,
            first: next()?,
            last: next()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_receipt_that_we_signed_is_read() {
        let key = ReceiptKey(Key::new(HMAC_SHA256, &[7; 32]));
        let other = ReceiptKey(Key::new(HMAC_SHA256, &[8; 32]));
        let about = About {
            technician: 11,
            first: 5,
            last: 9,
        };
        let receipt = key.sign(about);
        assert_eq!(key.read(&receipt), Some(about));
        assert_eq!(other.read(&receipt), None);
        for text in [
            receipt.replace("11.", "12."),
            receipt.replace(".9.", ".99."),
            receipt[..receipt.len() - 1].to_owned(),
            format!("{receipt}."),
            String::new(),
            "...".to_owned(),
            "11.5.9.".to_owned(),
        ] {
            assert_eq!(key.read(&text), None, "{text}");
        }
    }
}
