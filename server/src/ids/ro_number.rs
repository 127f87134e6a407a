//! The number of a repair order.

use dispatch_actors::repair_order::RoNumber;
use dispatch_actors::text::quotable;
use utoipa::openapi::schema::ObjectBuilder;

use crate::error::{ApiError, ErrorCode};
use crate::typed_params::{ParseNumber, ParseText};

/// As dealers write them: digits, with letters and zeros around them at most.
const RO_NUMBER: &str = "^[A-Za-z]{0,8}0{0,8}[1-9][0-9]{0,14}[A-Za-z]{0,8}$";

impl ParseText for RoNumber {
    /// A file may bring anything around the digits. A call may not: its change must not go to the
    /// order that is left of an accident.
    fn parse_text(text: &str) -> Result<Self, ApiError> {
        let quoted = quotable(text);
        let refused = |why: String| ApiError::new(ErrorCode::InvalidRoNumber, capitalised(&why));
        let number = quoted
            .parse::<RoNumber>()
            .map_err(|why| refused(why.to_string()))?;
        if is_plain_ro_number(text) {
            Ok(number)
        } else {
            Err(refused(format!(
                "'{quoted}' is not an RO number: digits, with letters before or after them at most"
            )))
        }
    }

    fn describe_text(text: ObjectBuilder) -> ObjectBuilder {
        text.pattern(Some(RO_NUMBER))
            .description(Some("An RO number, as the dealer writes it"))
            .examples(["104217"])
    }
}

impl ParseNumber for RoNumber {
    const SCHEMA_NAME: &'static str = "RoNumber";

    fn describe_number(number: ObjectBuilder) -> ObjectBuilder {
        number.minimum(Some(1)).maximum(Some(RoNumber::MAX))
    }
}

/// Whether [`RO_NUMBER`] lets this through; a number may have one digit more.
fn is_plain_ro_number(text: &str) -> bool {
    let letter = |character: char| character.is_ascii_alphabetic();
    let rest = text.trim_start_matches(letter);
    let digits = rest.trim_end_matches(letter);
    let value = digits.trim_start_matches('0');
    text.len() - rest.len() <= 8
        && rest.len() - digits.len() <= 8
        && digits.len() - value.len() <= 8
        && (1..=16).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_digit())
}

fn capitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_admits_only_ro_numbers_that_can_be_parsed() {
        for text in ["1", "A0104218", "000000001", "999999999999999X", "e5", "5e"] {
            assert!(RoNumber::parse_text(text).is_ok(), "{text}");
        }
        assert!(RoNumber::parse_text(&RoNumber::MAX.to_string()).is_ok());
        for text in [
            "",
            "X",
            "0",
            "1x2",
            "O'Neill 8",
            "8\u{b2}",
            " 8",
            "ABCDEFGHI8",
        ] {
            assert!(RoNumber::parse_text(text).is_err(), "{text}");
        }
    }
}
