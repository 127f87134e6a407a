//! Copies of backups in an S3-compatible store, beside those in the folder.
//!
//! The newest backup of the folder is what is copied: one that was missed while the store was away is in the house, and
//! the next one has all that it had. A copy is one request, so that there is all of it in the store or nothing.
//!
//! - `location`: where the store is. `store`: how it is asked. `error`: why it is not as it should be.

mod error;
mod location;
#[cfg(feature = "offsite-backups")]
mod store;
#[cfg(feature = "offsite-backups")]
pub use store::S3Store;

#[cfg(not(feature = "offsite-backups"))]
mod left_out;
#[cfg(not(feature = "offsite-backups"))]
pub use left_out::S3Store;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use jiff::Timestamp;

use super::error::BackupError;
use super::retention::KeptBackups;

pub use error::OffsiteError;
pub use location::{AccessKeys, S3Location, S3LocationError};

/// How the copies of backups went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsiteState {
    /// When the newest backup in the store was made, as far as the store was asked.
    pub newest: Option<Timestamp>,
    /// Why the newest backup of the folder is not there; none where it is.
    pub failure: Option<String>,
}

/// The backup that is to be in the store.
#[derive(Clone, Debug)]
pub(super) struct NewestBackup {
    pub time: Timestamp,
    pub file: PathBuf,
    /// Older backups are another shop's.
    pub shop_since: Timestamp,
}

/// A backup in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBackup {
    pub name: String,
    pub time: Timestamp,
    pub bytes: u64,
}

/// Cheap to clone: all clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Offsite {
    location: Arc<S3Location>,
    kept: KeptBackups,
    state: Arc<RwLock<OffsiteState>>,
    /// The copy that the store was last known to have.
    copied: Arc<RwLock<Option<Timestamp>>>,
}

impl Offsite {
    pub fn new(location: S3Location, kept: KeptBackups) -> Self {
        Self {
            location: Arc::new(location),
            kept,
            state: Arc::default(),
            copied: Arc::default(),
        }
    }

    pub fn location(&self) -> &S3Location {
        &self.location
    }

    pub fn state(&self) -> OffsiteState {
        let state = self.state.read();
        state.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Copies this backup unless the store has it, and then deletes those that are no longer kept. Gives whether `failure`
    /// is another than before, which is logged.
    pub async fn copy_if_behind(&self, newest: Result<Option<NewestBackup>, BackupError>) -> bool {
        let before = self.state();
        let state = match self.newest_after(newest).await {
            Ok(newest) => OffsiteState {
                newest: newest.or(before.newest),
                failure: None,
            },
            Err(error) => OffsiteState {
                newest: before.newest,
                failure: Some(error.to_string()),
            },
        };
        let is_changed = state.failure != before.failure;
        let location = &self.location;
        match &state.failure {
            Some(why) if is_changed => tracing::error!(
                "no backup is copied to {location}: {why}; it is tried again every minute"
            ),
            None if is_changed => tracing::info!("backups are copied to {location} again"),
            _ => {}
        }
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
        is_changed
    }

    /// The time of the newest backup in the store; none where the store did not have to be asked.
    async fn newest_after(
        &self,
        newest: Result<Option<NewestBackup>, BackupError>,
    ) -> Result<Option<Timestamp>, OffsiteError> {
        let Some(backup) = newest? else {
            return Ok(None);
        };
        if *self.copied.read().unwrap_or_else(PoisonError::into_inner) == Some(backup.time) {
            return Ok(None);
        }
        let store = S3Store::at(&self.location)?;
        let mut stored = store.list().await?;
        if !stored.iter().any(|stored| stored.time == backup.time) {
            let copy = store.copy(&backup.file).await?;
            stored = store.list().await?;
            if !stored.contains(&copy) {
                return Err(OffsiteError::NotListed(copy.name));
            }
            tracing::info!("{} is copied to {}", backup.file.display(), self.location);
        }
        // One of a time to come, of a clock that was ahead for a moment, takes no other's place.
        let of_this_shop = backup.shop_since..=backup.time;
        self.delete_superseded(&store, &stored, of_this_shop)
            .await?;
        let mut copied = self.copied.write().unwrap_or_else(PoisonError::into_inner);
        *copied = Some(backup.time);
        Ok(stored.iter().map(|stored| stored.time).max())
    }

    async fn delete_superseded(
        &self,
        store: &S3Store,
        stored: &[StoredBackup],
        of_this_shop: RangeInclusive<Timestamp>,
    ) -> Result<(), OffsiteError> {
        let times = stored.iter().map(|stored| stored.time);
        let times: BTreeSet<Timestamp> = times.filter(|time| of_this_shop.contains(time)).collect();
        let superseded = self.kept.superseded(&times);
        for backup in stored.iter().filter(|it| superseded.contains(&it.time)) {
            store.delete(&backup.name).await?;
            let (location, name) = (&self.location, &backup.name);
            tracing::info!("{location}/{name} is deleted: newer backups are kept");
        }
        Ok(())
    }
}
