//! What the boards' calls and tasks work with.

use actix::Addr;
use dispatch_actors::broadcaster::Broadcaster;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;

use super::registry::Boards;
use crate::audit::AuditTrail;
use crate::clocks::Clocks;
use crate::identity::Identity;
use crate::realtime::announcer::Announcer;
use crate::realtime::live_sockets::LiveSockets;
use crate::shop_settings::ShopSettings;
use crate::technician_names::TechnicianNames;

#[derive(Clone)]
pub struct BoardsState {
    pub store: Store,
    pub boards: Boards,
    pub snapshot: Snapshot,
    pub names: TechnicianNames,
    pub clocks: Clocks,
    pub sockets: LiveSockets,
    pub identity: Identity,
    pub audit: AuditTrail,
    pub announcer: Announcer,
    pub broadcaster: Addr<Broadcaster>,
    pub shop: ShopSettings,
}

impl BoardsState {
    /// Shows what the clocks publish on the boards.
    pub fn subscribe_to_clocks(&self) {
        let boards = self.boards.clone();
        let subscriber = move |change: &_| boards.note_clock_change(change);
        self.clocks.changes().subscribe(subscriber);
    }
}
