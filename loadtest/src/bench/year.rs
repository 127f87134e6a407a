//! A year of a believable shop as a file to import: closed orders of the whole year, and what is
//! open now. Written piece by piece, so that any size fits in memory.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, value_parser};
use dispatch_actors::repair_order::{AssignedTechnician, ImportedJob, ImportedOrder};
use dispatch_actors::sample_shop::SampleShop;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::figures::Figures;
use crate::error::LoadTestError;

/// Closed orders that are made at a time, as the shop of one day.
const BATCH_SIZE: u32 = 2_000;
const YEAR_DAYS: i64 = 365;

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Open repair orders, of the last three days
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = value_parser!(u32).range(..=1_000_000))]
    pub open: u32,

    /// Closed repair orders, of the year before
    #[arg(long, value_name = "N", default_value_t = 60_000, value_parser = value_parser!(u32).range(..=1_000_000))]
    pub closed: u32,

    /// Jobs of each repair order [default: one to six, as they come]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=100))]
    pub jobs: Option<u32>,

    /// The first RO number
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000, value_parser = value_parser!(u32).range(1..))]
    pub first: u32,

    /// Another seed makes another shop
    #[arg(long, value_name = "N", default_value_t = 4389)]
    pub seed: u64,

    /// The NDJSON file to write; replaced if it is there
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

pub fn run(options: &Options) -> Result<Figures, LoadTestError> {
    let unwritable = |error: io::Error| {
        let path = options.out.display();
        LoadTestError::Machine(format!("{path}: {error}"))
    };
    let file = File::create(&options.out).map_err(unwritable)?;
    let mut out = BufWriter::new(file);
    let bytes = write(options, &mut out, Timestamp::now()).map_err(unwritable)?;
    out.flush().map_err(unwritable)?;

    let mut figures = Figures::new(format!("year: {}", options.out.display()));
    figures.value("open ROs", options.open.to_string());
    figures.value("closed ROs", options.closed.to_string());
    figures.value("file", format!("{:.1} MB", bytes as f64 / 1e6));
    Ok(figures)
}

/// The bytes written.
fn write(options: &Options, out: &mut impl Write, now: Timestamp) -> io::Result<usize> {
    let mut number = i64::from(options.first);
    let mut bytes = 0;
    let mut shop = |seed: u64, size: u32, at: Timestamp, closed: bool| -> io::Result<()> {
        let shop = SampleShop::new(options.seed.wrapping_add(seed), size as usize, at);
        for (_, mut order) in shop.orders {
            if let Some(jobs) = options.jobs {
                repeat_jobs(&mut order, jobs as usize);
            }
            if closed {
                order.closed_at = order.opened_at.and_then(|opened| closed_at(opened, number));
            }
            for row in rows(number, &order) {
                let line = row.to_string();
                writeln!(out, "{line}")?;
                bytes += line.len() + 1;
            }
            number += 1;
        }
        Ok(())
    };
    let parts = options.closed.div_ceil(BATCH_SIZE);
    for part in 0..parts {
        let size = BATCH_SIZE.min(options.closed - part * BATCH_SIZE);
        // The shop of a day holds three days, and closing takes up to three more.
        let days_ago = 7 + (YEAR_DAYS - 7) * i64::from(parts - 1 - part) / i64::from(parts);
        let at = now - SignedDuration::from_hours(24 * days_ago);
        shop(u64::from(part) + 1, size, at, true)?;
    }
    shop(0, options.open, now, false)?;
    Ok(bytes)
}

/// Between three hours and two and a half days later.
fn closed_at(opened: Timestamp, number: i64) -> Option<Timestamp> {
    let hours = 3 + number * 37 % 57;
    opened.checked_add(SignedDuration::from_hours(hours)).ok()
}

/// As many jobs as were asked for: its own, again where it has fewer.
fn repeat_jobs(order: &mut ImportedOrder, count: usize) {
    let jobs: Vec<ImportedJob> = order.jobs.iter().cycle().take(count).cloned().collect();
    order.jobs = (1..)
        .zip(jobs)
        .map(|(job_number, job)| ImportedJob { job_number, ..job })
        .collect();
}

/// The order's row, and one more for each further technician.
pub fn rows(number: i64, order: &ImportedOrder) -> Vec<Value> {
    let technicians = |list: &Option<Vec<AssignedTechnician>>| list.clone().unwrap_or_default();
    let regular = technicians(&order.regular_technicians);
    let etl = technicians(&order.etl_technicians);
    (0..regular.len().max(etl.len()).max(1))
        .map(|place| {
            let mut row = if place == 0 {
                first_row(order)
            } else {
                json!({})
            };
            row["repairOrderNumber"] = json!(number);
            if let Some(technician) = regular.get(place) {
                row["regularIdTechnician"] = json!(technician.technician);
                row["regularTechFullName"] = json!(technician.name);
            }
            if let Some(technician) = etl.get(place) {
                row["ETLIdTechnician"] = json!(technician.technician);
                row["ETLTechFullName"] = json!(technician.name);
            }
            row
        })
        .collect()
}

fn first_row(order: &ImportedOrder) -> Value {
    let jobs: Vec<Value> = order.jobs.iter().map(job).collect();
    let mut row = json!({
        "createDateTime": order.opened_at,
        "promisedDateTime": order.promised_at,
        "closedDateTime": order.closed_at,
        "customerStatus": order.customer_status,
        "appCustomerStatus": order.app_customer_status,
        "priorityName": order.priority,
        "jobs": jobs,
    });
    for (name, text) in order.header.named() {
        row[name] = json!(text);
    }
    row
}

fn job(job: &ImportedJob) -> Value {
    json!({
        "jobNumber": job.job_number,
        "concern": job.concern,
        "cause": job.cause,
        "briefTechNotes": job.brief_tech_notes,
        "techStory": job.tech_story,
        "operations": job.operations,
        "assignments": job.assignments,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn lines(options: &Options) -> Vec<Value> {
        let mut out = Vec::new();
        let now = "2026-11-21T12:00:00Z".parse().unwrap();
        let bytes = write(options, &mut out, now).unwrap();
        assert_eq!(bytes, out.len());
        let text = String::from_utf8(out).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn options() -> Options {
        Options {
            open: 50,
            closed: 4_100,
            jobs: None,
            first: 500,
            seed: 1,
            out: PathBuf::new(),
        }
    }

    #[test]
    fn every_order_has_its_number_and_closed_ones_closed_within_the_year() {
        let lines = lines(&options());
        let numbers = |closed: bool| -> BTreeSet<i64> {
            lines
                .iter()
                .filter(|line| line["customer"].is_string())
                .filter(|line| line["closedDateTime"].is_string() == closed)
                .map(|line| line["repairOrderNumber"].as_i64().unwrap())
                .collect()
        };
        assert_eq!(numbers(true), (500..4_600).collect());
        assert_eq!(numbers(false), (4_600..4_650).collect());
        for line in &lines {
            if let Some(closed) = line["closedDateTime"].as_str() {
                assert!(closed > line["createDateTime"].as_str().unwrap(), "{line}");
                assert!(("2025-11-18".."2026-11-21").contains(&closed), "{line}");
            }
        }
    }

    #[test]
    fn a_year_has_as_many_jobs_as_requested() {
        let jobs = Some(3);
        let lines = lines(&Options { jobs, ..options() });
        for line in lines.iter().filter(|line| line["jobs"].is_array()) {
            let numbers: Vec<i64> = line["jobs"]
                .as_array()
                .unwrap()
                .iter()
                .map(|job| job["jobNumber"].as_i64().unwrap())
                .collect();
            assert_eq!(numbers, [1, 2, 3]);
        }
    }
}
