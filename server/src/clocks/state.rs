//! What the calls of the clocks work with.

use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;

use super::Clocks;
use crate::shop_settings::ShopSettings;
use crate::technician_names::TechnicianDirectory;

#[derive(Clone)]
pub struct ClocksState {
    pub store: Store,
    pub snapshot: Snapshot,
    pub clocks: Clocks,
    pub directory: TechnicianDirectory,
    pub shop: ShopSettings,
}
