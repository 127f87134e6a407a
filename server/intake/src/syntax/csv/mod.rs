//! CSV: a header with names of our fields, then a line for each repair order, or for each job or
//! technician of one.

use super::{Buffer, MAX_ROW_BYTES};
use crate::error::ReadError;
use crate::row::ParsedRow;
use header::{Header, HeaderLine, HeaderScan};
use scan::{RowEnd, RowScan, UNCLOSED, ends_line};

mod header;
mod scan;

/// Bytes that may be looked at once more before anything has arrived, and per byte that has. A row
/// with a broken quote has been looked at far beyond its own line.
const MAX_RESCAN_BYTES: usize = 16 * 1024 * 1024;
const RESCAN_BYTES_PER_BYTE: usize = 8;

pub(crate) struct CsvRows {
    header_scan: HeaderScan,
    header: Option<Header>,
    scan: RowScan,
    /// Why the row is rejected whose line end has yet to arrive.
    broken: Option<&'static str>,
    /// How far that line end was looked for.
    looked: usize,
    /// The rest of a line that is too long.
    skipping: bool,
    after_cr: bool,
    /// Bytes that may still be looked at once more.
    rescan_bytes: usize,
    /// Before this place in the file quotes close on their own line: looking for each quote's other
    /// half would take too long.
    one_line_until: usize,
}

impl CsvRows {
    pub(crate) fn new() -> Self {
        Self {
            header_scan: HeaderScan::default(),
            header: None,
            scan: RowScan::default(),
            broken: None,
            looked: 0,
            skipping: false,
            after_cr: false,
            rescan_bytes: MAX_RESCAN_BYTES,
            one_line_until: 0,
        }
    }

    /// Reads as far as rows are whole; `at_end` when the buffer has the end of the file.
    pub(crate) fn read(
        &mut self,
        buffer: &mut Buffer,
        at_end: bool,
        rows: &mut Vec<ParsedRow>,
    ) -> Result<(), ReadError> {
        while self.header.is_none() {
            match self.header_scan.scan(buffer, at_end)? {
                HeaderLine::Open => return Ok(()),
                HeaderLine::Blank(end) => {
                    // Whether a line is blank is known only when it has arrived whole.
                    self.header_scan = HeaderScan::default();
                    self.end_row(buffer, end);
                }
                HeaderLine::Header(header, end) => {
                    self.header = Some(header);
                    self.end_row(buffer, end);
                }
            }
        }
        while self.row(buffer, at_end, rows) {}
        Ok(())
    }

    /// Reads the next row; false when it has not arrived whole.
    fn row(&mut self, buffer: &mut Buffer, at_end: bool, rows: &mut Vec<ParsedRow>) -> bool {
        if self.after_cr && buffer.rest().first() == Some(&b'\n') {
            buffer.skip(1);
        }
        let bytes = buffer.rest();
        let Some(header) = self.header.as_ref().filter(|_| !bytes.is_empty()) else {
            return false;
        };
        self.after_cr = false;
        if self.skipping {
            return self.skip_line(buffer);
        }
        if self.broken.is_none() {
            let one_line = buffer.offset() < self.one_line_until;
            let delimiter = header.delimiter as u8;
            match self
                .scan
                .scan(bytes, delimiter, at_end, one_line, MAX_ROW_BYTES)
            {
                RowEnd::Open => return false,
                RowEnd::At(end) => {
                    rows.extend(header.row(buffer, end));
                    self.end_row(buffer, end);
                    return true;
                }
                RowEnd::Broken(reason) => self.broken = Some(reason),
                RowEnd::TooLong => self.broken = Some(UNCLOSED),
            }
        }
        self.reject_line(buffer, at_end, rows)
    }

    /// Skips the rest of a line that is too long; false when its end has not arrived.
    fn skip_line(&mut self, buffer: &mut Buffer) -> bool {
        let end = buffer.rest().iter().position(|&byte| ends_line(byte));
        match end {
            Some(end) => self.end_row(buffer, end),
            None => buffer.skip(buffer.rest().len()),
        }
        end.is_some()
    }

    /// Rejects the line at which a broken row starts; the next one is read by itself.
    fn reject_line(
        &mut self,
        buffer: &mut Buffer,
        at_end: bool,
        rows: &mut Vec<ParsedRow>,
    ) -> bool {
        let place = buffer.line_place();
        let bytes = buffer.rest();
        let window = &bytes[self.looked..bytes.len().min(MAX_ROW_BYTES + 1)];
        let end = match window.iter().position(|&byte| ends_line(byte)) {
            Some(end) => self.looked + end,
            None if bytes.len() > MAX_ROW_BYTES => {
                rows.push(ParsedRow::too_long(place, bytes));
                self.skipping = true;
                self.scan = RowScan::default();
                self.broken = None;
                self.looked = 0;
                return true;
            }
            None if at_end => bytes.len(),
            None => {
                self.looked = bytes.len();
                return false;
            }
        };
        let again = self.scan.at.saturating_sub(end);
        if again > self.rescan_bytes {
            self.one_line_until = buffer.offset() + self.scan.at;
        } else {
            self.rescan_bytes -= again;
        }
        let reason = self.broken.take().unwrap_or(UNCLOSED);
        rows.push(match buffer.text(end) {
            Ok(raw) => ParsedRow::broken(place, raw, reason),
            Err(at) => ParsedRow::not_utf8(place, &bytes[..end], at),
        });
        self.end_row(buffer, end);
        true
    }

    /// Moves behind the row and its line end.
    fn end_row(&mut self, buffer: &mut Buffer, end: usize) {
        let ending = buffer.rest().get(end).copied();
        let length = end + usize::from(ending.is_some());
        buffer.skip(length);
        self.after_cr = ending == Some(b'\r');
        self.rescan_bytes =
            MAX_RESCAN_BYTES.min(self.rescan_bytes + RESCAN_BYTES_PER_BYTE * length);
        self.scan = RowScan::default();
        self.broken = None;
        self.looked = 0;
        self.skipping = false;
    }
}
