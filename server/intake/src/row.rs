//! One row of a file: what every syntax reads and every order is made of.

use crate::fields::{Cells, FieldError};
use crate::record::{DmsTechnician, Reject};

/// Bytes of an over-long row that its reject keeps.
const MAX_KEPT_BYTES: usize = 64 * 1024;

/// A line of CSV, or an object of JSON.
pub(crate) struct Row {
    pub(crate) place: String,
    pub(crate) raw: String,
    pub(crate) cells: Cells,
    /// Those of nested lists, which no cell can hold.
    pub(crate) technicians: Vec<DmsTechnician>,
    /// The row has all technicians of the order: also when there is none.
    pub(crate) has_all_technicians: bool,
    pub(crate) warnings: Vec<String>,
}

impl Row {
    pub(crate) fn new(place: String, raw: &str, cells: Cells) -> Self {
        Self {
            place,
            raw: raw.to_owned(),
            cells,
            technicians: Vec::new(),
            has_all_technicians: false,
            warnings: Vec::new(),
        }
    }

    pub(crate) fn rejected(self, error: FieldError) -> Reject {
        Reject {
            place: self.place,
            field: error.field.name().to_owned(),
            reason: error.reason,
            raw: self.raw,
        }
    }
}

/// What a syntax makes of the bytes of one row.
pub(crate) enum ParsedRow {
    Row(Row),
    Rejected(Reject),
    /// Rejected too. Line and column, from 1, are those of the first byte that is not UTF-8.
    NotUtf8 {
        reject: Reject,
        line: usize,
        column: usize,
    },
}

impl ParsedRow {
    /// A row that cannot even be taken apart.
    pub(crate) fn broken(place: String, raw: &str, reason: impl Into<String>) -> Self {
        ParsedRow::Rejected(broken(place, raw, reason.into()))
    }

    pub(crate) fn too_long(place: String, start: &[u8]) -> Self {
        let kept = String::from_utf8_lossy(&start[..start.len().min(MAX_KEPT_BYTES)]);
        let reason = "The row is longer than 8 MB and was not read; its first 64 KB are kept here: shorten it";
        ParsedRow::broken(place, &kept, reason)
    }

    /// `raw` is not UTF-8 at line and column `at`.
    pub(crate) fn not_utf8(place: String, raw: &[u8], at: (usize, usize)) -> Self {
        let (line, column) = at;
        let reason = format!(
            "Byte {column} of line {line} is no character of UTF-8: save the file as UTF-8 \
             (a spreadsheet calls it 'CSV UTF-8')"
        );
        ParsedRow::NotUtf8 {
            reject: broken(place, &String::from_utf8_lossy(raw), reason),
            line,
            column,
        }
    }
}

fn broken(place: String, raw: &str, reason: String) -> Reject {
    Reject {
        place,
        field: "row".to_owned(),
        reason,
        raw: raw.to_owned(),
    }
}
