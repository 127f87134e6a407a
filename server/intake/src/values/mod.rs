//! Single values: technicians' numbers, hours, flags, statuses and priorities.

use dispatch_actors::repair_order::{Priority, RoNumber, SoldHours, Status, TechnicianId};
use serde_json::Value;

use crate::fields::{Cells, Field, FieldError};
use crate::text::quoted;

mod ro_number;
mod times;

pub(crate) use ro_number::ro_number;
pub(crate) use times::moment;

/// The largest integer that every JSON reader keeps exactly.
const MAX_INTEGER: i64 = RoNumber::MAX;

/// A technician's number; none where the text is not a whole number from 1.
pub(crate) fn technician_number(text: &str) -> Option<TechnicianId> {
    whole_number(text, MAX_INTEGER)
}

/// Digits only, 1 to `max`.
pub(crate) fn whole_number(text: &str, max: i64) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits)?;
    (1..=max).contains(&number).then_some(number)
}

pub(crate) fn hours(cells: &Cells, field: Field) -> Result<Option<SoldHours>, FieldError> {
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
            Err(FieldError::new(field, reason))
        }
    }
}

pub(crate) fn flag(cells: &Cells, field: Field) -> Result<Option<bool>, FieldError> {
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
            Err(FieldError::new(field, reason))
        }
    }
}

pub(crate) fn status(cells: &Cells, field: Field) -> Result<Option<Status>, FieldError> {
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
pub(crate) fn priority(cells: &Cells, field: Field) -> Result<Option<Priority>, FieldError> {
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
) -> Result<Option<T>, FieldError> {
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
            Err(FieldError::new(field, reason))
        }
    }
}
