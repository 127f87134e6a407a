//! JSON lines: one object a line.

use serde_json::Value;

use super::object::object;
use super::scan::is_one_object;
use crate::error::ReadError;
use crate::formats::Format;
use crate::row::ParsedRow;
use crate::syntax::{Buffer, MAX_ROW_BYTES};
use crate::text::is_blank;

/// Lines that are held back while no whole object has come.
const MAX_HELD_LINES: usize = 1_000;

#[derive(Default)]
pub(super) struct Lines {
    /// How far the line end was looked for.
    looked: usize,
    /// The rest of a line that is too long.
    skipping: bool,
    /// Once a line was a whole object, the others are rows too.
    readable: bool,
    held_rows: Vec<ParsedRow>,
    held_bytes: usize,
    /// What is wrong with the first line, where none is an object.
    first_error: Option<ReadError>,
}

/// The result of one step.
pub(super) enum Step {
    More,
    /// The buffer has no more of it.
    NeedsBytes,
}

impl Lines {
    pub(super) fn read(
        &mut self,
        format: Option<Format>,
        buffer: &mut Buffer,
        at_end: bool,
        rows: &mut Vec<ParsedRow>,
    ) -> Result<Step, ReadError> {
        let bytes = buffer.rest();
        let window = &bytes[self.looked..];
        let end = match window.iter().position(|&byte| byte == b'\n') {
            Some(end) => self.looked + end,
            None if at_end && bytes.is_empty() => return self.release_held(rows),
            None if at_end || self.skipping => bytes.len(),
            None if bytes.len() > MAX_ROW_BYTES => MAX_ROW_BYTES + 1,
            None => {
                self.looked = bytes.len();
                return Ok(Step::NeedsBytes);
            }
        };
        let has_ended = at_end || bytes.get(end) == Some(&b'\n');
        if !self.skipping {
            let line = self.line(format, buffer, end);
            self.held_rows.extend(line);
            self.held_bytes += end;
        }
        buffer.skip(end + usize::from(end < buffer.rest().len() && has_ended));
        self.skipping = !has_ended;
        self.looked = 0;
        if self.readable {
            rows.append(&mut self.held_rows);
            self.held_bytes = 0;
        } else if self.held_rows.len() > MAX_HELD_LINES || self.held_bytes > 2 * MAX_ROW_BYTES {
            return self.release_held(rows);
        }
        Ok(if has_ended {
            Step::More
        } else {
            Step::NeedsBytes
        })
    }

    /// The line of the next `end` bytes; none where it is blank.
    fn line(&mut self, format: Option<Format>, buffer: &Buffer, end: usize) -> Option<ParsedRow> {
        let place = buffer.line_place();
        if end > MAX_ROW_BYTES {
            return Some(ParsedRow::too_long(place, buffer.rest()));
        }
        let line = match buffer.text(end) {
            Ok(line) => line,
            Err(at) => return Some(ParsedRow::not_utf8(place, &buffer.rest()[..end], at)),
        };
        if is_blank(line) {
            return None;
        }
        let raw = line.trim();
        self.readable = self.readable || is_one_object(raw);
        if !self.readable && self.first_error.is_none() {
            let reason = match serde_json::from_str::<Value>(raw) {
                Ok(_) => "This is no list and no object".to_owned(),
                Err(error) => error.to_string(),
            };
            let line = buffer.line();
            self.first_error = Some(ReadError::BrokenJson { line, reason });
        }
        Some(object(place, format, raw))
    }

    /// At the end of the file, or when too much of it made no sense.
    fn release_held(&mut self, rows: &mut Vec<ParsedRow>) -> Result<Step, ReadError> {
        if self.readable {
            return Ok(Step::NeedsBytes);
        }
        if let Some(error) = self.first_error.take() {
            return Err(error);
        }
        if self.held_rows.is_empty() && rows.is_empty() {
            return Err(ReadError::Empty);
        }
        rows.append(&mut self.held_rows);
        self.readable = true;
        Ok(Step::NeedsBytes)
    }
}
