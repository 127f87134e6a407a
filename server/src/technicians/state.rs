//! What the calls and the task about technicians work with.

use std::sync::Arc;

use dispatch_actors::promise::ShopHours;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;

use super::workload::attendance::{DaysLeft, attendance};
use super::{Fairness, Organisation, Technician, Technicians};
use crate::clocks::Clocks;
use crate::error::ApiError;
use crate::moments::now;
use crate::realtime::announcer::Announcer;
use crate::shop_settings::ShopSettings;
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
    pub shop: ShopSettings,
    pub hours: ShopHours,
    pub announcer: Announcer,
}

impl TechniciansState {
    /// `listed`: those on the shop's list.
    pub(super) async fn days_left(&self, listed: &[Technician]) -> Result<DaysLeft, ApiError> {
        Ok(DaysLeft {
            attendance: attendance(&self.clocks, listed).await?,
            hours: self.hours.clone(),
            zone: self.shop.time_zone(),
            now: now(),
        })
    }
}
