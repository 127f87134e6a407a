//! The part that failed, as it was called.

use super::catalogue::{Catalogue, Section};
use super::entries::Entries;

/// What the cause names, and where it names none, the finding or what was replaced.
pub fn causal_part(entries: &Entries) -> Option<String> {
    let notes = |section| {
        let clauses = entries
            .notes
            .iter()
            .filter(move |clause| clause.section == section);
        clauses.map(|clause| clause.text.as_str())
    };
    let cause = entries.cause.iter().map(String::as_str);
    cause
        .chain(notes(Section::Cause))
        .chain(notes(Section::Correction))
        .find_map(named)
}

/// The first part that a text names, with the words before it that belong to its name.
pub fn named(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.to_lowercase()
    };
    let parts = &Catalogue::get().parts;
    let is_name = |word: &str| {
        let word = bare(word);
        parts.names.iter().any(|name| match name.strip_prefix('*') {
            Some(end) => word.ends_with(end),
            None => word == *name,
        })
    };
    let ends = |word: &str| word.ends_with([',', '.', ';', ':']);
    let mut last = words.iter().position(|word| is_name(word))?;
    // "battery neg clamp" is called by its last word.
    loop {
        let next = (last + 1..=last + 2).take_while(|&at| at < words.len() && !ends(words[at - 1]));
        let next: Vec<usize> = next.collect();
        match next[..] {
            [one, ..] if is_name(words[one]) => last = one,
            [one, two] if parts.before.contains(&bare(words[one])) && is_name(words[two]) => {
                last = two
            }
            _ => break,
        }
    }
    let mut first = last;
    while first > 0 && !ends(words[first - 1]) {
        let before = words[first - 1];
        if !is_name(before) && !parts.before.contains(&bare(before)) {
            break;
        }
        first -= 1;
    }
    let name = words[first..=last].join(" ");
    let name = name.trim_matches(|c: char| !c.is_alphanumeric());
    Some(name.to_owned())
}
