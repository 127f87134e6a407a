//! What a board shows, in eight signs: the CRC-32 of its cards as JSON, just as they were sent,
//! sorted by key, and of the technicians who are on a card or on the clock, by id, each with a line
//! end behind it. The web makes the same of what it has; both are held against `checksums.json`.

use std::fmt;

use crc32fast::Hasher;

#[derive(Clone, Copy, Debug, Default)]
pub struct Checksum(u32);

impl Checksum {
    /// Of what was before, and these lines behind it.
    pub fn and<'a>(self, lines: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hasher = Hasher::new_with_initial(self.0);
        for line in lines {
            hasher.update(line.as_bytes());
            hasher.update(b"\n");
        }
        Self(hasher.finalize())
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
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
        #[serde(borrow, default)]
        technicians: Vec<&'a RawValue>,
        checksum: String,
    }

    #[test]
    fn checksums_equal_the_test_vectors() {
        let vectors: Vec<Vector> = serde_json::from_str(include_str!("checksums.json")).unwrap();
        assert!(vectors.len() >= 5);
        for vector in vectors {
            let cards = vector.cards.iter().map(|card| card.get());
            let technicians = vector.technicians.iter().map(|technician| technician.get());
            let checksum = Checksum::default().and(cards).and(technicians);
            assert_eq!(checksum.to_string(), vector.checksum, "{}", vector.what);
        }
    }
}
