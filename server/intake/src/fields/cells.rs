//! What one row, or one job of it, has in its fields.

use dispatch_actors::text::{MAX_TEXT_CHARS, cleaned, one_line};
use serde_json::Value;

use super::{Field, FieldError};
use crate::text::is_blank;

/// The cells of a row that are not empty.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    filled: Vec<(Field, usize, Value)>,
    /// Of technicians alone: an empty cell may say that nobody works on the order.
    empty: Vec<Field>,
}

impl Cells {
    pub(crate) fn of_object(object: serde_json::Map<String, Value>) -> Self {
        let mut cells = Cells::default();
        for (name, value) in object {
            if let Some((field, rank)) = Field::by_name(&name) {
                cells.put(field, rank, value);
            }
        }
        cells
    }

    /// Keeps the value under the field's name of the lowest rank.
    pub(crate) fn put(&mut self, field: Field, rank: usize, value: Value) {
        let is_empty = match &value {
            Value::Null => true,
            Value::String(text) => is_blank(text),
            _ => false,
        };
        if is_empty {
            let counts = matches!(field, Field::EtlTechnician | Field::Technician);
            if counts && !self.empty.contains(&field) {
                self.empty.push(field);
            }
            return;
        }
        match self
            .filled
            .iter_mut()
            .find(|(filled_field, _, _)| *filled_field == field)
        {
            Some(cell) if rank < cell.1 => *cell = (field, rank, value),
            Some(_) => {}
            None => self.filled.push((field, rank, value)),
        }
    }

    pub(crate) fn get(&self, field: Field) -> Option<&Value> {
        self.filled
            .iter()
            .find_map(|(filled_field, _, value)| (*filled_field == field).then_some(value))
    }

    /// Whether the row has this technician's cell, and nothing in it.
    pub(crate) fn leaves_empty(&self, field: Field) -> bool {
        self.empty.contains(&field) && self.get(field).is_none()
    }

    /// A text of one line: line breaks and tabs become spaces.
    pub(crate) fn line(&self, field: Field) -> Result<Option<String>, FieldError> {
        self.limited(field, one_line, field.max_line_chars())
    }

    /// The text of one line whose field has this name.
    pub(crate) fn line_named(&self, name: &str) -> Result<Option<String>, FieldError> {
        match Field::by_name(name) {
            Some((field, _)) => self.line(field),
            None => Ok(None),
        }
    }

    /// A text that may have several lines.
    pub(crate) fn text(&self, field: Field) -> Result<Option<String>, FieldError> {
        self.limited(field, cleaned, MAX_TEXT_CHARS)
    }

    fn limited(
        &self,
        field: Field,
        clean: fn(&str) -> String,
        max_chars: usize,
    ) -> Result<Option<String>, FieldError> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        let text = match value {
            Value::String(text) => clean(text),
            Value::Number(number) => number.to_string(),
            _ => {
                return Err(FieldError::new(
                    field,
                    "This must be a text: put it in quotes",
                ));
            }
        };
        let length = text.chars().count();
        if length > max_chars {
            let reason = format!("This is {length} characters long: shorten it to {max_chars}");
            return Err(FieldError::new(field, reason));
        }
        Ok(Some(text).filter(|text| !text.is_empty()))
    }
}
