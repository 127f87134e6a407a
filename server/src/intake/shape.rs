//! Whose object of JSON it is: our own names, CDK's or STAR's. Another system's object is brought
//! into our shape before it is read.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::fields::{Cells, Field, folded, named};
use super::reader::{Found, Row};
use super::values::{self, Flaw};
use super::{Format, SaidTechnician, TechnicianSource, cdk, star};

/// The source of a job's assignments that screens show as the dealer system's.
const DEALER_SYSTEM: &str = "DMS";

/// Technicians that one object may name before it is refused unread.
const MOST_NAMED: usize = 100;

/// Which shape objects are taken for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// Each by its own members.
    Own,
    Cdk,
    Star,
}

impl From<Format> for Shape {
    fn from(format: Format) -> Self {
        match format {
            Format::Cdk => Shape::Cdk,
            Format::Star => Shape::Star,
            Format::Auto | Format::Json | Format::Csv => Shape::Own,
        }
    }
}

impl Shape {
    pub(super) fn read(self, place: String, raw: &str, object: Map<String, Value>) -> Found {
        let foreign = match self {
            Shape::Cdk => cdk::translated(Members::of(object)),
            Shape::Star => star::translated(Members::of(object)),
            Shape::Own if cdk::is_one(&object) => cdk::translated(Members::of(object)),
            Shape::Own if star::is_one(&object) => star::translated(Members::of(object)),
            Shape::Own => return Found::Row(Row::new(place, raw, Cells::of_object(object))),
        };
        let mut row = Row::new(place, raw, Cells::default());
        match foreign {
            Ok(Translated {
                cells,
                technicians,
                says_technicians,
                warnings,
            }) => {
                row.cells = cells;
                row.technicians = technicians.0;
                row.says_technicians = says_technicians;
                row.warnings = warnings;
                Found::Row(row)
            }
            Err(flaw) => Found::Refused(row.refused(flaw)),
        }
    }
}

/// Another system's object in our shape.
#[derive(Default)]
pub(super) struct Translated {
    pub(super) cells: Cells,
    pub(super) technicians: Technicians,
    /// They are all of the order's: also when there is none.
    pub(super) says_technicians: bool,
    pub(super) warnings: Vec<String>,
}

/// An object's members by their folded names: upper and lower case make no difference.
pub(super) struct Members(HashMap<String, Value>);

impl Members {
    pub(super) fn of(object: Map<String, Value>) -> Self {
        let mut members = HashMap::new();
        for (name, value) in object {
            members.entry(folded(&name)).or_insert(value);
        }
        Self(members)
    }

    /// Of a value that is an object; whatever else it is has none.
    pub(super) fn of_value(value: Value) -> Self {
        match value {
            Value::Object(object) => Self::of(object),
            _ => Self(HashMap::new()),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(&folded(name))
    }

    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(&folded(name))
    }

    pub(super) fn put(&mut self, name: &str, value: Value) {
        self.0.insert(folded(name), value);
    }

    /// The text of the first of `names` that says something; `field` is at fault where it is none.
    pub(super) fn text(&self, names: &[&str], field: Field) -> Result<Option<String>, Flaw> {
        for name in names {
            let said = self.get(name).map(|value| text(value, field));
            if let Some(text) = said.transpose()?.filter(|text| !values::is_blank(text)) {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    pub(super) fn cells(self) -> Cells {
        let mut cells = Cells::default();
        for (name, value) in self.0 {
            if let Some((field, rank)) = named(&name) {
                cells.put(field, rank, value);
            }
        }
        cells
    }

    pub(super) fn value(self) -> Value {
        Value::Object(self.0.into_iter().collect())
    }
}

/// Nothing is an empty text.
pub(super) fn text(value: &Value, field: Field) -> Result<String, Flaw> {
    match value {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(values::line(text)),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(Flaw::new(
            field.name(),
            "This must be a text: put it in quotes".to_owned(),
        )),
    }
}

/// The dealer system's technicians of an order, each once.
#[derive(Default)]
pub(super) struct Technicians(pub(super) Vec<SaidTechnician>);

impl Technicians {
    pub(super) fn add(&mut self, text: &str, name: Option<String>) -> Result<(), Flaw> {
        let count = self.0.len();
        match self.0.iter_mut().find(|known| known.text == text) {
            Some(known) if known.name.is_none() => known.name = name,
            Some(_) => {}
            None if count == MOST_NAMED => {
                let reason = format!("This names more than {MOST_NAMED} technicians: correct it");
                return Err(Flaw::new(Field::EtlTechnician.name(), reason));
            }
            None => self.0.push(SaidTechnician {
                text: text.to_owned(),
                name,
                source: TechnicianSource::Etl,
            }),
        }
        Ok(())
    }
}

/// Puts a nested vehicle into words: year, make, model.
pub(super) fn vehicle(order: &mut Members) -> Result<(), Flaw> {
    let Some(Value::Object(_)) = order.get("vehicle") else {
        return Ok(());
    };
    let vehicle = Members::of_value(order.take("vehicle").unwrap_or_default());
    if let Some(vin) = vehicle.text(&["vin", "vehicleID"], Field::Vin)? {
        order.put(Field::Vin.name(), Value::from(vin));
    }
    let mut words = Vec::new();
    for names in [
        &["year", "modelYear"][..],
        &["makeDesc", "make", "makeString"],
        &["modelDesc", "model"],
    ] {
        words.extend(vehicle.text(names, Field::Vehicle)?);
    }
    order.put("vehicle", Value::from(words.join(" ")));
    Ok(())
}

/// The assignments of a job: who works on it, by first name or number.
pub(super) fn assignments(who: &[String]) -> Value {
    let assignment = |who: &String| {
        let members = [("source", DEALER_SYSTEM), ("firstName", who)];
        Value::Object(
            members
                .into_iter()
                .map(|(name, value)| (name.to_owned(), Value::from(value)))
                .collect(),
        )
    };
    who.iter().map(assignment).collect()
}
