//! What the calls and the task about technicians work with.

use std::sync::Arc;

use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;

use super::{Fairness, Organisation, Technicians};
use crate::clocks::Clocks;
use crate::realtime::announcer::Announcer;
use crate::skills::OpcodeRules;
use crate::staff::StaffCollection;
use crate::technician_names::TechnicianDirectory;

#[derive(Clone)]
pub struct TechniciansState {
    pub store: Store,
    pub snapshot: Snapshot,
    pub technicians: Technicians,
    pub organisation: Organisation,
    pub directory: TechnicianDirectory,
    pub staff: Arc<dyn StaffCollection>,
    pub opcode_rules: OpcodeRules,
    pub clocks: Clocks,
    pub fairness: Fairness,
    pub announcer: Announcer,
}
