//! Turns of a person about a job wait for each other, at one server. Of two servers that are asked the same at once both
//! ask the interviewer, and the answer that is kept first stands.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use tokio::sync::{OwnedMutexGuard, watch};

use super::conversations::TechStories;

/// Who interviews about which job.
pub(in crate::tech_story) type JobKey = (String, i64, i32);

pub(in crate::tech_story) struct ActiveInterview {
    pub(in crate::tech_story) lock: Arc<tokio::sync::Mutex<()>>,
    /// The interview that was cancelled last.
    pub(in crate::tech_story) cancelled: watch::Sender<Option<String>>,
}

impl TechStories {
    pub(in crate::tech_story) fn under_way(&self, place: &JobKey) -> Arc<ActiveInterview> {
        let mut all = self.all_under_way();
        let new = || {
            Arc::new(ActiveInterview {
                lock: Arc::default(),
                cancelled: watch::Sender::new(None),
            })
        };
        Arc::clone(all.entry(place.clone()).or_insert_with(new))
    }

    pub(in crate::tech_story) async fn take_turn(
        &self,
        place: JobKey,
        under_way: &Arc<ActiveInterview>,
    ) -> TurnGuard<'_> {
        TurnGuard {
            stories: self,
            place,
            _turn: Arc::clone(&under_way.lock).lock_owned().await,
        }
    }

    pub(in crate::tech_story) fn all_under_way(
        &self,
    ) -> std::sync::MutexGuard<'_, HashMap<JobKey, Arc<ActiveInterview>>> {
        let all = self.inner.under_way.lock();
        all.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nobody else asks about this job for this person meanwhile.
pub(in crate::tech_story) struct TurnGuard<'a> {
    stories: &'a TechStories,
    place: JobKey,
    _turn: OwnedMutexGuard<()>,
}

impl Drop for TurnGuard<'_> {
    fn drop(&mut self) {
        let mut all = self.stories.all_under_way();
        // The map's own, and that of whoever holds this.
        let is_last = |it: &Arc<ActiveInterview>| Arc::strong_count(it) <= 2;
        if all.get(&self.place).is_some_and(is_last) {
            all.remove(&self.place);
        }
    }
}
