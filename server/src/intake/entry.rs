//! What one row says about its repair order.

use dispatch_actors::repair_order::{
    AssignedTechnician, ImportedJob, ImportedOrder, RoNumber, Status,
};
use jiff::tz::TimeZone;

use super::fields::{Cells, Field};
use super::values::{Flaw, flag, priority, quoted, ro_number, status, technician};
use super::{jobs, times};

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) number: RoNumber,
    pub(super) order: ImportedOrder,
    /// The job of flat columns that name no job number: only all rows together can number it.
    pub(super) unnumbered: Option<ImportedJob>,
    /// Said by a status; the time, where there is one, is in the order.
    pub(super) closed: bool,
    pub(super) warnings: Vec<String>,
}

pub(super) fn read(cells: &Cells, zone: &TimeZone) -> Result<Entry, Flaw> {
    let (number, dms_number) = ro_number(cells)?;
    let mut warnings = Vec::new();
    let mut moment = |day, time| times::moment(cells, day, time, zone, &mut warnings);
    let opened_at = moment(Field::Opened, Field::OpenedTime)?;
    let promised_at = moment(Field::Promised, Field::PromisedTime)?;
    let closed_at = moment(Field::Closed, Field::ClosedTime)?;
    let (customer_status, closed) = customer_status(cells)?;
    let technicians = technicians(cells, &mut warnings)?;
    let mut order = ImportedOrder {
        dms_number,
        vin: cells.line(Field::Vin)?,
        vehicle: cells.line(Field::Vehicle)?,
        customer: cells.line(Field::Customer)?,
        advisor: cells.line(Field::Advisor)?,
        opened_at,
        promised_at,
        closed_at,
        customer_status,
        app_customer_status: status(cells, Field::AppCustomerStatus)?,
        priority: priority(cells, Field::Priority)?,
        regular_technicians: Some(technicians.regular).filter(|list| !list.is_empty()),
        etl_technicians: Some(technicians.etl).filter(|list| !list.is_empty()),
        jobs: jobs::listed(cells)?,
    };
    let mut unnumbered = None;
    match jobs::flat(cells)? {
        Some(job) if job.job_number == 0 => unnumbered = Some(job),
        Some(job) => order.jobs.push(job),
        None => {}
    }
    Ok(Entry {
        number,
        order,
        unnumbered,
        closed,
        warnings,
    })
}

/// The dealer system's status as it came, and whether it says closed. 'Closed' is not kept as a
/// status: a closed order still was a Waiting or a Drop.
fn customer_status(cells: &Cells) -> Result<(Option<String>, bool), Flaw> {
    let said = [
        cells.line(Field::CustomerStatus)?,
        cells.line(Field::Status)?,
    ];
    let is_closed = |text: &String| text.eq_ignore_ascii_case("closed");
    let closed = said.iter().flatten().any(is_closed);
    if flag(cells, Field::Waiting)? == Some(true) {
        return Ok((Some(Status::Waiting.name().to_owned()), closed));
    }
    Ok((
        said.into_iter().flatten().find(|text| !is_closed(text)),
        closed,
    ))
}

#[derive(Default)]
struct Technicians {
    regular: Vec<AssignedTechnician>,
    etl: Vec<AssignedTechnician>,
}

fn technicians(cells: &Cells, warnings: &mut Vec<String>) -> Result<Technicians, Flaw> {
    let mut read = |id, name| one_technician(cells, id, name, warnings);
    let mut found = Technicians::default();
    found
        .regular
        .extend(read(Field::RegularTechnician, Field::RegularName)?);
    found
        .etl
        .extend(read(Field::EtlTechnician, Field::EtlName)?);
    // The desk owns regular assignments, so a dealer system's technician is an ETL one unless the
    // row says otherwise.
    let regular = cells
        .line(Field::Source)?
        .is_some_and(|text| text.eq_ignore_ascii_case("regular"));
    let of_source = if regular {
        &mut found.regular
    } else {
        &mut found.etl
    };
    if let Some(more) = read(Field::Technician, Field::TechnicianName)?
        && !of_source
            .iter()
            .any(|known| known.technician == more.technician)
    {
        of_source.push(more);
    }
    Ok(found)
}

fn one_technician(
    cells: &Cells,
    id: Field,
    name: Field,
    warnings: &mut Vec<String>,
) -> Result<Option<AssignedTechnician>, Flaw> {
    let name = cells.line(name)?;
    let Some(technician) = technician(cells, id)? else {
        warnings.extend(name.map(|name| {
            format!(
                "Technician {} has no number and was left out",
                quoted(&name)
            )
        }));
        return Ok(None);
    };
    Ok(Some(AssignedTechnician { technician, name }))
}
