//! Takes CSV apart into rows of cells. A row with broken quotes costs its own line only: reading
//! goes on with the next one, where a lenient reader would swallow the rest of the file.

pub(super) struct Line<'a> {
    /// Of the file, from 1; the first of a row that has several.
    pub(super) number: usize,
    pub(super) raw: &'a str,
    /// Or why there are none.
    pub(super) cells: Result<Vec<String>, &'static str>,
}

pub(super) struct Lines<'a> {
    text: &'a str,
    delimiter: char,
    at: usize,
    number: usize,
}

const UNCLOSED: &str = "A quote is opened and never closed: close it, or double it (\"\") where it is part of the text";
const STRAY: &str = "Text follows a closing quote: double a quote (\"\") that is part of the text";
const LINE_ENDS: [char; 2] = ['\n', '\r'];

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str, delimiter: char) -> Self {
        Self {
            text,
            delimiter,
            at: 0,
            number: 1,
        }
    }

    fn ends_line(&self, c: char) -> bool {
        c == self.delimiter || LINE_ENDS.contains(&c)
    }

    /// The cells of the row that starts here, and where it ends (before its line end).
    fn row(&self) -> Result<(Vec<String>, usize), &'static str> {
        let mut cells = Vec::new();
        let mut at = self.at;
        loop {
            let (cell, end) = self.cell(at)?;
            cells.push(cell);
            if self.text[end..].starts_with(self.delimiter) {
                at = end + self.delimiter.len_utf8();
            } else {
                return Ok((cells, end));
            }
        }
    }

    fn cell(&self, start: usize) -> Result<(String, usize), &'static str> {
        let rest = &self.text[start..];
        let Some(mut quoted) = rest.strip_prefix('"') else {
            let end = rest.find(|c| self.ends_line(c)).unwrap_or(rest.len());
            return Ok((rest[..end].to_owned(), start + end));
        };
        let mut cell = String::new();
        loop {
            let (text, after) = quoted.split_once('"').ok_or(UNCLOSED)?;
            cell.push_str(text);
            match after.strip_prefix('"') {
                Some(more) => {
                    cell.push('"');
                    quoted = more;
                }
                None => {
                    let after = after.trim_start_matches(' ');
                    if !after.is_empty() && !after.starts_with(|c| self.ends_line(c)) {
                        return Err(STRAY);
                    }
                    return Ok((cell, self.text.len() - after.len()));
                }
            }
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        let (cells, end) = match self.row() {
            Ok((cells, end)) => (Ok(cells), end),
            Err(reason) => {
                let end = rest
                    .find(LINE_ENDS)
                    .map_or(self.text.len(), |end| self.at + end);
                (Err(reason), end)
            }
        };
        let line = Line {
            number: self.number,
            raw: &self.text[self.at..end],
            cells,
        };
        let after = &self.text[end..];
        let ending = if after.starts_with("\r\n") {
            2
        } else {
            after.len().min(1)
        };
        self.at = end + ending;
        self.number += line_ends(line.raw) + 1;
        Some(line)
    }
}

fn line_ends(text: &str) -> usize {
    text.matches(LINE_ENDS).count() - text.matches("\r\n").count()
}
