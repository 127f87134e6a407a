//! Finds where JSON values end without reading them, so that one broken entry of a list is
//! refused by itself and every entry's own text can be kept.

/// The bytes of the value that starts at `start`; none where the text ends in the middle of it.
pub(super) fn value_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'"' => at = string_end(bytes, at)?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            _ if depth == 0 => at = bare_end(bytes, at),
            _ => at += 1,
        }
        if depth == 0 {
            return (at > start).then_some(at);
        }
    }
}

/// Past the closing quote of the string that starts at `start`.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// Past a number, true, false, null, or whatever else stands between delimiters.
fn bare_end(bytes: &[u8], start: usize) -> usize {
    let delimits = |b: &u8| {
        matches!(b, b',' | b':' | b'"' | b'{' | b'}' | b'[' | b']') || b.is_ascii_whitespace()
    };
    let length = bytes[start..].iter().position(delimits);
    length.map_or(bytes.len(), |length| start + length)
}

pub(super) fn skip_space(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches([' ', '\t', '\r', '\n']).len()
}

/// Past `mark` and the space around it, where it comes next.
pub(super) fn skip(text: &str, at: usize, mark: char) -> Option<usize> {
    let at = skip_space(text, at);
    text[at..]
        .starts_with(mark)
        .then(|| skip_space(text, at + mark.len_utf8()))
}

/// Where the list (or the one object) starts that an object holds under one of `names`.
pub(super) fn member(text: &str, start: usize, names: &[&str]) -> Option<usize> {
    let mut at = skip(text, start, '{')?;
    loop {
        let name_end = string_end(text.as_bytes(), at).filter(|_| text[at..].starts_with('"'))?;
        let name = &text[at + 1..name_end - 1];
        at = skip(text, name_end, ':')?;
        if names.contains(&name) && text[at..].starts_with(['[', '{']) {
            return Some(at);
        }
        at = skip(text, value_end(text, at)?, ',')?;
    }
}

/// 1-based.
pub(super) fn line_at(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at]
        .iter()
        .filter(|&&b| b == b'\n')
        .count()
}
