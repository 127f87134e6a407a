//! How an event is written: `log_line` in the log, `csv` in a spreadsheet; `text` makes texts of
//! requests fit for both.

pub(super) mod csv;
pub(super) mod log_line;
pub(super) mod text;
