//! The shop's stages as this process last read them, for screens that are sent words, and for files that name
//! stages. All clones are the same.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use dispatch_actors::repair_order::{RepairOrder, StageId, StageKind};

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
    /// Those that orders can be moved to, by id and by each of their names, folded.
    by_name: HashMap<String, StageId>,
    file_owns_stage: bool,
}

/// How names of stages are compared: upper and lower case, spaces, hyphens and underscores make no difference.
pub fn folded_name(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || c == '-' || c == '_');
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// An id comes before any name; of two stages of one name the first in the shop's order counts.
fn by_name(shop: &ShopStages) -> HashMap<String, StageId> {
    let mut found = HashMap::new();
    let available = || shop.stages.iter().filter(|stage| !stage.deleted);
    let ids = available().map(|stage| (&stage.id, stage));
    let names = available().flat_map(|stage| {
        let StageNames { en, es, de } = &stage.name;
        [(en, stage), (es, stage), (de, stage)]
    });
    for (name, stage) in ids.chain(names) {
        found
            .entry(folded_name(name))
            .or_insert_with(|| StageId::from(&*stage.id));
    }
    found
}

impl KnownStages {
    pub(super) fn set(&self, shop: &ShopStages) {
        let used = shop.stages.iter().filter(|_| shop.enabled);
        let by_id = used
            .map(|stage| (stage.id.clone(), (stage.kind, stage.name.clone())))
            .collect();
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.file_owns_stage = shop.enabled && shop.file_owns_stage;
        known.by_name = by_name(shop);
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

    /// Whether files of the dealer system say where orders stand.
    pub fn file_owns_stage(&self) -> bool {
        self.known().file_owns_stage
    }

    /// The stage of this id, or of this name in any language, if orders can be moved there.
    pub fn named(&self, text: &str) -> Option<StageId> {
        self.known().by_name.get(&folded_name(text)).cloned()
    }

    /// Where the order stands; none where the shop uses no stages, or nothing is known of the order.
    pub fn of(&self, order: &RepairOrder) -> Option<(StageKind, StageNames)> {
        let id = order.progress.placement.stage.as_ref()?;
        self.known().by_id.get(id.as_str()).cloned()
    }
}
