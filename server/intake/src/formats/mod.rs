//! How systems nest a repair order's fields: ours, CDK or STAR. Another system's object is translated into
//! our fields before it is read. What a system calls a field is an alias in `fields/mod.rs`.

use serde_json::{Map, Value};

use crate::fields::Cells;
use crate::row::{ParsedRow, Row};
use members::Members;

mod cdk;
mod members;
mod star;
mod translated;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Ours,
    Cdk,
    Star,
}

impl Format {
    /// By names that only one system uses.
    fn of(object: &Map<String, Value>) -> Self {
        if cdk::is_cdk(object) {
            Format::Cdk
        } else if star::is_star(object) {
            Format::Star
        } else {
            Format::Ours
        }
    }
}

/// The row of an object; without a format its members tell which it is.
pub(crate) fn object_row(
    format: Option<Format>,
    place: String,
    raw: &str,
    object: Map<String, Value>,
) -> ParsedRow {
    let translated = match format.unwrap_or_else(|| Format::of(&object)) {
        Format::Ours => {
            return ParsedRow::Row(Row::new(place, raw, Cells::of_object(object)));
        }
        Format::Cdk => cdk::translate(Members::of(object)),
        Format::Star => star::translate(Members::of(object)),
    };
    match translated {
        Ok(translated) => {
            let mut row = Row::new(place, raw, translated.cells);
            row.technicians = translated.technicians.into_list();
            row.has_all_technicians = translated.has_all_technicians;
            row.warnings = translated.warnings;
            ParsedRow::Row(row)
        }
        Err(error) => {
            let row = Row::new(place, raw, Cells::default());
            ParsedRow::Rejected(row.rejected(error))
        }
    }
}
