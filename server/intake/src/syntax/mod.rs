//! How bytes are divided into rows, while they are still arriving: CSV and JSON.

mod buffer;
mod csv;
mod json;

pub(crate) use buffer::{Buffer, MAX_ROW_BYTES};
pub(crate) use csv::CsvRows;
pub(crate) use json::{JsonRows, invalid_json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    Json,
    Csv,
}

impl Syntax {
    /// By the ending of the name.
    pub(crate) fn by_file_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "json" | "ndjson" | "jsonl" => Some(Syntax::Json),
            "csv" | "tsv" => Some(Syntax::Csv),
            _ => None,
        }
    }

    /// By the first character; none while there is only white space, whose lines are skipped.
    pub(crate) fn by_content(buffer: &mut Buffer) -> Option<Self> {
        let bytes = buffer.rest();
        match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'[' | b'{') => Some(Syntax::Json),
            Some(_) => Some(Syntax::Csv),
            None => {
                let lines = bytes.iter().rposition(|&byte| byte == b'\n');
                buffer.skip(lines.map_or(0, |end| end + 1));
                (buffer.rest().len() > MAX_ROW_BYTES).then_some(Syntax::Csv)
            }
        }
    }
}
