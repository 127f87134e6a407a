//! Deletes what is too old to be needed, unless the machine's clock may be wrong.

use std::time::Duration;

use dispatch_actors::store::Store;

use crate::identity::Identity;
use crate::retention::{ClockReading, KeepDays, MachineClock};
use crate::tech_story::TechStories;

const SWEEP_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// `keep_stories`: interviews that ended in no story.
pub(super) async fn sweep(
    store: Store,
    identity: Identity,
    stories: TechStories,
    keep_stories: KeepDays,
) {
    let mut clock = MachineClock::new(store.clone());
    let mut interval = tokio::time::interval(SWEEP_INTERVAL);
    loop {
        interval.tick().await;
        let now = match clock.read().await {
            Ok(ClockReading::Believed(now)) => now,
            // The task that deletes old orders reads the same clock, and says it in the log.
            Ok(ClockReading::Doubted(_)) => continue,
            Err(error) => {
                tracing::warn!(%error, "old answers, sessions and interviews were not deleted");
                continue;
            }
        };
        if let Err(error) = store.sweep_idempotency_records().await {
            tracing::warn!(%error, "old answers were not deleted");
        }
        if let Err(error) = identity.sweep().await {
            tracing::warn!(%error, "old sessions were not deleted");
        }
        if let Some(oldest_kept) = keep_stories.oldest_kept(now)
            && let Err(error) = stories.sweep(oldest_kept).await
        {
            tracing::warn!(%error, "old interviews were not deleted");
        }
    }
}
