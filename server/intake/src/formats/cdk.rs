//! CDK Drive's service repair orders (version 3), translated into our fields. Its lines are our
//! jobs, `A` is job 1.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::members::{Members, assignments, text_of};
use super::translated::{MAX_TECHNICIANS, TechnicianList, Translated};
use crate::customer_name;
use crate::fields::{Field, FieldError};
use crate::text::quoted;
use crate::values::flag;

/// Stands for the technicians of the punch times.
const SEVERAL_TECHNICIANS: &str = "MULT";

/// Technicians of one line's punch times: one more than an order may name, which is then rejected.
const MAX_PUNCHED: usize = MAX_TECHNICIANS + 1;

/// Names that no other system gives an order's members.
const OWN_NAMES: [&str; 6] = [
    "technicianPunchTimes",
    "origPromisedDate",
    "estimatedCompletionDate",
    "voidedDate",
    "statusDesc",
    "priorityValue",
];

/// By its members: names of CDK's own, or the objects it nests.
pub(super) fn is_cdk(object: &Map<String, Value>) -> bool {
    let nests = |name: &str, members: &[&str]| {
        let nested = object.get(name).and_then(Value::as_object);
        nested.is_some_and(|nested| members.iter().any(|member| nested.contains_key(*member)))
    };
    let line = || {
        let operations = object.get("operations").and_then(Value::as_array);
        operations.is_some_and(|list| {
            list.first()
                .is_some_and(|first| first.get("line").is_some())
        })
    };
    OWN_NAMES.iter().any(|name| object.contains_key(*name))
        || nests("customer", &["name1", "customerId"])
        || nests("vehicle", &["vin", "makeDesc", "modelDesc"])
        || line()
}

pub(super) fn translate(mut order: Members) -> Result<Translated, FieldError> {
    let mut translated = Translated::default();
    flatten_customer(&mut order)?;
    order.flatten_vehicle()?;
    for (day, time) in [
        ("origPromisedDate", "origPromisedTime"),
        ("estimatedCompletionDate", "estimatedCompletionTime"),
    ] {
        fall_back(
            &mut order,
            ("promisedDate", "promisedTime"),
            (day, time),
            Field::Promised,
        )?;
    }
    let voided = ("voidedDate", "voidedTime");
    fall_back(
        &mut order,
        ("closedDate", "closedTime"),
        voided,
        Field::Closed,
    )?;
    if let Some(lines) = order.take("operations") {
        let punches = punches(order.get("technicianPunchTimes"));
        let jobs = jobs(lines, &punches, &mut translated)?;
        order.put("jobs", jobs);
    }
    translated.cells = order.into_cells();
    let cells = &mut translated.cells;
    // A customer who no longer waits has dropped the car off.
    if flag(cells, Field::Waiting)? == Some(false) {
        cells.put(Field::CustomerStatus, usize::MAX, Value::from("Drop"));
    }
    Ok(translated)
}

fn flatten_customer(order: &mut Members) -> Result<(), FieldError> {
    let Some(Value::Object(_)) = order.get("customer") else {
        return Ok(());
    };
    let customer = Members::from_value(order.take("customer").unwrap_or_default());
    if let Some(name) = customer.text(&["name1", "name"], Field::Customer)? {
        order.put("customer", Value::from(customer_name::display_name(&name)));
    }
    Ok(())
}

/// Puts another date and time where there is none.
fn fall_back(
    order: &mut Members,
    (day, time): (&str, &str),
    (other_day, other_time): (&str, &str),
    field: Field,
) -> Result<(), FieldError> {
    if order.text(&[day], field)?.is_some() || order.text(&[other_day], field)?.is_none() {
        return Ok(());
    }
    order.put(day, order.get(other_day).cloned().unwrap_or_default());
    order.put(time, order.get(other_time).cloned().unwrap_or_default());
    Ok(())
}

/// By line: the technicians who punched on it.
fn punches(list: Option<&Value>) -> HashMap<String, Vec<String>> {
    let mut punches: HashMap<String, Vec<String>> = HashMap::new();
    for punch in list.and_then(Value::as_array).into_iter().flatten() {
        let member = |name| {
            let text = text_of(punch.get(name)?, Field::EtlTechnician).ok()?;
            (!text.is_empty()).then_some(text)
        };
        if let (Some(line), Some(technician)) = (member("lineCode"), member("technicianId")) {
            let punched = punches.entry(line.to_ascii_uppercase()).or_default();
            // A technician punches on and off all day.
            if !punched.contains(&technician) && punched.len() < MAX_PUNCHED {
                punched.push(technician);
            }
        }
    }
    punches
}

/// A value that is not a list of objects is left for our own reader to reject.
fn jobs(
    lines: Value,
    punches: &HashMap<String, Vec<String>>,
    translated: &mut Translated,
) -> Result<Value, FieldError> {
    let Value::Array(lines) = lines else {
        return Ok(lines);
    };
    let mut jobs = Vec::new();
    let mut names_all = !lines.is_empty();
    for line in lines {
        let line = match line {
            Value::Object(mut object) => object.remove("line").unwrap_or(Value::Object(object)),
            other => other,
        };
        jobs.push(match line {
            Value::Object(line) => {
                let (job, job_names_all) = job(Members::of(line), punches, translated)?;
                names_all &= job_names_all;
                job
            }
            other => other,
        });
    }
    translated.has_all_technicians = names_all;
    Ok(Value::Array(jobs))
}

/// A line as our job, and whether all of its labor names its technicians.
fn job(
    mut line: Members,
    punches: &HashMap<String, Vec<String>>,
    translated: &mut Translated,
) -> Result<(Value, bool), FieldError> {
    let code = line
        .text(&["lineCode"], Field::JobNumber)?
        .unwrap_or_default();
    let mut technicians = TechnicianList::default();
    let labor = line.get("laborOperations").and_then(Value::as_array);
    let mut names_all = labor.is_some_and(|labor| !labor.is_empty());
    for operation in labor.into_iter().flatten() {
        let ids = match operation.get("technicianIds") {
            Some(Value::Array(ids)) => ids.as_slice(),
            None | Some(Value::Null) => {
                names_all = false;
                &[]
            }
            Some(id) => std::slice::from_ref(id),
        };
        for id in ids {
            let id = text_of(id, Field::EtlTechnician)?;
            if id.eq_ignore_ascii_case(SEVERAL_TECHNICIANS) {
                let Some(punched) = punches.get(&code.to_ascii_uppercase()) else {
                    translated.warnings.push(format!(
                        "Line {} has several technicians, and no punch time says who",
                        quoted(&code)
                    ));
                    names_all = false;
                    continue;
                };
                for id in punched {
                    technicians.add(id, None)?;
                }
            } else if !id.is_empty() {
                technicians.add(&id, None)?;
            }
        }
    }
    let mut ids = Vec::new();
    for technician in technicians.into_list() {
        translated.technicians.add(&technician.id, None)?;
        ids.push(technician.id);
    }
    if names_all || !ids.is_empty() {
        line.put("assignments", assignments(&ids));
    }
    Ok((line.into_value(), names_all))
}
