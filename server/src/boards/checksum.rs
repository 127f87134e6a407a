//! What a board shows, in eight signs: the CRC-32 of its cards as JSON, just as they were sent,
//! sorted by key, each with a line end behind it. The web makes the same of what it has; both are
//! held against `checksums.json`.

use crc32fast::Hasher;

/// `cards`: sorted by key.
pub fn checksum<'a>(cards: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Hasher::new();
    for card in cards {
        hasher.update(card.as_bytes());
        hasher.update(b"\n");
    }
    format!("{:08x}", hasher.finalize())
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    #[derive(serde::Deserialize)]
    struct Vector<'a> {
        what: String,
        #[serde(borrow)]
        cards: Vec<&'a RawValue>,
        checksum: String,
    }

    #[test]
    fn it_is_what_the_vectors_say() {
        let vectors: Vec<Vector> = serde_json::from_str(include_str!("checksums.json")).unwrap();
        assert!(vectors.len() >= 5);
        for vector in vectors {
            let cards = vector.cards.iter().map(|card| card.get());
            assert_eq!(checksum(cards), vector.checksum, "{}", vector.what);
        }
    }
}
