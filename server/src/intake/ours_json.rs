//! JSON as it arrives: a list, a list under `data` or `result` (our own list's answer, and what
//! other systems serve), one object, objects one after the other, or one object a line.

use serde_json::{Map, Value};

use super::Unreadable;
use super::buffer::{Buffer, LONGEST_ROW};
use super::json_lines::{Lines, Step, object};
use super::json_text::{ValueEnd, ValueScan, is_one_object};
use super::reader::{Found, not_utf8, text_of, too_long};
use super::shape::Shape;

/// Under which an object holds the list of repair orders.
const LISTS: [&str; 2] = ["data", "result"];

/// Bytes that are kept of what stands behind all entries.
const LEFTOVER: usize = 1024 * 1024;

const CUT: &str = "The file ends before its list does: export it again";
const CUT_ENTRY: &str =
    "The file ends within this entry, or a quote or bracket of it is not closed: export it again";
const COMMA_TOO_MANY: &str = "There is a comma too many: take it out";
const COMMA_MISSING: &str = "A comma is missing before this entry: add it";
const BEHIND: &str = "This stands behind the list and was not read: put all entries into one list";

pub(super) struct JsonRows {
    shape: Shape,
    mode: Mode,
    /// How many entries of the list there were.
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
    End(Around),
    /// Behind what cannot be taken apart any further, and why.
    GivenUp(&'static str),
}

#[derive(Clone, Copy)]
struct Values {
    of: Of,
    next: Next,
}

#[derive(Clone, Copy)]
enum Of {
    List(Around),
    One(Around),
    Sequence,
}

#[derive(Clone, Copy, PartialEq)]
enum Next {
    First,
    Value,
    Mark,
}

/// What the list (or the one object) stands in.
#[derive(Clone, Copy)]
enum Around {
    Nothing,
    AnObject,
}

impl JsonRows {
    pub(super) fn new(shape: Shape) -> Self {
        Self {
            shape,
            mode: Mode::Opening,
            entries: 0,
            scan: ValueScan::default(),
            skipping: false,
        }
    }

    /// Reads as far as entries are whole; `last` when the buffer has the end of the file.
    pub(super) fn read(
        &mut self,
        buffer: &mut Buffer,
        last: bool,
        found: &mut Vec<Found>,
    ) -> Result<(), Unreadable> {
        loop {
            let step = match self.mode {
                Mode::Opening => self.open(buffer, last)?,
                Mode::Values(values) => self.value(values, buffer, last, found)?,
                Mode::Lines(ref mut lines) => lines.read(self.shape, buffer, last, found)?,
                Mode::End(around) => {
                    buffer.skip_space();
                    buffer.keep(LEFTOVER + 1);
                    let cut = buffer.rest().len() > LEFTOVER;
                    if last {
                        found.extend(leftover(buffer, around, cut));
                        buffer.skip(buffer.rest().len());
                    }
                    Step::Dry
                }
                Mode::GivenUp(reason) => {
                    buffer.keep(LEFTOVER);
                    if last {
                        let raw = String::from_utf8_lossy(buffer.rest());
                        found.push(Found::broken(self.place(), &raw, reason.to_owned()));
                        buffer.skip(buffer.rest().len());
                    }
                    Step::Dry
                }
            };
            if let Step::Dry = step {
                return Ok(());
            }
        }
    }

    /// Of the next entry.
    fn place(&self) -> String {
        format!("entry {}", self.entries + 1)
    }

    fn open(&mut self, buffer: &mut Buffer, last: bool) -> Result<Step, Unreadable> {
        if self.scan.at == 0 {
            buffer.skip_space();
        }
        let bytes = buffer.rest();
        match bytes.first() {
            None if last => return Err(Unreadable::Empty),
            None => return Ok(Step::Dry),
            Some(b'[') => {
                self.enter(Of::List(Around::Nothing), buffer);
                return Ok(Step::On);
            }
            Some(b'{') => {}
            Some(_) => {
                self.mode = Mode::Lines(Lines::default());
                return Ok(Step::On);
            }
        }
        let window = &bytes[..bytes.len().min(LONGEST_ROW)];
        let (found, end) = self.scan.find_member(window, &LISTS);
        if found {
            let of = match bytes.get(self.scan.at) {
                Some(b'[') => Of::List(Around::AnObject),
                _ => Of::One(Around::AnObject),
            };
            buffer.skip(self.scan.at);
            self.enter(of, buffer);
            return Ok(Step::On);
        }
        let whole = match end {
            ValueEnd::At(end) => &bytes[..end],
            ValueEnd::Open if !last && bytes.len() < LONGEST_ROW => return Ok(Step::Dry),
            _ => {
                self.mode = Mode::Lines(Lines::default());
                return Ok(Step::On);
            }
        };
        // A line with a quote too few seems to end in a later one.
        let on_several_lines = whole.contains(&b'\n')
            && (serde_json::from_slice::<serde::de::IgnoredAny>(whole).is_ok()
                || !std::str::from_utf8(whole)
                    .is_ok_and(|text| text.lines().any(|line| is_one_object(line.trim()))));
        self.scan = ValueScan::default();
        if on_several_lines {
            self.enter(Of::Sequence, buffer);
        } else {
            self.mode = Mode::Lines(Lines::default());
        }
        Ok(Step::On)
    }

    fn enter(&mut self, of: Of, buffer: &mut Buffer) {
        if let Of::List(_) = of {
            buffer.skip(1);
        }
        self.scan = ValueScan::default();
        let next = Next::First;
        self.mode = Mode::Values(Values { of, next });
    }

    /// Reads what comes next of the entries.
    fn value(
        &mut self,
        values: Values,
        buffer: &mut Buffer,
        last: bool,
        found: &mut Vec<Found>,
    ) -> Result<Step, Unreadable> {
        let fresh = self.scan.at == 0 && !self.skipping;
        if fresh {
            buffer.skip_space();
            let next = buffer.rest().first().copied();
            let done = match (values.of, values.next, next) {
                (_, _, None) if !last => return Ok(Step::Dry),
                (Of::List(_), _, None) => return self.give_up(CUT, buffer),
                (Of::Sequence, _, None) => return Ok(Step::Dry),
                (Of::List(around), Next::First | Next::Mark, Some(b']')) => {
                    buffer.skip(1);
                    Some(around)
                }
                (Of::List(_), Next::Mark, Some(b',')) => {
                    buffer.skip(1);
                    self.go_on(values.of, Next::Value);
                    return Ok(Step::On);
                }
                (Of::List(_), Next::Mark, Some(_)) => return self.give_up(COMMA_MISSING, buffer),
                (Of::One(around), Next::Mark, _) => Some(around),
                (Of::Sequence, Next::Mark, Some(byte)) if byte != b'{' => Some(Around::Nothing),
                _ => None,
            };
            if let Some(around) = done {
                self.mode = Mode::End(around);
                return Ok(Step::On);
            }
        }
        let bytes = buffer.rest();
        // Whether it is too long must not depend on how much has arrived.
        let window = if self.skipping {
            bytes
        } else {
            &bytes[..bytes.len().min(LONGEST_ROW)]
        };
        let cut = last && (self.skipping || bytes.len() < LONGEST_ROW);
        match self.scan.scan(window, cut) {
            ValueEnd::Open if self.skipping => {
                buffer.skip(bytes.len());
                self.scan.forget();
                Ok(Step::Dry)
            }
            ValueEnd::Open if window.len() == LONGEST_ROW => {
                found.push(too_long(self.place(), bytes));
                self.entries += 1;
                self.skipping = true;
                Ok(Step::On)
            }
            ValueEnd::Open => Ok(Step::Dry),
            ValueEnd::At(end) => {
                if !self.skipping {
                    found.push(entry(self.place(), self.shape, buffer, end));
                    self.entries += 1;
                }
                buffer.skip(end);
                self.go_on(values.of, Next::Mark);
                Ok(Step::On)
            }
            // Its beginning is refused already.
            ValueEnd::Cut if self.skipping => {
                buffer.skip(bytes.len());
                Ok(Step::Dry)
            }
            ValueEnd::Cut => match values.of {
                Of::One(_) => self.give_up("The file ends within it: export it again", buffer),
                Of::List(_) | Of::Sequence => self.give_up(CUT_ENTRY, buffer),
            },
            ValueEnd::Nothing => {
                let reason = match bytes.first() {
                    Some(b',' | b']') => COMMA_TOO_MANY,
                    _ => CUT_ENTRY,
                };
                self.give_up(reason, buffer)
            }
        }
    }

    fn go_on(&mut self, of: Of, next: Next) {
        self.scan = ValueScan::default();
        self.skipping = false;
        self.mode = Mode::Values(Values { of, next });
    }

    /// What cannot be taken apart any further, because the file ends too early or a comma is
    /// missing, is refused as the entry it starts with.
    fn give_up(&mut self, reason: &'static str, buffer: &Buffer) -> Result<Step, Unreadable> {
        if self.entries == 0 {
            return Err(Unreadable::BrokenJson {
                line: buffer.line(),
                reason: reason.to_owned(),
            });
        }
        self.mode = Mode::GivenUp(reason);
        Ok(Step::On)
    }
}

/// What stands behind all entries but does not belong there; `cut` where there is more of it.
fn leftover(buffer: &Buffer, around: Around, cut: bool) -> Option<Found> {
    let rest = String::from_utf8_lossy(buffer.rest());
    let rest = rest.trim();
    let belongs = match around {
        _ if rest.is_empty() => true,
        Around::Nothing => false,
        Around::AnObject => {
            // Its other members, read as an object of their own.
            let members = rest.strip_prefix(',').unwrap_or(rest);
            !cut && serde_json::from_str::<Map<String, Value>>(&format!("{{{members}")).is_ok()
        }
    };
    (!belongs).then(|| Found::broken("the end".to_owned(), rest, BEHIND.to_owned()))
}

/// The entry of the next `end` bytes.
fn entry(place: String, shape: Shape, buffer: &Buffer, end: usize) -> Found {
    match text_of(buffer, end) {
        Ok(raw) => object(place, shape, raw),
        Err(at) => not_utf8(place, &buffer.rest()[..end], at),
    }
}
