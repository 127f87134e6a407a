//! A message that only one browser can read: RFC 8291 over RFC 8188's aes128gcm, in one record.

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::rand::{SecureRandom, SystemRandom};

/// What a push service must take.
const RECORD: usize = 4_096;

/// Salt, the record's size, the length of our public key, and the key.
const HEAD: usize = 16 + 4 + 1 + PUBLIC_KEY;

const PUBLIC_KEY: usize = 65;
const TAG: usize = 16;

/// Bytes that a message may have.
pub const MAX_PLAINTEXT_BYTES: usize = RECORD - HEAD - TAG - 1;

/// A message is made longer to a multiple of this, so that its length says little.
const STEP: usize = 512;

/// With padding and without.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A browser's keys, as it gave them.
pub struct BrowserKeys {
    public_key: Vec<u8>,
    secret: [u8; 16],
}

/// The point is not on the curve, the secret not 16 bytes, or either no base64.
#[derive(Debug, PartialEq, Eq)]
pub struct BadKeys;

impl BrowserKeys {
    pub fn parse(p256dh: &str, auth: &str) -> Result<Self, BadKeys> {
        let bytes = |text: &str| BASE64.decode(text).map_err(|_| BadKeys);
        let keys = Self {
            public_key: bytes(p256dh)?,
            secret: bytes(auth)?.try_into().map_err(|_| BadKeys)?,
        };
        if keys.public_key.len() != PUBLIC_KEY {
            return Err(BadKeys);
        }
        // The key agreement detects an invalid point.
        keys.seal(b"").map(|_| keys).map_err(|Unspecified| BadKeys)
    }

    /// The body of a request to the push service. `message` has [`MAX_PLAINTEXT_BYTES`] bytes at most.
    pub fn seal(&self, message: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let random = SystemRandom::new();
        let ours = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
        let our_key = ours.compute_public_key()?;
        let mut salt = [0; 16];
        random.fill(&mut salt)?;
        let theirs = UnparsedPublicKey::new(&ECDH_P256, &self.public_key);
        let (key, nonce) = agree_ephemeral(ours, &theirs, |shared| {
            self.keys(shared, our_key.as_ref(), &salt)
        })??;

        let mut record = message.to_vec();
        // The last record's delimiter, and padding behind it.
        record.push(2);
        let padded = (record.len().next_multiple_of(STEP)).min(RECORD - HEAD - TAG);
        if record.len() > padded {
            return Err(Unspecified);
        }
        record.resize(padded, 0);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?);
        let nonce = Nonce::assume_unique_for_key(nonce);
        key.seal_in_place_append_tag(nonce, Aad::empty(), &mut record)?;

        let mut body = Vec::with_capacity(HEAD + record.len());
        body.extend_from_slice(&salt);
        body.extend_from_slice(&(RECORD as u32).to_be_bytes());
        body.push(PUBLIC_KEY as u8);
        body.extend_from_slice(our_key.as_ref());
        body.append(&mut record);
        Ok(body)
    }

    /// The content-encryption key and its nonce, each used once.
    fn keys(
        &self,
        shared: &[u8],
        our_key: &[u8],
        salt: &[u8],
    ) -> Result<([u8; 16], [u8; 12]), Unspecified> {
        let combined: [u8; 32] = expand(
            &self.secret,
            shared,
            &[b"WebPush: info\0", &self.public_key, our_key],
        )?;
        Ok((
            expand(salt, &combined, &[b"Content-Encoding: aes128gcm\0"])?,
            expand(salt, &combined, &[b"Content-Encoding: nonce\0"])?,
        ))
    }
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn expand<const N: usize>(
    salt: &[u8],
    secret: &[u8],
    info: &[&[u8]],
) -> Result<[u8; N], Unspecified> {
    let mut key = [0; N];
    let extracted = Salt::new(HKDF_SHA256, salt).extract(secret);
    extracted.expand(info, Length(N))?.fill(&mut key)?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;

    /// Of RFC 8291, section 5.
    const P256DH: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

    #[test]
    fn the_keys_are_those_of_the_standard() {
        let browser = BrowserKeys::parse(P256DH, AUTH).unwrap();
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
        let shared = decode("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let our_key = decode(
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
        );
        let salt = decode("DGv6ra1nlYgDCS1FRnbzlw");
        let (key, nonce) = browser.keys(&shared, &our_key, &salt).unwrap();
        assert_eq!(key.to_vec(), decode("oIhVW04MRdy2XN9CiKLxTg"));
        assert_eq!(nonce.to_vec(), decode("4h_95klXJ5E_qnoN"));
    }

    #[test]
    fn a_malformed_key_is_refused() {
        let off_the_curve = format!("B{}", "A".repeat(86));
        for (p256dh, auth) in [
            (off_the_curve.as_str(), AUTH),
            (&P256DH[..86], AUTH),
            ("", AUTH),
            ("ä", AUTH),
            (P256DH, ""),
            (P256DH, "BTBZMqHH6r4Tts7J_aSI"),
            (P256DH, "!!!!!!!!!!!!!!!!!!!!!!"),
        ] {
            let parsed = BrowserKeys::parse(p256dh, auth);
            assert!(parsed.is_err(), "{p256dh} {auth}");
        }
        assert!(BrowserKeys::parse(&format!("{P256DH}="), &format!("{AUTH}==")).is_ok());
    }

    #[test]
    fn a_sealed_message_fits_and_its_length_reveals_little() {
        let browser = BrowserKeys::parse(P256DH, AUTH).unwrap();
        let length = |bytes: usize| browser.seal(&vec![b'x'; bytes]).map(|body| body.len());
        assert_eq!(length(1), length(STEP - 1));
        assert!(length(STEP).unwrap() > length(STEP - 1).unwrap());
        assert_eq!(length(MAX_PLAINTEXT_BYTES), Ok(RECORD));
        assert!(length(MAX_PLAINTEXT_BYTES + 1).is_err());
        assert_ne!(
            browser.seal(b"x"),
            browser.seal(b"x"),
            "each has its own keys"
        );
    }
}
