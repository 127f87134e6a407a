//! What each technician is called: read from the shop's list and from the staff's accounts, kept in
//! memory for every screen.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::Store;
use sea_orm::{DbErr, EntityTrait};

use crate::staff::{Role, StaffCollection, StaffError};

/// What each technician is called, in one place for every screen: the portal user's name, else the
/// technician's display name, else the name that came with the order, else the number.
#[derive(Clone, Default)]
pub struct TechnicianNames {
    by_id: Arc<RwLock<HashMap<TechnicianId, String>>>,
    /// Those with an account of their own.
    portals: Arc<RwLock<HashSet<TechnicianId>>>,
    /// Raised with every reload that found another name: what was made with older names is out of date.
    generation: Arc<AtomicU64>,
    /// Held from reading to keeping: of two reloads, the one that read first keeps first.
    reloading: Arc<tokio::sync::Mutex<()>>,
}

impl TechnicianNames {
    async fn reload(&self, store: &Store, staff: &dyn StaffCollection) -> Result<(), StaffError> {
        let _reloading = self.reloading.lock().await;
        let rows = technician::Entity::find().all(store.reader()).await?;
        let mut names: HashMap<TechnicianId, String> = rows
            .into_iter()
            .map(|row| (row.id, row.display_name))
            .collect();
        let portals = portal_names(staff).await?;
        *self.portals.write().unwrap_or_else(PoisonError::into_inner) =
            portals.keys().copied().collect();
        names.extend(portals);
        let mut by_id = self.by_id.write().unwrap_or_else(PoisonError::into_inner);
        if *by_id != names {
            *by_id = names;
            self.generation.fetch_add(1, Ordering::AcqRel);
        }
        Ok(())
    }

    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Everybody of the shop's list, or with an account.
    pub fn all(&self) -> Vec<(TechnicianId, String)> {
        let by_id = self.by_id.read().unwrap_or_else(PoisonError::into_inner);
        by_id.iter().map(|(id, name)| (*id, name.clone())).collect()
    }

    /// Whether it is a technician of the shop's list, or one with an account.
    pub fn knows(&self, id: TechnicianId) -> bool {
        let by_id = self.by_id.read().unwrap_or_else(PoisonError::into_inner);
        by_id.contains_key(&id)
    }

    /// Whether somebody's account is linked to this technician.
    pub fn has_portal(&self, id: TechnicianId) -> bool {
        let portals = self.portals.read().unwrap_or_else(PoisonError::into_inner);
        portals.contains(&id)
    }

    pub fn of(&self, id: TechnicianId, as_it_came: Option<&str>) -> String {
        let by_id = self.by_id.read().unwrap_or_else(PoisonError::into_inner);
        match (by_id.get(&id), as_it_came) {
            (Some(name), _) => name.clone(),
            (None, Some(name)) => name.to_owned(),
            (None, None) => format!("Technician {id}"),
        }
    }
}

/// The names, and the tables and documents that they are read from.
#[derive(Clone)]
pub struct TechnicianDirectory {
    names: TechnicianNames,
    store: Store,
    staff: Arc<dyn StaffCollection>,
}

impl TechnicianDirectory {
    /// With the names as they are now.
    pub async fn open(store: Store, staff: Arc<dyn StaffCollection>) -> Result<Self, StaffError> {
        let directory = Self {
            names: TechnicianNames::default(),
            store,
            staff,
        };
        directory.reload().await?;
        Ok(directory)
    }

    pub fn names(&self) -> &TechnicianNames {
        &self.names
    }

    /// Reads the names again; to be called when staff or technicians changed.
    pub async fn reload(&self) -> Result<(), StaffError> {
        self.names.reload(&self.store, &*self.staff).await
    }

    /// Whether the shop's list has this technician.
    pub async fn exists(&self, id: TechnicianId) -> Result<bool, DbErr> {
        let found = technician::Entity::find_by_id(id);
        Ok(found.one(self.store.reader()).await?.is_some())
    }

    /// What the technicians with an account are called by it, as the staff documents have it now.
    pub async fn portal_names(&self) -> Result<HashMap<TechnicianId, String>, StaffError> {
        portal_names(&*self.staff).await
    }
}

/// What the technicians with a portal account are called; of two accounts for one technician the
/// first by id.
async fn portal_names(
    staff: &dyn StaffCollection,
) -> Result<HashMap<TechnicianId, String>, StaffError> {
    let documents = staff.with_role(Role::Technician).await?;
    let linked = documents.into_iter().rev();
    Ok(linked
        .filter_map(|document| Some((document.technician_id?, document.name)))
        .collect())
}

/// The rows of the shop's list.
pub(crate) mod technician {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "technicians")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(column_type = "Text")]
        pub display_name: String,
        #[sea_orm(column_type = "Text")]
        pub specialty: String,
        pub level_id: Option<i64>,
        pub daily_minutes: i32,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use dispatch_actors::testing::Throwaway;
    use futures_util::poll;
    use sea_orm::{ActiveModelTrait, Set};
    use tokio::time::{sleep, timeout};

    use super::*;
    use crate::staff::{StaffDocuments, StaffPatch};

    #[actix::test]
    async fn a_reload_that_began_earlier_does_not_bring_older_names_back() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let staff = StaffDocuments::new(store.clone());
        let names = TechnicianNames::default();
        let called = |name: &str| technician::ActiveModel {
            id: Set(1),
            display_name: Set(name.to_owned()),
            specialty: Set(String::new()),
            level_id: Set(None),
            daily_minutes: Set(480),
        };
        called("Old").insert(store.writer()).await.unwrap();
        // Where the earlier one is overtaken depends on how often it was polled.
        for polls in 0..8 {
            let name = format!("New {polls}");
            let mut earlier = std::pin::pin!(names.reload(&store, &staff));
            let mut done = false;
            for _ in 0..polls {
                done = done || poll!(&mut earlier).is_ready();
                sleep(Duration::from_millis(5)).await;
            }
            called(&name).update(store.writer()).await.unwrap();
            let mut later = std::pin::pin!(names.reload(&store, &staff));
            // It may have to wait for the earlier one.
            let overtook = timeout(Duration::from_millis(100), &mut later)
                .await
                .is_ok();
            if !done {
                earlier.await.unwrap();
            }
            if !overtook {
                later.await.unwrap();
            }
            assert_eq!(names.of(1, None), name, "after {polls} polls");
        }
    }

    #[actix::test]
    async fn only_technicians_who_are_linked_give_their_names() {
        let database = Throwaway::sqlite();
        let staff = StaffDocuments::new(database.store().await);
        for (id, name, role, technician) in [
            ("a", "Linked", Role::Technician, Some(1)),
            ("b", "Second of the same", Role::Technician, Some(1)),
            ("c", "Not a technician", Role::Advisor, Some(2)),
            ("d", "Not linked", Role::Technician, None),
        ] {
            let patch = StaffPatch {
                name: Some(name.to_owned()),
                roles: Some(vec![role]),
                technician_id: Some(technician),
                ..StaffPatch::default()
            };
            staff.merge(id, patch).await.unwrap();
        }
        let names = portal_names(&staff).await.unwrap();
        assert_eq!(names, HashMap::from([(1, "Linked".to_owned())]));
    }
}
