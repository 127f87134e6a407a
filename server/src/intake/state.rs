//! What taking repair orders in works with.

use actix::Addr;
use dispatch_actors::broadcaster::Broadcaster;
use dispatch_actors::dispatch::RepairOrders;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;
use jiff::tz::TimeZone;

use super::keys::IntakeKeys;
use super::matching::Matching;
use crate::audit::AuditTrail;
use crate::technician_names::TechnicianDirectory;

#[derive(Clone)]
pub struct IntakeState {
    pub store: Store,
    pub snapshot: Snapshot,
    pub orders: RepairOrders,
    pub broadcaster: Addr<Broadcaster>,
    pub keys: IntakeKeys,
    pub matching: Matching,
    pub directory: TechnicianDirectory,
    pub audit: AuditTrail,
    pub time_zone: TimeZone,
}
