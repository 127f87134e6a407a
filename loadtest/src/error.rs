//! Why a test could not be made.

use std::error::Error;

#[derive(Debug, thiserror::Error)]
pub enum LoadTestError {
    #[error("{address} cannot be reached: {why}")]
    Unreachable { address: String, why: String },
    #[error("the server refused {what}: {answer}")]
    Refused { what: &'static str, answer: String },
    #[error("the server did not answer {what} as expected: {why}")]
    Unexpected { what: &'static str, why: String },
    #[error("{0}")]
    Options(String),
    #[error("this machine cannot run the test: {0}")]
    Machine(String),
    #[error("could not be tested: {0}")]
    Untested(String),
    #[error("interrupted")]
    Interrupted,
}

/// What is at the bottom of an error, which is the part that helps.
pub fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
