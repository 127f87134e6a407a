//! Texts that people and files bring, made fit to be kept, shown and found.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Characters of a job's text: a long warranty story has about 8,000.
pub const MAX_TEXT_CHARS: usize = 20_000;

/// Characters of a wrong value that an answer repeats.
const MAX_QUOTED_CHARS: usize = 80;

/// Without control characters (PostgreSQL refuses NUL, and the others have no place on a screen),
/// line ends and tabs excepted, and without space around it.
pub fn cleaned(text: &str) -> String {
    let kept = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    // Most texts are clean, and an import has a hundred thousand.
    if text.chars().all(kept) {
        return text.trim().to_owned();
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text: String = text.chars().filter(|c| kept(*c)).collect();
    text.trim().to_owned()
}

/// Cleaned, and on one line.
pub fn one_line(text: &str) -> String {
    cleaned(text).replace(['\n', '\t'], " ")
}

/// A wrong value as an answer repeats it: on one line and not too long.
pub fn quotable(text: &str) -> String {
    let text = one_line(text);
    match text.char_indices().nth(MAX_QUOTED_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// As people look for it: whatever the letters' case and accents, and however they are composed. By way of
/// the capitals, because the capital of ß is SS.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let letters: String = text.nfkd().filter(|c| !is_combining_mark(*c)).collect();
    letters.to_uppercase().to_lowercase()
}

/// The pattern of LIKE that texts with this part match; the escape character is `\`.
pub fn like_part(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\");
    format!("%{}%", escaped.replace('%', "\\%").replace('_', "\\_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_removed_and_line_ends_are_kept() {
        assert_eq!(cleaned(" a\0b\r\nc\u{7f}\td\r"), "ab\nc\td");
        assert_eq!(cleaned("\u{3000}ab\nc \n"), "ab\nc");
    }

    #[test]
    fn a_wrong_value_is_repeated_on_one_short_line() {
        assert_eq!(quotable("a\nb"), "a b");
        assert_eq!(quotable(&"ü".repeat(100)).chars().count(), 83);
    }

    #[test]
    fn a_text_is_found_without_its_accents() {
        for (text, expected) in [
            ("Nguyễn, Thị Hạnh", "nguyen, thi hanh"),
            ("MÜLLER & Söhne, Straße", "muller & sohne, strasse"),
            ("HONDA Civic-9", "honda civic-9"),
            ("u\u{308}ber", "uber"),
            ("１２３", "123"),
        ] {
            assert_eq!(folded(text), expected);
        }
    }
}
