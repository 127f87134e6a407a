//! What the calls about repair orders work with.

use dispatch_actors::registry::RepairOrderRegistry;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;

use super::List;
use crate::technician_names::{TechnicianDirectory, TechnicianNames};

/// Changes repair orders; its answers name their technicians.
#[derive(Clone)]
pub struct OrderWriter {
    pub store: Store,
    pub orders: RepairOrderRegistry,
    pub names: TechnicianNames,
}

#[derive(Clone)]
pub struct RepairOrdersState {
    pub store: Store,
    pub snapshot: Snapshot,
    pub orders: OrderWriter,
    pub list: List,
    pub names: TechnicianNames,
    pub directory: TechnicianDirectory,
}
