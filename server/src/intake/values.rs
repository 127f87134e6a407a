//! Single values: texts without control characters, numbers, flags, statuses and priorities.

use std::str::FromStr;

use dispatch_actors::repair_order::{Priority, RoNumber, SoldHours, Status, TechnicianId};
use serde_json::{Number, Value};

use super::fields::{Cells, Field};
use crate::text;
pub(super) use crate::text::{LONGEST_TEXT, cleaned as text, one_line as line};

/// Characters. Heads (customer, vehicle, ...) are shown in one table cell.
pub(super) const LONGEST_LINE: usize = 500;
/// Characters of the dealer's own text for an RO number.
const LONGEST_NUMBER: usize = 100;
/// The largest integer that every JSON reader keeps exactly.
const LARGEST_INTEGER: i64 = RoNumber::MAX;

/// What is wrong with a row.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    pub(super) field: &'static str,
    pub(super) reason: String,
}

impl Flaw {
    pub(super) fn new(field: &'static str, reason: String) -> Self {
        Self { field, reason }
    }
}

pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c.is_control())
}

/// The value as a reason repeats it: in quotes and not too long.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text::quotable(text))
}

/// The RO number and the dealer's text for it.
pub(super) fn ro_number(cells: &Cells) -> Result<(RoNumber, String), Flaw> {
    let (number, text) = match cells.get(Field::Number) {
        None => {
            return Err(Flaw::new(
                Field::Number.name(),
                "The RO number is missing: fill it in".to_owned(),
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
        Err(Flaw::new(Field::DmsNumber.name(), reason))
    }
}

fn number_of_json(number: &Number) -> Result<RoNumber, Flaw> {
    let text = number.to_string();
    let read = match number.as_i64() {
        Some(whole) => RoNumber::try_from(whole).map_err(|refused| correct(&refused)),
        None if number.is_u64() => RoNumber::from_str(&text).map_err(|refused| correct(&refused)),
        None => Err(not_whole(&text)),
    };
    read.map_err(|reason| Flaw::new(Field::Number.name(), reason))
}

fn number_of_text(cells: &Cells, field: Field) -> Result<(RoNumber, String), Flaw> {
    let flaw = |reason| Flaw::new(field.name(), reason);
    let text = cells.line(field)?.unwrap_or_default();
    if text.chars().count() > LONGEST_NUMBER {
        return Err(flaw(format!(
            "This is no RO number: it is longer than {LONGEST_NUMBER} characters"
        )));
    }
    // Their digits alone would be another order's number.
    if is_shortened(&text) {
        return Err(flaw(not_whole(&text)));
    }
    if text
        .strip_prefix('-')
        .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
    {
        return Err(flaw(format!(
            "RO number {} is negative: correct it",
            quoted(&text)
        )));
    }
    let number = RoNumber::from_str(&text).map_err(|refused| flaw(correct(&refused)))?;
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

fn correct(refused: &dispatch_actors::repair_order::BadRoNumber) -> String {
    let sentence = refused.to_string();
    let mut chars = sentence.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    let sentence: String = first.into_iter().chain(chars).collect();
    format!("{sentence}. Correct it")
}

/// A technician's number; none where the text is not a whole number from 1.
pub(super) fn technician(text: &str) -> Option<TechnicianId> {
    whole_number(text, LARGEST_INTEGER)
}

/// Digits only, 1 to `largest`.
pub(super) fn whole_number(text: &str, largest: i64) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits)?;
    (1..=largest).contains(&number).then_some(number)
}

pub(super) fn hours(cells: &Cells, field: Field) -> Result<Option<SoldHours>, Flaw> {
    let Some(text) = cells.line(field)? else {
        return Ok(None);
    };
    let plain = |c: char| c.is_ascii_digit() || c == '.';
    let hours = text.parse().ok().filter(|_| text.chars().all(plain));
    match hours.and_then(SoldHours::from_hours) {
        Some(hours) => Ok(Some(hours)),
        None => {
            let reason = format!(
                "{} is no number of hours: give one from 0 to 9999.99, such as 1.5",
                quoted(&text)
            );
            Err(Flaw::new(field.name(), reason))
        }
    }
}

pub(super) fn flag(cells: &Cells, field: Field) -> Result<Option<bool>, Flaw> {
    if let Some(Value::Bool(flag)) = cells.get(field) {
        return Ok(Some(*flag));
    }
    let Some(text) = cells.line(field)? else {
        return Ok(None);
    };
    match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "1" | "x" => Ok(Some(true)),
        "false" | "f" | "no" | "n" | "0" => Ok(Some(false)),
        _ => {
            let reason = format!(
                "{} is neither yes nor no: write true or false",
                quoted(&text)
            );
            Err(Flaw::new(field.name(), reason))
        }
    }
}

pub(super) fn status(cells: &Cells, field: Field) -> Result<Option<Status>, Flaw> {
    let parse = |text: &str| text.parse().ok();
    one_of(
        cells,
        field,
        "status",
        &Status::ALL.map(Status::name),
        parse,
    )
}

/// A priority's name or its level, 1 to 4.
pub(super) fn priority(cells: &Cells, field: Field) -> Result<Option<Priority>, Flaw> {
    let parse = |text: &str| text.parse().ok().or_else(|| Priority::from_level(text));
    one_of(
        cells,
        field,
        "priority",
        &Priority::ALL.map(Priority::name),
        parse,
    )
}

/// 'none' is how the dealer's system writes an empty one.
fn one_of<T>(
    cells: &Cells,
    field: Field,
    what: &str,
    allowed: &[&str],
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, Flaw> {
    let Some(text) = cells
        .line(field)?
        .filter(|text| !text.eq_ignore_ascii_case("none"))
    else {
        return Ok(None);
    };
    match parse(&text) {
        Some(value) => Ok(Some(value)),
        None => {
            let allowed = allowed.join(", ");
            let reason = format!(
                "{} is not a {what}: use one of {allowed}, or leave it empty",
                quoted(&text)
            );
            Err(Flaw::new(field.name(), reason))
        }
    }
}
