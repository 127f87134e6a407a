//! What the calls of the clocks work with.

use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;
use jiff::tz::TimeZone;

use super::Clocks;
use crate::technician_names::TechnicianDirectory;

#[derive(Clone)]
pub struct ClocksState {
    pub store: Store,
    pub snapshot: Snapshot,
    pub clocks: Clocks,
    pub directory: TechnicianDirectory,
    pub time_zone: TimeZone,
}
