//! The jobs of a row: a list, a list written as text, or flat columns.

use dispatch_actors::repair_order::{ImportedJob, JobAssignment, Operation};
use serde_json::Value;

use crate::fields::{Cells, Field, FieldError};
use crate::syntax::invalid_json;
use crate::text::quoted;
use crate::values::{hours, whole_number};

pub(super) const MAX_JOBS: usize = 100;
/// Operations, and assignments, of one job.
pub(super) const MAX_PER_JOB: usize = 100;
/// More than any dealer's system numbers, and far enough below the column's end to count on.
const MAX_JOB_NUMBER: i64 = 999_999_999;

/// The jobs of the row's list. One without a number is numbered after the highest that is given.
pub(super) fn listed(cells: &Cells) -> Result<Vec<ImportedJob>, FieldError> {
    let error = |reason| FieldError::new(Field::Jobs, reason);
    let parsed: Value;
    let list = match cells.get(Field::Jobs) {
        None => return Ok(Vec::new()),
        Some(Value::String(text)) => {
            parsed = serde_json::from_str(text).map_err(|invalid| error(invalid_json(&invalid)))?;
            &parsed
        }
        Some(list) => list,
    };
    let mut jobs = Vec::new();
    for value in objects(list, Field::Jobs, MAX_JOBS)? {
        let (number, mut job) = job_of_list(&value).map_err(|inner| {
            let place = jobs.len() + 1;
            FieldError::new(
                inner.field,
                format!("Job {place} of the list: {}", inner.reason),
            )
        })?;
        job.job_number = number.unwrap_or(0);
        jobs.push(job);
    }
    number_unnumbered(&mut jobs);
    Ok(jobs)
}

/// Numbers those that have none, in their order, after the highest number given.
pub(super) fn number_unnumbered(jobs: &mut [ImportedJob]) {
    let mut highest = jobs.iter().map(|job| job.job_number).max().unwrap_or(0);
    for job in jobs.iter_mut().filter(|job| job.job_number == 0) {
        highest += 1;
        job.job_number = highest;
    }
}

/// The job of the row's own columns, with number 0 where it names none; none where they are empty.
pub(super) fn flat(cells: &Cells) -> Result<Option<ImportedJob>, FieldError> {
    let (number, mut job) = job(cells)?;
    job.job_number = number.unwrap_or(0);
    Ok((job != ImportedJob::default()).then_some(job))
}

/// A job of the list: what flat columns can say, and lists of its own. An empty list says that
/// there are none.
fn job_of_list(cells: &Cells) -> Result<(Option<i32>, ImportedJob), FieldError> {
    let (number, mut job) = job(cells)?;
    let mut operations = job.operations.unwrap_or_default();
    let mut assignments = Vec::new();
    let (mut no_operations, mut no_assignments) = (false, false);
    if let Some(list) = cells.get(Field::Operations) {
        let list = objects(list, Field::Operations, MAX_PER_JOB)?;
        no_operations = list.is_empty();
        for value in list {
            operations.extend(operation(&value)?);
        }
    }
    if let Some(list) = cells.get(Field::Assignments) {
        let list = objects(list, Field::Assignments, MAX_PER_JOB)?;
        no_assignments = list.is_empty();
        for value in list {
            assignments.extend(assignment(&value)?);
        }
    }
    job.operations = Some(operations).filter(|list| !list.is_empty() || no_operations);
    job.assignments = Some(assignments).filter(|list| !list.is_empty() || no_assignments);
    Ok((number, job))
}

fn job(cells: &Cells) -> Result<(Option<i32>, ImportedJob), FieldError> {
    let job = ImportedJob {
        job_number: 0,
        concern: cells.text(Field::Concern)?,
        cause: cells.text(Field::Cause)?,
        brief_tech_notes: cells.text(Field::Notes)?,
        tech_story: match cells.text(Field::Story)? {
            Some(story) => Some(story),
            None => cells.text(Field::Correction)?,
        },
        operations: operation(cells)?.map(|operation| vec![operation]),
        assignments: None,
    };
    Ok((number(cells)?, job))
}

fn number(cells: &Cells) -> Result<Option<i32>, FieldError> {
    let Some(text) = cells.line(Field::JobNumber)? else {
        let code = cells.line(Field::LineCode)?;
        return Ok(code.and_then(|code| number_of_line(&code)));
    };
    match whole_number(&text, MAX_JOB_NUMBER).and_then(|number| i32::try_from(number).ok()) {
        Some(number) => Ok(Some(number)),
        None => {
            let reason = format!(
                "{} is not a job number: give a whole number from 1",
                quoted(&text)
            );
            Err(FieldError::new(Field::JobNumber, reason))
        }
    }
}

/// A is 1, Z 26, AA 27; digits are themselves. What else it says is no number, and the job is
/// numbered behind the others.
fn number_of_line(code: &str) -> Option<i32> {
    let number = match whole_number(code, MAX_JOB_NUMBER) {
        Some(number) => number,
        None => code.bytes().try_fold(0_i64, |number, byte| {
            let letter = byte.to_ascii_uppercase();
            let place = letter
                .is_ascii_uppercase()
                .then(|| i64::from(letter - b'A') + 1)?;
            Some(number * 26 + place).filter(|number| *number <= MAX_JOB_NUMBER)
        })?,
    };
    i32::try_from(number).ok().filter(|number| *number > 0)
}

fn operation(cells: &Cells) -> Result<Option<Operation>, FieldError> {
    let operation = Operation {
        operation_code: cells.line(Field::OperationCode)?.unwrap_or_default(),
        operation_description: cells.text(Field::OperationDescription)?.unwrap_or_default(),
        sold_hours: hours(cells, Field::SoldHours)?,
    };
    Ok((operation != Operation::default()).then_some(operation))
}

fn assignment(cells: &Cells) -> Result<Option<JobAssignment>, FieldError> {
    let assignment = JobAssignment {
        source: cells.line(Field::Source)?.unwrap_or_default(),
        first_name: cells.line(Field::FirstName)?.unwrap_or_default(),
    };
    Ok((assignment != JobAssignment::default()).then_some(assignment))
}

/// The objects of a list of `max` at most; null is an empty one.
fn objects(value: &Value, field: Field, max: usize) -> Result<Vec<Cells>, FieldError> {
    let error = |reason: &str| FieldError::new(field, reason);
    let list = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Array(list) => list,
        _ => return Err(error("This must be a list of objects: put [ ] around it")),
    };
    // Checked before anything compares its entries with each other.
    if list.len() > max {
        let count = list.len();
        return Err(error(&format!(
            "The list has {count} entries: at most {max} are taken"
        )));
    }
    let object = |value: &Value| match value {
        Value::Object(object) => Ok(Cells::of_object(object.clone())),
        _ => Err(error(
            "An entry of this list is no object: write it as { ... }",
        )),
    };
    list.iter().map(object).collect()
}
