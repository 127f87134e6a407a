//! Shorthand of technicians written out, word by word. Numbers, codes and part numbers are left as they
//! are.

use std::collections::HashMap;

use crate::Language;
use crate::built_in::Catalogue;

/// Words of shorthand, in small letters, and what they stand for.
pub type Shorthand = HashMap<String, String>;

/// Words behind which `rt` and `lt` are sides of the car.
const PLACES: [&str; 17] = [
    "front", "frt", "rear", "side", "wheel", "whl", "lower", "upper", "inner", "outer", "door",
    "hand", "vent", "seat", "fender", "quarter", "turn",
];

/// The text with its shorthand written out.
pub fn expanded(text: &str, language: Language) -> String {
    let shorthand = Catalogue::get().shorthand(language);
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let space = rest.len() - rest.trim_start().len();
        expanded.push_str(&rest[..space]);
        rest = &rest[space..];
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        expanded.push_str(&of_word(word, behind, shorthand));
        rest = behind;
    }
    expanded
}

/// A word between spaces, with the signs around it.
fn of_word(word: &str, behind: &str, shorthand: &Shorthand) -> String {
    let core =
        word.trim_matches(|c: char| matches!(c, ',' | ';' | ':' | '.' | '(' | ')' | '!' | '?'));
    // What is glued to a sign that means a word: `@41250`, `w/TPMS`, `pn:45022`.
    for (sign, long) in [
        ("@", "at"),
        ("w/", "with"),
        ("w/o", "without"),
        ("p/n", "part number"),
    ] {
        if let Some(glued) = core.strip_prefix(sign)
            && glued.chars().next().is_some_and(char::is_alphanumeric)
            && !(sign == "w/" && glued.to_lowercase() == "o")
            && shorthand.contains_key(sign)
        {
            return word.replacen(sign, &format!("{long} "), 1);
        }
    }
    let lower = core.to_lowercase();
    let side = match &*lower {
        "rt" => "right",
        "lt" => "left",
        _ => "",
    };
    let next = behind
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let next = next.trim_end_matches([',', '.']);
    let is_place =
        PLACES.contains(&next) || Catalogue::get().parts.names.iter().any(|name| name == next);
    if !side.is_empty() && is_place && shorthand.contains_key(&*lower) {
        return word.replacen(core, side, 1);
    }
    if let Some(long) = shorthand.get(&word.to_lowercase()) {
        return long.clone();
    }
    match shorthand.get(&lower) {
        Some(long) if !core.is_empty() => {
            let start = word.find(core).unwrap_or_default();
            let (before, after) = (&word[..start], &word[start + core.len()..]);
            // A number follows directly: `pn:45022` is read as two words above.
            format!("{before}{long}{after}")
        }
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorthand_is_written_out_and_figures_stay_as_they_are() {
        for (written, expected) in [
            (
                "r/r frt pads pn 45022-TVA-A01",
                "removed and replaced front pads part number 45022-TVA-A01",
            ),
            (
                "chk tsb 21-034, ff @41250 mi",
                "check technical service bulletin 21-034, freeze frame at 41250 mi",
            ),
            (
                "rt ok, rt front whl brg",
                "road test ok, right front wheel bearing",
            ),
            ("P0301 w/ ff", "P0301 with freeze frame"),
            ("Cust. waiting", "Customer. waiting"),
            ("5W-30 06A 906 088 C", "5W-30 06A 906 088 C"),
        ] {
            assert_eq!(
                expanded(written, Language::En).to_lowercase(),
                expected.to_lowercase()
            );
        }
    }
}
