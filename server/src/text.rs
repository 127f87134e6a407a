//! Texts that people send, made fit to be kept and shown.

pub use dispatch_actors::text::{MAX_TEXT_CHARS, cleaned, one_line, quotable};

use std::borrow::Cow;
use std::ops::Deref;

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::error::ApiError;

/// A text on one line, without space around it: up to 100 characters and no control characters.
pub const ONE_LINE: &str =
    r"^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]{0,98}[^\s\x00-\x1f\x7f-\x9f])?$";

/// A text of a body that is to be one line, as it was sent: `limits::short_text` says whether it is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct OneLine(pub String);

impl Deref for OneLine {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialSchema for OneLine {
    fn schema() -> RefOr<Schema> {
        matching(ONE_LINE).into()
    }
}

impl ToSchema for OneLine {}

/// The same, or an empty text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct OneLineOrEmpty(pub String);

impl PartialSchema for OneLineOrEmpty {
    fn schema() -> RefOr<Schema> {
        let line = ONE_LINE.trim_start_matches('^').trim_end_matches('$');
        matching(&format!("^({line})?$")).into()
    }
}

impl ToSchema for OneLineOrEmpty {}

/// A text of a body with something to read in it, up to `MAX_CHARS` characters, as it was sent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct ReadableText<const MAX_CHARS: usize>(pub String);

impl<const MAX_CHARS: usize> Deref for ReadableText<MAX_CHARS> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MAX_CHARS: usize> PartialSchema for ReadableText<MAX_CHARS> {
    fn schema() -> RefOr<Schema> {
        matching(r"[^\s\x00-\x1f\x7f-\x9f]")
            .min_length(Some(1))
            .max_length(Some(MAX_CHARS))
            .into()
    }
}

impl<const MAX_CHARS: usize> ToSchema for ReadableText<MAX_CHARS> {
    fn name() -> Cow<'static, str> {
        format!("TextUpTo{MAX_CHARS}").into()
    }
}

fn matching(pattern: &str) -> ObjectBuilder {
    let text = ObjectBuilder::new().schema_type(Type::String);
    text.pattern(Some(pattern))
}

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

/// By which names are sorted: Ömer stands between Olga and Oscar, not behind Zoë.
pub fn name_order(name: &str) -> String {
    let letters = name.nfd().filter(|&letter| !is_combining_mark(letter));
    letters.collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_by_their_letters_whatever_stands_on_them() {
        let mut names = ["Zoë", "omar", "Ömer", "Oscar", "Éva", "Ewa"];
        names.sort_by_cached_key(|name| name_order(name));
        assert_eq!(names, ["Éva", "Ewa", "omar", "Ömer", "Oscar", "Zoë"]);
    }

    #[test]
    fn a_text_that_is_too_long_is_refused_by_its_name() {
        let long = "x".repeat(20_001);
        assert_eq!(
            of_job(Some(long), "cause").unwrap_err().error,
            "cause has 20001 characters: at most 20000 are kept"
        );
    }
}
