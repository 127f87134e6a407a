//! Changes of the shop's stages, here or at another server: repair orders go by them, and every session hears of them.

use dispatch_actors::broadcaster::Audience;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::state::StagesState;
use crate::change_signal::ANNOUNCE_INTERVAL;
use crate::error::ApiError;

/// Sent as `STAGES_CHANGED` to every session, without an offset, when the shop's stages changed, or were turned on or
/// off: clients that show any ask for them again, and for their orders where it was turned on or off.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = StagesChanged)]
pub struct StagesChangedEvent {
    /// Always `STAGES_CHANGED`.
    r#type: &'static str,
    timestamp: Timestamp,
}

/// Follows the changes for as long as the server runs, from this call on.
pub fn follow(state: StagesState) -> impl Future<Output = ()> {
    let changes = state.stages.changes().clone();
    let announce = async move || announce(&state).await;
    changes.follow(ANNOUNCE_INTERVAL, "stages that changed", announce)
}

async fn announce(state: &StagesState) -> Result<(), ApiError> {
    let shop = state.stages.reload().await?;
    if !state.stages.differ_from_announced(&shop) {
        return Ok(());
    }
    let changed = StagesChangedEvent {
        r#type: "STAGES_CHANGED",
        timestamp: Timestamp::now(),
    };
    state
        .announcer
        .announce("STAGES_CHANGED", &changed, Audience::Everybody)
        .await?;
    state.stages.set_announced(shop);
    Ok(())
}
