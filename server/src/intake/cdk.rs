//! CDK Drive's service repair orders (version 3): its objects in our shape. Its lines are our jobs,
//! `A` is job 1.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::customer_name;
use super::fields::Field;
use super::shape::{Members, Technicians, Translated, assignments, text, vehicle};
use super::values::{Flaw, flag, quoted};

/// Stands for the technicians of the punch times.
const SEVERAL: &str = "MULT";

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
pub(super) fn is_one(object: &Map<String, Value>) -> bool {
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

pub(super) fn translated(mut order: Members) -> Result<Translated, Flaw> {
    let mut translated = Translated::default();
    customer(&mut order)?;
    vehicle(&mut order)?;
    for (day, time) in [
        ("origPromisedDate", "origPromisedTime"),
        ("estimatedCompletionDate", "estimatedCompletionTime"),
    ] {
        instead(
            &mut order,
            ("promisedDate", "promisedTime"),
            (day, time),
            Field::Promised,
        )?;
    }
    let voided = ("voidedDate", "voidedTime");
    instead(
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
    translated.cells = order.cells();
    let cells = &mut translated.cells;
    // Who no longer waits has dropped the car off.
    if flag(cells, Field::Waiting)? == Some(false) {
        cells.put(Field::CustomerStatus, usize::MAX, Value::from("Drop"));
    }
    Ok(translated)
}

fn customer(order: &mut Members) -> Result<(), Flaw> {
    let Some(Value::Object(_)) = order.get("customer") else {
        return Ok(());
    };
    let customer = Members::of_value(order.take("customer").unwrap_or_default());
    if let Some(name) = customer.text(&["name1", "name"], Field::Customer)? {
        order.put("customer", Value::from(customer_name::spoken(&name)));
    }
    Ok(())
}

/// Puts another date and time where there is none.
fn instead(
    order: &mut Members,
    (day, time): (&str, &str),
    (other_day, other_time): (&str, &str),
    field: Field,
) -> Result<(), Flaw> {
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
        let said = |name| {
            let text = text(punch.get(name)?, Field::EtlTechnician).ok()?;
            (!text.is_empty()).then_some(text)
        };
        if let (Some(line), Some(technician)) = (said("lineCode"), said("technicianId")) {
            let known = punches.entry(line.to_ascii_uppercase()).or_default();
            // A technician punches on and off all day.
            if !known.contains(&technician) && known.len() <= 100 {
                known.push(technician);
            }
        }
    }
    punches
}

/// What is no list, or no list of objects, is left for our own reader to refuse.
fn jobs(
    lines: Value,
    punches: &HashMap<String, Vec<String>>,
    translated: &mut Translated,
) -> Result<Value, Flaw> {
    let Value::Array(lines) = lines else {
        return Ok(lines);
    };
    let mut jobs = Vec::new();
    let mut all_said = !lines.is_empty();
    for line in lines {
        let line = match line {
            Value::Object(mut object) => object.remove("line").unwrap_or(Value::Object(object)),
            other => other,
        };
        jobs.push(match line {
            Value::Object(line) => {
                let (job, is_said) = job(Members::of(line), punches, translated)?;
                all_said &= is_said;
                job
            }
            other => other,
        });
    }
    translated.says_technicians = all_said;
    Ok(Value::Array(jobs))
}

/// A line as our job, and whether all of its labour says who does it.
fn job(
    mut line: Members,
    punches: &HashMap<String, Vec<String>>,
    translated: &mut Translated,
) -> Result<(Value, bool), Flaw> {
    let code = line
        .text(&["lineCode"], Field::JobNumber)?
        .unwrap_or_default();
    let mut working = Technicians::default();
    let labour = line.get("laborOperations").and_then(Value::as_array);
    let mut is_said = labour.is_some_and(|labour| !labour.is_empty());
    for operation in labour.into_iter().flatten() {
        let ids = match operation.get("technicianIds") {
            Some(Value::Array(ids)) => ids.as_slice(),
            None | Some(Value::Null) => {
                is_said = false;
                &[]
            }
            Some(id) => std::slice::from_ref(id),
        };
        for id in ids {
            let id = text(id, Field::EtlTechnician)?;
            if id.eq_ignore_ascii_case(SEVERAL) {
                let Some(punched) = punches.get(&code.to_ascii_uppercase()) else {
                    translated.warnings.push(format!(
                        "Line {} has several technicians, and no punch time says who",
                        quoted(&code)
                    ));
                    is_said = false;
                    continue;
                };
                for id in punched {
                    working.add(id, None)?;
                }
            } else if !id.is_empty() {
                working.add(&id, None)?;
            }
        }
    }
    let mut who = Vec::new();
    for technician in working.0 {
        translated.technicians.add(&technician.text, None)?;
        who.push(technician.text);
    }
    if is_said || !who.is_empty() {
        line.put("assignments", assignments(&who));
    }
    Ok((line.value(), is_said))
}
