//! RO numbers: the digits are the number, the dealer's text is kept beside them.

use std::str::FromStr;

use dispatch_actors::repair_order::{BadRoNumber, RoNumber};
use serde_json::{Number, Value};

use crate::fields::{Cells, Field, FieldError};
use crate::text::quoted;

/// Characters of the dealer's own text for an RO number.
const MAX_DMS_NUMBER_CHARS: usize = 100;

/// The RO number and the dealer's text for it.
pub(crate) fn ro_number(cells: &Cells) -> Result<(RoNumber, String), FieldError> {
    let (number, text) = match cells.get(Field::Number) {
        None => {
            return Err(FieldError::new(
                Field::Number,
                "The RO number is missing: fill it in",
            ));
        }
        Some(Value::Number(number)) => (number_of_json(number)?, number.to_string()),
        Some(_) => number_of_text(cells, Field::Number)?,
    };
    if cells.get(Field::DmsNumber).is_none() {
        return Ok((number, text));
    }
    let (same, dms_text) = number_of_text(cells, Field::DmsNumber)?;
    if same == number {
        Ok((number, dms_text))
    } else {
        let reason = format!(
            "{} has other digits than RO number {number}: make them agree",
            quoted(&dms_text)
        );
        Err(FieldError::new(Field::DmsNumber, reason))
    }
}

fn number_of_json(number: &Number) -> Result<RoNumber, FieldError> {
    let text = number.to_string();
    let read = match number.as_i64() {
        Some(whole) => RoNumber::try_from(whole).map_err(|error| correct(&error)),
        None if number.is_u64() => RoNumber::from_str(&text).map_err(|error| correct(&error)),
        None => Err(not_whole(&text)),
    };
    read.map_err(|reason| FieldError::new(Field::Number, reason))
}

fn number_of_text(cells: &Cells, field: Field) -> Result<(RoNumber, String), FieldError> {
    let error = |reason| FieldError::new(field, reason);
    let text = cells.line(field)?.unwrap_or_default();
    if text.chars().count() > MAX_DMS_NUMBER_CHARS {
        return Err(error(format!(
            "This is no RO number: it is longer than {MAX_DMS_NUMBER_CHARS} characters"
        )));
    }
    // Their digits alone would be another order's number.
    if is_shortened(&text) {
        return Err(error(not_whole(&text)));
    }
    if text
        .strip_prefix('-')
        .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
    {
        return Err(error(format!(
            "RO number {} is negative: correct it",
            quoted(&text)
        )));
    }
    let number = RoNumber::from_str(&text).map_err(|refused| error(correct(&refused)))?;
    Ok((number, text))
}

/// A decimal, or what a spreadsheet makes of a long number: 100234.0, 1.00234E+11.
fn is_shortened(text: &str) -> bool {
    let exponent = text.contains("E+") || text.contains("e+");
    let text = if exponent {
        text.replace(',', ".")
    } else {
        text.to_owned()
    };
    (exponent || text.contains('.')) && text.parse::<f64>().is_ok()
}

fn not_whole(text: &str) -> String {
    format!(
        "RO number {} is not a whole number: export the column as text",
        quoted(text)
    )
}

fn correct(error: &BadRoNumber) -> String {
    let sentence = error.to_string();
    let mut chars = sentence.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    let sentence: String = first.into_iter().chain(chars).collect();
    format!("{sentence}. Correct it")
}
