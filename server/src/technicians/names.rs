//! What each technician is called.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::Store;
use sea_orm::{DbErr, EntityTrait};

use super::technician;
use crate::staff::StaffDocuments;

/// What each technician is called, in one place for every screen: the portal user's name, else the
/// technician's display name, else the name that came with the order, else the number.
#[derive(Clone, Default)]
pub struct TechnicianNames {
    known: Arc<RwLock<HashMap<TechnicianId, String>>>,
    /// Raised with every reload: what was made with older names is out of date.
    generation: Arc<AtomicU64>,
}

impl TechnicianNames {
    /// Reads the names again; to be called when staff or technicians changed.
    pub async fn reload(&self, store: &Store, staff: &StaffDocuments) -> Result<(), DbErr> {
        let rows = technician::Entity::find().all(store.reader()).await?;
        let mut names: HashMap<TechnicianId, String> = rows
            .into_iter()
            .map(|row| (row.id, row.display_name))
            .collect();
        names.extend(staff.names_by_technician().await?);
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = names;
        self.generation.fetch_add(1, Ordering::AcqRel);
        Ok(())
    }

    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    pub fn of(&self, id: TechnicianId, as_it_came: Option<&str>) -> String {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        match (known.get(&id), as_it_came) {
            (Some(name), _) => name.clone(),
            (None, Some(name)) => name.to_owned(),
            (None, None) => format!("Technician {id}"),
        }
    }
}
