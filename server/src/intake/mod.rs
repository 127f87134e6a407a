//! Reads what a dealer's system exports into repair orders, as it arrives: bytes in, orders and
//! refused rows out. Reading is pure: it knows no database, no HTTP and no actor, and asks no clock.
//!
//! A reader (`ours_json`, `ours_csv`) turns bytes into rows as soon as they are whole; `shape` brings
//! another system's objects (`cdk`, `star`) into ours; `entry` reads one row; `gather` brings the rows
//! of one repair order together; `reading` holds them all. `take` hands the orders on.

use std::str::FromStr;

use dispatch_actors::repair_order::{ImportedOrder, RoNumber};
use serde::{Deserialize, Serialize};

mod buffer;
mod cdk;
mod corrections;
mod csv_text;
pub(crate) mod customer_name;
mod entry;
mod fields;
pub mod folder;
mod gather;
mod jobs;
mod json_lines;
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
mod reading;
pub mod routes;
mod shape;
mod star;
mod take;
mod times;
mod values;
pub mod watch;

#[cfg(test)]
mod tests;

pub use reading::Reading;
pub use take::{Progress, Stopped, Summary, Taking};

/// How a file is written. `Auto` goes by the ending of its name, else by its first character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    Auto,
    /// A list, `{"data": [...]}`, `{"result": [...]}`, one object, or one object a line; each object
    /// is ours, CDK's or STAR's by its own members.
    Json,
    /// Cells divided by commas, semicolons or tabs, under a header.
    Csv,
    /// JSON whose objects are CDK Drive's service repair orders.
    Cdk,
    /// STAR 5's names: JSON or, as by `Auto`, CSV.
    Star,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a format: use auto, json, csv, cdk or star")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        match text.trim().to_ascii_lowercase().as_str() {
            "auto" => Ok(Format::Auto),
            "json" | "ndjson" | "jsonl" => Ok(Format::Json),
            "csv" | "tsv" => Ok(Format::Csv),
            "cdk" => Ok(Format::Cdk),
            "star" => Ok(Format::Star),
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
    /// An earlier record of the same reading has more of this order: what is listed here comes to
    /// what that one listed.
    pub continues: bool,
    /// In none of the order's lists, since those hold numbers.
    pub technicians_without_number: Vec<SaidTechnician>,
    /// Its rows whole, as they came, one below the other. May hold what a database refuses (NUL).
    pub raw: String,
    /// What was left out of it, in sentences.
    pub warnings: Vec<String>,
}

/// A technician as a file names them, where that is no whole number from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaidTechnician {
    /// What stands for the number, as T9.
    pub text: String,
    pub name: Option<String>,
    pub source: TechnicianSource,
}

/// Whose assignment it is: the shop's own, or the dealer system's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TechnicianSource {
    Regular,
    #[serde(rename = "ETL")]
    Etl,
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

/// What was read: records in the order of their first rows, rejects in the order of the file.
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
