//! The header of a CSV file: which delimiter it has, and which field each column is.

use serde_json::Value;

use super::scan::{RowEnd, RowScan, UNCLOSED, cells};
use crate::error::ReadError;
use crate::fields::{Cells, Field};
use crate::row::{ParsedRow, Row};
use crate::syntax::Buffer;
use crate::text::is_blank;

/// The last of equals is taken.
const DELIMITERS: [char; 3] = ['\t', ';', ','];

const MAX_HEADER_BYTES: usize = 256 * 1024;

/// What each column means: the field and its name's rank. An unknown column is none.
type Columns = Vec<Option<(Field, usize)>>;

pub(super) struct Header {
    columns: Columns,
    pub(super) delimiter: char,
}

/// Looks for the header's end under each delimiter.
#[derive(Default)]
pub(super) struct HeaderScan {
    ends: [(RowScan, Option<Result<usize, &'static str>>); 3],
}

/// What the next line is. Its length is without its line end.
pub(super) enum HeaderLine {
    /// It has not arrived whole.
    Open,
    Blank(usize),
    Header(Header, usize),
}

impl HeaderScan {
    pub(super) fn scan(&mut self, buffer: &Buffer, at_end: bool) -> Result<HeaderLine, ReadError> {
        let bytes = buffer.rest();
        match (bytes.is_empty(), at_end) {
            (true, true) => return Err(ReadError::Empty),
            (true, false) => return Ok(HeaderLine::Open),
            (false, _) => {}
        }
        for ((scan, end), delimiter) in self.ends.iter_mut().zip(DELIMITERS) {
            if end.is_none() {
                *end = match scan.scan(bytes, delimiter as u8, at_end, false, MAX_HEADER_BYTES) {
                    RowEnd::Open => return Ok(HeaderLine::Open),
                    RowEnd::At(end) => Some(Ok(end)),
                    RowEnd::Broken(reason) => Some(Err(reason)),
                    RowEnd::TooLong => Some(Err("It is longer than 256 KB")),
                };
            }
        }
        self.best(buffer)
    }

    /// Under the right delimiter the line has the most names we know.
    fn best(&self, buffer: &Buffer) -> Result<HeaderLine, ReadError> {
        let mut best = (0, Err("It is empty"), ',', Columns::new());
        for ((_, end), delimiter) in self.ends.iter().zip(DELIMITERS) {
            let end = end.unwrap_or(Err(UNCLOSED));
            let columns = match end {
                Ok(end) => columns(buffer, end, delimiter)?,
                Err(_) => Columns::new(),
            };
            let column_count = columns.iter().flatten().count();
            if column_count >= best.0 {
                best = (column_count, end, delimiter, columns);
            }
        }
        let (_, end, delimiter, columns) = best;
        let end = end.map_err(|reason| ReadError::BrokenHeader(reason.to_owned()))?;
        if buffer.text(end).is_ok_and(is_blank) {
            return Ok(HeaderLine::Blank(end));
        }
        let is_number = |column: &(Field, usize)| column.0 == Field::Number;
        if !columns.iter().flatten().any(is_number) {
            return Err(ReadError::NoNumberColumn {
                accepted: Field::Number.accepted_names(),
            });
        }
        Ok(HeaderLine::Header(Header { columns, delimiter }, end))
    }
}

fn columns(buffer: &Buffer, end: usize, delimiter: char) -> Result<Columns, ReadError> {
    let row = buffer.text(end);
    let row = row.map_err(|(line, column)| ReadError::NotUtf8 { line, column })?;
    Ok(cells(row, delimiter)
        .map(|cell| Field::by_name(&cell))
        .collect())
}

impl Header {
    /// The row of the next `end` bytes; none where all its cells are empty.
    pub(super) fn row(&self, buffer: &Buffer, end: usize) -> Option<ParsedRow> {
        let place = buffer.line_place();
        let raw = match buffer.text(end) {
            Ok(raw) => raw,
            Err(at) => return Some(ParsedRow::not_utf8(place, &buffer.rest()[..end], at)),
        };
        // A spreadsheet leaves rows of delimiters below its table.
        if is_blank(raw) || cells(raw, self.delimiter).all(|cell| is_blank(&cell)) {
            return None;
        }
        let mut count = 0;
        let mut row_cells = Cells::default();
        for (column, cell) in cells(raw, self.delimiter).enumerate() {
            count += 1;
            if let Some(Some((field, rank))) = self.columns.get(column) {
                row_cells.put(*field, *rank, Value::String(cell.into_owned()));
            }
        }
        if count != self.columns.len() {
            let reason = format!(
                "The row has {count} cells and the header {}: put a cell that holds a delimiter in quotes",
                self.columns.len()
            );
            return Some(ParsedRow::broken(place, raw, reason));
        }
        Some(ParsedRow::Row(Row::new(place, raw, row_cells)))
    }
}
