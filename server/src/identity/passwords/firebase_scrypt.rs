//! Password hashes as Firebase Authentication exports them: scrypt makes a key, which encrypts the
//! project's signer key. An import brings them along; each is good until its account's first sign-in,
//! which replaces it, and nothing makes new ones.
//!
//! Stored as `$firebase-scrypt$m=14,r=8$SALT$SEPARATOR$SIGNER$HASH`, base64 throughout.

use aes::Aes256;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use ctr::Ctr128BE;
use ctr::cipher::{KeyIvInit, StreamCipher};
use ctutils::CtEq;

const SCHEME: &str = "firebase-scrypt";

const DERIVED_BYTES: usize = 64;
const KEY_BYTES: usize = 32;
const LANES: u32 = 1;

/// What the console offers; more would let a file make a sign-in as dear as it likes.
const MAX_MEMORY_COST: u8 = 14;
const MAX_ROUNDS: u32 = 8;

/// What all of a project's hashes have in common: "password hash parameters" in Firebase's console.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct HashParameters {
    signer_key: Vec<u8>,
    salt_separator: Vec<u8>,
    rounds: u32,
    memory_cost: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PasswordHashError {
    #[error("{0} is not base64")]
    NotBase64(&'static str),
    #[error("{0} is empty")]
    Empty(&'static str),
    #[error("rounds must be 1 to {MAX_ROUNDS}")]
    Rounds,
    #[error("the memory cost must be 1 to {MAX_MEMORY_COST}")]
    MemoryCost,
    #[error("the hash was made with another signer key")]
    OtherSigner,
}

impl HashParameters {
    /// The signer key and the salt separator are base64.
    pub(crate) fn parse(
        signer_key: &str,
        salt_separator: &str,
        rounds: u32,
        memory_cost: u8,
    ) -> Result<Self, PasswordHashError> {
        if !(1..=MAX_ROUNDS).contains(&rounds) {
            return Err(PasswordHashError::Rounds);
        }
        if !(1..=MAX_MEMORY_COST).contains(&memory_cost) {
            return Err(PasswordHashError::MemoryCost);
        }
        Ok(Self {
            signer_key: decode_nonempty("the signer key", signer_key)?,
            salt_separator: decode("the salt separator", salt_separator)?,
            rounds,
            memory_cost,
        })
    }

    /// An account's hash and salt, base64, in the form in which they are stored.
    pub(crate) fn stored_hash(&self, hash: &str, salt: &str) -> Result<String, PasswordHashError> {
        let hash = decode_nonempty("the hash", hash)?;
        let salt = decode("the salt", salt)?;
        if hash.len() != self.signer_key.len() {
            return Err(PasswordHashError::OtherSigner);
        }
        let [salt, separator, signer, hash] =
            [&salt, &self.salt_separator, &self.signer_key, &hash]
                .map(|bytes| STANDARD_NO_PAD.encode(bytes));
        let Self {
            rounds,
            memory_cost,
            ..
        } = self;
        Ok(format!(
            "${SCHEME}$m={memory_cost},r={rounds}${salt}${separator}${signer}${hash}"
        ))
    }
}

impl std::fmt::Debug for HashParameters {
    /// The signer key is a secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HashParameters")
            .field("rounds", &self.rounds)
            .field("memory_cost", &self.memory_cost)
            .finish_non_exhaustive()
    }
}

/// Whether a password belongs to a stored hash; `None` when that is no hash of this kind, or cannot be
/// read. Slow, as it should be: about as much work as our own hashes.
pub fn verify(password: &str, stored: &str) -> Option<bool> {
    let StoredHash {
        parameters,
        salt,
        hash,
    } = StoredHash::parse(stored)?;
    let made = parameters.hash(password, &salt)?;
    Some(made.ct_eq(&hash).to_bool())
}

struct StoredHash {
    parameters: HashParameters,
    salt: Vec<u8>,
    hash: Vec<u8>,
}

impl StoredHash {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix('$')?.split('$');
        if parts.next()? != SCHEME {
            return None;
        }
        let (memory_cost, rounds) = parts.next()?.strip_prefix("m=")?.split_once(",r=")?;
        let (salt, separator) = (parts.next()?, parts.next()?);
        let (signer, hash) = (parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        let parameters = HashParameters::parse(
            signer,
            separator,
            rounds.parse().ok()?,
            memory_cost.parse().ok()?,
        );
        Some(Self {
            parameters: parameters.ok()?,
            salt: decode("the salt", salt).ok()?,
            hash: decode_nonempty("the hash", hash).ok()?,
        })
    }
}

impl HashParameters {
    fn hash(&self, password: &str, salt: &[u8]) -> Option<Vec<u8>> {
        let costs = scrypt::Params::new(self.memory_cost, self.rounds, LANES).ok()?;
        let salt = [salt, &self.salt_separator].concat();
        let mut derived = [0; DERIVED_BYTES];
        scrypt::scrypt(password.as_bytes(), &salt, &costs, &mut derived).ok()?;
        let mut cipher =
            Ctr128BE::<Aes256>::new_from_slices(&derived[..KEY_BYTES], &[0; 16]).ok()?;
        let mut hash = self.signer_key.clone();
        cipher.apply_keystream(&mut hash);
        Some(hash)
    }
}

fn decode_nonempty(what: &'static str, text: &str) -> Result<Vec<u8>, PasswordHashError> {
    match decode(what, text)? {
        bytes if bytes.is_empty() => Err(PasswordHashError::Empty(what)),
        bytes => Ok(bytes),
    }
}

/// The console writes the one alphabet and the export the other; either may leave out the padding.
fn decode(what: &'static str, text: &str) -> Result<Vec<u8>, PasswordHashError> {
    let text = text.trim();
    [&STANDARD, &URL_SAFE, &STANDARD_NO_PAD, &URL_SAFE_NO_PAD]
        .into_iter()
        .find_map(|alphabet| alphabet.decode(text).ok())
        .ok_or(PasswordHashError::NotBase64(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example that Firebase publishes with its scrypt.
    const SIGNER: &str =
        "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==";
    const HASH: &str =
        "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";
    const SALT: &str = "42xEC+ixf3L2lw==";

    fn parameters() -> HashParameters {
        HashParameters::parse(SIGNER, "Bw==", 8, 14).unwrap()
    }

    #[test]
    fn the_published_example_is_its_password_s_alone() {
        let stored = parameters().stored_hash(HASH, SALT).unwrap();
        assert!(
            stored.starts_with("$firebase-scrypt$m=14,r=8$42xEC+ixf3L2lw$Bw$"),
            "{stored}"
        );
        assert_eq!(verify("user1password", &stored), Some(true));
        assert_eq!(verify("user1passwore", &stored), Some(false));
        assert_eq!(verify("", &stored), Some(false));
    }

    #[test]
    fn both_alphabets_of_base64_are_read_with_and_without_padding() {
        let stored = parameters().stored_hash(HASH, SALT).unwrap();
        let web = |text: &str| text.replace('+', "-").replace('/', "_").replace('=', "");
        let parameters = HashParameters::parse(&web(SIGNER), "Bw", 8, 14).unwrap();
        assert_eq!(
            parameters.stored_hash(&web(HASH), &web(SALT)).unwrap(),
            stored
        );
    }

    #[test]
    fn a_hash_of_another_kind_is_not_verified() {
        let stored = parameters().stored_hash(HASH, SALT).unwrap();
        for text in [
            "",
            "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA",
            "$firebase-scrypt$",
            &stored[1..],
            &format!("{stored}$more"),
            &stored.replace("m=14", "m=30"),
            &stored.replace("r=8", "r=0"),
            &stored.replace("$Bw$", "$*$"),
            stored.rsplit_once('$').unwrap().0,
        ] {
            assert_eq!(verify("user1password", text), None, "{text}");
        }
    }

    #[test]
    fn wrong_parameters_and_hashes_are_refused() {
        let parse = HashParameters::parse;
        assert_eq!(
            parse("?", "Bw==", 8, 14),
            Err(PasswordHashError::NotBase64("the signer key"))
        );
        assert_eq!(
            parse("", "Bw==", 8, 14),
            Err(PasswordHashError::Empty("the signer key"))
        );
        assert_eq!(parse(SIGNER, "Bw==", 0, 14), Err(PasswordHashError::Rounds));
        assert_eq!(
            parse(SIGNER, "Bw==", 8, 31),
            Err(PasswordHashError::MemoryCost)
        );
        assert_eq!(
            parameters().stored_hash("AAAA", SALT),
            Err(PasswordHashError::OtherSigner)
        );
        assert_eq!(
            parameters().stored_hash("", SALT),
            Err(PasswordHashError::Empty("the hash"))
        );
    }

    #[test]
    fn the_signer_key_is_not_printed() {
        assert_eq!(
            format!("{:?}", parameters()),
            "HashParameters { rounds: 8, memory_cost: 14, .. }"
        );
    }
}
