//! The facts that a text states, each with where it stands.

use super::days::{Date, named_day, numeric_day};
use super::quantities::{Quantity, numeral, quantity, spelled};
use super::words::{Word, words};

/// A fact, and where it stands, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    pub start: usize,
    pub end: usize,
    pub value: FactValue,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FactValue {
    Number(Quantity),
    Date(Date),
    /// A trouble code: letters and digits of it, in capitals.
    Code(String),
    /// Letters and digits of whatever else has digits in it: part numbers, grades, sizes.
    Mark(String),
}

/// Letters and digits alone, in capitals.
pub fn mark(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_uppercase)
        .collect()
}

/// Such as P0301, or U010000 with the byte that says how it failed.
pub fn is_trouble_code(mark: &str) -> bool {
    let bytes = mark.as_bytes();
    matches!(bytes.len(), 5 | 7)
        && matches!(bytes[0], b'P' | b'B' | b'C' | b'U')
        && matches!(bytes[1], b'0'..=b'3')
        && bytes[2..].iter().all(u8::is_ascii_hexdigit)
}

pub fn facts(text: &str) -> Vec<Fact> {
    let words = words(text);
    let mut facts = Vec::new();
    let mut marker = 1;
    let mut at = 0;
    while at < words.len() {
        if is_list_marker(text, &words[at], marker) {
            marker += 1;
            at += 1;
        } else if let Some(count) = spaced_part_number(text, &words[at..]) {
            let (start, end) = (words[at].start, words[at + count - 1].end());
            facts.push(Fact {
                start,
                end,
                value: FactValue::Mark(mark(&text[start..end])),
            });
            at += count;
        } else if let Some((count, date)) = named_day(text, &words[at..]) {
            facts.push(Fact {
                start: words[at].start,
                end: words[at + count - 1].end(),
                value: FactValue::Date(date),
            });
            at += count;
        } else if let Some((count, value)) = spelled(&words[at..]) {
            facts.push(number(text, &words, at, count, vec![value], None));
            at += count;
        } else {
            of_word(text, &words, at, &mut facts);
            at += 1;
        }
    }
    facts
}

/// How many words are one part number, as European makers write theirs: `06A 906 088 C`,
/// `11 42 8 507 683`, `A 000 905 35 03`.
fn spaced_part_number(text: &str, words: &[Word]) -> Option<usize> {
    let is_spaced = |count: usize| {
        words.len() >= count
            && words[..count]
                .windows(2)
                .all(|pair| text[pair[0].end()..pair[1].start] == *" ")
    };
    let digits = |at: usize, count: usize| {
        let word: &Word = &words[at];
        word.text.len() == count && word.text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let capitals = |word: &Word| word.text.bytes().all(|byte| byte.is_ascii_uppercase());
    if is_spaced(5) && digits(0, 2) && digits(1, 2) && digits(2, 1) && digits(3, 3) && digits(4, 3)
    {
        return Some(5);
    }
    if is_spaced(5)
        && words[0].text == "A"
        && digits(1, 3)
        && digits(2, 3)
        && digits(3, 2)
        && digits(4, 2)
    {
        return Some(5);
    }
    let begins_group = |word: &Word| {
        word.text.len() == 3
            && word.text.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && word.has_digit()
    };
    if !(is_spaced(3) && begins_group(&words[0]) && digits(1, 3) && digits(2, 3)) {
        return None;
    }
    let has_letter = is_spaced(4) && words[3].text.len() <= 2 && capitals(&words[3]);
    Some(if has_letter { 4 } else { 3 })
}

/// The number that a list's next entry begins with is no fact.
fn is_list_marker(text: &str, word: &Word, next: u32) -> bool {
    word.begins_line
        && word.text == next.to_string()
        && (text[word.end()..].starts_with(". ") || text[word.end()..].starts_with(") "))
}

fn of_word(text: &str, words: &[Word], at: usize, facts: &mut Vec<Fact>) {
    let word = words[at];
    if !word.has_digit() {
        return;
    }
    let whole = |value| Fact {
        start: word.start,
        end: word.end(),
        value,
    };
    let marked = mark(word.text);
    if let Some(date) = numeric_day(word.text) {
        facts.push(whole(FactValue::Date(date)));
    } else if is_trouble_code(&marked)
        && word
            .text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | ':'))
    {
        facts.push(whole(FactValue::Code(marked)));
    } else if let Some((values, unit)) = numeral(word.text) {
        facts.push(number(text, words, at, 1, values, unit));
    } else if is_one_mark(word.text, &marked) {
        facts.push(whole(FactValue::Mark(marked)));
    } else {
        let pieces = word.pieces();
        if pieces.len() > 1 {
            for piece in 0..pieces.len() {
                of_word(text, &pieces, piece, facts);
            }
        } else {
            facts.push(whole(FactValue::Mark(marked)));
        }
    }
}

/// Whether a word with signs in it is one thing rather than several: a part number or a grade, and
/// neither a range nor two codes.
fn is_one_mark(text: &str, mark: &str) -> bool {
    let is_list = text.contains(['/', ':', ',']);
    let has_letters = mark.chars().any(char::is_alphabetic);
    let codes = text
        .split(['/', '-'])
        .filter(|part| is_trouble_code(&part.to_uppercase()));
    let parts = || text.split('-');
    let hyphened_unit = parts().count() == 2
        && parts().next().is_some_and(|first| numeral(first).is_some())
        && parts()
            .nth(1)
            .is_some_and(|unit| unit.chars().all(char::is_alphabetic));
    codes.count() < 2 && !hyphened_unit && !is_list && (has_letters || mark.len() >= 7)
        || (text.contains('/')
            && !text.contains([':', ','])
            && has_letters
            && mark.len() >= 5
            && is_one_of_letters(text))
}

/// `W712/75`: a mark with a slash, where what follows is not a code or a word of its own.
fn is_one_of_letters(text: &str) -> bool {
    let mut parts = text.split('/');
    let first = parts.next().unwrap_or_default();
    let is_mixed =
        first.chars().any(char::is_alphabetic) && first.chars().any(|c| c.is_ascii_digit());
    is_mixed
        && !is_trouble_code(&first.to_uppercase())
        && parts.all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
}

fn number(
    text: &str,
    words: &[Word],
    at: usize,
    count: usize,
    values: Vec<f64>,
    attached: Option<&'static str>,
) -> Fact {
    let (end, numeral) = quantity(text, words, at, count, values, attached);
    Fact {
        start: words[at].start,
        end,
        value: FactValue::Number(numeral),
    }
}
