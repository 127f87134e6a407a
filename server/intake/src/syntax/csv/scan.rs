//! Takes CSV apart: finds where a row ends while it is still arriving, then its cells. A row with
//! broken quotes costs its own line only, where a lenient reader would swallow the rest of the file.

use std::borrow::Cow;

pub(super) const UNCLOSED: &str = "A quote is opened and never closed: close it, or double it (\"\") where it is part of the text";
const STRAY: &str = "Text follows a closing quote: double a quote (\"\") that is part of the text";

/// Looks for the end of the row at which it starts, however its bytes arrive.
#[derive(Default)]
pub(super) struct RowScan {
    /// How far it looked.
    pub(super) at: usize,
    state: State,
}

#[derive(Clone, Copy, Default)]
enum State {
    #[default]
    CellStart,
    Bare,
    Quoted,
    /// Behind a quote within a quoted cell: the first of two, or the closing one.
    Quote,
    Closed,
}

pub(super) enum RowEnd {
    /// The rest of the row has not arrived yet.
    Open,
    /// Before its line end.
    At(usize),
    Broken(&'static str),
    /// It has more than `max_bytes`.
    TooLong,
}

pub(super) fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

impl RowScan {
    /// `bytes` start where the row does; `at_end` when no more will follow. A row of `one_line` has
    /// no line end in quotes.
    pub(super) fn scan(
        &mut self,
        bytes: &[u8],
        delimiter: u8,
        at_end: bool,
        one_line: bool,
        max_bytes: usize,
    ) -> RowEnd {
        loop {
            if self.at > max_bytes {
                return RowEnd::TooLong;
            }
            let Some(&byte) = bytes.get(self.at) else {
                return match self.state {
                    _ if !at_end => RowEnd::Open,
                    State::Quoted => RowEnd::Broken(UNCLOSED),
                    _ => RowEnd::At(self.at),
                };
            };
            self.state = match (self.state, byte) {
                (State::CellStart | State::Quote, b'"') => State::Quoted,
                (State::Quoted, b'"') => State::Quote,
                (State::Quoted, byte) if one_line && ends_line(byte) => {
                    return RowEnd::Broken(UNCLOSED);
                }
                (State::Quoted, _) => State::Quoted,
                (_, byte) if byte == delimiter => State::CellStart,
                (_, byte) if ends_line(byte) => return RowEnd::At(self.at),
                (State::CellStart | State::Bare, _) => State::Bare,
                (State::Quote | State::Closed, b' ') => State::Closed,
                (State::Quote | State::Closed, _) => return RowEnd::Broken(STRAY),
            };
            self.at += 1;
        }
    }
}

/// The cells of a row that was found whole.
pub(super) fn cells(row: &str, delimiter: char) -> CsvCells<'_> {
    CsvCells {
        rest: Some(row),
        delimiter,
    }
}

pub(super) struct CsvCells<'a> {
    /// None behind the last cell.
    rest: Option<&'a str>,
    delimiter: char,
}

impl<'a> Iterator for CsvCells<'a> {
    type Item = Cow<'a, str>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest?;
        let Some(quoted) = rest.strip_prefix('"') else {
            let (cell, after) = match rest.split_once(self.delimiter) {
                Some((cell, after)) => (cell, Some(after)),
                None => (rest, None),
            };
            self.rest = after;
            return Some(Cow::Borrowed(cell));
        };
        let mut end = 0;
        let mut doubled = false;
        let after = loop {
            let Some(quote) = quoted[end..].find('"') else {
                end = quoted.len();
                break "";
            };
            end += quote;
            let Some(more) = quoted[end + 1..].strip_prefix('"') else {
                break &quoted[end + 1..];
            };
            doubled = true;
            end = quoted.len() - more.len();
        };
        self.rest = after.split_once(self.delimiter).map(|(_, after)| after);
        let cell = &quoted[..end];
        Some(if doubled {
            Cow::Owned(cell.replace("\"\"", "\""))
        } else {
            Cow::Borrowed(cell)
        })
    }
}
