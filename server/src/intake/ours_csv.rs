//! CSV with our names, or their aliases, as its header. One row is one repair order, or one job or
//! one technician of it.

use serde_json::Value;

use super::Unreadable;
use super::csv_text::Lines;
use super::fields::{Cells, Field, named};
use super::reader::{Row, Rows, broken};
use super::values::is_blank;

/// What each column means: the field and its name's rank. A column we do not know is none.
type Header = Vec<Option<(Field, usize)>>;

pub(super) fn rows(text: &str) -> Result<Rows, Unreadable> {
    let delimiter = delimiter_of(text);
    let mut lines = Lines::of(text, delimiter).filter(|line| !is_blank(line.raw));
    let header = match lines.next().ok_or(Unreadable::Empty)?.cells {
        Ok(cells) => header_of(&cells),
        Err(reason) => return Err(Unreadable::BrokenHeader(reason.to_owned())),
    };
    if !header
        .iter()
        .flatten()
        .any(|(field, _)| *field == Field::Number)
    {
        return Err(Unreadable::NoNumberColumn {
            accepted: Field::Number.accepted_names(),
        });
    }
    let rows = lines.filter_map(|line| {
        let place = format!("line {}", line.number);
        let cells = match line.cells {
            Ok(cells) => cells,
            Err(reason) => return Some(Err(broken(place, line.raw, reason.to_owned()))),
        };
        // A spreadsheet leaves rows of delimiters below its table.
        if cells.iter().all(|cell| is_blank(cell)) {
            return None;
        }
        if cells.len() != header.len() {
            let reason = format!(
                "The row has {} cells and the header {}: put a cell that holds a delimiter in quotes",
                cells.len(),
                header.len()
            );
            return Some(Err(broken(place, line.raw, reason)));
        }
        let mut known = Cells::default();
        for (column, cell) in header.iter().zip(cells) {
            if let Some((field, rank)) = column {
                known.put(*field, *rank, Value::String(cell));
            }
        }
        Some(Ok(Row {
            place,
            raw: line.raw.to_owned(),
            cells: known,
        }))
    });
    Ok(rows.collect())
}

fn header_of(cells: &[String]) -> Header {
    cells.iter().map(|cell| named(cell)).collect()
}

/// The one under which the header has the most names we know; a comma where none divides it.
fn delimiter_of(text: &str) -> char {
    let known_under = |delimiter: char| {
        let header = Lines::of(text, delimiter).find(|line| !is_blank(line.raw));
        let cells = header.and_then(|line| line.cells.ok()).unwrap_or_default();
        header_of(&cells).iter().flatten().count()
    };
    // The last of equals is taken.
    ['\t', ';', ',']
        .into_iter()
        .max_by_key(|delimiter| known_under(*delimiter))
        .unwrap_or(',')
}
