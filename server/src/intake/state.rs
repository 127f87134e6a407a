//! What imports work with.

use std::sync::Arc;

use actix::Addr;
use dispatch_actors::broadcaster::Broadcaster;
use dispatch_actors::registry::RepairOrderRegistry;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;

use super::counts::IntakeCounts;
use super::dms_numbers::NumberMatches;
use super::keys::IntakeKeys;
use crate::audit::AuditTrail;
use crate::shop_settings::ShopSettings;
use crate::technician_names::TechnicianDirectory;

#[derive(Clone)]
pub struct IntakeState {
    pub store: Store,
    pub snapshot: Snapshot,
    pub orders: RepairOrderRegistry,
    pub broadcaster: Addr<Broadcaster>,
    pub keys: IntakeKeys,
    pub matches: NumberMatches,
    pub directory: TechnicianDirectory,
    pub audit: AuditTrail,
    pub shop: ShopSettings,
    pub counts: Arc<IntakeCounts>,
}
