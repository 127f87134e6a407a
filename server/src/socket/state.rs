//! What the stream works with.

use std::sync::Arc;

use actix::Addr;
use dispatch_actors::broadcaster::Broadcaster;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;

use super::{Archive, Pids, SocketCounts};
use crate::audit::AuditTrail;
use crate::boards::Boards;
use crate::identity::Identity;
use crate::realtime::live_sockets::LiveSockets;

#[derive(Clone)]
pub struct SocketState {
    pub store: Store,
    pub snapshot: Snapshot,
    pub broadcaster: Addr<Broadcaster>,
    pub identity: Identity,
    pub audit: AuditTrail,
    pub sockets: LiveSockets,
    pub pids: Pids,
    pub archive: Archive,
    pub boards: Boards,
    pub counts: Arc<SocketCounts>,
}
