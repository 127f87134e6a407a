//! One object a line, and what an object's own text is read as.

use serde_json::Value;

use super::Unreadable;
use super::buffer::{Buffer, LONGEST_ROW};
use super::json_text::is_one_object;
use super::reader::{Found, not_utf8, text_of, too_long};
use super::shape::Shape;
use super::values::is_blank;

/// Lines that are held back while no whole object has come.
const HELD: usize = 1_000;

#[derive(Default)]
pub(super) struct Lines {
    /// How far the line end was looked for.
    looked: usize,
    /// The rest of a line that is too long.
    skipping: bool,
    /// Once a line was a whole object, the others are rows too.
    readable: bool,
    held: Vec<Found>,
    held_bytes: usize,
    /// What is wrong with the first line, where none is an object.
    wrong: Option<Unreadable>,
}

/// What one step came to.
pub(super) enum Step {
    On,
    /// The buffer has no more of it.
    Dry,
}

impl Lines {
    pub(super) fn read(
        &mut self,
        shape: Shape,
        buffer: &mut Buffer,
        last: bool,
        found: &mut Vec<Found>,
    ) -> Result<Step, Unreadable> {
        let bytes = buffer.rest();
        let window = &bytes[self.looked..];
        let end = match window.iter().position(|&byte| byte == b'\n') {
            Some(end) => self.looked + end,
            None if last && bytes.is_empty() => return self.end(found),
            None if last || self.skipping => bytes.len(),
            None if bytes.len() > LONGEST_ROW => LONGEST_ROW + 1,
            None => {
                self.looked = bytes.len();
                return Ok(Step::Dry);
            }
        };
        let ended = last || bytes.get(end) == Some(&b'\n');
        if !self.skipping {
            let line = self.line(shape, buffer, end);
            self.held.extend(line);
            self.held_bytes += end;
        }
        buffer.skip(end + usize::from(end < buffer.rest().len() && ended));
        self.skipping = !ended;
        self.looked = 0;
        if self.readable {
            found.append(&mut self.held);
            self.held_bytes = 0;
        } else if self.held.len() > HELD || self.held_bytes > 2 * LONGEST_ROW {
            return self.end(found);
        }
        Ok(if ended { Step::On } else { Step::Dry })
    }

    /// The line of the next `end` bytes; none where it says nothing.
    fn line(&mut self, shape: Shape, buffer: &Buffer, end: usize) -> Option<Found> {
        let place = format!("line {}", buffer.line());
        if end > LONGEST_ROW {
            return Some(too_long(place, buffer.rest()));
        }
        let line = match text_of(buffer, end) {
            Ok(line) => line,
            Err(at) => return Some(not_utf8(place, &buffer.rest()[..end], at)),
        };
        if is_blank(line) {
            return None;
        }
        let raw = line.trim();
        self.readable = self.readable || is_one_object(raw);
        if !self.readable && self.wrong.is_none() {
            let reason = match serde_json::from_str::<Value>(raw) {
                Ok(_) => "This is no list and no object".to_owned(),
                Err(error) => error.to_string(),
            };
            let line = buffer.line();
            self.wrong = Some(Unreadable::BrokenJson { line, reason });
        }
        Some(object(place, shape, raw))
    }

    /// At the end of the file, or when too much of it made no sense.
    fn end(&mut self, found: &mut Vec<Found>) -> Result<Step, Unreadable> {
        if self.readable {
            return Ok(Step::Dry);
        }
        if let Some(wrong) = self.wrong.take() {
            return Err(wrong);
        }
        if self.held.is_empty() && found.is_empty() {
            return Err(Unreadable::Empty);
        }
        found.append(&mut self.held);
        self.readable = true;
        Ok(Step::Dry)
    }
}

/// A text that should be one object.
pub(super) fn object(place: String, shape: Shape, raw: &str) -> Found {
    match serde_json::from_str(raw) {
        Ok(Value::Object(object)) => shape.read(place, raw, object),
        Ok(_) => {
            let reason = "This is no object: write a repair order as {\"repairOrderNumber\": ...}";
            Found::broken(place, raw, reason.to_owned())
        }
        Err(error) => Found::broken(place, raw, why_unreadable(&error)),
    }
}

/// serde_json's own words for half a surrogate pair say nothing to whoever must correct the file.
pub(super) fn why_unreadable(error: &serde_json::Error) -> String {
    let words = error.to_string();
    if words.contains("surrogate") || words.contains("hex escape") {
        format!(
            "A \\u escape is only half a character (a lone surrogate): write the whole character ({words})"
        )
    } else {
        format!("This is not valid JSON: correct it ({words})")
    }
}
