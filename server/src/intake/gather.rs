//! Brings the rows of one repair order together: a list has one row per technician, a flat file
//! one row per job.

use std::collections::{HashMap, HashSet, VecDeque};

use dispatch_actors::repair_order::{
    AssignedTechnician, ImportedJob, ImportedOrder, JobAssignment, Operation, RoNumber,
};
use jiff::Timestamp;

use super::entry::Entry;
use super::fields::Field;
use super::jobs::{MOST_JOBS, MOST_PER_JOB};
use super::reader::Row;
use super::values::Flaw;
use super::{Record, Reject, SaidTechnician, jobs};

/// Of each source.
const MOST_TECHNICIANS: usize = 20;

/// Orders whose rows may still come, and bytes of their rows. An older one is let go: a file that
/// is sorted by anything but its orders has their rows this far apart at most, and memory must not
/// grow with the file.
const WINDOW: usize = 1_000;
const WINDOW_BYTES: usize = 16 * 1024 * 1024;

/// Of the first of them: an order that is in parts is changed in parts, again at every import.
const FAR_APART: &str = "Rows of a repair order stand far apart in this file: \
    keep an order's rows together, or every import announces it again";

/// The orders of a file's last rows, in the order of their first rows.
#[derive(Default)]
pub(super) struct Orders {
    orders: VecDeque<Gathered>,
    /// By number: the place in `orders`, counted from the first order of the file.
    places: HashMap<RoNumber, usize>,
    /// How many were let go.
    gone: usize,
    /// Those that were let go, and whether their jobs were numbered here: a few bytes for each
    /// order of the whole file, which is all that grows with it.
    known: HashMap<RoNumber, bool>,
    bytes: usize,
    /// Whether it was said that rows of an order are far apart.
    told: bool,
}

struct Gathered {
    record: Record,
    unnumbered: Vec<ImportedJob>,
    closed: bool,
    /// Not every row says who works on it.
    lacks_technicians: bool,
    /// Of its rows and warnings.
    bytes: usize,
}

impl Orders {
    /// Takes a row's entry whole or, where it does not fit what came before, not at all.
    pub(super) fn take(&mut self, row: Row, entry: Entry) -> Result<(), Reject> {
        let number = entry.number;
        let numbered_here = self.known.get(&number).copied();
        if let Some(numbered_here) = numbered_here {
            let unnumbered = entry.unnumbered.is_some();
            if unnumbered || (numbered_here && !entry.order.jobs.is_empty()) {
                let reason = format!(
                    "This job of RO number {number} comes too long after the order's other rows to be numbered with them: \
                     keep an order's rows together, or give job numbers"
                );
                return Err(row.refused(Flaw::new(Field::JobNumber.name(), reason)));
            }
        }
        let size = row.raw.len() + entry.warnings.iter().map(String::len).sum::<usize>();
        match self.places.get(&number) {
            Some(&place) => {
                let order = &mut self.orders[place - self.gone];
                order.take(row, entry)?;
                order.bytes += size;
            }
            None => {
                let mut first = Gathered::empty(number, &entry.order.dms_number, &row.place);
                first.record.continues = numbered_here.is_some();
                first.take(row, entry)?;
                if first.record.continues && !self.told {
                    self.told = true;
                    first.record.warnings.push(FAR_APART.to_owned());
                }
                first.bytes = size;
                self.places.insert(number, self.gone + self.orders.len());
                self.orders.push_back(first);
            }
        }
        self.bytes += size;
        Ok(())
    }

    /// Lets the oldest orders go while there are too many.
    pub(super) fn let_go(&mut self, now: Timestamp, records: &mut Vec<Record>) {
        while self.orders.len() > WINDOW || self.bytes > WINDOW_BYTES {
            let Some(order) = self.orders.pop_front() else {
                return;
            };
            let number = order.record.number;
            self.places.remove(&number);
            self.gone += 1;
            self.bytes -= order.bytes;
            let numbered_here = !order.unnumbered.is_empty();
            *self.known.entry(number).or_default() |= numbered_here;
            records.push(order.finish(now));
        }
    }

    pub(super) fn finish(&mut self, now: Timestamp, records: &mut Vec<Record>) {
        records.extend(self.orders.drain(..).map(|order| order.finish(now)));
    }
}

impl Gathered {
    fn empty(number: RoNumber, dms_number: &str, place: &str) -> Self {
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
                raw: String::new(),
                warnings: Vec::new(),
            },
            unnumbered: Vec::new(),
            closed: false,
            lacks_technicians: false,
            bytes: 0,
        }
    }

    fn take(&mut self, row: Row, mut entry: Entry) -> Result<(), Reject> {
        // Rows that differ only in their technician repeat their job.
        entry.unnumbered = entry
            .unnumbered
            .filter(|job| !self.unnumbered.contains(job));
        let jobs = std::mem::take(&mut entry.order.jobs);
        entry.order.jobs = jobs.into_iter().fold(Vec::new(), |mut merged, job| {
            merge_job(&mut merged, job);
            merged
        });
        if let Err(flaw) = self.fits(&entry) {
            return Err(row.refused(flaw));
        }
        let (ours, theirs) = (&mut self.record.order, entry.order);
        replace(&mut ours.vin, theirs.vin);
        replace(&mut ours.vehicle, theirs.vehicle);
        replace(&mut ours.customer, theirs.customer);
        replace(&mut ours.advisor, theirs.advisor);
        replace(&mut ours.opened_at, theirs.opened_at);
        replace(&mut ours.promised_at, theirs.promised_at);
        replace(&mut ours.closed_at, theirs.closed_at);
        replace(&mut ours.customer_status, theirs.customer_status);
        replace(&mut ours.app_customer_status, theirs.app_customer_status);
        replace(&mut ours.priority, theirs.priority);
        self.lacks_technicians |= theirs.etl_technicians.is_none();
        merge_technicians(&mut ours.regular_technicians, theirs.regular_technicians);
        merge_technicians(&mut ours.etl_technicians, theirs.etl_technicians);
        for job in theirs.jobs {
            merge_job(&mut ours.jobs, job);
        }
        self.unnumbered.extend(entry.unnumbered);
        self.closed |= entry.closed;
        let record = &mut self.record;
        for said in entry.technicians_without_number {
            if !record.technicians_without_number.contains(&said) {
                record.technicians_without_number.push(said);
            }
        }
        record.warnings.extend(entry.warnings);
        if !record.raw.is_empty() {
            record.raw.push('\n');
        }
        record.raw.push_str(&row.raw);
        Ok(())
    }

    fn fits(&self, entry: &Entry) -> Result<(), Flaw> {
        let (ours, theirs) = (&self.record.order, &entry.order);
        if ours.dms_number != theirs.dms_number {
            let reason = format!(
                "RO number '{}' has the same digits as '{}' ({}), which is another repair order: give it other digits",
                theirs.dms_number, ours.dms_number, self.record.place
            );
            return Err(Flaw::new(Field::Number.name(), reason));
        }
        let same_technician =
            |a: &AssignedTechnician, b: &AssignedTechnician| a.technician == b.technician;
        for (field, ours, theirs) in [
            (
                Field::RegularTechnician,
                &ours.regular_technicians,
                &theirs.regular_technicians,
            ),
            (
                Field::EtlTechnician,
                &ours.etl_technicians,
                &theirs.etl_technicians,
            ),
        ] {
            let count = together(list(ours), list(theirs), same_technician);
            limit(field, "technicians", count, MOST_TECHNICIANS)?;
        }
        let without_number = together(
            &self.record.technicians_without_number,
            &entry.technicians_without_number,
            SaidTechnician::eq,
        );
        let field = Field::Technician;
        limit(
            field,
            "technicians without a number",
            without_number,
            MOST_TECHNICIANS,
        )?;
        let same_job = |a: &ImportedJob, b: &ImportedJob| a.job_number == b.job_number;
        let numbered = together(&ours.jobs, &theirs.jobs, same_job);
        let unnumbered = self.unnumbered.len() + usize::from(entry.unnumbered.is_some());
        limit(Field::Jobs, "jobs", numbered + unnumbered, MOST_JOBS)?;
        let nothing = ImportedJob::default();
        for job in theirs.jobs.iter().chain(&entry.unnumbered) {
            let known = ours
                .jobs
                .iter()
                .find(|known| same_job(known, job))
                .unwrap_or(&nothing);
            let operations = together(
                list(&known.operations),
                list(&job.operations),
                Operation::eq,
            );
            limit(
                Field::Operations,
                "operations in a job",
                operations,
                MOST_PER_JOB,
            )?;
            let assignments = together(
                list(&known.assignments),
                list(&job.assignments),
                JobAssignment::eq,
            );
            limit(
                Field::Assignments,
                "assignments in a job",
                assignments,
                MOST_PER_JOB,
            )?;
        }
        Ok(())
    }

    fn finish(self, now: Timestamp) -> Record {
        let mut record = self.record;
        let mut given = HashSet::new();
        record
            .warnings
            .retain(|warning| given.insert(warning.clone()));
        let jobs = &mut record.order.jobs;
        jobs.extend(self.unnumbered);
        jobs::number_the_rest(jobs);
        jobs.sort_by_key(|job| job.job_number);
        let order = &mut record.order;
        // That nobody works on it is what all of its rows say.
        let nobody = order.etl_technicians.as_ref().is_some_and(Vec::is_empty);
        if nobody && self.lacks_technicians {
            order.etl_technicians = None;
        }
        if self.closed && order.closed_at.is_none() {
            order.closed_at = Some(now);
            order.closing_is_undated = true;
        }
        record
    }
}

fn list<T>(said: &Option<Vec<T>>) -> &[T] {
    said.as_deref().unwrap_or_default()
}

/// How many there are when `more` is added to `ours` without repeats.
fn together<T>(ours: &[T], more: &[T], same: impl Fn(&T, &T) -> bool) -> usize {
    ours.len()
        + more
            .iter()
            .filter(|new| !ours.iter().any(|known| same(known, new)))
            .count()
}

fn limit(field: Field, what: &str, count: usize, most: usize) -> Result<(), Flaw> {
    if count <= most {
        return Ok(());
    }
    let reason = format!("The repair order would have {count} {what}: at most {most} are taken");
    Err(Flaw::new(field.name(), reason))
}

/// The last that is said wins.
fn replace<T>(ours: &mut Option<T>, theirs: Option<T>) {
    if theirs.is_some() {
        *ours = theirs;
    }
}

fn merge_technicians(
    ours: &mut Option<Vec<AssignedTechnician>>,
    theirs: Option<Vec<AssignedTechnician>>,
) {
    let Some(theirs) = theirs else { return };
    let list = ours.get_or_insert_default();
    for technician in theirs {
        match list
            .iter_mut()
            .find(|known| known.technician == technician.technician)
        {
            Some(known) => replace(&mut known.name, technician.name),
            None => list.push(technician),
        }
    }
}

fn merge_job(jobs: &mut Vec<ImportedJob>, job: ImportedJob) {
    let Some(known) = jobs
        .iter_mut()
        .find(|known| known.job_number == job.job_number)
    else {
        jobs.push(job);
        return;
    };
    replace(&mut known.concern, job.concern);
    replace(&mut known.cause, job.cause);
    replace(&mut known.brief_tech_notes, job.brief_tech_notes);
    replace(&mut known.tech_story, job.tech_story);
    merge_list(&mut known.operations, job.operations);
    merge_list(&mut known.assignments, job.assignments);
}

fn merge_list<T: PartialEq>(ours: &mut Option<Vec<T>>, theirs: Option<Vec<T>>) {
    let Some(theirs) = theirs else { return };
    let list = ours.get_or_insert_default();
    for new in theirs {
        if !list.contains(&new) {
            list.push(new);
        }
    }
}
