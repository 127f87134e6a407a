//! Texts of requests, made fit for a line, a cell and a screen: what is kept of one cannot pass for
//! something else.

pub(crate) use crate::log_lines::is_hidden;

/// Characters of a text that are kept; emails have at most 254.
const MAX_TEXT: usize = 260;

/// On one line, without what is not seen or moves what is beside it, and not too long.
pub(in crate::audit) fn plain(text: &str) -> String {
    // Nearly every text, and each request has two of them.
    let is_plain = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
    if text.len() <= MAX_TEXT && text.bytes().all(is_plain) {
        return text.trim_end().to_owned();
    }
    let mut kept: String = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !is_hidden(*c))
        .take(MAX_TEXT)
        .collect();
    kept.truncate(kept.trim_end().len());
    kept
}

/// In quotation marks, with those of the text and its backslashes escaped.
pub(in crate::audit) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in plain(text).chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn invisible_and_direction_changing_characters_are_removed() {
        assert_eq!(plain("ann\r\nINFO audit: b"), "ann  INFO audit: b");
        assert_eq!(plain("\u{1b}[31mred\u{1b}[0m"), "[31mred[0m");
        assert_eq!(
            plain("a\u{202e}b\u{2066}c\u{200b}d\u{feff}e\u{2028}f\u{85}g\u{e0041}"),
            "abcde f g"
        );
        assert_eq!(plain("Jürgen Łódź 王"), "Jürgen Łódź 王");
        assert_eq!(plain(&"x".repeat(1_000)).len(), MAX_TEXT);
    }

    #[test]
    fn a_quotation_mark_does_not_end_a_text() {
        assert_eq!(quoted(r#"a" b\"#), r#""a\" b\\""#);
    }

    proptest! {
        /// Whatever is sent, it is one line of printable text, whose quotation ends where it ends.
        #[test]
        fn a_text_stays_within_its_quotation_marks(text in "\\PC*|[\\x00-\\xff]*") {
            let quoted = quoted(&text);
            prop_assert!(!quoted.chars().any(is_hidden));
            let inside = &quoted[1..quoted.len() - 1];
            let unescaped = inside.replace(r"\\", "").replace(r#"\""#, "");
            prop_assert!(!unescaped.contains('"') && !unescaped.contains('\\'));
        }
    }
}
