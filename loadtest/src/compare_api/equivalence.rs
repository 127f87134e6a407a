//! Whether two values are the same but for what must differ between two servers: moments by a
//! little, and ids and tokens as long as one of the old server always stands for one of the new.

use std::collections::HashMap;
use std::time::Duration;

use jiff::Timestamp;
use regex::Regex;
use serde_json::{Number, Value};

use crate::error::LoadTestError;

/// Both servers are asked at the same time, and a busy machine answers late.
const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_secs(120);

/// Of numbers that count time, such as `attendedMs`, in their own unit.
const MAX_ELAPSED_DIFFERENCE: f64 = 120_000.0;

/// Keys of numbers that grow by themselves.
const ELAPSED_SUFFIXES: [&str; 2] = ["Ms", "clockedHours"];

const MAX_HASH_LENGTH_DIFFERENCE: usize = 3;

/// A share of a time that runs, and by which part of itself it may differ.
const ELAPSED_SHARE: &str = "percent";
const MAX_SHARE_DIFFERENCE: f64 = 0.02;

/// Keys of numbers that are the machine's.
const IGNORED_NUMBER: &str = "freeBytes";

/// Numbers of events: what happens at once may get them in another order.
const EVENT_NUMBERS: [&str; 2] = ["seq", "id"];

/// Keys of texts that are random though they look like words.
const RANDOM_KEYS: [&str; 2] = ["secret", "recoveryCodes"];

/// A code to pair a board has this many letters and digits; codes of errors are words.
const PAIRING_CODE: &str = "code";
const PAIRING_CODE_LENGTH: usize = 6;

/// Entries with one of these are in the order of their ids where all else is equal, and the ids are
/// random.
const RANDOM_ID_KEYS: [&str; 2] = ["boardId", "id"];

pub struct Equivalence {
    variable_text: Regex,
    old_to_new: HashMap<String, String>,
    new_to_old: HashMap<String, String>,
}

#[derive(Debug, PartialEq)]
enum Piece<'a> {
    Plain(&'a str),
    Moment(&'a str),
    /// An id, a token or a hash.
    Random(&'a str),
}

impl Equivalence {
    pub fn new() -> Result<Self, LoadTestError> {
        // A moment; one of the servers' data folder; a moment in milliseconds with a number; a UUID;
        // a web token; base64 of 16 bytes or more; hexadecimals of 8 bytes or more; a server's port.
        let variable_text = Regex::new(concat!(
            r"(?P<moment>\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))",
            r"|(?P<random>dispatch-compare-api-\d+/(?:old|new)",
            r"|\b\d{13}\.\d+\b",
            r"|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
            r"|[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]{16,}){2}",
            r"|[A-Za-z0-9_-]{22,}",
            r"|\b[0-9a-f]{16,}\b",
            r"|127\.0\.0\.1:\d{4,5})",
        ))
        .map_err(|error| LoadTestError::Machine(error.to_string()))?;
        Ok(Self {
            variable_text,
            old_to_new: HashMap::new(),
            new_to_old: HashMap::new(),
        })
    }

    /// The JSON paths at which the two differ, with both values.
    pub fn differences(&mut self, old: &Value, new: &Value) -> Vec<(String, String)> {
        let mut found = Vec::new();
        self.compare("", "", old, new, &mut found);
        found
    }

    fn compare(
        &mut self,
        place: &str,
        key: &str,
        old: &Value,
        new: &Value,
        found: &mut Vec<(String, String)>,
    ) {
        match (old, new) {
            (Value::Object(old), Value::Object(new)) => {
                for (key, value) in old {
                    let here = format!("{place}.{key}");
                    match new.get(key) {
                        Some(other) => self.compare(&here, key, value, other, found),
                        None => found.push((here, format!("removed: {value}"))),
                    }
                }
                for (key, value) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
                    found.push((format!("{place}.{key}"), format!("added: {value}")));
                }
            }
            (Value::Array(old), Value::Array(new)) => {
                if old.len() != new.len() {
                    let change = format!("{} -> {} entries", old.len(), new.len());
                    found.push((place.to_owned(), change));
                }
                let new = self.in_the_order_of(old, new);
                for (index, (old, new)) in old.iter().zip(new).enumerate() {
                    self.compare(&format!("{place}[{index}]"), key, old, new, found);
                }
            }
            (Value::String(old), Value::String(new)) => {
                let is_random = is_random_text(key, old) && is_random_text(key, new);
                let is_random = is_random && old.len() == new.len();
                if !is_random && !self.is_same_text(old, new) {
                    found.push((place.to_owned(), format!("{old:?} -> {new:?}")));
                }
            }
            (Value::Number(old), Value::Number(new)) if is_same_time(key, old, new) => {}
            (Value::Number(_), Value::Number(_)) if key == IGNORED_NUMBER => {}
            (old, new) if old == new => {}
            (Value::Number(old), Value::Number(new))
                if EVENT_NUMBERS.contains(&key)
                    && self.is_counterpart(&format!("event {old}"), &format!("event {new}")) => {}
            (old, new) => found.push((place.to_owned(), format!("{old} -> {new}"))),
        }
    }

    pub fn is_same_text(&mut self, old: &str, new: &str) -> bool {
        if old == new {
            return true;
        }
        let pattern = self.variable_text.clone();
        let (old, new) = (pieces(&pattern, old), pieces(&pattern, new));
        old.len() == new.len()
            && old.iter().zip(&new).all(|(old, new)| match (old, new) {
                (Piece::Moment(old), Piece::Moment(new)) => is_same_moment(old, new),
                (Piece::Random(old), Piece::Random(new)) => self.is_counterpart(old, new),
                (old, new) => old == new,
            })
    }

    /// Entries whose random ids are known to belong together stand at the same place.
    fn in_the_order_of<'a>(&self, old: &[Value], new: &'a [Value]) -> Vec<&'a Value> {
        let id = |entry: &'_ Value| {
            let id = RANDOM_ID_KEYS
                .iter()
                .find_map(|key| entry.get(key)?.as_str());
            id.map(str::to_owned)
        };
        let ordered: Option<Vec<&Value>> = old
            .iter()
            .map(|entry| {
                let wanted = self.old_to_new.get(&id(entry)?)?;
                new.iter().find(|it| id(it).as_ref() == Some(wanted))
            })
            .collect();
        match ordered {
            Some(ordered) if old.len() == new.len() => ordered,
            _ => new.iter().collect(),
        }
    }

    fn is_counterpart(&mut self, old: &str, new: &str) -> bool {
        if !is_same_kind(old, new) {
            return false;
        }
        let new_of_old = self
            .old_to_new
            .entry(old.to_owned())
            .or_insert_with(|| new.to_owned());
        let old_of_new = self
            .new_to_old
            .entry(new.to_owned())
            .or_insert_with(|| old.to_owned());
        new_of_old == new && old_of_new == old
    }
}

fn is_same_time(key: &str, old: &Number, new: &Number) -> bool {
    let (Some(old), Some(new)) = (old.as_f64(), new.as_f64()) else {
        return false;
    };
    let difference = (old - new).abs();
    let is_elapsed = ELAPSED_SUFFIXES.iter().any(|suffix| key.ends_with(suffix));
    is_elapsed && difference <= MAX_ELAPSED_DIFFERENCE
        || key == ELAPSED_SHARE && difference <= MAX_SHARE_DIFFERENCE * old.max(new)
}

fn is_random_text(key: &str, text: &str) -> bool {
    let is_code_char = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let is_pairing_code =
        key == PAIRING_CODE && text.len() == PAIRING_CODE_LENGTH && text.bytes().all(is_code_char);
    is_pairing_code || RANDOM_KEYS.contains(&key)
}

fn pieces<'a>(pattern: &Regex, text: &'a str) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    let mut end = 0;
    for found in pattern.captures_iter(text) {
        let (found, piece) = match (found.name("moment"), found.name("random")) {
            (Some(moment), _) => (moment, Piece::Moment(moment.as_str())),
            (None, Some(random)) => (random, Piece::Random(random.as_str())),
            (None, None) => continue,
        };
        pieces.push(Piece::Plain(&text[end..found.start()]));
        pieces.push(piece);
        end = found.end();
    }
    pieces.push(Piece::Plain(&text[end..]));
    pieces
}

fn is_same_moment(old: &str, new: &str) -> bool {
    let same_zone = old.ends_with('Z') == new.ends_with('Z');
    let (Ok(old), Ok(new)) = (old.parse::<Timestamp>(), new.parse::<Timestamp>()) else {
        return false;
    };
    same_zone && old.duration_since(new).unsigned_abs() <= MAX_CLOCK_DIFFERENCE
}

/// The same length and alphabet. A web token's parts may be longer or shorter, and hashes are
/// written without their zeros in front.
fn is_same_kind(old: &str, new: &str) -> bool {
    let shape = |text: &str| {
        let is_hexadecimal = text
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        let points = text.bytes().filter(|byte| *byte == b'.').count();
        let has_length = points == 0 && !text.contains(':');
        (
            is_hexadecimal,
            points,
            if has_length { text.len() } else { 0 },
        )
    };
    let (old, new) = (shape(old), shape(new));
    let is_hash = old.0 && new.0;
    (old.0, old.1) == (new.0, new.1)
        && (old.2 == new.2 || is_hash && old.2.abs_diff(new.2) <= MAX_HASH_LENGTH_DIFFERENCE)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ID: &str = "f81d4fae-7dec-4110-a765-00a0c91e6bf6";
    const OTHER_ID: &str = "0b9d3f6c-1a7e-4a53-8f63-5b0a3f5f3d11";
    const THIRD_ID: &str = "8212fc27-cd83-4406-bbe3-83dafe702915";

    #[test]
    fn an_id_corresponds_to_exactly_one_other_id() {
        let mut same = Equivalence::new().unwrap();
        assert!(same.is_same_text(ID, OTHER_ID));
        assert!(same.is_same_text(&format!("board {ID}"), &format!("board {OTHER_ID}")));
        assert!(!same.is_same_text(ID, THIRD_ID));
        assert!(!same.is_same_text(THIRD_ID, OTHER_ID));
    }

    #[test]
    fn moments_may_differ_by_seconds_and_not_by_hours_or_in_how_their_zone_is_written() {
        let mut same = Equivalence::new().unwrap();
        let moment = "2026-07-14T12:42:00.5Z";
        assert!(same.is_same_text(moment, "2026-07-14T12:42:03Z"));
        assert!(!same.is_same_text(moment, "2026-07-14T13:42:03Z"));
        assert!(!same.is_same_text(moment, "2026-07-14T14:42:00+02:00"));
        assert!(!same.is_same_text(moment, "2026-07-14"));
    }

    #[test]
    fn sentences_numbers_and_keys_differ_by_a_single_character() {
        let mut same = Equivalence::new().unwrap();
        let old =
            json!({ "error": "Order 4 is not known", "version": 1, "hours": 8.0, "gone": null });
        let new = json!({ "error": "Order 5 is not known", "version": 2, "hours": 8, "new": null });
        let places: Vec<String> = same
            .differences(&old, &new)
            .into_iter()
            .map(|(place, _)| place)
            .collect();
        assert_eq!(places, [".error", ".gone", ".hours", ".version", ".new"]);
    }

    #[test]
    fn elapsed_time_may_differ_by_a_little() {
        let mut same = Equivalence::new().unwrap();
        let at = |ms: u64| json!({ "attendedMs": ms, "count": 7 });
        assert_eq!(same.differences(&at(4_983_130), &at(4_983_990)), []);
        assert_eq!(same.differences(&at(4_983_130), &at(9_983_990)).len(), 1);
    }

    #[test]
    fn tokens_have_the_same_length_and_alphabet() {
        let mut same = Equivalence::new().unwrap();
        let (old, new) = (
            "ghL8J82DRAa744Pa_nApFQAAAaIG3",
            "w3IL6bldyyiXx7X6_okUvBqZ8oQl1",
        );
        assert!(same.is_same_text(old, new));
        assert!(!same.is_same_text(old, &new[1..]));
        assert!(!same.is_same_text("fd3c31a8b37596ad", "fd3c31a8b37596AX"));
    }
}
