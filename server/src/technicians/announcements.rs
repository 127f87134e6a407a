//! Changes of technicians, their levels, skills and opcode rules are announced to every session.

use dispatch_actors::broadcaster::Audience;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::state::TechniciansState;
use crate::change_signal::ANNOUNCE_INTERVAL;
use crate::error::ApiError;

/// Sent as `TECHNICIANS_CHANGED` to every session, without an offset, when technicians, levels,
/// skills or opcode rules changed: clients that show any ask for them again.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TechniciansChanged)]
pub struct TechniciansChangedEvent {
    /// Always `TECHNICIANS_CHANGED`.
    r#type: &'static str,
    timestamp: Timestamp,
}

/// Follows the changes for as long as the server runs, from this call on.
pub fn follow(state: TechniciansState) -> impl Future<Output = ()> {
    let changes = state.technicians.changes().clone();
    let announce = async move || announce(&state).await;
    changes.follow(ANNOUNCE_INTERVAL, "technicians that changed", announce)
}

async fn announce(state: &TechniciansState) -> Result<(), ApiError> {
    // The client that changed a name may have disconnected before this.
    state.directory.reload().await?;
    let changed = TechniciansChangedEvent {
        r#type: "TECHNICIANS_CHANGED",
        timestamp: Timestamp::now(),
    };
    state
        .announcer
        .announce("TECHNICIANS_CHANGED", &changed, Audience::Everybody)
        .await
}
