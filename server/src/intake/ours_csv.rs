//! CSV with our names, or their aliases, as its header. One row is one repair order, or one job or
//! one technician of it.

use serde_json::Value;

use super::Unreadable;
use super::buffer::{Buffer, LONGEST_ROW};
use super::csv_text::{self, RowEnd, RowScan, UNCLOSED, ends_line};
use super::fields::{Cells, Field, named};
use super::reader::{Found, Row, broken, not_utf8, text_of, too_long};
use super::values::is_blank;

/// What each column means: the field and its name's rank. A column we do not know is none.
type Columns = Vec<Option<(Field, usize)>>;

/// The last of equals is taken.
const DELIMITERS: [char; 3] = ['\t', ';', ','];

/// Bytes.
const LONGEST_HEADER: usize = 256 * 1024;

/// Bytes that may be looked at once more before anything has arrived, and per byte that has. A row
/// with a broken quote has been looked at far beyond its own line.
const SPARE: usize = 16 * 1024 * 1024;
const SPARE_PER_BYTE: usize = 8;

pub(super) struct CsvRows {
    header: Option<Header>,
    /// Of the header under each delimiter.
    openings: [(RowScan, Option<Result<usize, &'static str>>); 3],
    scan: RowScan,
    /// Why the row is refused whose line end has yet to arrive.
    broken: Option<&'static str>,
    /// How far that line end was looked for.
    looked: usize,
    /// The rest of a line that is too long.
    skipping: bool,
    after_cr: bool,
    spare: usize,
    /// Before this place in the file quotes close on their own line: looking for each quote's other
    /// half would take too long.
    one_line_until: usize,
}

struct Header {
    columns: Columns,
    delimiter: char,
}

impl CsvRows {
    pub(super) fn new() -> Self {
        Self {
            header: None,
            openings: Default::default(),
            scan: RowScan::default(),
            broken: None,
            looked: 0,
            skipping: false,
            after_cr: false,
            spare: SPARE,
            one_line_until: 0,
        }
    }

    /// Reads as far as rows are whole; `last` when the buffer has the end of the file.
    pub(super) fn read(
        &mut self,
        buffer: &mut Buffer,
        last: bool,
        found: &mut Vec<Found>,
    ) -> Result<(), Unreadable> {
        while self.header.is_none() {
            let before = buffer.offset();
            self.header = self.header(buffer, last)?;
            // It moves behind a blank line without a header, too; else more has to arrive.
            if buffer.offset() == before {
                break;
            }
        }
        if self.header.is_some() {
            while self.row(buffer, last, found) {}
        }
        Ok(())
    }

    /// The header, when the next line is one; a blank line is skipped.
    fn header(&mut self, buffer: &mut Buffer, last: bool) -> Result<Option<Header>, Unreadable> {
        let bytes = buffer.rest();
        if bytes.is_empty() {
            return if last {
                Err(Unreadable::Empty)
            } else {
                Ok(None)
            };
        }
        for ((scan, end), delimiter) in self.openings.iter_mut().zip(DELIMITERS) {
            if end.is_none() {
                *end = match scan.scan(bytes, delimiter as u8, last, false, LONGEST_HEADER) {
                    RowEnd::Open => return Ok(None),
                    RowEnd::At(end) => Some(Ok(end)),
                    RowEnd::Broken(reason) => Some(Err(reason)),
                    RowEnd::TooLong => Some(Err("It is longer than 256 KB")),
                };
            }
        }
        // Under the right delimiter it has the most names we know.
        let mut best = (0, Err("It is empty"), ',', Columns::new());
        for ((_, end), delimiter) in self.openings.iter().zip(DELIMITERS) {
            let end = end.unwrap_or(Err(UNCLOSED));
            let columns = match end {
                Ok(end) => {
                    let row = text_of(buffer, end)
                        .map_err(|(line, column)| Unreadable::NotUtf8 { line, column })?;
                    csv_text::cells(row, delimiter)
                        .map(|cell| named(&cell))
                        .collect()
                }
                Err(_) => Columns::new(),
            };
            let known = columns.iter().flatten().count();
            if known >= best.0 {
                best = (known, end, delimiter, columns);
            }
        }
        let (_, end, delimiter, columns) = best;
        let end = end.map_err(|reason| Unreadable::BrokenHeader(reason.to_owned()))?;
        if text_of(buffer, end).is_ok_and(is_blank) {
            // Whether a line is blank is known only when it has arrived whole.
            self.openings = Default::default();
            self.end_row(buffer, end);
            return Ok(None);
        }
        let numbered = |column: &(Field, usize)| column.0 == Field::Number;
        if !columns.iter().flatten().any(numbered) {
            return Err(Unreadable::NoNumberColumn {
                accepted: Field::Number.accepted_names(),
            });
        }
        self.end_row(buffer, end);
        Ok(Some(Header { columns, delimiter }))
    }

    /// Reads the next row; false when it has not arrived whole.
    fn row(&mut self, buffer: &mut Buffer, last: bool, found: &mut Vec<Found>) -> bool {
        if self.after_cr && buffer.rest().first() == Some(&b'\n') {
            buffer.skip(1);
        }
        let bytes = buffer.rest();
        let Some(header) = self.header.as_ref().filter(|_| !bytes.is_empty()) else {
            return false;
        };
        self.after_cr = false;
        if self.skipping {
            let end = bytes.iter().position(|&byte| ends_line(byte));
            match end {
                Some(end) => self.end_row(buffer, end),
                None => buffer.skip(bytes.len()),
            }
            return end.is_some();
        }
        if self.broken.is_none() {
            let one_line = buffer.offset() < self.one_line_until;
            let delimiter = header.delimiter as u8;
            match self
                .scan
                .scan(bytes, delimiter, last, one_line, LONGEST_ROW)
            {
                RowEnd::Open => return false,
                RowEnd::At(end) => {
                    found.extend(header.row(buffer, end));
                    self.end_row(buffer, end);
                    return true;
                }
                RowEnd::Broken(reason) => self.broken = Some(reason),
                RowEnd::TooLong => self.broken = Some(UNCLOSED),
            }
        }
        self.refuse_line(buffer, last, found)
    }

    /// Refuses the line at which a broken row starts; the next one is read by itself.
    fn refuse_line(&mut self, buffer: &mut Buffer, last: bool, found: &mut Vec<Found>) -> bool {
        let bytes = buffer.rest();
        let window = &bytes[self.looked..bytes.len().min(LONGEST_ROW + 1)];
        let end = match window.iter().position(|&byte| ends_line(byte)) {
            Some(end) => self.looked + end,
            None if bytes.len() > LONGEST_ROW => {
                found.push(too_long(place(buffer), bytes));
                self.skipping = true;
                self.scan = RowScan::default();
                self.broken = None;
                self.looked = 0;
                return true;
            }
            None if last => bytes.len(),
            None => {
                self.looked = bytes.len();
                return false;
            }
        };
        let again = self.scan.at.saturating_sub(end);
        if again > self.spare {
            self.one_line_until = buffer.offset() + self.scan.at;
        } else {
            self.spare -= again;
        }
        let reason = self.broken.take().unwrap_or(UNCLOSED);
        found.push(match text_of(buffer, end) {
            Ok(raw) => Found::broken(place(buffer), raw, reason.to_owned()),
            Err(at) => not_utf8(place(buffer), &bytes[..end], at),
        });
        self.end_row(buffer, end);
        true
    }

    /// Goes on behind the row and its line end.
    fn end_row(&mut self, buffer: &mut Buffer, end: usize) {
        let ending = buffer.rest().get(end).copied();
        let length = end + usize::from(ending.is_some());
        buffer.skip(length);
        self.after_cr = ending == Some(b'\r');
        self.spare = SPARE.min(self.spare + SPARE_PER_BYTE * length);
        self.scan = RowScan::default();
        self.broken = None;
        self.looked = 0;
        self.skipping = false;
    }
}

fn place(buffer: &Buffer) -> String {
    format!("line {}", buffer.line())
}

impl Header {
    /// The row of the next `end` bytes; none where it says nothing.
    fn row(&self, buffer: &Buffer, end: usize) -> Option<Found> {
        let place = place(buffer);
        let raw = match text_of(buffer, end) {
            Ok(raw) => raw,
            Err(at) => return Some(not_utf8(place, &buffer.rest()[..end], at)),
        };
        // A spreadsheet leaves rows of delimiters below its table.
        if is_blank(raw) || csv_text::cells(raw, self.delimiter).all(|cell| is_blank(&cell)) {
            return None;
        }
        let mut count = 0;
        let mut known = Cells::default();
        for (place, cell) in csv_text::cells(raw, self.delimiter).enumerate() {
            count += 1;
            if let Some(Some((field, rank))) = self.columns.get(place) {
                known.put(*field, *rank, Value::String(cell.into_owned()));
            }
        }
        if count != self.columns.len() {
            let reason = format!(
                "The row has {count} cells and the header {}: put a cell that holds a delimiter in quotes",
                self.columns.len()
            );
            return Some(Found::Refused(broken(place, raw, reason)));
        }
        Some(Found::Row(Row::new(place, raw, known)))
    }
}
