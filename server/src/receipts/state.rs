//! What the calls and the task about receipts work with.

use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;

use super::Receipts;
use crate::realtime::announcer::Announcer;
use crate::realtime::live_sockets::LiveSockets;
use crate::repair_orders::OrderWriter;
use crate::technician_names::TechnicianNames;

#[derive(Clone)]
pub struct ReceiptsState {
    pub store: Store,
    pub snapshot: Snapshot,
    pub receipts: Receipts,
    pub orders: OrderWriter,
    pub names: TechnicianNames,
    pub sockets: LiveSockets,
    pub announcer: Announcer,
}
