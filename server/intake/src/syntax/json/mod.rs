//! JSON: a list, a list under `data` or `result` (our own list's answer, and what other systems
//! serve), one object, objects one after the other, or one object a line.

use serde::de::IgnoredAny;

use super::{Buffer, MAX_ROW_BYTES};
use crate::error::ReadError;
use crate::formats::Format;
use crate::row::ParsedRow;
use lines::{Lines, Step};
use object::object;
use scan::{ValueEnd, ValueScan, is_one_object};
use trailer::{MAX_TRAILER_BYTES, trailer};

mod lines;
mod object;
mod scan;
mod trailer;

pub(crate) use object::invalid_json;

/// Under which an object holds the list of repair orders.
const LISTS: [&str; 2] = ["data", "result"];

const CUT_LIST: &str = "The file ends before its list does: export it again";
const CUT_ENTRY: &str =
    "The file ends within this entry, or a quote or bracket of it is not closed: export it again";
const CUT_OBJECT: &str = "The file ends within it: export it again";
const EXTRA_COMMA: &str = "There is a comma too many: take it out";
const MISSING_COMMA: &str = "A comma is missing before this entry: add it";

pub(crate) struct JsonRows {
    format: Option<Format>,
    mode: Mode,
    /// How many entries there were.
    entries: usize,
    /// Of the value that is being read.
    scan: ValueScan,
    /// The value is too long: the rest of it is not kept.
    skipping: bool,
}

enum Mode {
    /// Nothing is known yet.
    Opening,
    Values(Values),
    /// One object a line.
    Lines(Lines),
    /// Behind all entries.
    Trailer(Around),
    /// Behind what cannot be taken apart any further, and why.
    GivenUp(&'static str),
}

#[derive(Clone, Copy)]
struct Values {
    container: Container,
    next: Next,
}

#[derive(Clone, Copy)]
enum Container {
    List(Around),
    OneObject(Around),
    Sequence,
}

#[derive(Clone, Copy, PartialEq)]
enum Next {
    FirstValue,
    Value,
    /// A comma, or the end.
    Separator,
}

/// What the list (or the one object) stands in.
#[derive(Clone, Copy)]
enum Around {
    Nothing,
    Object,
}

impl JsonRows {
    pub(crate) fn new(format: Option<Format>) -> Self {
        Self {
            format,
            mode: Mode::Opening,
            entries: 0,
            scan: ValueScan::default(),
            skipping: false,
        }
    }

    /// Reads as far as entries are whole; `at_end` when the buffer has the end of the file.
    pub(crate) fn read(
        &mut self,
        buffer: &mut Buffer,
        at_end: bool,
        rows: &mut Vec<ParsedRow>,
    ) -> Result<(), ReadError> {
        loop {
            let step = match self.mode {
                Mode::Opening => self.open(buffer, at_end)?,
                Mode::Values(values) => self.value(values, buffer, at_end, rows)?,
                Mode::Lines(ref mut lines) => lines.read(self.format, buffer, at_end, rows)?,
                Mode::Trailer(around) => {
                    rows.extend(trailer(around, buffer, at_end));
                    Step::NeedsBytes
                }
                Mode::GivenUp(reason) => {
                    buffer.truncate(MAX_TRAILER_BYTES);
                    if at_end {
                        let raw = String::from_utf8_lossy(buffer.rest());
                        rows.push(ParsedRow::broken(self.place(), &raw, reason));
                        buffer.skip(buffer.rest().len());
                    }
                    Step::NeedsBytes
                }
            };
            if let Step::NeedsBytes = step {
                return Ok(());
            }
        }
    }

    /// Of the next entry.
    fn place(&self) -> String {
        format!("entry {}", self.entries + 1)
    }

    /// Finds out how the entries stand in the file.
    fn open(&mut self, buffer: &mut Buffer, at_end: bool) -> Result<Step, ReadError> {
        if self.scan.at == 0 {
            buffer.skip_space();
        }
        let bytes = buffer.rest();
        match bytes.first() {
            None if at_end => return Err(ReadError::Empty),
            None => return Ok(Step::NeedsBytes),
            Some(b'[') => {
                self.enter(Container::List(Around::Nothing), buffer);
                return Ok(Step::More);
            }
            Some(b'{') => {}
            Some(_) => {
                self.mode = Mode::Lines(Lines::default());
                return Ok(Step::More);
            }
        }
        let window = &bytes[..bytes.len().min(MAX_ROW_BYTES)];
        let (found, end) = self.scan.find_member(window, &LISTS);
        if found {
            let container = match bytes.get(self.scan.at) {
                Some(b'[') => Container::List(Around::Object),
                _ => Container::OneObject(Around::Object),
            };
            buffer.skip(self.scan.at);
            self.enter(container, buffer);
            return Ok(Step::More);
        }
        let whole = match end {
            ValueEnd::At(end) => &bytes[..end],
            ValueEnd::Open if !at_end && bytes.len() < MAX_ROW_BYTES => {
                return Ok(Step::NeedsBytes);
            }
            _ => {
                self.mode = Mode::Lines(Lines::default());
                return Ok(Step::More);
            }
        };
        let has_several_lines = is_object_of_several_lines(whole);
        self.scan = ValueScan::default();
        if has_several_lines {
            self.enter(Container::Sequence, buffer);
        } else {
            self.mode = Mode::Lines(Lines::default());
        }
        Ok(Step::More)
    }

    fn enter(&mut self, container: Container, buffer: &mut Buffer) {
        if let Container::List(_) = container {
            buffer.skip(1);
        }
        self.expect(container, Next::FirstValue);
    }

    fn expect(&mut self, container: Container, next: Next) {
        self.scan = ValueScan::default();
        self.skipping = false;
        self.mode = Mode::Values(Values { container, next });
    }

    /// Reads what comes next of the entries.
    fn value(
        &mut self,
        values: Values,
        buffer: &mut Buffer,
        at_end: bool,
        rows: &mut Vec<ParsedRow>,
    ) -> Result<Step, ReadError> {
        if self.scan.at == 0
            && !self.skipping
            && let Some(step) = self.between(values, buffer, at_end)?
        {
            return Ok(step);
        }
        let bytes = buffer.rest();
        // Whether it is too long must not depend on how much has arrived.
        let window = if self.skipping {
            bytes
        } else {
            &bytes[..bytes.len().min(MAX_ROW_BYTES)]
        };
        let is_cut = at_end && (self.skipping || bytes.len() < MAX_ROW_BYTES);
        match self.scan.scan(window, is_cut) {
            ValueEnd::Open if self.skipping => {
                buffer.skip(bytes.len());
                self.scan.forget();
                Ok(Step::NeedsBytes)
            }
            ValueEnd::Open if window.len() == MAX_ROW_BYTES => {
                rows.push(ParsedRow::too_long(self.place(), bytes));
                self.entries += 1;
                self.skipping = true;
                Ok(Step::More)
            }
            ValueEnd::Open => Ok(Step::NeedsBytes),
            ValueEnd::At(end) => {
                if !self.skipping {
                    rows.push(self.entry(buffer, end));
                    self.entries += 1;
                }
                buffer.skip(end);
                self.expect(values.container, Next::Separator);
                Ok(Step::More)
            }
            // Its beginning is rejected already.
            ValueEnd::Cut if self.skipping => {
                buffer.skip(bytes.len());
                Ok(Step::NeedsBytes)
            }
            ValueEnd::Cut => match values.container {
                Container::OneObject(_) => self.give_up(CUT_OBJECT, buffer),
                Container::List(_) | Container::Sequence => self.give_up(CUT_ENTRY, buffer),
            },
            ValueEnd::Nothing => match bytes.first() {
                Some(b',' | b']') => self.give_up(EXTRA_COMMA, buffer),
                _ => self.give_up(CUT_ENTRY, buffer),
            },
        }
    }

    /// Reads what stands between two entries; none where the next entry starts here.
    fn between(
        &mut self,
        Values { container, next }: Values,
        buffer: &mut Buffer,
        at_end: bool,
    ) -> Result<Option<Step>, ReadError> {
        buffer.skip_space();
        let byte = buffer.rest().first().copied();
        let around = match (container, next, byte) {
            (_, _, None) if !at_end => return Ok(Some(Step::NeedsBytes)),
            (Container::List(_), _, None) => return self.give_up(CUT_LIST, buffer).map(Some),
            (Container::Sequence, _, None) => return Ok(Some(Step::NeedsBytes)),
            (Container::List(around), Next::FirstValue | Next::Separator, Some(b']')) => {
                buffer.skip(1);
                around
            }
            (Container::List(_), Next::Separator, Some(b',')) => {
                buffer.skip(1);
                self.expect(container, Next::Value);
                return Ok(Some(Step::More));
            }
            (Container::List(_), Next::Separator, Some(_)) => {
                return self.give_up(MISSING_COMMA, buffer).map(Some);
            }
            (Container::OneObject(around), Next::Separator, _) => around,
            (Container::Sequence, Next::Separator, Some(byte)) if byte != b'{' => Around::Nothing,
            _ => return Ok(None),
        };
        self.mode = Mode::Trailer(around);
        Ok(Some(Step::More))
    }

    /// The entry of the next `end` bytes.
    fn entry(&self, buffer: &Buffer, end: usize) -> ParsedRow {
        match buffer.text(end) {
            Ok(raw) => object(self.place(), self.format, raw),
            Err(at) => ParsedRow::not_utf8(self.place(), &buffer.rest()[..end], at),
        }
    }

    /// What cannot be taken apart any further, because the file ends too early or a comma is
    /// missing, is rejected as the entry it starts with.
    fn give_up(&mut self, reason: &'static str, buffer: &Buffer) -> Result<Step, ReadError> {
        if self.entries == 0 {
            return Err(ReadError::BrokenJson {
                line: buffer.line(),
                reason: reason.to_owned(),
            });
        }
        self.mode = Mode::GivenUp(reason);
        Ok(Step::More)
    }
}

/// A line that lacks a quote seems to end in a later line; it is not an object of several lines.
fn is_object_of_several_lines(whole: &[u8]) -> bool {
    whole.contains(&b'\n')
        && (serde_json::from_slice::<IgnoredAny>(whole).is_ok()
            || !std::str::from_utf8(whole)
                .is_ok_and(|text| text.lines().any(|line| is_one_object(line.trim()))))
}
