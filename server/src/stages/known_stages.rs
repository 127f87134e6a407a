//! The shop's stages as this process last read them, for screens that are sent words. All clones are the same.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use dispatch_actors::repair_order::{RepairOrder, StageKind};

use super::api_types::ShopStages;
use super::stage::StageNames;

#[derive(Clone, Default)]
pub struct KnownStages(Arc<RwLock<Known>>);

#[derive(Default)]
struct Known {
    /// Raised with every change.
    generation: u64,
    /// Empty while the shop uses none.
    by_id: HashMap<String, (StageKind, StageNames)>,
}

impl KnownStages {
    pub(super) fn set(&self, shop: &ShopStages) {
        let used = shop.stages.iter().filter(|_| shop.enabled);
        let by_id = used
            .map(|stage| (stage.id.clone(), (stage.kind, stage.name.clone())))
            .collect();
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.by_id != by_id {
            known.by_id = by_id;
            known.generation += 1;
        }
    }

    fn known(&self) -> RwLockReadGuard<'_, Known> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another one after each change: what was made before is out of date.
    pub fn generation(&self) -> u64 {
        self.known().generation
    }

    /// Where the order stands; none where the shop uses no stages, or nothing is known of the order.
    pub fn of(&self, order: &RepairOrder) -> Option<(StageKind, StageNames)> {
        let id = order.progress.placement.stage.as_ref()?;
        self.known().by_id.get(id.as_str()).cloned()
    }
}
