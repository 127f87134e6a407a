//! Technicians, their levels, skills and opcode rules as they change: every session is told.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use dispatch_actors::broadcaster::Audience;
use jiff::Timestamp;
use serde::Serialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::state::TechniciansState;
use crate::error::ApiError;

/// From one announcement to the next: an import of hundreds is a few of them.
const ANNOUNCE_INTERVAL: Duration = Duration::from_millis(300);

/// Until what failed is tried again.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);

/// Sent as `TECHNICIANS_CHANGED` to every session, without an offset, when technicians, levels,
/// skills or opcode rules changed: whoever shows any asks for them again.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TechniciansChanged)]
pub struct TechniciansChangedEvent {
    /// Always `TECHNICIANS_CHANGED`.
    r#type: &'static str,
    #[schema(format = DateTime)]
    timestamp: String,
}

/// Where whoever changes something says so, once it is committed.
#[derive(Clone, Default)]
pub(crate) struct Changes(Arc<watch::Sender<()>>);

impl Changes {
    pub(crate) fn note(&self) {
        self.0.send_replace(());
    }
}

/// Follows the changes for as long as the server runs, from this call on: any number of them
/// within a pause is told once.
pub fn follow(state: TechniciansState) -> impl Future<Output = ()> {
    let mut changes = state.technicians.changes().0.subscribe();
    async move {
        while changes.changed().await.is_ok() {
            while let Err(error) = tell(&state).await {
                tracing::error!(%error, "technicians that changed could not be told of");
                tokio::time::sleep(RETRY_INTERVAL).await;
            }
            tokio::time::sleep(ANNOUNCE_INTERVAL).await;
        }
    }
}

async fn tell(state: &TechniciansState) -> Result<(), ApiError> {
    // Whoever changed a name may have hung up before they came to this.
    state.directory.reload().await?;
    let changed = TechniciansChangedEvent {
        r#type: "TECHNICIANS_CHANGED",
        timestamp: Timestamp::now().to_string(),
    };
    state
        .announcer
        .announce("TECHNICIANS_CHANGED", &changed, Audience::Everybody)
        .await
}
