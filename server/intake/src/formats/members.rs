//! The members of another system's object.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::fields::{Cells, Field, FieldError, folded};
use crate::text::is_blank;
use dispatch_actors::text::one_line;

/// The source of a job's assignments that screens show as the dealer system's.
const DMS_SOURCE: &str = "DMS";

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
    pub(super) fn from_value(value: Value) -> Self {
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

    /// The first text of `names` that is not blank; `field` is at fault where it is no text.
    pub(super) fn text(&self, names: &[&str], field: Field) -> Result<Option<String>, FieldError> {
        for name in names {
            let text = self.get(name).map(|value| text_of(value, field));
            if let Some(text) = text.transpose()?.filter(|text| !is_blank(text)) {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// Replaces a nested vehicle by its words: year, make, model.
    pub(super) fn flatten_vehicle(&mut self) -> Result<(), FieldError> {
        let Some(Value::Object(_)) = self.get("vehicle") else {
            return Ok(());
        };
        let vehicle = Members::from_value(self.take("vehicle").unwrap_or_default());
        if let Some(vin) = vehicle.text(&["vin", "vehicleID"], Field::Vin)? {
            self.put(Field::Vin.name(), Value::from(vin));
        }
        let mut words = Vec::new();
        for names in [
            &["year", "modelYear"][..],
            &["makeDesc", "make", "makeString"],
            &["modelDesc", "model"],
        ] {
            words.extend(vehicle.text(names, Field::Vehicle)?);
        }
        self.put("vehicle", Value::from(words.join(" ")));
        Ok(())
    }

    pub(super) fn into_cells(self) -> Cells {
        Cells::of_object(self.0.into_iter().collect())
    }

    pub(super) fn into_value(self) -> Value {
        Value::Object(self.0.into_iter().collect())
    }
}

/// Null is an empty text.
pub(super) fn text_of(value: &Value, field: Field) -> Result<String, FieldError> {
    match value {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(one_line(text)),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(FieldError::new(
            field,
            "This must be a text: put it in quotes",
        )),
    }
}

/// The assignments of a job: who works on it, by first name or number.
pub(super) fn assignments(technicians: &[String]) -> Value {
    technicians
        .iter()
        .map(|technician| json!({ "source": DMS_SOURCE, "firstName": technician }))
        .collect()
}
