//! When the log went back or a restored one took its place: what is known from other tables than the
//! log's is read again, too. Orders, receipts and clocks see to themselves.

use std::time::Duration;

use crate::app::Services;
use crate::error::ApiError;
use crate::staff;

/// From one look at the generation to the next; a look costs no read of the database.
const LOOK_INTERVAL: Duration = Duration::from_millis(500);

/// Until what failed is tried again.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// Follows the log's generation for as long as the server runs. `services` have read everything under
/// the generation of this call.
pub fn follow(services: Services) -> impl Future<Output = ()> {
    let mut generation = services.store.status().generation();
    async move {
        loop {
            tokio::time::sleep(LOOK_INTERVAL).await;
            // First: where it changes meanwhile, everything is read once more.
            let newest = services.store.status().generation();
            if newest == generation {
                continue;
            }
            match reload(&services).await {
                Ok(()) => generation = newest,
                Err(error) => {
                    tracing::error!(%error, "what was restored could not be read");
                    tokio::time::sleep(RETRY_PAUSE).await;
                }
            }
        }
    }
}

/// Rights first: who has lost some by the restore is signed out.
async fn reload(services: &Services) -> Result<(), ApiError> {
    staff::reload_staff(services, None).await?;
    services.audit.note_log_generation().await?;
    // Whoever came back at once may have asked for levels and skills before this.
    services.technicians.changes().note();
    services.look_at_boards().await
}
