//! What one row says about its repair order: its cells as typed values.

use dispatch_actors::repair_order::{
    ImportedJob, ImportedOrder, Priority, RoHeader, RoNumber, Status,
};
use jiff::tz::TimeZone;

use super::jobs;
use super::row_technicians::RowTechnicians;
use crate::fields::{Cells, Field, FieldError};
use crate::record::DmsTechnician;
use crate::row::Row;
use crate::values::{flag, moment, priority, ro_number, status};

#[derive(Debug)]
pub(crate) struct RowContent {
    pub(super) number: RoNumber,
    pub(super) order: ImportedOrder,
    /// The job of flat columns that name no job number: only all rows together can number it.
    pub(super) unnumbered: Option<ImportedJob>,
    pub(super) technicians_without_number: Vec<DmsTechnician>,
    /// The stage of work, as the file names it.
    pub(super) stage: Option<String>,
    /// By a status; the time, where there is one, is in the order.
    pub(super) is_closed: bool,
    pub(super) warnings: Vec<String>,
}

impl RowContent {
    pub(crate) fn read(row: &Row, zone: &TimeZone) -> Result<Self, FieldError> {
        let cells = &row.cells;
        let (number, dms_number) = ro_number(cells)?;
        let mut warnings = row.warnings.clone();
        let mut moment = |date, time| moment(cells, date, time, zone, &mut warnings);
        let opened_at = moment(Field::Opened, Field::OpenedTime)?;
        let promised_at = moment(Field::Promised, Field::PromisedTime)?;
        let closed_at = moment(Field::Closed, Field::ClosedTime)?;
        let (customer_status, is_closed) = customer_status(cells)?;
        let technicians = RowTechnicians::read(row, &mut warnings)?;
        let stage = stage(cells, &mut warnings);
        let mut order = ImportedOrder {
            dms_number,
            header: RoHeader::read(|name| cells.line_named(name))?,
            opened_at,
            promised_at,
            closed_at,
            closing_is_undated: false,
            customer_status,
            app_customer_status: status(cells, Field::AppCustomerStatus)?,
            priority: match priority(cells, Field::Priority)? {
                Some(priority) => Some(priority),
                None => priority_code(cells)?,
            },
            regular_technicians: Some(technicians.regular).filter(|list| !list.is_empty()),
            etl_technicians: Some(technicians.etl)
                .filter(|list| !list.is_empty() || technicians.has_no_etl),
            // Which one is meant is for the shop's list to say.
            stage: None,
            jobs: jobs::listed(cells)?,
        };
        let mut unnumbered = None;
        match jobs::flat(cells)? {
            Some(job) if job.job_number == 0 => unnumbered = Some(job),
            Some(job) => order.jobs.push(job),
            None => {}
        }
        Ok(Self {
            number,
            order,
            unnumbered,
            technicians_without_number: technicians.without_number,
            stage,
            is_closed,
            warnings,
        })
    }
}

/// Other systems may call something else a stage, so that what cannot be one does not refuse the row.
fn stage(cells: &Cells, warnings: &mut Vec<String>) -> Option<String> {
    let stage = cells.line(Field::Stage);
    stage.unwrap_or_else(|error| {
        warnings.push(format!("the stage is left out. {}", error.reason));
        None
    })
}

/// The dealer system's status as it came, and whether the order is closed. 'Closed' is not kept as a
/// status: a closed order still was a Waiting or a Drop.
fn customer_status(cells: &Cells) -> Result<(Option<String>, bool), FieldError> {
    let statuses = [
        cells.line(Field::CustomerStatus)?,
        cells.line(Field::Status)?,
    ];
    let work = cells.line(Field::WorkStatus)?;
    let is_closed = statuses
        .iter()
        .chain([&work])
        .flatten()
        .any(|text| means_closed(text));
    if flag(cells, Field::Waiting)? == Some(true) || has_waiting_priority(cells)? {
        return Ok((Some(Status::Waiting.name().to_owned()), is_closed));
    }
    // How far the work is is not how the customer waits.
    let work = work.filter(|text| text.parse::<Status>().is_ok());
    Ok((
        statuses
            .into_iter()
            .chain([work])
            .flatten()
            .find(|text| !means_closed(text)),
        is_closed,
    ))
}

/// A voided order is not worked on any more either.
fn means_closed(text: &str) -> bool {
    ["closed", "void", "voided"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

/// Other systems have a priority for customers who wait.
fn has_waiting_priority(cells: &Cells) -> Result<bool, FieldError> {
    let code = cells.line(Field::PriorityCode)?.unwrap_or_default();
    Ok(["waiter", "waiting"]
        .iter()
        .any(|word| code.eq_ignore_ascii_case(word)))
}

/// Where it reads as a priority of ours.
fn priority_code(cells: &Cells) -> Result<Option<Priority>, FieldError> {
    let code = cells.line(Field::PriorityCode)?.unwrap_or_default();
    Ok(code.parse().ok().or_else(|| Priority::from_level(&code)))
}
