//! Reads a file while it arrives. Memory holds one row and the orders of the last rows, however
//! long the file is; and how its bytes are cut into pieces makes no difference.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::error::ReadError;
use crate::format_choice::FormatChoice;
use crate::formats::Format;
use crate::orders::{OrderMerger, RowContent};
use crate::record::{ReadOutput, Reject};
use crate::row::ParsedRow;
use crate::syntax::{Buffer, CsvRows, JsonRows, MAX_ROW_BYTES, Syntax};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Bytes of rows that are held back while everything that has come is not UTF-8.
const MAX_HELD_BYTES: usize = MAX_ROW_BYTES;

/// Reads one file: [`feed`](Self::feed) it as it arrives, then [`finish`](Self::finish).
pub struct FileReader {
    zone: TimeZone,
    now: Timestamp,
    format: Option<Format>,
    syntax: Option<Syntax>,
    buffer: Buffer,
    rows: Option<Rows>,
    started: bool,
    merger: OrderMerger,
    encoding: Encoding,
}

enum Rows {
    Json(JsonRows),
    Csv(CsvRows),
}

/// A file of which no row is UTF-8 cannot be read; in one that can, only the row is refused.
enum Encoding {
    Unknown {
        /// Line and column of the first byte that is not UTF-8.
        first: Option<(usize, usize)>,
        pending_rejects: Vec<Reject>,
        held_bytes: usize,
    },
    Utf8,
}

impl FileReader {
    /// `Auto` goes by the file's name, else by its first character. Times without an offset are in
    /// `zone`; an order that is closed without a time is closed `now`.
    pub fn new(file_name: &str, choice: FormatChoice, zone: TimeZone, now: Timestamp) -> Self {
        Self {
            zone,
            now,
            format: choice.format(),
            syntax: choice.syntax(file_name),
            buffer: Buffer::new(),
            rows: None,
            started: false,
            merger: OrderMerger::default(),
            encoding: Encoding::Unknown {
                first: None,
                pending_rejects: Vec::new(),
                held_bytes: 0,
            },
        }
    }

    /// Reads what is whole by now and adds it to `output`. An error comes before anything of the file
    /// is in `output`; nothing may be fed after it.
    pub fn feed(&mut self, bytes: &[u8], output: &mut ReadOutput) -> Result<(), ReadError> {
        self.buffer.push(bytes);
        self.read(false, output)
    }

    /// The file has ended: adds what is left. Nothing may be fed afterwards.
    pub fn finish(&mut self, output: &mut ReadOutput) -> Result<(), ReadError> {
        self.read(true, output)?;
        if let Encoding::Unknown {
            first: Some((line, column)),
            ..
        } = self.encoding
        {
            return Err(ReadError::NotUtf8 { line, column });
        }
        self.merger.finish(self.now, &mut output.records);
        Ok(())
    }

    fn read(&mut self, at_end: bool, output: &mut ReadOutput) -> Result<(), ReadError> {
        if !self.started && !self.start(at_end)? {
            return Ok(());
        }
        let buffer = &mut self.buffer;
        let rows = match &mut self.rows {
            Some(rows) => rows,
            None => {
                let Some(syntax) = self.syntax.or_else(|| Syntax::by_content(buffer)) else {
                    return if at_end {
                        Err(ReadError::Empty)
                    } else {
                        Ok(())
                    };
                };
                self.rows.insert(match syntax {
                    Syntax::Json => Rows::Json(JsonRows::new(self.format)),
                    Syntax::Csv => Rows::Csv(CsvRows::new()),
                })
            }
        };
        let mut parsed = Vec::new();
        let outcome = match rows {
            Rows::Json(json) => json.read(buffer, at_end, &mut parsed),
            Rows::Csv(csv) => csv.read(buffer, at_end, &mut parsed),
        };
        for row in parsed {
            self.add(row, output)?;
        }
        outcome
    }

    /// Looks at the first bytes; false while there are too few.
    fn start(&mut self, at_end: bool) -> Result<bool, ReadError> {
        let bytes = self.buffer.rest();
        if bytes.len() < BYTE_ORDER_MARK.len() && !at_end {
            return Ok(false);
        }
        if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
            return Err(ReadError::Utf16);
        }
        if bytes.starts_with(BYTE_ORDER_MARK) {
            self.buffer.skip(BYTE_ORDER_MARK.len());
        }
        self.started = true;
        Ok(true)
    }

    fn add(&mut self, row: ParsedRow, output: &mut ReadOutput) -> Result<(), ReadError> {
        let Some(row) = self.check_encoding(row, output)? else {
            return Ok(());
        };
        let row = match row {
            ParsedRow::Row(row) => row,
            ParsedRow::Rejected(reject) | ParsedRow::NotUtf8 { reject, .. } => {
                output.rejects.push(reject);
                return Ok(());
            }
        };
        let added = match RowContent::read(&row, &self.zone) {
            Ok(content) => self.merger.add(row, content),
            Err(error) => Err(row.rejected(error)),
        };
        output.rejects.extend(added.err());
        self.merger.release_oldest(self.now, &mut output.records);
        Ok(())
    }

    /// Holds the row back while no row of the file was UTF-8.
    fn check_encoding(
        &mut self,
        row: ParsedRow,
        output: &mut ReadOutput,
    ) -> Result<Option<ParsedRow>, ReadError> {
        let Encoding::Unknown {
            first,
            pending_rejects,
            held_bytes,
        } = &mut self.encoding
        else {
            return Ok(Some(row));
        };
        let ParsedRow::NotUtf8 {
            reject,
            line,
            column,
        } = row
        else {
            output.rejects.append(pending_rejects);
            self.encoding = Encoding::Utf8;
            return Ok(Some(row));
        };
        let (line, column) = *first.get_or_insert((line, column));
        *held_bytes += reject.raw.len();
        pending_rejects.push(reject);
        if *held_bytes > MAX_HELD_BYTES {
            return Err(ReadError::NotUtf8 { line, column });
        }
        Ok(None)
    }
}
