//! When the log went back or a restored one took its place: what is known from other tables than the
//! log's is read again, too. Orders, receipts and clocks see to themselves.

use std::time::Duration;

use dispatch_actors::ticks::next_tick;

use crate::audit::AuditTrail;
use crate::boards::BoardsState;
use crate::error::ApiError;
use crate::seen_version::SeenVersion;
use crate::stages::Stages;
use crate::users::{self, UsersState};

/// How often the generation is checked, which costs no read of the database.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// After this time a failed reload is tried again.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// What has to be read again.
#[derive(Clone)]
pub struct Reloads {
    pub users: UsersState,
    pub audit: AuditTrail,
    pub boards: BoardsState,
    pub stages: Stages,
}

/// Follows the log's generation for as long as the server runs. `reloads` have read everything under
/// the generation of this call.
pub fn follow(reloads: Reloads) -> impl Future<Output = ()> {
    let generation = reloads.boards.store.status().generation();
    let mut seen_version = SeenVersion::new(generation);
    async move {
        loop {
            next_tick(CHECK_INTERVAL).await;
            // First: where it changes meanwhile, everything is read once more.
            let newest = reloads.boards.store.status().generation();
            if let Err(error) = seen_version
                .refresh_if_stale(newest, reload(&reloads))
                .await
            {
                tracing::error!(%error, "what was restored could not be read");
                tokio::time::sleep(RETRY_PAUSE).await;
            }
        }
    }
}

/// Rights first: who has lost some by the restore is signed out.
async fn reload(reloads: &Reloads) -> Result<(), ApiError> {
    users::reload_staff(&reloads.users, None).await?;
    reloads.audit.note_log_generation().await?;
    // Whoever came back at once may have asked for levels and skills before this.
    reloads.users.technicians.changes().announce();
    reloads.stages.changes().announce();
    reloads.boards.reload_boards().await
}
