//! A repair order whose rows may still come.

use std::collections::HashSet;

use dispatch_actors::repair_order::{AssignedTechnician, ImportedJob, ImportedOrder, RoNumber};
use jiff::Timestamp;

use super::jobs::number_unnumbered;
use super::order_limits::{check_jobs, check_technicians, check_technicians_without_number};
use super::row_content::RowContent;
use crate::fields::{Field, FieldError};
use crate::record::{Record, Reject};
use crate::row::Row;

pub(super) struct PendingOrder {
    pub(super) record: Record,
    /// Flat jobs without a number; they are numbered when all rows are known.
    pub(super) unnumbered: Vec<ImportedJob>,
    is_closed: bool,
    /// Not every row says who works on it.
    lacks_technicians: bool,
    /// Of its rows and warnings.
    pub(super) bytes: usize,
}

impl PendingOrder {
    pub(super) fn new(number: RoNumber, dms_number: &str, place: &str) -> Self {
        let order = ImportedOrder {
            dms_number: dms_number.to_owned(),
            ..ImportedOrder::default()
        };
        Self {
            record: Record {
                place: place.to_owned(),
                number,
                order,
                continues: false,
                technicians_without_number: Vec::new(),
                stage: None,
                raw: String::new(),
                warnings: Vec::new(),
            },
            unnumbered: Vec::new(),
            is_closed: false,
            lacks_technicians: false,
            bytes: 0,
        }
    }

    pub(super) fn add(&mut self, row: Row, mut content: RowContent) -> Result<(), Reject> {
        // Rows that differ only in their technician repeat their job.
        content.unnumbered = content
            .unnumbered
            .filter(|job| !self.unnumbered.contains(job));
        let jobs = std::mem::take(&mut content.order.jobs);
        content.order.jobs = jobs.into_iter().fold(Vec::new(), |mut merged, job| {
            merge_job(&mut merged, job);
            merged
        });
        if let Err(error) = self.check(&content) {
            return Err(row.rejected(error));
        }
        self.lacks_technicians |= content.order.etl_technicians.is_none();
        self.is_closed |= content.is_closed;
        self.unnumbered.extend(content.unnumbered);
        let record = &mut self.record;
        merge_order(&mut record.order, content.order);
        replace(&mut record.stage, content.stage);
        for technician in content.technicians_without_number {
            if !record.technicians_without_number.contains(&technician) {
                record.technicians_without_number.push(technician);
            }
        }
        record.warnings.extend(content.warnings);
        if !record.raw.is_empty() {
            record.raw.push('\n');
        }
        record.raw.push_str(&row.raw);
        Ok(())
    }

    /// Whether the row is of the same order, and the order not too large with it.
    fn check(&self, content: &RowContent) -> Result<(), FieldError> {
        let (existing, new) = (&self.record.order, &content.order);
        if existing.dms_number != new.dms_number {
            let reason = format!(
                "RO number '{}' has the same digits as '{}' ({}), which is another repair order: give it other digits",
                new.dms_number, existing.dms_number, self.record.place
            );
            return Err(FieldError::new(Field::Number, reason));
        }
        check_technicians(existing, new)?;
        check_technicians_without_number(
            &self.record.technicians_without_number,
            &content.technicians_without_number,
        )?;
        check_jobs(
            (&existing.jobs, &self.unnumbered),
            (&new.jobs, content.unnumbered.as_ref()),
        )
    }

    pub(super) fn finish(self, now: Timestamp) -> Record {
        let mut record = self.record;
        let mut unique = HashSet::new();
        record
            .warnings
            .retain(|warning| unique.insert(warning.clone()));
        let jobs = &mut record.order.jobs;
        jobs.extend(self.unnumbered);
        number_unnumbered(jobs);
        jobs.sort_by_key(|job| job.job_number);
        let order = &mut record.order;
        // Nobody works on the order only where all of its rows say so.
        let nobody = order.etl_technicians.as_ref().is_some_and(Vec::is_empty);
        if nobody && self.lacks_technicians {
            order.etl_technicians = None;
        }
        if self.is_closed && order.closed_at.is_none() {
            order.closed_at = Some(now);
            order.closing_is_undated = true;
        }
        record
    }
}

/// Every field is named, so that a new one is not forgotten.
fn merge_order(order: &mut ImportedOrder, new: ImportedOrder) {
    let ImportedOrder {
        // The same in all rows.
        dms_number: _,
        header,
        opened_at,
        promised_at,
        closed_at,
        // Known when all rows are.
        closing_is_undated: _,
        customer_status,
        app_customer_status,
        priority,
        regular_technicians,
        etl_technicians,
        // Resolved when the record is whole.
        stage: _,
        jobs,
    } = new;
    order
        .header
        .update(&header, |existing, new| replace(existing, new.clone()));
    replace(&mut order.opened_at, opened_at);
    replace(&mut order.promised_at, promised_at);
    replace(&mut order.closed_at, closed_at);
    replace(&mut order.customer_status, customer_status);
    replace(&mut order.app_customer_status, app_customer_status);
    replace(&mut order.priority, priority);
    merge_technicians(&mut order.regular_technicians, regular_technicians);
    merge_technicians(&mut order.etl_technicians, etl_technicians);
    for job in jobs {
        merge_job(&mut order.jobs, job);
    }
}

/// The last value counts.
fn replace<T>(existing: &mut Option<T>, new: Option<T>) {
    if new.is_some() {
        *existing = new;
    }
}

fn merge_technicians(
    existing: &mut Option<Vec<AssignedTechnician>>,
    new: Option<Vec<AssignedTechnician>>,
) {
    let Some(new) = new else { return };
    let list = existing.get_or_insert_default();
    for technician in new {
        match list
            .iter_mut()
            .find(|existing| existing.technician == technician.technician)
        {
            Some(existing) => replace(&mut existing.name, technician.name),
            None => list.push(technician),
        }
    }
}

fn merge_job(jobs: &mut Vec<ImportedJob>, job: ImportedJob) {
    let Some(existing) = jobs
        .iter_mut()
        .find(|existing| existing.job_number == job.job_number)
    else {
        jobs.push(job);
        return;
    };
    replace(&mut existing.concern, job.concern);
    replace(&mut existing.cause, job.cause);
    replace(&mut existing.brief_tech_notes, job.brief_tech_notes);
    replace(&mut existing.tech_story, job.tech_story);
    merge_list(&mut existing.operations, job.operations);
    merge_list(&mut existing.assignments, job.assignments);
}

fn merge_list<T: PartialEq>(existing: &mut Option<Vec<T>>, new: Option<Vec<T>>) {
    let Some(new) = new else { return };
    let list = existing.get_or_insert_default();
    for new in new {
        if !list.contains(&new) {
            list.push(new);
        }
    }
}
