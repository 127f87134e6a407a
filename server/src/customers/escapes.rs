//! Characters that JSON and XML write as escapes.

use std::iter;

/// Bytes between the `&` and the `;` of an entity: the longest are of the kind `#x10FFFF`.
const MAX_ENTITY_BYTES: usize = 8;

/// The text with its escapes replaced, whatever the text is: one that only looks like an escape is replaced, too.
pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '&']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        match json_escape(rest).or_else(|| xml_entity(rest)) {
            Some((letter, length)) => {
                plain.push(letter);
                rest = &rest[length..];
            }
            None => {
                plain.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// The character of the escape with which the text begins, and the escape's bytes. Line ends and the like become
/// spaces.
fn json_escape(text: &str) -> Option<(char, usize)> {
    let letter = text.strip_prefix('\\')?.chars().next()?;
    match letter {
        'b' | 'f' | 'n' | 'r' | 't' => Some((' ', 2)),
        '"' | '\\' | '/' => Some((letter, 2)),
        'u' => {
            // A character beyond U+FFFF has two of them.
            let second = text.get(6..).and_then(code_unit);
            let units = iter::once(code_unit(text)?).chain(second);
            let letter = char::decode_utf16(units).next()?.ok()?;
            Some((letter, 6 * letter.len_utf16()))
        }
        _ => None,
    }
}

/// Of the `\u00fc` with which the text begins.
fn code_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

/// The same for `&#252;`, `&#xFC;` and the entities that every XML has.
fn xml_entity(text: &str) -> Option<(char, usize)> {
    let inner = text.strip_prefix('&')?;
    let end = inner
        .bytes()
        .take(MAX_ENTITY_BYTES + 1)
        .position(|byte| byte == b';')?;
    let letter = match &inner[..end] {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        name => {
            let number = name.strip_prefix('#')?;
            let value = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(value.ok()?)?
        }
    };
    Some((letter, end + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_json_and_of_xml_become_characters() {
        for (text, plain) in [
            (r"M\u00fcller", "Müller"),
            (r"M\u00FCller\/\u20ac", "Müller/€"),
            (r"\ud83d\ude97 and \u00e9", "🚗 and é"),
            (r#"say \"Ann\"\nMiller"#, "say \"Ann\" Miller"),
            ("M&#252;ller &amp; S&#xF6;hne", "Müller & Söhne"),
            ("&lt;&gt;&quot;&apos;", "<>\"'"),
        ] {
            assert_eq!(unescaped(text), plain, "{text}");
        }
    }

    #[test]
    fn what_is_no_escape_stays() {
        for text in [
            r"C:\cars\4389",
            r"half \ud83d a pair, \u12",
            "a\\",
            "\\é \\u00é1",
            "R&D; A&B, &;, &#;, &#x110000;, &nothing;",
            "&",
            "& é;",
        ] {
            assert_eq!(unescaped(text), text);
        }
    }
}
