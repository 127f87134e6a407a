//! What every reader makes of a file: rows.

use super::buffer::Buffer;
use super::fields::Cells;
use super::values::Flaw;
use super::{Format, Reject, SaidTechnician};

/// One row of a file: a line of CSV, an object of JSON.
pub(super) struct Row {
    pub(super) place: String,
    pub(super) raw: String,
    pub(super) cells: Cells,
    /// Those of nested lists, which no cell can hold.
    pub(super) technicians: Vec<SaidTechnician>,
    /// They are all of the order's: also when there is none.
    pub(super) says_technicians: bool,
    pub(super) warnings: Vec<String>,
}

/// What a reader finds in its file.
pub(super) enum Found {
    Row(Row),
    Refused(Reject),
    /// Refused too, and the first byte that is no character, line and column from 1.
    NotUtf8 {
        reject: Reject,
        line: usize,
        column: usize,
    },
}

impl Row {
    pub(super) fn new(place: String, raw: &str, cells: Cells) -> Self {
        Self {
            place,
            raw: raw.to_owned(),
            cells,
            technicians: Vec::new(),
            says_technicians: false,
            warnings: Vec::new(),
        }
    }

    pub(super) fn refused(self, flaw: Flaw) -> Reject {
        Reject {
            place: self.place,
            field: flaw.field.to_owned(),
            reason: flaw.reason,
            raw: self.raw,
        }
    }
}

impl Found {
    pub(super) fn broken(place: String, raw: &str, reason: String) -> Self {
        Found::Refused(broken(place, raw, reason))
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

/// Bytes of an over-long row that its reject keeps.
const KEPT: usize = 64 * 1024;

pub(super) fn too_long(place: String, start: &[u8]) -> Found {
    let kept = String::from_utf8_lossy(&start[..start.len().min(KEPT)]);
    let reason =
        "The row is longer than 8 MB and was not read; its first 64 KB are kept here: shorten it";
    Found::broken(place, &kept, reason.to_owned())
}

/// `raw` is not UTF-8 at line and column `at`.
pub(super) fn not_utf8(place: String, raw: &[u8], at: (usize, usize)) -> Found {
    let (line, column) = at;
    let reason = format!(
        "Byte {column} of line {line} is no character of UTF-8: save the file as UTF-8 \
         (a spreadsheet calls it 'CSV UTF-8')"
    );
    Found::NotUtf8 {
        reject: broken(place, &String::from_utf8_lossy(raw), reason),
        line,
        column,
    }
}

/// The next `end` bytes as text, or line and column of the first that is no character.
pub(super) fn text_of(buffer: &Buffer, end: usize) -> Result<&str, (usize, usize)> {
    std::str::from_utf8(&buffer.rest()[..end]).map_err(|error| buffer.position(error.valid_up_to()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Json,
    Csv,
}

/// By what is asked for, else the file's name; none where its first character must tell.
pub(super) fn syntax_of(file_name: &str, format: Format) -> Option<Syntax> {
    match format {
        Format::Json | Format::Cdk => Some(Syntax::Json),
        Format::Csv => Some(Syntax::Csv),
        Format::Auto | Format::Star => {
            let ending = file_name
                .rsplit_once('.')
                .map(|(_, ending)| ending.to_ascii_lowercase());
            match ending.as_deref() {
                Some("json" | "ndjson" | "jsonl") => Some(Syntax::Json),
                Some("csv" | "tsv") => Some(Syntax::Csv),
                _ => None,
            }
        }
    }
}
