//! The name a client comes back with, which Socket.IO calls its private id (`pid`). Any process that
//! has the key can check whether a pid is genuine, whose it is, and when it expires, without storing
//! it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use rand::Rng;
use sha2::Sha256;

const NONCE_SIZE: usize = 12;
const EXPIRY_SIZE: usize = 8;
const MAC_SIZE: usize = 16;

/// What makes one client's private id its own.
pub type Nonce = [u8; NONCE_SIZE];

/// Makes and checks private ids: chance, when it expires, and a keyed hash of both and of the owner.
/// The owner is whatever an id must not outlive or be used without, such as an account and its
/// sign-in, in as many parts as it has.
#[derive(Clone)]
pub struct PrivateIds {
    key: Hmac<Sha256>,
}

impl PrivateIds {
    pub fn new(key: &[u8]) -> Self {
        // HMAC takes a key of any length.
        let key = Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()));
        Self { key }
    }

    /// `expires`: in seconds since 1970.
    pub fn issue(&self, owner: &[&[u8]], expires: i64) -> (Nonce, String) {
        let mut nonce = [0; NONCE_SIZE];
        rand::rng().fill(&mut nonce);
        let mut bytes = [&nonce[..], &expires.to_be_bytes()].concat();
        let mac = self.mac(&bytes, owner).finalize().into_bytes();
        bytes.extend_from_slice(&mac[..MAC_SIZE]);
        (nonce, URL_SAFE_NO_PAD.encode(bytes))
    }

    /// None: forged, expired, or another owner's. `now`: in seconds since 1970.
    pub fn check(&self, pid: &str, owner: &[&[u8]], now: i64) -> Option<Nonce> {
        let bytes = URL_SAFE_NO_PAD.decode(pid).ok()?;
        if bytes.len() != NONCE_SIZE + EXPIRY_SIZE + MAC_SIZE {
            return None;
        }
        let (signed, mac) = bytes.split_at(NONCE_SIZE + EXPIRY_SIZE);
        self.mac(signed, owner).verify_truncated_left(mac).ok()?;
        let (nonce, expires) = signed.split_at(NONCE_SIZE);
        let expires = i64::from_be_bytes(expires.try_into().ok()?);
        let nonce = nonce.try_into().ok()?;
        (now < expires).then_some(nonce)
    }

    fn mac(&self, signed: &[u8], owner: &[&[u8]]) -> Hmac<Sha256> {
        let mut mac = self.key.clone();
        for part in std::iter::once(&signed).chain(owner) {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_700_000_000;

    #[test]
    fn a_private_id_is_valid_for_its_owner_and_key_until_it_expires() {
        let ids = PrivateIds::new(b"key");
        let (nonce, pid) = ids.issue(&[b"ann", b"one"], NOW + 60);
        let check = |owner: &[&[u8]], now| ids.check(&pid, owner, now);
        assert_eq!(check(&[b"ann", b"one"], NOW), Some(nonce));
        assert_eq!(check(&[b"ann", b"one"], NOW + 60), None);
        for other in [&[b"bob", b"one"], &[b"ann", b"two"]] {
            assert_eq!(check(&other.map(|part| &part[..]), NOW), None);
        }
        assert_eq!(check(&[b"an", b"none"], NOW), None);
        assert_eq!(check(&[b"ann"], NOW), None);
        let others = PrivateIds::new(b"other");
        assert_eq!(others.check(&pid, &[b"ann", b"one"], NOW), None);
    }

    #[test]
    fn a_changed_private_id_is_refused() {
        let ids = PrivateIds::new(b"key");
        let (_, pid) = ids.issue(&[b"ann"], NOW + 60);
        let bytes = URL_SAFE_NO_PAD.decode(&pid).unwrap();
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 1;
            let changed = URL_SAFE_NO_PAD.encode(changed);
            assert_eq!(ids.check(&changed, &[b"ann"], NOW), None, "{index}");
        }
        for other in ["", "x", &pid[1..], &format!("{pid}A"), "ü"] {
            assert_eq!(ids.check(other, &[b"ann"], NOW), None, "{other}");
        }
    }
}
