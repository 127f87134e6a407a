//! The shop's stages as this process knows them, for whoever decides on orders or shows them. All clones are the same.

use std::sync::{Arc, PoisonError, RwLock};

use crate::repair_order::StageRules;

#[derive(Clone, Default)]
pub struct SharedStageRules(Arc<RwLock<Arc<StageRules>>>);

impl SharedStageRules {
    pub fn current(&self) -> Arc<StageRules> {
        let rules = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&rules)
    }

    pub fn is_on(&self) -> bool {
        self.current().is_on
    }

    /// To be called once they are committed, or were read.
    pub fn set(&self, rules: StageRules) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(rules);
    }
}
