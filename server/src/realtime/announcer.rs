//! Tells sessions that something besides the repair orders changed. Knows no area: the caller names the
//! event and its audience.

use actix::Addr;
use dispatch_actors::broadcaster::{Audience, Broadcast, Broadcaster};
use serde::Serialize;

use crate::error::ApiError;

/// Cheap to clone: all clones announce through the same broadcaster.
#[derive(Clone)]
pub struct Announcer {
    broadcaster: Addr<Broadcaster>,
}

impl Announcer {
    pub fn new(broadcaster: Addr<Broadcaster>) -> Self {
        Self { broadcaster }
    }

    /// Sends an event without an offset to the sessions of this audience. It is not replayed: a
    /// client that connects asks for what it shows. 503 `unavailable`.
    pub async fn announce(
        &self,
        name: &'static str,
        payload: &impl Serialize,
        audience: Audience,
    ) -> Result<(), ApiError> {
        let payload = serde_json::to_value(payload).map_err(|error| {
            // Our own types always serialise; this is for the compiler.
            tracing::error!(%error, name, "a message could not be encoded");
            ApiError::unavailable()
        })?;
        let broadcast = Broadcast {
            name,
            payload,
            audience,
        };
        let sent = self.broadcaster.send(broadcast).await;
        sent.map_err(|_| ApiError::unavailable())
    }
}
