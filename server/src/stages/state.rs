//! What the calls about stages, and what follows the clocks, work with.

use dispatch_actors::registry::RepairOrderRegistry;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;

use super::Stages;
use crate::clocks::Clocks;
use crate::realtime::announcer::Announcer;
use crate::technician_names::TechnicianNames;

#[derive(Clone)]
pub struct StagesState {
    pub store: Store,
    pub stages: Stages,
    pub snapshot: Snapshot,
    pub orders: RepairOrderRegistry,
    pub clocks: Clocks,
    pub names: TechnicianNames,
    pub announcer: Announcer,
}
