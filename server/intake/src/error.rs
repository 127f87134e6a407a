//! Why a file as a whole cannot be read.

/// Why a file as a whole cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("The file is empty")]
    Empty,
    #[error("The file is UTF-16: save it as UTF-8 (a spreadsheet calls it 'CSV UTF-8')")]
    Utf16,
    #[error(
        "The file is not UTF-8: byte {column} of line {line} is no character. \
         Save it as UTF-8 (a spreadsheet calls it 'CSV UTF-8')"
    )]
    NotUtf8 { line: usize, column: usize },
    #[error("The header cannot be read: {0}")]
    BrokenHeader(String),
    #[error("The header has no column for the RO number: name it one of {accepted}")]
    NoNumberColumn { accepted: String },
    #[error("The JSON is broken in line {line}, before any repair order: {reason}")]
    BrokenJson { line: usize, reason: String },
}
