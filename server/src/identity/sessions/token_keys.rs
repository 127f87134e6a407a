//! The keys that sign ID tokens: rotating them, and which are refused.

use std::sync::Arc;

use tokio::sync::watch;

use super::id_tokens::{self, IdTokens};
use crate::change_request::run_detached;
use crate::error::{ApiError, is_closed_database};
use crate::identity::{Identity, IdentityError, Inner, sessions};

impl Identity {
    /// Another key signs ID tokens from now on. `at_once`: those signed before are refused and the
    /// sockets they opened are closed; browsers get new ones with their refresh cookie. Else they are
    /// good until they expire. `end_sessions`: so is every session, and everybody signs in again.
    pub async fn rotate_token_key(
        &self,
        at_once: bool,
        end_sessions: bool,
    ) -> Result<(), ApiError> {
        let identity = self.clone();
        run_detached(async move {
            let inner = &identity.inner;
            let rotated = inner.tokens.rotate(&inner.store, at_once).await;
            rotated.map_err(unreadable_keys)?;
            inner.callers.forget_all();
            inner.token_keys.announce();
            identity.tell_other_servers_of_keys();
            tracing::info!(at_once, "ID tokens are signed with another key now");
            if end_sessions {
                let ended = sessions::end_all(&inner.store).await?;
                tracing::info!(sessions = ended.len(), "every session was ended");
                identity.announce_ended(ended);
            }
            Ok(())
        })
        .await
    }

    /// Changes when this process signs with another key.
    pub fn token_key_changes(&self) -> watch::Receiver<()> {
        self.inner.token_keys.subscribe()
    }

    /// The id of the key that a token is signed with, which [`Self::authenticate`] has accepted.
    pub fn token_key(&self, id_token: &str) -> Option<Arc<str>> {
        id_tokens::key_id(id_token).map(Arc::from)
    }

    /// Those of the keys, by their ids, whose tokens are refused, whichever process made them so.
    pub async fn refused_keys(
        &self,
        keys: impl IntoIterator<Item = Arc<str>>,
    ) -> Result<Vec<Arc<str>>, ApiError> {
        let mut keys = keys.into_iter().peekable();
        // It is asked every second, also where nobody is connected.
        if keys.peek().is_none() {
            return Ok(Vec::new());
        }
        let tokens = self.current_token_keys().await?;
        let refused: Vec<_> = keys.filter(|key| !tokens.accepts_key(key)).collect();
        if !refused.is_empty() {
            // Who was accepted a moment ago is asked again.
            self.inner.callers.forget_all();
        }
        Ok(refused)
    }

    /// The keys of ID tokens as the database has them now.
    pub(in crate::identity) async fn current_token_keys(&self) -> Result<&IdTokens, ApiError> {
        let Inner { tokens, store, .. } = &*self.inner;
        let refreshed = tokens.refresh_if_stale(store).await;
        refreshed.map_err(unreadable_keys)?;
        Ok(tokens)
    }
}

fn unreadable_keys(error: IdentityError) -> ApiError {
    if !is_closed_database(&error) {
        tracing::error!(%error, "the keys of ID tokens could not be read");
    }
    ApiError::unavailable()
}
