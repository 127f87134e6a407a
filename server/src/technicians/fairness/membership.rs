//! Since when a technician is on an order: its events are gone through backwards, from who is on it now. Pure.

use std::collections::{BTreeMap, BTreeSet};

use dispatch_actors::repair_order::{
    AssignedTechnician, Change, RepairOrder, TechnicianId, Version,
};
use dispatch_actors::store::Event;
use jiff::Timestamp;

/// A change of who is on an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// That the change made.
    version: Version,
    at: Timestamp,
    change: Membership,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Membership {
    /// There was no order before.
    Created,
    Came(TechnicianId),
    Left(TechnicianId),
    /// Whom the dealer's system had on it before.
    Import(BTreeSet<TechnicianId>),
}

impl Step {
    /// None: the event changed nobody.
    pub(super) fn of(event: &Event) -> Option<Self> {
        let change = match &event.change {
            Change::Created { .. } => Membership::Created,
            Change::TechnicianAssigned { technician, .. } => Membership::Came(*technician),
            Change::TechnicianUnassigned { technician, .. } => Membership::Left(*technician),
            Change::Imported { fields } => {
                Membership::Import(ids(&fields.etl_technicians.as_ref()?.from))
            }
            _ => return None,
        };
        Some(Self {
            version: event.version,
            at: event.at,
            change,
        })
    }
}

fn ids(assigned: &[AssignedTechnician]) -> BTreeSet<TechnicianId> {
    assigned.iter().map(|one| one.technician).collect()
}

/// Since when those technicians are on the order who came on it with one of these steps, which are the newest of the
/// order's, oldest first. Whoever left and came back is on it since then; those who were on it before are missing.
pub(super) fn came_on(order: &RepairOrder, steps: &[Step]) -> BTreeMap<TechnicianId, Timestamp> {
    let mut by_desk = ids(&order.regular_technicians);
    let mut by_import = ids(&order.etl_technicians);
    let mut waiting: BTreeSet<TechnicianId> = by_desk.union(&by_import).copied().collect();
    let mut since = BTreeMap::new();
    // What the order does not have yet is not about who is on it here.
    let known = steps.iter().filter(|step| step.version <= order.version);
    for step in known.rev() {
        match &step.change {
            Membership::Created => {
                by_desk.clear();
                by_import.clear();
            }
            Membership::Came(technician) => drop(by_desk.remove(technician)),
            Membership::Left(technician) => drop(by_desk.insert(*technician)),
            Membership::Import(before) => by_import.clone_from(before),
        }
        let was_on = |one: &TechnicianId| by_desk.contains(one) || by_import.contains(one);
        let (before, came): (BTreeSet<_>, BTreeSet<_>) = waiting.into_iter().partition(was_on);
        since.extend(came.into_iter().map(|technician| (technician, step.at)));
        waiting = before;
    }
    since
}

#[cfg(test)]
mod tests;
