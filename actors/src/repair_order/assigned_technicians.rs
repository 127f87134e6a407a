//! Who is on an order: assigned by the desk, or by the dealer's system.

use serde::{Deserialize, Serialize};

use super::{Change, Refusal, RepairOrder, TechnicianId};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AssignedTechnician {
    pub technician: TechnicianId,
    /// The name as it came with the order, for a technician the shop's own list does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl RepairOrder {
    /// Whether the technician is on this order, for the desk or for the dealer's system.
    pub fn has_technician(&self, technician: TechnicianId) -> bool {
        let mut assigned = self.regular_technicians.iter().chain(&self.etl_technicians);
        assigned.any(|assigned| assigned.technician == technician)
    }

    pub(super) fn place_of(&self, technician: TechnicianId) -> Option<usize> {
        self.regular_technicians
            .iter()
            .position(|assigned| assigned.technician == technician)
    }

    pub(super) fn assign(&self, technician: TechnicianId) -> Option<Change> {
        self.place_of(technician)
            .is_none()
            .then_some(Change::TechnicianAssigned {
                technician,
                name: None,
                place: None,
            })
    }

    pub(super) fn unassign(&self, technician: TechnicianId) -> Result<Vec<Change>, Refusal> {
        if let Some(place) = self.place_of(technician) {
            return Ok(vec![self.unassigned(place)]);
        }
        if self
            .etl_technicians
            .iter()
            .any(|t| t.technician == technician)
        {
            return Err(Refusal::EtlTechnician { technician });
        }
        Ok(Vec::new())
    }

    pub(super) fn hand_back(
        &self,
        technician: TechnicianId,
        reason: &str,
    ) -> Result<Vec<Change>, Refusal> {
        let mut changes = self.unassign(technician)?;
        match changes.as_mut_slice() {
            [
                Change::TechnicianUnassigned {
                    reason: recorded_reason,
                    ..
                },
            ] => {
                *recorded_reason = Some(reason.to_owned());
                Ok(changes)
            }
            _ => Err(Refusal::NotAssigned {
                number: self.number,
                technician,
            }),
        }
    }

    pub(super) fn unassigned(&self, place: usize) -> Change {
        let AssignedTechnician { technician, name } = &self.regular_technicians[place];
        Change::TechnicianUnassigned {
            technician: *technician,
            name: name.clone(),
            place: Some(place),
            reason: None,
        }
    }

    /// Repeated, it changes nothing: the first is gone and the second is there.
    pub(super) fn reassign(
        &self,
        from: TechnicianId,
        to: TechnicianId,
    ) -> Result<Vec<Change>, Refusal> {
        let there = self.place_of(to).is_some();
        if from == to && there {
            return Ok(Vec::new());
        }
        let mut changes = self.unassign(from)?;
        if changes.is_empty() && !there {
            return Err(Refusal::NotAssigned {
                number: self.number,
                technician: from,
            });
        }
        changes.extend(self.assign(to));
        Ok(changes)
    }

    /// At its place, or last.
    pub(super) fn take_technician(
        &mut self,
        technician: TechnicianId,
        name: Option<&str>,
        place: Option<usize>,
    ) {
        let assigned = AssignedTechnician {
            technician,
            name: name.map(str::to_owned),
        };
        let end = self.regular_technicians.len();
        let place = place.map_or(end, |place| place.min(end));
        self.regular_technicians.insert(place, assigned);
    }
}
