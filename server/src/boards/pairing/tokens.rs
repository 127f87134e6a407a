//! What screens know each other by: pairing secrets and codes, links, and the tokens made of them.
//! A token is made of the secret it is given for and a key of the database, so that it can be given
//! again until it is used, and is kept nowhere but on the board.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dispatch_actors::store::Store;
use hmac::{Hmac, Mac};
use jiff::Timestamp;
use rand::Rng;
use sea_orm::DbErr;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::identity::random_bytes;
use crate::settings;

/// So that a leaked token can be recognized.
pub const PREFIX: &str = "db_";

/// Without what is read for something else: 0 and O, 1, I and L.
const CODE_ALPHABET: &[u8; 31] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/// Signs of a code: one in 887 million.
const CODE_LENGTH: usize = 6;

/// Characters of a pairing's secret.
const SECRET_LENGTH: usize = 43;

const KEY_NAME: &str = "board-key";

const NONCE_BYTES: usize = 16;

const MAC_BYTES: usize = 32;

/// Board, epoch, expiry in seconds, chance, and a keyed hash of them.
const LINK_BYTES: usize = 16 + 8 + 8 + NONCE_BYTES + MAC_BYTES;

#[derive(Clone)]
pub struct Keys {
    key: Hmac<Sha256>,
}

/// What a link says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub board: Uuid,
    /// The board's when the link was made.
    pub epoch: i64,
    /// In seconds since 1970.
    pub expires: i64,
}

impl Keys {
    /// With the database's key, made when there is none.
    pub async fn open(store: &Store) -> Result<Self, DbErr> {
        let fresh = URL_SAFE_NO_PAD.encode(random_bytes());
        let kept = settings::get_or_set(store, KEY_NAME, fresh).await?;
        Ok(Self::with_key(kept.as_bytes()))
    }

    fn with_key(key: &[u8]) -> Self {
        // HMAC takes a key of any length.
        let key = Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()));
        Self { key }
    }

    /// A key for something else, made of this one.
    pub fn derived(&self, what: &str) -> Vec<u8> {
        self.mac(what, b"").to_vec()
    }

    /// The token that is given for a pairing's secret, or for a link.
    pub fn token(&self, secret: &str) -> String {
        let token = self.mac("token", secret.as_bytes());
        format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(token))
    }

    pub fn link(&self, link: Link) -> String {
        let mut nonce = [0; NONCE_BYTES];
        rand::rng().fill(&mut nonce);
        let mut bytes = link.board.into_bytes().to_vec();
        bytes.extend_from_slice(&link.epoch.to_be_bytes());
        bytes.extend_from_slice(&link.expires.to_be_bytes());
        bytes.extend_from_slice(&nonce);
        bytes.extend_from_slice(&self.mac("link", &bytes));
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// None: forged or expired.
    pub fn read_link(&self, text: &str) -> Option<Link> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let bytes: &[u8; LINK_BYTES] = bytes.as_slice().try_into().ok()?;
        let (payload, mac) = bytes.split_at(LINK_BYTES - MAC_BYTES);
        self.begin("link", payload).verify_slice(mac).ok()?;
        let (board, rest) = payload.split_at(16);
        let (epoch, rest) = rest.split_at(8);
        let link = Link {
            board: Uuid::from_slice(board).ok()?,
            epoch: i64::from_be_bytes(epoch.try_into().ok()?),
            expires: i64::from_be_bytes(rest.get(..8)?.try_into().ok()?),
        };
        (Timestamp::now().as_second() < link.expires).then_some(link)
    }

    fn mac(&self, what: &str, payload: &[u8]) -> [u8; MAC_BYTES] {
        self.begin(what, payload).finalize().into_bytes().into()
    }

    fn begin(&self, what: &str, payload: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.key.clone();
        mac.update(what.as_bytes());
        mac.update(b":");
        mac.update(payload);
        mac
    }
}

/// A pairing's secret.
pub fn new_secret() -> String {
    URL_SAFE_NO_PAD.encode(random_bytes())
}

/// Whether it could be a pairing's secret.
pub fn is_secret(text: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    text.len() == SECRET_LENGTH && text.bytes().all(fits)
}

pub fn new_code() -> String {
    let mut rng = rand::rng();
    let sign = || char::from(CODE_ALPHABET[rng.random_range(0..CODE_ALPHABET.len())]);
    std::iter::repeat_with(sign).take(CODE_LENGTH).collect()
}

/// A code as somebody typed it; none where it cannot be one.
pub fn read_code(text: &str) -> Option<String> {
    let signs = text.chars().filter(|c| !c.is_whitespace() && *c != '-');
    let code: String = signs.flat_map(char::to_uppercase).collect();
    let fits = code.len() == CODE_LENGTH && code.bytes().all(|b| CODE_ALPHABET.contains(&b));
    fits.then_some(code)
}

/// Secrets are random and long, so that a fast hash without salt is enough.
pub fn hash(secret: &str) -> String {
    format!("{:x}", Sha256::digest(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(expires_in: i64) -> Link {
        Link {
            board: Uuid::from_u128(7),
            epoch: 3,
            expires: Timestamp::now().as_second() + expires_in,
        }
    }

    #[test]
    fn a_link_contains_its_text_and_cannot_be_forged() {
        let keys = Keys::with_key(b"key");
        let text = keys.link(link(60));
        assert_eq!(keys.read_link(&text), Some(link(60)));
        assert_ne!(text, keys.link(link(60)), "two links are two");
        assert_eq!(Keys::with_key(b"other").read_link(&text), None);
        assert_eq!(keys.read_link(&keys.link(link(0))), None, "expired");
        let bytes = URL_SAFE_NO_PAD.decode(&text).unwrap();
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            assert_eq!(
                keys.read_link(&URL_SAFE_NO_PAD.encode(changed)),
                None,
                "{place}"
            );
        }
        for other in ["", "x", &text[1..], &format!("{text}A"), "ü"] {
            assert_eq!(keys.read_link(other), None, "{other}");
        }
    }

    #[test]
    fn a_token_is_the_same_for_the_same_secret_and_does_not_reveal_it() {
        let keys = Keys::with_key(b"key");
        let secret = new_secret();
        assert!(is_secret(&secret));
        let token = keys.token(&secret);
        assert_eq!(token, keys.token(&secret));
        assert!(token.starts_with("db_") && token.len() == 46, "{token}");
        assert_ne!(token, keys.token(&new_secret()));
        assert_ne!(token, Keys::with_key(b"other").token(&secret));
    }

    #[test]
    fn codes_have_no_characters_that_look_alike() {
        for _ in 0..1_000 {
            let code = new_code();
            assert_eq!(read_code(&code), Some(code.clone()));
            assert!(!code.contains(['0', 'O', '1', 'I', 'L']), "{code}");
        }
        assert_eq!(read_code("k7q 2mx").as_deref(), Some("K7Q2MX"));
        assert_eq!(read_code("K7Q-2MX").as_deref(), Some("K7Q2MX"));
        for wrong in ["", "K7Q2M", "K7Q2MX2", "K7Q2M0", "K7Q2Mß", "ＫＫＫＫＫＫ"] {
            assert_eq!(read_code(wrong), None, "{wrong}");
        }
    }
}
