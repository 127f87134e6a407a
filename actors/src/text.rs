//! Texts that people and files bring, made fit to be kept and shown.

/// Characters of a job's text: a long warranty story has about 8,000.
pub const MAX_TEXT_CHARS: usize = 20_000;

/// Characters of a wrong value that an answer repeats.
const MAX_QUOTED_CHARS: usize = 80;

/// Without control characters (PostgreSQL refuses NUL, and the others have no place on a screen),
/// line ends and tabs excepted, and without space around it.
pub fn cleaned(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let kept = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    text.chars()
        .filter(kept)
        .collect::<String>()
        .trim()
        .to_owned()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_removed_and_line_ends_are_kept() {
        assert_eq!(cleaned(" a\0b\r\nc\u{7f}\td\r"), "ab\nc\td");
    }

    #[test]
    fn a_wrong_value_is_repeated_on_one_short_line() {
        assert_eq!(quotable("a\nb"), "a b");
        assert_eq!(quotable(&"ü".repeat(100)).chars().count(), 83);
    }
}
