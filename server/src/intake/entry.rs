//! What one row says about its repair order.

use dispatch_actors::repair_order::{
    AssignedTechnician, ImportedJob, ImportedOrder, Priority, RoNumber, Status,
};
use jiff::tz::TimeZone;

use super::fields::{Cells, Field};
use super::reader::Row;
use super::values::{self, Flaw, flag, priority, quoted, ro_number, status};
use super::{SaidTechnician, TechnicianSource, jobs, times};

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) number: RoNumber,
    pub(super) order: ImportedOrder,
    /// The job of flat columns that name no job number: only all rows together can number it.
    pub(super) unnumbered: Option<ImportedJob>,
    pub(super) technicians_without_number: Vec<SaidTechnician>,
    /// Said by a status; the time, where there is one, is in the order.
    pub(super) closed: bool,
    pub(super) warnings: Vec<String>,
}

pub(super) fn read(row: &Row, zone: &TimeZone) -> Result<Entry, Flaw> {
    let cells = &row.cells;
    let (number, dms_number) = ro_number(cells)?;
    let mut warnings = row.warnings.clone();
    let mut moment = |day, time| times::moment(cells, day, time, zone, &mut warnings);
    let opened_at = moment(Field::Opened, Field::OpenedTime)?;
    let promised_at = moment(Field::Promised, Field::PromisedTime)?;
    let closed_at = moment(Field::Closed, Field::ClosedTime)?;
    let (customer_status, closed) = customer_status(cells)?;
    let technicians = technicians(row, &mut warnings)?;
    let mut order = ImportedOrder {
        dms_number,
        vin: cells.line(Field::Vin)?,
        vehicle: cells.line(Field::Vehicle)?,
        customer: cells.line(Field::Customer)?,
        advisor: cells.line(Field::Advisor)?,
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
            .filter(|list| !list.is_empty() || technicians.says_no_etl),
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
        technicians_without_number: technicians.without_number,
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
    let work = cells.line(Field::WorkStatus)?;
    let closed = said
        .iter()
        .chain([&work])
        .flatten()
        .any(|text| is_closed(text));
    if flag(cells, Field::Waiting)? == Some(true) || waits(cells)? {
        return Ok((Some(Status::Waiting.name().to_owned()), closed));
    }
    // How far the work is is not how the customer waits.
    let work = work.filter(|text| text.parse::<Status>().is_ok());
    Ok((
        said.into_iter()
            .chain([work])
            .flatten()
            .find(|text| !is_closed(text)),
        closed,
    ))
}

/// A voided order is not worked on any more either.
fn is_closed(text: &str) -> bool {
    ["closed", "void", "voided"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

/// Other systems have a priority for customers who wait.
fn waits(cells: &Cells) -> Result<bool, Flaw> {
    let code = cells.line(Field::PriorityCode)?.unwrap_or_default();
    Ok(["waiter", "waiting"]
        .iter()
        .any(|word| code.eq_ignore_ascii_case(word)))
}

/// Where it reads as a priority of ours.
fn priority_code(cells: &Cells) -> Result<Option<Priority>, Flaw> {
    let code = cells.line(Field::PriorityCode)?.unwrap_or_default();
    Ok(code.parse().ok().or_else(|| Priority::from_level(&code)))
}

#[derive(Default)]
struct Technicians {
    regular: Vec<AssignedTechnician>,
    etl: Vec<AssignedTechnician>,
    without_number: Vec<SaidTechnician>,
    /// The row says who works on the order, and that is nobody.
    says_no_etl: bool,
}

fn technicians(row: &Row, warnings: &mut Vec<String>) -> Result<Technicians, Flaw> {
    use TechnicianSource::{Etl, Regular};
    let cells = &row.cells;
    // The desk owns regular assignments, so a dealer system's technician is an ETL one unless the
    // row says otherwise.
    let source = match cells.line(Field::Source)? {
        Some(text) if text.eq_ignore_ascii_case("regular") => Regular,
        _ => Etl,
    };
    let mut found = Technicians::default();
    for (id, name, source) in [
        (Field::RegularTechnician, Field::RegularName, Regular),
        (Field::EtlTechnician, Field::EtlName, Etl),
        (Field::Technician, Field::TechnicianName, source),
    ] {
        let name = cells.line(name)?;
        match cells.line(id)? {
            Some(text) => found.take(SaidTechnician { text, name, source }, warnings),
            None => warnings.extend(name.map(|name| {
                let name = quoted(&name);
                format!("Technician {name} has no number and was left out")
            })),
        }
    }
    for technician in &row.technicians {
        found.take(technician.clone(), warnings);
    }
    let is_said = row.says_technicians
        || cells.leaves_empty(Field::EtlTechnician)
        || (source == Etl && cells.leaves_empty(Field::Technician));
    let nobody_is_named = found.etl.is_empty()
        && !found.without_number.iter().any(|said| said.source == Etl)
        && cells.get(Field::EtlName).is_none()
        && cells.get(Field::TechnicianName).is_none();
    found.says_no_etl = is_said && nobody_is_named;
    Ok(found)
}

impl Technicians {
    fn take(&mut self, said: SaidTechnician, warnings: &mut Vec<String>) {
        let Some(technician) = values::technician(&said.text) else {
            // Whether the shop has matched it is not known here.
            warnings.push(format!(
                "Technician {} is no whole number: assigned where the shop has matched it, else listed as unmatched",
                quoted(&said.text)
            ));
            if !self.without_number.contains(&said) {
                self.without_number.push(said);
            }
            return;
        };
        let list = match said.source {
            TechnicianSource::Regular => &mut self.regular,
            TechnicianSource::Etl => &mut self.etl,
        };
        if !list.iter().any(|known| known.technician == technician) {
            list.push(AssignedTechnician {
                technician,
                name: said.name,
            });
        }
    }
}
