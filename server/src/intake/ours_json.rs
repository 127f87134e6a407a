//! JSON with our names: a list, a list under `data` or `result` (our own list's answer), one
//! object, or one object a line.

use serde_json::{Map, Value};

use super::fields::Cells;
use super::json_text::{line_at, member, skip, skip_space, value_end};
use super::reader::{Row, Rows, broken};
use super::values::is_blank;
use super::{Reject, Unreadable};

/// What the list (or the one object) stands in.
#[derive(Clone, Copy)]
enum Around {
    Nothing,
    AnObject,
}

pub(super) fn rows(text: &str) -> Result<Rows, Unreadable> {
    let start = skip_space(text, 0);
    if text[start..].starts_with('[') {
        return list(text, start, Around::Nothing);
    }
    if let Some(inner) = member(text, start, &["data", "result"]) {
        return if text[inner..].starts_with('[') {
            list(text, inner, Around::AnObject)
        } else {
            one(text, inner, Around::AnObject)
        };
    }
    let one_on_several_lines = text[start..].starts_with('{')
        && value_end(text, start)
            .is_some_and(|end| text[start..end].contains('\n') && is_blank(&text[end..]));
    if one_on_several_lines {
        one(text, start, Around::Nothing)
    } else {
        lines(text)
    }
}

/// The entries of the list at `start`. What cannot be taken apart any further, because the file
/// ends too early or a comma is missing, is refused as the entry it starts with.
fn list(text: &str, start: usize, around: Around) -> Result<Rows, Unreadable> {
    let mut rows = Rows::new();
    let mut at = skip_space(text, start + 1);
    let mut after_comma = false;
    loop {
        let place = format!("entry {}", rows.len() + 1);
        if let Some(end) = skip(text, at, ']').filter(|_| !after_comma) {
            rows.extend(leftover(text, end, around).map(Err));
            return Ok(rows);
        }
        let Some(end) = value_end(text, at) else {
            let reason = match text[at..].chars().next() {
                None => "The file ends before its list does: export it again",
                Some(',' | ']') => "There is a comma too many: take it out",
                Some(_) => {
                    "The file ends within this entry, or a quote or bracket of it is not closed: export it again"
                }
            };
            return give_up(text, at, place, reason, rows);
        };
        rows.push(entry(place.clone(), &text[at..end]));
        match (skip(text, end, ','), skip(text, end, ']')) {
            (Some(next), _) => (at, after_comma) = (next, true),
            (None, Some(_)) => (at, after_comma) = (end, false),
            (None, None) => {
                let at = skip_space(text, end);
                let place = format!("entry {}", rows.len() + 1);
                let reason = if at == text.len() {
                    "The file ends before its list does: export it again"
                } else {
                    "A comma is missing before this entry: add it"
                };
                return give_up(text, at, place, reason, rows);
            }
        }
    }
}

fn give_up(
    text: &str,
    at: usize,
    place: String,
    reason: &str,
    mut rows: Rows,
) -> Result<Rows, Unreadable> {
    if rows.is_empty() {
        let line = line_at(text, at);
        return Err(Unreadable::BrokenJson {
            line,
            reason: reason.to_owned(),
        });
    }
    rows.push(Err(broken(place, &text[at..], reason.to_owned())));
    Ok(rows)
}

fn one(text: &str, start: usize, around: Around) -> Result<Rows, Unreadable> {
    let Some(end) = value_end(text, start) else {
        let reason = "The file ends within it: export it again".to_owned();
        return Err(Unreadable::BrokenJson {
            line: line_at(text, start),
            reason,
        });
    };
    let row = entry("entry 1".to_owned(), &text[start..end]);
    let leftover = leftover(text, end, around).map(Err);
    Ok(std::iter::once(row).chain(leftover).collect())
}

/// What stands behind all entries but does not belong there.
fn leftover(text: &str, end: usize, around: Around) -> Option<Reject> {
    let rest = text[end..].trim();
    let belongs = match around {
        _ if rest.is_empty() => true,
        Around::Nothing => false,
        Around::AnObject => {
            // Its other members, read as an object of their own.
            let members = rest.strip_prefix(',').unwrap_or(rest);
            serde_json::from_str::<Map<String, Value>>(&format!("{{{members}")).is_ok()
        }
    };
    (!belongs).then(|| {
        let reason = "This stands behind the list and was not read: put all entries into one list";
        broken("the end".to_owned(), rest, reason.to_owned())
    })
}

/// One object a line.
fn lines(text: &str) -> Result<Rows, Unreadable> {
    let lines = || text.lines().enumerate().filter(|(_, line)| !is_blank(line));
    let whole = |line: &str| line.starts_with('{') && value_end(line, 0) == Some(line.len());
    if !lines().any(|(_, line)| whole(line.trim())) {
        let (index, first) = lines().next().ok_or(Unreadable::Empty)?;
        let reason = match serde_json::from_str::<Value>(first) {
            Ok(_) => "This is no list and no object".to_owned(),
            Err(error) => error.to_string(),
        };
        return Err(Unreadable::BrokenJson {
            line: index + 1,
            reason,
        });
    }
    Ok(lines()
        .map(|(index, line)| entry(format!("line {}", index + 1), line.trim()))
        .collect())
}

fn entry(place: String, raw: &str) -> Result<Row, Reject> {
    match serde_json::from_str(raw) {
        Ok(Value::Object(object)) => Ok(Row {
            place,
            raw: raw.to_owned(),
            cells: Cells::of_object(object),
        }),
        Ok(_) => {
            let reason = "This is no object: write a repair order as {\"repairOrderNumber\": ...}";
            Err(broken(place, raw, reason.to_owned()))
        }
        Err(error) => Err(broken(place, raw, why_unreadable(&error))),
    }
}

/// serde_json's own words for half a surrogate pair say nothing to whoever must correct the file.
pub(super) fn why_unreadable(error: &serde_json::Error) -> String {
    let words = error.to_string();
    if words.contains("surrogate") || words.contains("hex escape") {
        format!(
            "A \\u escape is only half a character (a lone surrogate): write the whole character ({words})"
        )
    } else {
        format!("This is not valid JSON: correct it ({words})")
    }
}
