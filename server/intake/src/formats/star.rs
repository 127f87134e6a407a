//! STAR 5's names as dealer systems serve them in JSON, translated into our fields. Their flat names
//! are among our aliases, so that CSV needs nothing of this.

use serde_json::{Map, Value};

use super::members::{Members, assignments, text_of};
use super::translated::Translated;
use crate::fields::{Field, FieldError};
use crate::text::is_blank;

const OWN_NAMES: [&str; 9] = [
    "Job",
    "ServiceTechnicianParty",
    "OwnerParty",
    "CustomerParty",
    "RepairOrderOpenedDate",
    "PromisedRepairCompletionDate",
    "ServiceAdvisorParty",
    "RepairOrderPriorityCode",
    "RepairOrderStatus",
];

pub(super) fn is_star(object: &Map<String, Value>) -> bool {
    OWN_NAMES.iter().any(|name| object.contains_key(*name))
}

pub(super) fn translate(mut order: Members) -> Result<Translated, FieldError> {
    let mut translated = Translated::default();
    for (theirs, field) in [
        ("ServiceAdvisorParty", Field::Advisor),
        ("CustomerParty", Field::Customer),
        ("OwnerParty", Field::Customer),
    ] {
        // A text is read as it stands.
        let Some(party) = order.get(theirs).filter(|party| is_nested(party)) else {
            continue;
        };
        let party = parties(party, field)?.into_iter().next();
        let name = party.and_then(|party| party.name.or(party.id));
        order.put(theirs, Value::from(name));
    }
    order.flatten_vehicle()?;
    if let Some(party) = take_technicians(&mut order) {
        translated.has_all_technicians = true;
        for party in parties(&party, Field::EtlTechnician)? {
            party.add_to(&mut translated)?;
        }
    }
    let jobs = order.take("Job").or_else(|| order.take("jobs"));
    if let Some(jobs) = jobs {
        let jobs = match jobs {
            // A single one often stands without its list.
            Value::Object(job) => vec![Value::Object(job)],
            Value::Array(jobs) => jobs,
            other => {
                order.put("jobs", other);
                vec![]
            }
        };
        let jobs: Result<Vec<Value>, FieldError> = jobs
            .into_iter()
            .map(|value| job(value, &mut translated))
            .collect();
        let jobs = jobs?;
        translated.has_all_technicians |=
            !jobs.is_empty() && jobs.iter().all(|job| job.get("assignments").is_some());
        if !jobs.is_empty() {
            order.put("jobs", Value::Array(jobs));
        }
    }
    translated.cells = order.into_cells();
    Ok(translated)
}

/// Who works on an order or a job, where it is named.
fn take_technicians(members: &mut Members) -> Option<Value> {
    let party = members.take("ServiceTechnicianParty");
    party.filter(|party| !party.is_null())
}

fn is_nested(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

fn job(value: Value, translated: &mut Translated) -> Result<Value, FieldError> {
    let Value::Object(object) = value else {
        return Ok(value);
    };
    let mut job = Members::of(object);
    let comments = match job.take("CodesAndCommentsExpanded") {
        Some(Value::Array(list)) => list,
        Some(one) => vec![one],
        None => vec![],
    };
    for comments in comments.into_iter().map(Members::from_value) {
        for (ours, theirs) in [
            ("concern", ["complaint", "complaintDescription"]),
            ("cause", ["cause", "causeDescription"]),
            ("correction", ["correction", "correctionDescription"]),
        ] {
            let text = theirs.iter().find_map(|name| comments.get(name));
            if let (None, Some(text)) = (job.get(ours), text) {
                job.put(ours, text.clone());
            }
        }
    }
    if let Some(party) = take_technicians(&mut job) {
        let mut technicians = Vec::new();
        for party in parties(&party, Field::EtlTechnician)? {
            technicians.extend(party.add_to(translated)?);
        }
        job.put("assignments", assignments(&technicians));
    }
    Ok(job.into_value())
}

/// A person as STAR names them.
struct Party {
    id: Option<String>,
    name: Option<String>,
}

impl Party {
    /// Adds the person to the order's technicians; gives what a job shows of them.
    fn add_to(self, translated: &mut Translated) -> Result<Option<String>, FieldError> {
        let first_name = |name: &String| name.split_whitespace().next().map(str::to_owned);
        let shown = self.name.as_ref().and_then(first_name);
        match (self.id, self.name) {
            (Some(id), name) => {
                translated.technicians.add(&id, name)?;
                Ok(shown.or(Some(id)))
            }
            (None, Some(name)) => {
                translated.technicians.add(&name, Some(name.clone()))?;
                Ok(shown)
            }
            (None, None) => Ok(None),
        }
    }
}

/// A text, an object with an id and a name, or a list of either.
fn parties(value: &Value, field: Field) -> Result<Vec<Party>, FieldError> {
    let mut found = Vec::new();
    let list = match value {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    for party in list {
        let Value::Object(object) = party else {
            let text = text_of(party, field)?;
            found.push(Party {
                id: (!is_blank(&text)).then_some(text),
                name: None,
            });
            continue;
        };
        let mut members = Members::of(object.clone());
        let person = members.take("SpecifiedPerson").map(Members::from_value);
        let id = members.text(&["PartyID", "id", "number", "technicianId"], field)?;
        let mut name = members.text(&["name", "fullName", "PartyName"], field)?;
        for person in [Some(members), person].into_iter().flatten() {
            if name.is_none() {
                let given_name = person.text(&["GivenName", "firstName"], field)?;
                let family = person.text(&["FamilyName", "lastName"], field)?;
                let words: Vec<String> = given_name.into_iter().chain(family).collect();
                name = (!words.is_empty()).then(|| words.join(" "));
            }
        }
        found.push(Party { id, name });
    }
    Ok(found)
}
