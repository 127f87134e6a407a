//! Deletes what is too old to be needed.

use std::time::Duration;

use dispatch_actors::store::Store;

use crate::identity::Identity;
use crate::tech_story::TechStories;

const SWEEP_INTERVAL: Duration = Duration::from_secs(60 * 60);

pub(super) async fn sweep(store: Store, identity: Identity, stories: TechStories) {
    let mut interval = tokio::time::interval(SWEEP_INTERVAL);
    loop {
        interval.tick().await;
        if let Err(error) = store.sweep_idempotency_records().await {
            tracing::warn!(%error, "old answers were not deleted");
        }
        if let Err(error) = identity.sweep().await {
            tracing::warn!(%error, "old sessions were not deleted");
        }
        if let Err(error) = stories.sweep().await {
            tracing::warn!(%error, "old interviews were not deleted");
        }
    }
}
