//! What the call about promises works with.

use dispatch_actors::promise::ShopHours;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::SharedStageRules;

use super::judged_shop::JudgedPromises;
use crate::clocks::Clocks;
use crate::shop_settings::ShopSettings;
use crate::technician_names::TechnicianNames;
use crate::technicians::Technicians;

#[derive(Clone)]
pub struct PromisesState {
    pub snapshot: Snapshot,
    /// Whether the shop uses stages, and with them holds.
    pub stages: SharedStageRules,
    pub clocks: Clocks,
    pub technicians: Technicians,
    pub names: TechnicianNames,
    pub shop: ShopSettings,
    pub hours: ShopHours,
    pub judged: JudgedPromises,
}
