//! What an object's own text is read as.

use serde_json::Value;

use crate::formats::{Format, object_row};
use crate::row::ParsedRow;

/// A text that should be one object.
pub(super) fn object(place: String, format: Option<Format>, raw: &str) -> ParsedRow {
    match serde_json::from_str(raw) {
        Ok(Value::Object(object)) => object_row(format, place, raw, object),
        Ok(_) => {
            let reason = "This is no object: write a repair order as {\"repairOrderNumber\": ...}";
            ParsedRow::broken(place, raw, reason)
        }
        Err(error) => ParsedRow::broken(place, raw, invalid_json(&error)),
    }
}

/// serde_json's own words for half a surrogate pair mean nothing to the person who must correct the
/// file.
pub(crate) fn invalid_json(error: &serde_json::Error) -> String {
    let words = error.to_string();
    if words.contains("surrogate") || words.contains("hex escape") {
        format!(
            "A \\u escape is only half a character (a lone surrogate): write the whole character ({words})"
        )
    } else {
        format!("This is not valid JSON: correct it ({words})")
    }
}
