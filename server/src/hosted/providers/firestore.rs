//! The staff collection in Cloud Firestore: the collection `users`, as other programs of the shop may
//! know it.

use std::sync::Arc;

use async_trait::async_trait;
use dispatch_hosted::{Collection, CollectionError, DocumentChange};
use tokio::sync::broadcast;

use super::staff_fields::{from_document, to_fields};
use super::{HostedError, project};
use crate::options::config::Google;
use crate::staff::{
    Role, StaffChange, StaffCollection, StaffDocument, StaffError, StaffPatch, better,
};

const COLLECTION: &str = "users";

/// Changes that a slow subscriber may be behind; one that lags reads all documents again.
const CHANGES_KEPT: usize = 256;

pub struct Firestore {
    collection: Collection,
    changes: broadcast::Sender<StaffChange>,
}

impl Firestore {
    /// Connects, and hears of changes in the collection from then on.
    pub async fn open(google: &Google) -> Result<Self, HostedError> {
        let project = project(google, "--staff firestore")?;
        let (changes, _) = broadcast::channel(CHANGES_KEPT);
        let sender = changes.clone();
        let announce = move |change| {
            let id = match change {
                DocumentChange::One(id) => Some(Arc::from(id)),
                DocumentChange::Any => None,
            };
            // An error only says that nobody has subscribed.
            let _ = sender.send(StaffChange { id });
        };
        let collection = match google.firestore_emulator {
            Some(address) => {
                Collection::at_emulator(&project, address, COLLECTION, announce).await?
            }
            None => Collection::open(&project, COLLECTION, announce).await?,
        };
        Ok(Self {
            collection,
            changes,
        })
    }
}

#[async_trait]
impl StaffCollection for Firestore {
    async fn get(&self, id: &str) -> Result<Option<StaffDocument>, StaffError> {
        let found = self.collection.find(&[id]).await.map_err(staff_error)?;
        Ok(found.into_iter().next().map(from_document))
    }

    async fn all(&self) -> Result<Vec<StaffDocument>, StaffError> {
        let found = self.collection.all().await.map_err(staff_error)?;
        Ok(found.into_iter().map(from_document).collect())
    }

    /// The role in the spelling in which we write it.
    async fn with_role(&self, role: Role) -> Result<Vec<StaffDocument>, StaffError> {
        let found = self.collection.all_containing("roles", role.name()).await;
        let found = found.map_err(staff_error)?;
        Ok(found.into_iter().map(from_document).collect())
    }

    async fn merge(&self, id: &str, patch: StaffPatch) -> Result<StaffDocument, StaffError> {
        let written = self.collection.merge(id, to_fields(patch)).await;
        let written = written.map_err(staff_error)?;
        Ok(written.map_or_else(
            || StaffDocument {
                id: id.to_owned(),
                ..StaffDocument::default()
            },
            from_document,
        ))
    }

    async fn update(
        &self,
        id: &str,
        patch: StaffPatch,
    ) -> Result<Option<StaffDocument>, StaffError> {
        let written = self.collection.update(id, to_fields(patch)).await;
        Ok(written.map_err(staff_error)?.map(from_document))
    }

    async fn delete(&self, id: &str) -> Result<bool, StaffError> {
        self.collection.delete(id).await.map_err(staff_error)
    }

    fn changes(&self) -> broadcast::Receiver<StaffChange> {
        self.changes.subscribe()
    }

    /// Every request asks this: one call for both.
    async fn find(&self, uid: &str, email: &str) -> Result<Option<StaffDocument>, StaffError> {
        let found = self.collection.find(&[uid, email]).await;
        let found = found.map_err(staff_error)?.into_iter().map(from_document);
        let (by_uid, by_email): (Vec<_>, Vec<_>) = found.partition(|document| document.id == uid);
        Ok(better(
            by_uid.into_iter().next(),
            by_email.into_iter().next(),
        ))
    }
}

fn staff_error(error: CollectionError) -> StaffError {
    StaffError::Unreachable(error.to_string())
}
