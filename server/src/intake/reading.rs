//! Reads a file while it arrives. Memory holds one row and the orders of the last rows, however
//! long the file is; and how its bytes are cut into pieces makes no difference.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::buffer::{Buffer, LONGEST_ROW};
use super::gather::Orders;
use super::ours_csv::CsvRows;
use super::ours_json::JsonRows;
use super::reader::{Found, Syntax, syntax_of};
use super::shape::Shape;
use super::{Format, Parsed, Reject, Unreadable, entry};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Bytes of rows that are held back while nothing but bytes that are no text has come.
const HELD: usize = LONGEST_ROW;

/// Reads one file: [`feed`](Self::feed) it as it arrives, then [`finish`](Self::finish).
pub struct Reading {
    zone: TimeZone,
    now: Timestamp,
    shape: Shape,
    syntax: Option<Syntax>,
    buffer: Buffer,
    rows: Option<Rows>,
    started: bool,
    orders: Orders,
    encoding: Encoding,
}

enum Rows {
    Json(JsonRows),
    Csv(CsvRows),
}

/// A file of which no row is UTF-8 cannot be read; in one that can, only the row is refused.
enum Encoding {
    Unknown {
        /// Line and column of the first byte that is no character.
        first: Option<(usize, usize)>,
        held: Vec<Reject>,
        held_bytes: usize,
    },
    Utf8,
}

impl Reading {
    /// `Auto` goes by the file's name, else by its first character. Times without an offset are in
    /// `zone`; an order that is closed without a time is closed `now`.
    pub fn new(file_name: &str, format: Format, zone: TimeZone, now: Timestamp) -> Self {
        Self {
            zone,
            now,
            shape: Shape::from(format),
            syntax: syntax_of(file_name, format),
            buffer: Buffer::new(),
            rows: None,
            started: false,
            orders: Orders::default(),
            encoding: Encoding::Unknown {
                first: None,
                held: Vec::new(),
                held_bytes: 0,
            },
        }
    }

    /// Reads on. What is known now, and was not before, is added to `parsed`. A file turns out to
    /// be unreadable before anything of it is known.
    pub fn feed(&mut self, bytes: &[u8], parsed: &mut Parsed) -> Result<(), Unreadable> {
        self.buffer.push(bytes);
        self.read(false, parsed)
    }

    /// The file has ended: adds what is left. Nothing may be fed afterwards.
    pub fn finish(&mut self, parsed: &mut Parsed) -> Result<(), Unreadable> {
        self.read(true, parsed)?;
        if let Encoding::Unknown {
            first: Some((line, column)),
            ..
        } = self.encoding
        {
            return Err(Unreadable::NotUtf8 { line, column });
        }
        self.orders.finish(self.now, &mut parsed.records);
        Ok(())
    }

    fn read(&mut self, last: bool, parsed: &mut Parsed) -> Result<(), Unreadable> {
        if !self.started && !self.start(last)? {
            return Ok(());
        }
        let buffer = &mut self.buffer;
        let rows = match &mut self.rows {
            Some(rows) => rows,
            None => {
                let Some(syntax) = self.syntax.or_else(|| guessed(buffer)) else {
                    return if last { Err(Unreadable::Empty) } else { Ok(()) };
                };
                self.rows.insert(match syntax {
                    Syntax::Json => Rows::Json(JsonRows::new(self.shape)),
                    Syntax::Csv => Rows::Csv(CsvRows::new()),
                })
            }
        };
        let mut found = Vec::new();
        let outcome = match rows {
            Rows::Json(json) => json.read(buffer, last, &mut found),
            Rows::Csv(csv) => csv.read(buffer, last, &mut found),
        };
        for found in found {
            self.take(found, parsed)?;
        }
        outcome
    }

    /// Looks at the first bytes; false while there are too few.
    fn start(&mut self, last: bool) -> Result<bool, Unreadable> {
        let bytes = self.buffer.rest();
        if bytes.len() < BYTE_ORDER_MARK.len() && !last {
            return Ok(false);
        }
        if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
            return Err(Unreadable::Utf16);
        }
        if bytes.starts_with(BYTE_ORDER_MARK) {
            self.buffer.skip(BYTE_ORDER_MARK.len());
        }
        self.started = true;
        Ok(true)
    }

    fn take(&mut self, found: Found, parsed: &mut Parsed) -> Result<(), Unreadable> {
        if let Encoding::Unknown {
            first,
            held,
            held_bytes,
        } = &mut self.encoding
        {
            if let Found::NotUtf8 {
                reject,
                line,
                column,
            } = found
            {
                let (line, column) = *first.get_or_insert((line, column));
                *held_bytes += reject.raw.len();
                held.push(reject);
                if *held_bytes > HELD {
                    return Err(Unreadable::NotUtf8 { line, column });
                }
                return Ok(());
            }
            parsed.rejects.append(held);
            self.encoding = Encoding::Utf8;
        }
        let row = match found {
            Found::Row(row) => row,
            Found::Refused(reject) | Found::NotUtf8 { reject, .. } => {
                parsed.rejects.push(reject);
                return Ok(());
            }
        };
        let taken = match entry::read(&row, &self.zone) {
            Ok(entry) => self.orders.take(row, entry),
            Err(flaw) => Err(row.refused(flaw)),
        };
        parsed.rejects.extend(taken.err());
        self.orders.let_go(self.now, &mut parsed.records);
        Ok(())
    }
}

/// By the first character; none while there is only white space.
fn guessed(buffer: &mut Buffer) -> Option<Syntax> {
    let bytes = buffer.rest();
    match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'[' | b'{') => Some(Syntax::Json),
        Some(_) => Some(Syntax::Csv),
        None => {
            // Lines without a word are nothing in either.
            let lines = bytes.iter().rposition(|&byte| byte == b'\n');
            buffer.skip(lines.map_or(0, |end| end + 1));
            (buffer.rest().len() > LONGEST_ROW).then_some(Syntax::Csv)
        }
    }
}
