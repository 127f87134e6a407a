//! From bytes to text, and what every reader makes of the text: rows.

use super::fields::Cells;
use super::values::Flaw;
use super::{Format, Reject, Unreadable};

/// One row of a file: a line of CSV, an object of JSON.
pub(super) struct Row {
    pub(super) place: String,
    pub(super) raw: String,
    pub(super) cells: Cells,
}

/// A reader's answer: each row, or why it cannot be read.
pub(super) type Rows = Vec<Result<Row, Reject>>;

impl Row {
    pub(super) fn refused(self, flaw: Flaw) -> Reject {
        Reject {
            place: self.place,
            field: flaw.field.to_owned(),
            reason: flaw.reason,
            raw: self.raw,
        }
    }
}

/// A row that cannot even be taken apart.
pub(super) fn broken(place: String, raw: &str, reason: String) -> Reject {
    Reject {
        place,
        field: "row".to_owned(),
        reason,
        raw: raw.to_owned(),
    }
}

/// The file as text, without its byte order mark.
pub(super) fn text(bytes: &[u8]) -> Result<&str, Unreadable> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(Unreadable::Utf16);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line_start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        Unreadable::NotUtf8 {
            line: 1 + before.iter().filter(|&&b| b == b'\n').count(),
            column: before.len() - line_start + 1,
        }
    })?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Unreadable::Empty);
    }
    Ok(text)
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Json,
    Csv,
}

pub(super) fn format_of(file_name: &str, text: &str, format: Format) -> Syntax {
    match format {
        Format::Json => Syntax::Json,
        Format::Csv => Syntax::Csv,
        Format::Auto => {
            let ending = file_name
                .rsplit_once('.')
                .map(|(_, ending)| ending.to_ascii_lowercase());
            match ending.as_deref() {
                Some("json" | "ndjson" | "jsonl") => Syntax::Json,
                Some("csv" | "tsv") => Syntax::Csv,
                _ if text.trim_start().starts_with(['[', '{']) => Syntax::Json,
                _ => Syntax::Csv,
            }
        }
    }
}
