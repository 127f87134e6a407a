//! Another system's object in our fields.

use crate::fields::{Cells, Field, FieldError};
use crate::record::{DmsTechnician, TechnicianSource};

/// Technicians that one object may name before it is rejected unread.
pub(super) const MAX_TECHNICIANS: usize = 100;

#[derive(Default)]
pub(super) struct Translated {
    pub(super) cells: Cells,
    pub(super) technicians: TechnicianList,
    /// They are all of the order's: also when there is none.
    pub(super) has_all_technicians: bool,
    pub(super) warnings: Vec<String>,
}

/// The dealer system's technicians of an order, each once.
#[derive(Default)]
pub(super) struct TechnicianList(Vec<DmsTechnician>);

impl TechnicianList {
    pub(super) fn add(&mut self, id: &str, name: Option<String>) -> Result<(), FieldError> {
        let count = self.0.len();
        match self.0.iter_mut().find(|entry| entry.id == id) {
            Some(entry) if entry.name.is_none() => entry.name = name,
            Some(_) => {}
            None if count == MAX_TECHNICIANS => {
                let reason =
                    format!("This names more than {MAX_TECHNICIANS} technicians: correct it");
                return Err(FieldError::new(Field::EtlTechnician, reason));
            }
            None => self.0.push(DmsTechnician {
                id: id.to_owned(),
                name,
                source: TechnicianSource::Etl,
            }),
        }
        Ok(())
    }

    pub(super) fn into_list(self) -> Vec<DmsTechnician> {
        self.0
    }
}
