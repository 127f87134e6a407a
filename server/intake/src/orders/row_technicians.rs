//! Who works on the order of a row.

use dispatch_actors::repair_order::AssignedTechnician;

use crate::fields::{Field, FieldError};
use crate::record::{DmsTechnician, TechnicianSource};
use crate::row::Row;
use crate::text::quoted;
use crate::values::technician_number;

#[derive(Default)]
pub(super) struct RowTechnicians {
    pub(super) regular: Vec<AssignedTechnician>,
    pub(super) etl: Vec<AssignedTechnician>,
    pub(super) without_number: Vec<DmsTechnician>,
    /// The row has ETL technician fields, and all are empty.
    pub(super) has_no_etl: bool,
}

impl RowTechnicians {
    pub(super) fn read(row: &Row, warnings: &mut Vec<String>) -> Result<Self, FieldError> {
        use TechnicianSource::{Etl, Regular};
        let cells = &row.cells;
        // The desk owns regular assignments, so a dealer system's technician is an ETL one unless the
        // row says otherwise.
        let source = match cells.line(Field::Source)? {
            Some(text) if text.eq_ignore_ascii_case("regular") => Regular,
            _ => Etl,
        };
        let mut found = Self::default();
        for (id, name, source) in [
            (Field::RegularTechnician, Field::RegularName, Regular),
            (Field::EtlTechnician, Field::EtlName, Etl),
            (Field::Technician, Field::TechnicianName, source),
        ] {
            let name = cells.line(name)?;
            match cells.line(id)? {
                Some(id) => found.add(DmsTechnician { id, name, source }, warnings),
                None => warnings.extend(name.map(|name| {
                    let name = quoted(&name);
                    format!("Technician {name} has no number and was left out")
                })),
            }
        }
        for technician in &row.technicians {
            found.add(technician.clone(), warnings);
        }
        let is_told = row.has_all_technicians
            || cells.leaves_empty(Field::EtlTechnician)
            || (source == Etl && cells.leaves_empty(Field::Technician));
        let nobody_is_named = found.etl.is_empty()
            && !found
                .without_number
                .iter()
                .any(|technician| technician.source == Etl)
            && cells.get(Field::EtlName).is_none()
            && cells.get(Field::TechnicianName).is_none();
        found.has_no_etl = is_told && nobody_is_named;
        Ok(found)
    }

    fn add(&mut self, named: DmsTechnician, warnings: &mut Vec<String>) {
        let Some(technician) = technician_number(&named.id) else {
            // Whether the shop has matched it is not known here.
            warnings.push(format!(
                "Technician {} is no whole number: assigned where the shop has matched it, else listed as unmatched",
                quoted(&named.id)
            ));
            if !self.without_number.contains(&named) {
                self.without_number.push(named);
            }
            return;
        };
        let list = match named.source {
            TechnicianSource::Regular => &mut self.regular,
            TechnicianSource::Etl => &mut self.etl,
        };
        if !list.iter().any(|entry| entry.technician == technician) {
            list.push(AssignedTechnician {
                technician,
                name: named.name,
            });
        }
    }
}
