//! Texts that people send, made fit to be kept and shown.

pub use dispatch_actors::text::{MAX_TEXT_CHARS, cleaned, one_line, quotable};

use crate::error::ApiError;

/// A job's text, cleaned; 400 when it is too long.
pub fn of_job(text: Option<String>, field: &str) -> Result<Option<String>, ApiError> {
    let Some(text) = text else { return Ok(None) };
    let text = cleaned(&text);
    let length = text.chars().count();
    if length > MAX_TEXT_CHARS {
        return Err(ApiError::invalid(format!(
            "{field} has {length} characters: at most {MAX_TEXT_CHARS} are kept"
        )));
    }
    Ok(Some(text))
}

/// The same for texts that differ in case alone. By way of the capitals, because the capital of ß
/// is SS.
pub fn folded(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_too_long_is_refused_by_its_name() {
        let long = "x".repeat(20_001);
        assert_eq!(
            of_job(Some(long), "cause").unwrap_err().error,
            "cause has 20001 characters: at most 20000 are kept"
        );
    }
}
