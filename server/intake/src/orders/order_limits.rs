//! How much one repair order may have, counted before a row is added to it.

use dispatch_actors::repair_order::{
    AssignedTechnician, ImportedJob, ImportedOrder, JobAssignment, Operation,
};

use super::jobs::{MAX_JOBS, MAX_PER_JOB};
use crate::fields::{Field, FieldError};
use crate::record::DmsTechnician;

/// Of each source.
const MAX_TECHNICIANS: usize = 20;

pub(super) fn check_technicians(
    existing: &ImportedOrder,
    new: &ImportedOrder,
) -> Result<(), FieldError> {
    for (field, existing, new) in [
        (
            Field::RegularTechnician,
            &existing.regular_technicians,
            &new.regular_technicians,
        ),
        (
            Field::EtlTechnician,
            &existing.etl_technicians,
            &new.etl_technicians,
        ),
    ] {
        let is_same = |a: &AssignedTechnician, b: &AssignedTechnician| a.technician == b.technician;
        let count = merged_count(list(existing), list(new), is_same);
        limit(field, "technicians", count, MAX_TECHNICIANS)?;
    }
    Ok(())
}

pub(super) fn check_technicians_without_number(
    existing: &[DmsTechnician],
    new: &[DmsTechnician],
) -> Result<(), FieldError> {
    let count = merged_count(existing, new, DmsTechnician::eq);
    let what = "technicians without a number";
    limit(Field::Technician, what, count, MAX_TECHNICIANS)
}

/// The jobs with a number, and those that have none yet.
pub(super) fn check_jobs(
    (existing, existing_unnumbered): (&[ImportedJob], &[ImportedJob]),
    (new, new_unnumbered): (&[ImportedJob], Option<&ImportedJob>),
) -> Result<(), FieldError> {
    let is_same = |a: &ImportedJob, b: &ImportedJob| a.job_number == b.job_number;
    let numbered = merged_count(existing, new, is_same);
    let unnumbered = existing_unnumbered.len() + usize::from(new_unnumbered.is_some());
    limit(Field::Jobs, "jobs", numbered + unnumbered, MAX_JOBS)?;
    let nothing = ImportedJob::default();
    for job in new.iter().chain(new_unnumbered) {
        let existing = existing.iter().find(|existing| is_same(existing, job));
        let existing = existing.unwrap_or(&nothing);
        let operations = merged_count(
            list(&existing.operations),
            list(&job.operations),
            Operation::eq,
        );
        let what = "operations in a job";
        limit(Field::Operations, what, operations, MAX_PER_JOB)?;
        let assignments = merged_count(
            list(&existing.assignments),
            list(&job.assignments),
            JobAssignment::eq,
        );
        let what = "assignments in a job";
        limit(Field::Assignments, what, assignments, MAX_PER_JOB)?;
    }
    Ok(())
}

fn list<T>(list: &Option<Vec<T>>) -> &[T] {
    list.as_deref().unwrap_or_default()
}

/// How many there are when `new` is added to `existing` without repeats.
fn merged_count<T>(existing: &[T], new: &[T], is_same: impl Fn(&T, &T) -> bool) -> usize {
    let is_known = |new: &T| existing.iter().any(|existing| is_same(existing, new));
    existing.len() + new.iter().filter(|new| !is_known(new)).count()
}

fn limit(field: Field, what: &str, count: usize, max: usize) -> Result<(), FieldError> {
    if count <= max {
        return Ok(());
    }
    let reason = format!("The repair order would have {count} {what}: at most {max} are taken");
    Err(FieldError::new(field, reason))
}
