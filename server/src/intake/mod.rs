//! Reads the files a dealer's system exports into repair orders: bytes in, orders and refused rows
//! out. Reading is pure: it knows no database, no HTTP and no actor, and asks no clock.
//!
//! A reader (`ours_json`, `ours_csv`) turns text into rows; `entry` reads one row; `gather` brings
//! the rows of one repair order together. Another system's format is one more reader beside them.

use std::str::FromStr;

use dispatch_actors::repair_order::{ImportedOrder, RoNumber};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

mod corrections;
mod csv_text;
mod entry;
mod fields;
pub mod folder;
mod gather;
mod jobs;
mod json_text;
pub mod key_calls;
pub mod keys;
pub mod match_calls;
mod match_rows;
pub mod matching;
pub mod notes;
mod ours_csv;
mod ours_json;
mod reader;
pub mod routes;
mod take;
mod times;
mod values;
pub mod watch;

#[cfg(test)]
mod tests;

pub use take::{Progress, Summary, Taking, take};

/// How a file is written. `Auto` goes by the ending of its name, else by its first character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    Auto,
    /// A list, `{"data": [...]}`, `{"result": [...]}`, one object, or one object a line.
    Json,
    /// Cells divided by commas, semicolons or tabs, under a header.
    Csv,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a format: use auto, json or csv")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        match text.trim().to_ascii_lowercase().as_str() {
            "auto" => Ok(Format::Auto),
            "json" | "ndjson" | "jsonl" => Ok(Format::Json),
            "csv" | "tsv" => Ok(Format::Csv),
            _ => Err(UnknownFormat(text.to_owned())),
        }
    }
}

/// One repair order of a file, from one row or several.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Where its first row is: "line 7" of CSV and of one object a line, "entry 3" of a list.
    pub place: String,
    pub number: RoNumber,
    pub order: ImportedOrder,
    /// Its rows whole, as they came, one below the other. May hold what a database refuses (NUL).
    pub raw: String,
    /// What was left out of it, in sentences.
    pub warnings: Vec<String>,
}

/// A row that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reject {
    /// As in [`Record::place`].
    pub place: String,
    /// Our name of the field at fault; "row" where the row as a whole cannot be read.
    pub field: String,
    /// A sentence that says what to do.
    pub reason: String,
    /// The row whole, as it came. May hold what a database refuses (NUL).
    pub raw: String,
}

/// What a file holds: records in the order of their first rows, rejects in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    pub records: Vec<Record>,
    pub rejects: Vec<Reject>,
}

/// Why a file as a whole cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("The file is empty")]
    Empty,
    #[error("The file is UTF-16: save it as UTF-8 (a spreadsheet calls it 'CSV UTF-8')")]
    Utf16,
    #[error(
        "The file is not UTF-8: byte {column} of line {line} is no character. \
         Save it as UTF-8 (a spreadsheet calls it 'CSV UTF-8')"
    )]
    NotUtf8 { line: usize, column: usize },
    #[error("The header cannot be read: {0}")]
    BrokenHeader(String),
    #[error("The header has no column for the RO number: name it one of {accepted}")]
    NoNumberColumn { accepted: String },
    #[error("The JSON is broken in line {line}, before any repair order: {reason}")]
    BrokenJson { line: usize, reason: String },
}

/// Reads a file. Times without an offset are in `zone`; an order that is closed without a time is
/// closed `now`.
pub fn parse(
    file_name: &str,
    bytes: &[u8],
    format: Format,
    zone: &TimeZone,
    now: Timestamp,
) -> Result<Parsed, Unreadable> {
    let text = reader::text(bytes)?;
    let rows = match reader::format_of(file_name, text, format) {
        reader::Syntax::Json => ours_json::rows(text)?,
        reader::Syntax::Csv => ours_csv::rows(text)?,
    };
    let mut orders = gather::Orders::default();
    let mut rejects = Vec::new();
    for row in rows {
        let taken = row.and_then(|row| match entry::read(&row.cells, zone) {
            Ok(entry) => orders.take(row, entry),
            Err(flaw) => Err(row.refused(flaw)),
        });
        rejects.extend(taken.err());
    }
    Ok(Parsed {
        records: orders.finish(now),
        rejects,
    })
}

/// The refused rows, one JSON object a line.
pub fn rejects_file(file_name: &str, rejects: &[Reject]) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        file: &'a str,
        place: &'a str,
        field: &'a str,
        reason: &'a str,
        row: &'a str,
    }
    rejects
        .iter()
        .filter_map(|reject| {
            let line = Line {
                file: file_name,
                place: &reject.place,
                field: &reject.field,
                reason: &reject.reason,
                row: &reject.raw,
            };
            // Five strings always become JSON.
            serde_json::to_string(&line).ok().map(|line| line + "\n")
        })
        .collect()
}
