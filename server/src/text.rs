//! Texts that people send, made fit to be kept and shown.

use crate::error::ApiError;

/// Characters of a job's text: a long warranty story has about 8,000.
pub const LONGEST_TEXT: usize = 20_000;

/// Characters of a wrong value that an answer repeats.
const LONGEST_QUOTE: usize = 80;

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

/// A job's text, cleaned; 400 when it is too long.
pub fn of_job(text: Option<String>, field: &str) -> Result<Option<String>, ApiError> {
    let Some(text) = text else { return Ok(None) };
    let text = cleaned(&text);
    let length = text.chars().count();
    if length > LONGEST_TEXT {
        return Err(ApiError::invalid(format!(
            "{field} has {length} characters: at most {LONGEST_TEXT} are kept"
        )));
    }
    Ok(Some(text))
}

/// Cleaned, and on one line.
pub fn one_line(text: &str) -> String {
    cleaned(text).replace(['\n', '\t'], " ")
}

/// The same for texts that differ in case alone. By way of the capitals, because the capital of ß
/// is SS.
pub fn folded(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}

/// A wrong value as an answer repeats it: on one line and not too long.
pub fn quotable(text: &str) -> String {
    let text = one_line(text);
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_go_and_line_ends_stay() {
        assert_eq!(cleaned(" a\0b\r\nc\u{7f}\td\r"), "ab\nc\td");
    }

    #[test]
    fn a_wrong_value_is_repeated_on_one_short_line() {
        assert_eq!(quotable("a\nb"), "a b");
        assert_eq!(quotable(&"ü".repeat(100)).chars().count(), 83);
    }

    #[test]
    fn a_text_that_is_too_long_is_refused_by_its_name() {
        let long = "x".repeat(20_001);
        assert_eq!(
            of_job(Some(long), "cause").unwrap_err().error,
            "cause has 20001 characters: at most 20000 are kept"
        );
    }
}
