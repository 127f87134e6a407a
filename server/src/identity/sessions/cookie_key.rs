//! The key under which cookies are signed: what a stranger made up is recognised without asking the
//! database. A signature is no credential, only what it is on may be one.

use dispatch_actors::store::Store;
use hmac::{Hmac, Mac};
use sea_orm::DbErr;
use sha2::Sha256;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::id_tokens::random_bytes;
use crate::settings;

const KEY_NAME: &str = "cookie-key";

/// Bytes of a signature: half an HMAC-SHA-256, which nobody guesses either.
pub(in crate::identity) const SIGNATURE: usize = 16;

/// What is signed, so that one cannot stand for the other.
#[derive(Clone, Copy)]
pub(in crate::identity) enum Signed {
    Device,
    RefreshToken,
}

pub(in crate::identity) struct CookieKey(Hmac<Sha256>);

impl CookieKey {
    /// The database's, made when it has none.
    pub(in crate::identity) async fn open(store: &Store) -> Result<Self, DbErr> {
        let fresh = URL_SAFE_NO_PAD.encode(random_bytes());
        let kept = settings::get_or_set(store, KEY_NAME, fresh).await?;
        Ok(Self::new(kept.as_bytes()))
    }

    fn new(key: &[u8]) -> Self {
        // HMAC takes a key of any length.
        Self(Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default())))
    }

    /// The id with its signature, which is good for this `holder` alone.
    pub(in crate::identity) fn sign(&self, what: Signed, id: &[u8], holder: &str) -> String {
        let signature = self.mac(what, id, holder).finalize().into_bytes();
        URL_SAFE_NO_PAD.encode([id, &signature[..SIGNATURE]].concat())
    }

    /// The id that was signed here for this holder.
    pub(in crate::identity) fn verify(
        &self,
        what: Signed,
        text: &str,
        holder: &str,
    ) -> Option<Vec<u8>> {
        let mut id = URL_SAFE_NO_PAD.decode(text).ok()?;
        let signature = id.split_off(id.len().checked_sub(SIGNATURE)?);
        let mac = self.mac(what, &id, holder);
        mac.verify_truncated_left(&signature).ok().map(|()| id)
    }

    fn mac(&self, what: Signed, id: &[u8], holder: &str) -> Hmac<Sha256> {
        let what = match what {
            Signed::Device => "device",
            Signed::RefreshToken => "refresh token",
        };
        let mut mac = self.0.clone();
        for part in [what.as_bytes(), id, holder.as_bytes()] {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signed_value_is_good_for_its_kind_and_its_holder_alone() {
        let key = CookieKey::new(b"key");
        let text = key.sign(Signed::Device, b"an id", "ann");
        assert_eq!(
            key.verify(Signed::Device, &text, "ann").as_deref(),
            Some(&b"an id"[..])
        );
        assert_eq!(key.verify(Signed::Device, &text, "bob"), None);
        assert_eq!(key.verify(Signed::RefreshToken, &text, "ann"), None);
        let other = CookieKey::new(b"another");
        assert_eq!(other.verify(Signed::Device, &text, "ann"), None);
        for made_up in ["", "ü", "AAAA", &"A".repeat(200), &text[1..], &text[..20]] {
            assert_eq!(
                key.verify(Signed::Device, made_up, "ann"),
                None,
                "{made_up}"
            );
        }
    }

    #[test]
    fn every_bit_counts() {
        let key = CookieKey::new(b"key");
        let text = key.sign(Signed::Device, b"an id", "ann");
        let bytes = URL_SAFE_NO_PAD.decode(&text).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let changed = URL_SAFE_NO_PAD.encode(bytes);
            assert_eq!(key.verify(Signed::Device, &changed, "ann"), None);
        }
    }
}
