//! Events as comma-separated values that a spreadsheet takes for texts and for nothing else, whatever
//! it separates cells by: every cell is in quotation marks, and none begins as a formula does.

use super::super::store::EventRow;

pub(in crate::audit) const HEADER: [&str; 13] = [
    "id", "time", "event", "outcome", "reason", "address", "actor", "who", "who_id", "about",
    "about_id", "detail", "count",
];

/// So that spreadsheets take it for UTF-8.
pub(in crate::audit) const BYTE_ORDER_MARK: &str = "\u{feff}";

pub(in crate::audit) fn row(event: &EventRow) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    line([
        event.id.to_string(),
        event.time().to_string(),
        event.kind.clone(),
        event.outcome.clone(),
        text(&event.reason),
        text(&event.address),
        event.actor_kind.clone(),
        text(&event.actor_name),
        text(&event.actor_id),
        text(&event.subject_name),
        text(&event.subject_id),
        text(&event.detail),
        event.count.to_string(),
    ])
}

pub(in crate::audit) fn line(cells: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|text| cell(text.as_ref())).collect();
    format!("{}\r\n", cells.join(","))
}

/// In quotation marks. An apostrophe makes text of what begins as a formula, also behind what some
/// locale separates cells by: a spreadsheet that splits there takes no notice of ours.
fn cell(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 2);
    if begins_formula(text) {
        safe.push('\'');
    }
    for (place, c) in text.char_indices() {
        safe.push(c);
        if SEPARATORS.contains(&c) && begins_formula(&text[place + c.len_utf8()..]) {
            safe.push('\'');
        }
    }
    format!("\"{}\"", safe.replace('"', "\"\""))
}

/// What separates cells somewhere.
const SEPARATORS: [char; 7] = [',', ';', '|', '\t', '\r', '\n', '"'];

/// What a formula begins with, also as East Asian keyboards write it.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

fn begins_formula(text: &str) -> bool {
    let is_passed_over = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
    text.starts_with(['\t', '\r']) || text.trim_start_matches(is_passed_over).starts_with(FORMULA)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_begins_as_a_formula_and_every_one_is_quoted() {
        for (text, written) in [
            ("ann@example.com", r#""ann@example.com""#),
            ("", r#""""#),
            ("=1+1", r#""'=1+1""#),
            ("+49", r#""'+49""#),
            ("-1", r#""'-1""#),
            ("@SUM(1)", r#""'@SUM(1)""#),
            ("\t=1", "\"'\t'=1\""),
            ("\r=1", "\"'\r'=1\""),
            (" =1", r#""' =1""#),
            (r#""=1"#, r#""'""'=1""#),
            ("a;b,c\td", "\"a;b,c\td\""),
            (r#"a";=1"#, r#""a"";'=1""#),
            ("a;=1", r#""a;'=1""#),
            ("a, +1|@b", r#""a,' +1|'@b""#),
            ("a=b-c", r#""a=b-c""#),
            ("＝1", r#""'＝1""#),
        ] {
            assert_eq!(cell(text), written);
        }
        assert_eq!(line(["a", "b"]), "\"a\",\"b\"\r\n");
    }
}
