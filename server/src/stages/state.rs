//! What the calls about stages, and what follows the clocks, work with.

use std::sync::Arc;

use dispatch_actors::registry::RepairOrderRegistry;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;
use tokio::sync::Mutex;

use super::Stages;
use crate::clocks::Clocks;
use crate::realtime::announcer::Announcer;
use crate::shop_settings::ShopSettings;
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
    pub shop: ShopSettings,
    /// Held while time in stages is added up: one answer at a time reads the log.
    pub adding_up: Arc<Mutex<()>>,
}
