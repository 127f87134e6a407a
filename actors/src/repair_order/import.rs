//! What a dealer system's file makes of an order: the first one creates it, later ones change what
//! is the dealer system's own.

use std::sync::Arc;

use jiff::Timestamp;

use super::{
    Change, Edit, ImportedFields, ImportedJob, ImportedOrder, Job, JobEdit, Operation,
    OrderProgress, Priority, Refusal, RepairOrder, RoNumber,
};

impl RepairOrder {
    /// When a file closes the order, if it does: not when the shop has reopened it and the file
    /// does not say that it was closed after that.
    fn closing(&self, imported: &ImportedOrder) -> Option<Timestamp> {
        let is_news = |at: &Timestamp| {
            self.reopened_at
                .is_none_or(|reopened| !imported.closing_is_undated && *at > reopened)
        };
        imported.closed_at.filter(is_news)
    }

    /// The order that an import brings for the first time: everything it knows is taken.
    pub fn create(number: RoNumber, imported: &ImportedOrder, now: Timestamp) -> Vec<Change> {
        let customer_status = imported.customer_status.clone().unwrap_or_default();
        let mut jobs: Vec<Job> = imported.jobs.iter().map(ImportedJob::new_job).collect();
        jobs.sort_by_key(|job| job.job_number);
        let mut order = RepairOrder {
            number,
            version: 1,
            dms_number: dms_text(number, &imported.dms_number),
            header: imported.header.map(|text| text.clone().unwrap_or_default()),
            opened_at: imported.opened_at.unwrap_or(now),
            promised_at: imported.promised_at,
            closed_at: None,
            reopened_at: None,
            erased_at: None,
            customer_status,
            app_customer_status: imported.app_customer_status,
            priority: Priority::Low,
            regular_technicians: imported.regular_technicians.clone().unwrap_or_default(),
            etl_technicians: imported.etl_technicians.clone().unwrap_or_default(),
            jobs: Arc::new(jobs),
            progress: OrderProgress::default(),
        };
        order.priority = imported
            .priority
            .unwrap_or_else(|| order.displayed_status().automatic_priority());
        let mut changes = vec![Change::Created {
            repair_order: Box::new(order),
        }];
        changes.extend(imported.closed_at.map(|at| Change::Closed { at }));
        changes
    }

    /// A later import: only what the dealer's system owns, so the desk's work stands.
    pub(super) fn import(&self, imported: &ImportedOrder) -> Result<Vec<Change>, Refusal> {
        if dms_text(self.number, &imported.dms_number) != self.dms_number {
            return Err(Refusal::NumberCollision {
                ours: self
                    .dms_number
                    .clone()
                    .unwrap_or_else(|| self.number.to_string()),
                theirs: imported.dms_number.clone(),
            });
        }
        let without_customer = self.erased_at.map(|_| imported.without_customer());
        let imported = without_customer.as_ref().unwrap_or(imported);
        let fields = ImportedFields {
            header: self.header.zip(&imported.header, edit),
            customer_status: edit(&self.customer_status, &imported.customer_status),
            promised_at: edit(&self.promised_at, &imported.promised_at.map(Some)),
            etl_technicians: edit(&self.etl_technicians, &imported.etl_technicians),
            jobs: imported
                .jobs
                .iter()
                .filter_map(|job| self.import_job(job))
                .collect(),
        };
        let mut changes = Vec::new();
        if fields != ImportedFields::default() {
            changes.push(Change::Imported {
                fields: Box::new(fields),
            });
        }
        let closing = self.closing(imported);
        changes.extend(closing.and_then(|at| self.close(at)));
        Ok(changes)
    }

    fn import_job(&self, imported: &ImportedJob) -> Option<JobEdit> {
        let Some(job) = self
            .jobs
            .iter()
            .find(|job| job.job_number == imported.job_number)
        else {
            return Some(JobEdit {
                from: None,
                to: imported.new_job(),
            });
        };
        let mut after = job.clone();
        if let Some(concern) = &imported.concern {
            after.concern.clone_from(concern);
        }
        if let Some(operations) = &imported.operations {
            after.operations = operations.clone();
            keep_hours(&mut after.operations, &job.operations);
        }
        if let Some(assignments) = &imported.assignments {
            after.assignments.clone_from(assignments);
        }
        (after != *job).then(|| JobEdit {
            from: Some(job.clone()),
            to: after,
        })
    }

    pub(super) fn take_imported(&mut self, fields: &ImportedFields) {
        fn take<T: Clone>(field: &mut T, edit: &Option<Edit<T>>) {
            if let Some(edit) = edit {
                field.clone_from(&edit.to);
            }
        }
        self.header.update(&fields.header, take);
        take(&mut self.customer_status, &fields.customer_status);
        take(&mut self.promised_at, &fields.promised_at);
        take(&mut self.etl_technicians, &fields.etl_technicians);
        if fields.jobs.is_empty() {
            return;
        }
        let jobs = Arc::make_mut(&mut self.jobs);
        for JobEdit { to, .. } in &fields.jobs {
            match jobs.iter_mut().find(|job| job.job_number == to.job_number) {
                Some(job) => *job = to.clone(),
                None => jobs.push(to.clone()),
            }
        }
        jobs.sort_by_key(|job| job.job_number);
    }
}

/// A file that does not say for how many hours an operation is sold does not erase them.
fn keep_hours(operations: &mut [Operation], existing: &[Operation]) {
    let mut existing: Vec<&Operation> = existing.iter().collect();
    for operation in operations {
        let same = |one: &&Operation| one.operation_code == operation.operation_code;
        if let Some(place) = existing.iter().position(same) {
            let matched = existing.remove(place);
            operation.sold_hours = operation.sold_hours.or(matched.sold_hours);
        }
    }
}

impl ImportedJob {
    fn new_job(&self) -> Job {
        let text = |field: &Option<String>| field.clone().unwrap_or_default();
        Job {
            job_number: self.job_number,
            concern: text(&self.concern),
            cause: text(&self.cause),
            brief_tech_notes: text(&self.brief_tech_notes),
            tech_story: text(&self.tech_story),
            operations: self.operations.clone().unwrap_or_default(),
            assignments: self.assignments.clone().unwrap_or_default(),
        }
    }
}

fn edit<T: PartialEq + Clone>(ours: &T, theirs: &Option<T>) -> Option<Edit<T>> {
    theirs
        .as_ref()
        .filter(|theirs| *theirs != ours)
        .map(|theirs| Edit {
            from: ours.clone(),
            to: theirs.clone(),
        })
}

/// The dealer system's text for a number, where it is not just its digits.
fn dms_text(number: RoNumber, text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty() && text != number.to_string()).then(|| text.to_owned())
}
